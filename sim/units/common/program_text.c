/*
 * The program's code, decoded for the timing model. Pages are decoded when
 * their bytes differ from what was decoded last, at first from 0s: so large
 * empty data costs nothing, and a fence.i only what has changed.
 */
#include "sim/units/common/program_text.h"
#include "sim/core/chip.h"
#include "sim/core/heap.h"
#include "sim/core/state.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

struct text {
    struct isa_insn *decoded; /* machine.text */
    uint8_t *copy;            /* of the bytes that it was made of */
    uint64_t breaks[BREAKPOINTS_MAX];
    unsigned break_count;
    uint64_t *marks; /* in no order */
    uint32_t mark_count, mark_room;
    bool marks_accesses;
};

static const struct shared_kind text_kind;

static struct text *text_of(const struct machine *m)
{
    return machine_shared(m, &text_kind);
}

static void *reserve(uint64_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        heap_lacks(bytes, 1, "decoded instructions");
    return at;
}

static uint64_t text_bytes(const struct machine *m)
{
    return m->text_range.end - m->text_range.start + 2;
}

void text_create(struct chip *chip, struct machine *m)
{
    if (text_of(m))
        return;
    struct text *t = heap_new(1, sizeof *t, "decoded instructions");
    uint64_t decoded = text_bytes(m) / 2 * sizeof *t->decoded;
    t->decoded = reserve(decoded);
    t->copy = reserve(text_bytes(m));
    chip_place(chip, t->decoded, decoded);
    machine_share(m, &text_kind, t);
    m->text = t->decoded;
    text_refresh(m);
}

static struct isa_insn *insn_at(const struct machine *m, uint64_t pc)
{
    return &text_of(m)->decoded[(pc - m->text_range.start) / 2];
}

static bool is_access(const struct isa_insn *insn)
{
    return insn->cls == ISA_CLASS_load || insn->cls == ISA_CLASS_store ||
           insn->cls == ISA_CLASS_amo;
}

/* As a fetch would see it: the second half of an instruction may be missing. */
static void decode_at(struct machine *m, uint64_t pc)
{
    struct isa_insn *insn = insn_at(m, pc);
    uint32_t word = 0;
    memset(insn, 0, sizeof *insn);
    if (!machine_executable(m, pc, 2))
        return;
    memcpy(&word, machine_at(m, pc), 2);
    if ((word & 3) == 3) {
        if (!machine_executable(m, pc + 2, 2)) {
            insn->imm = 2; /* of the address that faults */
            return;
        }
        memcpy(&word, machine_at(m, pc), 4);
    }
    isa_decode(word, &m->profile, insn);
    if (text_of(m)->marks_accesses && is_access(insn))
        insn->reads |= ISA_MARK;
}

void text_fetch_fault(const struct machine *m, uint64_t pc,
                      const struct isa_insn *insn, struct isa_effect *effect)
{
    uint64_t at = pc + (uint64_t)insn->imm;
    if (machine_executable(m, at, 2))
        return;
    effect->cause = ISA_CAUSE_FETCH_FAULT;
    effect->tval = at;
}

/* Instructions may begin in the last halfword before the page. */
static void refresh_page(struct machine *m, uint64_t at, uint64_t bytes)
{
    uint8_t *copy = text_of(m)->copy + (at - m->text_range.start);
    if (!memcmp(copy, machine_at(m, at), bytes))
        return;
    memcpy(copy, machine_at(m, at), bytes);
    uint64_t pc = at > m->text_range.start ? at - 2 : at;
    for (; pc < at + bytes; pc += 2)
        decode_at(m, pc);
}

/* ---- breakpoints ---- */

static void put_ebreak(struct machine *m, uint64_t pc)
{
    enum { EBREAK = 0x00100073 };
    isa_decode(EBREAK, &m->profile, insn_at(m, pc));
}

/* What has been decoded anew. */
static void put_marks(struct machine *m)
{
    const struct text *t = text_of(m);
    for (uint32_t i = 0; i < t->mark_count; i++)
        insn_at(m, t->marks[i])->reads |= ISA_MARK;
    for (unsigned i = 0; i < t->break_count; i++)
        put_ebreak(m, t->breaks[i]);
}

