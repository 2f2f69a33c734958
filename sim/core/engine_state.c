/*
 * The engine's own state in checkpoints: tiles with all that is under way in
 * them, the places of units in their masks, and the next service. It is saved
 * while all tiles stand still at one cycle, with all mail delivered, so host
 * threads and their boxes are not part of it.
 */
#include "sim/core/chip_state.h"
#include "sim/core/covered.h"
#include "sim/core/engine_private.h"
#include "sim/core/heap.h"
#include <stdlib.h>

/* ---- what runs when ---- */

/* A unit, by its number in the tile, that runs in a cycle. */
struct waking {
    uint64_t when;
    uint32_t unit;
};

struct wakings {
    struct waking *list;
    uint32_t count, room;
};

static void add_waking(struct wakings *w, uint64_t when, uint32_t unit)
{
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->list =
            heap_resize(w->list, w->room, sizeof *w->list, "a checkpoint");
    }
    w->list[w->count++] = (struct waking){when, unit};
}

/* The first cycle from `now` on whose place in the wheel that is. */
static uint64_t cycle_of_slot(uint64_t now, unsigned slot)
{
    return now + (slot - now) % WHEEL;
}

/* Lists them by units, as places in masks depend on how the engine runs. */
static void list_wakings(const struct tile *t, uint64_t now, struct wakings *w)
{
    for (uint32_t i = 0; i < t->unit_count; i++) {
        const struct unit *u = t->units[i];
        if (u->mask->next & u->bit)
            add_waking(w, now, i);
        for (unsigned slot = 0; slot < WHEEL; slot++)
            if (t->wakes[slot * t->words + u->word] & u->bit)
                add_waking(w, cycle_of_slot(now, slot), i);
        for (uint32_t f = 0; f < t->far_count; f++)
            if (t->far[f].word == u->word && t->far[f].units & u->bit)
                add_waking(w, t->far[f].when, i);
    }
}

/* No unit is to be woken. */
static void clear_wakes(struct tile *t)
{
    t->slots = 0;
    memset(t->wakes, 0, WHEEL * t->words * sizeof *t->wakes);
    memset(t->word, 0, sizeof t->word);
    t->far_count = 0;
}

/* The tile's clock stands before `now`. */
static void wake_all(struct tile *t, uint64_t now, const struct wakings *w)
{
    clear_wakes(t);
    t->now = now;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct unit *u = t->units[w->list[i].unit];
        tile_wake(t, u->word, u->bit, w->list[i].when);
    }
}

static bool are_wakings(const struct tile *t, uint64_t now,
                        const struct wakings *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->list[i].unit >= t->unit_count || w->list[i].when < now)
            return false;
    return true;
}

static void move_wakings(struct tile *t, uint64_t now, struct state *s)
{
    struct wakings w = {0};
    if (!s->loading)
        list_wakings(t, now, &w);
    w.list = state_array(s, w.list, &w.count, &w.room, sizeof *w.list,
                         "a tile's wake-ups");
    if (s->loading && !s->failed && !are_wakings(t, now, &w))
        state_fail(s, "a wake-up is of no unit, or past");
    if (s->loading && !s->failed)
        wake_all(t, now, &w);
    free(w.list);
    uint64_t slots = t->slots;
    STATE_VALUE(s, slots);
    STATE_VALUE(s, t->listed);
    t->slots |= slots; /* and what the wheel has reached meanwhile */
}

/* ---- what is under way ---- */

#define POOL_MOST (1u << 28)
#define POOL_PIECE 4096u

/* An array that grows has as many entries as in the chip that was saved. Room
 * is made for what has come, as in state_array. */
static void *move_array(struct tile *t, struct state *s, void *array,
                        size_t room, size_t size, size_t each)
{
    for (size_t at = 0, end; at < size && !s->failed; at = end) {
        end = size < at + POOL_PIECE ? size : at + POOL_PIECE;
        if (end > room) {
            size_t more = size < 2 * end ? size : 2 * end;
            array =
                pile_regrow(&t->chip->pile, array, room * each, more * each);
            room = more;
        }
        state_bytes(s, (char *)array + at * each, (end - at) * each);
    }
    return array;
}
#define MOVE_ARRAY(s, t, array, size, was)                                     \
    array = move_array(t, s, array, was, size, sizeof *(array))

