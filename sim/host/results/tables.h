/*
 * What is counted of a run, and stats.json made of it (struct host).
 */
#ifndef SIM_HOST_RESULTS_TABLES_H
#define SIM_HOST_RESULTS_TABLES_H

#include <stddef.h>

struct cJSON;
struct entries;
struct links;
struct totals;

struct tables {
    struct totals *totals;   /* NULL: functional run */
    struct entries *entries; /* likewise */
    struct links *links;     /* likewise */
    struct cJSON *stats; /* stats.json at the end, NULL: there is none yet */
};

#endif
