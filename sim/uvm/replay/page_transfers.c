/*
 * Vectors of transfers: for each turn of a case the addresses that fault in it;
 * the transfers that the prefetcher makes of them. A case is one allocation at
 * address 0 and its turns, in lines one below the other.
 */
#include "sim/core/heap.h"
#include "sim/uvm/curve.h"
#include "sim/uvm/replay/page_replay.h"
#include "sim/uvm/uvm.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CASE,
    PREFETCHER,
    ALLOCATION,
    TURN,
    FAULTS,
    ORDER,
    START,
    BYTES,
    ENDS,
    CYCLES
};

#define CYCLES_FRONT "channel_cycles_"
#define CYCLES_BACK "MHz"
#define ALLOCATION_MAX (64ull << 30)

#define PREFETCHER_TEXT(name) " " #name
#define PREFETCHER_NAME(name) #name,
static const char *const prefetchers[] = {
    UVM_PREFETCHES(PREFETCHER_NAME, PREFETCHER_NAME)};

/* What names a case: the cells of the line in which it began. */
struct key {
    const char *cells[TURN];
};

struct run {
    struct sheet *s;
    const struct replay_options *options;
    FILE *out;
    struct uvm_curve curve;
    struct uvm_stats stats;
    struct uvm *u; /* of the case, NULL: none began yet */
    struct key key;
    uint64_t end, turn;
    const char *faults; /* of the turn */
    struct key *seen;   /* by hash, open addressing */
    size_t room, count;
};

/* ---- cases ---- */

static bool same_key(const struct key *k, const char *const *cells)
{
    for (unsigned i = 0; i < TURN; i++)
        if (strcmp(k->cells[i], cells[i]) != 0)
            return false;
    return true;
}

