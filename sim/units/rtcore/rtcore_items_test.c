/*
 * Tests an RT core on a streaming chip: a toy plays the staging buffer and all
 * that is behind it. What it gets together must be the hits of a plain
 * traversal, for each policy, size of treelets, depth of links and order.
 */
#include "sim/units/common/toy_bench.h"
#include "sim/units/rtcore/rtcore_bench.h"
#include "sim/units/rtcore/rtcore_items.h"
#include <corbel/streams.h>
#include <corbel/traverse_moves.h>
#include <float.h>

struct stored {
    uint32_t ray, segment;
    struct corbel_moving moving; /* of an item that is copied only the ray */
};

/* A game that the depot plays: which rays, in what order. */
struct game {
    struct view view;
    unsigned policy;
    unsigned depth; /* of the links */
    bool newest;    /* the newest item goes first, else the oldest */
    bool early;
};

/* Hands out items and keeps those that come back. */
struct depot {
    struct unit unit;
    struct toy_stats stats;
    const struct game *game;
    const struct corbel_scene *scene;
    struct stored *items;
    unsigned count, first; /* stored so far; of those, the oldest that is left
                              where the oldest goes first */
    struct corbel_hit record[RAYS];
    unsigned over;     /* rays that moved to their end */
    unsigned hits;     /* that came */
    uint32_t asks[64]; /* slots that wait for an item */
    unsigned ask_count, busy;
    uint32_t loads[64]; /* slots that wait for a record, and whose */
    uint32_t load_ray[64];
    unsigned load_count;
    bool begun;
    struct corbel_ray arriving;
};

enum { ITEM_IN, WORK_OUT };
static const struct port_row depot_ports[] = {
    [ITEM_IN] = {"item", false, 1, "of the RT core"},
    [WORK_OUT] = {"work", true, 1, "to it"},
};

static void store(struct depot *d, uint32_t ray, uint32_t segment,
                  const struct corbel_moving *moving)
{
    d->items = toy_grow(d->items, d->count, sizeof *d->items);
    d->items[d->count++] = (struct stored){ray, segment, *moving};
}

/* All rays are at the root. */
static void store_roots(struct depot *d)
{
    const struct view *v = &d->game->view;
    for (uint32_t i = 0; i < RAYS; i++) {
        struct corbel_moving moving;
        corbel_moving_start(&moving, d->scene, &v->ray[i]);
        store(d, i, 0, &moving);
        d->record[i] = moving.hit;
    }
}

static void take_hit(struct depot *d, const struct msg *m)
{
    struct payload p = msg_payload(&d->unit, m);
    struct corbel_hit hit = stream_hit(p.bytes);
    if (corbel_hit_is_closer(&hit, &d->record[m->addr]))
        d->record[m->addr] = hit;
    d->over += m->op == STREAM_OVER;
    d->hits += hit.index != CORBEL_MISS;
}

static void take_ray(struct depot *d, const struct msg *m)
{
    struct payload p = msg_payload(&d->unit, m);
    struct corbel_moving moving = {.ray = stream_ray(p.bytes)};
    if (m->op == STREAM_RAY) {
        d->arriving = moving.ray;
        return;
    }
    if (m->op == STREAM_STATE) {
        moving.ray = d->arriving;
        memcpy(&moving.hit, p.bytes, sizeof p.bytes);
    }
    assert_in_range(m->tag, 0, d->scene->treelets - 1);
    store(d, (uint32_t)m->addr, m->tag, &moving);
}

static void depot_receive(struct unit *u, uint64_t now)
{
    struct depot *d = (struct depot *)u;
    while (*unit_pending(u, ITEM_IN)) {
        struct msg m = link_pop(&u->in[ITEM_IN][0]);
        d->stats.hash =
            (d->stats.hash ^ now ^ m.addr << 8 ^ m.op) * 0x9e3779b97f4a7c15u;
        if (m.op == STREAM_HIT_STORE || m.op == STREAM_OVER) {
            take_hit(d, &m);
        } else if (m.op == STREAM_LOAD) {
            d->asks[d->ask_count++] = m.from;
        } else if (m.op == STREAM_HIT_LOAD) {
            d->load_ray[d->load_count] = (uint32_t)m.addr;
            d->loads[d->load_count++] = m.from;
        } else {
            take_ray(d, &m);
        }
    }
}

