#include "sim/rtp/strict.h"
#include <stdio.h>

#define LOW 1u
#define HIGH 2u
#define BOTH 3u
#define ALL_LANES 15u
#define XYZ 7u

static unsigned halves_of(const struct rtp_defined *d, unsigned n)
{
    return (unsigned)(d->halves >> 2 * n) & BOTH;
}

static unsigned lanes_of(const struct rtp_defined *d, unsigned n)
{
    return (unsigned)(d->lanes >> 4 * (n % RTP_VECTORS)) & ALL_LANES;
}

/* R0, R31 and RV0 stay defined whatever is written to them. */
static void set_halves(struct rtp_defined *d, unsigned n, unsigned halves)
{
    if (n && n != RTP_OWN)
        d->halves = (d->halves & ~((uint64_t)BOTH << 2 * n)) | (uint64_t)halves
                                                                   << 2 * n;
}

static void set_lanes(struct rtp_defined *d, unsigned n, unsigned lanes)
{
    n %= RTP_VECTORS;
    if (n)
        d->lanes = (d->lanes & ~((uint64_t)ALL_LANES << 4 * n)) |
                   (uint64_t)lanes << 4 * n;
}

void rtp_strict_start(struct rtp_defined *d, bool traced)
{
    *d = (struct rtp_defined){.halves = BOTH | (uint64_t)BOTH << 2 * RTP_OWN,
                              .lanes = ALL_LANES};
    set_halves(d, RTP_PIXEL, BOTH);
    set_halves(d, RTP_STACK, BOTH);
    set_lanes(d, RTP_ORIGIN, traced ? ALL_LANES : 0);
    set_lanes(d, RTP_DIRECTION, traced ? ALL_LANES : 0);
}

static bool complain(char text[RTP_COMPLAINT], const char *name, unsigned n)
{
    snprintf(text, RTP_COMPLAINT,
             "reads %s%u, which is undefined since the thread's start or trace",
             name, n);
    return false;
}

/* ---- what has to be defined ---- */

static bool need_scalar(const struct rtp_defined *d, unsigned n,
                        char text[RTP_COMPLAINT])
{
    return halves_of(d, n) == BOTH || complain(text, "R", n);
}

static bool need_lanes(const struct rtp_defined *d, unsigned n, unsigned lanes,
                       char text[RTP_COMPLAINT])
{
    return (lanes_of(d, n) & lanes) == lanes ||
           complain(text, "RV", n % RTP_VECTORS);
}

static bool need_scalars(const struct rtp_defined *d, rtp_set reads,
                         char text[RTP_COMPLAINT])
{
    for (unsigned n = 0; n < RTP_SCALARS; n++)
        if (reads >> n & 1 && !need_scalar(d, n, text))
            return false;
    return true;
}

static bool need_vectors(const struct rtp_defined *d,
                         const struct rtp_insn *insn, char text[RTP_COMPLAINT])
{
    switch (insn->opcode) {
    case RTP_OP_s_get_from_v:
        return need_lanes(d, insn->a, 1u << insn->imm, text);
    case RTP_OP_v_reduce:
        return need_lanes(d, insn->a, ALL_LANES, text);
    case RTP_OP_v_store_16byte:
        return need_lanes(d, insn->d, ALL_LANES, text);
    case RTP_OP_trace:
        return need_lanes(d, RTP_ORIGIN, XYZ, text) &&
               need_lanes(d, RTP_DIRECTION, XYZ, text);
    default:
        return true;
    }
}

static bool keeps_half(const struct rtp_insn *insn)
{
    return insn->opcode == RTP_OP_s_write_high ||
           insn->opcode == RTP_OP_s_write_low;
}

/* xor of a register with itself is 0, whatever it was. */
static bool clears(const struct rtp_insn *insn)
{
    return insn->opcode == RTP_OP_xor && insn->a == insn->b;
}

static bool need(const struct rtp_defined *d, const struct rtp_insn *insn,
                 char text[RTP_COMPLAINT])
{
    if (insn->class == RTP_BRANCH && !d->flags) {
        snprintf(text, RTP_COMPLAINT,
                 "branches by flags that no comparison of this turn has set");
        return false;
    }
    return keeps_half(insn) || clears(insn) ||
           (need_scalars(d, insn->reads, text) && need_vectors(d, insn, text));
}

/* ---- what is defined then ---- */

static void define_vector(struct rtp_defined *d, const struct rtp_insn *insn)
{
    unsigned lanes = lanes_of(d, insn->a);
    if (insn->opcode == RTP_OP_v_get_from_s)
        lanes = lanes_of(d, insn->d) | 1u << insn->imm;
    else if (insn->class == RTP_LOAD)
        lanes = ALL_LANES;
    else if (insn->opcode <= RTP_OP_vv_div)
        lanes &= lanes_of(d, insn->b);
    set_lanes(d, insn->d, lanes);
}

static void define(struct rtp_defined *d, const struct rtp_insn *insn)
{
    if (insn->class == RTP_COMPARE)
        d->flags = true;
    if (insn->writes >> RTP_SCALARS)
        define_vector(d, insn);
    else if (insn->opcode == RTP_OP_s_write_high)
        set_halves(d, insn->d, HIGH | (halves_of(d, insn->a) & LOW));
    else if (insn->opcode == RTP_OP_s_write_low)
        set_halves(d, insn->d, LOW | (halves_of(d, insn->a) & HIGH));
    else if (insn->writes)
        set_halves(d, insn->d, BOTH);
}

bool rtp_inside(uint32_t pc, uint32_t words, char text[RTP_COMPLAINT])
{
    if (pc / 4 < words)
        return true;
    snprintf(text, RTP_COMPLAINT,
             "the program, of %u instructions, is left without fin", words);
    return false;
}

bool rtp_strict_pc(uint32_t pc, char text[RTP_COMPLAINT])
{
    if (pc % 4 == 0)
        return true;
    snprintf(text, RTP_COMPLAINT,
             "is gone to at address 0x%08x: expected a multiple of 4", pc);
    return false;
}

bool rtp_strict_reads(struct rtp_defined *d, const struct rtp_insn *insn,
                      char text[RTP_COMPLAINT])
{
    if (!need(d, insn, text))
        return false;
    define(d, insn);
    return true;
}

bool rtp_strict_address(uint32_t address, uint32_t thread,
                        char text[RTP_COMPLAINT])
{
    uint32_t names = address >> 16 & (RTP_THREADS - 1);
    if (address & 3)
        snprintf(text, RTP_COMPLAINT,
                 "address 0x%08x: expected a multiple of 4", address);
    else if (address >> 31 && names != thread)
        snprintf(text, RTP_COMPLAINT, "address 0x%08x is of thread %u", address,
                 names);
    else
        return true;
    return false;
}
