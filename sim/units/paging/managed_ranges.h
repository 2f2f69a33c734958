/*
 * Managed memory as TLBs see it: which addresses it has. The GMMU of a chip
 * registers it when it is built, and adds ranges in services (paging_role.h),
 * while all tiles stand still; a chip without one has none, and nothing is
 * managed.
 */
#ifndef SIM_MANAGED_RANGES_H
#define SIM_MANAGED_RANGES_H

#include "sim/units/common/machine.h"
#include <stdbool.h>

struct managed {
    struct unit *gmmu;
    struct range *ranges; /* of the trees of allocations, by addresses */
    unsigned count;
    unsigned page_shift; /* bytes of a page: 1 << page_shift */
};

/* That of the machine's chip, NULL: nothing is managed. */
struct managed *managed_of(const struct machine *m);

/* Is the address managed? */
static inline bool managed_holds(const struct managed *m, uint64_t address)
{
    unsigned low = 0, high = m->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (m->ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->count && m->ranges[low].start <= address;
}

#endif
