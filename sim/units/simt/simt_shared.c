/*
 * Memory that groups share, inside the SM. Its bytes are those of the machine's
 * memory that the runtime has given to the groups of this SM (struct
 * group_windows), which only its harts touch: so they are read and written in
 * place, when the instruction issues. Words of `shared_width` bytes lie in
 * banks in turn. In a cycle each bank gives one word, to all lanes that want
 * it; an access takes as many cycles as the bank has words to give from which
 * most are wanted. Atomics of lanes on one word take one each. Where lanes want
 * more than a word, a part of the warp goes after the other.
 */
#include "sim/units/common/access_rules.h"
#include "sim/units/simt/simt_private.h"

void simt_find_window(struct simt *t)
{
    const struct group_windows *g = &t->machine->groups;
    t->groups = group_windows_all(g);
    t->window = group_window(g, t->first_hart);
}

uint64_t simt_in_window(const struct simt *t, const struct isa_lanes *l,
                        uint64_t lanes)
{
    uint64_t start = t->window.start, bytes = t->window.end - start, in = 0;
    for (uint64_t m = lanes; m && bytes; m &= m - 1)
        in |= (uint64_t)(l->at[first_of(m)] - start < bytes) << first_of(m);
    return in;
}

/* ---- banks ---- */

enum { BANKS = 64, WORDS = 3 * ISA_LANES }; /* 8 bytes lie in 3 words of 4 */

/* Words that are wanted, in chains by their bank. */
struct wanted {
    uint64_t word[WORDS];
    uint8_t before[WORDS]; /* in its bank, by place + 1 */
    uint8_t last[BANKS], count[BANKS];
    unsigned words, most;
};
_Static_assert(WORDS <= UINT8_MAX, "places are bytes");

static void want(struct wanted *all, uint64_t word, unsigned bank, bool alone)
{
    for (unsigned i = alone ? 0 : all->last[bank]; i; i = all->before[i - 1])
        if (all->word[i - 1] == word)
            return;
    all->word[all->words] = word;
    all->before[all->words] = all->last[bank];
    all->last[bank] = (uint8_t)++all->words;
    if (++all->count[bank] > all->most)
        all->most = all->count[bank];
}

/* Cycles for some lanes. */
static unsigned cycles_of(const struct simt *t, const struct isa_lanes *l,
                          uint64_t lanes)
{
    uint64_t width = (uint64_t)t->params.shared_width,
             banks = (uint64_t)t->params.shared_banks;
    struct wanted all;
    memset(all.last, 0, sizeof all.last);
    memset(all.count, 0, sizeof all.count);
    all.words = all.most = 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        uint64_t at = l->at[first_of(m)], last = (at + l->size - 1) / width;
        for (uint64_t word = at / width; word <= last; word++)
            want(&all, word, (unsigned)(word % banks), l->access >= ISA_LR);
    }
    return all.most;
}

/* Cycles for all; parts: into how many the warp was cut. */
static unsigned all_cycles(const struct simt *t, const struct isa_lanes *l,
                           uint64_t lanes, unsigned *parts)
{
    unsigned words = (unsigned)((l->size + t->params.shared_width - 1) /
                                t->params.shared_width);
    unsigned each = (t->width + words - 1) / words, cycles = 0;
    *parts = 0;
    for (unsigned first = 0; first < t->width; first += each) {
        uint64_t part = lanes >> first & (~0ull >> (64 - each));
        if (!part)
            continue;
        cycles += cycles_of(t, l, part << first);
        ++*parts;
    }
    return cycles;
}

/* ---- accesses ---- */

static void note(const struct simt *t, const struct hart *h,
                 const struct isa_lanes *l, unsigned lane, uint64_t now,
                 enum check_kind kind, uint64_t value)
{
    if (!t->machine->check_logs)
        return;
    struct check_record record = {.kind = (uint8_t)kind,
                                  .hart = h->isa.id,
                                  .issued = now,
                                  .pc = l->pc,
                                  .addr = l->at[lane],
                                  .value = value,
                                  .mask = kind == CHECK_PERFORMED &&
                                          l->access >= ISA_LR,
                                  .size = l->size};
    check_note(t->machine, &t->unit, &record);
}

/* Others that have reserved a sector lose it as it is written to. */
static void wrote(struct simt *t, uint64_t address, uint32_t slot)
{
    bool kept = false;
    if (!t->shared_reserved)
        return;
    for (uint32_t i = 0; i < t->hart_count; i++) {
        uint64_t sector = t->reserved[i];
        if (sector == address / SECTOR && i != slot)
            t->reserved[i] = ~0ull;
        else
            kept |= sector != ~0ull;
    }
    t->shared_reserved = kept;
}

static void access_lane(struct simt *t, struct simt_warp *w, unsigned lane,
                        const struct isa_insn *insn, const struct isa_lanes *l,
                        uint64_t now)
{
    const struct hart *h = hart_of(t, w, lane);
    uint8_t *at = machine_at(t->machine, l->at[lane]);
    uint64_t old = access_bytes(at, l->size);
    if (l->access == ISA_SC && simt_sc_fails(t, w, lane, insn, l))
        return;
    if (l->access == ISA_STORE) {
        note(t, h, l, lane, now, CHECK_STORE, l->value[lane]);
        memcpy(at, &l->value[lane], l->size);
    } else {
        uint64_t value = access_in_core(at, l->access, l->size, l->value[lane]);
        if (l->access != ISA_SC)
            note(t, h, l, lane, now,
                 l->access == ISA_LOAD ? CHECK_LOAD : CHECK_OLD, old);
        simt_load_done(t, lane, insn, value);
    }
    if (l->access == ISA_LOAD)
        return;
    if (l->access == ISA_LR) {
        t->reserved[slot_of(t, w, lane)] = l->at[lane] / SECTOR;
        t->shared_reserved = true;
        return;
    }
    note(t, h, l, lane, now, CHECK_PERFORMED, access_bytes(at, l->size));
    wrote(t, l->at[lane], slot_of(t, w, lane));
}

/* Sub-cores take turns: an access begins when the one before has been given
 * its words. The sub-core's load-store unit is busy as long. */
void simt_access_shared(struct simt *t, struct simt_warp *w,
                        const struct isa_insn *insn, const struct isa_lanes *l,
                        uint64_t lanes, uint64_t now)
{
    unsigned parts, cycles = all_cycles(t, l, lanes, &parts);
    uint64_t *unit = &subcore_of(t, w)->unit_free[t->params.unit[insn->cls]];
    uint64_t begin = t->shared_free > t->begin ? t->shared_free : t->begin;
    uint64_t there = begin + cycles - 1 + (uint64_t)t->params.shared_latency;
    for (uint64_t m = lanes; m; m &= m - 1)
        access_lane(t, w, first_of(m), insn, l, now);
    t->stats.shared += lane_count(lanes);
    t->stats.shared_accesses++;
    t->stats.shared_conflicts += cycles - parts;
    t->shared_free = begin + cycles;
    if (*unit < t->shared_free)
        *unit = t->shared_free;
    for (uint64_t m = there > now + 1 ? insn->writes : 0; m; m &= m - 1) {
        w->timed |= bit(first_of(m));
        w->ready[first_of(m)] = there;
    }
}
