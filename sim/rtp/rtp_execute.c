/*
 * Instructions by groups of opcodes: scalar results, vector results, accesses,
 * branches. R31 reads as the address of the next instruction.
 */
#include "sim/rtp/rtp_execute.h"
#include "sim/rtp/integer.h"
#include "sim/rtp/rtp_float.h"

static uint32_t read_scalar(const struct rtp_state *s, unsigned n)
{
    if (n == RTP_OWN)
        return s->own_seen ? s->own : s->pc + 4;
    return n ? s->s[n] : 0;
}

static void write_scalar(struct rtp_state *s, unsigned n, uint32_t value)
{
    if (n == RTP_OWN) {
        s->own = value;
        s->own_written = true;
    } else if (n)
        s->s[n] = value;
}

static float operate(unsigned operation, float a, float b, bool ftz)
{
    switch (operation & 3) {
    case 0:
        return rtp_add(a, b, ftz);
    case 1:
        return rtp_sub(a, b, ftz);
    case 2:
        return rtp_mul(a, b, ftz);
    default:
        return rtp_div(a, b, ftz);
    }
}

static uint32_t operate_integer(unsigned operation, uint32_t a, uint32_t b)
{
    switch (operation & 3) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return a * b;
    default:
        return rtp_divide(a, b);
    }
}

static uint32_t reduce(const uint32_t v[4], bool ftz)
{
    return rtp_bits(rtp_add(rtp_add(rtp_float(v[0]), rtp_float(v[1]), ftz),
                            rtp_add(rtp_float(v[2]), rtp_float(v[3]), ftz),
                            ftz));
}

static uint32_t square_root(uint32_t a, bool ftz)
{
    return rtp_bits(
        rtp_result(sqrtf(rtp_flush(fabsf(rtp_float(a)), ftz)), ftz));
}

static uint32_t to_integer(const struct rtp_rules *rules, uint32_t a)
{
    return rtp_has_quirk(rules, RTP_QUIRK_ftoi_zero)
               ? 0
               : rtp_to_integer(rtp_float(a));
}

/* The result of an instruction that writes a scalar register. */
static uint32_t scalar(const struct rtp_rules *rules, const struct rtp_state *s,
                       const struct rtp_insn *insn)
{
    uint32_t a = read_scalar(s, insn->a), b = read_scalar(s, insn->b);
    uint32_t imm = (uint32_t)insn->imm;
    const uint32_t *v = s->v[insn->a % RTP_VECTORS];
    switch (insn->opcode) {
    case RTP_OP_not:
        return ~a;
    case RTP_OP_and:
        return a & b;
    case RTP_OP_or:
        return a | b;
    case RTP_OP_xor:
        return a ^ b;
    case RTP_OP_ff_add:
    case RTP_OP_ff_sub:
    case RTP_OP_ff_mul:
    case RTP_OP_ff_div:
        return rtp_bits(
            operate(insn->opcode, rtp_float(a), rtp_float(b), rules->ftz));
    case RTP_OP_ii_add:
    case RTP_OP_ii_sub:
    case RTP_OP_ii_mul:
    case RTP_OP_ii_div:
        return operate_integer(insn->opcode, a, b);
    case RTP_OP_ii_addi:
    case RTP_OP_ii_subi:
    case RTP_OP_ii_muli:
    case RTP_OP_ii_divi:
        return operate_integer(insn->opcode, a, imm);
    case RTP_OP_s_write_high:
        return imm << 16 | (a & 0xffff);
    case RTP_OP_s_write_low:
        return (a & 0xffff0000u) | imm;
    case RTP_OP_s_itof:
        return rtp_bits((float)(int32_t)a);
    case RTP_OP_s_ftoi:
        return to_integer(rules, a);
    case RTP_OP_v_reduce:
        return reduce(v, rules->ftz);
    case RTP_OP_s_get_from_v:
        return v[imm];
    default:
        return square_root(a, rules->ftz);
    }
}