static void move_pools(struct tile *t, struct state *s)
{
    uint32_t pool = t->pool_size, payloads = t->payload_size;
    uint32_t credits = t->credit_size;
    state_number(s, &t->pool_size, POOL_MOST, "a tile's messages");
    state_number(s, &t->payload_size, POOL_MOST, "a tile's payloads");
    state_number(s, &t->credit_size, POOL_MOST, "a tile's credits");
    MOVE_ARRAY(s, t, t->pool, t->pool_size, pool);
    MOVE_ARRAY(s, t, t->pool_free, t->pool_size, pool);
    MOVE_ARRAY(s, t, t->payloads, t->payload_size, payloads);
    MOVE_ARRAY(s, t, t->payload_next, t->payload_size, payloads);
    MOVE_ARRAY(s, t, t->credit_pool, t->credit_size, credits);
    if (s->failed && s->loading)
        t->pool_size = t->payload_size = t->credit_size = 0;
    STATE_VALUE(s, t->near_free);
    STATE_VALUE(s, t->far_free);
    STATE_VALUE(s, t->payload_free);
    STATE_VALUE(s, t->credit_free);
    STATE_VALUE(s, t->credit_fresh);
    STATE_VALUE(s, t->credits_listed);
    STATE_VALUE(s, t->wheel);
}

static void move_ports(struct tile *t, struct state *s)
{
    for (uint32_t i = 0; i < t->inport_count; i++) {
        struct inport *in = &t->inports[i];
        STATE_VALUE(s, in->head);
        STATE_VALUE(s, in->tail);
        STATE_VALUE(s, in->count);
    }
    for (uint32_t i = 0; i < t->outport_count; i++) {
        STATE_VALUE(s, t->outports[i].credits);
        state_flag(s, &t->outports[i].starved);
    }
    if (t->link_counts)
        state_bytes(s, t->link_counts,
                    t->outport_count * sizeof *t->link_counts);
    answers_state(t, s);
}

/* The heads of units' structs. */
static void move_units(struct tile *t, struct state *s)
{
    for (uint32_t i = 0; i < t->unit_count; i++) {
        struct unit *u = t->units[i];
        bool sends = u->mask->run & u->bit;
        state_flag(s, &sends);
        state_flag(s, &u->unblocked);
        STATE_VALUE(s, u->filled);
        STATE_VALUE(s, u->pending);
        u->mask->run |= sends ? u->bit : 0;
        u->mask->filled |= u->filled ? u->bit : 0;
    }
}

/* ---- services that were asked for ---- */

static void move_request(struct tile *t, struct service_request *r,
                         struct state *s)
{
    uint32_t unit = s->loading ? 0 : r->unit->id;
    STATE_VALUE(s, r->cycle);
    STATE_VALUE(s, r->tag);
    state_number(s, &unit, t->chip->unit_count - 1, "a service's unit");
    r->unit = t->chip->units[unit];
}

static void move_requests(struct tile *t, struct state *s)
{
    uint32_t count = t->request_count;
    state_number(s, &count, POOL_MOST, "a tile's services");
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        if (s->loading)
            t->requests = array_reserve(t->requests, i, &t->request_room,
                                        sizeof *t->requests);
        move_request(t, &t->requests[i], s);
    }
    if (s->loading)
        t->request_count = s->failed ? 0 : count;
}

/* ---- what is in no checkpoint ---- */

/* How a tile's cycles are run, masks, which are saved by unit, and where arrays
 * lie that grow. */
