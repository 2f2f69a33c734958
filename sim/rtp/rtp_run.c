#include "sim/rtp/rtp_run.h"
#include "sim/rtp/memory.h"
#include "sim/rtp/rtp_execute.h"
#include <string.h>

static void access_memory(struct rtp_run *r, uint32_t *local,
                          const struct rtp_insn *insn,
                          const struct rtp_effect *e)
{
    bool store = insn->class == RTP_STORE;
    enum rtp_place place = rtp_place(r->rules, e->address, store);
    uint32_t data[4] = {0};
    if (store && place == RTP_LOCAL)
        rtp_local_write(local, e->address, e->words, e->data);
    if (store)
        return;
    if (place == RTP_LOCAL)
        rtp_local_read(local, e->address, e->words, data);
    else if (place == RTP_CONSTANT)
        data[0] = rtp_constant(r->rules, r->constants, e->address);
    rtp_write_load(&r->state, insn, data);
}

static void trace(struct rtp_run *r)
{
    struct rtp_state *s = &r->state;
    struct rtp_ray ray = rtp_ray_of(s->v[RTP_ORIGIN], s->v[RTP_DIRECTION]);
    struct rtp_hit hit = {0};
    for (uint32_t i = 0; i < r->scene->count; i++)
        rtp_intersect(r->tests, &ray, &r->scene->triangles[i], &hit);
    rtp_hit_words(&hit, s->v[RTP_ORIGIN], s->v[RTP_DIRECTION]);
}

static bool is_allowed(struct rtp_run *r, const struct rtp_insn *insn)
{
    uint32_t pc = r->state.pc;
    if (!rtp_inside(pc, r->code_words, r->complaint))
        return false;
    return !r->strict || (rtp_strict_pc(pc, r->complaint) &&
                          rtp_strict_reads(&r->defined, insn, r->complaint));
}

enum rtp_end rtp_run_thread(struct rtp_run *r, uint32_t thread, uint32_t pixel)
{
    uint32_t *local = r->local + (size_t)thread * RTP_LOCAL_BYTES / 4;
    struct rtp_state *s = &r->state;
    struct rtp_effect e;
    *s = (struct rtp_state){0};
    s->s[RTP_PIXEL] = pixel;
    s->s[RTP_STACK] = rtp_stack(thread);
    rtp_strict_start(&r->defined, false);
    for (; r->executed < r->most; r->executed++) {
        const struct rtp_insn *insn = &r->code[s->pc / 4 % RTP_CODE_WORDS];
        uint32_t pc = s->pc;
        if (!is_allowed(r, insn) || insn->class == RTP_UNUSED)
            return RTP_ILLEGAL;
        if (rtp_is_stuck(insn))
            return RTP_STUCK;
        rtp_execute(r->rules, s, insn, &e);
        if (r->strict && e.words &&
            !rtp_strict_address(e.address, thread, r->complaint)) {
            s->pc = pc;
            return RTP_ILLEGAL;
        }
        if (e.words)
            access_memory(r, local, insn, &e);
        if (insn->class == RTP_TRACE) {
            trace(r);
            s->s[RTP_PIXEL] = pixel;
            rtp_strict_start(&r->defined, true);
        }
        if (insn->class == RTP_FIN) {
            r->executed++;
            return RTP_ENDED;
        }
    }
    return RTP_TOO_LONG;
}
