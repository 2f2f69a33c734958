/* Is JSON of the shape that a reader relies on? */
#ifndef SIM_REPORT_SHAPE_H
#define SIM_REPORT_SHAPE_H

#include "sim/core/error.h"
#include <cjson/cJSON.h>

/* The shape of the stats.json of a timed run (docs/sim-run.md). file: what the
 * error begins with. */
bool shape_stats(const cJSON *stats, const char *file, struct error *error);

/* The same for profile.json (docs/profile.md). */
bool shape_profile(const cJSON *profile, const char *file, struct error *error);

/* The same for pixels.json (docs/observing.md). */
bool shape_pixels(const cJSON *pixels, const char *file, struct error *error);

#endif
