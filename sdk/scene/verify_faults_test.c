/*
 * What a hostile file can say is refused by name, in each format of nodes and
 * leaves.
 */
#include "verify_bench.h"

/* ---- one thing at a time ---- */

static void break_header(const struct corbel_scene *good,
                         struct corbel_scene *scene)
{
    static const char outside[] = "a section lies outside the file";
    REFUSED("node format", scene->format = 99);
    REFUSED("leaf format", scene->leaf_format = 99);
    REFUSED("longer", scene->bytes -= 64);
    REFUSED("truncated", scene->bytes += 64);
    REFUSED("wrong version", scene->version = 1);
    REFUSED("wrong version", scene->version = 4);
    REFUSED("no trees", scene->version = CORBEL_SCENE_VERSION_TREES);
    for (int i = 0; i < 4; i++) {
        REFUSED(outside, (&scene->nodes_offset)[i] = 0);
        REFUSED(outside, (&scene->nodes_offset)[i] += 4);
        REFUSED(outside, (&scene->nodes_offset)[i] = scene->bytes + 64);
        REFUSED(outside, (&scene->nodes_offset)[i] = UINT64_MAX - 63);
        REFUSED(outside, (&scene->nodes)[i] = UINT32_MAX);
    }
    REFUSED("overlap", scene->leaves_offset = scene->nodes_offset);
    REFUSED("treelets of a size", scene->treelets = 1);
    REFUSED("treelets of a size", scene->treelets_offset = 8192);
    REFUSED("treelets of a size", scene->treelet_bytes = 8192);
    REFUSED("overlap", scene->faces_offset = scene->vertices_offset);
    REFUSED("overlap", scene->vertices_offset = scene->leaves_offset);
    REFUSED("deeper than a traversal", scene->max_depth = 65);
    REFUSED("depth is not the tree's", scene->max_depth++);
    REFUSED("is deeper than the header", scene->max_depth = 1);
    REFUSED("number of leaves", scene->leaves++);
    REFUSED("number of references", scene->references--);
    REFUSED("is no child of", scene->root = CORBEL_REF_NONE);
    REFUSED("root is not", scene->root++);
    REFUSED("root is not", scene->root |= 1u << 28);
    REFUSED("outside of the leaves", scene->root |= CORBEL_REF_LEAF);
    REFUSED("node 0 ", scene->nodes = 1);
    REFUSED("a leaf outside of the leaves", scene->grains--);
}

static void break_faces(const struct corbel_scene *good,
                        struct corbel_scene *scene)
{
    uint32_t *face = (uint32_t *)((char *)scene + scene->faces_offset);
    const uint32_t last = good->triangles - 1;
    REFUSED("face 0 at byte", face[2] = scene->vertices);
    REFUSED("has a vertex that does not exist", face[3 * last] = UINT32_MAX);
    REFUSED("has a vertex that does not exist", scene->vertices = 1);
}

/* Of a bvh, the references of a node; of the others, where they are from. */
static uint32_t *refs_of(struct corbel_scene *scene, uint32_t node)
{
    return (uint32_t *)((char *)scene + corbel_node_offset(scene, node));
}

static void break_bvh(const struct corbel_scene *good,
                      struct corbel_scene *scene)
{
    static const char outside[] = "node 0 at byte 256 refers to a ";
    const uint32_t units = corbel_node_bytes(good->format) / CORBEL_REF_UNIT;
    uint32_t *ref = refs_of(scene, 0);
    memcpy(scene, good, good->bytes);
    unsigned leaf = 0, count = 1, width = corbel_node_width(good->format);
    while (count < width && ref[count])
        count++;
    assert_false(corbel_ref_is_leaf(ref[leaf]));
    REFUSED("does not come after", ref[0] = scene->root);
    REFUSED("does not come after", refs_of(scene, 1)[0] = scene->root);
    REFUSED("does not come after", refs_of(scene, 1)[0] = scene->root + units);
    REFUSED("has a parent already", ref[1] = ref[0]);
    REFUSED("has a parent already", refs_of(scene, 1)[0] = ref[1]);
    REFUSED(outside, ref[0] += 1);
    REFUSED(outside, ref[0] |= 1u << 28);
    REFUSED(outside, ref[0] = 1);
    REFUSED(outside, ref[0] = (uint32_t)(good->leaves_offset / 16));
    REFUSED(outside, ref[0] = CORBEL_REF_UNITS_MAX);
    REFUSED(outside, ref[0] |= CORBEL_REF_LEAF);
    REFUSED(outside, ref[0] = UINT32_MAX);
    REFUSED("is no child of", ref[count - 1] = CORBEL_REF_NONE);
    REFUSED("empty slot", ref[0] = CORBEL_REF_NONE);
}

