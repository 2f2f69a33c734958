/*
 * The scene buffer as a unit: requests of caches, the account, the tables. Its
 * slots are in scenebuffer_slots.c.
 */
#include "sim/core/memory_role.h"
#include "sim/units/streams/scenebuffer_private.h"
#include "sim/units/units.h"

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, SCENEBUFFER_CPUS, "what L1s miss of treelets"},
    [COMMAND] = {"command", false, 1, "treelets to be fetched and retired"},
    [DATA] = {"data", false, 64, "sectors of main memory, in mem's order"},
    [REPLY] = {"reply", true, SCENEBUFFER_CPUS, "answers, in cpu's order",
               .answers = true},
    [COMPLETE] = {"complete", true, 1, "treelets that are there",
                  .answers = true},
    [MEM] = {"mem", true, 64, "requests for sectors, one link a partition"},
};

/* ---- requests of caches ---- */

/* Where a byte of the scene lies in the buffer; false: it does not. */
static bool place_of(const struct scenebuffer *s, uint64_t address,
                     uint64_t *place)
{
    uint64_t within = address - s->start;
    uint64_t segment = s->bytes ? within / s->bytes : s->treelets;
    const struct slot *slot = address >= s->start && segment < s->treelets
                                  ? scenebuffer_find(s, (uint32_t)segment)
                                  : NULL;
    *place = within;
    if (slot)
        *place = (uint64_t)(slot - s->slot) * s->bytes + within % s->bytes;
    return slot;
}

/* Small loads take their value along, as they do from an L2. */
static struct msg reply_to(struct scenebuffer *s, const struct msg *m,
                           bool there)
{
    struct msg reply = *m;
    reply.flags = reply.aux = 0;
    reply.value = 0;
    if (!there) {
        s->stats.refused++;
        reply.op = MEM_FAULT;
        reply.aux = m->op;
        reply.value = s->unit.id;
        return reply;
    }
    reply.op = (uint8_t)mem_answer_to(m->op);
    s->stats.bytes_out += m->size;
    if (m->size <= sizeof reply.value)
        memcpy(&reply.value, machine_at(s->machine, m->addr), m->size);
    return reply;
}

/* Takes the first request of a port, if its bank has none in this cycle. */
static bool take_request(struct scenebuffer *s, uint32_t port, uint64_t now,
                         uint64_t *banks)
{
    struct inport *in = &s->unit.in[CPU][port];
    uint64_t place;
    bool there = place_of(s, link_peek(in)->addr, &place);
    uint64_t bank = UINT64_C(1) << (place / SCENEBUFFER_LINE &
                                    ((uint64_t)s->params.banks - 1));
    if (*banks & bank) {
        s->stats.conflicts++;
        return false;
    }
    *banks |= bank;
    uint32_t at = ring_add(&s->taken_order);
    s->taken[at] = (struct taken){.due = now + (uint64_t)s->params.latency,
                                  .port = port,
                                  .reply = reply_to(s, link_read(in), there)};
    trip_last(&s->taken[at].reply, SERVED_buffer, now);
    s->stats.reads++;
    s->worked = true;
    return true;
}

/* The first port that is served, with its turn, is that after which the next
 * cycle begins. */
static void take_requests(struct scenebuffer *s, uint64_t now)
{
    const uint64_t *pending = unit_pending(&s->unit, CPU);
    uint32_t links = s->unit.links[CPU], first = s->next_port;
    uint64_t banks = 0;
    for (uint32_t n = 0; n < links; n++) {
        uint32_t port = first + n < links ? first + n : first + n - links;
        if (!(pending[port / 64] >> port % 64 & 1))
            continue;
        bool alone = !banks;
        if (take_request(s, port, now, &banks) && alone)
            s->next_port = port_after(port, links);
    }
    s->leftover |= mask_any(pending, (links + 63) / 64);
}

static void answer_due(struct scenebuffer *s, uint64_t now)
{
    while (s->taken_order.count && s->taken[s->taken_order.head].due <= now) {
        struct taken *t = &s->taken[s->taken_order.head];
        trip_until(&t->reply, LEG_memory_front, now);
        link_push(&s->unit.out[REPLY][t->port], &t->reply);
        ring_drop(&s->taken_order);
        s->worked = true;
    }
}

