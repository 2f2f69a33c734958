/*
 * The coalescer: makes requests of the accesses of a warp's lanes, sends them,
 * and gives the lanes what comes back. Lanes that touch one sector share a
 * message, in which each of them has its bytes; atomics go one by one, in the
 * order of lanes. An access that crosses a sector has a part in two.
 */
#include "sim/units/simt/simt_private.h"

/* ---- requests ---- */

/* The request for a sector, which may be a new one. The last one is the most
 * likely. */
static struct simt_request *request_for(struct simt_op *op, uint64_t sector)
{
    for (unsigned i = op->requests; i-- > 0;)
        if (op->request[i].sector == sector)
            return &op->request[i];
    struct simt_request *r = &op->request[op->requests++];
    *r = (struct simt_request){.sector = sector};
    return r;
}

/* One for each sector. */
static void by_sector(struct simt_op *op)
{
    for (uint64_t m = op->mask; m; m &= m - 1) {
        unsigned lane = first_of(m);
        uint64_t first = op->at[lane] / SECTOR,
                 last = (op->at[lane] + op->size - 1) / SECTOR;
        request_for(op, first)->lanes |= bit(lane);
        if (last == first)
            continue;
        op->crosses |= bit(lane);
        request_for(op, last)->tails |= bit(lane);
    }
}

/* One for each lane, in their order. */
static void by_lane(struct simt_op *op)
{
    for (uint64_t m = op->mask; m; m &= m - 1)
        op->request[op->requests++] =
            (struct simt_request){.sector = op->at[first_of(m)] / SECTOR,
                                  .lanes = bit(first_of(m)),
                                  .begins = true};
}

/* Sectors of one request of the rule come one after the other. */
static void gather(struct simt_op *op, uint32_t bytes)
{
    const uint64_t sectors = bytes / SECTOR;
    for (unsigned i = 0; i < op->requests; i++) {
        const uint64_t block = op->request[i].sector / sectors;
        op->request[i].begins = true;
        for (unsigned k = i + 1; k < op->requests; k++) {
            if (op->request[k].sector / sectors != block)
                continue;
            struct simt_request r = op->request[k];
            memmove(&op->request[i + 2], &op->request[i + 1],
                    (k - i - 1) * sizeof r);
            op->request[++i] = r;
        }
    }
}

static bool one_by_one(const struct simt_op *op)
{
    return op->blocks || op->access >= ISA_LR;
}

/* Sectors that would do, if the lanes' bytes lay side by side. Atomics are one
 * by one wherever they lie. */
static unsigned least_of(const struct simt_op *op)
{
    unsigned least = (lane_count(op->mask) * op->size + SECTOR - 1) / SECTOR;
    return one_by_one(op) || least > op->requests ? op->requests : least;
}

void simt_coalesce(struct simt *t, struct simt_op *op)
{
    if (one_by_one(op)) {
        by_lane(op);
    } else {
        by_sector(op);
        gather(op, t->rule_bytes);
    }
    for (unsigned i = 0; i < op->requests; i++)
        t->stats.requests += op->request[i].begins;
    t->stats.sectors += op->requests;
    t->stats.sectors_least += least_of(op);
    simt_queue_add(t, &t->memory, op);
}

/* ---- sending ---- */

enum { TAG_REQUEST = MEM_GROUP_SHIFT, TAG_L1 = 31 };
_Static_assert(2 * ISA_LANES <= 1 << TAG_REQUEST, "requests of an instruction");

static uint32_t tag_of(const struct simt *t, const struct simt_op *op,
                       unsigned request)
{
    return (uint32_t)(op - t->ops) << TAG_REQUEST | request;
}

/* The part of a lane's access that lies in a sector. */
struct part {
    unsigned skip, place, count; /* bytes of it before; where in the sector */
};

static struct part part_in(const struct simt_op *op, unsigned lane,
                           const struct simt_request *r)
{
    uint64_t start = r->sector * SECTOR, at = op->at[lane];
    struct part p = {.skip = at < start ? (unsigned)(start - at) : 0};
    p.place = (unsigned)(at + p.skip - start);
    p.count = op->size - p.skip;
    if (p.count > SECTOR - p.place)
        p.count = SECTOR - p.place;
    return p;
}

