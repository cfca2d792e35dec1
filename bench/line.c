/* SPDX-License-Identifier: MIT */
/*
 * bench/line: the line and the bare word beside what else there is.  Only
 * ratios count: in every round each contestant has its turn, and the ratio is
 * taken between turns of the same round.
 */
#include "line-trial.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sysexits.h>
#include <unistd.h>

static const char usage[] =
	"usage: bench/line [--seconds S] [--only SUBSTRING] [--busy N] [--json]\n"
	"\n"
	"  --seconds S       about how long it may take (default 120)\n"
	"  --only SUBSTRING  only the cells in whose row it occurs\n"
	"  --busy N          beside N processes (1 to 64) that only compute\n"
	"  --json            one object on standard output\n"
	"\n"
	"bench-count takes the same, and prints how often an entry takes each step\n"
	"of the protocol instead of ratios.\n"
	"  -h                this help\n"
	"\n"
	"Exit: 0, whatever the ratios are; 1 something could not be run; 64 usage.\n";

static const char *const definitions[] = {
	"Ratio: ours to theirs in the same round, in which each has its turn, in",
	"  rotating order; median [quartiles] over the rounds; met: by the median.",
	"Processes are forked, join, enter and leave once, then start together and",
	"  run for a fixed time; between sections they do nothing.",
	"Section: busy-work, as many iterations as take 1 us (...) undisturbed.",
	"Pinned: each process on a processor of its own.",
	"Sleeps: voluntary context switches a section.",
	"Uncontended: n = k = 1, empty section, CPU per operation.",
	"CPU: user and system, of all n processes, start to end, by sections.",
	"Throughput: sections of all n by the time from first start to last end.",
	"Wait: call of acquire to its return, of each operation of all n, in turns",
	"  of their own; histogram of 1 %.",
	"While asleep: 64 acquire the slot their parent holds, sleep for 2 s, get it",
	"  and release; all their CPU from before acquire to after release.",
	"Killed: from before kill(2) of the holder, the one sleeper having slept for",
	"  20 to 69 ms, to its being inside; 50 times; must: the worst.  Fourth: the",
	"  same, but sleeper and killed one were fourth and third in line before.",
	"Line: 256 seats, a file in $TMPDIR, /dev/shm or /tmp; bare word: 256",
	"  tickets; System V: SEM_UNDO; sem_t, robust mutex: process-shared.",
};

enum { DEFINITIONS = sizeof(definitions) / sizeof(*definitions) };

/* --- what is measured ------------------------------------------------------------ */

enum {
	ALONE,
	THREAD,
	FREE_EMPTY,
	FREE,
	PAIR,
	APART,
	CROWD,
	CROWD_3,
	MIDDLING,
	LONG,
	LONG_3,
	THRONG,
	THRONG_8,
	THRONG_LONG,
	WAITS,
	ASLEEP_64,
	KILL,
	KILL_4,
	TRIALS,
};

enum {
	SECONDS = 120,
	ROUNDS_LEAST = 3,
	ROUNDS_MOST = 1000,
	NONE = PEERS,
	BOTH = BIT(THROUGHPUT) | BIT(CPU) | BIT(SWITCHES),
};

