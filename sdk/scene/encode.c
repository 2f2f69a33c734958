/*
 * Lays a tree out as a scene: node children side by side, then their subtrees
 * one after the other; the blocks of a node's leaves side by side. One pass
 * counts, since references to blocks depend on the number of nodes; a second
 * writes. A node format is one function here, in the table at the end.
 */
#include "clip.h"
#include "report.h"
#include "tree.h"

#include <corbel/scene.h>
#include <math.h>
#include <string.h>

/* A wide node to be written. */
struct wide {
    unsigned count, nodes;
    struct corbel_box box[WIDTH_MAX];
    uint32_t ref[WIDTH_MAX];
    uint32_t first_node, first_block; /* units, of children */
};

struct encoder {
    const struct mesh *mesh;
    const struct tree *tree;
    struct collapse collapse;
    uint32_t format;
    struct corbel_scene header;
    double node_area, triangle_area; /* sums over the tree, for its cost */
    struct corbel_scene *scene;      /* NULL while counting */
    uint32_t next_node, next_block;  /* used so far */
};

static void encode_bvh2(const struct wide *wide, void *node)
{
    struct corbel_bvh2 *n = node;
    for (unsigned i = 0; i < 2; i++) {
        n->box[i] = wide->box[i];
        n->ref[i] = wide->ref[i];
    }
}

static void encode_bvh6(const struct wide *wide, void *node)
{
    struct corbel_bvh6 *n = node;
    for (unsigned i = 0; i < wide->count; i++) {
        n->ref[i] = wide->ref[i];
        for (int axis = 0; axis < 3; axis++) {
            n->min[axis][i] = wide->box[i].min[axis];
            n->max[axis][i] = wide->box[i].max[axis];
        }
    }
}

/* Largest grid index whose plane is not above low; false: none. */
static bool quantise_down(float anchor, float scale, float low, uint8_t *q)
{
    double steps = floor(((double)low - anchor) / scale);
    int i = steps > 255 ? 255 : (int)steps;
    while (i > 0 && corbel_cwbvh6_plane(anchor, scale, (uint8_t)i) > low)
        i--;
    *q = (uint8_t)i;
    return corbel_cwbvh6_plane(anchor, scale, *q) <= low;
}

/* Smallest grid index whose plane is not below high; false: none. */
static bool quantise_up(float anchor, float scale, float high, uint8_t *q)
{
    double steps = ceil(((double)high - anchor) / scale);
    int i = steps > 255 ? 255 : steps < 0 ? 0 : (int)steps;
    while (i < 255 && corbel_cwbvh6_plane(anchor, scale, (uint8_t)i) < high)
        i++;
    *q = (uint8_t)i;
    return corbel_cwbvh6_plane(anchor, scale, *q) >= high;
}

/* One axis of all children on the finest grid that reaches around them. */
static void quantise_axis(const struct wide *wide, int axis,
                          struct corbel_cwbvh6 *n)
{
    float anchor = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < wide->count; i++) {
        anchor = fminf(anchor, wide->box[i].min[axis]);
        high = fmaxf(high, wide->box[i].max[axis]);
    }
    int exponent;
    frexp(((double)high - anchor) / 255, &exponent);
    exponent = exponent + 126 < 1 ? 1 : exponent + 126;
    n->anchor[axis] = anchor;
    bool fits = false;
    for (; !fits && exponent < 255; exponent++) {
        float scale = corbel_cwbvh6_scale((uint8_t)exponent);
        n->exponent[axis] = (uint8_t)exponent;
        fits = true;
        for (unsigned i = 0; i < wide->count; i++) {
            const struct corbel_box *box = &wide->box[i];
            fits = fits &&
                   quantise_down(anchor, scale, box->min[axis],
                                 &n->min[axis][i]) &&
                   quantise_up(anchor, scale, box->max[axis], &n->max[axis][i]);
        }
    }
}

