/*
 * Trees are cut into treelets as corbel/treelets.h says: chains, balanced
 * trees, and trees of random meshes in all formats that know treelets, whose
 * leaves and nodes are those of the tree in one piece.
 */
#include "treelets.h"
#include "verify_bench.h"

/* ---- trees without a scene ---- */

static const struct treelet_sizes small = {256, 64, 64};

static struct wide make_wide(uint32_t count)
{
    return (struct wide){allocate(count, sizeof(struct wide_node)), count};
}

/* Each node has the next one as its child, in a box half as large. */
static struct wide make_chain(uint32_t count)
{
    struct wide wide = make_wide(count);
    for (uint32_t i = 0; i < count; i++)
        wide.node[i] = (struct wide_node){.first = i + 1,
                                          .children = i + 1 < count,
                                          .level = i,
                                          .area = ldexpf(1, -(int)i)};
    return wide;
}

/* Every node above the last level has `children` children. */
static struct wide make_balanced(unsigned children, unsigned levels)
{
    uint32_t count = 0, row = 1, next = 1;
    for (unsigned level = 0; level < levels; level++, row *= children)
        count += row;
    struct wide wide = make_wide(count);
    for (uint32_t i = 0, level = 0, end = 1; i < count; i++) {
        if (i == end) {
            level++;
            end = next;
        }
        wide.node[i] = (struct wide_node){
            .first = next,
            .children = next < count ? children : 0,
            .level = level,
            .area = powf((float)children, -(float)level),
        };
        next += wide.node[i].children;
    }
    return wide;
}

/* Nodes of any number of children, whose leaves take any number of grains. */
static struct wide make_random(uint32_t count)
{
    struct wide wide = make_wide(count);
    uint32_t next = 1;
    wide.node[0].area = 1;
    for (uint32_t i = 0; i < count; i++) {
        struct wide_node *node = &wide.node[i];
        const uint32_t left = count - next;
        uint32_t children = (uint32_t)rand() % 7;
        if (children == 0 && next == i + 1)
            children = 1;
        node->first = next;
        node->children = children < left ? children : left;
        node->bytes = 64 * (uint32_t)(rand() % 4);
        for (uint32_t k = 0; k < node->children; k++, next++) {
            wide.node[next].level = node->level + 1;
            wide.node[next].area = node->area * uniform(0, 1);
        }
    }
    return wide;
}

/* ---- what must hold ---- */

/* Nodes lie in their treelet in the order of their numbers, the root first, and
 * parents are there or at the edge of the treelet above. */
static void check_order(const struct wide *wide, const struct treelets *t)
{
    const uint32_t *order = t->order;
    uint32_t edge = 1; /* the treelet that is next at an edge */
    for (uint32_t s = 0; s < t->count; order += t->header[s++].nodes)
        for (uint32_t i = 0; i < t->header[s].nodes; i++) {
            const struct wide_node *node = &wide->node[order[i]];
            assert_int_equal(t->treelet[order[i]], s);
            assert_int_equal(t->place[order[i]], i);
            assert_true(i == 0 || order[i] > order[i - 1]);
            for (uint32_t k = node->first; k < node->first + node->children;
                 k++)
                if (t->treelet[k] != s) {
                    assert_int_equal(t->treelet[k], edge++);
                    assert_int_equal(t->place[k], 0);
                    assert_int_equal(t->header[t->treelet[k]].parent, s);
                    assert_int_equal(t->header[t->treelet[k]].level,
                                     wide->node[k].level);
                }
        }
    assert_int_equal(edge, t->count);
    assert_int_equal(order - t->order, wide->count);
}

/* Sizes, and what headers say of each other. */
static void check_headers(const struct wide *wide,
                          const struct treelet_sizes *sizes,
                          const struct treelets *t)
{
    uint32_t next = 1;
    uint64_t bytes = 0, used = 0;
    for (uint32_t n = 0; n < wide->count; n++)
        bytes += sizes->node + wide->node[n].bytes;
    for (uint32_t s = 0; s < t->count; s++) {
        const struct corbel_treelet *h = &t->header[s];
        uint32_t subtree = 1;
        assert_int_equal(h->first_child, h->children > 0 ? next : 0);
        for (uint32_t i = 0; i < h->children; i++, next++) {
            subtree += t->header[next].subtree;
            assert_int_equal(t->header[next].depth, h->depth + 1);
        }
        assert_int_equal(h->subtree, subtree);
        assert_in_range(h->bytes, sizes->node, sizes->treelet);
        used += h->bytes;
        for (unsigned i = 0; i < CORBEL_TREELET_PAGES; i++)
            assert_true(h->page_area[i] >= 0 && h->page_area[i] <= 1);
    }
    assert_int_equal(next, t->count);
    assert_int_equal(used, bytes);
}

/* Cuts the tree, checks that and returns how many treelets there are. */
static uint32_t cut(struct wide wide, const struct treelet_sizes *sizes)
{
    struct treelets t;
    treelets_build(&wide, sizes, &t);
    check_order(&wide, &t);
    check_headers(&wide, sizes, &t);
    const uint32_t count = t.count;
    treelets_free(&t);
    free(wide.node);
    return count;
}

static void a_chain_is_cut_into_full_treelets(void **state)
{
    for (uint32_t count = 1; count < 60; count++)
        assert_int_equal(cut(make_chain(count), &small), (count + 3) / 4);
}

