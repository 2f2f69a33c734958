/*
 * What the units of a machine share: ranges of memory, and the contexts of
 * families.
 */
#include "sim/units/common/machine.h"
#include <assert.h>

void machine_share(struct machine *m, const void *key, void *context)
{
    unsigned i = 0;
    while (m->shared[i].key && m->shared[i].key != key) {
        i++;
        assert(i < MACHINE_SHARED);
    }
    m->shared[i] = (struct machine_shared){key, context};
}

bool machine_executable(const struct machine *m, uint64_t address,
                        uint64_t bytes)
{
    for (unsigned i = 0; i < m->executable_count; i++) {
        const struct range *r = &m->executable[i];
        if (address >= r->start && address < r->end &&
            bytes <= r->end - address)
            return true;
    }
    return false;
}

/* A handful of ranges: a scan beats anything clever. */
bool machine_read_only(const struct machine *m, uint64_t address,
                       uint64_t bytes)
{
    for (unsigned i = 0; i < m->read_only_count; i++) {
        const struct range *r = &m->read_only[i];
        if (address < r->end && address + bytes > r->start)
            return true;
    }
    return false;
}

/* May the program access the byte? */
static bool allows(const struct machine *m, const struct hart *h,
                   uint64_t address, bool store)
{
    if (hart_scratch(m, h, address, 1))
        return true;
    return machine_in_ram(m, address, 1) &&
           !(store && machine_read_only(m, address, 1));
}

uint64_t machine_refused(const struct machine *m, const struct hart *h,
                         uint64_t address, uint64_t bytes, bool store)
{
    uint64_t mask = m->profile.xlen == 32 ? UINT32_MAX : UINT64_MAX;
    for (uint64_t i = 0; i < bytes; i++)
        if (!allows(m, h, (address + i) & mask, store))
            return (address + i) & mask;
    return address;
}
