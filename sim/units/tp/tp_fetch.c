/*
 * Fetch buffers of the thread processor, one for each hart, so that harts do
 * not take each other's code away and each can always go on.
 *
 * A buffer changes when its hart issues or tries to, and when an answer comes,
 * which only adds: what is replaced is gone when its successor is asked for. So
 * instructions whose sectors are there may be worked out ahead of time.
 */
#include "sim/units/tp/tp_slot.h"
#include <assert.h>

/* The parameters fetch_buffer, which is not 0, and fetch_ahead. */
static bool check_fetch(const struct tp *t, int64_t room, int64_t ahead,
                        struct error *error)
{
    if (!t->unit.links[FETCH])
        return error_set(error, "fetch_buffer: there is no fetch link");
    if (room < 2)
        return error_set(error, "fetch_buffer: an instruction may lie in two "
                                "sectors, 0 or at least 2 expected");
    return ahead <= room - 2 ||
           error_set(error, "fetch_ahead: at most %d with a fetch_buffer of %d",
                     (int)room - 2, (int)room);
}

bool tp_fetch_build(struct tp *t, struct error *error)
{
    int64_t room = t->params.fetch_buffer, ahead = t->params.fetch_ahead;
    if (!room)
        return true;
    if (!check_fetch(t, room, ahead, error))
        return false;
    t->fetch = chip_alloc(t->unit.chip, t->hart_count, sizeof *t->fetch);
    for (unsigned i = 0; i < t->hart_count; i++) {
        struct fetch_buffer *f = &t->fetch[i];
        f->room = (uint8_t)room;
        f->ahead = (uint8_t)ahead;
        f->held = chip_alloc(t->unit.chip, f->room, sizeof *f->held);
        f->sector = f->split = NO_SECTOR;
        for (unsigned k = 0; k < f->room; k++)
            f->held[k].sector = NO_SECTOR;
    }
    t->fetches = true;
    return true;
}

static struct fetch_buffer *buffer_of(const struct tp *t, const struct slot *s)
{
    return &t->fetch[slot_number(t, s)];
}

/* Sectors of the next instruction, mostly one and the same; but one of 4 bytes
 * may begin in the last 2 of a sector. */
struct sectors {
    uint64_t first, last;
};

static struct sectors next_sectors(const struct tp *t, const struct slot *s)
{
    const struct hart *hart = hart_of(t, s);
    const struct isa_insn *insn = next_insn(t, hart);
    uint64_t pc = hart->isa.pc;
    uint64_t bytes = insn && insn->len ? insn->len : 2;
    return (struct sectors){pc / SECTOR, (pc + bytes - 1) / SECTOR};
}

static struct held *find(const struct fetch_buffer *f, uint64_t sector)
{
    for (unsigned i = 0; i < f->room; i++)
        if (f->held[i].sector == sector)
            return &f->held[i];
    return NULL;
}

static bool there(const struct fetch_buffer *f, uint64_t sector)
{
    const struct held *h = find(f, sector);
    return h && !h->coming;
}

static bool coming(const struct fetch_buffer *f, uint64_t sector)
{
    const struct held *h = find(f, sector);
    return h && h->coming;
}

/* Does the buffer hold all of the next instruction? */
static bool fetched(const struct tp *t, const struct slot *s)
{
    const struct fetch_buffer *f = buffer_of(t, s);
    struct sectors n = next_sectors(t, s);
    return (n.first == f->sector || there(f, n.first)) &&
           (n.last == f->sector || there(f, n.last));
}

/* The sector that makes room for another one: least recently used (LRU). */
static struct held *least_recent(const struct fetch_buffer *f)
{
    struct held *least = &f->held[0];
    for (unsigned i = 1; i < f->room; i++)
        if (f->held[i].used < least->used)
            least = &f->held[i];
    return least;
}

/* The sector is now the one used most recently. */
static void touch(struct fetch_buffer *f, uint64_t sector)
{
    struct held *h = find(f, sector);
    if (h)
        h->used = ++f->clock;
}

/* Asks for a sector that is neither there nor coming. False: the port is full.
 */
static bool ask(struct tp *t, struct slot *s, uint64_t sector)
{
    struct fetch_buffer *f = buffer_of(t, s);
    struct outport *o = outport_of(t, TO_FETCH);
    if (!link_ready(o))
        return false;
    struct held *h = least_recent(f);
    *h = (struct held){sector, ++f->clock, true};
    struct msg m = {.op = MEM_READ,
                    .addr = sector * SECTOR,
                    .size = SECTOR,
                    .from = hart_of(t, s)->isa.id,
                    .tag = slot_number(t, s) << TAG_SLOT};
    t->stats.fetches++;
    trip_begin(&m, TRIP_fetch, unit_now(&t->unit));
    WORK_FOR(&m, t->works[slot_number(t, s)].work);
    link_push(o, &m);
    return true;
}

/* Is there a sector to fetch that the buffer does not have? */
static bool wanted_ahead(const struct tp *t, const struct fetch_buffer *f,
                         uint64_t sector)
{
    return machine_in_ram(t->common->machine, sector * SECTOR, SECTOR) &&
           !find(f, sector);
}

/* Asks for the sectors behind the last one while the port has room. What cannot
 * be asked for now is fetched when it is needed. */