/* The root of five has room for three of its children with it. */
static void a_balanced_tree_is_cut_along_its_levels(void **state)
{
    assert_int_equal(cut(make_balanced(3, 2), &small), 1);
    assert_int_equal(cut(make_balanced(3, 4), &small), 1 + 9);
    assert_int_equal(cut(make_balanced(5, 2), &small), 3);
    for (unsigned children = 1; children <= 6; children++)
        for (unsigned levels = 1; levels <= 6; levels++)
            cut(make_balanced(children, levels), &small);
}

static void random_trees_are_cut_whatever_the_size(void **state)
{
    srand(3);
    for (int i = 0; i < 200; i++) {
        const struct treelet_sizes sizes = {256 + 64 * (uint32_t)(rand() % 99),
                                            64, 64};
        cut(make_random(1 + (uint32_t)rand() % 3000), &sizes);
    }
}

/* The page where the root is has the root's area only if no other node of a
 * smaller box is the median. */
static void pages_have_the_median_of_their_nodes(void **state)
{
    const struct treelet_sizes sizes = {8 * 256, 64, 64}; /* 4 nodes a page */
    struct wide wide = make_chain(6);
    struct treelets t;
    treelets_build(&wide, &sizes, &t);
    assert_int_equal(t.count, 1);
    assert_true(t.header[0].page_area[0] == 0.25f); /* of 1, 1/2, 1/4, 1/8 */
    assert_true(t.header[0].page_area[1] == 0);     /* of 1/16, 1/32, 0, 0 */
    assert_true(t.header[0].page_area[7] == 0);
    treelets_free(&t);
    free(wide.node);
}

/* ---- scenes ---- */

static const uint32_t scene_sizes[] = {1536, 2048, 8192, 65536, 1u << 20};
#define SCENE_SIZES (sizeof scene_sizes / sizeof *scene_sizes)

static void check_scene(const struct corbel_scene *scene)
{
    assert_good(scene);
    for (uint32_t s = 0; s < scene->treelets; s++) {
        const uint32_t root = corbel_treelet_root(scene, s);
        assert_int_equal(corbel_treelet_of(scene, root), s);
        assert_int_equal(
            corbel_treelet_of(scene, root + scene->treelet_bytes / 16 - 1), s);
    }
}

static void compare_pair(uint32_t nodes, uint32_t leaves)
{
    if (!corbel_node_knows_treelets(nodes))
        return;
    struct corbel_scene *whole = make_scene(nodes, leaves, 4, 700);
    for (size_t i = 0; i < SCENE_SIZES; i++) {
        struct corbel_scene *cut_scene =
            make_treelets(nodes, leaves, 4, 700, scene_sizes[i]);
        check_scene(cut_scene);
        assert_int_equal(cut_scene->nodes, whole->nodes);
        assert_int_equal(cut_scene->grains, whole->grains);
        assert_int_equal(cut_scene->max_depth, whole->max_depth);
        assert_true(cut_scene->sah_cost == whole->sah_cost);
        assert_true(cut_scene->treelets > (scene_sizes[i] < 10000));
        compare_below(whole, whole->root, cut_scene, cut_scene->root);
        free(cut_scene);
    }
    free(whole);
}

static void treelets_have_the_tree_of_the_scene_in_one_piece(void **state)
{
    for_each_pair(compare_pair);
}

/* Some of one triangle alone, and of none with an area. */
static void small_scenes_have_a_treelet_with_a_root(void **state)
{
    for (uint32_t nodes = 1; nodes <= FORMAT_MAX; nodes++)
        for (unsigned triangles = 0;
             corbel_node_knows_treelets(nodes) && triangles < 9; triangles++) {
            struct corbel_scene *scene =
                make_treelets(nodes, CORBEL_LEAVES_plain, 8, triangles, 1536);
            check_scene(scene);
            assert_int_equal(scene->root, 8192 / CORBEL_REF_UNIT);
            assert_true(scene->nodes > 0 && scene->max_depth > 0);
            free(scene);
        }
}

/* Pages whose area is neither none nor all of the root's. */
static unsigned real_areas(const struct corbel_scene *scene)
{
    unsigned count = 0;
    for (uint32_t s = 0; s < scene->treelets; s++)
        for (unsigned i = 0; i < CORBEL_TREELET_PAGES; i++) {
            const float area = corbel_scene_treelet(scene, s)->page_area[i];
            count += area > 0 && area < 1;
        }
    return count;
}

/* At an extent of 1e-25 no float holds the surfaces of boxes; vertices are not
 * beyond 2^40. */
static void areas_are_known_at_each_scale(void **state)
{
    const struct layout layout = {CORBEL_NODES_bvh6, CORBEL_LEAVES_plain, 4,
                                  4096};
    for (int power = -83; power <= 37; power += 30) {
        struct corbel_scene *scene =
            make_scaled(&layout, 700, ldexpf(1, power));
        check_scene(scene);
        assert_true(real_areas(scene) > scene->treelets);
        free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_cut_into_full_treelets),
        cmocka_unit_test(a_balanced_tree_is_cut_along_its_levels),
        cmocka_unit_test(random_trees_are_cut_whatever_the_size),
        cmocka_unit_test(pages_have_the_median_of_their_nodes),
        cmocka_unit_test(treelets_have_the_tree_of_the_scene_in_one_piece),
        cmocka_unit_test(small_scenes_have_a_treelet_with_a_root),
        cmocka_unit_test(areas_are_known_at_each_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