/* n, k, section in ns, duration in ms, what is shown, rounds */
static const struct trial trials[TRIALS] = {
	[ALONE] = { "uncontended", RUNS, 1, 1, 0, 20, BIT(CPU), 25, ANYWHERE },
	[THREAD] = { "uncontended, in a thread", RUNS, 1, 1, 0, 20, BIT(CPU),
		     25, IN_THREAD },
	[FREE_EMPTY] = { "n = 2, k = 2, empty", RUNS, 2, 2, 0, 100, BOTH, 9,
			 ANYWHERE },
	[FREE] = { "n = 2, k = 2, 1 us", RUNS, 2, 2, 1000, 100, BOTH, 9,
		   ANYWHERE },
	[PAIR] = { "n = 2, k = 1, 1 us", RUNS, 2, 1, 1000, 100, BOTH, 9,
		   ANYWHERE },
	[APART] = { "n = 2, k = 1, 1 us, pinned", RUNS, 2, 1, 1000, 100, BOTH,
		    9, PINNED },
	[CROWD] = { "n = 8, k = 1, 1 us", RUNS, 8, 1, 1000, 100, BOTH, 9,
		    ANYWHERE },
	[CROWD_3] = { "n = 8, k = 3, 1 us", RUNS, 8, 3, 1000, 100, BOTH, 9,
		      ANYWHERE },
	[MIDDLING] = { "n = 8, k = 1, 10 us", RUNS, 8, 1, 10000, 100, BOTH, 9,
		       ANYWHERE },
	[LONG] = { "n = 8, k = 1, 100 us", RUNS, 8, 1, 100000, 100, BOTH, 9,
		   ANYWHERE },
	[LONG_3] = { "n = 8, k = 3, 100 us", RUNS, 8, 3, 100000, 100, BOTH, 9,
		     ANYWHERE },
	[THRONG] = { "n = 64, k = 1, 1 us", RUNS, 64, 1, 1000, 200, BOTH, 9,
		     ANYWHERE },
	[THRONG_8] = { "n = 64, k = 8, 1 us", RUNS, 64, 8, 1000, 200, BOTH, 9,
		       ANYWHERE },
	[THRONG_LONG] = { "n = 64, k = 8, 100 us", RUNS, 64, 8, 100000, 200,
			  BOTH, 9, ANYWHERE },
	[WAITS] = { "n = 8, k = 1, 1 us", RUNS, 8, 1, 1000, 200,
		    BIT(WAIT) | BIT(LONGEST), 7, ANYWHERE },
	[ASLEEP_64] = { "64 waiters, 2 s", SLEEPS, 64, 1, 0, 2000,
			BIT(CPU) | BIT(ASLEEP) | BIT(SWITCHES), 3, ANYWHERE },
	[KILL] = { "holder killed", KILLED, 2, 1, 0, 20, BIT(RESCUE), 50,
		   ANYWHERE },
	[KILL_4] = { "the fourth killed", KILLED, 5, 1, 0, 20, BIT(RESCUE), 9,
		     ANYWHERE },
};

struct cell {
	const char *words;
	uint32_t subject, against; /* NONE: no ratio, but milliseconds */
	uint32_t trial, metric;
	const char *must, *aim;
	bool bitmap_too; /* the same is asked of that layout */
};

