/* Prints what energy_views.c has summed up; nothing is computed here but
 * shares. */
#include "sim/report/energy_text.h"
#include "sim/core/error.h"
#include "sim/report/shape.h"
#include <math.h>
#include <string.h>

static double number(const cJSON *json, const char *name)
{
    const cJSON *n = json_member(json, name);
    return n ? n->valuedouble : 0;
}

static const char *text(const cJSON *json, const char *name)
{
    const cJSON *t = json_member(json, name);
    return t ? t->valuestring : "";
}

/* A number with the letter of a power of 1000. */
static void put(FILE *out, double value, const char *unit, int width)
{
    static const char letters[] = "pnum kMG";
    int at = 4;
    while (value > 0 && value < 0.9995 && at > 0) {
        value *= 1000;
        at--;
    }
    while (value >= 999.95 && letters[at + 1]) {
        value /= 1000;
        at++;
    }
    char letter[2] = {letters[at] == ' ' ? '\0' : letters[at], '\0'};
    char word[40];
    snprintf(word, sizeof word, "%.4g %s%s", value, letter, unit);
    fprintf(out, "%*s", width, word);
}

static void put_padded(FILE *out, const char *name, size_t width)
{
    size_t length = corbel_line_length(name);
    corbel_line_put(out, name);
    for (; length < width; length++)
        fputc(' ', out);
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void put_head(FILE *out, const cJSON *v)
{
    double joules = number(v, "joules");
    put(out, joules, "J", 0);
    fputs(" in ", out);
    put(out, number(v, "seconds"), "s", 0);
    fputs(": ", out);
    put(out, number(v, "watts"), "W", 0);
    fputs(", energy-delay product ", out);
    put(out, number(v, "joule_seconds"), "J s", 0);
    fprintf(out, "; all the time needed %.1f %%\n",
            percent(number(v, "standing"), joules));
    const cJSON *trust = json_member(v, "trust");
    fprintf(out,
            "of this from rows of trust H %.1f %%, of trust M %.1f %%, of "
            "trust L %.1f %%\n",
            percent(number(trust, "H"), joules),
            percent(number(trust, "M"), joules),
            percent(number(trust, "L"), joules));
}

/* ---- tables ---- */

static void put_units(FILE *out, const cJSON *v)
{
    fprintf(out, "\n%-20s %12s %7s %12s %12s\n", "unit", "energy", "%",
            "always", "mm2");
    for (const cJSON *u = json_member(v, "units")->child; u; u = u->next) {
        put_padded(out, u->string, 20);
        put(out, number(u, "joules"), "J", 13);
        fprintf(out, " %7.2f",
                percent(number(u, "joules"), number(v, "joules")));
        put(out, number(u, "standing"), "J", 13);
        if (json_member(u, "mm2"))
            fprintf(out, " %12.4g", number(u, "mm2"));
        fputc('\n', out);
    }
}

static void put_events(FILE *out, const cJSON *v)
{
    fprintf(out, "\n%-20s %-20s %14s %10s %12s %7s trust, line\n", "unit",
            "event", "count", "pJ or mW", "energy", "%");
    for (const cJSON *e = json_member(v, "events")->child; e; e = e->next) {
        const char *event = text(e, "event");
        put_padded(out, text(e, "unit"), 20);
        fputc(' ', out);
        put_padded(out, *event ? event : "all the time", 20);
        if (*event)
            fprintf(out, " %14.0f %10.4g", number(e, "count"), number(e, "pj"));
        else
            fprintf(out, " %14s %10.4g", "", number(e, "mw"));
        put(out, number(e, "joules"), "J", 13);
        fprintf(out, " %7.2f %s, ",
                percent(number(e, "joules"), number(v, "joules")),
                text(e, "trust"));
        corbel_line_put(out, text(e, "table"));
        fprintf(out, ":%.0f", number(e, "line"));
        if (json_member(e, "above"))
            fprintf(out, " and %.0f", number(e, "above"));
        fputc('\n', out);
    }
}

static void put_times(FILE *out, const char *name, const cJSON *of,
                      double cycles)
{
    put_padded(out, name, 40);
    fprintf(out, " %14.0f cycles", cycles);
    put(out, number(of, "joules"), "J", 13);
    fputc('\n', out);
}

static void put_parts(FILE *out, const cJSON *v)
{
    const cJSON *launches = json_member(v, "launches");
    fputc('\n', out);
    for (const cJSON *p = json_member(v, "parts")->child; p; p = p->next)
        put_times(out, text(p, "part"), p, number(p, "cycles"));
    if (!launches)
        return;
    for (const cJSON *l = launches->child; l; l = l->next)
        put_times(out, text(l, "name"), l,
                  number(l, "end") - number(l, "begin"));
    fprintf(out, "%-40s %21s", "between launches", "");
    put(out, number(v, "between_launches"), "J", 13);
    fputc('\n', out);
}

static void put_tornado(FILE *out, const cJSON *v)
{
    fprintf(out, "\n%-20s %-20s %12s %12s trust, source\n", "a third of a row",
            "", "less", "more");
    for (const cJSON *t = json_member(v, "tornado")->child; t; t = t->next) {
        put_padded(out, text(t, "unit"), 20);
        fputc(' ', out);
        put_padded(out, text(t, "event"), 20);
        put(out, number(t, "less"), "J", 13);
        put(out, number(t, "more"), "J", 13);
        fprintf(out, " %s, ", text(t, "trust"));
        corbel_line_put(out, text(t, "source"));
        fputc('\n', out);
    }
}

/* ---- what is told of few ---- */

static void put_names(FILE *out, const cJSON *list, const char *what)
{
    if (!list->child)
        return;
    fputs(what, out);
    for (const cJSON *n = list->child; n; n = n->next) {
        fputs(n == list->child ? " " : ", ", out);
        corbel_line_put(out, n->valuestring);
    }
    fputc('\n', out);
}

static void put_rest(FILE *out, const cJSON *v)
{
    const cJSON *pixels = json_member(v, "pixels");
    fputc('\n', out);
    if (pixels) {
        fputs("of pixels all but ", out);
        put(out, number(pixels, "rest"), "J", 0);
        fputc('\n', out);
    }
    if (json_member(v, "lines")) {
        fputs("of source lines all but ", out);
        put(out, number(v, "lines_rest"), "J", 0);
        fputc('\n', out);
    }
    put_names(out, json_member(v, "without"), "without rows of energy:");
    put_names(out, json_member(v, "without_area"), "without rows of area:");
    for (const cJSON *u = json_member(v, "unused_rows")->child; u;
         u = u->next) {
        corbel_line_put(out, text(u, "table"));
        fprintf(out, ":%.0f: no unit of the run is a '", number(u, "line"));
        corbel_line_put(out, text(u, "unit"));
        fputs("'\n", out);
    }
}

enum { LINES_SHOWN = 10 };

/* The source lines that need most, each looked for anew: they are few. */
static void put_lines(FILE *out, const cJSON *v)
{
    const cJSON *lines = json_member(v, "lines");
    double before = INFINITY;
    if (lines && lines->child)
        fputs("\nsource lines\n", out);
    for (int shown = 0; lines && shown < LINES_SHOWN; shown++) {
        const cJSON *most = NULL;
        for (const cJSON *l = lines->child; l; l = l->next)
            if (number(l, "joules") < before &&
                (!most || number(l, "joules") > number(most, "joules")))
                most = l;
        if (!most)
            return;
        before = number(most, "joules");
        put(out, before, "J", 12);
        fputs("  ", out);
        corbel_line_put(out, text(most, "file"));
        fprintf(out, ":%.0f\n", number(most, "line"));
    }
}

void energy_text(FILE *out, const cJSON *views)
{
    put_head(out, views);
    put_units(out, views);
    put_events(out, views);
    put_parts(out, views);
    put_tornado(out, views);
    put_lines(out, views);
    put_rest(out, views);
}