/* Tells the check of memory what a lane stores, or gets. */
static void note(const struct simt *t, const struct simt_op *op, unsigned lane,
                 const struct simt_request *r, enum check_kind kind,
                 const uint8_t *bytes, uint8_t served)
{
    struct part p = part_in(op, lane, r);
    struct check_record record = {
        .kind = (uint8_t)kind,
        .hart = hart_of(t, &t->warps[op->warp], lane)->isa.id,
        .issued = r->cycle,
        .pc = op->pc,
        .addr = op->at[lane] + p.skip,
        .size = (uint8_t)p.count,
        .served = served};
    memcpy(&record.value, bytes, p.count);
    check_note(t->machine, &t->unit, &record);
}

static void note_stores(const struct simt *t, const struct simt_op *op,
                        const struct simt_request *r)
{
    for (uint64_t m = r->lanes | r->tails; m; m &= m - 1) {
        unsigned lane = first_of(m);
        const uint8_t *value = (const uint8_t *)&op->value[lane];
        note(t, op, lane, r, CHECK_STORE, value + part_in(op, lane, r).skip, 0);
    }
}

/* The lanes' bytes of a store in a sector, and which they are. Where lanes
 * store to the same byte the last one's counts. */
static uint32_t stored(const struct simt_op *op, const struct simt_request *r,
                       struct payload *bytes)
{
    uint32_t mask = 0;
    *bytes = (struct payload){{0}};
    for (uint64_t m = r->lanes | r->tails; m; m &= m - 1) {
        const uint8_t *from = (const uint8_t *)&op->value[first_of(m)];
        struct part p = part_in(op, first_of(m), r);
        memcpy(bytes->bytes + p.place, from + p.skip, p.count);
        mask |= (uint32_t)((1ull << p.count) - 1) << p.place;
    }
    return mask;
}

static bool one_lane(const struct simt_request *r)
{
    uint64_t lanes = r->lanes | r->tails;
    return !(lanes & (lanes - 1));
}

/* Bytes that lie side by side are a store; others go under a mask. */
static void send_store(struct simt *t, const struct simt_op *op,
                       const struct simt_request *r, struct msg *m,
                       struct outport *o)
{
    struct payload bytes;
    uint32_t mask = stored(op, r, &bytes);
    unsigned first = (unsigned)__builtin_ctz(mask);
    unsigned count = (unsigned)__builtin_popcount(mask);
    if ((uint32_t)((1ull << count) - 1) == mask >> first) {
        m->op = MEM_WRITE;
        m->addr = r->sector * SECTOR + first;
        m->size = (uint8_t)count;
        if (one_lane(r)) {
            memcpy(&m->value, bytes.bytes + first, count);
            link_push(o, m);
            return;
        }
    } else {
        m->op = MEM_UPDATE;
        m->addr = r->sector * SECTOR;
        m->size = SECTOR;
        m->from = m->tag;
        m->tag = mask;
    }
    link_push_full(o, m, &bytes);
}

/* A load of one lane's bytes, or of a sector. */
static bool alone(const struct simt_op *op, const struct simt_request *r)
{
    return !r->tails && one_lane(r) && !(r->lanes & op->crosses);
}

static void send_load(const struct simt_op *op, const struct simt_request *r,
                      struct msg *m, struct outport *o)
{
    m->op = MEM_READ;
    if (alone(op, r)) {
        m->addr = op->at[first_of(r->lanes)];
        m->size = op->size;
    } else {
        m->addr = r->sector * SECTOR;
        m->size = SECTOR;
    }
    link_push(o, m);
}

static void send_lane(const struct simt_op *op, const struct simt_request *r,
                      struct msg *m, struct outport *o)
{
    unsigned lane = first_of(r->lanes);
    m->addr = op->at[lane];
    m->size = op->size;
    m->aux = op->access;
    m->op = op->blocks ? MEM_BLOCK : MEM_ATOMIC;
    if (op->loads & r->lanes)
        m->op = MEM_READ;
    if (m->op == MEM_ATOMIC)
        m->value = op->value[lane];
    link_push(o, m);
}

