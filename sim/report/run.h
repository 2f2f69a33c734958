/*
 * What sim-run has left in a directory, read and checked: stats.json, and if
 * they are there manifest.json, profile.json, pixels.json, log.txt,
 * intervals.csv and unit-intervals.csv.
 * Readers of a run trust what is here to have the shape that
 * docs/reference/statistics.md gives it, and no name or text in it.
 */
#ifndef SIM_REPORT_RUN_H
#define SIM_REPORT_RUN_H

#include "sim/core/error.h"
#include <cjson/cJSON.h>
#include <stdint.h>

/* A statistic of a group, or of a unit. Texts are those of the run's JSON. */
struct value {
    const char *group; /* of a unit's: the unit */
    const char *name;
    const char *unit, *meaning;
    bool bucket;       /* or a counter */
    bool idle;         /* a bucket's: there was nothing to do */
    bool range;        /* of a histogram: the name is its, with an edge */
    uint64_t total;    /* of the whole run, exact below 2^53 */
    uint64_t accounts; /* of the group or unit: units, or harts */
};

enum { FIGURE_TERMS_MAX = 16 };

/* A ratio that a kind of unit declares. Terms are numbers of values; without
 * any under it is over 10^9 simulated seconds. */
struct figure {
    const char *group, *name;
    unsigned over[FIGURE_TERMS_MAX], under[FIGURE_TERMS_MAX];
    unsigned over_count, under_count;
};

struct run {
    char *path; /* as given, without a / at the end */
    /* The files' texts; NULL: there is none of that name. */
    char *stats_text, *manifest_text, *profile_text, *pixels_text, *log_text;
    cJSON *stats;
    cJSON *manifest, *pixels; /* NULL: there is none */
    char *image; /* the path of the PNG file that it has made, if it is one and
                    still as it was; else NULL */
    const cJSON *groups; /* those of the values; NULL: they are of a tile */
    uint64_t cycles;     /* at least 1 */
    double clock_mhz;
    /* Groups in the order of stats.json, each with its run_values_in. */
    struct value *values;
    unsigned value_count;
    /* The same of units. */
    struct value *unit_values;
    unsigned unit_value_count;
    cJSON *energy;      /* of energy_views.h; NULL: none was asked for */
    char **range_names; /* names of such values */
    unsigned range_name_count;
    struct figure *figures; /* ratios only */
    unsigned figure_count;
};

/* False: the error names the file, and what was expected. */
bool run_read(struct run *run, const char *path, struct error *error);
void run_free(struct run *run);

/* A part of a run, and of its chip. */
struct scope {
    bool region;      /* its regions of interest */
    unsigned window;  /* of --stats-range, from 1 on; 0: none */
    const char *tile; /* all units of a tile, by their groups; NULL: the chip */
};

/*
 * From now on the run's values and cycles are those of a part, and there are no
 * figures: ratios and percentiles that sim-run has written are in groups.
 * False: there is no such part, or it has no cycles; the error says what there
 * is.
 */
bool run_narrow(struct run *run, const struct scope *scope,
                struct error *error);

/* How many values a group or a unit of stats.json has: its counters, its
 * buckets, then the ranges of its histograms. */
unsigned run_values_in(const cJSON *one);

/* Does a row of the schema say that such cycles are those of nothing to do? */
bool run_is_idle(const cJSON *row);

/* The path of a file in its directory, for free(). */
char *run_file(const struct run *run, const char *name);

/*
 * The place of a statistic in a list, looked for from `from` on and then from
 * the begin, as readers meet them in order. count: there is none.
 */
unsigned value_find(const struct value *values, unsigned count,
                    const char *group, const char *name, unsigned from);
/* Of a group, among the run's values. */
unsigned run_find(const struct run *run, const char *group, const char *name,
                  unsigned from);

/* From the begin of the first region of interest to the end of the last; if
 * there are none, unchanged. */
void run_regions(const struct run *run, uint64_t *from, uint64_t *to);

/* A figure of the values given, in `cycles` cycles. Negative: there is none, as
 * it would be divided by 0. */
double run_figure(const struct run *run, const struct figure *figure,
                  const int64_t *values, uint64_t cycles);

#endif
