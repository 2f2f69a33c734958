/*
 * A TLB takes accesses in receive, one a port and cycle, and passes on in send
 * what needs not wait. Everything it keeps are messages of the tile's pool in
 * lists: of each port those that may go on, walks to be sent, answers.
 *
 * The rule that keeps loads and stores in order: an access that finds its page
 * goes behind the latest one of its port and block that still waits, if there
 * is one. All that wait for a page are answered in the order in which they
 * asked: links, the GMMU's walks and its waiters are first in, first out.
 */
#include "sim/units/paging/tlb.h"
#include "sim/core/memory_role.h"
#include "sim/units/common/mem.h"
#include "sim/units/paging/paging.h"
#include "sim/units/paging/tlb_private.h"
#include "sim/units/units.h"

#define LINE_SHIFT 7

static const struct port_row ports[] = {
    [CPU] = {"cpu", false, LINKS, "accesses"},
    [LOOKUP] = {"lookup", false, 64, "what TLBs above ask"},
    [FILL] = {"fill", false, LINKS, "answers to accesses, in mem's order"},
    [BACK] = {"back", false, 1, "from where walk leads to"},
    [MEM] = {"mem", true, LINKS, "accesses, in cpu's order"},
    [REPLY] = {"reply", true, LINKS, "their answers", .answers = true},
    [WALK] = {"walk", true, 1, "to the GMMU or a TLB below"},
    [FOUND] = {"found", true, 64, "to TLBs above, in lookup's order",
               .answers = true},
};

/* ---- from below ---- */

/* The page has left the device, or all have to go. */
static void remove_page(struct tlb *t, uint64_t page)
{
    uint32_t entry = tlb_find(&t->store, page);
    if (entry == NONE)
        return;
    tlb_remove(&t->store, entry);
    t->stats.shot_down++;
}

/* The fewer of the pages named and those held are looked at. */
static void forget(struct tlb *t, uint64_t address, uint64_t bytes)
{
    uint64_t first = address >> t->managed->page_shift;
    uint64_t pages = bytes >> t->managed->page_shift;
    if (pages <= t->store.count) {
        for (uint64_t i = 0; i < pages; i++)
            remove_page(t, first + i);
        return;
    }
    for (uint32_t e = t->store.oldest; e != NONE;) {
        uint32_t next = t->store.entries[e].next;
        if (t->store.entries[e].page - first < pages)
            remove_page(t, t->store.entries[e].page);
        e = next;
    }
}

static void flush(struct tlb *t)
{
    t->stats.flushes++;
    while (t->store.count)
        remove_page(t, t->store.entries[t->store.oldest].page);
}

/* A message to TLBs above, by one link. */
static void tell_above(struct tlb *t, const struct msg *m, uint32_t port)
{
    uint32_t index = unit_new_msg(&t->unit);
    struct msg *copy = unit_msg(&t->unit, index);
    msg_copy(copy, m);
    copy->when = port;
    msg_list_add(&t->unit, &t->found, index);
}

static void pass_on(struct tlb *t, uint32_t port, uint32_t index)
{
    msg_list_add(&t->unit, &t->out[port], index);
    t->out_ports[port / 64] |= 1ull << port % 64;
}

/* Passes on an access, or answers a TLB above. */
static void go_on(struct tlb *t, const struct tlb_wait *w, uint32_t index,
                  uint8_t op)
{
    if (!w->lookup) {
        pass_on(t, w->port, index);
        return;
    }
    struct msg *kept = unit_msg(&t->unit, index);
    kept->op = op;
    kept->when = w->port;
    msg_list_add(&t->unit, &t->found, index);
}

/* An access goes on, and those behind it. */
static void end_wait(struct tlb *t, struct tlb_wait *w, uint8_t op)
{
    go_on(t, w, w->msg, op);
    while (w->behind.count)
        go_on(t, w, msg_list_pop(&t->unit, &w->behind), PAGE_FOUND);
}

/* An access need wait no longer, nor those that wait with it. */
static void release(struct tlb *t, const struct msg *m)
{
    struct tlb_wait w = tlb_unwait(&t->store, m->tag);
    if (m->op == PAGE_DIRECT) {
        t->stats.direct++;
    } else if (tlb_find(&t->store, w.page) == NONE) {
        tlb_insert(&t->store, w.page);
    }
    end_wait(t, &w, (uint8_t)m->op);
    for (uint32_t next = w.joined; next != NONE;) {
        struct tlb_wait joined = tlb_unwait(&t->store, next);
        next = joined.next;
        end_wait(t, &joined, (uint8_t)m->op);
    }
}

