/*
 * profile.txt of profile.json: functions, the most costly first, then their
 * lines beside the text of the source. sim-run writes it, and sim-report
 * --profile prints it.
 */
#ifndef SIM_REPORT_PROFILE_TEXT_H
#define SIM_REPORT_PROFILE_TEXT_H

#include "sim/core/error.h"
#include <cjson/cJSON.h>
#include <stdio.h>

/* profile: of the shape that shape_profile asks for, and whole. */
void profile_text(FILE *out, const cJSON *profile);

/* False: it is of an older sim-run, which left out some of what the text needs;
 * the error, which begins with file, says what is missing. */
bool profile_is_whole(const cJSON *profile, const char *file,
                      struct error *error);

#endif