static void break_cwbvh(const struct corbel_scene *good,
                        struct corbel_scene *scene)
{
    struct corbel_cwbvh *n = (struct corbel_cwbvh *)refs_of(scene, 0);
    struct corbel_cwbvh *first = (struct corbel_cwbvh *)refs_of(scene, 1);
    REFUSED("a node outside of the nodes", n->node_base += 1);
    REFUSED("a node outside of the nodes", n->node_base = 0);
    REFUSED("a node outside of the nodes", n->node_base |= 1u << 30);
    REFUSED("a leaf outside of the leaves", n->node_base |= CORBEL_REF_LEAF);
    REFUSED("does not come after", n->node_base = scene->root);
    REFUSED("parent already", first->kinds |= 15,
            first->node_base =
                n->node_base + corbel_node_bytes(good->format) / 16);
    REFUSED("empty slot", n->kinds &= ~UINT32_C(15));
    REFUSED("of a kind", n->kinds = (n->kinds & ~UINT32_C(15)) | 9);
    REFUSED("exponent", n->exponent[1] = 0);
    REFUSED("exponent", n->exponent[2] = 255);
    if (corbel_node_width(good->format) == 6)
        REFUSED("more children", n->kinds = UINT32_MAX);
}

static void break_cwbvh7(const struct corbel_scene *good,
                         struct corbel_scene *scene)
{
    struct corbel_cwbvh7 *n = (struct corbel_cwbvh7 *)refs_of(scene, 0);
    REFUSED("a node outside of the nodes", n->node_base += 1);
    REFUSED("a node outside of the nodes", n->node_base = 0);
    REFUSED("a leaf outside of the leaves", n->node_base |= CORBEL_REF_LEAF);
    REFUSED("does not come after", n->node_base = scene->root);
    REFUSED("empty slot", n->used &= 0xfe);
    REFUSED("more children", n->used = 0xff);
    REFUSED("has a node in an empty slot", n->nodes |= 0x80);
    REFUSED("exponent", n->grid[0] &= ~UINT32_C(255));
    REFUSED("exponent", n->grid[2] |= 255);
}

static void break_cwbvht(const struct corbel_scene *good,
                         struct corbel_scene *scene)
{
    struct corbel_cwbvht *n = (struct corbel_cwbvht *)refs_of(scene, 0);
    REFUSED("a node outside of the nodes", n->nodes += 1u << 20);
    REFUSED("a node outside of the nodes", n->nodes &= ~CORBEL_CWBVHT_BASE);
    REFUSED("does not come after", n->nodes &= ~CORBEL_CWBVHT_BASE,
            n->nodes |= scene->root / 4);
    REFUSED("a node outside of the nodes", n->stride &= ~(UINT32_C(1) << 20));
    REFUSED("empty slot", n->stride &= ~(UINT32_C(15) << 20));
    REFUSED("of a kind", n->stride &= ~(UINT32_C(15) << 20),
            n->stride |= UINT32_C(9) << 20);
    REFUSED("exponent", n->grid[0] &= ~UINT32_C(255));
    REFUSED("exponent", n->grid[2] |= 255);
    if (corbel_node_width(good->format) == 5)
        REFUSED("more children", n->treelets |= 15u << 28);
}

