/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "verify/space/plot.h"

/* The paper, and the area of the lines in it: labels stand to the right. */
enum {
	WIDTH = 960, /* or more, if the labels are long */
	HEIGHT = 560,
	LEFT = 70,
	RIGHT = 600,
	LABELS = RIGHT + 28,
	TOP = 50,
	BOTTOM = 510,
	TEXT = 13,    /* height of a line of text */
	LETTER = 7,   /* width of one of its letters */
	DECADES = 19, /* powers of ten below 2^64 */
};

static const char *const hues[] = { "#000000", "#0060b0", "#c03010", "#207820",
				    "#8030a0", "#b07000", "#007878" };
static const char *const dashes[] = { "none", "7 4", "2 3" };

struct plot_line *plot_line(struct plot *p, const char *name, const char *what,
			    enum plot_stroke stroke)
{
	uint32_t hue = *name ? p->hues + 1 : 0;
	struct plot_line *l = p->line;

	for (; l < p->line + p->lines; l++) {
		if (strcmp(l->name, name) != 0)
			continue;
		if (!strcmp(l->what, what))
			return l;
		hue = l->hue;
	}
	if (p->lines == PLOT_LINES)
		return NULL;
	*l = (struct plot_line){ .what = what, .hue = hue, .stroke = stroke };
	snprintf(l->name, sizeof(l->name), "%s", name);
	p->lines++;
	if (hue > p->hues)
		p->hues = hue;
	return l;
}

static bool is_same(const struct plot_line *a, const struct plot_line *b)
{
	return !strcmp(a->what, b->what) && !memcmp(a->y, b->y, sizeof(a->y));
}

static void remove_line(struct plot *p, uint32_t i)
{
	p->lines--;
	memmove(&p->line[i], &p->line[i + 1],
		(p->lines - i) * sizeof(p->line[i]));
}

void plot_relate(struct plot *p)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < p->lines; i++) {
		struct plot_line *l = &p->line[i];
		uint32_t known = 0;
		double first = 1;

		for (uint32_t n = p->first; n <= p->last; n++) {
			if (l->y[n] > 0 && !known++)
				first = l->y[n];
			l->y[n] /= first;
		}
		if (known > 1)
			p->line[kept++] = *l;
	}
	p->lines = kept;
}

void plot_join(struct plot *p)
{
	for (uint32_t i = 0; i < p->lines; i++) {
		for (uint32_t j = i + 1; j < p->lines;) {
			char *names = p->line[i].name;
			size_t used = strlen(names);
			struct plot_line other = p->line[j];

			if (!is_same(&p->line[i], &other)) {
				j++;
				continue;
			}
			snprintf(names + used, PLOT_LABEL - used, ", %s",
				 other.name);
			remove_line(p, j);
		}
	}
}

struct frame {
	const struct plot *p;
	uint32_t decades; /* the scale goes from 1 to 10 to this */
};

static double x_of(const struct frame *f, uint32_t n)
{
	uint32_t steps = f->p->last - f->p->first;

	return steps ? LEFT + (double)(RIGHT - LEFT) * (n - f->p->first) /
				       steps :
		       (LEFT + RIGHT) / 2.0;
}

static double y_of(const struct frame *f, double value)
{
	return BOTTOM - (BOTTOM - TOP) * log10(value) / (double)f->decades;
}

static uint32_t decades_of(const struct plot *p)
{
	double most = 1, power = 1;
	uint32_t decades = 0;

	for (uint32_t i = 0; i < p->lines; i++) {
		for (uint32_t n = p->first; n <= p->last; n++) {
			if (p->line[i].y[n] > most)
				most = p->line[i].y[n];
		}
	}
	for (; power < most && decades < DECADES; decades++)
		power *= 10;
	return decades ? decades : 1;
}

static void put_text(FILE *out, double x, double y, const char *anchor,
		     const char *colour, const char *text)
{
	fprintf(out,
		"<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" "
		"fill=\"%s\">%s</text>\n",
		x, y, anchor, colour, text);
}

enum { SIZE_TEXT = 64 };

/* Powers of two stand close to each other. */
static void put_size(char text[SIZE_TEXT], const struct plot *p, uint32_t n)
{
	if (p->doubling)
		snprintf(text, SIZE_TEXT,
			 "%s2<tspan dy=\"-5\" font-size=\"9\">%" PRIu32
			 "</tspan>",
			 n == p->first ? "n = " : "", n);
	else
		snprintf(text, SIZE_TEXT, "n = %" PRIu32, n);
}

