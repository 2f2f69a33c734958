/*
 * Runs a finished chip. Between two barriers all tiles run the same cycles
 * [from, to), or those of one side of the chip do (workers.c); then the thread
 * that arrives last plans what comes next (plan.c).
 *
 * On one thread two sides run in turn, each from E cycles behind the other to E
 * cycles ahead: what the other sends later arrives later. So a tile runs 2 E
 * cycles at a time, and a host's cache, which does not hold all tiles, has its
 * lines for longer. On several threads that was measured to cost more than it
 * gains.
 */
#include "sim/core/covered.h"
#include "sim/core/engine_private.h"
#include "sim/core/heap.h"
#include <stdlib.h>

/*
 * Sides run in turn if epochs are to be longer than E, on one thread, and
 * without a hook `still`, which looks at the chip while all tiles stand.
 */
static bool takes_turns(const struct engine *e)
{
    unsigned asked = e->options.epoch;
    return e->chip->first_side && (!asked || asked > e->chip->epoch) &&
           e->options.threads == 1 && !e->options.no_skip && !e->hooks.still;
}

static void make_sides(struct engine *e)
{
    bool turns = takes_turns(e);
    unsigned most = turns ? chip_longest_epoch(e->chip) : e->chip->epoch;
    unsigned asked = e->options.epoch;
    e->longest = asked && asked < most ? asked : most;
    e->side_count = turns ? 2 : 1;
    e->sides[0].end = e->sides[1].first =
        turns ? e->chip->first_side : e->chip->tile_count;
    e->sides[1].end = e->chip->tile_count;
}

/* Threads share tiles by the number of their units, before anything is
 * measured. */
static void make_policy(struct engine *e)
{
    unsigned tiles = e->chip->tile_count;
    uint64_t *units = heap_new(tiles, sizeof *units, "host threads");
    for (unsigned i = 0; i < tiles; i++)
        units[i] = e->chip->tiles[i]->unit_count + 1;
    policy_init(&e->policy, &e->options, units, tiles, e->hooks.profile,
                barrier_ns(&e->barrier));
    free(units);
}

static void wake_all_units(struct engine *e)
{
    struct chip *chip = e->chip;
    for (unsigned i = 0; i < chip->tile_count && e->options.reverse_order; i++)
        tile_reverse(chip->tiles[i]);
    for (unsigned i = 0; i < chip->unit_count; i++) {
        const struct unit *u = chip->units[i];
        tile_wake(u->tile, u->word, u->bit, 0);
    }
}

static void list_settling(struct engine *e)
{
    struct chip *chip = e->chip;
    e->settling =
        heap_new(chip->unit_count, sizeof(struct unit *), "host threads");
    for (unsigned i = 0; i < chip->unit_count; i++)
        if (chip->units[i]->kind->settle)
            e->settling[e->settling_count++] = chip->units[i];
}

struct engine *engine_new(struct chip *chip,
                          const struct engine_options *options,
                          const struct engine_hooks *hooks)
{
    struct engine *e = heap_lines(1, sizeof *e, "host threads");
    *e = (struct engine){.chip = chip, .options = *options, .hooks = *hooks};
    make_sides(e);
    e->services = e->alarm = e->mark = e->save = CYCLE_NEVER;
    workers_init(e);
    barrier_init(&e->barrier, options->threads);
    make_policy(e);
    atomic_init(&e->next_tile, 0);
    atomic_init(&e->end, 0);
    list_settling(e);
    wake_all_units(e);
    if (CHECKED)
        engine_watch(e);
    return e;
}

void engine_free(struct engine *e)
{
    if (!e)
        return;
    if (CHECKED)
        covered_forget();
    workers_free(e);
    policy_free(&e->policy);
    barrier_destroy(&e->barrier);
    free(e->settling);
    free(e->requests);
    free(e);
}

unsigned engine_epoch(const struct engine *e)
{
    return e->longest;
}

bool engine_is_alone(const struct engine *e)
{
    return policy_is_alone(&e->policy);
}

unsigned engine_share(const struct engine *e, unsigned thread)
{
    return policy_share(&e->policy, thread);
}

static bool has_block(const struct engine *e, unsigned thread,
                      const struct block *b)
{
    const struct unit *u = b->unit ? b->unit : b->owner;
    return u && e->policy.shares.owner[u->tile->id] == thread;
}

/* Blocks that follow each other, up to the next page, are one piece. */
void engine_memory(const struct engine *e, unsigned thread,
                   void (*piece)(void *context, void *at, size_t bytes),
                   void *context)
{
    enum { PAGE = 4096 };
    const struct block *blocks = e->chip->blocks;
    for (unsigned i = 0, end; i < e->chip->block_count; i = end) {
        end = i + 1;
        if (!has_block(e, thread, &blocks[i]))
            continue;
        while (end < e->chip->block_count &&
               has_block(e, thread, &blocks[end]) &&
               blocks[end].at > blocks[end - 1].at &&
               blocks[end].at - blocks[end - 1].at <
                   (ptrdiff_t)blocks[end - 1].bytes + PAGE)
            end++;
        const struct block *last = &blocks[end - 1];
        piece(context, blocks[i].at,
              (size_t)(last->at - blocks[i].at) + last->bytes);
    }
}

/* Sides that took turns meet first, where all mail is delivered; then those of
 * the new way begin there. */
void engine_listen(struct engine *e, const struct engine_hooks *hooks,
                   unsigned epoch)
{
    bool same = !e->hooks.still == !hooks->still && e->options.epoch == epoch;
    e->hooks = *hooks;
    e->options.epoch = epoch;
    if (same)
        return;
    turn_deliver(e);
    make_sides(e);
    e->turn = 0;
    plan_loaded(e);
}

uint64_t engine_cycle(const struct engine *e)
{
    return e->to;
}

void engine_launch(struct engine *e)
{
    for (unsigned i = 0; i < e->chip->unit_count; i++) {
        struct unit *u = e->chip->units[i];
        if (u->kind->launch)
            u->kind->launch(u, e->to);
    }
}

void engine_settle(struct engine *e)
{
    bool again = true;
    for (unsigned round = 0; again; round++) {
        again = false;
        for (unsigned i = 0; i < e->settling_count; i++) {
            struct unit *u = e->settling[i];
            if (u->kind->settle(u, round))
                again = true;
        }
    }
}

void engine_close_accounts(struct engine *e)
{
    for (unsigned i = 0; i < e->chip->unit_count; i++) {
        struct unit *u = e->chip->units[i];
        if (u->kind->close)
            u->kind->close(u, e->to);
        if (CHECKED)
            checked_buckets(u, e->to);
    }
}

enum engine_stop engine_run(struct engine *e, uint64_t limit, uint64_t interval)
{
    plan_first(e, limit, interval);
    workers_run(e);
    engine_close_accounts(e);
    engine_settle(e);
    return e->stop;
}
