/*
 * The streaming multiprocessor as a unit: the two phases of its cycles, its
 * accounts, and its tables.
 */
#include "sim/core/memory_role.h"
#include "sim/isa/served_shapes.h"
#include "sim/units/common/riscv_rows.h"
#include "sim/units/simt/simt_private.h"
#include "sim/units/units.h"

/* clang-format off */
#define PORT_ROWS(request, out, answer, in, links, requests, answers)          \
    [answer] = {in, false, links, answers},                                    \
    [request] = {out, true, links, requests},
/* clang-format on */
static const struct port_row ports[] = {SIMT_PAIRS(PORT_ROWS)};

static uint64_t accounts(const struct unit *u)
{
    return ((const struct simt *)u)->warp_count;
}

/* ---- cycles ---- */

/* The next cycle in which a sub-core may issue. */
static uint64_t next_of(const struct simt_subcore *s, uint64_t now)
{
    uint64_t next = CYCLE_NEVER;
    for (unsigned unit = 0; s->ready && unit < SIMT_UNITS; unit++)
        if (s->ready & s->of_unit[unit] && s->unit_free[unit] < next)
            next = s->unit_free[unit];
    if (next < s->port_free)
        next = s->port_free;
    if (s->timed && s->wake < next)
        next = s->wake;
    return next > now ? next : now + 1;
}

/* Sends what the sub-cores do besides issuing. Returns whether something of it
 * waits for the port. */
static bool send_acts(struct simt *t, uint64_t now)
{
    bool stuck = false;
    for (unsigned i = 0; i < t->subcore_count; i++) {
        struct simt_subcore *s = &t->subcores[i];
        if (s->acting)
            simt_act(t, s, now);
        stuck |= s->acting > 0;
    }
    return stuck;
}

/* How a sub-core issues, and what takes an answer: those of an SM that is
 * watched look at it besides. */
typedef void issue_fn(struct simt *, struct simt_subcore *, uint64_t);
typedef void use_fn(struct simt *, const struct msg *, uint64_t);

/* Is every sub-core to be looked at in each cycle? */
static inline bool looks(const struct simt *t, issue_fn *one)
{
    return one != simt_issue_one || t->fetches;
}

/* Issues, and returns the next cycle in which there may be more to do. */
static inline uint64_t issue(struct simt *t, uint64_t now, issue_fn *one)
{
    uint64_t next = CYCLE_NEVER;
    for (unsigned i = 0; i < t->subcore_count; i++) {
        struct simt_subcore *s = &t->subcores[i];
        if (!(s->ready | s->timed) && !s->changed)
            continue;
        if (now >= s->due || s->changed || looks(t, one)) {
            one(t, s, now);
            s->due = next_of(s, now);
        }
        uint64_t then = s->acting ? now + 1 : s->due;
        next = then < next ? then : next;
    }
    return next;
}

/*
 * What was queued before this cycle leaves; then what this one brings. As long
 * as something is queued the SM runs in each cycle.
 */
static inline uint64_t send(struct simt *t, uint64_t now, issue_fn *one)
{
    if (!t->started)
        simt_begin(t);
    if (t->memory.count)
        simt_send_requests(t, now);
    if (t->next.count | t->ray.count)
        simt_send_served(t, now);
    if (t->asked.count)
        simt_send_fetches(t, now);
    bool stuck = send_acts(t, now);
    uint64_t next = issue(t, now, one);
    bool more = stuck || t->memory.count || t->next.count || t->ray.count ||
                t->asked.count;
    return more ? now + 1 : next;
}

static uint64_t simt_send(struct unit *u, uint64_t now)
{
    return send((struct simt *)u, now, simt_issue_one);
}

/* All answers that have come. */
static inline void take_row(struct simt *t, unsigned row, uint64_t now,
                            use_fn *use)
{
    const uint64_t *pending = unit_pending(&t->unit, row);
    while (t->unit.links[row] && *pending)
        use(t, link_read(&t->unit.in[row][first_of(*pending)]), now);
}

