/*
 * The slots of the scene buffer: commands of the scheduler, sectors that are
 * asked for and come, treelets that are there.
 *
 * Fetches are numbered in the order in which they begin. Each partition is
 * asked for its sectors of one after the other, at its own pace. A sector's
 * request carries the number of its fetch, so that what comes for a slot that
 * has been freed since is known and dropped.
 */
#include "sim/units/streams/scenebuffer_private.h"
#include <assert.h>

/* ---- slots by treelet ---- */

static uint32_t *chain_of(const struct scenebuffer *s, uint32_t segment)
{
    return &s->chains[segment & s->chain_mask];
}

static struct slot *find(const struct scenebuffer *s, uint32_t segment)
{
    uint32_t n = *chain_of(s, segment);
    while (n != NONE && s->slot[n].segment != segment)
        n = s->slot[n].next;
    return n == NONE ? NULL : &s->slot[n];
}

const struct slot *scenebuffer_find(const struct scenebuffer *s,
                                    uint32_t segment)
{
    const struct slot *slot = find(s, segment);
    return slot && !slot->left ? slot : NULL;
}

void scenebuffer_book_slots(struct scenebuffer *s, uint64_t now)
{
    s->stats.slot_cycles += s->used * (now - s->used_since);
    s->used_since = now;
}

static void enter(struct scenebuffer *s, uint32_t number, uint32_t segment)
{
    uint32_t *chain = chain_of(s, segment);
    s->slot[number] = (struct slot){.segment = segment,
                                    .fill = s->fill_count,
                                    .left = s->bytes / SECTOR,
                                    .next = *chain};
    *chain = number;
    s->free[number / 64] &= ~(UINT64_C(1) << number % 64);
    s->used++;
    s->awaited++;
}

static void leave(struct scenebuffer *s, uint32_t number)
{
    uint32_t *link = chain_of(s, s->slot[number].segment);
    while (*link != number)
        link = &s->slot[*link].next;
    *link = s->slot[number].next;
    s->free[number / 64] |= UINT64_C(1) << number % 64;
    s->used--;
    s->awaited -= s->slot[number].left > 0;
}

/* ---- a kernel starts ---- */

static void empty(struct scenebuffer *s)
{
    memset(s->chains, 0xff, (s->chain_mask + 1) * sizeof *s->chains);
    memset(s->free, 0, (s->room + 63) / 64 * sizeof *s->free);
    for (uint32_t i = 0; i < s->slots; i++)
        s->free[i / 64] |= UINT64_C(1) << i % 64;
    for (int64_t i = 0; i < s->params.map_parts; i++)
        s->channels[i] = (struct channel){.fill = s->fill_count};
    s->used = s->awaited = 0;
    s->commands_order.count = s->done_order.count = 0;
    s->fault.op = 0;
    s->fault_told = false;
}

/* Requests of caches are answered still: their MSHRs wait. */
void scenebuffer_launch(struct unit *u, uint64_t now)
{
    struct scenebuffer *s = (struct scenebuffer *)u;
    const struct machine *m = s->machine;
    scenebuffer_book_slots(s, now);
    s->kernel = stream_kernel(++s->launches);
    s->start = m->treelets.start;
    s->bytes = m->treelet_bytes;
    s->treelets =
        s->bytes ? (uint32_t)((m->treelets.end - s->start) / s->bytes) : 0;
    s->slots = s->bytes ? (uint32_t)(s->params.size / s->bytes) : 0;
    empty(s);
    account_switch(&s->account, now,
                   s->taken_order.count ? &s->stats.waiting : &s->stats.idle);
}

/* ---- commands ---- */

void scenebuffer_take_commands(struct scenebuffer *s)
{
    const uint64_t *pending = unit_pending(&s->unit, COMMAND);
    while (*pending && !ring_full(&s->commands_order)) {
        struct msg m = link_pop(&s->unit.in[COMMAND][0]);
        if (m.size != s->kernel)
            continue;
        s->commands[ring_add(&s->commands_order)] = m;
    }
    s->leftover |= *pending > 0;
}

/* Fetches of which some partition has not been asked all that it has. */
static uint32_t fills_left(const struct scenebuffer *s)
{
    uint32_t most = 0;
    for (int64_t i = 0; i < s->params.map_parts; i++)
        if (s->fill_count - s->channels[i].fill > most)
            most = s->fill_count - s->channels[i].fill;
    return most;
}

static uint32_t lowest_free(const struct scenebuffer *s)
{
    uint32_t w = 0;
    while (!s->free[w])
        w++;
    return w * 64 + (uint32_t)__builtin_ctzll(s->free[w]);
}

static void fetch(struct scenebuffer *s, uint32_t segment, uint64_t now)
{
    uint32_t number = lowest_free(s);
    scenebuffer_book_slots(s, now);
    enter(s, number, segment);
    s->fills[s->fill_count++ % (s->room + 1)] =
        (struct fill){.segment = segment, .slot = number};
    s->stats.fills++;
}

static void retire(struct scenebuffer *s, uint32_t segment, uint64_t now)
{
    const struct slot *slot = find(s, segment);
    if (!slot)
        return;
    scenebuffer_book_slots(s, now);
    leave(s, (uint32_t)(slot - s->slot));
    s->stats.retired++;
    s->stats.late += slot->left > 0;
}

