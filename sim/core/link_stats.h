/*
 * Statistics of links, which show the narrow place of a chip: how many
 * messages each carried, for how long it had no room, and how full it was.
 * They cost time for each message, so links are watched only if a chip is told
 * to before it is finished (chip_watch_links); results are the same.
 */
#ifndef SIM_LINK_STATS_H
#define SIM_LINK_STATS_H

#include "sim/core/chip.h"

/* One link up to a cycle. */
struct link_report {
    const struct unit *from, *to;
    const char *output, *input;      /* names of the ports */
    unsigned from_number, to_number; /* of the link among those of the port */
    unsigned latency;                /* cycles */
    unsigned room;     /* messages that find room: at the receiver and on their
                          way; 0: a reserved link, which always has room */
    uint64_t messages; /* sent */
    /* Of links with room, summed over cycles: those in which there was none,
     * and messages that took room, from sending until the sender knows that
     * the receiver has taken them. */
    uint64_t full, occupied;
    /* In builds with STALLS: messages that could be taken, and were not yet,
     * summed over cycles, when they were taken; else 0. */
    uint64_t waited;
};

/* Before chip_finish: links are watched from the first cycle on. */
void chip_watch_links(struct chip *chip);
unsigned chip_link_count(const struct chip *chip);
/* Of a finished chip, while it stands still; now: the cycle that comes next.
 * Links are numbered in the order in which they were made. Where they are not
 * watched, what is counted is 0. */
struct link_report chip_link_report(const struct chip *chip, unsigned link,
                                    uint64_t now);

#endif