static void take_back(struct tlb *t)
{
    while (*unit_pending(&t->unit, BACK)) {
        struct msg m = link_pop(t->unit.in[BACK]);
        t->moved = true;
        if (m.op == PAGE_FOUND || m.op == PAGE_DIRECT) {
            release(t, &m);
            continue;
        }
        if (m.op == PAGE_FORGET)
            forget(t, m.addr, m.value);
        else
            flush(t);
        for (uint32_t port = 0; port < t->unit.links[FOUND]; port++)
            tell_above(t, &m, port);
    }
}

/* One answer a link and cycle, on to the port of the same number. */
static void take_fills(struct tlb *t)
{
    const uint64_t *pending = unit_pending(&t->unit, FILL);
    for (uint32_t w = 0; w < (t->unit.links[FILL] + 63u) / 64; w++)
        for (uint64_t mask = pending[w]; mask; mask &= mask - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(mask);
            uint32_t index = link_take(&t->unit.in[FILL][port]);
            unit_msg(&t->unit, index)->when = port;
            msg_list_add(&t->unit, &t->answers, index);
            t->moved = true;
        }
}

/* ---- accesses ---- */

/* A message downwards, when its turn comes. */
static void ask(struct tlb *t, uint8_t op, uint64_t address, uint8_t use,
                uint32_t tag)
{
    uint32_t index = unit_new_msg(&t->unit);
    msg_copy(unit_msg(&t->unit, index),
             &(struct msg){.op = op, .addr = address, .aux = use, .tag = tag});
    msg_list_add(&t->unit, &t->walks, index);
}

/* Is the page held? */
static bool hit(struct tlb *t, uint64_t address, uint64_t page, uint8_t use)
{
    uint32_t entry = tlb_find(&t->store, page);
    if (entry == NONE)
        return false;
    struct tlb_entry *e = &t->store.entries[entry];
    bool moved = tlb_use(&t->store, entry);
    if (use == PAGE_WRITE && !e->written) {
        e->written = true;
        ask(t, PAGE_TOUCH, address, use, 0);
    } else if (moved && t->params.touch && !e->told) {
        e->told = true;
        t->touched[ring_add(&t->touched_order)] = entry;
    }
    return true;
}

/* Stores, atomics and write-backs make a page dirty. */
static uint8_t use_of(const struct msg *m)
{
    return m->op == MEM_READ || m->op == MEM_FILL ? PAGE_READ : PAGE_WRITE;
}

/* Fences are of no page, and operations on cached lines want none. */
static bool is_managed(const struct tlb *t, const struct msg *m)
{
    return t->managed && m->op != MEM_INVALIDATE && m->op != MEM_FLUSH &&
           m->op != MEM_BLOCK && managed_holds(t->managed, m->addr);
}

/* Scalar loads of one line after the other are one coalesced access of a SIMT
 * core; hit rates of both are compared by accesses to another line. */
static bool other_line(struct tlb *t, uint32_t port, const struct msg *m)
{
    uint64_t *last = &t->lines[port * HARTS + m->from % HARTS];
    uint64_t line = (m->addr >> LINE_SHIFT) + 1;
    bool other = *last != line;
    *last = line;
    return other;
}

/* An access has found its page. */
static void follow(struct tlb *t, const struct tlb_wait *w)
{
    uint32_t before = t->store.wait_count ? tlb_awaited(&t->store, w) : NONE;
    if (before == NONE)
        go_on(t, w, w->msg, PAGE_FOUND);
    else
        msg_list_add(&t->unit, &t->store.waits[before].behind, w->msg);
}

/*
 * An access has not found its page, and asks for it, unless one of its
 * instruction has. It may not do that if one of its port and block waits, which
 * may have asked later than that.
 */
static void await(struct tlb *t, struct tlb_wait *w, uint64_t address,
                  uint8_t use)
{
    uint32_t with = tlb_group(&t->store, w);
    if (with != NONE && tlb_awaited(&t->store, w) != NONE)
        with = NONE;
    w->walks = true;
    uint32_t number = tlb_wait(&t->store, *w);
    if (with == NONE)
        ask(t, PAGE_WALK, address, use, number);
    else
        tlb_join(&t->store, number, with);
}

static void count(struct tlb *t, bool found, bool other)
{
    t->stats.accesses++;
    t->stats.hits += found;
    t->stats.misses += !found;
    t->stats.line_accesses += other;
    t->stats.line_hits += other && found;
}