static inline void receive(struct simt *t, uint64_t now, use_fn *use_data,
                           use_fn *use_answer, use_fn *use_code)
{
    take_row(t, DATA, now, use_data);
    if (!t->unit.filled)
        return;
    take_row(t, INDEX, now, use_answer);
    take_row(t, HIT, now, use_answer);
    take_row(t, CODE, now, use_code);
}

static void simt_receive(struct unit *u, uint64_t now)
{
    receive((struct simt *)u, now, simt_use_data, simt_use_answer,
            simt_use_code);
}

/* ---- accounts ---- */

static void simt_close(struct unit *u, uint64_t now)
{
    struct simt *t = (struct simt *)u;
    for (unsigned i = 0; i < t->subcore_count; i++)
        simt_book_slot(t, &t->subcores[i], now);
    for (uint32_t i = 0; i < t->warp_count; i++) {
        struct simt_warp *w = &t->warps[i];
        book(t, w, now);
        simt_book_lanes(t, w);
        for (unsigned k = 0; k < w->path_count; k++)
            simt_settle(t, w, &w->paths[k]);
    }
    for (uint32_t i = 0; i < t->hart_count; i++)
        work_goes_on(t->machine, u, &t->works[i], t->works[i].work, now);
    t->stats.lane_slots = t->stats.warp_instructions * t->width;
    t->stats.slot_issued = t->stats.issued;
    t->stats.slots = 0;
    for (unsigned i = 0; i < SLOTS; i++)
        t->stats.slots += slot_counters(t)[i];
}

/* ---- watched ---- */

static void watched_receive(struct unit *u, uint64_t now)
{
    struct simt *t = (struct simt *)u;
    simt_watch_begins(t, now);
    receive(t, now, simt_watch_data, simt_watch_answer, simt_watch_code);
}

static uint64_t watched_send(struct unit *u, uint64_t now)
{
    struct simt *t = (struct simt *)u;
    if (!t->started) {
        simt_begin(t);
        simt_watch_start(t);
    }
    simt_watch_begins(t, now);
    simt_watch_looks(t, now);
    uint64_t next = send(t, now, simt_watch_issue);
    uint64_t result = simt_watch_sent(t, now);
    return result < next ? result : next;
}

static void watched_close(struct unit *u, uint64_t now)
{
    simt_watch_begins((struct simt *)u, now);
    simt_close(u, now);
    simt_watch_close((struct simt *)u, now);
}

/* ---- what warps wait for, in words ---- */

static const char *wait_text(const struct simt_warp *w)
{
#define TEXT(name, role, unit, meaning) meaning,
    static const char *const texts[] = {SIMT_BUCKETS(TEXT)};
#undef TEXT
    return texts[w->bucket];
}

static void explain(const struct unit *u, FILE *out)
{
    const struct simt *t = (const struct simt *)u;
    for (uint32_t i = 0; i < t->warp_count; i++) {
        const struct simt_warp *w = &t->warps[i];
        if (!w->live && !w->accesses && !w->waiting)
            continue;
        fprintf(out,
                "%s: warp %u, %d lanes in %u paths: %s; %u instructions under "
                "way outside\n",
                u->name, i, (int)lane_count(w->live), path_count(w),
                wait_text(w), w->accesses);
    }
}

static const struct outport *waits_for(const struct unit *u)
{
    const struct simt *t = (const struct simt *)u;
    static const uint8_t rows[PRODUCERS] = {
        [MEMORY] = MEM, [RTCORE] = RAY, [SCHEDULER] = NEXT};
    for (unsigned i = 0; i < t->subcore_count; i++)
        if (t->subcores[i].fetching)
            return u->out[FETCH];
    for (uint32_t i = 0; i < t->warp_count; i++) {
        const struct simt_warp *w = &t->warps[i];
        for (unsigned p = 0; p < PRODUCERS; p++)
            if (w->waits_for[p] && u->links[rows[p]])
                return u->out[rows[p]];
        if (w->accesses)
            return u->out[MEM];
    }
    return NULL;
}

/* ---- tables ---- */