#define TILE_REST(X)                                                           \
    X(now)                                                                     \
    X(horizon)                                                                 \
    X(slots)                                                                   \
    X(word)                                                                    \
    X(near)                                                                    \
    X(rare)                                                                    \
    X(sending)                                                                 \
    X(request_count)                                                           \
    X(request_taken)                                                           \
    X(request_room)                                                            \
    X(requests)                                                                \
    X(outbox)                                                                  \
    X(first_mail)                                                              \
    X(far)                                                                     \
    X(far_count)                                                               \
    X(far_room)                                                                \
    X(pool)                                                                    \
    X(pool_free)                                                               \
    X(payloads)                                                                \
    X(payload_next)                                                            \
    X(credit_pool)

/* Turns, borders and threads: a run that goes on has its own. */
#define ENGINE_REST(X)                                                         \
    X(options)                                                                 \
    X(fronts)                                                                  \
    X(listed)                                                                  \
    X(barrier)                                                                 \
    X(policy)                                                                  \
    X(next_tile)                                                               \
    X(epochs)                                                                  \
    X(end)                                                                     \
    X(halt)                                                                    \
    X(sides)                                                                   \
    X(turn)                                                                    \
    X(from)                                                                    \
    X(limit)                                                                   \
    X(interval)                                                                \
    X(next_border)                                                             \
    X(watch)                                                                   \
    X(next_watch)                                                              \
    X(save_every)                                                              \
    X(save)                                                                    \
    X(mark)                                                                    \
    X(promised)                                                                \
    X(horizon)                                                                 \
    X(parity)                                                                  \
    X(stopping)                                                                \
    X(left)                                                                    \
    X(held_up)                                                                 \
    X(stop)                                                                    \
    X(requests)                                                                \
    X(request_room)                                                            \
    X(last_progress)

static void leave_rest(const struct engine *e, const struct state *s)
{
#define REST(member) STATE_REST(s, e->member);
    ENGINE_REST(REST)
#undef REST
    for (unsigned i = 0; i < e->chip->tile_count; i++) {
        const struct tile *t = e->chip->tiles[i];
#define REST(member) STATE_REST(s, t->member);
        TILE_REST(REST)
#undef REST
        state_rest(s, t->wakes, WHEEL * t->words * sizeof *t->wakes);
    }
}

#if CHECKED
/* A unit's head is watched up to what checked builds add to it. */
void engine_watch(const struct engine *e)
{
    const struct chip *chip = e->chip;
    covered_watch(e, sizeof *e, "the engine");
    for (unsigned i = 0; i < chip->block_count; i++)
        if (chip->blocks[i].engines)
            covered_watch(chip->blocks[i].at, chip->blocks[i].bytes,
                          "a block of a tile");
    for (unsigned i = 0; i < chip->unit_count; i++)
        covered_watch(chip->units[i], offsetof(struct unit, sum),
                      chip->units[i]->name);
}
#endif

/* ---- all of it ---- */

static void move_tile(struct engine *e, struct tile *t, struct state *s)
{
    state_same(s, t->unit_count, "the number of a tile's units");
    state_same(s, t->inport_count, "the number of a tile's input ports");
    state_same(s, t->outport_count, "the number of a tile's output ports");
    state_same(s, t->link_counts != NULL, "--link-stats (1: given)");
    move_wakings(t, e->to, s);
    move_pools(t, s);
    move_ports(t, s);
    move_units(t, s);
    move_requests(t, s);
}

void engine_state(struct engine *e, struct state *s)
{
    if (!s->loading)
        turn_deliver(e);
    state_same(s, e->chip->tile_count, "the number of tiles");
    state_same(s, e->chip->unit_count, "the number of units");
    if (CHECKED)
        leave_rest(e, s);
    STATE_VALUE(s, e->to);
    STATE_VALUE(s, e->last_event);
    STATE_VALUE(s, e->services);
    STATE_VALUE(s, e->alarm);
    for (unsigned i = 0; i < e->chip->tile_count && !s->failed; i++)
        move_tile(e, e->chip->tiles[i], s);
    if (s->loading && !s->failed)
        engine_check(e, s);
    if (!s->failed)
        chip_state(e->chip, s);
    if (!s->loading || !s->failed)
        plan_loaded(e); /* mail has been delivered, whatever became of it */
}
