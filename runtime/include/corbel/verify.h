/*
 * Whether a scene may be traversed at all. A file whose hash is right can still
 * be forged, with references that lead outside of it, or in circles. A program
 * that opens one calls corbel_scene_verify() once and relies on what it
 * proves:
 *
 * - sections lie in the file and apart from each other;
 * - each node is the root or a child of exactly one node before it, so that
 *   nodes are a tree, of the depth that the header says;
 * - references and counts stay inside of their sections, and what a format's
 *   readers rely on holds in each node and leaf (corbel_<name>_flaw);
 * - with treelets, the leaves that a node refers to differ;
 * - triangles name faces that exist, and faces vertices;
 * - treelets are what corbel/treelets.h says of them (verify_treelets.h);
 * - trees, instances and geometries are what corbel/instances.h says of them
 *   (verify_trees.h).
 *
 * A traversal of such a scene reads nothing outside of it and ends. Whether its
 * hits are those of the mesh is another question: corbel-scene check.
 *
 * Nodes are looked at in the order of memory, one after the other, with a byte
 * for each: children come after their parent, so a node's level is known when
 * its turn comes, and nothing recurses. For hosts: programs for the target get
 * scenes that have been verified.
 */
#ifndef CORBEL_VERIFY_H
#define CORBEL_VERIFY_H

#include <corbel/treelets.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_WHY 160 /* bytes of a text that says what is wrong */

/* What a flaw is in. */
enum corbel_part {
    CORBEL_PART_HEADER,
    CORBEL_PART_NODE,
    CORBEL_PART_LEAF,
    CORBEL_PART_FACE,
    CORBEL_PART_TREELET,
    CORBEL_PART_TREE,
    CORBEL_PART_INSTANCE,
    CORBEL_PART_GEOMETRY,
};

struct corbel_flaw {
    const char *what; /* NULL: none was found */
    enum corbel_part part;
    uint32_t number; /* of the node, face, treelet .. */
    uint64_t offset; /* of that, or of the leaf, in the file */
};

/* One line: what is wrong, and where. */
static inline void corbel_flaw_text(const struct corbel_flaw *flaw,
                                    char why[CORBEL_WHY])
{
    /* In the order of enum corbel_part. */
    static const char *const name[] = {
        NULL, "node", NULL, "face", "treelet", "tree", "instance", "geometry"};
    const unsigned long long at = flaw->offset;
    if (flaw->part == CORBEL_PART_HEADER)
        snprintf(why, CORBEL_WHY, "%s", flaw->what);
    else if (flaw->part == CORBEL_PART_LEAF)
        snprintf(why, CORBEL_WHY, "damaged: the leaf at byte %llu %s", at,
                 flaw->what);
    else
        snprintf(why, CORBEL_WHY, "damaged: %s %u at byte %llu %s",
                 name[flaw->part], flaw->number, at, flaw->what);
}

/* A section of what references lead to. */
struct corbel_verify_section {
    uint64_t first; /* as references say it: in units from the header */
    uint32_t count; /* of nodes or grains */
    uint32_t each;  /* units of one */
};

struct corbel_verifier {
    const struct corbel_scene *scene;
    uint8_t *level; /* of each node, the root's is 1; 0: not reached so far */
    struct corbel_flaw flaw;
    struct corbel_verify_section nodes, grains;
    uint32_t in_treelet; /* places for nodes in a treelet; 0: no treelets */
    const struct corbel_tree *tree; /* that is looked at; NULL: there is one */
    uint64_t leaves_found, grains_found, references_found;
    unsigned deepest;
};

static inline bool corbel_verify_fails(struct corbel_verifier *v,
                                       enum corbel_part part, uint32_t number,
                                       uint64_t offset, const char *what)
{
    v->flaw.what = what;
    v->flaw.part = part;
    v->flaw.number = number;
    v->flaw.offset = offset;
    return false;
}

/*
 * Nodes have numbers in the order of memory. With treelets those are of places
 * for nodes, as many as a treelet could have, some of which have none.
 */
static inline uint32_t corbel_node_places(const struct corbel_scene *scene)
{
    return scene->treelet_bytes / corbel_node_bytes(scene->format);
}

/* Numbers of nodes are below this. */
static inline uint64_t corbel_node_numbers(const struct corbel_scene *scene)
{
    return scene->treelet_bytes > 0
               ? (uint64_t)scene->treelets * corbel_node_places(scene)
               : scene->nodes;
}