static const struct cell listed[] = {
	{ "uncontended acquire+release", LINE, SEM_T, ALONE, CPU, "<= 1.6",
	  "<= 1.45", true },
	{ "uncontended acquire+release", LINE, MUTEX, ALONE, CPU, "<= 0.8",
	  "<= 0.7", false },
	{ "uncontended acquire+release", LINE, SYSTEM_V, ALONE, CPU, "<= 1/9",
	  "<= 1/13", false },
	{ "the same in a thread", LINE, SEM_T, THREAD, CPU, "<= 1.6", "<= 1.45",
	  true },
	{ "bare word, uncontended", WORD, SEM_T, ALONE, CPU, "<= 1.3", "<= 1.1",
	  false },
	{ "n = 2, k = 2, empty section, throughput", LINE, SYSTEM_V, FREE_EMPTY,
	  THROUGHPUT, ">= 2", ">= 4", false },
	{ "n = 2, k = 2, 1 us, CPU per operation", LINE, SEM_T, FREE, CPU,
	  "<= 1.15", "<= 1.08", true },
	{ "n = 2, k = 1, 1 us, throughput", LINE, SYSTEM_V, PAIR, THROUGHPUT,
	  ">= 14", ">= 19", true },
	{ "n = 2, k = 1, 1 us, pinned, throughput", LINE, SYSTEM_V, APART,
	  THROUGHPUT, ">= 14", ">= 19", true },
	{ "n = 8, k = 1, 1 us, throughput", LINE, SYSTEM_V, CROWD, THROUGHPUT,
	  ">= 1", ">= 1.2", true },
	{ "n = 8, k = 1, 1 us, CPU", LINE, SYSTEM_V, CROWD, CPU, "<= 1",
	  "<= 0.8", true },
	{ "n = 8, k = 3, 1 us, throughput", LINE, SYSTEM_V, CROWD_3, THROUGHPUT,
	  ">= 3", ">= 3.4", false },
	{ "n = 8, k = 3, 1 us, CPU", LINE, SYSTEM_V, CROWD_3, CPU, "<= 0.4",
	  "<= 0.36", false },
	{ "n = 8, k = 1, 10 us, throughput", LINE, SYSTEM_V, MIDDLING,
	  THROUGHPUT, ">= 1", ">= 1.1", false },
	{ "n = 8, k = 1, 100 us, throughput", LINE, SEM_T, LONG, THROUGHPUT,
	  ">= 0.9", ">= 0.95", false },
	{ "n = 8, k = 1, 100 us, throughput", LINE, SYSTEM_V, LONG, THROUGHPUT,
	  ">= 1", ">= 1.05", false },
	{ "n = 8, k = 3, 100 us, throughput", LINE, SEM_T, LONG_3, THROUGHPUT,
	  ">= 0.8", ">= 0.9", false },
	{ "n = 64, k = 1, 1 us, throughput", LINE, SYSTEM_V, THRONG, THROUGHPUT,
	  ">= 1", ">= 1.2", true },
	{ "n = 64, k = 1, 1 us, CPU", LINE, SYSTEM_V, THRONG, CPU, "<= 1",
	  "<= 0.8", true },
	{ "n = 64, k = 8, 1 us, throughput", LINE, SYSTEM_V, THRONG_8,
	  THROUGHPUT, ">= 1", ">= 1.5", true },
	{ "n = 64, k = 8, 1 us, CPU", LINE, SYSTEM_V, THRONG_8, CPU, "<= 1",
	  "<= 0.7", true },
	{ "n = 64, k = 8, 100 us, throughput", LINE, SYSTEM_V, THRONG_LONG,
	  THROUGHPUT, ">= 1", ">= 1", false },
	{ "n = 64, k = 8, 100 us, CPU", LINE, SYSTEM_V, THRONG_LONG, CPU,
	  "<= 1", "<= 1", false },
	{ "p99.9 wait, n = 8, k = 1, 1 us", LINE, SEM_T, WAITS, WAIT, "<= 0.5",
	  "<= 0.2", false },
	{ "CPU while asleep, 64 waiters", LINE, SEM_T, ASLEEP_64, CPU, "<= 1.2",
	  "<= 1.05", false },
	{ "holder killed -> sleeper inside, ms", LINE, NONE, KILL, RESCUE,
	  "< 60", "< 1", false },
	{ "the fourth holder killed -> fifth inside, ms", LINE, NONE, KILL_4,
	  RESCUE, "< 60", "< 1", false },
};

enum { LISTED = sizeof(listed) / sizeof(*listed) };

/* Those that are wanted, the bitmap's after the others. */
static struct cell cells[2 * LISTED];
static uint32_t cell_count;

static const struct {
	const char *words, *unit;
	double scale;
} metrics[METRICS] = {
	[THROUGHPUT] = { "throughput", "1/ms", 1e-3 },
	[CPU] = { "CPU", "ns", 1 },
	[WAIT] = { "p99.9 wait", "us", 1e-3 },
	[LONGEST] = { "longest wait", "us", 1e-3 },
	[ASLEEP] = { "asleep only", "ns", 1 },
	[RESCUE] = { "rescue", "ms", 1e-6 },
	[SWITCHES] = { "sleeps", "each", 1 },
};

static double value[TRIALS][PEERS][METRICS][ROUNDS_MOST];
static struct count counts[TRIALS][COUNTS]; /* of the line, in all rounds */
static uint32_t rounds[TRIALS];		    /* 0: not wanted */

/* --- measuring ------------------------------------------------------------------- */

static const char *against_of(const struct cell *c)
{
	return c->against == NONE ? "-" : peers[c->against].name;
}

struct row {
	char words[128];
};

static struct row row_of(const struct cell *c)
{
	struct row row;

	snprintf(row.words, sizeof(row.words), "%s%s",
		 c->subject == BITMAP ? "bitmap, " : "", c->words);
	return row;
}

static void want(struct cell c, uint32_t subject, const char *only)
{
	char row[256];

	c.subject = subject;
	snprintf(row, sizeof(row), "%s / %s", row_of(&c).words, against_of(&c));
	if (!only || strstr(row, only))
		cells[cell_count++] = c;
}

