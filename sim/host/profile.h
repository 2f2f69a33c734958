/*
 * --host-profile: what tiles cost the host, as CSV: a row for each epoch that
 * was timed, with its first cycle (of the side that ran last), ns of each tile,
 * and ns of what was done after it while all tiles stood still.
 */
#ifndef SIM_HOST_PROFILE_H
#define SIM_HOST_PROFILE_H

#include "sim/core/chip.h"

struct profile;

/* NULL: the file cannot be written. */
struct profile *profile_open(const char *path, const struct chip *chip,
                             struct error *error);
void profile_add(struct profile *p, uint64_t from, const uint64_t *tile_ns,
                 uint64_t between_ns);
/* Gives the finished file its name, once. */
bool profile_finish(struct profile *p, struct error *error);
void profile_free(struct profile *p);

#endif
