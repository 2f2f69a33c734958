/*
 * Managed memory as the host and the TLBs see it: which addresses it has, and
 * what a program may ask for. The GMMU of a chip fills in the struct when it is
 * built; a chip without one has none, and nothing is managed.
 *
 * All functions are for services: all tiles stand still; now: the service's
 * cycle. An error is one line; nothing has changed then.
 */
#ifndef SIM_MANAGED_H
#define SIM_MANAGED_H

#include "sim/core/error.h"
#include "sim/units/machine.h"

struct managed {
    struct unit *gmmu;
    struct range *ranges; /* of the allocations, in order of addresses */
    unsigned count;
    unsigned page_shift; /* bytes of a page: 1 << page_shift */
};

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

/* Makes [address, address + bytes) managed; nothing of it is on the device.
 * address is a multiple of 64 KB; bytes are rounded up as by uvm_rounded. */
bool managed_allocate(struct machine *m, uint64_t address, uint64_t bytes,
                      struct error *error);

/* Prefetch of a range to the device; it goes on by itself. */
bool managed_prefetch(struct machine *m, uint64_t now, uint64_t address,
                      uint64_t bytes, struct error *error);

/* Device synchronise: what was written goes back as soon as nothing is under
 * way. It has ended when managed_synchronised says so. False: one is on. */
bool managed_synchronise(struct machine *m, uint64_t now, struct error *error);
bool managed_synchronised(const struct machine *m);

#endif
