/*
 * Builds the binary tree with Embree's builder, then copies it into an array
 * in depth-first order, so that a scene's bytes do not depend on how many
 * threads built it. Embree gives up on meshes whose tree becomes too deep, as
 * those whose triangles differ in size by many powers of two; their tree is
 * made by halves, which is as deep as the logarithm of their number.
 */
#include "clip.h"
#include "sdk/common/report.h"
#include "tree.h"

#include <corbel/intersect.h>
#include <corbel/scene.h>
#include <embree3/rtcore.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Leaves room below CORBEL_DEPTH_MAX for the levels Embree may add. */
#define BUILD_DEPTH_MAX (CORBEL_DEPTH_MAX - 10)

/* A node in the builder's memory. */
struct built {
    struct built *child[2]; /* NULL: a leaf */
    struct corbel_box box;  /* of a leaf */
    uint32_t triangle;
};

/* The builder's callbacks, as Embree's manual describes them for rtcBuildBVH.
 * They are called by several threads; user is the mesh. */
static void *create_node(RTCThreadLocalAllocator allocator, unsigned children,
                         void *user)
{
    struct built *node = rtcThreadLocalAlloc(allocator, sizeof *node, 16);
    memset(node, 0, sizeof *node);
    return node;
}

/* A node has two children: Embree's default branching factor. */
static void set_children(void *node, void **child, unsigned children,
                         void *user)
{
    struct built *built = node;
    built->child[0] = child[0];
    built->child[1] = child[1];
}

/* Boxes of inner nodes are made from the padded leaves instead. */
static void set_bounds(void *node, const struct RTCBounds **bounds,
                       unsigned children, void *user)
{
}

static struct corbel_box
primitive_box(const struct RTCBuildPrimitive *primitive)
{
    return (struct corbel_box){
        {primitive->lower_x, primitive->lower_y, primitive->lower_z},
        {primitive->upper_x, primitive->upper_y, primitive->upper_z}};
}

/* The bounds of that part of the triangle that lies in the primitive's box:
 * after spatial splits a triangle has several primitives. */
static struct corbel_box leaf_box(const struct mesh *mesh,
                                  const struct RTCBuildPrimitive *primitive)
{
    const struct corbel_box box = primitive_box(primitive);
    struct corbel_triangle triangle;
    mesh_triangle(mesh, primitive->primID, &triangle);
    return clip_bounds(&triangle, &box);
}

/* A leaf has one primitive (maxLeafSize). */
static void *create_leaf(RTCThreadLocalAllocator allocator,
                         const struct RTCBuildPrimitive *primitive,
                         size_t count, void *user)
{
    struct built *leaf = rtcThreadLocalAlloc(allocator, sizeof *leaf, 16);
    *leaf = (struct built){.box = leaf_box(user, primitive),
                           .triangle = primitive->primID};
    return leaf;
}

static void set_rtc_bounds(struct RTCBounds *bounds,
                           const struct corbel_box *box)
{
    bounds->lower_x = box->min[0];
    bounds->lower_y = box->min[1];
    bounds->lower_z = box->min[2];
    bounds->upper_x = box->max[0];
    bounds->upper_y = box->max[1];
    bounds->upper_z = box->max[2];
}

/* Cuts a primitive at a plane: both parts get the bounds of what of the
 * triangle lies on their side. */
static void split_primitive(const struct RTCBuildPrimitive *primitive,
                            unsigned axis, float position,
                            struct RTCBounds *left, struct RTCBounds *right,
                            void *user)
{
    const struct mesh *mesh = user;
    struct corbel_triangle triangle;
    struct corbel_box part[2];
    const struct corbel_box box = primitive_box(primitive);
    mesh_triangle(mesh, primitive->primID, &triangle);
    clip_split(&triangle, &box, axis, position, part);
    set_rtc_bounds(left, &part[0]);
    set_rtc_bounds(right, &part[1]);
}

/* Triangles with area as the builder's primitives; the result is how many. */
static size_t make_primitives(const struct mesh *mesh,
                              struct RTCBuildPrimitive *primitive)
{
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        struct corbel_triangle triangle;
        mesh_triangle(mesh, i, &triangle);
        if (triangle_degenerate(&triangle))
            continue;
        struct corbel_box box = triangle_box(&triangle);
        primitive[count++] =
            (struct RTCBuildPrimitive){box.min[0], box.min[1], box.min[2], 0,
                                       box.max[0], box.max[1], box.max[2], i};
    }
    return count;
}