/* What a round takes, in seconds. */
static double price(const struct trial *t)
{
	double starts = 0.001 * t->n;
	double varied = t->kind == KILLED ? 0.03 : 0;
	double sum = 0;

	for (uint32_t p = 0; p < PEERS; p++) {
		if (takes_part(t, p))
			sum += t->millis / 1e3 + starts + varied;
	}
	return sum;
}

/* The time is divided as by default, among those that are wanted. */
static bool plan(const char *only, double seconds)
{
	double all = 0;

	for (uint32_t i = 0; i < LISTED; i++)
		want(listed[i], listed[i].subject, only);
	for (uint32_t i = 0; i < LISTED; i++) {
		if (listed[i].bitmap_too)
			want(listed[i], BITMAP, only);
	}
	for (uint32_t i = 0; i < cell_count; i++)
		rounds[cells[i].trial] = trials[cells[i].trial].rounds;
	for (uint32_t i = 0; i < TRIALS; i++)
		all += rounds[i] * price(&trials[i]);
	for (uint32_t i = 0; i < TRIALS; i++) {
		double r = rounds[i] * seconds / all;

		if (rounds[i] && trials[i].kind != KILLED)
			rounds[i] = r < ROUNDS_LEAST ? ROUNDS_LEAST :
				    r > ROUNDS_MOST  ? ROUNDS_MOST :
						       (uint32_t)(r + 0.5);
	}
	return all > 0;
}

static void progress(const struct trial *t, uint32_t round, uint32_t of)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K%s: round %u of %u", t->words,
			round + 1, of);
}

static void measure(uint32_t i)
{
	const struct trial *t = &trials[i];

	peers_create(t->k);
	for (uint32_t round = 0; round < rounds[i]; round++) {
		progress(t, round, rounds[i]);
		for (uint32_t turn = 0; turn < PEERS; turn++) {
			uint32_t p = (turn + round) % PEERS;
			double seen[METRICS] = { 0 };
			struct count steps[COUNTS] = { { 0, 0 } };

			if (!takes_part(t, p) || (COUNTED && p != LINE))
				continue;
			trial_run(t, &peers[p], round, seen, steps);
			count_add(counts[i], steps);
			for (uint32_t m = 0; m < METRICS; m++)
				value[i][p][m][round] = seen[m];
		}
	}
	peers_destroy();
}

/* Seconds that all the CPUs have been busy, and with us. */
struct busy {
	double all, ours, clock;
};

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double busy_with(int who)
{
	struct rusage use;

	getrusage(who, &use);
	return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

static struct busy busy(void)
{
	struct busy b = { .clock = (double)now() / 1e9 };
	double ticks[8] = { 0 }; /* the fourth is idle, the fifth waits */
	FILE *file = fopen("/proc/stat", "re");

	if (!file)
		fail("/proc/stat", errno);
	for (int i = 0; i < 8; i++) {
		if (fscanf(file, i ? " %lf" : "cpu %lf", &ticks[i]) == 1 &&
		    i != 3 && i != 4)
			b.all += ticks[i] / (double)sysconf(_SC_CLK_TCK);
	}
	fclose(file);
	b.ours = busy_with(RUSAGE_SELF) + busy_with(RUSAGE_CHILDREN);
	return b;
}

/* How much of the machine others had, in percent. */
static double disturbance(struct busy before, struct busy after)
{
	double others = after.all - before.all - (after.ours - before.ours);
	double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);

	return others < 0 ? 0 :
			    100 * others / cpus / (after.clock - before.clock);
}

/* --- what comes of it ------------------------------------------------------------ */

struct spread {
	double q1, median, q3, max;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(const double *sorted, uint32_t n, double q)
{
	double at = q * (n - 1);
	uint32_t i = (uint32_t)at, j = i + 1 < n ? i + 1 : i;

	return sorted[i] + (at - i) * (sorted[j] - sorted[i]);
}

static struct spread spread(double *x, uint32_t n)
{
	qsort(x, n, sizeof(*x), compare);
	return (struct spread){ quantile(x, n, 0.25), quantile(x, n, 0.5),
				quantile(x, n, 0.75), x[n - 1] };
}

static struct spread judge(const struct cell *c)
{
	double ratio[ROUNDS_MOST];
	uint32_t n = rounds[c->trial];