static void vector(const struct rtp_rules *rules, struct rtp_state *s,
                   const struct rtp_insn *insn)
{
    unsigned d = insn->d % RTP_VECTORS;
    const uint32_t *a = s->v[insn->a % RTP_VECTORS];
    const uint32_t *b = s->v[insn->b % RTP_VECTORS];
    uint32_t value = read_scalar(s, insn->b), *to = s->v[d];
    if (!d)
        return;
    if (insn->opcode == RTP_OP_v_get_from_s) {
        to[insn->imm] = read_scalar(s, insn->a);
        return;
    }
    bool one = insn->opcode >= RTP_OP_vf_add;
    for (unsigned i = 0; i < 4; i++)
        to[i] = rtp_bits(operate(insn->opcode, rtp_float(a[i]),
                                 rtp_float(one ? value : b[i]), rules->ftz));
}

static void compare(const struct rtp_rules *rules, struct rtp_state *s,
                    const struct rtp_insn *insn)
{
    uint32_t a = read_scalar(s, insn->a), b = read_scalar(s, insn->b);
    if (insn->opcode == RTP_OP_cmp_i) {
        s->flags = (uint8_t)rtp_compare(rules, a, b);
        return;
    }
    uint32_t x = rtp_bits(rtp_sub(rtp_float(a), rtp_float(b), rules->ftz));
    s->flags = (uint8_t)((x != 0) << 1 | x >> 31);
}

static void access_memory(const struct rtp_state *s,
                          const struct rtp_insn *insn, struct rtp_effect *e)
{
    bool wide = insn->opcode == RTP_OP_v_load_16byte ||
                insn->opcode == RTP_OP_v_store_16byte;
    e->address = read_scalar(s, insn->a) + (uint32_t)insn->imm;
    e->words = wide ? 4 : 1;
    if (insn->class == RTP_LOAD)
        return;
    e->data[0] = read_scalar(s, insn->d);
    if (wide)
        memcpy(e->data, s->v[insn->d % RTP_VECTORS], sizeof e->data);
}

bool rtp_taken(unsigned opcode, unsigned flags)
{
    switch (opcode) {
    case RTP_OP_be:
        return flags == RTP_ZERO;
    case RTP_OP_bne:
        return flags != RTP_ZERO;
    case RTP_OP_bl:
        return flags == RTP_NEGATIVE;
    case RTP_OP_bge:
        return flags != RTP_NEGATIVE;
    case RTP_OP_bg:
        return flags == RTP_POSITIVE;
    default:
        return flags != RTP_POSITIVE;
    }
}

static void arithmetic(const struct rtp_rules *rules, struct rtp_state *s,
                       const struct rtp_insn *insn)
{
    if (insn->opcode == RTP_OP_cmp_v)
        return;
    if (insn->opcode <= RTP_OP_vf_div || insn->opcode == RTP_OP_v_get_from_s)
        vector(rules, s, insn);
    else
        write_scalar(s, insn->d, scalar(rules, s, insn));
}

void rtp_execute(const struct rtp_rules *rules, struct rtp_state *s,
                 const struct rtp_insn *insn, struct rtp_effect *effect)
{
    *effect = (struct rtp_effect){.next = s->pc + 4};
    switch (insn->class) {
    case RTP_ARITH:
    case RTP_REDUCE:
        arithmetic(rules, s, insn);
        break;
    case RTP_COMPARE:
        compare(rules, s, insn);
        break;
    case RTP_LOAD:
    case RTP_STORE:
        access_memory(s, insn, effect);
        break;
    case RTP_BRANCH:
        effect->taken = rtp_taken(insn->opcode, s->flags);
        break;
    case RTP_JUMP:
    case RTP_RETURN:
        effect->taken = true;
        break;
    default:
        break;
    }
    if (effect->taken)
        effect->next = insn->class == RTP_RETURN
                           ? read_scalar(s, insn->a)
                           : effect->next + (uint32_t)insn->imm;
    s->pc = effect->next;
}

void rtp_write_load(struct rtp_state *s, const struct rtp_insn *insn,
                    const uint32_t data[4])
{
    if (insn->opcode != RTP_OP_v_load_16byte)
        write_scalar(s, insn->d, data[0]);
    else if (insn->d % RTP_VECTORS)
        memcpy(s->v[insn->d % RTP_VECTORS], data, sizeof s->v[0]);
}