static void encode_cwbvh6(const struct wide *wide, void *node)
{
    struct corbel_cwbvh6 *n = node;
    n->node_base = wide->first_node;
    n->block_base = wide->first_block;
    for (unsigned i = 0; i < wide->count; i++) {
        uint32_t ref = wide->ref[i];
        uint32_t kind = corbel_ref_is_leaf(ref) ? corbel_ref_triangles(ref)
                                                : CORBEL_CWBVH6_NODE;
        n->kinds |= kind << 4 * i;
    }
    for (int axis = 0; axis < 3; axis++)
        quantise_axis(wide, axis, n);
}

static void encode_node(uint32_t format, const struct wide *wide, void *node)
{
    switch (format) {
#define X(id, name, bytes, width, meaning)                                     \
    case id:                                                                   \
        encode_##name(wide, node);                                             \
        break;
        CORBEL_NODE_FORMATS(X)
#undef X
    }
}

static double area(const struct corbel_box *box)
{
    double x = (double)box->max[0] - box->min[0];
    double y = (double)box->max[1] - box->min[1];
    double z = (double)box->max[2] - box->min[2];
    return x * y + y * z + z * x;
}

static uint32_t node_unit(const struct encoder *e, uint32_t number)
{
    return (uint32_t)(e->header.nodes_offset / CORBEL_SCENE_UNIT) +
           number * (corbel_node_bytes(e->format) / CORBEL_SCENE_UNIT);
}

static uint32_t block_unit(const struct encoder *e, uint32_t number)
{
    return (uint32_t)(e->header.blocks_offset / CORBEL_SCENE_UNIT) + number;
}

static uint32_t emit_leaf(struct encoder *e, uint32_t n)
{
    uint32_t triangle[CORBEL_LEAF_MAX];
    const unsigned count =
        tree_triangles(e->tree, n, e->collapse.leaf_limit, triangle);
    const uint32_t first = e->next_block;
    e->next_block += count;
    if (e->scene == NULL) {
        e->header.leaves++;
        e->triangle_area += count * area(&e->tree->node[n].box);
        return 0;
    }
    struct corbel_triangle_block *block =
        (struct corbel_triangle_block *)((char *)e->scene +
                                         e->header.blocks_offset) +
        first;
    for (unsigned i = 0; i < count; i++) {
        mesh_triangle(e->mesh, triangle[i], &block[i].triangle);
        block[i].index = triangle[i];
        block[i].last = i + 1 == count;
    }
    return corbel_ref_leaf(block_unit(e, first), count);
}

/* Writes the wide node made from n as number, then those below it. */
static void emit_node(struct encoder *e, uint32_t n, uint32_t number,
                      unsigned depth)
{
    uint32_t child[WIDTH_MAX];
    struct wide wide = {0};
    const uint32_t first_child = e->next_node;
    wide.count = collapse_children(e->tree, &e->collapse, n, child);
    wide.first_node = node_unit(e, e->next_node);
    wide.first_block = block_unit(e, e->next_block);
    for (unsigned i = 0; i < wide.count; i++) {
        wide.box[i] = e->tree->node[child[i]].box;
        wide.ref[i] = e->collapse.leaf[child[i]] ? emit_leaf(e, child[i])
                                                 : node_unit(e, e->next_node++);
    }
    if (e->scene != NULL) {
        encode_node(e->format, &wide,
                    (char *)e->scene + e->header.nodes_offset +
                        (size_t)number * corbel_node_bytes(e->format));
    } else {
        e->node_area += area(&e->tree->node[n].box);
        if (depth > e->header.max_depth)
            e->header.max_depth = depth;
    }
    uint32_t next = first_child;
    for (unsigned i = 0; i < wide.count; i++)
        if (!e->collapse.leaf[child[i]])
            emit_node(e, child[i], next++, depth + 1);
}

/* Returns the reference of the root. */
static uint32_t emit_tree(struct encoder *e)
{
    e->next_node = e->next_block = 0;
    if (e->tree->count == 0)
        return CORBEL_REF_NONE;
    if (e->collapse.leaf[0])
        return emit_leaf(e, 0);
    emit_node(e, 0, e->next_node++, 1);
    return node_unit(e, 0);
}

