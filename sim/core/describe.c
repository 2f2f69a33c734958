/*
 * --describe: the resolved chip. Units that are alike are told once with
 * their number, links by the groups they join, so that 46 TMs take a page. The
 * same without what a run that goes on may change is what a checkpoint has.
 */
#include "runtime/include/corbel/line.h"
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool alike(const struct unit *a, const struct unit *b, bool fixed)
{
    if (a->kind != b->kind || strcmp(a->group, b->group))
        return false;
    for (unsigned i = 0; i < a->kind->param_count; i++) {
        const struct param *p = &a->kind->param_rows[i];
        if (!(fixed && p->safe) && !param_same(p, unit_params((struct unit *)a),
                                               unit_params((struct unit *)b)))
            return false;
    }
    return true;
}

static void describe_params(struct unit *u, bool fixed, FILE *out)
{
    for (unsigned i = 0; i < u->kind->param_count; i++) {
        const struct param *p = &u->kind->param_rows[i];
        char text[PARAM_TEXT_MAX + 3];
        if (fixed && p->safe)
            continue;
        param_text(p, unit_params(u), text, sizeof text);
        fprintf(out, "    %-20s %12s %-9s %s\n", p->name, text,
                p->unit[0] == '=' ? "" : p->unit, p->meaning);
    }
}

static void describe_units(const struct chip *chip, bool fixed, FILE *out)
{
    bool *told = heap_new(chip->unit_count, sizeof *told, "the description");
    for (unsigned i = 0; i < chip->unit_count; i++) {
        if (told[i])
            continue;
        struct unit *u = chip->units[i], *last = u;
        unsigned count = 0;
        for (unsigned j = i; j < chip->unit_count; j++)
            if (!told[j] && alike(u, chip->units[j], fixed)) {
                told[j] = true;
                count++;
                last = chip->units[j];
            }
        fprintf(out, "\n%s: %u x %s (%s), %s%s%s\n", u->group, count,
                u->kind->name, u->kind->meaning, u->name,
                count > 1 ? " .. " : "", count > 1 ? last->name : "");
        describe_params(u, fixed, out);
    }
    free(told);
}

static bool same_kind_of_link(const struct link *a, const struct link *b)
{
    return a->from_row == b->from_row && a->to_row == b->to_row &&
           a->latency == b->latency && a->depth == b->depth &&
           !strcmp(a->from->group, b->from->group) &&
           !strcmp(a->to->group, b->to->group) &&
           (a->from->tile == a->to->tile) == (b->from->tile == b->to->tile);
}

static void describe_link(const struct link *l, unsigned count, FILE *out)
{
    fprintf(out, "  %6u x %s.%s -> %s.%s, latency %u, ", count, l->from->group,
            l->from->kind->port_rows[l->from_row].name, l->to->group,
            l->to->kind->port_rows[l->to_row].name, l->latency);
    if (l->depth)
        fprintf(out, "depth %u", l->depth);
    else
        fputs("reserved", out);
    fputs(l->from->tile == l->to->tile ? "\n" : ", between tiles\n", out);
}

static void describe_links(const struct chip *chip, FILE *out)
{
    bool *told = heap_new(chip->link_count, sizeof *told, "the description");
    fprintf(out, "\nlinks\n");
    for (unsigned i = 0; i < chip->link_count; i++) {
        if (told[i])
            continue;
        unsigned count = 0;
        for (unsigned j = i; j < chip->link_count; j++)
            if (!told[j] &&
                same_kind_of_link(&chip->links[i], &chip->links[j])) {
                told[j] = true;
                count++;
            }
        describe_link(&chip->links[i], count, out);
    }
    free(told);
}

static void describe(const struct chip *chip, bool fixed, FILE *out)
{
    fprintf(out, "%u tiles, %u units, %u links, epoch E = %u cycles\n",
            chip->tile_count, chip->unit_count, chip->link_count, chip->epoch);
    if (chip->option_count)
        fprintf(out, "\noptions of the chip (--set chip.NAME=VALUE)\n");
    for (unsigned i = 0; i < chip->option_count; i++) {
        const struct option *o = &chip->options[i];
        char text[64];
        param_text(&o->row, &o->value, text, sizeof text);
        fprintf(out, "    %-20s %12s           ", o->row.name, text);
        corbel_line_put(out, o->row.meaning); /* a script's */
        putc('\n', out);
    }
    describe_units(chip, fixed, out);
    describe_links(chip, out);
}

void chip_describe(const struct chip *chip, FILE *out)
{
    describe(chip, false, out);
}

void chip_describe_fixed(const struct chip *chip, FILE *out)
{
    describe(chip, true, out);
}
