/*
 * The part of the verifier that knows treelets: their headers agree with each
 * other, and each reference with them. Included by corbel/verify.h, after the
 * verifier is declared.
 */
#ifndef CORBEL_VERIFY_TREELETS_H
#define CORBEL_VERIFY_TREELETS_H

/* Of the header of a treelet. */
static inline bool corbel_verify_fails_of(struct corbel_verifier *v,
                                          uint32_t treelet, const char *what)
{
    return corbel_verify_fails(v, CORBEL_PART_TREELET, treelet,
                               v->scene->treelets_offset +
                                   (uint64_t)treelet * CORBEL_TREELET_HEADER,
                               what);
}

/* What a header says of its treelet alone. */
static inline const char *corbel_treelet_flaw(const struct corbel_scene *scene,
                                              const struct corbel_treelet *t)
{
    const uint64_t nodes =
        (uint64_t)t->nodes * corbel_node_bytes(scene->format);
    if (t->nodes == 0)
        return "has no node";
    if (t->bytes > scene->treelet_bytes)
        return "is larger than a treelet";
    if (nodes > t->bytes)
        return "has nodes beyond its bytes";
    for (unsigned i = 0; i < CORBEL_TREELET_PAGES; i++)
        if (!(t->page_area[i] >= 0 && t->page_area[i] <= 1))
            return "has a page of an area that is not from 0 to 1";
    return NULL;
}

/* The children of a treelet, which must exist, say the same. */
static inline bool corbel_verify_children(struct corbel_verifier *v, uint32_t s)
{
    const struct corbel_treelet *t = corbel_scene_treelet(v->scene, s);
    uint64_t subtree = 1;
    for (uint32_t i = 0; i < t->children; i++) {
        const uint32_t child = t->first_child + i;
        const struct corbel_treelet *c = corbel_scene_treelet(v->scene, child);
        if (c->parent != s)
            return corbel_verify_fails_of(v, child,
                                          "has another parent than it says");
        if (c->depth != t->depth + 1)
            return corbel_verify_fails_of(v, child,
                                          "has another depth than it says");
        subtree += c->subtree;
    }
    return t->subtree == subtree ||
           corbel_verify_fails_of(v, s, "has another subtree than it says");
}

/* Children come next in the order of numbers, which makes that breadth first;
 * *next: the first treelet without a parent so far. */
static inline bool corbel_verify_header(struct corbel_verifier *v, uint32_t s,
                                        uint32_t *next)
{
    const struct corbel_treelet *t = corbel_scene_treelet(v->scene, s);
    const char *what = corbel_treelet_flaw(v->scene, t);
    if (what)
        return corbel_verify_fails_of(v, s, what);
    if (s >= *next)
        return corbel_verify_fails_of(v, s,
                                      "is no child of a treelet before it");
    if (t->first_child != (t->children > 0 ? *next : 0) ||
        t->children > v->scene->treelets - *next)
        return corbel_verify_fails_of(
            v, s, "has children that are not next, breadth first");
    *next += t->children;
    return corbel_verify_children(v, s);
}

static inline bool corbel_verify_headers(struct corbel_verifier *v)
{
    const struct corbel_scene *scene = v->scene;
    const struct corbel_treelet *root = corbel_scene_treelet(scene, 0);
    uint32_t next = 1;
    uint64_t nodes = 0;
    if (root->parent != CORBEL_TREELET_NONE || root->depth || root->level)
        return corbel_verify_fails_of(v, 0, "is not the root of treelets");
    for (uint32_t s = 0; s < scene->treelets; s++) {
        if (!corbel_verify_header(v, s, &next))
            return false;
        nodes += corbel_scene_treelet(scene, s)->nodes;
    }
    return nodes == scene->nodes ||
           corbel_verify_fails_in(
               v, UINT32_MAX,
               "damaged: the header's number of nodes is not the treelets'");
}

/* The number of the node that a reference leads to, whether or not it may;
 * UINT32_MAX: there is none. */
static inline uint32_t
corbel_verify_number_in_treelet(const struct corbel_verifier *v, uint32_t ref)
{
    const struct corbel_scene *scene = v->scene;
    const uint32_t bytes = corbel_node_bytes(scene->format);
    const uint64_t from = corbel_ref_offset(ref) - scene->nodes_offset;
    const uint64_t treelet = from / scene->treelet_bytes;
    const uint32_t at = (uint32_t)(from % scene->treelet_bytes);
    return corbel_ref_offset(ref) < scene->nodes_offset ||
                   treelet >= scene->treelets || at % bytes != 0 ||
                   at / bytes >=
                       corbel_scene_treelet(scene, (uint32_t)treelet)->nodes
               ? UINT32_MAX
               : (uint32_t)treelet * v->in_treelet + at / bytes;
}

/* Is a leaf of a node where its treelet has leaves? */
static inline bool
corbel_verify_leaf_in_treelet(const struct corbel_verifier *v, uint32_t node,
                              uint32_t ref)
{
    const struct corbel_scene *scene = v->scene;
    const uint32_t grain = corbel_leaf_grain(scene->leaf_format);
    const uint32_t treelet = node / v->in_treelet;
    const struct corbel_treelet *t = corbel_scene_treelet(scene, treelet);
    const uint64_t start = corbel_treelet_offset(scene, treelet);
    const uint64_t offset = corbel_ref_offset(ref);
    return offset >= start + corbel_treelet_leaves(scene, t->nodes) &&
           (offset - start) % grain == 0 &&
           offset + (uint64_t)corbel_ref_grains(ref) * grain <=
               start + t->bytes;
}

/* A node's reference to another one says whether that is in another treelet,
 * as its root, and the other one knows from where it is referred to. */
static inline bool corbel_verify_link(struct corbel_verifier *v, uint32_t node,
                                      uint32_t ref, uint32_t child)
{
    const struct corbel_scene *scene = v->scene;
    const uint32_t from = node / v->in_treelet, to = child / v->in_treelet;
    const struct corbel_treelet *t = corbel_scene_treelet(scene, to);
    const uint32_t back =
        (uint32_t)(corbel_node_offset(scene, node) / CORBEL_REF_UNIT) |
        (from == to ? 0 : CORBEL_REF_TREELET);
    if (!corbel_ref_is_treelet(ref) && from != to)
        return corbel_verify_fails_in(
            v, node, "refers to another treelet's node as to one of its own");
    if (corbel_ref_is_treelet(ref) &&
        (child % v->in_treelet != 0 || t->parent != from))
        return corbel_verify_fails_in(
            v, node, "refers to what is no root of a treelet below its own");
    if (corbel_ref_is_treelet(ref) && t->level + 1 != v->level[child])
        return corbel_verify_fails_of(v, to, "has another level than it says");
    if (corbel_node_has_parent(scene->format) &&
        corbel_node_parent(
            scene->format,
            corbel_scene_at(scene, corbel_node_offset(scene, child))) != back)
        return corbel_verify_fails_in(v, child,
                                      "has another parent than it says");
    return true;
}

/* Of the root. */
static inline bool corbel_verify_no_parent(struct corbel_verifier *v)
{
    const struct corbel_scene *scene = v->scene;
    const void *root = corbel_scene_at(scene, scene->nodes_offset);
    return corbel_node_parent(scene->format, root) == CORBEL_REF_NONE ||
           corbel_verify_fails_in(v, 0, "is the root and has a parent");
}

#endif
