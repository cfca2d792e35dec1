/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "verify/names.h"
#include "verify/report.h"
#include "verify/run.h"
#include "verify/trace.h"

static const char format[] = "wicket-trace 1";

/* A device or a pipe is written to; a file is replaced when all is there. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

void trace_writable(const char *path)
{
	char *copy = strdup(path);
	bool ok = copy &&
		  !access(is_special(path) ? path : dirname(copy), W_OK);

	free(copy);
	if (!ok)
		fail(EX_CANTCREAT, "cannot write %s: %s", path,
		     strerror(errno));
}

static json_t *to_json(const struct task *task, const struct finding *f)
{
	const struct schedule *s = &f->schedule;
	char text[2 * WICKET_PROCS_MAX];
	json_t *regions = json_array();
	struct run run;

	run_start(&run, task->algo, &task->cfg);
	for (uint32_t t = 0; t < s->length; t++) {
		run_step(&run, s->step[t]);
		report_regions(&run, text, "");
		json_array_append_new(regions, json_string(text));
	}
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s, s:o, s:b, s:i, s:i, "
			 "s:i, s:i, s:o}",
			 "format", format, "algorithm", task->name, "n",
			 (int)task->cfg.n, "k", (int)task->cfg.k, "r",
			 (int)task->cfg.r, "property", f->property, "schedule",
			 report_steps_json(task, s, 0), "infinite",
			 (int)s->infinite, "stem", (int)s->stem, "from",
			 (int)s->from, "overtaken", (int)s->victim, "overtaker",
			 (int)s->culprit, "regions", regions);
}

void trace_write(const char *path, const struct task *task,
		 const struct finding *f)
{
	json_t *trace = to_json(task, f);
	bool special = is_special(path), ok;
	char *temporary;
	FILE *out;
	int fd, error;

	if (!trace || asprintf(&temporary, "%s.XXXXXX", path) < 0)
		abort();
	fd = special ? open(path, O_WRONLY | O_CLOEXEC) : mkstemp(temporary);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	ok = out && !json_dumpf(trace, out, JSON_INDENT(1)) &&
	     fputc('\n', out) != EOF;
	error = errno;
	if (out && fclose(out)) {
		error = ok ? errno : error;
		ok = false;
	}
	if (ok && !special) {
		mode_t mask = umask(0);

		umask(mask);
		ok = !chmod(temporary, 0666 & ~mask) &&
		     !rename(temporary, path);
		error = errno;
	}
	if (!ok && !special && fd >= 0)
		unlink(temporary);
	free(temporary);
	json_decref(trace);
	if (!ok)
		fail(EX_CANTCREAT, "cannot write %s: %s", path,
		     strerror(error));
}

/* The steps of the schedule: 1..n, or "S" for the helper after them. */
static bool read_steps(const json_t *steps, const struct task *task,
		       struct schedule *s)
{
	uint32_t procs = wicket_processes(task->algo, &task->cfg);

	s->length = (uint32_t)json_array_size(steps);
	s->step = calloc(s->length + (size_t)1, 1);
	if (!s->step)
		abort();
	for (uint32_t t = 0; t < s->length; t++) {
		const json_t *step = json_array_get(steps, t);
		json_int_t i = json_is_string(step) ? task->cfg.n + 1 :
						      json_integer_value(step);

		if (i < 1 || i > procs)
			return false;
		s->step[t] = (uint8_t)i;
	}
	return s->stem <= s->length && s->from <= s->length;
}

/* Does the run of today pass through the regions of then? */
static bool same_regions(const struct trace *trace, const json_t *regions)
{
	const struct schedule *s = &trace->finding.schedule;
	char text[2 * WICKET_PROCS_MAX];
	struct run run;

	if (json_array_size(regions) != s->length)
		return false;
	run_start(&run, trace->task.algo, &trace->task.cfg);
	for (uint32_t t = 0; t < s->length; t++) {
		const char *then =
			json_string_value(json_array_get(regions, t));

		run_step(&run, s->step[t]);
		report_regions(&run, text, "");
		if (!then || strcmp(then, text) != 0)
			return false;
	}
	return true;
}

void trace_read(const char *path, struct trace *trace)
{
	struct schedule *s = &trace->finding.schedule;
	const char *name, *property, *kind;
	int n, k, r, infinite, stem, from, overtaken, overtaker;
	const json_t *steps, *regions;
	json_error_t error;
	json_t *root;
	FILE *in = fopen(path, "re");

	if (!in)
		fail(EX_NOINPUT, "cannot read %s: %s", path, strerror(errno));
	root = json_loadf(in, 0, &error);
	fclose(in);
	if (!root)
		fail(EX_NOINPUT,
		     "%s is not a trace, or not all of one: %s "
		     "(line %d)",
		     path, error.text, error.line);
	if (json_unpack(root, "{s:s}", "format", &kind) || strcmp(kind, format))
		fail(EX_NOINPUT, "%s is not a trace: expected format \"%s\"",
		     path, format);
	if (json_unpack_ex(root, &error, 0,
			   "{s:s, s:i, s:i, s:i, s:s, s:o, s:b, s:i, s:i, s:i, "
			   "s:i, s:o}",
			   "algorithm", &name, "n", &n, "k", &k, "r", &r,
			   "property", &property, "schedule", &steps,
			   "infinite", &infinite, "stem", &stem, "from", &from,
			   "overtaken", &overtaken, "overtaker", &overtaker,
			   "regions", &regions))
		fail(EX_NOINPUT, "%s is not a whole trace: %s", path,
		     error.text);
	*trace = (struct trace){ .root = root };
	names_resolve(&trace->task, name, (uint32_t)n, (uint32_t)k, (uint32_t)r,
		      path);
	names_add_property(&trace->task, property, path);
	trace->finding.property = property;
	s->infinite = infinite;
	s->stem = (uint32_t)stem;
	s->from = (uint32_t)from;
	s->victim = (uint32_t)overtaken;
	s->culprit = (uint32_t)overtaker;
	if (!read_steps(steps, &trace->task, s))
		fail(EX_NOINPUT, "%s has a step that %s cannot take", path,
		     name);
	if (!same_regions(trace, regions))
		fail(EX_NOINPUT,
		     "%s was made by another %s: the regions differ", path,
		     name);
}

void trace_free(struct trace *trace)
{
	property_free(&trace->finding);
	json_decref(trace->root);
}