static uint64_t place(uint64_t *end, uint64_t bytes)
{
    const uint64_t start = *end;
    *end +=
        (bytes + CORBEL_SCENE_UNIT - 1) / CORBEL_SCENE_UNIT * CORBEL_SCENE_UNIT;
    return start;
}

static void place_sections(struct encoder *e)
{
    struct corbel_scene *h = &e->header;
    uint64_t end = sizeof *h;
    h->nodes = e->next_node;
    h->blocks = e->next_block;
    h->triangles = e->mesh->triangles;
    h->vertices = e->mesh->vertices;
    h->nodes_offset =
        place(&end, (uint64_t)h->nodes * corbel_node_bytes(e->format));
    h->blocks_offset =
        place(&end, (uint64_t)h->blocks * sizeof(struct corbel_triangle_block));
    if (end / CORBEL_SCENE_UNIT > CORBEL_REF_UNITS_MAX)
        fail(STATUS_INPUT, "the tree is too large: %lu bytes, at most 2^34",
             (unsigned long)end);
    h->faces_offset = place(&end, (uint64_t)h->triangles * 12);
    h->vertices_offset = place(&end, (uint64_t)h->vertices * 12);
    h->bytes = end;
}

/* A look at the whole from the front, a little from above and aside. */
static struct camera default_camera(const struct corbel_box *bounds)
{
    static const double from[3] = {0.4, 0.35, 0.85};
    struct camera camera = {.fov = 45};
    double radius = 0;
    for (int i = 0; i < 3; i++) {
        double extent = (double)bounds->max[i] - bounds->min[i];
        radius += extent * extent / 4;
        camera.look[i] = (float)(((double)bounds->max[i] + bounds->min[i]) / 2);
    }
    radius = sqrt(radius);
    for (int i = 0; i < 3; i++)
        camera.eye[i] = (float)(camera.look[i] + 2.6 * radius * from[i]);
    return camera;
}

static void describe(struct encoder *e, unsigned leaf_limit,
                     enum quality quality)
{
    struct corbel_scene *h = &e->header;
    h->magic = CORBEL_SCENE_MAGIC;
    h->version = CORBEL_SCENE_VERSION;
    h->format = e->format;
    h->bounds = mesh_bounds(e->mesh);
    h->degenerate = e->tree->degenerate;
    h->duplicates = h->blocks - (h->triangles - h->degenerate);
    h->quality = quality;
    h->leaf_limit = leaf_limit;
    if (e->tree->count > 0)
        h->sah_cost = (float)((COST_NODE * e->node_area +
                               COST_TRIANGLE * e->triangle_area) /
                              area(&e->tree->node[0].box));
    const struct camera camera =
        e->mesh->camera.fov > 0 ? e->mesh->camera : default_camera(&h->bounds);
    memcpy(h->eye, camera.eye, sizeof h->eye);
    memcpy(h->look, camera.look, sizeof h->look);
    h->fov = camera.fov;
}

struct corbel_scene *scene_encode(const struct mesh *mesh,
                                  const struct tree *tree, uint32_t format,
                                  unsigned leaf_limit, enum quality quality)
{
    struct encoder e = {.mesh = mesh, .tree = tree, .format = format};
    progress("collapsing the tree");
    collapse_tree(tree, corbel_node_width(format), leaf_limit, &e.collapse);
    emit_tree(&e);
    place_sections(&e);
    describe(&e, leaf_limit, quality);
    if (e.header.max_depth > CORBEL_DEPTH_MAX)
        fail(STATUS_INPUT,
             "the tree has %u levels, at most %u can be traversed",
             e.header.max_depth, CORBEL_DEPTH_MAX);

    progress("encoding");
    e.scene = allocate(e.header.bytes / 64 + 1, 64);
    e.header.root = emit_tree(&e);
    *e.scene = e.header;
    memcpy((char *)e.scene + e.header.faces_offset, mesh->face,
           (size_t)mesh->triangles * sizeof *mesh->face);
    memcpy((char *)e.scene + e.header.vertices_offset, mesh->vertex,
           (size_t)mesh->vertices * sizeof *mesh->vertex);
    e.scene->hash = corbel_scene_hash(e.scene);
    collapse_free(&e.collapse);
    return e.scene;
}
