/*
 * The entries of warp instructions that are under way outside of the streaming
 * multiprocessor, and the queues of those that have something to send yet.
 */
#include "sim/units/simt/simt_private.h"

struct simt_op *simt_new_op(struct simt *t, const struct simt_warp *w,
                            const struct isa_insn *insn, uint64_t mask)
{
    struct simt_op *op = &t->ops[t->free_op];
    assert(t->free_op != NO_OP);
    t->free_op = op->next;
    struct simt_op fresh = {.mask = mask,
                            .writes = insn->writes,
                            .pc = w->paths[w->current].pc,
                            .begun = unit_now(&t->unit),
                            .warp = warp_number(t, w),
                            .next = NO_OP,
                            .first = NONE,
                            .insn = insn->op,
                            .rd = insn->rd,
                            .cls = insn->cls,
                            .at = op->at,
                            .value = op->value,
                            .request = op->request};
    *op = fresh;
    t->warps[op->warp].accesses++;
    return op;
}

void simt_free_op(struct simt *t, struct simt_op *op)
{
    op->next = t->free_op;
    t->free_op = (uint32_t)(op - t->ops);
}

void simt_queue_add(struct simt *t, struct simt_queue *q, struct simt_op *op)
{
    uint32_t number = (uint32_t)(op - t->ops);
    if (q->count++)
        t->ops[q->last].next = number;
    else
        q->first = number;
    q->last = number;
}

void simt_queue_remove(struct simt *t, struct simt_queue *q)
{
    q->first = t->ops[q->first].next;
    q->count--;
}
