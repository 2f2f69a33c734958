/*
 * Requests on their way: through the front pipeline, into the queues of the
 * controllers, where several may share a transaction, and into the answers.
 */
#include "sim/units/memory/dram_private.h"

/* ---- reads that need no data from the device ---- */

/*
 * A read can only be forwarded from a write that was taken before it. A count
 * of those under way says which reads surely are not: addresses that differ
 * in the bits that are looked at differ in every device.
 */
#define MANY_WRITES UINT8_MAX /* and more: stays */

static uint8_t *writes_to(const struct dram_unit *d, uint64_t local)
{
    uint64_t sector = local / SECTOR;
    return &d->writes[(sector ^ sector / WRITE_COUNTS) % WRITE_COUNTS];
}

static void count_write(struct dram_unit *d, uint64_t local, int change)
{
    uint8_t *count = writes_to(d, local);
    if (*count != MANY_WRITES)
        *count = (uint8_t)(*count + change);
}

static void note_quick(struct dram_unit *d, uint64_t due)
{
    if (d->quick == CYCLE_NEVER)
        d->quick = due;
    d->last_quick = due;
}

/* The reads due before the head of the front pipeline have left it. */
static void forget_quick(struct dram_unit *d, uint64_t head)
{
    if (d->quick < head)
        d->quick = d->last_quick < head ? CYCLE_NEVER : head;
}

/* ---- transactions under way ---- */

static uint64_t transaction_of(const struct dram_unit *d,
                               const struct request *r)
{
    return r->local / d->device->transaction;
}

static uint32_t *bucket_of(const struct dram_unit *d, const struct request *r)
{
    uint64_t t = transaction_of(d, r) * 0x9e3779b97f4a7c15u;
    return &d->buckets[t >> 32 & d->bucket_mask];
}

static void enter(struct dram_unit *d, uint32_t number)
{
    uint32_t *bucket = bucket_of(d, &d->pool[number]);
    d->pool[number].msg.next = *bucket;
    *bucket = number;
}

static void leave(struct dram_unit *d, uint32_t number)
{
    uint32_t *link = bucket_of(d, &d->pool[number]);
    while (*link != number) {
        CHECKED_ASSERT(*link != NONE);
        link = &d->pool[*link].msg.next;
    }
    *link = d->pool[number].msg.next;
}

/* Returns the transaction that r can join: its data has still to come. */
static uint32_t find_transaction(const struct dram_unit *d,
                                 const struct request *r, uint64_t tick)
{
    uint32_t n = *bucket_of(d, r);
    for (; n != NONE; n = d->pool[n].msg.next) {
        const struct request *t = &d->pool[n];
        if (transaction_of(d, t) == transaction_of(d, r) &&
            is_write(t) == is_write(r) && (t->left || t->there > tick))
            return n;
    }
    return NONE;
}

static void release(struct dram_unit *d, uint32_t number)
{
    struct request *r = &d->pool[number];
    if (is_write(r))
        count_write(d, r->local, -1);
    CHECKED_ASSERT(d->free_count < d->pool_size);
    d->free[d->free_count++] = number;
}

/* Keeps the clocks of the commands for the data that comes last. */
static void note_data(struct request *r, const struct dram_done *done)
{
    if (done->done <= r->there)
        return;
    r->there = done->done;
#if STALLS
    r->first = done->first;
    r->issue = done->issue;
    r->conflict = done->outcome == DRAM_CONFLICT;
#endif
}

static void note_queued(struct dram_unit *d, const struct dram_done *done)
{
#if STALLS
    if (done->issue)
        *(done->write ? &d->stats.queued_writes : &d->stats.queued_reads) +=
            done->issue - done->accept;
#endif
}

/* Of a request that waits for a transaction's data: where it has waited. */
static void book_legs(const struct dram_unit *d, struct request *r,
                      const struct request *transaction)
{
#if STALLS
    trip_until(&r->msg, LEG_memory_queue, cycle_with(d, transaction->first));
    trip_until(&r->msg,
               transaction->conflict ? LEG_memory_conflict : LEG_memory_row,
               cycle_with(d, transaction->issue));
    trip_until(&r->msg, LEG_memory_bus, cycle_with(d, transaction->there));
#endif
}