/* Takes the first message of a link. lookup: what a TLB above asks. */
static void take(struct tlb *t, unsigned row, uint32_t port)
{
    struct inport *in = &t->unit.in[row][port];
    const struct msg *m = link_peek(in);
    bool lookup = row == LOOKUP, follows = !lookup && m->flags & MEM_FOLLOWS;
    bool other = !lookup && !follows && other_line(t, port, m);
    bool grouped = !lookup && m->flags & MEM_GROUPED;
    uint32_t group = grouped ? mem_number(m) >> MEM_GROUP_SHIFT : NO_GROUP;
    uint64_t address = m->addr, page = address >> t->managed->page_shift;
    uint8_t use = lookup ? m->aux : use_of(m);
    bool found = hit(t, address, page, use);
    uint32_t index = link_take(in);
    t->moved = true;
    if (follows)
        t->stats.followed++;
    else
        count(t, found, other);
    struct tlb_wait w = {.page = page,
                         .msg = index,
                         .group = group,
                         .joined = NONE,
                         .block = (uint32_t)(address >> TLB_BLOCK_SHIFT),
                         .port = (uint16_t)port,
                         .lookup = lookup};
    if (found)
        follow(t, &w);
    else
        await(t, &w, address, use);
}

/* A use that a TLB above tells of: told on. */
static bool take_touch(struct tlb *t, uint32_t port)
{
    struct inport *in = &t->unit.in[LOOKUP][port];
    if (link_peek(in)->op != PAGE_TOUCH)
        return false;
    msg_list_add(&t->unit, &t->walks, link_take(in));
    t->moved = true;
    return true;
}

/* A port stands still while an access of it has no room to go on or to wait;
 * the others do not. */
static void take_from(struct tlb *t, unsigned row, uint32_t port)
{
    struct inport *in = &t->unit.in[row][port];
    if (row == LOOKUP && take_touch(t, port))
        return;
    if (row == CPU && t->out[port].count)
        return; /* those before it stand there */
    if (row == CPU && !is_managed(t, link_peek(in))) {
        if (link_peek(in)->flags & MEM_FOLLOWS)
            t->stats.followed++;
        else
            t->stats.bypassed++;
        pass_on(t, port, link_take(in));
        t->moved = true;
    } else if (t->store.free_wait != NONE) {
        take(t, row, port);
    }
}

static void tlb_receive(struct unit *u, uint64_t now)
{
    static const uint8_t rows[] = {LOOKUP, CPU};
    struct tlb *t = (struct tlb *)u;
    t->leftover = false;
    take_back(t);
    take_fills(t);
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t *pending = unit_pending(u, rows[i]);
        for (uint32_t w = 0; w < (u->links[rows[i]] + 63u) / 64; w++) {
            for (uint64_t mask = pending[w]; mask; mask &= mask - 1)
                take_from(t, rows[i], w * 64 + (uint32_t)mask_first(mask));
            t->leftover |= pending[w] != 0;
        }
    }
}

/* ---- send ---- */

/* A message of the pool, with its payload if it has one. */
static void forward(struct tlb *t, struct outport *o, uint32_t index)
{
    struct msg *m = unit_msg(&t->unit, index);
    trip_translated(m, unit_now(&t->unit));
    m->flags &= (uint8_t) ~(MEM_GROUPED | MEM_FOLLOWS);
    if (m->flags & MSG_PAYLOAD) {
        struct payload bytes = msg_payload(&t->unit, m);
        link_forward(o, index, &bytes);
    } else {
        link_forward(o, index, NULL);
    }
    t->moved = true;
}

/* An access a port and cycle. */
static void send_accesses(struct tlb *t)
{
    for (uint32_t w = 0; w < LINKS / 64; w++)
        for (uint64_t mask = t->out_ports[w]; mask; mask &= mask - 1) {
            uint32_t port = w * 64 + (uint32_t)mask_first(mask);
            struct outport *o = &t->unit.out[MEM][port];
            if (!link_ready(o))
                continue;
            forward(t, o, msg_list_pop(&t->unit, &t->out[port]));
            if (!t->out[port].count)
                t->out_ports[w] &= ~(mask & (0 - mask));
        }
}

static void send_answers(struct tlb *t)
{
    while (t->answers.count) {
        uint32_t index = msg_list_pop(&t->unit, &t->answers);
        forward(t, &t->unit.out[REPLY][unit_msg(&t->unit, index)->when], index);
    }
    while (t->found.count) {
        uint32_t index = msg_list_pop(&t->unit, &t->found);
        forward(t, &t->unit.out[FOUND][unit_msg(&t->unit, index)->when], index);
    }
}

