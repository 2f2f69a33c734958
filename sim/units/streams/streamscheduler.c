/* The stream scheduler: what is taken and what is sent in a cycle. */
#include "sim/units/streams/streamscheduler_private.h"
#include <corbel/scene.h>

static const struct port_row ports[] = {
    [TM] = {"tm", false, TMS_MAX, "requests of the staging buffers"},
    [BUCKET] = {"bucket", true, TMS_MAX, "buckets, in tm's order",
                .answers = true},
    [MEM] = {"mem", true, 128, "requests to the partitions' memories"},
    [DATA] = {"data", false, 128, "their answers, in mem's order"},
    [FLUSH] = {"flush", true, 128, "the end of a kernel, to the hit updaters",
               .answers = true},
    [COMMAND] = {"command", true, 1, "to the scene buffer"},
    [COMPLETE] = {"complete", false, 1, "segments that are there"},
};

void streamscheduler_refuse(struct streamscheduler *s, enum refusal why,
                            uint32_t segment)
{
    if (s->refused)
        return;
    s->refused = (uint8_t)why;
    s->refused_segment = segment;
    s->refused_by = s->unit.id;
    s->fault =
        why == REFUSAL_HEAP ? s->heap_end : streamscheduler_treelet(s, segment);
}

void streamscheduler_pass_refusal(struct streamscheduler *s,
                                  const struct msg *m)
{
    if (s->refused)
        return;
    s->refused = REFUSAL_BELOW;
    s->refused_by = (uint32_t)m->value;
    s->fault = m->addr;
}

uint64_t streamscheduler_treelet(const struct streamscheduler *s,
                                 uint32_t segment)
{
    const struct corbel_scene *scene = s->machine->scene;
    if (!scene)
        return 0;
    return s->machine->scene_address + scene->nodes_offset +
           (uint64_t)segment * scene->treelet_bytes;
}

void streamscheduler_book_candidates(struct streamscheduler *s, uint64_t now)
{
    s->stats.candidate_cycles +=
        s->policy.candidate_count * (now - s->candidates_from);
    s->candidates_from = now;
}

/* ---- the phases of a cycle ---- */

static void streamscheduler_receive(struct unit *u, uint64_t now)
{
    struct streamscheduler *s = (struct streamscheduler *)u;
    channels_take_data(s);
    centre_take_fetched(s);
    bool first = !s->started; /* it may be now; before there were none */
    if (first)
        streamscheduler_book_candidates(s, now);
    if (mask_any(unit_pending(u, TM), (u->links[TM] + 63u) / 64))
        banks_take(s);
    if (first && s->started)
        s->began = now;
}

/* Whatever frees what waits has moved something, so the unit runs again in the
 * next cycle. */
static uint64_t streamscheduler_send(struct unit *u, uint64_t now)
{
    struct streamscheduler *s = (struct streamscheduler *)u;
    s->wait = s->under_way ? &s->stats.memory : &s->stats.idle;
    if (s->started) {
        channels_deliver(s);
        centre_run(s, now);
        banks_flush(s);
        channels_run(s);
    }
    bool moved = s->moved;
    s->moved = false;
    account_tick(&s->account, now, moved ? &s->stats.busy : s->wait, s->wait);
    return moved ? now + 1 : CYCLE_NEVER;
}

/* ---- kernels ---- */

static void forget_channels(struct streamscheduler *s)
{
    for (uint32_t i = 0; i < s->channel_count; i++) {
        struct channel *c = &s->channels[i];
        c->order.head = c->order.count = 0;
        c->sent = c->used = c->freed_count = 0;
    }
    s->under_way = s->in_heap = 0;
}

static void forget_banks(struct streamscheduler *s)
{
    for (uint32_t i = 0; i < s->bank_count; i++) {
        struct bank *b = &s->banks[i];
        b->to_flush.count = b->to_write.count = 0;
        b->next_tm = 0;
    }
    s->to_flush = s->to_write = s->next_bank = s->next_tm = 0;
    s->buckets_used = s->spare.count = 0;
}

static void forget_clients(struct streamscheduler *s)
{
    for (uint32_t i = 0; i < s->client_count; i++)
        s->clients[i] = client_new();
    memset(s->due, 0, sizeof s->due);
    s->loads_order.head = s->loads_order.count = 0;
}

/* The segments are begun with by the kernel's first message: most kernels have
 * nothing to do with streams. */
static void launch(struct unit *u, uint64_t now)
{
    struct streamscheduler *s = (struct streamscheduler *)u;
    streamscheduler_book_candidates(s, now);
    account_switch(&s->account, now, &s->stats.idle);
    s->kernel++;
    s->started = s->announced = s->ended = false;
    s->refused = REFUSAL_NONE;
    s->roots = s->roots_come = 0;
    policy_start(&s->policy, 0);
    forget_channels(s);
    forget_banks(s);
    forget_clients(s);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct streamscheduler *s = (struct streamscheduler *)u;
    account_switch(&s->account, now, s->account.bucket);
    streamscheduler_book_candidates(s, now);
}

/* ---- what it waits for ---- */

static void explain_segment(const struct streamscheduler *s, uint32_t number,
                            FILE *out)
{
    const struct policy_segment *p = &s->policy.segments[number];
    uint32_t open = p->opened - p->finished - p->out - p->written.count;
    fprintf(out,
            "; segment %u: %u of %u buckets traced, %u at TMs, "
            "%u to be read, %u not written%s%s",
            number, p->finished, p->opened, p->out, p->written.count, open,
            p->parent_finished ? "" : ", its parent is not finished",
            p->opened && !p->fetched ? ", it is not fetched" : "");
}

