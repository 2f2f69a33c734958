/*
 * Quirk ghost_first: a core that has run nothing since the program was loaded
 * executes the first word over and over, an instruction behind the other, also
 * while its first thread is taken over. Each copy gets what the one before has
 * computed by forwarding, though nothing reaches the registers. So
 *
 *   - the first instruction waits until the copy in front of it has done its EX
 *   - one that reads what it writes has been executed many times before
 *
 * Before the program is there a core executes zeros likewise, so the first copy
 * is in EX where one of those ends. Loads, stores, branches, trace and fin have
 * no copies here: what theirs do is not known.
 */
#include "sim/rtp/rtp_decode.h"
#include "sim/units/rtp/rtp_core_private.h"

/* Zeros are in their first cycle of EX in cycles ZERO_PHASE, ZERO_PHASE + 4,
 * ... from the host's start on, as recorded. */
enum { ZERO_PHASE = 3 };
/* From the end of loading to DE; from the job on until a new R1 is read in EX,
 * and until kernel mode ends for what is in DE. */
enum { LOADED_TO_DE = 2, START_TO_R1 = 2, START_TO_DE = 5 };

/* The first cycle from `least` on, a multiple of `step` behind `from`. */
static uint64_t slot(uint64_t from, uint64_t step, uint64_t least)
{
    return least <= from ? from
                         : from + (least - from + step - 1) / step * step;
}

static void execute(struct rtp_core *c, uint64_t copies)
{
    struct rtp_effect effect;
    for (; copies; copies--) {
        c->state.pc = 0;
        rtp_execute(&c->rules, &c->state, &c->machine->code[0], &effect);
    }
    c->state.pc = 0;
}

bool rtp_core_has_ghosts(const struct rtp_core *c, const struct rtp_job *job)
{
    enum rtp_class class = c->machine->code[0].class;
    return rtp_has_quirk(&c->rules, RTP_QUIRK_ghost_first) &&
           !c->stats.starts && job->loaded &&
           (class == RTP_ARITH || class == RTP_COMPARE || class == RTP_REDUCE);
}

uint64_t rtp_core_ghosts(struct rtp_core *c, const struct msg *m,
                         const struct rtp_job *job, uint64_t now)
{
    const struct rtp_insn *insn = &c->machine->code[0];
    uint64_t zero = rtp_decode(0).ex, ex = insn->ex;
    uint64_t first = zero + slot(ZERO_PHASE, zero, job->loaded + LOADED_TO_DE);
    uint64_t real = ex + slot(first, ex, now + START_TO_DE);
    uint64_t before = (slot(first, ex, now + START_TO_R1) - first) / ex;
    execute(c, before);
    uint32_t forwarded = c->state.s[insn->d];
    rtp_core_give(c, m, job);
    if ((uint32_t)insn->writes)
        c->state.s[insn->d] = forwarded;
    execute(c, (real - first) / ex - before);
    return real;
}
