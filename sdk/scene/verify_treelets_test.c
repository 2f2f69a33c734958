/*
 * What a hostile file can say of its treelets is refused by name, in each
 * format of nodes that knows treelets.
 */
#include "verify_bench.h"

#define SIZE 1536u /* of a treelet, for a few nodes with their leaves */

static struct corbel_treelet *header_of(struct corbel_scene *scene, uint32_t s)
{
    return (struct corbel_treelet *)((char *)scene + scene->treelets_offset) +
           s;
}

static void break_header(const struct corbel_scene *good,
                         struct corbel_scene *scene)
{
    static const char cannot[] = "treelets of a size or at a place";
    REFUSED(cannot, scene->treelet_bytes -= 1);
    REFUSED(cannot, scene->treelet_bytes = 448);
    REFUSED(cannot, scene->treelet_bytes = (16 << 20) + 64);
    REFUSED(cannot, scene->treelet_bytes = 0);
    REFUSED(cannot, scene->treelets = 0);
    REFUSED(cannot, scene->nodes_offset += 64);
    REFUSED(cannot, scene->nodes_offset += 64, scene->leaves_offset += 64);
    REFUSED(cannot, scene->leaves_offset += 64);
    REFUSED(cannot, scene->format = CORBEL_NODES_cwbvh6);
    REFUSED("a section lies outside", scene->treelet_bytes = 16 << 20);
    REFUSED("a section lies outside", scene->treelets = 1u << 20);
    REFUSED("a section lies outside", scene->treelets_offset += 4);
    REFUSED("a section lies outside", scene->treelets_offset = scene->bytes);
    REFUSED("overlap", scene->treelets_offset = scene->nodes_offset);
    REFUSED("overlap", scene->treelets_offset = scene->faces_offset);
    REFUSED("overlap", scene->faces_offset = scene->nodes_offset + 64);
    REFUSED("number of nodes is not the treelets'", scene->nodes--);
    REFUSED("root is not", scene->root = CORBEL_REF_NONE);
    REFUSED("root is not", scene->root += SIZE / CORBEL_REF_UNIT);
    REFUSED("root is not", scene->root |= CORBEL_REF_TREELET);
    REFUSED("root is not", scene->root |= CORBEL_REF_LEAF);
    REFUSED("grains of leaves", scene->grains--);
    REFUSED("depth is not the tree's", scene->max_depth++);
}

static void break_treelets(const struct corbel_scene *good,
                           struct corbel_scene *scene)
{
    struct corbel_treelet *h = header_of(scene, 0), *last;
    last = header_of(scene, good->treelets - 1);
    REFUSED("treelet 0 at byte", h->parent = 0);
    REFUSED("is not the root of", h->depth = 1);
    REFUSED("is not the root of", h->level = 1);
    REFUSED("next, breadth first", h->first_child = 0);
    REFUSED("next, breadth first", h->first_child = 2);
    REFUSED("next, breadth first", h->children = scene->treelets);
    REFUSED("next, breadth first", h->children = UINT32_MAX);
    REFUSED("next, breadth first", last->first_child = 1);
    REFUSED("next, breadth first", last->children = 1);
    REFUSED("is no child of a treelet before it", scene->nodes = 1,
            h->children = h->first_child = 0, h->subtree = 1);
    REFUSED("has another subtree", h->subtree++);
    REFUSED("has another subtree", last->subtree--);
    REFUSED("treelet 1 at byte", h[1].parent = 1);
    REFUSED("has another parent", last->parent = UINT32_MAX);
    REFUSED("has another depth", h[1].depth = 0);
    REFUSED("has another level", h[1].level = 0);
    REFUSED("has another level", last->level++);
    REFUSED("has no node", h->nodes = 0);
    REFUSED("larger than a treelet", h->bytes = SIZE + 64);
    REFUSED("beyond its bytes", h->nodes = SIZE / 64 + 1);
    REFUSED("beyond its bytes", last->nodes = UINT32_MAX);
    REFUSED("has other bytes than its nodes and leaves take",
            last->bytes += 64);
    for (unsigned i = 0; i < CORBEL_TREELET_PAGES; i++) {
        REFUSED("not from 0 to 1", h->page_area[i] = -1);
        REFUSED("not from 0 to 1", h->page_area[i] = 1.5f);
        REFUSED("not from 0 to 1", last->page_area[i] = NAN);
    }
}

/* ---- nodes whose references are words ---- */

static uint32_t *refs_of(struct corbel_scene *scene, uint32_t s, uint32_t node)
{
    return (uint32_t *)((char *)scene + corbel_treelet_offset(scene, s) +
                        node * corbel_node_bytes(scene->format));
}

/* A reference of the tree to another treelet's root, to a node or to a leaf:
 * the first that *wanted likes. */
static uint32_t *find_ref(struct corbel_scene *scene, bool wanted(uint32_t))
{
    uint32_t ref[CORBEL_WIDTH_MAX];
    for (uint32_t s = 0; s < scene->treelets; s++)
        for (uint32_t n = 0; n < header_of(scene, s)->nodes; n++) {
            uint32_t *at = refs_of(scene, s, n);
            unsigned count = corbel_node_refs(scene->format, at, 4, ref);
            for (unsigned i = 0; i < count; i++)
                if (wanted(ref[i]))
                    return &at[i];
        }
    fail_msg("no such reference");
    return NULL;
}

/* The last reference of a treelet's root. */
static uint32_t *last_ref(struct corbel_scene *scene, uint32_t s)
{
    uint32_t ref[CORBEL_WIDTH_MAX], *at = refs_of(scene, s, 0);
    return &at[corbel_node_refs(scene->format, at, 4, ref) - 1];
}

