/*
 * A chip has thousands of thread processors and harts, of which most wait most
 * of the time: their state is far from the host's caches, and each line of it
 * takes longer to come than the simulation of a cycle. Another unit often knows
 * cycles before that one of them will have something to do.
 */
#include "sim/units/tp_private.h"
#include "sim/units/units.h"

static uint32_t distance(const void *from, const void *to)
{
    return (uint32_t)((const char *)to - (const char *)from);
}

static void begin_row(struct tp_row *row, const struct tp *t)
{
    row->cores = (const char *)t;
    row->slots = (const char *)t->slots;
    row->inputs = (const char *)&t->unit.tile->inports[t->first_in];
    row->outputs = (const char *)t->out;
}

/* The second core says how far they are apart. */
void tp_join_row(const struct tp *t)
{
    const struct tp *first = t->common->first;
    struct tp_row *row = &t->common->row;
    if (t == first)
        begin_row(row, t);
    if (t == first || row->core)
        return;
    row->core = distance(row->cores, t);
    row->slot = distance(row->slots, t->slots);
    row->input = distance(row->inputs, &t->unit.tile->inports[t->first_in]);
    row->output = distance(row->outputs, t->out);
    row->hart = (t->first_hart - first->first_hart) * sizeof(struct hart);
}

void tp_start_row(struct tp_common *c)
{
    c->row.harts = (const char *)&c->machine->harts[c->first->first_hart];
}

const struct tp_row *tp_row(const struct unit *u)
{
    return u->kind == &tp_kind ? &((const struct tp *)u)->common->row : NULL;
}

static inline void prefetch_bytes(const char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 64)
        host_prefetch(at + i);
}

/* All that instructions use. */
static inline void prefetch_hart(const char *hart)
{
    prefetch_bytes(hart, offsetof(struct isa_hart, mstatus));
}

/* What receive and send touch first. */
static inline void prefetch_core(const struct tp_row *row, size_t nth)
{
    const char *core = row->cores + row->core * nth;
    host_prefetch(core);
    prefetch_bytes(core + offsetof(struct tp, ready),
                   offsetof(struct tp, rest) - offsetof(struct tp, ready));
    prefetch_bytes(row->outputs + row->output * nth,
                   3 * sizeof(struct outport));
}

void tp_foresee_hit(const struct tp_row *row, size_t nth, uint32_t tag)
{
    uint32_t slot = tag >> TAG_SLOT;
    prefetch_core(row, nth);
    prefetch_bytes(row->inputs + row->input * nth, row->input);
    host_prefetch(row->slots + row->slot * nth + slot * sizeof(struct slot));
    prefetch_hart(row->harts + row->hart * nth + slot * sizeof(struct hart));
}

void tp_foresee_answer(const struct tp_row *row, size_t nth, uint32_t tag)
{
    uint32_t slot = tag >> TAG_SLOT;
    const char *core = row->cores + row->core * nth;
    host_prefetch(row->inputs + row->input * nth);
    host_prefetch(core);
    host_prefetch(core + offsetof(struct tp, ready));
    host_prefetch(row->slots + row->slot * nth + slot * sizeof(struct slot));
    host_prefetch(row->harts + row->hart * nth + slot * sizeof(struct hart) +
                  (tag >> TAG_LOWEST & 63) * sizeof(uint64_t));
}

void tp_foresee_room(const struct tp_row *row, size_t nth)
{
    prefetch_core(row, nth);
    host_prefetch(row->cores + row->core * nth +
                  offsetof(struct tp, waiting_for[TO_RAY]));
}

void tp_expect_room(const struct unit *u)
{
    const struct tp *t = (const struct tp *)u;
    uint64_t waiting = u->kind == &tp_kind ? t->waiting_for[TO_RAY] : 0;
    if (!waiting)
        return;
    uint32_t slot = slot_after(waiting, t->current);
    host_prefetch(&t->slots[slot]);
    prefetch_hart((const char *)&t->harts[slot]);
}