/* Is there a node of this number? */
static inline bool corbel_node_exists(const struct corbel_scene *scene,
                                      uint32_t number)
{
    const uint32_t places = corbel_node_places(scene);
    return scene->treelet_bytes == 0 ||
           number % places <
               corbel_scene_treelet(scene, number / places)->nodes;
}

static inline uint64_t corbel_node_offset(const struct corbel_scene *scene,
                                          uint32_t number)
{
    const uint32_t places = corbel_node_places(scene);
    uint64_t offset = scene->nodes_offset;
    if (scene->treelet_bytes > 0) {
        offset = corbel_treelet_offset(scene, number / places);
        number %= places;
    }
    return offset + (uint64_t)number * corbel_node_bytes(scene->format);
}

/* Of a node, or of the header: node UINT32_MAX. */
static inline bool corbel_verify_fails_in(struct corbel_verifier *v,
                                          uint32_t node, const char *what)
{
    return node == UINT32_MAX
               ? corbel_verify_fails(v, CORBEL_PART_HEADER, 0, 0, what)
               : corbel_verify_fails(v, CORBEL_PART_NODE, node,
                                     corbel_node_offset(v->scene, node), what);
}

/* The number of the node or grain that a reference leads to, of which there
 * must be `many`; UINT32_MAX: it leads elsewhere. */
static inline uint32_t
corbel_verify_number(const struct corbel_verify_section *section, uint32_t ref,
                     unsigned many)
{
    const uint32_t unit = corbel_ref_unit(ref);
    const uint32_t from = (uint32_t)(unit - section->first);
    const uint32_t number = from / section->each;
    return unit < section->first || from % section->each != 0 ||
                   (uint64_t)number + many > section->count
               ? UINT32_MAX
               : number;
}

#include <corbel/verify_treelets.h>
#include <corbel/verify_trees.h>

/* A leaf of a node, or of the header. */
static inline bool corbel_verify_leaf(struct corbel_verifier *v, uint32_t node,
                                      uint32_t ref)
{
    const struct corbel_scene *scene = v->scene;
    const uint64_t offset = corbel_ref_offset(ref);
    const unsigned grains = corbel_ref_grains(ref);
    if (v->in_treelet > 0 && !corbel_verify_leaf_in_treelet(v, node, ref))
        return corbel_verify_fails_in(
            v, node, "refers to a leaf outside of its treelet's leaves");
    if (v->in_treelet == 0 &&
        corbel_verify_number(&v->grains, ref, grains) == UINT32_MAX)
        return corbel_verify_fails_in(v, node,
                                      "refers to a leaf outside of the leaves");
    if (v->tree && v->tree->kind != CORBEL_TREE_TRIANGLES)
        return corbel_verify_tree_leaf(v, ref);
    const void *leaf = corbel_scene_at(scene, offset);
    const char *what =
        corbel_leaf_flaw(scene->leaf_format, scene, leaf, grains);
    if (what)
        return corbel_verify_fails(v, CORBEL_PART_LEAF, 0, offset, what);
    v->leaves_found++;
    v->grains_found += grains;
    v->references_found += corbel_leaf_count(scene->leaf_format, leaf, grains);
    return v->tree == NULL || corbel_verify_tree_faces(v, ref);
}

/* A child of a node that is a node: it gets its level. */
static inline bool corbel_verify_child(struct corbel_verifier *v, uint32_t node,
                                       uint32_t ref)
{
    const bool cut = v->in_treelet > 0;
    const uint32_t flags = cut ? CORBEL_REF_TREELET : 0;
    const uint32_t number = cut ? corbel_verify_number_in_treelet(v, ref)
                                : corbel_verify_number(&v->nodes, ref, 1);
    if (ref & ~(CORBEL_REF_UNITS_MAX | flags) || number == UINT32_MAX)
        return corbel_verify_fails_in(v, node,
                                      "refers to a node outside of the nodes");
    if (number <= node)
        return corbel_verify_fails_in(
            v, node, "refers to a node that does not come after it");
    if (v->tree && number - v->tree->first_node >= v->tree->nodes)
        return corbel_verify_fails_in(v, node,
                                      "refers to a node of another tree");
    if (v->level[number] != 0)
        return corbel_verify_fails_in(
            v, node, "refers to a node that has a parent already");
    v->level[number] = (uint8_t)(v->level[node] + 1);
    return !cut || corbel_verify_link(v, node, ref, number);
}

