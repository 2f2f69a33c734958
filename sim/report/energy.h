/*
 * The energy of a run, from what it has counted and a table: nothing is
 * measured anew, so that any run can be looked at with any table. An item is
 * what one row, or two between whose sizes the unit's lies, say of a group of
 * units: picojoules for each event, or milliwatts all the time. All views are
 * sums over items, so each of them sums to the same.
 */
#ifndef SIM_REPORT_ENERGY_H
#define SIM_REPORT_ENERGY_H

#include "sim/report/energy_table.h"
#include "sim/report/run.h"

struct energy_item {
    const struct energy_row *row;
    const struct energy_row *above; /* the next size; NULL: row says it all */
    const char *group;
    unsigned value; /* of the run's values; value_count: it has no event */
    double pj;      /* of an event */
    double mw, mm2; /* of all instances of the group */
    char trust;     /* H, M, L: the lower one of the rows' */
};

struct energy {
    const struct run *run;
    const struct energy_table *table;
    struct energy_item *items; /* by groups of the run, then by rows */
    unsigned count;
    bool *used; /* of each row of the table: it says something of the run */
};

/* False: the table does not suit the run; the error names the row. */
bool energy_new(struct energy *e, const struct run *run,
                const struct energy_table *table, struct error *error);
void energy_free(struct energy *e);

/* Joules of an item whose event has happened `count` times in `cycles` cycles.
 */
double energy_joules(const struct energy *e, const struct energy_item *item,
                     double count, double cycles);

#endif