/* Writes a line's part for each of the first candidates with rays. */
static void explain_segments(const struct streamscheduler *s, FILE *out)
{
    const struct policy *p = &s->policy;
    uint32_t said = 0, more = 0;
    for (uint32_t i = 0; i < p->candidate_count; i++) {
        if (!p->segments[p->candidates[i]].opened)
            continue;
        if (said < 4)
            explain_segment(s, p->candidates[i], out);
        more += said == 4;
        said += said < 4;
    }
    if (more)
        fprintf(out, "; and %u more segments", more);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct streamscheduler *s = (const struct streamscheduler *)u;
    const struct policy *p = &s->policy;
    if (!s->started || policy_is_done(p))
        return;
    fprintf(out, "%s: %u requests for a bucket wait", u->name,
            s->loads_order.count);
    if (!s->announced)
        fprintf(out, "; no hart has said how many roots there are");
    else if (!p->roots_seen)
        fprintf(out, "; %u of %u roots have come", s->roots_come, s->roots);
    explain_segments(s, out);
    fprintf(out, "\n");
}

/* It names the first of the links to main memory. */
static const struct outport *waits_for(const struct unit *u)
{
    const struct streamscheduler *s = (const struct streamscheduler *)u;
    return s->under_way && !s->on_chip ? u->out[MEM] : NULL;
}

/* ---- what it refuses ---- */

static void refusal(const struct unit *u, uint64_t address, char *text,
                    size_t size)
{
    const struct streamscheduler *s = (const struct streamscheduler *)u;
    const struct corbel_scene *scene = s->machine->scene;
    uint32_t segment = s->refused_segment;
    switch ((enum refusal)s->refused) {
    case REFUSAL_UNKNOWN:
        snprintf(text, size, "item of treelet %u, the scene has %u", segment,
                 scene ? scene->treelets : 0);
        return;
    case REFUSAL_OVER:
        snprintf(text, size, "item of treelet %u, which gets no more items",
                 segment);
        return;
    case REFUSAL_COMPLETE:
        snprintf(text, size,
                 "end of a bucket of treelet %u, of which no TM has one",
                 segment);
        return;
    case REFUSAL_HEAP:
        snprintf(text, size,
                 "buckets take more than %lld MiB: -s streamscheduler.heap=MIB",
                 (long long)s->params.heap);
        return;
    case REFUSAL_ROOTS:
        snprintf(text, size, "%u items of treelet 0, %u were announced",
                 s->roots_come, s->roots);
        return;
    case REFUSAL_AGAIN:
        snprintf(text, size,
                 "how many items of treelet 0 there are is announced twice");
        return;
    case REFUSAL_BELOW:
    case REFUSAL_NONE:
        return;
    }
}

/* ---- the kind ---- */

#define PARAM_STRUCT struct streamscheduler_params
#define STAT_STRUCT struct streamscheduler_stats
static const struct param param_rows[] = {STREAMSCHEDULER_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {
    STREAMSCHEDULER_STATS(STAT_ROW) STREAMSCHEDULER_TRIPS(TRIP_ROWS)};
TRIP_KINDS(STREAMSCHEDULER_TRIPS)
static const struct stat_row bucket_rows[] = {
    STREAMSCHEDULER_BUCKETS(BUCKET_ROW)};

/* wait is one of the statistics, like the bucket of an account. */
#define STATE_STRUCT struct streamscheduler
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),
    STATE_POINTER(machine),
    STATE_POINTER(policy.segments),
    STATE_POINTER(policy.waiting),
    STATE_POINTER(policy.candidates),
    STATE_POINTER(policy.next),
    STATE_POINTER(wait),
    STATE_POINTER(banks),
    STATE_POINTER(open),
    STATE_POINTER(buckets),
    STATE_POINTER(items),
    STATE_POINTERS(channels, jobs),
    STATE_POINTERS(channels, freed),
    STATE_POINTER(clients),
    STATE_POINTER(loads),
};

static const struct figure_row figures[] = {
    {.name = "items_per_root",
     .unit = "items",
     .over = {COUNTER(live)},
     .under = {COUNTER(live_roots)},
     .said = "%.2f items a root",
     .scale = 1},
    {.name = "rays_per_bucket",
     .unit = "rays",
     .over = {COUNTER(live)},
     .under = {COUNTER(opened)},
     .said = "%.1f rays a bucket",
     .scale = 1},
    {.name = "buckets_per_segment",
     .unit = "buckets",
     .over = {COUNTER(opened)},
     .under = {COUNTER(fetched)},
     .said = "%.1f buckets a segment",
     .scale = 1},
    {.name = "candidates_mean",
     .unit = "candidates",
     .over = {COUNTER(candidate_cycles)},
     .under = {COUNTER(busy), COUNTER(write_stall), COUNTER(no_bucket),
               COUNTER(not_fetched), COUNTER(channel_full), COUNTER(memory)},
     .said = "%.1f candidates",
     .scale = 1},
};

const struct unit_kind streamscheduler_kind = {
    .name = "streamscheduler",
    .meaning = "rays in buckets, by treelet",
    .size = sizeof(struct streamscheduler),
    .params = offsetof(struct streamscheduler, params),
    .stats = offsetof(struct streamscheduler, stats),
    UNIT_TABLES,
    TRIP_TABLE,
    UNIT_STATE,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = streamscheduler_build,
    .reads = streamscheduler_reads,
    .keeps_scene = true,
    .receive = streamscheduler_receive,
    .send = streamscheduler_send,
    .launch = launch,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
    .refusal = refusal,
};