static void push(struct depot *d, struct msg m, const void *bytes, size_t size)
{
    struct payload p = {{0}};
    memcpy(p.bytes, bytes, size);
    link_push_full(&d->unit.out[WORK_OUT][0], &m, &p);
}

static void hand_out(struct depot *d)
{
    struct stored *s = &d->items[d->game->newest ? --d->count : d->first++];
    struct msg m = {.op = STREAM_ITEM,
                    .addr = s->ray,
                    .tag = s->segment,
                    .from = d->asks[--d->ask_count]};
    if (d->game->policy)
        m.op = STREAM_RAY;
    push(d, m, &s->moving.ray, sizeof s->moving.ray);
    m.op = STREAM_STATE;
    if (d->game->policy)
        push(d, m, &s->moving.hit, 32);
}

static void answer_load(struct depot *d)
{
    const struct corbel_hit *hit = &d->record[d->load_ray[--d->load_count]];
    struct msg m = {.op = STREAM_HIT, .from = d->loads[d->load_count]};
    push(d, m, hit, sizeof *hit);
}

static void end(struct depot *d)
{
    struct msg m = {.op = STREAM_END, .from = d->asks[--d->ask_count]};
    link_push(&d->unit.out[WORK_OUT][0], &m);
}

/* Every slot has asked: no item is under way. */
static bool is_over(const struct depot *d)
{
    return d->first == d->count && d->ask_count == d->game->view.max_rays;
}

static uint64_t depot_send(struct unit *u, uint64_t now)
{
    struct depot *d = (struct depot *)u;
    struct msg begin = {.op = STREAM_BEGIN};
    if (!link_ready_for(&u->out[WORK_OUT][0], 2))
        return CYCLE_NEVER;
    if (!d->begun)
        link_push(&u->out[WORK_OUT][0], &begin);
    else if (d->load_count)
        answer_load(d);
    else if (d->ask_count && d->first < d->count)
        hand_out(d);
    else if (d->busy || is_over(d))
        end(d), d->busy = d->ask_count;
    else
        return CYCLE_NEVER;
    d->begun = true;
    return now + 1;
}

static bool depot_build(struct unit *u, struct error *error)
{
    return true;
}

static void depot_destroy(struct unit *u)
{
    free(((struct depot *)u)->items);
}

static const struct stat_row depot_stats[] = {
    {"hash", "", "of what came in, and when", offsetof(struct toy_stats, hash)},
};

static const struct unit_kind depot_kind = {
    .name = "depot",
    .meaning = "plays a staging buffer",
    .size = sizeof(struct depot),
    .stats = offsetof(struct depot, stats),
    .stat_rows = depot_stats,
    .stat_count = 1,
    .port_rows = depot_ports,
    .port_count = 2,
    .build = depot_build,
    .receive = depot_receive,
    .send = depot_send,
    .destroy = depot_destroy,
};

static struct depot *depot_of(const struct bench *b)
{
    return (struct depot *)b->units[1];
}

static void build(struct bench *b)
{
    const struct game *game = b->scenario->with;
    const struct view *v = &game->view;
    struct unit *r = bench_unit(b, "rtcore", "rtcore");
    struct depot *d = (struct depot *)bench_unit(b, "depot", "depot");
    bench_set(b, r, "stack", v->stack);
    bench_set(b, r, "max_rays", v->max_rays);
    bench_set(b, r, "policy", game->policy);
    bench_set(b, r, "early", game->early);
    for (unsigned i = 0; i < v->queues; i++)
        bench_below(b, r, "mem", "data", v->latency + v->spread * i);
    bench_link(b, r, "item", d, "item", game->depth);
    bench_link(b, d, "work", r, "work", game->depth);
    view_scene(b, v);
    d->game = game;
    d->scene = b->machine.scene;
    store_roots(d);
}

