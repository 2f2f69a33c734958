/*
 * Lays a tree out as a scene: node children side by side, and so are a node's
 * leaves; which node comes next, order.c says. One pass counts, since
 * references to leaves depend on the number of nodes; a second writes. How a
 * node or a leaf is written, its format says. A tree in treelets is laid out by
 * encode_treelets.c.
 */
#include "encode.h"
#include "sdk/common/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double encode_area(const struct corbel_box *box)
{
    double x = (double)box->max[0] - box->min[0];
    double y = (double)box->max[1] - box->min[1];
    double z = (double)box->max[2] - box->min[2];
    return x * y + y * z + z * x;
}

/* A node's reference: where it lies in the scene, in units of references. */
static uint32_t node_unit(const struct encoder *e, uint32_t number)
{
    return (uint32_t)(e->header.nodes_offset / CORBEL_REF_UNIT) +
           number * (corbel_node_bytes(e->layout.nodes) / CORBEL_REF_UNIT);
}

/* Where a leaf lies that begins with this grain, in bytes from the scene's
 * start. */
static uint64_t leaf_offset(const struct encoder *e, uint32_t grain)
{
    return e->first_grain +
           (uint64_t)grain * corbel_leaf_grain(e->layout.leaves);
}

/* What the header says of leaves, and their part in the tree's cost. */
static void count_leaf(struct encoder *e, uint32_t n, unsigned triangles,
                       unsigned grains)
{
    double bytes = grains * (double)corbel_leaf_grain(e->layout.leaves);
    e->header.leaves++;
    e->header.references += triangles;
    e->cost_area += (COST_BYTE * bytes + COST_TRIANGLE * (float)triangles) *
                    encode_area(&e->tree->node[n].box);
}

uint32_t encode_leaf(struct encoder *e, uint32_t n)
{
    struct corbel_leaf leaf;
    tree_leaf(e->mesh, e->tree, n, e->layout.leaf_limit, &leaf);
    const uint64_t offset = leaf_offset(e, e->next_grain);
    const unsigned grains = corbel_leaf_encode(
        e->layout.leaves, &leaf, e->scene ? (char *)e->scene + offset : NULL);
    e->next_grain += grains;
    if (e->scene == NULL)
        count_leaf(e, n, leaf.count, grains);
    return corbel_ref_leaf((uint32_t)(offset / CORBEL_REF_UNIT), grains);
}

/* What the header says of nodes, and their part in the tree's cost. */
void encode_count_node(struct encoder *e, uint32_t n, unsigned depth)
{
    if (e->tree->count > 0)
        e->cost_area += COST_NODE * encode_area(&e->tree->node[n].box);
    if (depth > e->header.max_depth)
        e->header.max_depth = depth;
}

void encode_node(struct encoder *e, const struct corbel_node_children *c,
                 uint64_t offset)
{
    if (!corbel_node_encode(e->layout.nodes, c, (char *)e->scene + offset))
        fail(STATUS_INPUT, "a box is too large for nodes of format %s",
             corbel_node_name(e->layout.nodes));
}

/* Writes the wide node made from n; its children that are nodes, which get
 * places side by side, are to come. */
static void emit_node(struct encoder *e, const struct order_node *node,
                      struct order_queue *queue)
{
    uint32_t child[WIDTH_MAX];
    struct corbel_node_children c = {0};
    struct order_node next[WIDTH_MAX];
    unsigned nodes = 0;
    const uint32_t first_grain = e->next_grain;
    c.count = collapse_children(e->tree, &e->collapse, node->binary, child);
    for (unsigned i = 0; i < c.count; i++) {
        c.box[i] = e->tree->node[child[i]].box;
        if (e->collapse.leaf[child[i]]) {
            c.ref[i] = encode_leaf(e, child[i]);
            continue;
        }
        next[nodes++] = (struct order_node){
            child[i], e->next_node, node->depth + 1, encode_area(&c.box[i])};
        c.ref[i] = node_unit(e, e->next_node++);
    }
    const uint64_t bytes = corbel_node_bytes(e->layout.nodes);
    if (e->scene == NULL)
        encode_count_node(e, node->binary, node->depth);
    else
        encode_node(e, &c, e->header.nodes_offset + node->number * bytes);
    order_add(queue, next, nodes);
    order_wrote(queue, nodes * bytes +
                           (e->next_grain - first_grain) *
                               (uint64_t)corbel_leaf_grain(e->layout.leaves));
}

uint32_t encode_tree(struct encoder *e)
{
    struct order_queue queue = {.order = e->layout.order};
    struct order_node node = {.number = e->next_node, .depth = 1};
    if (e->tree->count == 0)
        return CORBEL_REF_NONE;
    if (e->collapse.leaf[0])
        return encode_leaf(e, 0);
    const uint32_t root = node_unit(e, e->next_node++);
    order_add(&queue, &node, 1);
    while (order_next(&queue, &node))
        emit_node(e, &node, &queue);
    order_free(&queue);
    return root;
}

/* The scene's only one. */
static uint32_t emit_tree(struct encoder *e)
{
    e->next_node = e->next_grain = 0;
    return encode_tree(e);
}

