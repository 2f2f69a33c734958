/* --list-units: what chips can be made of, from the tables of the kinds. */
#include "sim/host/list_units.h"
#include "sim/core/core_kind.h"
#include "sim/host/option.h"
#include "sim/units/units.h"

/* Each port with its direction and how many links it may have at most. */
static void list_ports(const struct unit_kind *k, FILE *out)
{
    fprintf(out, "  ports\n");
    for (unsigned i = 0; i < k->port_count; i++) {
        const struct port_row *p = &k->port_rows[i];
        fprintf(out, "    %-20s %-3s up to %u links: %s\n", p->name,
                p->output ? "out" : "in", p->most, p->meaning);
    }
}

static void list_params(const struct unit_kind *k, FILE *out)
{
    fprintf(out, "  parameters (default, range)\n");
    for (unsigned i = 0; i < k->param_count; i++) {
        const struct param *p = &k->param_rows[i];
        char range[1024];
        param_range(p, range, sizeof range);
        fprintf(out, "    %-20s %s: %s%s\n", p->name, range, p->meaning,
                p->safe ? " (--resume may have another)" : "");
    }
}

/*
 * Counters or buckets, with their unit and meaning; nothing if there are none.
 */
static void list_stats(const char *title, const struct stat_row *rows,
                       unsigned count, FILE *out)
{
    if (count)
        fprintf(out, "  %s\n", title);
    for (unsigned i = 0; i < count; i++)
        if (!rows[i].edges)
            fprintf(out, "    %-20s %s: %s\n", rows[i].name, rows[i].unit,
                    rows[i].meaning);
}

/* Histograms, with what they count and their edges. */
static void list_histograms(const struct stat_row *rows, unsigned count,
                            FILE *out)
{
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        const struct stat_row *r = &rows[i];
        if (!r->edges)
            continue;
        fputs(any ? "" : "  histograms\n", out);
        fprintf(out, "    %-20s %s: %s, in %u ranges of %s from %lld to %lld\n",
                r->name, r->of, r->meaning, r->ranges, r->unit,
                (long long)r->edges[0], (long long)r->edges[r->ranges] - 1);
        any = true;
    }
}

void kinds_list(FILE *out)
{
    for (const struct unit_kind *const *k = unit_kinds; *k; k++) {
        fprintf(out, "%s%s: %s\n", k == unit_kinds ? "" : "\n", (*k)->name,
                (*k)->meaning);
        list_ports(*k, out);
        list_params(*k, out);
        list_stats("counters", (*k)->stat_rows, (*k)->stat_count, out);
        list_histograms((*k)->stat_rows, (*k)->stat_count, out);
        list_stats("buckets, among which its cycles are divided",
                   (*k)->bucket_rows, (*k)->bucket_count, out);
    }
}

static void list_options(const struct core_kind *core, FILE *out)
{
    if (core->option_count)
        fprintf(out, "\nBehind an ELF file for %s:\n", core->name);
    for (unsigned i = 0; i < core->option_count; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s %s", core->options[i].name,
                 core->options[i].argument);
        fprintf(out, "      %-28s %s\n", left, core->options[i].meaning);
    }
}

void kinds_options(FILE *out)
{
    for (const struct unit_kind *const *k = unit_kinds; *k; k++)
        if ((*k)->core)
            list_options((*k)->core, out);
}

void kinds_options_list(void)
{
    for (const struct unit_kind *const *k = unit_kinds; *k; k++)
        for (unsigned i = 0; (*k)->core && i < (*k)->core->option_count; i++) {
            const struct core_option *o = &(*k)->core->options[i];
            const struct option_row row = {
                .name = o->name, .argument = o->argument, .help = o->meaning};
            char group[64];
            snprintf(group, sizeof group, "Behind an ELF file for %s",
                     (*k)->core->name);
            option_line(group, &row);
        }
}
