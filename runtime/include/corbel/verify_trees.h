/*
 * The part of the verifier that knows scenes of several trees: their records
 * agree with each other, leaves of boxes and instances with them, and whether a
 * leaf says that a face is opaque with the face's geometry. Included by
 * corbel/verify.h, after the verifier is declared.
 */
#ifndef CORBEL_VERIFY_TREES_H
#define CORBEL_VERIFY_TREES_H

/* Of the record of the tree that is looked at. */
static inline bool corbel_verify_fails_of_tree(struct corbel_verifier *v,
                                               const char *what)
{
    const uint32_t number =
        (uint32_t)(v->tree - corbel_scene_tree(v->scene, 0));
    return corbel_verify_fails(
        v, CORBEL_PART_TREE, number,
        v->scene->trees_offset + (uint64_t)number * sizeof *v->tree, what);
}

/* Of a leaf. */
static inline bool corbel_verify_fails_of_leaf(struct corbel_verifier *v,
                                               uint32_t ref, const char *what)
{
    return corbel_verify_fails(v, CORBEL_PART_LEAF, 0, corbel_ref_offset(ref),
                               what);
}

/* Where the nodes and leaves of the tree may lie. */
static inline void corbel_verify_tree_sections(struct corbel_verifier *v)
{
    const struct corbel_scene *s = v->scene;
    const uint64_t offset[CORBEL_TREE_KINDS] = {
        s->leaves_offset, s->boxes_offset, s->instances_offset};
    const uint32_t count[CORBEL_TREE_KINDS] = {s->grains, s->boxes,
                                               s->instances};
    const uint32_t kind = v->tree->kind;
    v->grains.first = offset[kind] / CORBEL_REF_UNIT;
    v->grains.count = count[kind];
    v->grains.each = corbel_tree_grain(s, kind) / CORBEL_REF_UNIT;
}

/* Numbers of a box, which a reader may compare: none is a NaN. */
static inline bool corbel_box_ordered(const struct corbel_box *box)
{
    return box->min[0] <= box->max[0] && box->min[1] <= box->max[1] &&
           box->min[2] <= box->max[2];
}

/* What a record says alone; upper: it is the first one. */
static inline const char *corbel_tree_flaw(const struct corbel_scene *scene,
                                           const struct corbel_tree *tree,
                                           bool upper)
{
    if (tree->kind >= CORBEL_TREE_KINDS)
        return "is of a kind that does not exist";
    if (tree->kind == CORBEL_TREE_INSTANCES && !upper)
        return "has instances below instances, and there are two levels at "
               "most";
    if (tree->kind == CORBEL_TREE_INSTANCES && tree->geometries > 0)
        return "has instances and geometries";
    if (!(tree->extent >= 0 && tree->widen >= CORBEL_TREE_PAD))
        return "has an extent or a widening that cannot be";
    if (tree->root != CORBEL_REF_NONE && !corbel_box_ordered(&tree->bounds))
        return "has bounds that are no box";
    return tree->max_depth > scene->max_depth ? "is deeper than the header says"
                                              : NULL;
}

/* Trees follow each other, their nodes and geometries too, without gaps. */
static inline bool corbel_verify_tree_records(struct corbel_verifier *v)
{
    const struct corbel_scene *s = v->scene;
    uint64_t nodes = 0, geometries = 0;
    uint32_t lower = 0;
    for (uint32_t i = 0; i < s->trees; i++) {
        v->tree = corbel_scene_tree(s, i);
        const char *what = corbel_tree_flaw(s, v->tree, i == 0);
        if (!what && (v->tree->first_node != nodes ||
                      v->tree->first_geometry != geometries))
            what = "does not begin where the one before it ends";
        if (what)
            return corbel_verify_fails_of_tree(v, what);
        nodes += v->tree->nodes;
        geometries += v->tree->geometries;
        if (i > 0 && v->tree->max_depth > lower)
            lower = v->tree->max_depth;
    }
    v->tree = corbel_scene_tree(s, 0);
    const char *what = NULL;
    if (nodes != s->nodes || geometries != s->geometries)
        what = "damaged: the trees have other nodes or geometries than the "
               "header says";
    else if (v->tree->kind != CORBEL_TREE_INSTANCES &&
             (s->trees > 1 || s->instances > 0))
        what = "damaged: trees or instances that the first tree has no use for";
    else if ((uint64_t)v->tree->max_depth + lower != s->max_depth)
        what = "damaged: the header's depth is not that of two levels";
    return !what || corbel_verify_fails_in(v, UINT32_MAX, what);
}