/* Nodes of a ray that it has tested before, when it moves by itself. */
static uint64_t tested_again(const struct game *game, const struct depot *d,
                             const struct corbel_ray *ray)
{
    const enum corbel_move_policy policy =
        (enum corbel_move_policy)(game->policy - 1);
    static uint8_t seen[1 << 20]; /* by node, in the smallest steps */
    struct corbel_moving moving;
    struct corbel_move m;
    struct corbel_traversal t;
    uint64_t again = 0;
    memset(seen, 0, sizeof seen);
    corbel_moving_start(&moving, d->scene, ray);
    do {
        corbel_move_begin(&m, &t, d->scene, &moving);
        while (t.ref != CORBEL_REF_NONE &&
               (corbel_ref_is_leaf(t.ref) || !(t.ref & CORBEL_REF_TREELET))) {
            const uint64_t at =
                (corbel_ref_offset(t.ref) - d->scene->nodes_offset) / 64;
            if (!corbel_ref_is_leaf(t.ref)) {
                assert_in_range(at, 0, sizeof seen - 1);
                again += seen[at];
                seen[at] = 1;
            }
            corbel_move_step(&m, &t, d->scene, policy);
        }
        corbel_move_end(&m, &t, &moving);
    } while (m.state != CORBEL_MOVE_OVER);
    return again;
}

static void check(struct bench *b)
{
    const struct game *game = b->scenario->with;
    struct depot *d = depot_of(b);
    const struct unit *r = b->units[0];
    uint64_t children = bench_stat(r, "children"), again = 0;
    for (unsigned i = 0; i < RAYS; i++) {
        struct corbel_hit hit;
        corbel_traverse(game->view.scene, &game->view.ray[i], CORBEL_CLOSEST,
                        &hit);
        assert_memory_equal(&d->record[i], &hit, sizeof hit);
        again += game->policy ? tested_again(game, d, &game->view.ray[i]) : 0;
    }
    assert_stat(r, "revisits", again);
    assert_int_equal(d->over, game->policy ? RAYS : 0);
    assert_stat(r, "rays", RAYS);
    assert_stat(r, "items", RAYS + children);
    assert_stat(r, "hits", d->hits);
    assert_int_equal(bench_stat(r, "stack_max") > 0, game->policy != 1);
    assert_true(game->view.scene->treelets == 1 || children > RAYS / 4);
    assert_true(game->view.scene->treelets > 1 || children == 0);
    assert_int_equal(bench_stat(r, "climbs") > 0,
                     game->policy > 0 && game->view.scene->treelets > 1);
    assert_int_equal(bench_stat(r, "records"),
                     game->early ? bench_stat(r, "items") : 0);
}

static void play(struct game *game)
{
    bench_play(&(struct scenario){
        .build = build, .check = check, .with = game, .toy = &depot_kind});
}

/* Closest hits of all rays, from far away too. */
static struct game make_game(uint32_t nodes, uint32_t treelet_bytes)
{
    struct game game = {
        .view = make_treelet_view(nodes, CORBEL_LEAVES_plain, treelet_bytes),
        .depth = 2};
    return game;
}

static void play_all(uint32_t nodes, unsigned policy)
{
    static const uint32_t sizes[] = {2048, 8192, 1 << 20};
    for (unsigned i = 0; i < 3; i++) {
        struct game game = make_game(nodes, sizes[i]);
        game.policy = policy;
        play(&game);
        game.newest = true;
        game.depth = 4;
        game.view.stack = 1;
        play(&game);
        free_view(&game.view);
    }
}

static void items_are_copied_to_treelets_below(void **state)
{
    play_all(CORBEL_NODES_cwbvh6t, 0);
    play_all(CORBEL_NODES_bvh6, 0);
}

static void items_move_by_parents(void **state)
{
    play_all(CORBEL_NODES_cwbvh5t, 1);
    play_all(CORBEL_NODES_bvh4, 1);
}

static void items_move_by_restarts(void **state)
{
    play_all(CORBEL_NODES_cwbvh6t, 2);
    play_all(CORBEL_NODES_bvh8, 2);
}

static void items_move_by_climbs(void **state)
{
    play_all(CORBEL_NODES_cwbvh6t, 3);
    play_all(CORBEL_NODES_bvh3, 3);
}

static void a_record_cuts_the_ray(void **state)
{
    struct game game = make_game(CORBEL_NODES_cwbvh6t, 4096);
    game.early = true;
    play(&game);
    free_view(&game.view);
}

static void one_slot_is_enough(void **state)
{
    struct game game = make_game(CORBEL_NODES_cwbvh5t, 2048);
    game.view.max_rays = 1;
    for (game.policy = 0; game.policy < 4; game.policy++)
        play(&game);
    free_view(&game.view);
}