uint64_t encode_place(uint64_t *end, uint64_t bytes)
{
    const uint64_t start = *end;
    *end += (bytes + CORBEL_SCENE_ALIGN - 1) / CORBEL_SCENE_ALIGN *
            CORBEL_SCENE_ALIGN;
    return start;
}

/* Nodes, then leaves. */
static void place_tree(struct encoder *e, uint64_t *end)
{
    struct corbel_scene *h = &e->header;
    h->nodes_offset = encode_place(end, (uint64_t)h->nodes *
                                            corbel_node_bytes(e->layout.nodes));
    h->leaves_offset = encode_place(
        end, (uint64_t)h->grains * corbel_leaf_grain(e->layout.leaves));
    e->first_grain = h->leaves_offset;
}

/* Treelets, with nodes and leaves. */
static void place_treelets(struct encoder *e, uint64_t *end)
{
    struct corbel_scene *h = &e->header;
    *end = CORBEL_TREELET_ALIGN;
    h->treelet_bytes = e->layout.treelet_bytes;
    h->treelets = e->treelets.count;
    h->nodes_offset = h->leaves_offset =
        encode_place(end, (uint64_t)h->treelets * h->treelet_bytes);
}

/* Sections come in this order, each at a multiple of CORBEL_SCENE_ALIGN.
 * References reach nodes and leaves only, which therefore come first. */
static void place_sections(struct encoder *e)
{
    struct corbel_scene *h = &e->header;
    uint64_t end = sizeof *h;
    h->nodes = e->next_node;
    h->grains = e->next_grain;
    h->triangles = e->mesh->triangles;
    h->vertices = e->mesh->vertices;
    (e->layout.treelet_bytes > 0 ? place_treelets : place_tree)(e, &end);
    if (end / CORBEL_REF_UNIT > CORBEL_REF_UNITS_MAX)
        fail(STATUS_INPUT, "the tree is too large: %lu bytes, at most 2^32",
             (unsigned long)end);
    if (h->treelets > 0)
        h->treelets_offset =
            encode_place(&end, (uint64_t)h->treelets * CORBEL_TREELET_HEADER);
    h->faces_offset = encode_place(&end, (uint64_t)h->triangles * 12);
    h->vertices_offset = encode_place(&end, (uint64_t)h->vertices * 12);
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

void encode_camera(struct corbel_scene *header, const struct camera *given)
{
    const struct camera camera =
        given->fov > 0 ? *given : default_camera(&header->bounds);
    memcpy(header->eye, camera.eye, sizeof header->eye);
    memcpy(header->look, camera.look, sizeof header->look);
    header->fov = camera.fov;
}

/* All of the header that does not say where things are. */
static void describe(struct encoder *e, enum quality quality)
{
    struct corbel_scene *h = &e->header;
    h->magic = CORBEL_SCENE_MAGIC;
    h->version = CORBEL_SCENE_VERSION;
    h->format = e->layout.nodes;
    h->leaf_format = e->layout.leaves;
    h->bounds = mesh_bounds(e->mesh);
    h->degenerate = e->tree->degenerate;
    h->duplicates = h->references - (h->triangles - h->degenerate);
    h->quality = quality;
    h->leaf_limit = e->layout.leaf_limit;
    if (e->tree->count > 0)
        h->sah_cost =
            (float)(e->cost_area / encode_area(&e->tree->node[0].box));
    encode_camera(h, &e->mesh->camera);
}

/* The first pass: counts, and places what depends on that. */
static void prepare(struct encoder *e, enum quality quality)
{
    progress("collapsing the tree");
    collapse_tree(e->mesh, e->tree, &e->layout, &e->collapse);
    if (e->layout.treelet_bytes > 0)
        encode_plan_treelets(e);
    else
        emit_tree(e);
    place_sections(e);
    describe(e, quality);
    if (e->header.max_depth > CORBEL_DEPTH_MAX)
        fail(STATUS_INPUT,
             "the tree has %u levels, at most %u can be traversed",
             e->header.max_depth, CORBEL_DEPTH_MAX);
}

/* The second pass writes what the first has placed. */
struct corbel_scene *scene_encode(const struct mesh *mesh,
                                  const struct tree *tree,
                                  const struct layout *layout,
                                  enum quality quality)
{
    struct encoder e = {.mesh = mesh, .tree = tree, .layout = *layout};
    prepare(&e, quality);
    progress("encoding");
    e.scene = allocate(e.header.bytes / 64 + 1, 64);
    e.header.root =
        layout->treelet_bytes > 0 ? encode_write_treelets(&e) : emit_tree(&e);
    *e.scene = e.header;
    memcpy((char *)e.scene + e.header.faces_offset, mesh->face,
           (size_t)mesh->triangles * sizeof *mesh->face);
    memcpy((char *)e.scene + e.header.vertices_offset, mesh->vertex,
           (size_t)mesh->vertices * sizeof *mesh->vertex);
    e.scene->hash = corbel_scene_hash(e.scene);
    collapse_free(&e.collapse);
    treelets_free(&e.treelets);
    free(e.wide.node);
    return e.scene;
}