/* The recursion is as deep as the tree, which BUILD_DEPTH_MAX limits. */
static uint32_t count_nodes(const struct built *built)
{
    if (built->child[0] == NULL)
        return 1;
    return 1 + count_nodes(built->child[0]) + count_nodes(built->child[1]);
}

/*
 * Appends the subtree in depth-first order and returns the number of its root.
 */
static uint32_t flatten(const struct built *built, struct tree *tree)
{
    const uint32_t n = tree->count++;
    struct tree_node *node = &tree->node[n];
    if (built->child[0] == NULL) {
        node->box = built->box;
        node->triangle = built->triangle;
    } else {
        node->child[0] = flatten(built->child[0], tree);
        node->child[1] = flatten(built->child[1], tree);
    }
    return n;
}

/* Gives the leaves' boxes their unit back and pads them; makes the others from
 * them. */
static void fit_boxes(struct tree *tree, const struct corbel_box *bounds)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, (double)bounds->max[axis] - bounds->min[axis]);
    const double pad = (double)CORBEL_TREE_PAD * extent;
    for (uint32_t n = tree->count; n-- > 0;) {
        struct tree_node *node = &tree->node[n];
        if (tree_is_leaf(node)) {
            for (int axis = 0; axis < 3; axis++) {
                node->box.min[axis] =
                    round_down((double)node->box.min[axis] * tree->unit - pad);
                node->box.max[axis] =
                    round_up((double)node->box.max[axis] * tree->unit + pad);
            }
        } else {
            node->box = tree->node[node->child[0]].box;
            box_add(&node->box, &tree->node[node->child[1]].box);
        }
    }
}

static void set_callbacks(struct RTCBuildArguments *arguments)
{
    arguments->createNode = create_node;
    arguments->setNodeChildren = set_children;
    arguments->setNodeBounds = set_bounds;
    arguments->createLeaf = create_leaf;
    arguments->splitPrimitive = split_primitive;
}

/* Embree's words for enum quality. */
static const enum RTCBuildQuality rtc_quality[] = {
    [QUALITY_LOW] = RTC_BUILD_QUALITY_LOW,
    [QUALITY_MEDIUM] = RTC_BUILD_QUALITY_MEDIUM,
    [QUALITY_HIGH] = RTC_BUILD_QUALITY_HIGH,
};

RTCDevice embree_device(void)
{
    RTCDevice device = rtcNewDevice(NULL);
    if (device == NULL)
        fail(STATUS_OUTPUT,
             "out of memory, or of threads, for Embree: error %d",
             (int)rtcGetDeviceError(NULL));
    return device;
}

/* Builds the tree by Embree; false: it would be too deep. */
static bool build_with_embree(const struct mesh *mesh, enum quality quality,
                              struct RTCBuildPrimitive *primitive, size_t count,
                              size_t room, struct tree *tree)
{
    RTCDevice device = embree_device();
    RTCBVH bvh = rtcNewBVH(device);
    struct RTCBuildArguments arguments = rtcDefaultBuildArguments();
    arguments.buildQuality = rtc_quality[quality];
    arguments.maxDepth = BUILD_DEPTH_MAX;
    arguments.maxLeafSize = 1;
    arguments.bvh = bvh;
    arguments.primitives = primitive;
    arguments.primitiveCount = count;
    arguments.primitiveArrayCapacity = room;
    arguments.userPtr = (void *)mesh;
    set_callbacks(&arguments);
    const struct built *root = rtcBuildBVH(&arguments);
    const enum RTCError error = rtcGetDeviceError(device);
    if (root != NULL) {
        tree->node = allocate(count_nodes(root), sizeof *tree->node);
        flatten(root, tree);
    } else if (error != RTC_ERROR_UNKNOWN) {
        fail(STATUS_INPUT, "the tree builder failed with error %d", (int)error);
    }
    rtcReleaseBVH(bvh);
    rtcReleaseDevice(device);
    return root != NULL;
}

/* Twice the middle of a primitive's box on an axis. */
static double middle(const struct RTCBuildPrimitive *primitive, int axis)
{
    const struct corbel_box box = primitive_box(primitive);
    return (double)box.min[axis] + box.max[axis];
}

