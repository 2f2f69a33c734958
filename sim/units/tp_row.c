/*
 * A chip has thousands of thread processors and harts, of which most wait most
 * of the time: their state is far from the host's caches, and each line of it
 * takes longer to come than the simulation of a cycle. Another unit often knows
 * cycles before that one of them will have something to do.
 */
#include "sim/units/tp_row.h"
#include "sim/units/tp_slot.h"
#include "sim/units/units.h"

static inline const char *nth_core(const struct tp_row *row, size_t nth)
{
    return row->cores + row->core * nth;
}

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
    row->common = t->common;
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

static bool is_core(const struct outport *answers)
{
    return !answers->remote && answers->target->kind == &tp_kind;
}

const struct tp_row *tp_row_at(const struct outport *answers, unsigned links,
                               uint32_t *count)
{
    uint32_t n = 0;
    *count = 0;
    if (!links || !is_core(answers))
        return NULL;
    const struct tp *first = (const struct tp *)answers->target;
    const struct tp_row *row = &first->common->row;
    while (n < links && is_core(&answers[n]) &&
           nth_core(row, n) == (const char *)answers[n].target)
        n++;
    *count = n;
    return n ? row : NULL;
}

/* What an issue counts. */
static inline void prefetch_counts(const struct tp_row *row, size_t nth)
{
    const char *core = nth_core(row, nth);
    host_prefetch(core + offsetof(struct tp, counts));
    host_prefetch(core + offsetof(struct tp, stats.arbitration));
}

static inline const char *nth_input(const struct tp_row *row, size_t nth,
                                    unsigned input)
{
    return row->inputs + row->input * nth +
           row->common->input_at[input] * sizeof(struct inport);
}

static inline const char *nth_output(const struct tp_row *row, size_t nth,
                                     enum needed_port port)
{
    return row->outputs + row->output * nth +
           row->common->port_at[port] * sizeof(struct outport);
}

/* The hart that has made a request with this tag. */
static inline const struct hart *asking_hart(const struct tp_row *row,
                                             size_t nth, uint32_t tag)
{
    return (const struct hart *)(row->harts + row->hart * nth) +
           (tag >> TAG_SLOT);
}

/* An answer to it comes in. */
static inline void prefetch_answer(const struct tp_row *row, size_t nth,
                                   uint32_t tag, unsigned input)
{
    const char *core = nth_core(row, nth);
    host_prefetch(nth_input(row, nth, input));
    host_prefetch(core);
    host_prefetch(core + offsetof(struct tp, ready));
    host_prefetch(row->slots + row->slot * nth +
                  (tag >> TAG_SLOT) * sizeof(struct slot));
}

/* Its pc and integer registers, and where the hit is written. */
static inline void prefetch_after_hit(const struct hart *hart, uint32_t tag)
{
    host_prefetch(&hart->isa.pc);
    prefetch_bytes(hart->isa.x, sizeof hart->isa.x);
    host_prefetch(&hart->isa.f[tag >> TAG_RD & 31]);
}

/* Its pc, and its ray if that is where the last one was. */
static inline void prefetch_for_ray(const struct hart *hart, unsigned ray_at)
{
    host_prefetch(&hart->isa.pc);
    host_prefetch(&hart->isa.f[ray_at]);
    host_prefetch(&hart->isa.f[ray_at + 7]);
}

void tp_foresee_hit(const struct tp_row *row, size_t nth, uint32_t tag)
{
    prefetch_answer(row, nth, tag, HIT);
    prefetch_counts(row, nth);
    host_prefetch(nth_output(row, nth, TO_MEM));
    host_prefetch(nth_output(row, nth, TO_NEXT));
    prefetch_after_hit(asking_hart(row, nth, tag), tag);
}

/* The answer is written to a register. */
static inline void prefetch_result(const struct tp_row *row, size_t nth,
                                   uint32_t tag)
{
    host_prefetch(nth_core(row, nth) + offsetof(struct tp, stats.arbitration));
    host_prefetch((const char *)asking_hart(row, nth, tag)->isa.x +
                  (tag >> TAG_LOWEST & 63) * sizeof(uint64_t));
}

void tp_foresee_index(const struct tp_row *row, size_t nth, uint32_t tag)
{
    prefetch_answer(row, nth, tag, INDEX);
    prefetch_result(row, nth, tag);
}

void tp_foresee_answer(const struct tp_row *row, size_t nth, uint32_t tag,
                       bool loads)
{
    prefetch_answer(row, nth, tag, DATA);
    if (loads)
        prefetch_result(row, nth, tag);
}

void tp_foresee_room(const struct tp_row *row, size_t nth)
{
    const char *core = nth_core(row, nth);
    host_prefetch(core);
    host_prefetch(core + offsetof(struct tp, ready));
    prefetch_counts(row, nth);
    host_prefetch(nth_output(row, nth, TO_RAY));
    host_prefetch(core + offsetof(struct tp, waiting_for[TO_RAY]));
}

void tp_expect_room(const struct tp_row *row, size_t nth)
{
    const struct tp *t = (const struct tp *)nth_core(row, nth);
    uint64_t waiting = t->waiting_for[TO_RAY];
    if (!waiting)
        return;
    uint32_t slot = slot_after(waiting, t->current);
    host_prefetch(&t->slots[slot]);
    prefetch_for_ray(&t->harts[slot], t->common->ray_at);
}
