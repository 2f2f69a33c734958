/*
 * intervals.csv and unit-intervals.csv, read interval by interval, so that
 * memory does not grow with their number; and series thinned to what can be
 * shown.
 */
#ifndef SIM_REPORT_INTERVALS_H
#define SIM_REPORT_INTERVALS_H

#include "sim/report/run.h"
#include <stdio.h>

/* The interval of cycles from `from` to before `to`; values: how much each of
 * the run's statistics has grown in it. */
typedef void interval_fn(void *context, uint64_t from, uint64_t to,
                         const int64_t *values);

/* *any: is there an intervals.csv with an interval in it? False: the error
 * names the line, and what was expected. */
bool intervals_read(const struct run *run, interval_fn *tell, void *context,
                    bool *any, struct error *error);
/* Of unit-intervals.csv; values are those of the run's unit_values. */
bool intervals_read_units(const struct run *run, interval_fn *tell,
                          void *context, bool *any, struct error *error);

/* There are none, where they are needed. Always false. */
bool intervals_lacking(const struct run *run, struct error *error);

/* Most bins of a chart. */
enum { BINS_MAX = 2048 };

/* A statistic in a bin: the sum over its intervals, and the least and the most
 * of one of them, a cycle. */
struct bin {
    int64_t sum;
    double low, high;
};

/*
 * Intervals side by side are summed up in bins: `each` of them in a bin, a
 * power of 2, as few as `most` bins allow; the last bin may have fewer.
 */
struct bins {
    unsigned rows; /* series: the run's statistics, or what else has values */
    unsigned most; /* even */
    uint64_t from, to; /* intervals that begin before `to` and end after `from`
                          count */
    uint64_t begin;    /* cycle with which the first bin begins */
    uint64_t intervals;
    uint64_t each;
    unsigned count;
    uint64_t in_last;    /* intervals of the last bin */
    uint64_t *ends;      /* cycle before which each bin ends */
    struct bin **series; /* of each row; NULL: it is 0 throughout so far */
};

/* Series whose total is known have bins from the begin, others from when they
 * grow. */
void bins_begin(struct bins *bins, const struct run *run, uint64_t from,
                uint64_t to);
/* Of rows of which nothing is known yet. */
void bins_begin_rows(struct bins *bins, unsigned rows, unsigned most,
                     uint64_t from, uint64_t to);
interval_fn bins_add; /* context: struct bins */
void bins_free(struct bins *bins);
/* Begins an object of JSON with begin, intervals, each, and ends, an array.
 * False: there is no bin, and it is null. */
bool bins_put(FILE *out, const struct bins *bins);

#endif