	for (uint32_t i = 0; i < n; i++) {
		ratio[i] = value[c->trial][c->subject][c->metric][i];
		if (c->against == NONE)
			ratio[i] *= metrics[c->metric].scale;
		else
			ratio[i] /= value[c->trial][c->against][c->metric][i];
	}
	return spread(ratio, n);
}

static double absolute(uint32_t trial, uint32_t peer, uint32_t metric)
{
	double x[ROUNDS_MOST];
	uint32_t n = rounds[trial];

	memcpy(x, value[trial][peer][metric], n * sizeof(*x));
	return spread(x, n).median * metrics[metric].scale;
}

static double bound_of(const char *text)
{
	double x = 0, by = 1;

	sscanf(text + strcspn(text, "0123456789"), "%lf/%lf", &x, &by);
	return x / by;
}

static bool meets(double x, const char *bound)
{
	return *bound == '>' ? x >= bound_of(bound) : x <= bound_of(bound);
}

static bool meets_must(const struct cell *c, struct spread s)
{
	return meets(c->against == NONE ? s.max : s.median, c->must);
}

static bool meets_aim(const struct cell *c, struct spread s)
{
	return meets(s.median, c->aim);
}

/* --- report ---------------------------------------------------------------------- */

static void print_cells(void)
{
	printf("%-47s %-14s %-24s %-8s %-8s %s\n", "cell", "against",
	       "median [quartiles]", "must", "aim", "met");
	for (uint32_t i = 0; i < cell_count; i++) {
		const struct cell *c = &cells[i];
		struct spread s;
		char text[64], worst[32] = "";

		s = judge(c);
		if (c->against == NONE)
			snprintf(worst, sizeof(worst), " (worst %.3g)", s.max);
		snprintf(text, sizeof(text), "%.3g [%.3g, %.3g]", s.median,
			 s.q1, s.q3);
		printf("%-47s %-14s %-24s %-8s %-8s %s%s\n", row_of(c).words,
		       against_of(c), text, c->must, c->aim,
		       !meets_must(c, s) ? "NEITHER" :
		       meets_aim(c, s)	 ? "aim" :
					   "must",
		       worst);
	}
}

static void print_asides(void)
{
	printf("\naside, not a result: medians here and now\n%-39s", "");
	for (uint32_t p = 0; p < PEERS; p++)
		printf(" %14s", peers[p].name);
	for (uint32_t i = 0; i < TRIALS; i++) {
		for (uint32_t m = 0; m < METRICS; m++) {
			char words[64];

			if (!rounds[i] || !(trials[i].shows & BIT(m)))
				continue;
			snprintf(words, sizeof(words), "%s, %s, %s",
				 trials[i].words, metrics[m].words,
				 metrics[m].unit);
			printf("\n%-39s", words);
			for (uint32_t p = 0; p < PEERS; p++) {
				if (takes_part(&trials[i], p))
					printf(" %14.4g", absolute(i, p, m));
				else
					printf(" %14s", "-");
			}
		}
	}
	printf("\n");
}

/* What is worth a line: at least one in a thousand. */
static void print_counts(void)
{
	for (uint32_t i = 0; i < TRIALS; i++) {
		if (!rounds[i] || trials[i].kind != RUNS)
			continue;
		printf("%s: an entry takes these steps (of them in vain)\n",
		       trials[i].words);
		count_divide(counts[i], rounds[i]);
		for (uint32_t j = 0; j < COUNTS; j++) {
			struct count c = counts[i][j];

			if (c.steps < 0.001)
				continue;
			printf("  %-16s %8.3f", count_name(j), c.steps);
			if (c.failed > 0)
				printf(" (%.3f)", c.failed);
			printf("\n");
		}
	}
}

static void print_table(double others, uint32_t loops)
{
	struct utsname host;

	uname(&host);
	for (uint32_t i = 0; i < DEFINITIONS; i++)
		printf("%s\n", definitions[i]);
	printf("%ld CPUs, %s %s; others took %.0f %% of them meanwhile; "
	       "%u busy loops\n\n",
	       sysconf(_SC_NPROCESSORS_ONLN), host.sysname, host.release,
	       others, loops);
	if (COUNTED) {
		print_counts();
		return;
	}
	print_cells();
	print_asides();
}

static void print_json(double others, uint32_t loops)
{
	const char *comma = "";

	printf("{\"cpus\": %ld, \"others_percent\": %.1f, \"busy\": %u, "
	       "\"definitions\": [",
	       sysconf(_SC_NPROCESSORS_ONLN), others, loops);
	for (uint32_t i = 0; i < DEFINITIONS; i++)
		printf("%s\n  \"%s\"", i ? "," : "", definitions[i]);
	printf("],\n \"cells\": [");
	for (uint32_t i = 0; i < cell_count; i++) {
		const struct cell *c = &cells[i];
		struct spread s;

		s = judge(c);
		printf("%s\n  {\"cell\": \"%s\", \"subject\": \"%s\", "
		       "\"against\": \"%s\", \"rounds\": %u, "
		       "\"median\": %.6g, \"q1\": %.6g, \"q3\": %.6g, "
		       "\"max\": %.6g, \"must\": \"%s\", \"aim\": \"%s\", "
		       "\"meets_must\": %s, \"meets_aim\": %s}",
		       comma, row_of(c).words, peers[c->subject].name,
		       against_of(c), rounds[c->trial], s.median, s.q1, s.q3,
		       s.max, c->must, c->aim,
		       meets_must(c, s) ? "true" : "false",
		       meets_aim(c, s) ? "true" : "false");
		comma = ",";
	}
	printf("],\n \"asides\": [");
	comma = "";
	for (uint32_t i = 0; i < TRIALS; i++) {
		for (uint32_t p = 0; p < PEERS; p++) {
			if (!rounds[i] || !takes_part(&trials[i], p))
				continue;
			printf("%s\n  {\"trial\": \"%s\", \"peer\": \"%s\"",
			       comma, trials[i].words, peers[p].name);
			for (uint32_t m = 0; m < METRICS; m++) {
				if (trials[i].shows & BIT(m))
					printf(", \"%s, %s\": %.6g",
					       metrics[m].words,
					       metrics[m].unit,
					       absolute(i, p, m));
			}
			printf("}");
			comma = ",";
		}
	}
	printf("]}\n");
}

/* --- command line ---------------------------------------------------------------- */

static void on_signal(int signal)
{
	peers_destroy();
	_exit(128 + signal);
}

/* Whatever ends us leaves nothing behind; a hang is ended, too. */
static void guard(double seconds)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	struct sigaction action = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, 0);
	alarm((unsigned int)(3 * seconds + 60));
}