static void send(struct simt *t, struct simt_op *op, unsigned request,
                 struct outport *o, uint64_t now)
{
    struct simt_request *r = &op->request[request];
    const struct simt_warp *w = &t->warps[op->warp];
    unsigned lane = first_of(r->lanes | r->tails);
    struct msg m = {.from = hart_of(t, w, lane)->isa.id,
                    .tag = tag_of(t, op, request),
                    .flags =
                        op->bypass | simt_translation_flags(t, op, request)};
    if (!op->blocks)
        trip_begin(&m, op->access == ISA_STORE ? TRIP_store : TRIP_load, now);
    WORK_FOR(&m, t->works[slot_of(t, w, lane)].work);
    r->cycle = now;
    if (t->machine->check_logs && !op->blocks && op->access == ISA_STORE)
        note_stores(t, op, r);
    if (one_by_one(op))
        send_lane(op, r, &m, o);
    else if (op->access == ISA_STORE)
        send_store(t, op, r, &m, o);
    else
        send_load(op, r, &m, o);
}

/* Sends requests of the first instruction. Returns whether all have left. */
static bool send_some(struct simt *t, struct simt_op *op, uint64_t now)
{
    int64_t room = t->params.requests_width;
    for (; op->sent < op->requests; op->sent++) {
        const struct simt_request *r = &op->request[op->sent];
        struct outport *o = &t->unit.out[MEM][r->sector % t->unit.links[MEM]];
        if (r->begins && room-- == 0)
            return false;
        if (!link_ready(o))
            return false;
        send(t, op, op->sent, o, now);
    }
    return true;
}

/* Does the warp wait for what comes back? */
static bool waits(const struct simt_op *op)
{
    return op->access != ISA_STORE && !op->blocks;
}

void simt_send_requests(struct simt *t, uint64_t now)
{
    struct simt_op *op = &t->ops[t->memory.first];
    t->stats.coalescer_cycles += t->spent;
    t->spent = !send_some(t, op, now);
    if (!t->spent) {
        if (waits(op)) {
            t->stats.load_accesses++;
            t->stats.load_queued += now - op->begun;
        }
        simt_queue_remove(t, &t->memory);
        simt_queues_have_room(t, now);
    }
}

/* ---- answers ---- */

/* The lane has its value. */
static void give(struct simt *t, const struct simt_op *op, unsigned lane,
                 uint64_t value)
{
    struct isa_hart *hart = &hart_of(t, &t->warps[op->warp], lane)->isa;
    isa_loaded(hart, op->insn, op->rd, value);
    if (!t->commits)
        return;
    struct isa_insn insn = {.op = op->insn, .rd = op->rd, .writes = op->writes};
    commit_queue_finish(t->commits, hart, &insn, op->at[lane], value);
}

static void note_loads(const struct simt *t, const struct simt_op *op,
                       const struct simt_request *r, const uint8_t *sector,
                       uint8_t served)
{
    for (uint64_t m = r->lanes | r->tails; m; m &= m - 1)
        note(t, op, first_of(m), r, CHECK_LOAD,
             sector + part_in(op, first_of(m), r).place, served);
}

/* The bytes of lanes in a sector. */
static void take_sector(struct simt *t, struct simt_op *op,
                        const struct simt_request *r, const uint8_t *bytes)
{
    for (uint64_t m = r->lanes & ~op->crosses; m; m &= m - 1) {
        unsigned lane = first_of(m);
        uint64_t value = 0;
        memcpy(&value, bytes + op->at[lane] % SECTOR, op->size);
        give(t, op, lane, value);
    }
    for (uint64_t m = (r->lanes & op->crosses) | r->tails; m; m &= m - 1) {
        unsigned lane = first_of(m);
        struct part p = part_in(op, lane, r);
        memcpy((uint8_t *)&op->value[lane] + p.skip, bytes + p.place, p.count);
    }
}

static void take_data(struct simt *t, struct simt_op *op,
                      const struct simt_request *r, const struct msg *m)
{
    struct payload bytes = {{0}};
    const uint8_t *at = bytes.bytes;
    if (alone(op, r))
        memcpy(bytes.bytes + m->addr % SECTOR, &m->value, m->size);
    else if (m->flags & MSG_PAYLOAD)
        bytes = msg_payload(&t->unit, m);
    else
        at = machine_at(t->machine, r->sector * SECTOR); /* read in place */
    if (t->machine->check_logs && !op->loads)
        note_loads(t, op, r, at, m->flags & (MEM_DEPTH | MEM_JOINED));
    take_sector(t, op, r, at);
}

static void count_load(struct simt *t, unsigned flags)
{
    if (flags & MEM_JOINED)
        t->stats.loads_joined++;
    else if (!(flags & MEM_DEPTH))
        t->stats.loads_first++;
    else if ((flags & MEM_DEPTH) == 1)
        t->stats.loads_second++;
    else
        t->stats.loads_memory++;
}

