/*
 * For traces of the pipeline: which instruction of a hart, or of a warp, its
 * registers wait for. An instruction is done when none of its registers waits.
 */
#ifndef SIM_RESULT_WATCH_H
#define SIM_RESULT_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct result_watch {
    uint64_t pending;    /* registers that wait */
    uint32_t issued;     /* instructions so far: the number of the next one */
    uint32_t unused;     /* named, so that it is 0 in checkpoints */
    uint32_t writer[64]; /* by register that waits: the instruction's number */
};

/* The next instruction issues; `writes`: its registers that wait from now on.
 */
static inline void result_watch_issue(struct result_watch *r, uint64_t writes)
{
    for (uint64_t m = writes; m; m &= m - 1)
        r->writer[__builtin_ctzll(m)] = r->issued;
    r->pending |= writes;
    r->issued++;
}

/* Only the registers of `still` wait yet: those that have waited until now. */
static inline uint64_t result_watch_come(struct result_watch *r, uint64_t still)
{
    uint64_t come = r->pending & ~still;
    r->pending &= still;
    return come;
}

/* Takes registers out of `come` up to the last one of an instruction that is
 * done: its number. False: there is none. */
static inline bool result_watch_done(const struct result_watch *r,
                                     uint64_t *come, uint32_t *number)
{
    while (*come) {
        *number = r->writer[__builtin_ctzll(*come)];
        *come &= *come - 1;
        bool more = false;
        for (uint64_t m = r->pending | *come; m; m &= m - 1)
            more |= r->writer[__builtin_ctzll(m)] == *number;
        if (!more)
            return true;
    }
    return false;
}

#endif
