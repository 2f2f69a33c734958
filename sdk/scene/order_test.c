/*
 * In which order nodes are written: of a small tree by hand, and scenes, which
 * are the same tree in each order.
 */
#include "order.h"
#include "verify_bench.h"

#define NODES 11u

/* What a node has: its children's numbers as they are here, its area, and
 * bytes of leaves. */
static const struct {
    unsigned child[3];
    double area;
    uint64_t leaves;
} tree[NODES] = {
    {{1, 2, 3}, 100, 10000}, {{4, 5}, 20, 0},  {{6}, 50, 30000},
    {{7}, 40, 30000},        {{0}, 10, 30000}, {{8}, 15, 0},
    {{9}, 45, 30000},        {{0}, 35, 0},     {{0}, 14, 50000},
    {{10}, 44, 0},           {{0}, 43, 0},
};

/* The nodes as they are written, and the places that they get. */
static void expect_order(enum order order, const unsigned written[NODES],
                         const unsigned places[NODES])
{
    struct order_queue queue = {.order = order};
    struct order_node node = {.depth = 1};
    uint32_t next = 1, place[NODES] = {0};
    order_add(&queue, &node, 1);
    for (unsigned at = 0; at < NODES; at++) {
        struct order_node children[3];
        unsigned count = 0;
        assert_true(order_next(&queue, &node));
        assert_int_equal(node.binary, written[at]);
        place[node.binary] = node.number;
        for (; count < 3 && tree[node.binary].child[count]; count++, next++)
            children[count] = (struct order_node){
                tree[node.binary].child[count], next, node.depth + 1,
                tree[tree[node.binary].child[count]].area};
        order_add(&queue, children, count);
        order_wrote(&queue, tree[node.binary].leaves);
    }
    assert_false(order_next(&queue, &node));
    for (unsigned i = 0; i < NODES; i++)
        assert_int_equal(place[i], places[i]);
    order_free(&queue);
}

static void subtrees_one_after_the_other(void **state)
{
    expect_order(ORDER_DEPTH,
                 (const unsigned[]){0, 1, 4, 5, 8, 2, 6, 9, 10, 3, 7},
                 (const unsigned[]){0, 1, 2, 3, 4, 5, 7, 10, 6, 8, 9});
}

static void level_by_level(void **state)
{
    expect_order(ORDER_BREADTH,
                 (const unsigned[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                 (const unsigned[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

/* 0, 2, 6 make 70000 bytes, a part; 1, 3 and 9 were at its edge. From the first
 * of them, 1, on 5, 8, 4 make 80000. Then come 3 and 7, which are a small part,
 * and 9 and 10 share it. */
static void parts_grow_by_the_largest_box(void **state)
{
    expect_order(ORDER_PARTS,
                 (const unsigned[]){0, 2, 6, 1, 5, 8, 4, 3, 7, 9, 10},
                 (const unsigned[]){0, 1, 2, 3, 6, 7, 4, 9, 8, 5, 10});
}

/* ---- scenes ---- */

static void compare_orders(uint32_t nodes, uint32_t leaves)
{
    struct corbel_scene *depth = make_scene(nodes, leaves, 4, 9000);
    for (enum order order = ORDER_BREADTH; order <= ORDER_PARTS; order++) {
        const struct layout layout = {nodes, leaves, 4, 0, order};
        struct corbel_scene *scene = make_scaled(&layout, 9000, 1);
        assert_good(scene);
        assert_int_equal(scene->bytes, depth->bytes);
        assert_int_equal(scene->nodes, depth->nodes);
        assert_int_equal(scene->max_depth, depth->max_depth);
        assert_true(scene->sah_cost == depth->sah_cost);
        assert_true(scene->hash != depth->hash);
        compare_below(depth, depth->root, scene, scene->root);
        free(scene);
    }
    free(depth);
}

static void scenes_are_the_same_tree_in_each_order(void **state)
{
    for_each_pair(compare_orders);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subtrees_one_after_the_other),
        cmocka_unit_test(level_by_level),
        cmocka_unit_test(parts_grow_by_the_largest_box),
        cmocka_unit_test(scenes_are_the_same_tree_in_each_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
