#include "sim/units/machine.h"

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
