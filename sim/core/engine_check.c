/*
 * Can the state of tiles that was loaded be? Each message, payload and credit
 * is in one list, lists lead to what there is, and a link has as much under way
 * as it has room for: so no list and no port that the engine follows leads out
 * of its array. What units keep in their own memory, their numbers of messages
 * among it, is theirs to know, and is not looked at.
 */
#include "sim/core/engine_private.h"
#include "sim/core/heap.h"
#include <stdlib.h>

/* What of a tile has been found in a list. */
struct listing {
    const struct tile *tile;
    uint8_t *msgs, *payloads, *credits;
    uint32_t *coming; /* by input port: messages in the wheel */
    uint32_t *paid;   /* by output port: credits in the wheel */
};

/* True if the number is one of `count`, and not seen before. */
static bool is_new(uint8_t *seen, uint32_t number, uint32_t count)
{
    return number < count && !seen[number]++;
}

/* A payload belongs to one message, or is free. */
static bool list_msg(const struct listing *l, uint32_t index)
{
    const struct tile *t = l->tile;
    if (!is_new(l->msgs, index, t->pool_size))
        return false;
    const struct msg *m = &t->pool[index];
    return !(m->flags & MSG_PAYLOAD) ||
           (m->value < t->payload_size && !l->payloads[m->value]++);
}

/* Lists messages from the first to the last; first NONE: there are none. */
static bool list_msgs(const struct listing *l, uint32_t first, uint32_t last)
{
    uint32_t behind = last;
    for (uint32_t i = first; i != NONE; i = l->tile->pool[i].next) {
        if (!list_msg(l, i))
            return false;
        behind = i;
    }
    return behind == last;
}

/* ---- what is free ---- */

/* Two stacks in one array: near ones up to POOL_NEAR, far ones from there on.
 */
static bool list_free_msgs(const struct listing *l)
{
    const struct tile *t = l->tile;
    uint32_t near = t->pool_size < POOL_NEAR ? t->pool_size : POOL_NEAR;
    if (t->near_free > near || t->far_free > t->pool_size - near)
        return false;
    for (uint32_t i = 0; i < t->near_free; i++)
        if (!is_new(l->msgs, t->pool_free[i], near))
            return false;
    for (uint32_t i = 0; i < t->far_free; i++)
        if (t->pool_free[POOL_NEAR + i] < POOL_NEAR ||
            !is_new(l->msgs, t->pool_free[POOL_NEAR + i], t->pool_size))
            return false;
    return true;
}

/* They are a list by payload_next, in which those in use have anything. */
static bool list_free_payloads(const struct listing *l)
{
    const struct tile *t = l->tile;
    for (uint32_t i = t->payload_free; i != NONE; i = t->payload_next[i])
        if (!is_new(l->payloads, i, t->payload_size))
            return false;
    return true;
}

/* Credits from credit_fresh on are free, and in no list. */
static bool list_free_credits(const struct listing *l)
{
    const struct tile *t = l->tile;
    if (t->credit_fresh > t->credit_size)
        return false;
    for (uint32_t i = t->credit_free; i != NONE; i = t->credit_pool[i].next)
        if (!is_new(l->credits, i, t->credit_fresh))
            return false;
    return true;
}

/* ---- what is under way ---- */

/* Messages that arrive in a cycle, each with the number of its port in `when`,
 * and credits of the output ports. */
static bool list_slot(const struct listing *l, const struct wheel_slot *w,
                      uint32_t *credits)
{
    const struct tile *t = l->tile;
    if (w->first != NONE && !list_msgs(l, w->first, w->last))
        return false;
    for (uint32_t i = w->first; i != NONE; i = t->pool[i].next) {
        if (t->pool[i].when >= t->inport_count)
            return false;
        l->coming[t->pool[i].when]++;
    }
    for (uint32_t i = w->credits; i != NONE; i = t->credit_pool[i].next) {
        if (!is_new(l->credits, i, t->credit_fresh) ||
            t->credit_pool[i].port >= t->outport_count)
            return false;
        l->paid[t->credit_pool[i].port]++;
        ++*credits;
    }
    return true;
}

static bool list_wheel(const struct listing *l)
{
    uint32_t credits = 0;
    for (unsigned i = 0; i < WHEEL; i++)
        if (!list_slot(l, &l->tile->wheel[i], &credits))
            return false;
    return credits == l->tile->credits_listed;
}

/* Links within a FIFO are those of its messages but the last. */
static bool list_fifo(const struct listing *l, const struct inport *in)
{
    uint32_t index = in->head;
    for (uint32_t i = 0; i < in->count; i++) {
        if (!list_msg(l, index) || (i + 1 == in->count && index != in->tail))
            return false;
        index = l->tile->pool[index].next;
    }
    return true;
}