static void put_axes(FILE *out, const struct frame *f)
{
	double power = 1;
	char text[SIZE_TEXT];

	for (uint32_t d = 0; d <= f->decades; d++, power *= 10) {
		double y = y_of(f, power);

		fprintf(out, "<path d=\"M%d %.1fH%d\" stroke=\"#d0d0d0\"/>\n",
			LEFT, y, RIGHT);
		snprintf(text, sizeof(text), power < 10000000 ? "%.0f" : "%.0e",
			 power);
		put_text(out, LEFT - 8, y + TEXT / 3.0, "end", "#000000", text);
	}
	for (uint32_t n = f->p->first; n <= f->p->last; n++) {
		put_size(text, f->p, n);
		put_text(out, x_of(f, n), BOTTOM + 1.5 * TEXT, "middle",
			 "#000000", text);
	}
	put_text(out, LEFT, TOP - 1.5 * TEXT, "start", "#000000", f->p->title);
}

static const char *hue_of(const struct plot_line *l)
{
	return hues[l->hue % (sizeof(hues) / sizeof(*hues))];
}

static void put_line(FILE *out, const struct frame *f,
		     const struct plot_line *l)
{
	bool drawn = false;

	fprintf(out,
		"<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" "
		"stroke-dasharray=\"%s\" d=\"",
		hue_of(l), dashes[l->stroke]);
	for (uint32_t n = f->p->first; n <= f->p->last; n++) {
		if (l->y[n] > 0)
			fprintf(out, "%c%.1f %.1f", drawn ? 'L' : 'M',
				x_of(f, n), y_of(f, l->y[n]));
		drawn = l->y[n] > 0;
	}
	fputs("\"/>\n", out);
	for (uint32_t n = f->p->first; n <= f->p->last; n++) {
		if (l->y[n] > 0)
			fprintf(out,
				"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" "
				"fill=\"%s\"/>\n",
				x_of(f, n), y_of(f, l->y[n]), hue_of(l));
	}
}

enum { LABEL_TEXT = 2 * PLOT_LABEL };

static size_t put_label(char text[LABEL_TEXT], const struct plot_line *l)
{
	return (size_t)snprintf(text, LABEL_TEXT, "%s%s%s", l->name,
				*l->name && *l->what ? ": " : "", l->what);
}

static size_t width_of(const struct plot *p)
{
	size_t width = WIDTH;

	for (uint32_t i = 0; i < p->lines; i++) {
		char text[LABEL_TEXT];
		size_t end = LABELS + LETTER * put_label(text, &p->line[i]);

		if (end > width)
			width = end;
	}
	return width;
}

/* A label, beside the last point of its line. */
struct label {
	const struct plot_line *line;
	uint32_t n;
	double point, y;
};

/* Highest first; then apart, without leaving the paper. */
static void arrange(struct label *label, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct label moved = label[i];
		uint32_t j = i;

		for (; j && label[j - 1].y > moved.y; j--)
			label[j] = label[j - 1];
		label[j] = moved;
	}
	for (uint32_t i = 1; i < count; i++)
		label[i].y = fmax(label[i].y, label[i - 1].y + TEXT + 2);
	for (uint32_t i = count; i--;) {
		double below = i + 1 < count ? label[i + 1].y - TEXT - 2 :
					       HEIGHT - TEXT;

		label[i].y = fmin(label[i].y, below);
	}
}

static void put_labels(FILE *out, const struct frame *f)
{
	struct label label[PLOT_LINES];
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->p->lines; i++) {
		const struct plot_line *l = &f->p->line[i];
		uint32_t n = f->p->last;

		while (n >= f->p->first && l->y[n] <= 0)
			n--;
		if (n < f->p->first)
			continue;
		label[count] = (struct label){ .line = l, .n = n };
		label[count].point = y_of(f, l->y[n]);
		label[count].y = label[count].point;
		count++;
	}
	arrange(label, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct plot_line *l = label[i].line;
		char text[LABEL_TEXT];

		put_label(text, l);
		fprintf(out,
			"<path d=\"M%.1f %.1fL%d %.1f\" stroke=\"%s\" "
			"stroke-width=\"0.5\"/>\n",
			x_of(f, label[i].n) + 4, label[i].point, LABELS - 4,
			label[i].y, hue_of(l));
		put_text(out, LABELS, label[i].y + TEXT / 3.0, "start",
			 hue_of(l), text);
	}
}

bool plot_put(FILE *out, const struct plot *p)
{
	struct frame f = { p, decades_of(p) };
	size_t width = width_of(p);

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" "
		"height=\"%d\" viewBox=\"0 0 %zu %d\" "
		"font-family=\"sans-serif\" font-size=\"%d\">\n"
		"<rect width=\"%zu\" height=\"%d\" fill=\"#ffffff\"/>\n",
		width, HEIGHT, width, HEIGHT, TEXT, width, HEIGHT);
	put_axes(out, &f);
	for (uint32_t i = 0; i < p->lines; i++)
		put_line(out, &f, &p->line[i]);
	put_labels(out, &f);
	fputs("</svg>\n", out);
	return !ferror(out);
}
