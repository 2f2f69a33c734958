/* JSON Schemas (draft 7) of the files of a run, from the rules by which they
 * are read. */
#ifndef SIM_REPORT_JSON_SCHEMA_H
#define SIM_REPORT_JSON_SCHEMA_H

#include "sim/core/error.h"
#include <stdio.h>

/* of: stats, profile or pixels; false: the error says so. */
bool json_schema_write(FILE *out, const char *of, struct error *error);

#endif