/* A fetch that is a mistake of the scheduler. */
static bool refuse(struct scenebuffer *s, const struct msg *m)
{
    if (m->tag < s->treelets && !find(s, m->tag) && s->used < s->slots)
        return false;
    struct msg reply = *m;
    reply.op = MEM_FAULT;
    reply.aux = m->op;
    reply.value = s->unit.id;
    link_push(&s->unit.out[COMPLETE][0], &reply);
    return true;
}

static void run_command(struct scenebuffer *s, uint64_t now)
{
    const struct msg *m = &s->commands[s->commands_order.head];
    if (!s->commands_order.count)
        return;
    if (m->op == STREAM_RETIRE) {
        retire(s, m->tag, now);
    } else if (!refuse(s, m)) {
        if (fills_left(s) > s->room)
            return;
        fetch(s, m->tag, now);
    }
    ring_drop(&s->commands_order);
    s->again |= s->commands_order.count > 0;
    s->worked = true;
}

/* ---- sectors ---- */

static uint64_t address_of(const struct scenebuffer *s, uint32_t segment)
{
    return s->start + (uint64_t)segment * s->bytes;
}

/* Moves the channel on to its next sector of the fetch; false: it has had all
 * of them, or the slot has been freed. */
static bool seek(const struct scenebuffer *s, uint32_t number,
                 struct channel *c)
{
    const struct fill *f = &s->fills[c->fill % (s->room + 1)];
    uint64_t start = address_of(s, f->segment), end = start + s->bytes;
    const struct slot *slot = find(s, f->segment);
    if (!slot || slot->fill != c->fill)
        return false;
    if (!c->at)
        c->at = start;
    while (c->at < end && map_slice(&s->map, c->at) != number)
        c->at = (c->at | ((UINT64_C(1) << s->map.stride_shift) - 1)) + 1;
    return c->at < end;
}

static bool next_sector(const struct scenebuffer *s, uint32_t number,
                        struct channel *c)
{
    while (c->fill != s->fill_count) {
        if (seek(s, number, c))
            return true;
        c->fill++;
        c->at = 0;
    }
    return false;
}

static void ask(struct scenebuffer *s, uint32_t number)
{
    struct channel *c = &s->channels[number];
    struct outport *o = &s->unit.out[MEM][number];
    for (int64_t n = 0; next_sector(s, number, c) && link_ready(o); n++) {
        if (n == s->params.fetches) {
            s->again = true;
            return;
        }
        struct msg m = {.op = MEM_FILL,
                        .addr = c->at,
                        .size = SECTOR,
                        .tag = c->fill,
                        .aux = CLIENT_SCENE};
        trip_begin(&m, TRIP_sector, unit_now(&s->unit));
        link_push(o, &m);
        c->at += SECTOR;
        s->worked = true;
    }
}

/* The sector counts if its slot is still that of its fetch. */
static void take_sector(struct scenebuffer *s, const struct msg *m)
{
    struct slot *slot =
        s->bytes ? find(s, (uint32_t)((m->addr - s->start) / s->bytes)) : NULL;
    bool due = slot && slot->fill == m->tag;
    TRIP_END(&s->unit, &s->stats, m, unit_now(&s->unit));
    if (m->op == MEM_FAULT) {
        if (due && !s->fault.op)
            s->fault = *m;
        return;
    }
    s->stats.bytes_in += m->size;
    s->stats.writes++;
    if (!due || --slot->left)
        return;
    assert(s->awaited);
    s->awaited--;
    s->done[ring_add(&s->done_order)] = slot->segment;
}

void scenebuffer_take_sectors(struct scenebuffer *s)
{
    uint64_t *pending = unit_pending(&s->unit, DATA);
    for (uint32_t i = 0; i < s->unit.links[DATA]; i++)
        while (pending[i / 64] >> i % 64 & 1)
            take_sector(s, link_read(&s->unit.in[DATA][i]));
}

/* ---- a cycle ---- */

/* Reports the first treelet of a kernel that cannot be fetched. */
static void report_fault(struct scenebuffer *s)
{
    if (!s->fault.op || s->fault_told)
        return;
    struct msg m = {.op = MEM_FAULT,
                    .aux = MEM_READ,
                    .addr = s->fault.addr,
                    .tag = (uint32_t)((s->fault.addr - s->start) / s->bytes),
                    .size = s->kernel,
                    .value = s->fault.value};
    link_push(&s->unit.out[COMPLETE][0], &m);
    s->fault_told = s->worked = true;
}

static void report(struct scenebuffer *s)
{
    if (!s->done_order.count)
        return;
    struct msg m = {.op = STREAM_FETCHED,
                    .tag = s->done[s->done_order.head],
                    .size = s->kernel};
    link_push(&s->unit.out[COMPLETE][0], &m);
    ring_drop(&s->done_order);
    s->again |= s->done_order.count > 0;
    s->worked = true;
}

void scenebuffer_run(struct scenebuffer *s, uint64_t now)
{
    s->again = false;
    report_fault(s);
    report(s);
    run_command(s, now);
    for (uint32_t i = 0; i < s->unit.links[MEM]; i++)
        ask(s, i);
}
