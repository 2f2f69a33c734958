/*
 * Which groups of units links join, in stats.json; with --link-stats also what
 * links carried, each and by group, and with --interval in links.csv by group.
 * Links of a group lead from one port of the units of a group to one port of
 * another's.
 */
#ifndef SIM_HOST_LINKS_H
#define SIM_HOST_LINKS_H

#include "sim/core/error.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

struct chip;
struct host;
struct outcome;
struct links;
struct state;

/* The chip is finished; watched: it watches its links. */
struct links *links_new(const struct chip *chip, bool watched);
void links_free(struct links *links);

/* links.csv: opened, rows at a border of --interval; the file gets its name.
 * These do nothing where links are not watched. */
bool links_open(struct host *host, struct error *error);
void links_add(struct host *host);
bool output_links(struct host *host, const struct outcome *outcome,
                  struct error *error);

/* Saves or loads what has been written of links.csv (sim/core/state.h). */
void links_state(struct host *host, struct state *s);

/* Adds "wiring" to stats.json, and if they are watched "links" and
 * "link_groups". */
void links_tell(cJSON *stats, const struct host *host);

#endif