#define PARAM_STRUCT struct simt_params
#define STAT_STRUCT struct simt_stats
#define UNIT_NAMES "=int|fp|sfu|mem"
/* clang-format off */
#define COUNT_ROW(name, meaning) RISCV_ISSUE_ROW(name, "of harts: " meaning)
#define CLASS_UNITS(X)                                                         \
    X(alu, int) X(branch, int) X(jump, int) X(imul, int) X(idiv, sfu)          \
    X(fadd, fp) X(fmul, fp) X(fma, fp) X(fdiv, sfu) X(fsqrt, sfu)              \
    X(fcmp, fp) X(fcvt, sfu) X(fmove, fp) X(load, mem) X(store, mem)           \
    X(amo, mem) X(fence, int) X(system, int)
#define UNIT_OF(name, of) enum { SIMT_UNIT_OF_##name = SIMT_UNIT_##of };
CLASS_UNITS(UNIT_OF)
#define UNIT_ROW(name, unit, meaning)                                          \
    RISCV_UNIT_ROW(name, SIMT_UNIT_##unit, SIMT_UNITS - 1, UNIT_NAMES,         \
                   "functional unit: " meaning)
#define CLASS_ROW(name, meaning)                                               \
    RISCV_LATENCY_ROW(name, "until the result may be used: " meaning)          \
    UNIT_ROW(name, OF_##name, meaning)
/* Accesses, fences and services have no result inside the SM. */
#define OTHER_ROW(name, meaning) UNIT_ROW(name, OF_##name, meaning)
/* A custom instruction that a unit serves goes through the load-store unit. */
#define CUSTOM_ROW_0(name, meaning)                                            \
    RISCV_LATENCY_ROW(name, "until the result may be used: " meaning)          \
    UNIT_ROW(name, sfu, meaning)
#define CUSTOM_ROW_1(name, meaning) UNIT_ROW(name, mem, meaning)
#define CUSTOM_ROW_OF(served) CUSTOM_ROW_##served
#define CUSTOM_ROW(served) CUSTOM_ROW_OF(served)

static const struct param param_rows[] = {
    SIMT_PARAMS(PARAM_ROW) ISA_EXTENSIONS(RISCV_EXTENSION_ROW)
    ISA_CORE_CLASSES(CLASS_ROW) ISA_MEMORY_CLASSES(OTHER_ROW)
    ISA_OTHER_CLASSES(OTHER_ROW)
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    CUSTOM_ROW(SERVED_##shape)(id, mnemonic)
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

static const int64_t lane_edges[] = {
     1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,
    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
    35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65};
_Static_assert(HISTOGRAM_RANGES(lane_edges) == ISA_LANES, "one for each lane");

static const struct stat_row stat_rows[] = {
    SIMT_STATS(STAT_ROW) SIMT_SLOTS(SIMT_SLOT_ROW)
    STAT_ROW(slots, "cycles", "of sub-cores: all that are slot_...")
    ISA_CLASSES(COUNT_ROW)
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    COUNT_ROW(id, mnemonic)
#include "sdk/isa/xtrav.def"
#undef XTRAV
    HISTOGRAM_ROW(lanes, lane_edges, "instructions", "lanes",
                  "warp instructions by active lanes")
    SIMT_TRIPS(TRIP_ROWS)
};
TRIP_KINDS(SIMT_TRIPS)
/* clang-format on */
static const struct stat_row bucket_rows[] = {SIMT_BUCKETS(BUCKET_ROW)};

#define SLOT_SHARE(slot, meaning)                                              \
    {.name = "share_" #slot,                                                   \
     .over = {COUNTER(slot_##slot)},                                           \
     .under = {COUNTER(slots)},                                                \
     .scale = 1,                                                               \
     .part = true},
static const struct figure_row figures[] = {
    {.name = "simt_efficiency_lanes",
     .over = {COUNTER(instructions)},
     .under = {COUNTER(warp_instructions)},
     .said = "%.1f active lanes",
     .scale = 1,
     .unit = "lanes"},
    {.name = "simt_efficiency",
     .over = {COUNTER(instructions)},
     .under = {COUNTER(lane_slots)},
     .said = "%.0f %% SIMT efficiency",
     .scale = 100},
    {.name = "sectors_per_access",
     .over = {COUNTER(sectors)},
     .under = {COUNTER(accesses)},
     .said = "%.1f sectors an access",
     .scale = 1,
     .unit = "sectors"},
    {.name = "conflicts_per_access",
     .over = {COUNTER(shared_conflicts)},
     .under = {COUNTER(shared_accesses)},
     .said = "%.1f conflicts an access to groups' memory",
     .scale = 1,
     .unit = "cycles"},
    {.name = "sectors_per_request",
     .over = {COUNTER(sectors)},
     .under = {COUNTER(requests)},
     .scale = 1,
     .unit = "sectors"},
    SIMT_SLOTS(SLOT_SHARE)};

#define STATE_STRUCT struct simt
static const struct state_row state_rows[] = {
    STATE_POINTER(subcores),
    STATE_POINTER(warps),
    STATE_POINTERS(warps, paths),
    STATE_POINTERS(warps, ready),
    STATE_POINTERS(subcores, l0),
    STATE_POINTER(asked_lines),
    STATE_POINTERS(subcores, bank_free),
    STATE_POINTERS(subcores, collector_free),
    STATE_POINTER(results),
    STATE_POINTER(ops),
    STATE_POINTERS(ops, at),
    STATE_POINTERS(ops, value),
    STATE_POINTERS(ops, request),
    STATE_POINTER(machine),
    STATE_POINTER(harts),
    STATE_POINTER(text),
    STATE_POINTER(schedule),
    STATE_POINTER(reconverge),
    STATE_POINTER(translates),
    STATE_POINTER(depth),
    STATE_POINTER(meetings),
    STATE_POINTER(postdom),
    STATE_POINTER(reserved),
    WORK_STATE STATE_POINTER(lanes),
    STATE_POINTERS(lanes, harts),
    STATE_POINTER(commits),
    STATE_POINTER(watch),
};

static const struct limit_row limits[] = {
    {.name = "issue slots",
     .room = "subcores",
     .used = {COUNTER(issued)},
     .also = {COUNTER(slot_arbitration)},
     .waits = {COUNTER(arbitration)},
     .work = "instructions"},
    {.name = "warp instructions",
     .sort = LIMIT_PROGRAM,
     .used = {COUNTER(instructions)},
     .under = {COUNTER(live_lanes)},
     .change = "lanes of warps that do not part"},
    {.name = "sectors",
     .sort = LIMIT_PROGRAM,
     .used = {COUNTER(sectors_least)},
     .under = {COUNTER(sectors)},
     .waits = {COUNTER(load_queued)},
     .reads = {COUNTER(load_accesses)},
     .change = "accesses of lanes side by side",
     .requests = true},
};

static const struct memory_role role = {.next = MEM};

/* What an SM and a watched one have in common. */
#define SIMT_KIND                                                              \
    .name = "simt", .meaning = "streaming multiprocessor: warps of harts",     \
    .size = sizeof(struct simt), .params = offsetof(struct simt, params),      \
    .stats = offsetof(struct simt, stats), UNIT_TABLES, UNIT_STATE,            \
    TRIP_TABLE, LIMIT_TABLE, .figure_rows = figures,                           \
    .figure_count = TABLE_COUNT(figures), .core = &simt_core, .memory = &role, \
    .accounts = accounts, .explain = explain, .waits_for = waits_for

static const struct unit_kind simt_watched_kind = {
    SIMT_KIND,
    .build = simt_watched_build,
    .keep = simt_watched_keep,
    .destroy = simt_watched_destroy,
    .receive = watched_receive,
    .send = watched_send,
    .close = watched_close,
    .trace = simt_trace,
};

const struct unit_kind simt_kind = {
    SIMT_KIND,
    .build = simt_build,
    .keep = simt_keep,
    .receive = simt_receive,
    .send = simt_send,
    .close = simt_close,
    .watched = &simt_watched_kind,
};