/* The request joins the answers, by the cycle in which they are due: its data
 * is that of a transaction. */
static void await_answer(struct dram_unit *d, uint32_t number,
                         const struct request *transaction)
{
    struct request *r = &d->pool[number];
    uint32_t at = d->answers.order.count;
    ring_add(&d->answers.order);
    r->due = cycle_with(d, transaction->there) + (uint64_t)d->params.back;
    book_legs(d, r, transaction);
    for (; at; at--) {
        uint32_t before = *numbers_entry(&d->answers, at - 1);
        if (d->pool[before].due <= r->due)
            break;
        *numbers_entry(&d->answers, at) = before;
    }
    *numbers_entry(&d->answers, at) = number;
}

/* All of a transaction's data is known to come: so are the answers. */
static void finish(struct dram_unit *d, uint32_t number)
{
    struct request *r = &d->pool[number];
    bool write = is_write(r);
    dram_waits_end(d, r);
    d->asked -= !write;
    if (write && d->joins)
        leave(d, number);
    for (uint32_t n = number; n != NONE;) {
        uint32_t next = d->pool[n].joined;
        if (write)
            release(d, n);
        else
            await_answer(d, n, r);
        n = next;
    }
}

static __attribute__((noinline)) void take_from(struct dram_unit *d,
                                                const struct dram_done *done)
{
    do {
        uint32_t number = (uint32_t)done->tag;
        struct request *r = &d->pool[number];
        note_data(r, done);
        note_queued(d, done);
        if (done->issue) {
            work_note(chip_context(d->unit.chip), &d->unit, WORK_dram_bytes,
                      r->msg.trip.work, d->device->transaction);
            dram_waits_data(d, r);
        }
        if (!--r->left)
            finish(d, number);
        done = dram_take(d->dram);
    } while (done);
}

static inline void take_completions(struct dram_unit *d)
{
    const struct dram_done *first = dram_take(d->dram);
    if (first)
        take_from(d, first);
}

/* ---- offering ---- */

static bool join(struct dram_unit *d, uint32_t number, uint64_t tick)
{
    uint32_t found = find_transaction(d, &d->pool[number], tick);
    if (found == NONE)
        return false;
    struct request *t = &d->pool[found];
    d->stats.joined++;
    if (!t->left) {
        await_answer(d, number, t);
        return true;
    }
    while (t->joined != NONE)
        t = &d->pool[t->joined];
    t->joined = number;
    return true;
}

/* Offers what the request still needs; false: a queue is full. */
static bool offer(struct dram_unit *d, uint32_t number, uint64_t tick)
{
    struct request *r = &d->pool[number];
    uint32_t transaction = d->device->transaction;
    uint64_t address = r->local & ~(uint64_t)(SECTOR - 1);
    uint32_t part = r->offered;
    do {
        if (!dram_offer(d->dram, tick, is_write(r),
                        address + (uint64_t)part * transaction, number)) {
            r->offered = (uint8_t)part;
            return false;
        }
        if (!part)
            dram_waits_begin(d, r);
    } while (++part < d->parts);
    r->offered = (uint8_t)part;
    d->asked += !is_write(r);
    if (d->joins)
        enter(d, number);
    return true;
}

static void hold(struct dram_unit *d, uint64_t now)
{
    d->blocked = true;
    if (d->held_since != CYCLE_NEVER)
        return;
    d->stats.held++;
    d->held_since = now;
}

void dram_book_held(struct dram_unit *d, uint64_t now)
{
    if (d->held_since < now) {
        d->stats.held_cycles += now - d->held_since;
        d->held_since = now;
    }
}

static void unhold(struct dram_unit *d, uint64_t now)
{
    dram_book_held(d, now);
    d->held_since = CYCLE_NEVER;
}