/* Does a part of the extras, which may be none, lie in them? */
static inline bool corbel_verify_extra(const struct corbel_scene *s,
                                       uint64_t offset, uint64_t count,
                                       uint64_t each)
{
    const uint64_t bytes = (uint64_t)s->extras * CORBEL_SCENE_ALIGN;
    return offset == 0 ||
           (offset % sizeof(float) == 0 && offset >= s->extras_offset &&
            offset - s->extras_offset <= bytes &&
            count <= (bytes - (offset - s->extras_offset)) / each);
}

static inline const char *corbel_geometry_flaw(const struct corbel_scene *s,
                                               const struct corbel_geometry *g,
                                               uint32_t tree, uint64_t first)
{
    if (g->flags >= CORBEL_GEOMETRY_FLAGS)
        return "has flags that do not exist";
    if (g->tree != tree)
        return "is of another tree than it says";
    if (g->first != first)
        return "does not begin where the one before it ends";
    if (g->texels_offset != 0 && (g->width == 0 || g->height == 0))
        return "has a texture without texels";
    if (!corbel_verify_extra(s, g->texels_offset,
                             (uint64_t)g->width * g->height, 1))
        return "has a texture outside of the scene's extras";
    return corbel_verify_extra(s, g->corners_offset, g->count,
                               6 * sizeof(float))
               ? NULL
               : "has corners outside of the scene's extras";
}

/* Those of triangles share out the faces, those of boxes numbers from 0 on. */
static inline bool corbel_verify_geometries(struct corbel_verifier *v)
{
    const struct corbel_scene *s = v->scene;
    uint64_t first[CORBEL_TREE_KINDS] = {0};
    for (uint32_t i = 0; i < s->trees; i++) {
        const struct corbel_tree *tree = corbel_scene_tree(s, i);
        for (uint32_t k = 0; k < tree->geometries; k++) {
            const uint32_t number = tree->first_geometry + k;
            const struct corbel_geometry *g = corbel_scene_geometry(s, number);
            const char *what = corbel_geometry_flaw(s, g, i, first[tree->kind]);
            if (what)
                return corbel_verify_fails(
                    v, CORBEL_PART_GEOMETRY, number,
                    s->geometries_offset + (uint64_t)number * sizeof *g, what);
            first[tree->kind] += g->count;
        }
    }
    return (first[CORBEL_TREE_TRIANGLES] == s->triangles &&
            first[CORBEL_TREE_BOXES] <= CORBEL_INDEX_NUMBER) ||
           corbel_verify_fails_in(
               v, UINT32_MAX,
               "damaged: the geometries have other faces than the header says");
}

/* The largest absolute coordinate of a box. */
static inline float corbel_box_reach(const struct corbel_box *box)
{
    float reach = 0;
    for (int i = 0; i < 3; i++) {
        const float a = __builtin_fabsf(box->min[i]);
        const float b = __builtin_fabsf(box->max[i]);
        reach = a > reach ? a : reach;
        reach = b > reach ? b : reach;
    }
    return reach;
}

