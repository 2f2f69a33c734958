/*
 * Which groups of units links join, in stats.json; with --link-stats also what
 * links carried, each and by group, and with --interval in links.csv by group.
 * Links of a group lead from one port of the units of a group to one port of
 * another's.
 */
#ifndef SIM_HOST_OBSERVE_LINK_TOTALS_H
#define SIM_HOST_OBSERVE_LINK_TOTALS_H

#include "sim/core/error.h"
#include "sim/verdict/measured.h"
#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct chip;
struct host;
struct links;

/* The chip is finished; watched: it watches its links. */
struct links *links_new(const struct chip *chip, bool watched);
void links_free(struct links *links);

unsigned links_classes(const struct links *links);
const struct link_class *links_class(const struct links *links,
                                     unsigned number);
bool links_watched(const struct links *links);
/* Adds "link_groups" of what all classes have counted, if they are watched. */
void links_add_sums(const struct links *links, const uint64_t *values,
                    cJSON *to);
/* What each class has counted before now, LINK_SUM_COUNT values each. They are
 * watched. */
void links_take(const struct links *links, const struct chip *chip,
                uint64_t now, uint64_t *values);

#endif