/* Is the reference equal to one before it in its node? */
static inline bool corbel_verify_again(const uint32_t *refs, unsigned at)
{
    unsigned before = 0;
    while (before < at && refs[before] != refs[at])
        before++;
    return before < at;
}

/* What a node refers to. Who goes back up to a node knows the child that it
 * comes from by its reference, so with treelets those of leaves differ as
 * those of nodes always do. */
static inline bool corbel_verify_refs(struct corbel_verifier *v, uint32_t node,
                                      const uint32_t *refs, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const bool leaf = corbel_ref_is_leaf(refs[i]);
        if (leaf && v->in_treelet > 0 && corbel_verify_again(refs, i))
            return corbel_verify_fails_in(v, node, "refers to a leaf twice");
        if (!(leaf ? corbel_verify_leaf : corbel_verify_child)(v, node,
                                                               refs[i]))
            return false;
    }
    return true;
}

static inline bool corbel_verify_node(struct corbel_verifier *v, uint32_t node)
{
    const struct corbel_scene *scene = v->scene;
    const void *at = corbel_scene_at(scene, corbel_node_offset(scene, node));
    uint32_t ref[CORBEL_WIDTH_MAX];
    if (v->level[node] == 0)
        return corbel_verify_fails_in(v, node,
                                      "is no child of a node before it");
    if (v->level[node] > (v->tree ? v->tree->max_depth : scene->max_depth))
        return corbel_verify_fails_in(v, node,
                                      "is deeper than the header says");
    if (v->level[node] > v->deepest)
        v->deepest = v->level[node];
    const char *what = corbel_node_flaw(scene->format, at);
    if (what)
        return corbel_verify_fails_in(v, node, what);
    return corbel_verify_refs(
        v, node, ref, corbel_node_refs(scene->format, at, v->grains.each, ref));
}

/* The root is the first node, or the only leaf, or there is none; of treelets
 * it is the first node. */
static inline bool corbel_verify_root(struct corbel_verifier *v)
{
    const struct corbel_scene *scene = v->scene;
    if (scene->root == CORBEL_REF_NONE && v->in_treelet == 0)
        return true;
    if (corbel_ref_is_leaf(scene->root) && v->in_treelet == 0)
        return corbel_verify_leaf(v, UINT32_MAX, scene->root);
    if (scene->nodes == 0 || scene->root > CORBEL_REF_UNITS_MAX ||
        corbel_ref_offset(scene->root) != scene->nodes_offset)
        return corbel_verify_fails_in(
            v, UINT32_MAX, "damaged: the root is not the first node");
    v->level[0] = 1;
    return v->in_treelet == 0 || corbel_verify_no_parent(v);
}

/* What the header counts is what was found. */
static inline bool corbel_verify_counts(struct corbel_verifier *v)
{
    const struct corbel_scene *scene = v->scene;
    const char *what = NULL;
    if (v->leaves_found != scene->leaves)
        what = "damaged: the header's number of leaves is not the tree's";
    else if (v->grains_found != scene->grains)
        what = "damaged: the header's grains of leaves are not the tree's";
    else if (v->references_found != scene->references)
        what = "damaged: the header's number of references is not the tree's";
    else if (!v->tree && v->deepest != scene->max_depth)
        what = "damaged: the header's depth is not the tree's";
    return !what || corbel_verify_fails_in(v, UINT32_MAX, what);
}

/* All nodes of a treelet; what they refer to makes up its bytes. */
static inline bool corbel_verify_treelet(struct corbel_verifier *v,
                                         uint32_t treelet)
{
    const struct corbel_scene *scene = v->scene;
    const struct corbel_treelet *t = corbel_scene_treelet(scene, treelet);
    const uint32_t first = treelet * v->in_treelet;
    const uint64_t grains = v->grains_found;
    for (uint32_t i = 0; i < t->nodes; i++)
        if (!corbel_verify_node(v, first + i))
            return false;
    return t->bytes == corbel_treelet_bytes(scene, t->nodes,
                                            v->grains_found - grains) ||
           corbel_verify_fails_of(
               v, treelet, "has other bytes than its nodes and leaves take");
}

static inline bool corbel_verify_nodes(struct corbel_verifier *v)
{
    const struct corbel_scene *scene = v->scene;
    for (uint32_t node = 0; v->in_treelet == 0 && node < scene->nodes; node++)
        if (!corbel_verify_node(v, node))
            return false;
    for (uint32_t i = 0; i < scene->treelets; i++)
        if (!corbel_verify_treelet(v, i))
            return false;
    return true;
}

