/*
 * What the units of a machine share: ranges of memory, and the contexts of
 * families.
 */
#include "sim/units/common/machine.h"
#include <assert.h>

void machine_share(struct machine *m, const struct shared_kind *kind,
                   void *context)
{
    unsigned i = 0;
    while (m->shared[i].kind && m->shared[i].kind != kind) {
        i++;
        assert(i < MACHINE_SHARED);
    }
    m->shared[i] = (struct machine_shared){kind, context};
}

/* The kind of the next one that is registered from *at on, NULL: no more. */
static const struct shared_kind *next_shared(const struct machine *m,
                                             unsigned *at)
{
    while (*at < MACHINE_SHARED && m->shared[*at].kind &&
           !m->shared[*at].context)
        ++*at;
    return *at < MACHINE_SHARED ? m->shared[(*at)++].kind : NULL;
}

void machine_shared_launch(struct machine *m)
{
    const struct shared_kind *kind;
    for (unsigned i = 0; (kind = next_shared(m, &i));)
        if (kind->launch)
            kind->launch(m);
}

const char *machine_shared_unsaved(const struct machine *m)
{
    const struct shared_kind *kind;
    const char *why = NULL;
    for (unsigned i = 0; !why && (kind = next_shared(m, &i));)
        if (kind->unsaved)
            why = kind->unsaved(m);
    return why;
}

void machine_shared_state(struct machine *m, struct state *s)
{
    const struct shared_kind *kind;
    for (unsigned i = 0; (kind = next_shared(m, &i));)
        if (kind->state)
            kind->state(m, s);
}

void machine_shared_free(struct machine *m)
{
    const struct shared_kind *kind;
    for (unsigned i = 0; (kind = next_shared(m, &i));)
        if (kind->free)
            kind->free(m);
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

uint64_t machine_set_aside(struct machine *m, uint64_t bytes)
{
    return m->set_aside += bytes;
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

struct range machine_plain(const struct machine *m)
{
    uint64_t last = m->ram_end - 1,
             visible = machine_address_mask(m) - m->scratch_bytes;
    last = last < visible ? last : visible;
    assert(last > m->ram_start && last - m->ram_start + 1 >= sizeof(uint64_t));
    return (struct range){m->ram_start, last + 1};
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
    uint64_t mask = machine_address_mask(m);
    for (uint64_t i = 0; i < bytes; i++)
        if (!allows(m, h, (address + i) & mask, store))
            return (address + i) & mask;
    return address;
}