/* The unit knows at which of its ports there are messages. */
static bool is_pending(const struct inport *in)
{
    const struct unit *u = in->unit;
    return !in->count == !(u->pending[in->word] >> in->bit & 1);
}

/* Of an empty FIFO, head and tail may be anything: appending does not look at
 * them. A unit with a bit too many would take a message where there is none. */
static bool list_fifos(const struct listing *l)
{
    const struct tile *t = l->tile;
    for (uint32_t i = 0; i < t->inport_count; i++)
        if (!list_fifo(l, &t->inports[i]) || !is_pending(&t->inports[i]))
            return false;
    for (uint32_t i = 0; i < t->unit_count; i++) {
        uint32_t filled = 0;
        for (unsigned w = 0; w < UNIT_WORDS_MAX; w++)
            filled += (uint32_t)__builtin_popcountll(t->units[i]->pending[w]);
        if (filled != t->units[i]->filled)
            return false;
    }
    return true;
}

/* Each port is at most once among those that may send. */
static bool list_answers(const struct listing *l)
{
    const struct tile *t = l->tile;
    uint32_t held = 0, ports = 0;
    for (uint32_t i = 0; i < t->outport_count; i++) {
        const struct held_answers *h = &t->held[i];
        if (h->first != NONE && !list_msgs(l, h->first, h->last))
            return false;
        for (uint32_t m = h->first; m != NONE; m = t->pool[m].next)
            held++;
    }
    for (uint32_t p = t->released; p != NONE; p = t->held[p].next)
        if (p >= t->outport_count || ++ports > t->outport_count)
            return false;
    return held == t->held_count;
}

/* ---- room of links ---- */

/*
 * A credit is with its output port, in the wheel, or there is a message for it
 * in the wheel or the FIFO at the other end; after a pop it is on its way back.
 * More of them than the link's depth would end the process later. Reserved
 * links have none.
 */
static bool has_room(const struct listing *l, const struct listing *all)
{
    for (uint32_t i = 0; i < l->tile->inport_count; i++) {
        const struct inport *in = &l->tile->inports[i];
        if (!in->credited)
            continue;
        const struct tile *from =
            in->latency ? l->tile->chip->tiles[in->origin] : l->tile;
        const struct outport *o =
            in->latency ? &from->outports[in->source] : in->peer;
        uint64_t used = (uint64_t)in->count + l->coming[i] +
                        all[from->id].paid[o - from->outports];
        if (o->credits < 0 || used + (uint64_t)o->credits > (uint64_t)o->depth)
            return false;
    }
    return true;
}

/* ---- all of it ---- */

static struct listing listing_new(const struct tile *t)
{
    const char *what = "a checkpoint";
    return (struct listing){
        .tile = t,
        .msgs = heap_new(t->pool_size, 1, what),
        .payloads = heap_new(t->payload_size, 1, what),
        .credits = heap_new(t->credit_size, 1, what),
        .coming = heap_new(t->inport_count, sizeof(uint32_t), what),
        .paid = heap_new(t->outport_count, sizeof(uint32_t), what)};
}

static void listing_free(struct listing *l)
{
    free(l->msgs);
    free(l->payloads);
    free(l->credits);
    free(l->coming);
    free(l->paid);
}

/* What a list leads to, NULL: to what there is. */
static const char *wrong_of(const struct listing *l)
{
    return !list_free_msgs(l)       ? "free messages"
           : !list_free_payloads(l) ? "free payloads"
           : !list_free_credits(l)  ? "free credits"
           : !list_wheel(l)         ? "what comes"
           : !list_fifos(l)         ? "messages at ports"
           : !list_answers(l)       ? "answers"
                                    : NULL;
}

/*
 * Tiles are listed before links are looked at, as the ends of a link may lie in
 * two of them. It takes time by the size of their pools.
 */
void engine_check(const struct engine *e, struct state *s)
{
    unsigned count = e->chip->tile_count;
    struct listing *all = heap_new(count, sizeof *all, "a checkpoint");
    for (unsigned i = 0; i < count; i++)
        all[i] = listing_new(e->chip->tiles[i]);
    for (unsigned i = 0; i < count && !s->failed; i++) {
        const char *wrong = wrong_of(&all[i]);
        if (wrong)
            state_fail(s, "the lists of %s of a tile lead nowhere", wrong);
    }
    for (unsigned i = 0; i < count && !s->failed; i++)
        if (!has_room(&all[i], all))
            state_fail(s, "a link has more under way than it has room for");
    for (unsigned i = 0; i < count; i++)
        listing_free(&all[i]);
    free(all);
    /* Where all stand at the end of a jump, services have still to be served.
     */
    if (e->services < e->to || e->alarm < e->to || e->last_event > e->to)
        state_fail(s, "a service or an event is at an impossible cycle");
}
