/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "algo/algo.h"
#include "algo/registry.h"

#define ADDRESS(name) &wicket_##name,
const struct wicket_algo *const wicket_algos[] = { WICKET_ALGOS(ADDRESS) NULL };
#undef ADDRESS

static int is(const char *name, const char *part, size_t length)
{
	return strlen(name) == length && !memcmp(name, part, length);
}

static const struct wicket_algo *algo(const char *part, size_t length)
{
	size_t i = 0;

	while (wicket_algos[i] && !is(wicket_algos[i]->name, part, length))
		i++;
	return wicket_algos[i];
}

/* 1 + position of the variant, 0 if there is none of that name. */
static uint32_t variant(const struct wicket_algo *a, const char *part,
			size_t length)
{
	for (uint32_t i = 0; a->variants && a->variants[i].name; i++) {
		if (is(a->variants[i].name, part, length))
			return i + 1;
	}
	return 0;
}

static uint32_t mutant(const struct wicket_algo *a, uint32_t of,
		       const char *part, size_t length)
{
	for (uint32_t i = 0; a->mutants && a->mutants[i].name; i++) {
		if (is(a->mutants[i].name, part, length) &&
		    (a->mutants[i].variant == of ||
		     a->mutants[i].variant == WICKET_ANY_VARIANT))
			return i + 1;
	}
	return 0;
}

/* What it is built from if its name does not say. */
static const struct wicket_algo *inner_of(const struct wicket_algo *a,
					  const struct wicket_cfg *cfg)
{
	if (a->composite == WICKET_OF_ANY)
		return &wicket_queue;
	if (a->composite == WICKET_OF_SUPERVISED)
		return &wicket_supervised;
	if (a->composite == WICKET_OF_ITS_OWN) /* Taubenfeld, Theorem 3.4 */
		return cfg->r > 1 ? &wicket_two_bits : &wicket_one_bit;
	return NULL;
}

/* These read the part that u is set to, which they cut if it has parts; false:
   it means nothing. */
static int read_inner(struct wicket_cfg *cfg, struct wicket_unknown *u)
{
	size_t whole = u->length;

	u->length = strcspn(u->part, ":@");
	cfg->inner = algo(u->part, u->length);
	if (!cfg->inner || cfg->inner->composite)
		return 0;
	if (u->length == whole)
		return 1;
	u->part += u->length + 1;
	u->length = whole - u->length - 1;
	u->known = cfg->inner;
	cfg->inner_variant = variant(cfg->inner, u->part, u->length);
	return !!cfg->inner_variant;
}

static int read_variant(const struct wicket_algo *a, struct wicket_cfg *cfg,
			struct wicket_unknown *u)
{
	u->known = a;
	cfg->variant = variant(a, u->part, u->length);
	/* one whose name does not say what it is built from: of the same name */
	if (a->composite == WICKET_OF_ITS_OWN)
		cfg->inner_variant = variant(cfg->inner, u->part, u->length);
	return !!cfg->variant;
}

static int read_mutant(const struct wicket_algo *a, struct wicket_cfg *cfg,
		       struct wicket_unknown *u)
{
	u->known = a;
	cfg->mutant = mutant(a, cfg->variant, u->part, u->length);
	return !!cfg->mutant;
}

const struct wicket_algo *wicket_find(const char *name, struct wicket_cfg *cfg,
				      struct wicket_unknown *unknown)
{
	size_t length = strcspn(name, ":@");
	const char *at = strchrnul(name, '@');
	const struct wicket_algo *a = algo(name, length);
	struct wicket_unknown ignored, *u = unknown ? unknown : &ignored;
	struct wicket_cfg found = *cfg;

	*u = (struct wicket_unknown){ name, length, NULL };
	if (!a)
		return NULL;
	found.variant = found.mutant = found.inner_variant = 0;
	found.inner = inner_of(a, &found);
	if (name[length] == ':') {
		u->part = name + length + 1;
		u->length = (size_t)(at - u->part);
		if (a->composite == WICKET_OF_ANY ||
				    a->composite == WICKET_OF_SUPERVISED ?
			    !read_inner(&found, u) :
			    !read_variant(a, &found, u))
			return NULL;
	}
	if (*at) {
		u->part = at + 1;
		u->length = strlen(u->part);
		if (!read_mutant(a, &found, u))
			return NULL;
	}
	*cfg = found;
	return a;
}

const char *wicket_missing(const struct wicket_algo *algo)
{
	const struct {
		const char *name;
		int there;
	} needed[] = {
		{ "name", !!algo->name },
		{ "title", !!algo->title },
		{ "source", !!algo->source },
		{ "registers", !!algo->registers },
		{ "reg", !!algo->reg },
		{ "start", !!algo->start },
		{ "region", !!algo->region },
		{ "access", !!algo->access },
		{ "step", !!algo->step },
		{ "show_step", !!algo->show_step },
		{ "show", !!algo->show },
		{ "passed", !algo->points || algo->passed },
		{ "holds", !algo->invariants || algo->holds },
		{ "raise", !algo->beyond || algo->raise },
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		if (!needed[i].there)
			return needed[i].name;
	}
	return NULL;
}