/* What is asked first, then what is told. */
static void send_walk(struct tlb *t)
{
    struct outport *o = t->unit.out[WALK];
    if (!t->walks.count && !t->touched_order.count)
        return;
    if (!link_ready(o))
        return;
    if (t->walks.count) {
        uint32_t index = msg_list_pop(&t->unit, &t->walks);
        t->stats.touches += unit_msg(&t->unit, index)->op == PAGE_TOUCH;
        forward(t, o, index);
        return;
    }
    struct tlb_entry *e = &t->store.entries[t->touched[t->touched_order.head]];
    ring_drop(&t->touched_order);
    e->told = false;
    t->moved = true;
    if (!e->valid)
        return; /* it has gone */
    struct msg m = {.op = PAGE_TOUCH,
                    .addr = e->page << t->managed->page_shift,
                    .aux = PAGE_READ};
    t->stats.touches++;
    link_push(o, &m);
}

/* Runs again as long as something moves: what stands still waits for a credit
 * or for a message, and these wake the unit. */
static uint64_t tlb_send(struct unit *u, uint64_t now)
{
    struct tlb *t = (struct tlb *)u;
    send_accesses(t);
    send_answers(t);
    send_walk(t);
    bool more = t->leftover || t->walks.count || t->touched_order.count ||
                mask_any(t->out_ports, LINKS / 64);
    uint64_t *rest =
        t->store.wait_count || more ? &t->stats.waiting : &t->stats.idle;
    account_tick(&t->account, now, t->moved ? &t->stats.busy : rest, rest);
    /* Where nothing moved, all wait for room or for the GMMU. */
    bool again = t->moved && more;
    t->moved = false;
    return again ? now + 1 : CYCLE_NEVER;
}

/* ---- the kind ---- */

static void close_account(struct unit *u, uint64_t now)
{
    struct tlb *t = (struct tlb *)u;
    account_switch(&t->account, now, t->account.bucket);
}

static void explain(const struct unit *u, FILE *out)
{
    const struct tlb *t = (const struct tlb *)u;
    if (t->store.wait_count)
        fprintf(out, "%s: %u accesses wait for their page\n", u->name,
                t->store.wait_count);
}

/* Before an L1 all links lead there; behind one they are its slices'. */
static unsigned link_for(const struct unit *u, uint64_t address)
{
    const struct tlb *t = (const struct tlb *)u;
    unsigned slices = t->map.parts * t->map.slices;
    return slices == u->links[MEM] ? map_slice(&t->map, address) : 0;
}

static const struct memory_role role = {.next = MEM, .link = link_for};

static const struct outport *waits_for(const struct unit *u)
{
    return ((const struct tlb *)u)->store.wait_count ? u->out[WALK] : NULL;
}

#define PARAM_STRUCT struct tlb_params
#define STAT_STRUCT struct tlb_stats
static const struct param param_rows[] = {TLB_PARAMS(PARAM_ROW)};
static const struct stat_row stat_rows[] = {TLB_STATS(STAT_ROW)};
static const struct stat_row bucket_rows[] = {TLB_BUCKETS(BUCKET_ROW)};

/* The machine says which memory is managed, and by whom. */
#define STATE_STRUCT struct tlb
static const struct state_row state_rows[] = {
    STATE_POINTER(account.bucket),   STATE_POINTER(store.entries),
    STATE_POINTER(store.entry_hash), STATE_POINTER(store.wait_hash),
    STATE_POINTER(store.waits),      STATE_POINTER(store.given_up),
    STATE_POINTER(store.stats),      STATE_POINTER(machine),
    STATE_POINTER(managed),          STATE_POINTER(out),
    STATE_POINTER(touched),          STATE_POINTER(lines),
};

static const struct figure_row figures[] = {
    {.name = "hit_rate",
     .over = {COUNTER(hits)},
     .under = {COUNTER(accesses)},
     .said = "%.4g %% hits",
     .scale = 100},
    {.name = "line_hit_rate",
     .over = {COUNTER(line_hits)},
     .under = {COUNTER(line_accesses)}},
};

const struct unit_kind tlb_kind = {
    .name = "tlb",
    .meaning = "TLB: translates accesses to managed memory, or waits",
    .size = sizeof(struct tlb),
    .params = offsetof(struct tlb, params),
    .stats = offsetof(struct tlb, stats),
    UNIT_TABLES,
    UNIT_STATE,
    .memory = &role,
    .figure_rows = figures,
    .figure_count = TABLE_COUNT(figures),
    .build = tlb_build,
    .complete = tlb_complete,
    .receive = tlb_receive,
    .send = tlb_send,
    .close = close_account,
    .explain = explain,
    .waits_for = waits_for,
};