/* Where a case is among those seen, or would be. */
static struct key *find(const struct run *r, const char *const *cells)
{
    uint64_t hash = 14695981039346656037u;
    for (unsigned i = 0; i < TURN; i++)
        for (const char *c = cells[i]; *c; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    for (size_t at = hash % r->room;; at = (at + 1) % r->room)
        if (!r->seen[at].cells[0] || same_key(&r->seen[at], cells))
            return &r->seen[at];
}

static void make_room(struct run *r)
{
    struct key *old = r->seen;
    size_t room = r->room;
    r->room = room ? 2 * room + 1 : 63;
    r->seen = heap_new(r->room, sizeof *r->seen, "the cases");
    for (size_t i = 0; i < room; i++)
        if (old[i].cells[0])
            *find(r, old[i].cells) = old[i];
    free(old);
}

static bool read_prefetcher(const struct sheet *s, enum uvm_prefetch *how)
{
    const char *name = s->cells[PREFETCHER];
    for (unsigned i = 0; i < sizeof prefetchers / sizeof *prefetchers; i++)
        if (!strcmp(name, prefetchers[i])) {
            *how = (enum uvm_prefetch)i;
            return true;
        }
    return sheet_wrong(
        s, PREFETCHER,
        "one of" UVM_PREFETCHES(PREFETCHER_TEXT, PREFETCHER_TEXT));
}

static bool begin_case(struct run *r)
{
    struct sheet *s = r->s;
    uint64_t bytes;
    struct uvm_options options = uvm_options_default(UVM_ROOT);
    if (2 * r->count >= r->room)
        make_room(r);
    struct key *place = find(r, s->cells);
    if (place->cells[0])
        return sheet_wrong(s, CASE, "a case whose lines are not further above");
    if (!read_prefetcher(s, &options.prefetch) ||
        !sheet_number(s, ALLOCATION, 1, ALLOCATION_MAX, &bytes))
        return false;
    memcpy(place->cells, s->cells, sizeof place->cells);
    r->key = *place;
    r->count++;
    r->end = corbel_managed_trees(bytes);
    if (r->end > options.device_bytes)
        options.device_bytes = r->end;
    options.seed = r->options->seed;
    uvm_free(r->u);
    r->u = uvm_new(&options, &r->stats);
    r->faults = NULL;
    return uvm_allocate(r->u, 0, bytes, s->error);
}

/* ---- turns ---- */

static void print_inputs(const struct run *r)
{
    for (unsigned i = CASE; i <= FAULTS; i++)
        fprintf(r->out, "%s,", r->s->cells[i]);
}

static void print_transfers(struct run *r)
{
    struct uvm_transfer t;
    unsigned order = 0;
    for (; uvm_next_read(r->u, &t); order++) {
        print_inputs(r);
        fprintf(r->out, "%u,0x%" PRIx64 ",%" PRIu64 ",%d,%" PRIu64 "%s", order,
                uvm_address(r->u, t.page), uvm_bytes(&t), t.ends_with_fault,
                uvm_curve_cycles(&r->curve, uvm_bytes(&t)), r->s->end);
        uvm_landed(r->u, &t);
    }
    if (!order) {
        print_inputs(r);
        fprintf(r->out, ",,,,%s", r->s->end);
    }
}

static bool begin_turn(struct run *r)
{
    const char *at = r->faults = r->s->cells[FAULTS];
    uint64_t address;
    int more;
    if (!*at)
        return sheet_wrong(r->s, FAULTS, "one address or more");
    while ((more = sheet_list(r->s, FAULTS, &at, r->end - 1, &address)) > 0)
        uvm_request(r->u, uvm_page(r->u, address), false);
    if (more < 0)
        return false;
    uvm_turn(r->u, uvm_take_faults(r->u, UINT32_MAX));
    print_transfers(r);
    return true;
}

/* The results are numbers, or there are none. */
static bool check_results(const struct sheet *s)
{
    uint64_t value;
    bool none = !*s->cells[ORDER];
    for (unsigned i = ORDER; i <= CYCLES; i++) {
        if (none && *s->cells[i])
            return sheet_wrong(s, i, "empty, as order is");
        if (!none && !sheet_number(s, i, 0, UINT64_MAX, &value))
            return false;
    }
    return true;
}

static bool line(struct run *r)
{
    struct sheet *s = r->s;
    uint64_t turn;
    if (!sheet_number(s, TURN, 0, UINT64_MAX, &turn) || !check_results(s))
        return false;
    if (!r->u || !same_key(&r->key, s->cells)) {
        if (!begin_case(r))
            return false;
    } else if (turn == r->turn) {
        return !strcmp(s->cells[FAULTS], r->faults) ||
               sheet_wrong(s, FAULTS, "those of the turn's first line");
    } else if (turn < r->turn) {
        return sheet_wrong(s, TURN, "no earlier than in the line above");
    }
    r->turn = turn;
    return begin_turn(r);
}

static bool run(struct sheet *s, const struct replay_options *options,
                FILE *out)
{
    struct run r = {.s = s, .options = options, .out = out};
    const char *clock = s->names[CYCLES] + strlen(CYCLES_FRONT);
    double mhz;
    if (!text_positive(clock, clock + strlen(clock) - strlen(CYCLES_BACK),
                       &mhz))
        return error_set(s->error,
                         "%.200s:1: '%.60s' has to name a clock above 0 and at "
                         "most 1000000 MHz, as in channel_cycles_1481MHz",
                         s->path, s->names[CYCLES]);
    r.curve = uvm_curve_default(mhz);
    r.curve.a = options->a;
    int more;
    while ((more = sheet_next(s)) > 0)
        if (!line(&r)) {
            more = -1;
            break;
        }
    uvm_free(r.u);
    free(r.seen);
    return more == 0;
}

const struct replay_kind replay_transfers = {
    .name = "transfers",
    .count = 10,
    .columns = {"case", "prefetcher", "allocation_bytes", "turn",
                "faulting_bytes", "order", "start", "bytes", "ends_with_fault",
                CYCLES_FRONT "*" CYCLES_BACK},
    .run = run,
};
