/* Instructions on their way into the commit log, in the order of issue. */
#include "sim/units/common/commit_queue.h"
#include "sim/core/heap.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *array, uint32_t *room, size_t size)
{
    enum { FIRST_ROOM = 256 };
    *room = *room ? 2 * *room : FIRST_ROOM;
    return heap_resize(array, *room, size, "the log of commits");
}

struct isa_commit *commit_queue_add(struct commit_queue *q, uint32_t hart,
                                    uint64_t cycle)
{
    if (q->count == q->room)
        q->entries = grow(q->entries, &q->room, sizeof *q->entries);
    struct commit_entry *e = &q->entries[q->count++];
    e->hart = hart;
    e->cycle = cycle;
    e->waits = false;
    return &e->commit;
}

void commit_queue_executed(struct commit_queue *q, enum isa_commit_state state)
{
    if (state == ISA_COMMIT_NONE)
        commit_queue_drop(q);
    if (state != ISA_COMMIT_WAITS)
        return;
    if (q->waiting_count == q->waiting_room)
        q->waiting = grow(q->waiting, &q->waiting_room, sizeof *q->waiting);
    q->waiting[q->waiting_count++] = q->count - 1;
    q->entries[q->count - 1].waits = true;
}

enum isa_outcome commit_queue_execute(struct commit_queue *q,
                                      struct isa_hart *hart,
                                      const struct isa_insn *insn,
                                      struct isa_effect *effect, uint64_t cycle)
{
    struct isa_commit *c = commit_queue_add(q, hart->id, cycle);
    isa_commit_begin(c, hart, insn);
    enum isa_outcome outcome = isa_execute(hart, insn, effect);
    commit_queue_executed(q, isa_commit_executed(c, hart, outcome, effect));
    return outcome;
}

void commit_queue_drop(struct commit_queue *q)
{
    assert(q->count);
    q->count--;
    q->waiting_count -= q->entries[q->count].waits;
}

/* The i-th of those that wait: no longer. */
static struct isa_commit *settle(struct commit_queue *q, uint32_t i)
{
    assert(i < q->waiting_count);
    struct commit_entry *e = &q->entries[q->waiting[i]];
    e->waits = false;
    q->waiting_count--;
    memmove(&q->waiting[i], &q->waiting[i + 1],
            (q->waiting_count - i) * sizeof *q->waiting);
    return &e->commit;
}

struct isa_commit *commit_queue_settle(struct commit_queue *q)
{
    return settle(q, 0);
}

static void finish(struct commit_queue *q, uint32_t i,
                   const struct isa_hart *hart, uint64_t value)
{
    isa_commit_finish(settle(q, i), hart, value);
}

static bool is_of(const struct commit_entry *e, uint32_t hart,
                  const struct isa_insn *insn, uint64_t address)
{
    const struct isa_commit *c = &e->commit;
    return e->hart == hart && c->op == insn->op && c->rd == insn->rd &&
           c->address == address;
}

void commit_queue_finish(struct commit_queue *q, const struct isa_hart *hart,
                         const struct isa_insn *insn, uint64_t address,
                         uint64_t value)
{
    uint32_t i = 0;
    while (i < q->waiting_count &&
           !is_of(&q->entries[q->waiting[i]], hart->id, insn, address))
        i++;
    if (i == q->waiting_count) {
        fputs("sim/units: a result for no instruction of the log\n", stderr);
        abort();
    }
    finish(q, i, hart, value);
}

void commit_queue_finish_last(struct commit_queue *q,
                              const struct isa_hart *hart, uint64_t value)
{
    finish(q, q->waiting_count - 1, hart, value);
}

void commit_queue_remove(struct commit_queue *q, uint32_t count)
{
    if (!count)
        return;
    q->count -= count;
    memmove(q->entries, q->entries + count, q->count * sizeof *q->entries);
    for (uint32_t i = 0; i < q->waiting_count; i++)
        q->waiting[i] -= count;
}

void commit_queue_free(struct commit_queue *q)
{
    free(q->entries);
    free(q->waiting);
    *q = (struct commit_queue){0};
}