static void break_nodes(const struct corbel_scene *good,
                        struct corbel_scene *scene)
{
    if (good->format == CORBEL_NODES_cwbvh7)
        break_cwbvh7(good, scene);
    else if (good->format == CORBEL_NODES_cwbvh6 ||
             good->format == CORBEL_NODES_cwbvh8)
        break_cwbvh(good, scene);
    else if (good->format == CORBEL_NODES_cwbvh6t ||
             good->format == CORBEL_NODES_cwbvh5t)
        break_cwbvht(good, scene);
    else if (strncmp(corbel_node_name(good->format), "bvh", 3) == 0)
        break_bvh(good, scene);
}

static void break_packed(const struct corbel_scene *good,
                         struct corbel_scene *scene, uint32_t *word)
{
    const uint32_t wide = 7 << 3 | 32 << 6 | 32 << 12 | 32 << 18;
    for (unsigned bit = 6; bit < 30; bit += 6)
        REFUSED("more than 32 bits", word[0] = wide | 33u << bit);
    REFUSED("more than 32 bits", word[0] |= 1u << 31);
    REFUSED("vertices beyond its end", word[0] = wide,
            memset(&word[5], 255, 12));
    REFUSED("beyond its end", word[0] = 7 | wide | 32 << 24,
            memset(&word[5], 255, 12));
    REFUSED(CORBEL_FLAW_FACE, word[1] = scene->triangles);
    REFUSED(CORBEL_FLAW_FACE, word[1] = UINT32_MAX);
}

static void break_block128(const struct corbel_scene *good,
                           struct corbel_scene *scene,
                           struct corbel_block128 *block)
{
    REFUSED("wrong number of triangles", block->count = 0);
    REFUSED("wrong number of triangles", block->count = 4);
    REFUSED("wrong number of triangles", block->count = UINT32_MAX);
    REFUSED(CORBEL_FLAW_FACE, block->index[0] = scene->triangles);
}

static void break_leaves(const struct corbel_scene *good,
                         struct corbel_scene *scene)
{
    void *leaf = (char *)scene + good->leaves_offset;
    struct corbel_plain *plain = leaf;
    struct corbel_indexed *indexed = leaf;
    switch (good->leaf_format) {
    case CORBEL_LEAVES_packed:
        break_packed(good, scene, leaf);
        break;
    case CORBEL_LEAVES_block128:
        break_block128(good, scene, leaf);
        break;
    case CORBEL_LEAVES_indexed:
        REFUSED(CORBEL_FLAW_FACE, indexed->index = scene->triangles);
        for (int i = 0; i < 3; i++)
            REFUSED("a vertex that does not exist",
                    indexed->vertex[i] = scene->vertices);
        break;
    default:
        REFUSED(CORBEL_FLAW_FACE, plain->index = scene->triangles);
    }
}

static void break_pair(uint32_t nodes, uint32_t leaves)
{
    struct corbel_scene *good = make_scene(nodes, leaves, 4, 200);
    struct corbel_scene *scene = aligned_alloc(64, good->bytes);
    assert_good(good);
    break_header(good, scene);
    break_faces(good, scene);
    break_nodes(good, scene);
    break_leaves(good, scene);
    free(scene);
    free(good);
}

static void each_fault_of_each_format_is_named(void **state)
{
    for_each_pair(break_pair);
}

static void scenes_of_few_triangles_are_good(void **state)
{
    for (uint32_t nodes = 1; corbel_node_width(nodes); nodes++)
        for (unsigned triangles = 1; triangles < 20; triangles++) {
            struct corbel_scene *scene =
                make_scene(nodes, CORBEL_LEAVES_plain, 1, triangles);
            assert_good(scene);
            free(scene);
        }
}

/* ---- cycles, and paths without end ---- */