/* The root of a tree of several: its first node, its only leaf, or none. */
static inline bool corbel_verify_tree_root(struct corbel_verifier *v)
{
    const struct corbel_tree *tree = v->tree;
    if (tree->nodes == 0)
        return tree->root == CORBEL_REF_NONE ||
               (corbel_ref_is_leaf(tree->root)
                    ? corbel_verify_leaf(v, UINT32_MAX, tree->root)
                    : corbel_verify_fails_of_tree(v, "has a root elsewhere"));
    if (tree->root > CORBEL_REF_UNITS_MAX ||
        corbel_ref_offset(tree->root) !=
            corbel_node_offset(v->scene, tree->first_node))
        return corbel_verify_fails_of_tree(
            v, "has a root that is not its first node");
    v->level[tree->first_node] = 1;
    return true;
}

/* One of several trees. Whether each of its nodes has a parent, and so whether
 * there is no cycle, is found as it is of a scene's only tree. */
static inline bool corbel_verify_one_tree(struct corbel_verifier *v)
{
    const struct corbel_tree *tree = v->tree;
    corbel_verify_tree_sections(v);
    v->deepest = 0;
    if (!corbel_verify_tree_root(v))
        return false;
    for (uint32_t i = 0; i < tree->nodes; i++)
        if (!corbel_verify_node(v, tree->first_node + i))
            return false;
    return v->deepest == tree->max_depth ||
           corbel_verify_fails_of_tree(v, "has another depth than it says");
}

static inline bool corbel_verify_all_trees(struct corbel_verifier *v)
{
    if (!corbel_verify_tree_records(v) || !corbel_verify_geometries(v) ||
        !corbel_verify_placements(v))
        return false;
    for (uint32_t i = 0; i < v->scene->trees; i++) {
        v->tree = corbel_scene_tree(v->scene, i);
        if (!corbel_verify_one_tree(v))
            return false;
    }
    return corbel_verify_counts(v);
}

static inline bool corbel_verify_tree(struct corbel_verifier *v)
{
    const struct corbel_scene *s = v->scene;
    v->nodes.first = s->nodes_offset / CORBEL_REF_UNIT;
    v->nodes.count = s->nodes;
    v->nodes.each = corbel_node_bytes(s->format) / CORBEL_REF_UNIT;
    v->grains.first = s->leaves_offset / CORBEL_REF_UNIT;
    v->grains.count = s->grains;
    v->grains.each = corbel_leaf_grain(s->leaf_format) / CORBEL_REF_UNIT;
    if (corbel_scene_has_trees(s))
        return corbel_verify_all_trees(v);
    v->in_treelet = corbel_node_places(s);
    return (v->in_treelet == 0 || corbel_verify_headers(v)) &&
           corbel_verify_root(v) && corbel_verify_nodes(v) &&
           corbel_verify_counts(v);
}

/* Every face's vertices exist. Most often all do: they are compared first. */
static inline bool corbel_verify_faces(struct corbel_verifier *v)
{
    const struct corbel_scene *scene = v->scene;
    const uint32_t *vertex = corbel_scene_face(scene, 0);
    const size_t count = 3 * (size_t)scene->triangles;
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++)
        bad |= vertex[i] >= scene->vertices;
    for (size_t i = 0; bad && i < count; i++)
        if (vertex[i] >= scene->vertices)
            return corbel_verify_fails(v, CORBEL_PART_FACE, (uint32_t)(i / 3),
                                       scene->faces_offset + i / 3 * 12,
                                       "has a vertex that does not exist");
    return true;
}

/*
 * True if the bytes at data, 64-byte aligned, are a whole, undamaged .scene
 * that can be traversed; else why says what is wrong and where. Takes a byte of
 * memory for each node, or place of one in a treelet, meanwhile.
 */
static inline bool corbel_scene_verify(const void *data, size_t bytes,
                                       char why[CORBEL_WHY])
{
    struct corbel_verifier v = {.scene = (const struct corbel_scene *)data};
    bool good = corbel_scene_check(data, bytes, &v.flaw.what);
    if (good) {
        v.level =
            (uint8_t *)calloc((size_t)corbel_node_numbers(v.scene) + 1, 1);
        good = v.level
                   ? corbel_verify_faces(&v) && corbel_verify_tree(&v)
                   : corbel_verify_fails_in(&v, UINT32_MAX, "out of memory");
        free(v.level);
    }
    if (!good)
        corbel_flaw_text(&v.flaw, why);
    return good;
}

#ifdef __cplusplus
}
#endif
#endif
