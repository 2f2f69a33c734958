/* Is JSON of the shape that a reader relies on? And how to read it. */
#ifndef SIM_REPORT_SHAPE_H
#define SIM_REPORT_SHAPE_H

#include "sim/core/error.h"
#include <cjson/cJSON.h>

/* A member of an object; NULL: it has none of that name, or is NULL. */
static inline const cJSON *json_member(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

/* file: what the error begins with. */
typedef bool shape_fn(const cJSON *json, const char *file, struct error *error);

shape_fn
    shape_stats; /* stats.json of a timed run (docs/reference/statistics.md) */
shape_fn shape_manifest; /* manifest.json: an object, and no more is asked */
shape_fn shape_profile;  /* profile.json (docs/guides/profile.md) */
shape_fn shape_pixels;   /* pixels.json (docs/guides/observing.md) */

#endif