/* ---- a cycle ---- */

static void scenebuffer_receive(struct unit *u, uint64_t now)
{
    struct scenebuffer *s = (struct scenebuffer *)u;
    s->leftover = false;
    scenebuffer_take_sectors(s);
    scenebuffer_take_commands(s);
    take_requests(s, now);
}

static uint64_t next_event(const struct scenebuffer *s, uint64_t now)
{
    if (s->leftover || s->again)
        return now + 1;
    return s->taken_order.count ? s->taken[s->taken_order.head].due
                                : CYCLE_NEVER;
}

static bool waits(const struct scenebuffer *s)
{
    return s->taken_order.count || s->awaited || s->commands_order.count;
}

static uint64_t scenebuffer_send(struct unit *u, uint64_t now)
{
    struct scenebuffer *s = (struct scenebuffer *)u;
    answer_due(s, now);
    scenebuffer_run(s, now);
    uint64_t *rest = waits(s) ? &s->stats.waiting : &s->stats.idle;
    account_tick(&s->account, now, s->worked ? &s->stats.busy : rest, rest);
    s->worked = false;
    return next_event(s, now);
}

static void close_account(struct unit *u, uint64_t now)
{
    struct scenebuffer *s = (struct scenebuffer *)u;
    account_switch(&s->account, now, s->account.bucket);
    scenebuffer_book_slots(s, now);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct scenebuffer *s = (const struct scenebuffer *)u;
    if (waits(s))
        fprintf(out,
                "%s: %u of %u slots in use, %u commands waiting, %u treelets "
                "not all there, %u requests under way\n",
                u->name, s->used, s->slots, s->commands_order.count, s->awaited,
                s->taken_order.count);
}

/* ---- its place on the way to memory ---- */

static unsigned link_for(const struct unit *u, uint64_t address)
{
    return map_slice(&((const struct scenebuffer *)u)->map, address);
}

static const struct memory_role role = {.next = MEM, .link = link_for};

/* It names the first of the links to main memory. */
static const struct outport *waits_for(const struct unit *u)
{
    return ((const struct scenebuffer *)u)->awaited ? u->out[MEM] : NULL;
}

#define PARAM_STRUCT struct scenebuffer_params
#define STAT_STRUCT struct scenebuffer_stats
static const struct param param_rows[] = {SCENEBUFFER_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {SCENEBUFFER_STATS(STAT_ROW)
                                                SCENEBUFFER_TRIPS(TRIP_ROWS)};
TRIP_KINDS(SCENEBUFFER_TRIPS)
static const struct stat_row bucket_rows[] = {SCENEBUFFER_BUCKETS(BUCKET_ROW)};

/* All that waits is known by numbers: what it points to are its own arrays. */
#define STATE_STRUCT struct scenebuffer
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket), STATE_POINTER(machine),
    STATE_POINTER(free),           STATE_POINTER(slot),
    STATE_POINTER(chains),         STATE_POINTER(commands),
    STATE_POINTER(fills),          STATE_POINTER(channels),
    STATE_POINTER(done),           STATE_POINTER(taken)};

static const struct figure_row figures[] = {
    {.name = "slots_mean",
     .unit = "slots",
     .over = {COUNTER(slot_cycles)},
     .under = {COUNTER(busy), COUNTER(waiting), COUNTER(idle)},
     .said = "%.1f slots in use",
     .scale = 1},
};

const struct unit_kind scenebuffer_kind = {
    .name = "scenebuffer",
    .meaning = "holds the treelets that are being traced",
    .size = sizeof(struct scenebuffer),
    .params = offsetof(struct scenebuffer, params),
    .stats = offsetof(struct scenebuffer, stats),
    UNIT_TABLES,
    TRIP_TABLE,
    UNIT_STATE,
    .memory = &role,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = scenebuffer_build,
    .receive = scenebuffer_receive,
    .send = scenebuffer_send,
    .launch = scenebuffer_launch,
    .reads = scenebuffer_reads,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
};
