/*
 * What the host asks of a unit that moves pages of managed memory between host
 * and chip, on behalf of the program. A kind that does points to a struct
 * paging_role (unit_kind.paging); a chip without one has all of its memory
 * there always. Which ranges are managed stands in the units' context (for ours
 * struct machine), in the order in which the program got them; a range never
 * goes away.
 *
 * All functions are called while all tiles stand still, and with a range lie
 * in a managed one. Each may be NULL: there is nothing to do.
 */
#ifndef SIM_PAGING_ROLE_H
#define SIM_PAGING_ROLE_H

#include <stdint.h>

struct corbel_managed_stats; /* runtime/include/corbel/managed.h */
struct unit;

struct paging_role {
    /* The last range of the context is new. */
    void (*added)(struct unit *u, uint64_t now);
    /* The program asks for a range, bytes > 0; its pages come in order. */
    void (*prefetch)(struct unit *u, uint64_t now, uint64_t address,
                     uint64_t bytes);
    /* All that was changed goes back to the host, no page stays: the cycle in
     * which that is done, now or later. No kernel runs. */
    uint64_t (*synchronise)(struct unit *u, uint64_t now);
    /* Adds what the unit has moved so far. */
    void (*sum)(const struct unit *u, struct corbel_managed_stats *stats);
};

#endif