void text_refresh(struct machine *m)
{
    struct range r = m->text_range;
    for (uint64_t at = r.start; at < r.end; at += PAGE)
        refresh_page(m, at, r.end - at < PAGE ? r.end - at : PAGE);
    put_marks(m);
}

static void remove_break(struct machine *m, uint64_t pc)
{
    struct text *t = text_of(m);
    for (unsigned i = 0; i < t->break_count; i++)
        if (t->breaks[i] == pc)
            t->breaks[i--] = t->breaks[--t->break_count];
    decode_at(m, pc);
    put_marks(m);
}

static bool is_code(const struct machine *m, uint64_t pc)
{
    return pc % 2 == 0 && pc >= m->text_range.start && pc < m->text_range.end &&
           machine_executable(m, pc, 2);
}

bool text_break(struct machine *m, uint64_t pc, bool set)
{
    struct text *t = text_of(m);
    if (!is_code(m, pc))
        return false;
    remove_break(m, pc);
    if (!set)
        return true;
    if (t->break_count == BREAKPOINTS_MAX)
        return false;
    t->breaks[t->break_count++] = pc;
    put_ebreak(m, pc);
    return true;
}

/* ---- marks ---- */

bool text_mark(struct machine *m, uint64_t pc, bool set)
{
    struct text *t = text_of(m);
    if (!is_code(m, pc))
        return false;
    for (uint32_t i = 0; i < t->mark_count; i++)
        if (t->marks[i] == pc)
            t->marks[i--] = t->marks[--t->mark_count];
    if (set && t->mark_count == t->mark_room) {
        t->mark_room = t->mark_room ? 2 * t->mark_room : 16;
        t->marks = heap_resize(t->marks, t->mark_room, sizeof *t->marks,
                               "the debugger");
    }
    if (set)
        t->marks[t->mark_count++] = pc;
    decode_at(m, pc);
    put_marks(m);
    return true;
}

/* Data that happen to be executable are among them: of these nothing is told,
 * as no hart executes them. */
void text_mark_accesses(struct machine *m, bool set)
{
    struct range r = m->text_range;
    if (text_of(m)->marks_accesses == set)
        return;
    text_of(m)->marks_accesses = set;
    for (uint64_t pc = r.start; pc < r.end; pc += 2)
        if (insn_at(m, pc)->len)
            decode_at(m, pc);
    put_marks(m);
}

/* ---- checkpoints ---- */

/*
 * Memory is for a moment as it was when it was decoded, so that the same
 * instructions come out of it.
 */
static void decode_old(struct machine *m, const uint8_t *old)
{
    uint64_t bytes = m->text_range.end - m->text_range.start;
    uint8_t *memory = machine_at(m, m->text_range.start);
    uint8_t *newer = heap_new(bytes, 1, "a checkpoint");
    memcpy(newer, memory, bytes);
    memcpy(memory, old, bytes);
    text_refresh(m);
    memcpy(memory, newer, bytes);
    free(newer);
}

/* What was decoded may be older than what is in memory by now. */
static void text_state(struct machine *m, struct state *s)
{
    uint64_t bytes = m->text_range.end - m->text_range.start;
    if (!m->text_changes)
        return;
    uint8_t *old = heap_new(bytes, 1, "a checkpoint");
    memcpy(old, text_of(m)->copy, bytes);
    state_bytes(s, old, bytes);
    if (s->loading && !s->failed)
        decode_old(m, old);
    free(old);
}

static void text_free(struct machine *m)
{
    struct text *t = text_of(m);
    munmap(t->decoded, text_bytes(m) / 2 * sizeof *t->decoded);
    munmap(t->copy, text_bytes(m));
    free(t->marks);
    free(t);
    machine_share(m, &text_kind, NULL);
}

static const struct shared_kind text_kind = {
    .state = text_state,
    .free = text_free,
};
