/*
 * Words as instructions of both instruction sets: decoded, written as text,
 * executed. The first two bytes choose width and extensions, 64 more are the
 * registers' low parts.
 */
#include "ci/fuzz/fuzz.h"
#include "sim/isa/isa.h"
#include "sim/rtp/rtp_decode.h"
#include "sim/rtp/rtp_disassemble.h"
#include "sim/rtp/rtp_execute.h"
#include <stdlib.h>
#include <string.h>

struct input {
    uint16_t how;
    uint8_t registers[32][2];
};

static void fill(uint64_t *registers, const struct input *in, unsigned xlen)
{
    for (unsigned i = 0; i < 32; i++) {
        const uint64_t high = in->registers[i][0], low = in->registers[i][1];
        const uint64_t value = high * 0x0101010101010101u ^ low;
        registers[i] = xlen == 64 ? value : (uint64_t)(int32_t)value;
    }
}

/* A word that is refused faults when it is executed; registers that are
 * written are those that the decoder has named. */
static void riscv(uint32_t word, const struct input *in)
{
    const struct isa_profile profile = {in->how >> 1 & ISA_ALL_EXTENSIONS,
                                        in->how & 1 ? 64 : 32};
    struct isa_hart hart, before;
    struct isa_effect effect = {0};
    struct isa_insn insn;
    char text[128], problem[160];
    if (!isa_profile_check(&profile, problem, sizeof problem))
        return;
    isa_hart_reset(&hart, &profile, 0, 0x1000);
    fill(hart.x, in, profile.xlen);
    fill(hart.f, in, 64);
    hart.x[0] = 0;
    before = hart;
    const bool known = isa_decode(word, &profile, &insn);
    isa_disassemble(word, profile.xlen, 0x1000, text, sizeof text);
    if (!known)
        isa_missing(word, &profile);
    if (insn.len != 2 && insn.len != 4)
        abort();
    const enum isa_outcome outcome = isa_execute(&hart, &insn, &effect);
    if (!known && outcome != ISA_FAULT)
        abort();
    for (unsigned i = 0; i < 32; i++)
        if ((hart.x[i] != before.x[i] && !(insn.writes >> i & 1)) ||
            (hart.f[i] != before.f[i] && !(insn.writes >> 32 >> i & 1)))
            abort();
    if (profile.xlen == 32)
        for (unsigned i = 0; i < 32; i++)
            if (hart.x[i] != (uint64_t)(int64_t)(int32_t)hart.x[i])
                abort();
}

static void second(uint32_t word, const struct input *in)
{
    const struct rtp_rules rules = {.const_words = 512};
    const struct rtp_insn insn = rtp_decode(word);
    struct rtp_state state = {.pc = 4};
    struct rtp_effect effect = {0};
    char text[RTP_TEXT];
    rtp_disassemble(word, 4, text, sizeof text);
    for (unsigned i = 1; i < RTP_SCALARS; i++)
        state.s[i] = in->registers[i][0] * 0x01010101u ^ in->registers[i][1];
    rtp_execute(&rules, &state, &insn, &effect);
    if (state.s[0] || effect.words > 4)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {0};
    const size_t head = size < sizeof in ? size : sizeof in;
    memcpy(&in, data, head);
    for (size_t at = head; at + 4 <= size; at += 4) {
        uint32_t word;
        memcpy(&word, data + at, sizeof word);
        riscv(word, &in);
        second(word, &in);
    }
    return 0;
}