static inline const char *corbel_instance_flaw(const struct corbel_scene *s,
                                               uint32_t number)
{
    const struct corbel_placement *p = corbel_scene_placement(s, number);
    if (p->tree == 0 || p->tree >= s->trees)
        return "is of a tree that does not exist";
    if (p->line >= s->instances)
        return "lies outside of the instances";
    const struct corbel_instance *at = corbel_scene_line(s, p->line);
    const struct corbel_tree *tree = corbel_scene_tree(s, p->tree);
    if (at->number != number)
        return "lies where another one does";
    if (at->root != tree->root || at->kind != tree->kind)
        return "leads to another tree than it says";
    if (at->flags >= CORBEL_INSTANCE_FLAGS)
        return "has flags that do not exist";
    return tree->root == CORBEL_REF_NONE ||
                   at->reach >= corbel_box_reach(&tree->bounds)
               ? NULL
               : "reaches less far than its tree";
}

/* Every instance has a line of its own, which leads to the tree's root. */
static inline bool corbel_verify_placements(struct corbel_verifier *v)
{
    const struct corbel_scene *s = v->scene;
    for (uint32_t i = 0; i < s->instances; i++) {
        const char *what = corbel_instance_flaw(s, i);
        if (what)
            return corbel_verify_fails(v, CORBEL_PART_INSTANCE, i,
                                       s->placements_offset +
                                           (uint64_t)i *
                                               sizeof(struct corbel_placement),
                                       what);
    }
    return true;
}

/* What is wrong with the word by which a leaf of the tree names a face or a
 * box. */
static inline const char *corbel_tree_index_flaw(const struct corbel_scene *s,
                                                 const struct corbel_tree *tree,
                                                 uint32_t word)
{
    const uint32_t index = word & CORBEL_INDEX_NUMBER;
    if (tree->geometries == 0)
        return "is of a tree without geometries";
    const struct corbel_geometry *g = corbel_scene_geometry(
        s, tree->first_geometry + corbel_tree_geometry(s, tree, index));
    if (index < g->first || index - g->first >= g->count)
        return "names a face or box that is not its tree's";
    return (word == index) == (g->flags & CORBEL_GEOMETRY_OPAQUE)
               ? NULL
               : "is opaque where its geometry is not, or not where it is";
}

/* A leaf of faces that exist, as its format's file says. */
static inline bool corbel_verify_tree_faces(struct corbel_verifier *v,
                                            uint32_t ref)
{
    const struct corbel_scene *s = v->scene;
    const void *leaf = corbel_scene_at(s, corbel_ref_offset(ref));
    const unsigned count =
        corbel_leaf_count(s->leaf_format, leaf, corbel_ref_grains(ref));
    for (unsigned i = 0; i < count; i++) {
        struct corbel_triangle triangle;
        const char *what = corbel_tree_index_flaw(
            s, v->tree,
            corbel_leaf_triangle(s->leaf_format, s, leaf, i, &triangle));
        if (what)
            return corbel_verify_fails_of_leaf(v, ref, what);
    }
    return true;
}

static inline const char *corbel_box_leaf_flaw(struct corbel_verifier *v,
                                               const struct corbel_box_leaf *b)
{
    return corbel_box_ordered(&b->box)
               ? corbel_tree_index_flaw(v->scene, v->tree, b->index)
               : "has a box without an order";
}

/* A leaf of boxes or of an instance, which lies in their section. */
static inline bool corbel_verify_tree_leaf(struct corbel_verifier *v,
                                           uint32_t ref)
{
    const void *leaf = corbel_scene_at(v->scene, corbel_ref_offset(ref));
    const unsigned grains = corbel_ref_grains(ref);
    const char *what = NULL;
    if (v->tree->kind == CORBEL_TREE_INSTANCES) {
        const struct corbel_instance *at = (const struct corbel_instance *)leaf;
        if (grains != 1)
            what = "has more than one instance";
        else if (at->number >= v->scene->instances)
            what = "is of an instance that does not exist";
    } else {
        const struct corbel_box_leaf *box =
            (const struct corbel_box_leaf *)leaf;
        for (unsigned i = 0; i < grains && !what; i++)
            what = corbel_box_leaf_flaw(v, &box[i]);
    }
    return !what || corbel_verify_fails_of_leaf(v, ref, what);
}

#endif