/* A unit that serves an instruction mostly reads for it. */
static uint32_t cause_of(const struct simt_op *op)
{
    bool stored = op->producer == MEMORY ? op->fault.aux != MEM_READ
                                         : op->fault.aux == MEM_WRITE;
    return stored ? ISA_CAUSE_STORE_FAULT : ISA_CAUSE_LOAD_FAULT;
}

/* The lanes whose access was refused fault, wherever they have come to: also
 * those that are about to ask for a service, unless it is a fault's. */
static void refused(struct simt *t, struct simt_op *op, uint64_t now)
{
    struct simt_warp *w = &t->warps[op->warp];
    const struct msg *f = &op->fault;
    uint64_t lanes = op->refused & (w->live | w->leaving);
    for (uint64_t m = lanes; m; m &= m - 1) {
        struct hart *h = hart_of(t, w, first_of(m));
        if (w->leaving & bit(first_of(m)) && h->event == HART_FAULT) {
            lanes &= ~bit(first_of(m));
            continue;
        }
        h->fault = (struct isa_effect){
            .cause = cause_of(op),
            .tval = op->producer == MEMORY ? op->at[first_of(m)] : f->addr};
        h->refused_by = chip_unit_at(t->unit.chip, (uint32_t)f->value);
    }
    if (lanes)
        simt_leave(t, w, lanes, HART_FAULT, now);
}

void simt_end_op(struct simt *t, struct simt_op *op, uint64_t now)
{
    struct simt_warp *w = &t->warps[op->warp];
    end_pending(w, op->producer, op->writes);
    w->accesses--;
    if (op->refused)
        refused(t, op, now);
    simt_free_op(t, op);
    simt_advance(t, w, now);
    simt_queues_have_room(t, now);
}

static void end_memory(struct simt *t, struct simt_op *op, uint64_t now)
{
    for (uint64_t m = op->crosses & ~op->refused; m; m &= m - 1)
        if (op->access == ISA_LOAD)
            give(t, op, first_of(m), op->value[first_of(m)]);
    if (op->access == ISA_STORE || op->blocks)
        op->writes = 0;
    simt_end_op(t, op, now);
}

/* The tag of the request that is answered. */
static inline uint32_t answered_tag(const struct msg *m)
{
    return m->op == MEM_UPDATED || (m->op == MEM_FAULT && m->aux == MEM_UPDATE)
               ? (uint32_t)m->from
               : m->tag;
}

const struct simt_op *simt_op_of_data(const struct simt *t, const struct msg *m)
{
    uint32_t tag = answered_tag(m);
    return tag >> TAG_L1 ? NULL : &t->ops[tag >> TAG_REQUEST];
}

uint32_t simt_warp_of_data(const struct simt *t, const struct msg *m)
{
    const struct simt_op *op = simt_op_of_data(t, m);
    return op ? op->warp : answered_tag(m) & ~(1u << TAG_L1);
}

void simt_use_data(struct simt *t, const struct msg *m, uint64_t now)
{
    uint32_t tag = answered_tag(m);
    if (tag >> TAG_L1) {
        simt_l1_done(t, &t->warps[tag & ~(1u << TAG_L1)], now);
        return;
    }
    struct simt_op *op = &t->ops[tag >> TAG_REQUEST];
    const struct simt_request *r =
        &op->request[tag & ((1u << TAG_REQUEST) - 1)];
    TRIP_END(&t->unit, &t->stats, m, now);
    if (m->op == MEM_FAULT) {
        if (!op->refused)
            op->fault = *m;
        op->refused |= r->lanes | r->tails;
    } else if (m->op == MEM_DATA) {
        count_load(t, m->flags);
        take_data(t, op, r, m);
    } else if (m->op == MEM_OLD) {
        give(t, op, first_of(r->lanes), m->value);
    }
    if (++op->answered == op->requests)
        end_memory(t, op, now);
}

/* ---- the table of rules ---- */

/* Maxwell and later: each sector that a lane touches. */
static const struct simt_coalescer simt_coalesce_sector32 = {.bytes = 32};
/* Before: each block of 128 bytes, cut down to the sectors that are used. */
static const struct simt_coalescer simt_coalesce_block128 = {.bytes = 128};

#define ROW(name) &simt_coalesce_##name,
const struct simt_coalescer *const simt_coalescers[] = {
    SIMT_COALESCERS(ROW, ROW)};
#undef ROW
