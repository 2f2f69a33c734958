/*
 * What verdicts have to know of a chip, beside sums of statistics.
 */
#ifndef SIM_HOST_RESULTS_MEASURED_CHIP_H
#define SIM_HOST_RESULTS_MEASURED_CHIP_H

#include "sim/host/results/group_totals.h"

/* The totals have their groups, links included; for measured_free. */
struct measured *measured_new(const struct chip *chip, const struct totals *t);
void measured_free(struct measured *m);

#endif