static __attribute__((noreturn)) void refuse(void)
{
	fputs(usage, stderr);
	exit(EX_USAGE);
}

/* More than 0. */
static double parse_number(const char *text, double most)
{
	char *end;
	double x = strtod(text, &end);

	if (end == text || *end || !(x > 0) || x > most)
		refuse();
	return x;
}

int main(int argc, char **argv)
{
	enum { ONLY = 256, BUSY, JSON, TIME };
	static const struct option longs[] = {
		{ "only", required_argument, 0, ONLY },
		{ "busy", required_argument, 0, BUSY },
		{ "json", no_argument, 0, JSON },
		{ "seconds", required_argument, 0, TIME },
		{ "help", no_argument, 0, 'h' },
		{ 0, 0, 0, 0 },
	};
	const char *only = 0;
	bool json = false;
	double seconds = SECONDS, loops = 0, others;
	struct busy before;
	int option;

	while ((option = getopt_long(argc, argv, "h", longs, 0)) != -1) {
		switch (option) {
		case ONLY:
			only = optarg;
			break;
		case BUSY:
			loops = parse_number(optarg, TRIAL_BUSY_MOST);
			if (loops != (uint32_t)loops)
				refuse();
			break;
		case JSON:
			json = true;
			break;
		case TIME:
			seconds = parse_number(optarg, 1e6);
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			refuse();
		}
	}
	if (optind != argc)
		refuse();
	if (!plan(only, seconds)) {
		fprintf(stderr, "bench/line: --only %s: no such cell\n", only);
		return EX_USAGE;
	}
	guard(seconds);
	trial_prepare();
	before = busy();
	trial_disturb((uint32_t)loops);
	for (uint32_t i = 0; i < TRIALS; i++) {
		if (rounds[i])
			measure(i);
	}
	trial_calm();
	others = disturbance(before, busy());
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (json)
		print_json(others, (uint32_t)loops);
	else
		print_table(others, (uint32_t)loops);
	return 0;
}
