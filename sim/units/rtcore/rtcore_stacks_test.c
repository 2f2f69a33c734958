/* Stacks of which a part lies in memory: what moves there and comes back is
 * what a plain list of entries says, step by step; nothing else changes. */
#include "sim/units/rtcore/rtcore_bench.h"
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include <corbel/traverse.h>

/* Which entries are in the slot, and what has moved. */
struct list {
    bool inside[CORBEL_STACK_DEEPEST];
    unsigned held, bytes; /* entries; bytes of one */
    uint64_t writes, reads;
};

static unsigned count_inside(const struct list *l)
{
    unsigned count = 0;
    for (unsigned i = 0; i < l->held; i++)
        count += l->inside[i];
    return count;
}

static unsigned sectors(const struct list *l, unsigned first, unsigned end)
{
    return (end * l->bytes + SECTOR - 1) / SECTOR - first * l->bytes / SECTOR;
}

static void push(struct list *l, unsigned held, unsigned room)
{
    unsigned first = l->held, end = 0, i = 0;
    for (; l->held < held; l->held++)
        l->inside[l->held] = true;
    while (count_inside(l) > room) {
        while (!l->inside[i])
            i++;
        l->inside[i] = false;
        first = end ? first : i;
        end = i + 1;
    }
    if (end)
        l->writes += sectors(l, first, end);
}

/* Returns the sectors that are read. */
static unsigned pop(struct list *l, unsigned held, unsigned room)
{
    unsigned end = 0;
    for (unsigned i = l->held; i-- > held;)
        if (!l->inside[i] && !end)
            end = i + 1;
    l->held = held;
    if (!end)
        return 0;
    unsigned per_sector = SECTOR / l->bytes;
    for (unsigned i = held; i-- > held / per_sector * per_sector;)
        l->inside[i] = count_inside(l) < room;
    return sectors(l, held, end);
}

static void follow(const struct view *v, unsigned ray, struct list *sum)
{
    struct corbel_traversal t;
    struct corbel_fetch fetch;
    struct list l = {.bytes = sum->bytes};
    const struct corbel_traversal_setup setup = {corbel_stack_full(v->scene),
                                                 setting(v, "pop_cull", 1)};
    unsigned room = v->stack, pending = 0;
    corbel_traversal_start(&t, v->scene, &v->ray[ray], v->flags[ray], &setup);
    while (corbel_traversal_fetch(&t, v->scene, &fetch)) {
        l.reads += pending; /* a ray that ends reads nothing more */
        corbel_traversal_step(&t, v->scene);
        pending = 0;
        if (t.held > l.held)
            push(&l, t.held, room);
        else if (t.held < l.held)
            pending = pop(&l, t.held, room);
    }
    sum->writes += l.writes;
    sum->reads += l.reads;
}

static void check_traffic(struct bench *b)
{
    const struct view *v = b->scenario->with;
    struct view whole = *v;
    whole.stack = 0;
    struct sums sums = trace_all(&whole);
    struct list all = {.bytes = setting(v, "pop_cull", 1) ? 8 : 4};
    for (unsigned i = 0; i < RAYS; i++)
        follow(v, i, &all);
    assert_true(all.writes > RAYS && all.reads >= RAYS / 3);
    assert_stat(b->units[0], "hits", sums.hits);
    assert_stat(b->units[0], "nodes", sums.nodes);
    assert_stat(b->units[0], "leaves", sums.leaves);
    assert_stat(b->units[0], "restarts", 0);
    assert_stat(b->units[0], "stack_max", sums.stack_max);
    assert_stat(b->units[0], "stack_writes", all.writes);
    assert_stat(b->units[0], "stack_reads", all.reads);
    assert_stat(b->units[0], "requests",
                sums.requests + all.writes + all.reads);
}

static void play(int64_t stack, int64_t pop_cull, unsigned max_rays)
{
    struct view v = make_view(CORBEL_NODES_bvh2, CORBEL_LEAVES_plain);
    v.stack = (unsigned)stack;
    v.max_rays = max_rays;
    v.set[0] = (struct setting){"stack_traffic", 1};
    v.set[1] = (struct setting){"pop_cull", pop_cull};
    bench_test_with(build_view, check_traffic, &v);
    free_view(&v);
}

static void entries_beyond_the_stack_lie_in_memory(void **state)
{
    play(1, 0, 16);
    play(2, 0, 1);
    play(3, 1, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_beyond_the_stack_lie_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