static void offer_due(struct dram_unit *d, uint64_t now, uint64_t tick)
{
    d->blocked = false;
    for (unsigned n = 0; n < d->accepts && d->front.order.count; n++) {
        uint32_t number = *numbers_entry(&d->front, 0);
        struct request *r = &d->pool[number];
        if (r->due > now)
            return;
        trip_until(&r->msg, LEG_memory_front, r->due);
        trip_until(&r->msg, LEG_memory_held, now);
        if (!(d->joins && join(d, number, tick)) && !offer(d, number, tick)) {
            hold(d, now);
            return;
        }
        if (d->held_since != CYCLE_NEVER)
            unhold(d, now);
        numbers_drop(&d->front);
    }
}

/* Returns when the next one can be offered, after those of this cycle. */
static uint64_t offer_after(struct dram_unit *d, uint64_t now)
{
    if (!d->front.order.count) {
        d->quick = CYCLE_NEVER;
        return CYCLE_NEVER;
    }
    uint64_t due = d->pool[*numbers_entry(&d->front, 0)].due;
    forget_quick(d, due);
    if (d->blocked)
        due = cycle_with(d, d->next_tick);
    return not_before(due, now + 1);
}

/* ---- running ---- */

static void run_to(struct dram_unit *d, uint64_t tick)
{
    if (d->next_tick > tick)
        return;
    if (dram_run(d->dram, tick))
        take_completions(d);
    d->next_tick = dram_next(d->dram);
}

void dram_catch_up(struct dram_unit *d, uint64_t now)
{
    while (d->next_offer <= now) {
        uint64_t cycle = d->next_offer, tick = tick_in(d, cycle);
        run_to(d, tick);
        offer_due(d, cycle, tick);
        take_completions(d); /* forwarded and merged */
        d->next_tick = dram_next(d->dram);
        d->next_offer = offer_after(d, cycle);
    }
    run_to(d, tick_in(d, now));
}

/* ---- taking and answering ---- */

uint64_t dram_first_answer(const struct dram_unit *d, uint64_t cycle)
{
    uint64_t data = tick_in(d, cycle) + 1 + d->device->read_latency;
    return cycle_with(d, data) + (uint64_t)d->params.back;
}

static void wake_for(struct dram_unit *d, uint64_t cycle)
{
    if (cycle < d->wake)
        d->wake = cycle;
}

static void account(struct dram_unit *d, const struct request *r)
{
    if (d->ranges.scene.end)
        clients_count(&d->stats.clients, &d->ranges, &r->msg);
    if (is_write(r)) {
        d->stats.writes++;
        count_write(d, r->local, 1);
        return;
    }
    d->reads++;
    if (!d->joins && !*writes_to(d, r->local))
        return;
    note_quick(d, r->due);
    wake_for(d, r->due + (uint64_t)d->params.back);
}

void dram_accept(struct dram_unit *d, uint32_t port, uint64_t now)
{
    uint32_t number = d->free[--d->free_count];
    struct request *r = &d->pool[number];
    msg_copy(&r->msg, link_read(&d->unit.in[CPU][port]));
    trip_last(&r->msg, SERVED_memory, now);
    r->msg.when = (uint32_t)now;
    r->local = map_local(&d->map, r->msg.addr);
    r->due = now + (uint64_t)d->params.front;
    r->there = 0;
    r->joined = NONE;
    r->port = (uint16_t)port;
    r->offered = 0;
    r->left = (uint8_t)d->parts;
    account(d, r);
    if (!d->front.order.count) {
        d->next_offer = r->due;
        wake_for(d, d->reads ? dram_first_answer(d, r->due) : r->due);
    }
    d->front.at[ring_add(&d->front.order)] = number;
}

static bool is_transaction(const struct dram_unit *d, uint32_t number)
{
    return d->pool[number].offered == d->parts;
}

void dram_forget_answer(struct dram_unit *d)
{
    uint32_t number = *numbers_entry(&d->answers, 0);
    numbers_drop(&d->answers);
    if (d->joins && is_transaction(d, number))
        leave(d, number);
    release(d, number);
}
