/*
 * The views of a run's energy, as one object of JSON: by unit, event, part of
 * the run, interval, launch, pixel and source line, what rests on rows of which
 * trust, what a third more or less of each row would change, and area. What is
 * printed, and what the page shows, is this object.
 */
#ifndef SIM_REPORT_ENERGY_VIEWS_H
#define SIM_REPORT_ENERGY_VIEWS_H

#include "sim/report/energy.h"

/* spread: what pixels and lines cannot be told is spread over them. For
 * cJSON_Delete; NULL: a file of the run is not as it should be. */
cJSON *energy_views(const struct energy *e, bool spread, struct error *error);

/* ---- parts of it ---- */

/* Of intervals, and of launches by them; nothing without an intervals.csv. */
bool energy_add_times(cJSON *json, const struct energy *e, struct error *error);
/* Of pixels and lines. */
bool energy_add_places(cJSON *json, const struct energy *e, bool spread,
                       struct error *error);
/* Whole joules of an item in the run. */
double energy_of(const struct energy *e, const struct energy_item *item);

#endif