static void ask_ahead(struct tp *t, struct slot *s, uint64_t last)
{
    struct fetch_buffer *f = buffer_of(t, s);
    for (unsigned i = 1; i <= f->ahead; i++) {
        uint64_t sector = last + i;
        touch(f, sector);
        if (!wanted_ahead(t, f, sector))
            continue;
        if (!ask(t, s, sector))
            return;
        t->stats.fetches_ahead++;
    }
}

/* The hart's code is there; where it enters a sector, those behind it follow.
 */
static void enter_sector(struct tp *t, struct slot *s, struct sectors n)
{
    struct fetch_buffer *f = buffer_of(t, s);
    touch(f, n.first);
    if (n.last != n.first)
        touch(f, n.last);
    f->sector = n.last;
    f->split = n.first == n.last ? NO_SECTOR : hart_of(t, s)->isa.pc;
    ask_ahead(t, s, n.last);
}

/* Asks for what is missing of the next instruction, and for the sectors behind
 * it. If no request could be sent the hart waits for the port, else for the
 * sectors. */
static void wait_for_code(struct tp *t, struct slot *s, struct sectors n,
                          uint64_t now)
{
    struct fetch_buffer *f = buffer_of(t, s);
    touch(f, n.first);
    touch(f, n.last);
    bool asked = find(f, n.first) || ask(t, s, n.first);
    asked &= find(f, n.last) || ask(t, s, n.last);
    if (asked)
        ask_ahead(t, s, n.last);
    if (!coming(f, n.first) && !coming(f, n.last)) {
        tp_wait_for_port(t, s, TO_FETCH, IN_full_fetch, now);
        return;
    }
    enter(t, s, WAIT_FETCH);
    put_in(t, s, now, IN_wait_fetch);
}

/* Most instructions lie in the sector of the one before, which is there. */
static bool in_last_sector(const struct fetch_buffer *f, struct sectors n)
{
    return n.first == f->sector && n.last == f->sector;
}

bool tp_found(const struct tp *t, const struct slot *s)
{
    const struct fetch_buffer *f = buffer_of(t, s);
    return in_last_sector(f, next_sectors(t, s)) ||
           hart_of(t, s)->isa.pc == f->split;
}

bool tp_fetch(struct tp *t, struct slot *s, uint64_t now)
{
    struct sectors n = next_sectors(t, s);
    if (in_last_sector(buffer_of(t, s), n))
        return true;
    if (!fetched(t, s)) {
        wait_for_code(t, s, n, now);
        return false;
    }
    enter_sector(t, s, n);
    return true;
}

bool tp_fetch_quietly(struct tp *t, struct slot *s)
{
    struct sectors n = next_sectors(t, s);
    const struct fetch_buffer *f = buffer_of(t, s);
    if (in_last_sector(f, n))
        return true;
    if (!fetched(t, s))
        return false;
    for (unsigned i = 1; i <= f->ahead; i++)
        if (wanted_ahead(t, f, n.last + i))
            return false;
    enter_sector(t, s, n);
    return true;
}

/* A sector has come. The hart goes on if its next instruction is complete. */
static void take_sector(struct tp *t, struct slot *s, uint64_t sector,
                        uint64_t now)
{
    const struct fetch_buffer *f = buffer_of(t, s);
    struct held *h = find(f, sector);
    if (h)
        h->coming = false;
    if (s->state != WAIT_FETCH)
        return;
    struct sectors n = next_sectors(t, s);
    if (!coming(f, n.first) && !coming(f, n.last))
        tp_assess_now(t, s, now);
}

/* The memory refuses a sector: the buffer forgets it, and a hart that waits for
 * it faults. */
static void refused_sector(struct tp *t, struct slot *s, const struct msg *m,
                           uint64_t now)
{
    uint64_t sector = m->addr / SECTOR;
    struct held *h = find(buffer_of(t, s), sector);
    struct sectors n = next_sectors(t, s);
    if (h)
        *h = (struct held){.sector = NO_SECTOR};
    if (s->state == WAIT_FETCH && (n.first == sector || n.last == sector))
        tp_refused(t, s, m, ISA_CAUSE_FETCH_FAULT, now);
}

void tp_use_code(struct tp *t, const struct msg *m, uint64_t now)
{
    struct slot *s = slot_of(t, m->tag);
    TRIP_END(&t->unit, &t->stats, m, now);
    if (m->flags & MSG_PAYLOAD)
        msg_payload(&t->unit, m); /* what is executed was decoded before */
    if (m->op == MEM_FAULT && m->aux == MEM_READ) {
        refused_sector(t, s, m, now);
        return;
    }
    if (m->op == MEM_DATA) {
        take_sector(t, s, m->addr / SECTOR, now);
        return;
    }
    assert(s->accesses);
    s->accesses--; /* the instruction cache is empty */
    if (!s->accesses)
        tp_assess_now(t, s, now);
}

void tp_fetch_anew(struct tp *t, struct slot *s)
{
    struct fetch_buffer *f = buffer_of(t, s);
    for (unsigned i = 0; i < f->room; i++)
        f->held[i] = (struct held){.sector = NO_SECTOR};
    f->sector = f->split = NO_SECTOR;
    struct msg m = {.op = MEM_INVALIDATE,
                    .from = hart_of(t, s)->isa.id,
                    .tag = slot_number(t, s) << TAG_SLOT};
    link_push(outport_of(t, TO_FETCH), &m);
    s->accesses++;
}
