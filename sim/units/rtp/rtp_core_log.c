/*
 * The RT core's part of the log of commits: a record for each instruction when
 * it enters MEM, complete with what it wrote; that of a load of main memory
 * waits for the data. The records are those of the other instruction set
 * (sim/isa/commit.h), with some fields used otherwise, and a line of their own:
 *
 *   core   2: thread 18 cycle 345 0x00000014 (0xb0620004) R3 0x00000007 mem
 *   0x80120004
 *
 * cycle: the instruction's first in EX. A vector has four words, lane 0 first;
 * a comparison has "flags" and Z, P or N; a store has the words behind its
 * address; branches and the like have nothing.
 */
#include "sim/units/rtp/rtp_core_private.h"
#include <inttypes.h>

enum { FIRST_VECTOR = RTP_SCALARS, NO_REGISTER = 255 };

/* What the record's fields mean here. */
#define THREAD op
#define CYCLE csr_value

static void fill_result(const struct rtp_core *c, struct isa_commit *record,
                        rtp_set writes)
{
    record->rd = NO_REGISTER;
    if (!writes)
        return;
    record->rd = (uint8_t)__builtin_ctzll(writes);
    if (record->rd < FIRST_VECTOR) {
        record->registers[0] = c->state.s[record->rd];
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        record->registers[i] = c->state.v[record->rd - FIRST_VECTOR][i];
}

static void fill_access(const struct rtp_core *c, struct isa_commit *record)
{
    if (c->insn.class != RTP_LOAD && c->insn.class != RTP_STORE)
        return;
    record->address = c->effect.address;
    record->items |=
        c->insn.class == RTP_LOAD ? ISA_COMMIT_LOAD : ISA_COMMIT_STORE;
    record->size = (uint8_t)(4 * c->effect.words);
    for (unsigned i = 0; c->insn.class == RTP_STORE && i < c->effect.words; i++)
        record->registers[i] = c->effect.data[i];
}

void rtp_core_log(struct rtp_core *c)
{
    if (!c->log.line)
        return;
    uint64_t cycle = c->ex_last - c->insn.ex + 1;
    struct isa_commit *record = commit_queue_add(&c->log, c->hart, cycle);
    *record = (struct isa_commit){
        .pc = c->pc,
        .raw = c->machine->words[c->pc / 4 % RTP_CODE_WORDS],
        .THREAD = (uint16_t)c->thread,
        .CYCLE = cycle,
    };
    fill_result(c, record, c->loading ? 0 : c->insn.writes);
    fill_access(c, record);
    if (c->insn.class == RTP_COMPARE) {
        record->items |= ISA_COMMIT_FLAGS;
        record->fflags = c->state.flags;
    }
    commit_queue_executed(&c->log,
                          c->loading ? ISA_COMMIT_WAITS : ISA_COMMIT_DONE);
}

/* An instruction behind the load may have written the register already; the
 * record has what was loaded. */
void rtp_core_log_loaded(struct rtp_core *c, const uint32_t data[4])
{
    if (!c->log.line)
        return;
    struct isa_commit *record = commit_queue_settle(&c->log);
    record->rd =
        c->load.writes ? (uint8_t)__builtin_ctzll(c->load.writes) : NO_REGISTER;
    for (unsigned i = 0; i < 4; i++)
        record->registers[i] = data[i];
}

/* ---- lines ---- */

static size_t add_words(const struct isa_commit *record, unsigned count,
                        char *line, size_t at)
{
    for (unsigned i = 0; i < count; i++)
        at += (size_t)snprintf(line + at, ISA_COMMIT_LINE - at, " 0x%08x",
                               (uint32_t)record->registers[i]);
    return at;
}

static size_t add_register(const struct isa_commit *record, char *line,
                           size_t at)
{
    bool vector = record->rd >= FIRST_VECTOR;
    if (record->rd == NO_REGISTER)
        return at;
    at += (size_t)snprintf(line + at, ISA_COMMIT_LINE - at, " %s%u",
                           vector ? "RV" : "R", record->rd % FIRST_VECTOR);
    return add_words(record, vector ? 4 : 1, line, at);
}

size_t rtp_core_log_line(const struct isa_commit *r, uint32_t hart,
                         char line[ISA_COMMIT_LINE])
{
    size_t at = (size_t)snprintf(line, ISA_COMMIT_LINE,
                                 "core %3u: thread %u cycle %" PRIu64
                                 " 0x%08" PRIx64 " (0x%08x)",
                                 hart, r->THREAD, r->CYCLE, r->pc, r->raw);
    at = add_register(r, line, at);
    if (r->items & ISA_COMMIT_FLAGS)
        at += (size_t)snprintf(line + at, ISA_COMMIT_LINE - at, " flags %c",
                               "Z?PN"[r->fflags & 3]);
    if (r->size)
        at += (size_t)snprintf(line + at, ISA_COMMIT_LINE - at,
                               " mem 0x%08" PRIx64, r->address);
    if (r->items & ISA_COMMIT_STORE)
        at = add_words(r, r->size / 4u, line, at);
    line[at++] = '\n';
    return at;
}
