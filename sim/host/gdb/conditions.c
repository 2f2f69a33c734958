/*
 * Conditions are looked at in the cycle in which a hart comes to their
 * breakpoint, for each of thousands of harts: what the hart does not wait for
 * is read as it stands; a view of the hart is only made where that is not
 * enough.
 */
#include "sim/core/heap.h"
#include "sim/host/gdb/agent.h"
#include "sim/host/gdb/gdb.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A hart that an expression is about. */
struct subject {
    struct gdb *g;
    unsigned hart;
    uint64_t awaited;
    bool asks, unsure;
};

/* Bits of awaited are by the core's numbers, from 1 on. */
static bool waits_for(const struct subject *s, unsigned place)
{
    const unsigned number = s->g->registers[place].of;
    return place < s->g->general && number > 1 && number <= 64 &&
           s->awaited >> (number - 1) & 1;
}

/* Floats are not known to expressions. */
static bool reads_register(void *context, unsigned number, uint64_t *value)
{
    struct subject *s = context;
    const unsigned place = register_place(s->g, number);
    if (place == s->g->register_count)
        return false;
    if (!waits_for(s, place)) {
        *value = register_value(s->g, s->hart, place);
    } else if (s->asks) {
        uint64_t *all = heap_new(s->g->register_count, sizeof *all, "--gdb");
        view_registers(s->g, s->hart, all);
        *value = all[place];
        free(all);
    } else {
        s->unsure = true;
        return false;
    }
    if (s->g->registers[place].bits == 32)
        *value = (uint64_t)(int32_t)*value;
    return true;
}

static bool reads_memory(void *context, uint64_t address, void *bytes,
                         size_t count)
{
    struct subject *s = context;
    const struct machine *m = &s->g->host->machine;
    bool stands = !(s->awaited & CORE_STORES) ||
                  hart_scratch(m, gdb_hart(s->g, s->hart), address, count);
    address &= machine_address_mask(m);
    if (!stands && !s->asks) {
        s->unsure = true;
        return false;
    }
    return (stands
                ? memory_peek(s->g, s->hart, address, bytes, count)
                : view_memory(s->g, s->hart, address, bytes, count)) == count;
}

enum condition_is condition_of(struct gdb *g, const struct breakpoint *b,
                               unsigned hart, bool asks)
{
    struct subject s = {
        .g = g, .hart = hart, .awaited = view_awaited(g, hart), .asks = asks};
    const struct agent_target target = {&s, reads_register, reads_memory};
    uint32_t length;
    int64_t value;
    if (!b->conditions)
        return CONDITION_TRUE;
    for (size_t at = 0; at < b->condition_bytes; at += length) {
        memcpy(&length, b->conditions + at, sizeof length);
        at += sizeof length;
        bool known = agent_run(b->conditions + at, length, &target, &value);
        if (s.unsure)
            return CONDITION_UNSURE;
        if (!known || value)
            return CONDITION_TRUE;
    }
    return CONDITION_FALSE;
}

/* ---- packets ---- */

static bool add(struct breakpoint *b, const char **text)
{
    unsigned long long bytes;
    if (!hex_number(text, &bytes) || *(*text)++ != ',' ||
        bytes > PACKET_BYTES || strlen(*text) < 2 * bytes)
        return false;
    const uint32_t length = (uint32_t)bytes;
    b->conditions = heap_resize(
        b->conditions, b->condition_bytes + sizeof length + length, 1, "--gdb");
    memcpy(b->conditions + b->condition_bytes, &length, sizeof length);
    b->condition_bytes += sizeof length;
    bool good = hex_get(*text, b->conditions + b->condition_bytes, length);
    b->condition_bytes += length;
    *text += 2 * length;
    return good;
}

bool conditions_read(struct breakpoint *b, const char *text)
{
    while (text[0] == ';' && text[1] == 'X') {
        text += 2;
        if (!add(b, &text))
            return false;
    }
    return !*text;
}
