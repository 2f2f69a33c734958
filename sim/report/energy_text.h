/* The views of a run's energy in words. */
#ifndef SIM_REPORT_ENERGY_TEXT_H
#define SIM_REPORT_ENERGY_TEXT_H

#include <cjson/cJSON.h>
#include <stdio.h>

/* views: of energy_views.h. */
void energy_text(FILE *out, const cJSON *views);

#endif