/* ---- a script in place of the staging buffer ---- */

static void tell(struct bench *b, uint64_t at, struct msg m, const void *bytes,
                 bool along)
{
    struct driver *d = b->drivers[0];
    struct payload p = {{0}};
    if (bytes)
        memcpy(p.bytes, bytes, sizeof p.bytes);
    unsigned n = driver_ask(d, at, m, bytes ? &p : NULL);
    d->asks[n].msg.tag = 0;
    d->asks[n].along = along;
}

static void build_script(struct bench *b)
{
    const struct game *game = b->scenario->with;
    struct unit *r = bench_unit(b, "rtcore", "rtcore");
    bench_set(b, r, "max_rays", 4);
    bench_set(b, r, "policy", game->policy);
    bench_set(b, r, "early", game->early);
    bench_below(b, r, "mem", "data", 300);
    struct driver *d = (struct driver *)bench_unit(b, "driver", "script");
    b->drivers[b->driver_count++] = d;
    bench_link(b, d, "out", r, "work", 4);
    bench_link(b, r, "item", d, "in", 4);
    view_scene(b, &game->view);
    tell(b, 0, (struct msg){.op = STREAM_BEGIN}, NULL, false);
}

static void build_halves(struct bench *b)
{
    const struct game *game = b->scenario->with;
    struct corbel_moving moving;
    build_script(b);
    corbel_moving_start(&moving, b->machine.scene, &game->view.ray[0]);
    for (uint32_t slot = 0; slot < 4; slot++) {
        tell(b, 100, (struct msg){.op = STREAM_RAY, .from = slot}, &moving.ray,
             false);
        tell(b, 100, (struct msg){.op = STREAM_STATE, .from = slot},
             &moving.hit, true);
    }
}

/* A slot waits for its item from its request to the second half. */
static void check_halves(struct bench *b)
{
    const struct driver *d = b->drivers[0];
    uint64_t waited = 0;
    assert_int_equal(d->answered, 4);
    for (unsigned i = 0; i < 4; i++)
        waited += d->asks[2 * i + 2].sent + LINK - (d->answers[i].at - LINK);
    assert_stat(b->units[0], "item_cycles", waited);
    assert_stat(b->units[0], "rays", 4);
}

static void both_halves_of_a_ray_take_a_cycle(void **state)
{
    struct game game = make_game(CORBEL_NODES_cwbvh5t, 4096);
    game.policy = 1;
    bench_play(&(struct scenario){.build = build_halves,
                                  .check = check_halves,
                                  .with = &game,
                                  .limit = 200});
    free_view(&game.view);
}

/* No scene is bound in the next kernel. */
static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    b->machine.scene = NULL;
    engine_launch(b->engine);
    return true;
}

static void build_outlived(struct bench *b)
{
    const struct game *game = b->scenario->with;
    const struct corbel_hit none = {.t = FLT_MAX, .index = CORBEL_MISS};
    uint8_t record[32] = {0};
    memcpy(record, &none, sizeof none);
    build_script(b);
    tell(b, 50, (struct msg){.op = STREAM_ITEM}, &game->view.ray[0], false);
    driver_service(b->drivers[0], 100);
    tell(b, 1000, (struct msg){.op = STREAM_HIT}, record, false);
}

static void check_outlived(struct bench *b)
{
    assert_true(b->belows[0]->count > 0);
    assert_stat(b->units[0], "records", 1);
    assert_explained(b->units[0], "");
}

static void a_ray_that_outlives_its_kernel_keeps_its_scene(void **state)
{
    struct game game = make_game(CORBEL_NODES_cwbvh6t, 4096);
    game.early = true;
    bench_play(&(struct scenario){.build = build_outlived,
                                  .check = check_outlived,
                                  .serve = launch,
                                  .with = &game});
    free_view(&game.view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_copied_to_treelets_below),
        cmocka_unit_test(items_move_by_parents),
        cmocka_unit_test(items_move_by_restarts),
        cmocka_unit_test(items_move_by_climbs),
        cmocka_unit_test(a_record_cuts_the_ray),
        cmocka_unit_test(one_slot_is_enough),
        cmocka_unit_test(both_halves_of_a_ray_take_a_cycle),
        cmocka_unit_test(a_ray_that_outlives_its_kernel_keeps_its_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