/* bvh2 nodes, of which the test says the children; one triangle in a leaf. */
static struct corbel_scene *bare_scene(uint32_t nodes)
{
    const size_t bytes = sizeof(struct corbel_scene) + 64 * (nodes + 3);
    struct corbel_scene *s = aligned_alloc(64, bytes);
    memset(s, 0, bytes);
    *s = (struct corbel_scene){
        .magic = CORBEL_SCENE_MAGIC,
        .version = CORBEL_SCENE_VERSION,
        .format = CORBEL_NODES_bvh2,
        .leaf_format = CORBEL_LEAVES_plain,
        .bytes = bytes,
        .nodes_offset = sizeof *s,
        .leaves_offset = sizeof *s + 64 * nodes,
        .faces_offset = sizeof *s + 64 * (nodes + 1),
        .vertices_offset = sizeof *s + 64 * (nodes + 2),
        .nodes = nodes,
        .grains = 1,
        .triangles = 1,
        .vertices = 3,
        .root = sizeof *s / CORBEL_REF_UNIT,
        .leaves = 1,
        .references = 1,
        .max_depth = nodes < 64 ? nodes : 64,
    };
    return s;
}

static uint32_t node_ref(const struct corbel_scene *scene, uint32_t node)
{
    return (uint32_t)(corbel_node_offset(scene, node) / CORBEL_REF_UNIT);
}

/* The first child of each node is the next one, of the last one the leaf. */
static struct corbel_scene *chain(uint32_t nodes)
{
    struct corbel_scene *scene = bare_scene(nodes);
    for (uint32_t i = 0; i + 1 < nodes; i++)
        refs_of(scene, i)[0] = node_ref(scene, i + 1);
    refs_of(scene, nodes - 1)[0] =
        corbel_ref_leaf((uint32_t)(scene->leaves_offset / CORBEL_REF_UNIT), 1);
    mutate_seal(scene, scene->bytes);
    return scene;
}

static void a_chain_may_have_64_nodes(void **state)
{
    char why[CORBEL_WHY] = "";
    struct corbel_scene *scene = chain(64);
    assert_true(corbel_scene_verify(scene, scene->bytes, why));
    free(scene);
    scene = chain(65);
    assert_refused(scene, scene->bytes, "node 64 at byte 4352 is deeper");
    free(scene);
    scene = chain(100000);
    assert_refused(scene, scene->bytes, "node 64 at byte 4352 is deeper");
    free(scene);
}

static void a_cycle_is_refused(void **state)
{
    struct corbel_scene *scene = chain(60);
    refs_of(scene, 59)[1] = node_ref(scene, 20);
    assert_refused(scene, scene->bytes,
                   "node 59 at byte 4032 refers to a node that does not come");
    free(scene);
}

/* Both children of each node are the next one: 2^60 ways to the leaf. */
static void many_ways_to_a_node_are_refused(void **state)
{
    struct corbel_scene *scene = chain(60);
    for (uint32_t i = 0; i < 59; i++)
        refs_of(scene, i)[1] = refs_of(scene, i)[0];
    assert_refused(scene, scene->bytes,
                   "node 0 at byte 256 refers to a node that has a parent");
    free(scene);
}

/* What a traversal does not need is left to corbel-scene check. */
static void assert_told(struct corbel_scene *scene, const char *because)
{
    char why[CORBEL_WHY] = "good";
    mutate_seal(scene, scene->bytes);
    assert_true(corbel_scene_verify(scene, scene->bytes, why));
    assert_false(info_verify(scene, why));
    assert_non_null(strstr(why, because));
}

static void what_the_header_counts_is_told(void **state)
{
    struct corbel_scene *scene =
        make_scene(CORBEL_NODES_bvh6, CORBEL_LEAVES_plain, 4, 30);
    assert_good(scene);
    scene->duplicates++;
    assert_told(scene, "counts duplicates wrongly");
    scene->duplicates--;
    scene->degenerate++;
    assert_told(scene, "counts degenerate triangles wrongly");
    free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_of_each_format_is_named),
        cmocka_unit_test(scenes_of_few_triangles_are_good),
        cmocka_unit_test(a_chain_may_have_64_nodes),
        cmocka_unit_test(a_cycle_is_refused),
        cmocka_unit_test(many_ways_to_a_node_are_refused),
        cmocka_unit_test(what_the_header_counts_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