/* Orders by middles on the axis; equal ones by number, for one order. */
static int by_middle(const void *left, const void *right, void *axis)
{
    const struct RTCBuildPrimitive *a = left, *b = right;
    const double x = middle(a, *(int *)axis), y = middle(b, *(int *)axis);
    if (x != y)
        return x < y ? -1 : 1;
    return (a->primID > b->primID) - (a->primID < b->primID);
}

/* On which the primitives' middles lie farthest apart. */
static int longest_axis(const struct RTCBuildPrimitive *primitive, size_t count)
{
    double longest = -1;
    int found = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, middle(&primitive[i], axis));
            high = fmax(high, middle(&primitive[i], axis));
        }
        if (high - low > longest) {
            longest = high - low;
            found = axis;
        }
    }
    return found;
}

/* The subtree of the primitives, half of them on each side. */
static uint32_t halve(const struct mesh *mesh,
                      struct RTCBuildPrimitive *primitive, size_t count,
                      struct tree *tree)
{
    const uint32_t n = tree->count++;
    struct tree_node *node = &tree->node[n];
    if (count == 1) {
        node->box = leaf_box(mesh, primitive);
        node->triangle = primitive->primID;
        return n;
    }
    int axis = longest_axis(primitive, count);
    qsort_r(primitive, count, sizeof *primitive, by_middle, &axis);
    node->child[0] = halve(mesh, primitive, count / 2, tree);
    node->child[1] =
        halve(mesh, primitive + count / 2, count - count / 2, tree);
    return n;
}

/* The power of two that is told to the builder as 1. */
static float unit_of(const struct corbel_box *bounds)
{
    float reach = 0, extent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float min = bounds->min[axis], max = bounds->max[axis];
        reach = fmaxf(reach, fmaxf(fabsf(min), fabsf(max)));
        extent = fmaxf(extent, max - min);
    }
    if (reach > 0x1p40f)
        return corbel_power_below(reach);
    return extent > 0 && extent < 0x1p-30f ? corbel_power_below(extent) : 1;
}

/* The mesh in the tree's unit: itself, or it has vertices of its own. */
static struct mesh in_unit(const struct mesh *mesh, float unit)
{
    struct mesh scaled = *mesh;
    if (unit == 1)
        return scaled;
    scaled.vertex = allocate(mesh->vertices, sizeof *scaled.vertex);
    for (uint32_t i = 0; i < mesh->vertices; i++)
        for (int axis = 0; axis < 3; axis++)
            scaled.vertex[i][axis] = mesh->vertex[i][axis] / unit;
    return scaled;
}

/* Builds it for a mesh in the tree's unit; room: for the copies that spatial
 * splits make, twice the count was enough. */
static void build_nodes(const struct mesh *mesh, enum quality quality,
                        struct tree *tree)
{
    const size_t room = 2 * (size_t)mesh->triangles + 64;
    struct RTCBuildPrimitive *primitive =
        aligned_alloc(64, (room * sizeof *primitive + 63) / 64 * 64);
    if (primitive == NULL)
        fail(STATUS_OUTPUT, "out of memory: %zu primitives", room);
    progress("building the tree");
    size_t count = make_primitives(mesh, primitive);
    tree->degenerate = mesh->triangles - (uint32_t)count;
    if (count > 0 &&
        !build_with_embree(mesh, quality, primitive, count, room, tree)) {
        make_primitives(mesh, primitive); /* Embree moves them */
        tree->node = allocate(2 * count - 1, sizeof *tree->node);
        halve(mesh, primitive, count, tree);
    }
    free(primitive);
}

/* An empty tree if no triangle has an area. */
void tree_build(const struct mesh *mesh, enum quality quality,
                struct tree *tree)
{
    const struct corbel_box bounds = mesh_bounds(mesh);
    memset(tree, 0, sizeof *tree);
    tree->unit = unit_of(&bounds);
    struct mesh scaled = in_unit(mesh, tree->unit);
    build_nodes(&scaled, quality, tree);
    fit_boxes(tree, &bounds);
    if (scaled.vertex != mesh->vertex)
        free(scaled.vertex);
}

void tree_free(struct tree *tree)
{
    free(tree->node);
    memset(tree, 0, sizeof *tree);
}