/* A treelet that is no child of the one where a reference lies; 0: none. */
static uint32_t stranger(struct corbel_scene *scene, const uint32_t *ref)
{
    const size_t at = (const char *)ref - (const char *)scene;
    const uint32_t from =
        corbel_treelet_of(scene, (uint32_t)(at / CORBEL_REF_UNIT));
    uint32_t s = scene->treelets - 1;
    while (s > 0 && (s == from || header_of(scene, s)->parent == from))
        s--;
    return s;
}

static bool is_node(uint32_t ref)
{
    return ref < CORBEL_REF_TREELET;
}

static void break_bvh(const struct corbel_scene *good,
                      struct corbel_scene *scene)
{
    const uint32_t step = SIZE / CORBEL_REF_UNIT;
    memcpy(scene, good, good->bytes);
    uint32_t *treelet = find_ref(scene, corbel_ref_is_treelet);
    const uint32_t other = stranger(scene, treelet);
    uint32_t *leaf = find_ref(scene, corbel_ref_is_leaf);
    uint32_t *node = find_ref(scene, is_node);
    REFUSED("as to one of its own", *treelet &= ~CORBEL_REF_TREELET);
    REFUSED("no root of a treelet below", *node |= CORBEL_REF_TREELET);
    REFUSED("a node outside of the nodes", *treelet += 1);
    REFUSED("a node outside of the nodes", *treelet |= 1u << 29);
    REFUSED("a node outside of the nodes", *treelet += good->treelets * step);
    REFUSED("outside of its treelet's leaves", *leaf += step);
    REFUSED("outside of its treelet's leaves",
            *leaf = CORBEL_REF_LEAF | scene->root);
    if (corbel_leaf_grain(good->leaf_format) > CORBEL_REF_UNIT)
        REFUSED("outside of its treelet's leaves", *leaf += 1);
    REFUSED("does not come after", *treelet = scene->root | CORBEL_REF_TREELET);
    REFUSED("is no child of a node", *last_ref(scene, 0) = CORBEL_REF_NONE);
    if (other > 0)
        REFUSED("no root of a treelet below",
                *treelet =
                    corbel_treelet_root(scene, other) | CORBEL_REF_TREELET);
}

/* The first of two references of a node to leaves, one behind the other. */
static uint32_t *find_twins(struct corbel_scene *scene)
{
    uint32_t ref[CORBEL_WIDTH_MAX];
    for (uint32_t s = 0; s < scene->treelets; s++)
        for (uint32_t n = 0; n < header_of(scene, s)->nodes; n++) {
            uint32_t *at = refs_of(scene, s, n);
            unsigned count = corbel_node_refs(scene->format, at, 4, ref);
            for (unsigned i = 1; i < count; i++)
                if (corbel_ref_is_leaf(ref[i] & ref[i - 1]))
                    return &at[i - 1];
        }
    fail_msg("no such references");
    return NULL;
}

/* Where both leaves are of a size, all numbers stay right. */
static void break_twins(const struct corbel_scene *good,
                        struct corbel_scene *scene)
{
    memcpy(scene, good, good->bytes);
    uint32_t *twins = find_twins(scene);
    REFUSED("refers to a leaf twice", twins[1] = twins[0]);
    REFUSED("refers to a leaf twice", twins[0] = twins[1]);
}

static void break_parents(const struct corbel_scene *good,
                          struct corbel_scene *scene)
{
    const size_t at = corbel_node_parent_at(good->format) / 4;
    uint32_t *own = refs_of(scene, 0, 1) + at,
             *root = refs_of(scene, 1, 0) + at;
    REFUSED("has another parent", *own = 0);
    REFUSED("has another parent", *own ^= CORBEL_REF_TREELET);
    REFUSED("has another parent", *root ^= CORBEL_REF_TREELET);
    REFUSED("has another parent", *root += 4);
    REFUSED("is the root and has a parent",
            refs_of(scene, 0, 0)[at] = scene->root);
}

/* ---- compressed nodes ---- */

static void break_cwbvht(const struct corbel_scene *good,
                         struct corbel_scene *scene)
{
    struct corbel_cwbvht *n = (struct corbel_cwbvht *)refs_of(scene, 0, 0);
    REFUSED("does not come after", n->nodes &= ~CORBEL_CWBVHT_BASE,
            n->nodes |= scene->root / 4);
    REFUSED("as to one of its own", n->nodes += SIZE / 64);
    REFUSED("no root of a treelet below", n->stride &= ~(UINT32_C(1) << 20),
            n->treelets &= ~CORBEL_CWBVHT_BASE,
            n->treelets |= scene->root / 4 + 1);
    if (corbel_node_width(good->format) == 5)
        REFUSED("more children", n->stride |= 0xeeeu << 20,
                n->nodes |= 14u << 28, n->leaves |= 14u << 28,
                n->treelets |= 14u << 28);
}

static void break_pair(uint32_t nodes, uint32_t leaves)
{
    if (!corbel_node_knows_treelets(nodes))
        return;
    struct corbel_scene *good = make_treelets(nodes, leaves, 4, 200, SIZE);
    struct corbel_scene *scene = aligned_alloc(64, good->bytes);
    assert_good(good);
    memcpy(scene, good, good->bytes);
    break_header(good, scene);
    break_treelets(good, scene);
    if (corbel_node_has_parent(nodes))
        break_parents(good, scene);
    if (strncmp(corbel_node_name(nodes), "bvh", 3) == 0) {
        break_bvh(good, scene);
        break_twins(good, scene);
    } else
        break_cwbvht(good, scene);
    free(scene);
    free(good);
}

static void each_fault_of_treelets_is_named(void **state)
{
    for_each_pair(break_pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_of_treelets_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
