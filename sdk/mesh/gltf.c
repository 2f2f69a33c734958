/*
 * glTF 2.0: the nodes of a scene, each with a place and maybe a mesh. Nodes are
 * visited depth first, in the order in which they are named, without recursion.
 */
#include "gltf.h"

#include "input.h"
#include "read.h"

#include "sdk/common/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A node that is to be visited, and the place of its parent. */
struct visit {
    uint32_t node;
    struct gltf_place parent;
};

/* Nodes that are still to be visited, the next one last. */
struct walk {
    struct gltf *gltf;
    struct mesh *mesh;
    bool *seen; /* by node */
    struct visit *stack;
    uint32_t depth, room;
};

/* The place of a node that says nothing: where its parent is. */
static const struct gltf_place nowhere = {
    {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, false};

/* ---- what a file requires ---- */

/* Read, or about what is left out anyway; an ending * stands for any rest. */
static const char *const extensions_read[] = {
    "KHR_mesh_quantization", "EXT_mesh_gpu_instancing",
    "KHR_node_visibility",   "KHR_materials_*",
    "KHR_texture_*",         "EXT_texture_*",
    "MSFT_texture_dds",      "KHR_lights_*",
    "EXT_lights_*",          "KHR_xmp_json_ld",
};

/* Does a file that requires this extension lose nothing that a mesh has? */
static bool is_read(const char *extension)
{
    for (size_t i = 0; i < sizeof extensions_read / sizeof *extensions_read;
         i++) {
        const char *known = extensions_read[i];
        const size_t length = strcspn(known, "*");
        if (strncmp(known, extension, length) == 0 &&
            (known[length] == '*' || extension[length] == 0))
            return true;
    }
    return false;
}

/* Text of the file for a message. */
static struct excerpt text_of(const cJSON *json)
{
    return excerpt_of_text(cJSON_IsString(json) ? json->valuestring
                                                : "not a text");
}

/* glTF 2.0 in any minor version, and no extension that the file requires and
 * this reader does not know (glTF 2.0, 3.12). */
static void check_requirements(const struct gltf *gltf)
{
    const cJSON *asset = gltf_member(gltf->root, "asset");
    const cJSON *version = gltf_member(asset, "version"), *extension;
    if (!cJSON_IsString(version) || strncmp(version->valuestring, "2.", 2) != 0)
        fail(STATUS_INPUT, "%s: asset.version is %s, expected 2.0", gltf->path,
             version ? text_of(version).text : "missing");
    cJSON_ArrayForEach(
        extension,
        gltf_member(gltf->root,
                    "extensionsRequired")) if (!cJSON_IsString(extension) ||
                                               !is_read(extension->valuestring))
        fail(STATUS_INPUT,
             "%s: extensionsRequired: %s is not read, so the file cannot "
             "be",
             gltf->path, text_of(extension).text);
}

/* ---- places ---- */

/* a after b. */
static struct gltf_place multiply(const struct gltf_place *a,
                                  const struct gltf_place *b)
{
    struct gltf_place c = {.moved = true};
    if (!a->moved)
        return *b;
    if (!b->moved)
        return *a;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            c.m[i][k] = a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] +
                        a->m[i][2] * b->m[2][k] + (k == 3 ? a->m[i][3] : 0);
    return c;
}

/* Translation, rotation by a quaternion x y z w of length 1, and scale. */
static struct gltf_place compose(const double t[3], const double q[4],
                                 const double s[3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
        {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
        {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    struct gltf_place place = {.moved = true};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            place.m[i][k] = r[i][k] * s[k];
        place.m[i][3] = t[i];
    }
    return place;
}

/* A quaternion of another length would scale as well, which no file means to
 * do. */
static void check_rotation(struct gltf_item node, const double q[4])
{
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabs(square - 1) < 0.01))
        gltf_fail(node, "a rotation of length %g, expected 1", sqrt(square));
}

/*
 * Where a node is within its parent: a matrix, column by column, or its parts
 * (glTF 2.0, 3.5.3). The last row of the matrix must be 0 0 0 1: nothing is
 * projected.
 */
static struct gltf_place place_of(struct gltf_item node)
{
    double matrix[16], t[3] = {0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    bool parts = gltf_numbers(node, node.json, "translation", 3, t);
    parts = gltf_numbers(node, node.json, "rotation", 4, q) || parts;
    parts = gltf_numbers(node, node.json, "scale", 3, s) || parts;
    check_rotation(node, q);
    if (!gltf_numbers(node, node.json, "matrix", 16, matrix))
        return parts ? compose(t, q, s) : nowhere;
    if (parts || matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 ||
        matrix[15] != 1)
        gltf_fail(node, parts ? "a matrix beside translation, rotation or "
                                "scale, expected one or the others"
                              : "matrix: expected a last row of 0 0 0 1");
    struct gltf_place place = {.moved = true};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            place.m[i][k] = matrix[4 * k + i];
    return place;
}

/* ---- instances of a node ---- */

/* Attributes of EXT_mesh_gpu_instancing. */
struct instances {
    double *t, *q, *s; /* NULL: none */
    uint32_t count;
};

/* One attribute of all instances, NULL: it is not there. All that are there
 * must be of the same number of instances. */
static double *instance_values(struct gltf *gltf, struct gltf_item node,
                               const cJSON *attributes, const char *name,
                               uint32_t components, uint32_t *count)
{
    const cJSON *accessor = gltf_member(attributes, name);
    uint32_t found;
    if (accessor == NULL)
        return NULL;
    double *values =
        gltf_accessor(gltf, gltf_refer(node, accessor, GLTF_accessors),
                      components, GLTF_ZEROS, &found);
    if (*count != 0 && found != *count)
        gltf_fail(node,
                  "EXT_mesh_gpu_instancing: attributes of %u and %u "
                  "instances",
                  *count, found);
    *count = found;
    return values;
}

/* The mesh once for each instance, placed within the node. */
static void add_instances(struct walk *walk, struct gltf_item node,
                          struct gltf_item mesh, const cJSON *extension,
                          const struct gltf_place *place)
{
    const cJSON *attributes = gltf_member(extension, "attributes");
    struct gltf *gltf = walk->gltf;
    uint32_t count = 0;
    double *t =
        instance_values(gltf, node, attributes, "TRANSLATION", 3, &count);
    double *q = instance_values(gltf, node, attributes, "ROTATION", 4, &count);
    double *s = instance_values(gltf, node, attributes, "SCALE", 3, &count);
    if (count == 0)
        gltf_fail(node, "EXT_mesh_gpu_instancing: no TRANSLATION, ROTATION or "
                        "SCALE");
    for (uint32_t i = 0; i < count; i++) {
        const double *rotation = q ? q + 4 * (size_t)i : (double[]){0, 0, 0, 1};
        check_rotation(node, rotation);
        const struct gltf_place own =
            compose(t ? t + 3 * (size_t)i : (double[]){0, 0, 0}, rotation,
                    s ? s + 3 * (size_t)i : (double[]){1, 1, 1});
        const struct gltf_place there = multiply(place, &own);
        gltf_add_mesh(gltf, node, mesh, &there, walk->mesh);
    }
    free(t);
    free(q);
    free(s);
}

/* ---- nodes ---- */

/* A node may be visited once only: more often means a cycle or two parents,
 * neither of which glTF allows. */
static void push(struct walk *walk, struct gltf_item node,
                 const struct gltf_place *parent)
{
    if (walk->seen[node.index])
        gltf_fail(node, "has two parents or is its own, expected a tree");
    walk->seen[node.index] = true;
    if (walk->depth == walk->room) {
        walk->room = walk->room < 64 ? 64 : 2 * walk->room;
        walk->stack = reallocate(walk->stack, walk->room, sizeof *walk->stack);
    }
    walk->stack[walk->depth++] = (struct visit){node.index, *parent};
}

/* Pushed in order, then turned round, so that the first comes next. */
static void push_all(struct walk *walk, struct gltf_item user,
                     const cJSON *nodes, const struct gltf_place *parent)
{
    const cJSON *node;
    const uint32_t first = walk->depth;
    cJSON_ArrayForEach(node, nodes)
        push(walk, gltf_refer(user, node, GLTF_nodes), parent);
    for (uint32_t i = first, k = walk->depth; i + 1 < k; i++) {
        const struct visit swapped = walk->stack[i];
        walk->stack[i] = walk->stack[--k];
        walk->stack[k] = swapped;
    }
}

/* A node is visible unless KHR_node_visibility says otherwise; that goes for
 * all that is below it, too. */
static bool is_visible(const cJSON *node)
{
    const cJSON *extension = gltf_extension(node, "KHR_node_visibility");
    return !cJSON_IsFalse(gltf_member(extension, "visible"));
}

/* Adds the mesh of a node, then puts its children on the stack. */
static void visit(struct walk *walk, const struct visit *at)
{
    const struct gltf_item node = gltf_item(walk->gltf, GLTF_nodes, at->node);
    const cJSON *mesh = gltf_member(node.json, "mesh");
    const cJSON *instances =
        gltf_extension(node.json, "EXT_mesh_gpu_instancing");
    const struct gltf_place own = place_of(node);
    const struct gltf_place place = multiply(&at->parent, &own);
    if (!is_visible(node.json))
        return;
    if (mesh != NULL && gltf_member(node.json, "skin") != NULL)
        gltf_fail(node, "its mesh has a skin, which is not read");
    if (mesh != NULL && instances != NULL)
        add_instances(walk, node, gltf_refer(node, mesh, GLTF_meshes),
                      instances, &place);
    else if (mesh != NULL)
        gltf_add_mesh(walk->gltf, node, gltf_refer(node, mesh, GLTF_meshes),
                      &place, walk->mesh);
    push_all(walk, node, gltf_member(node.json, "children"), &place);
}

/* A file without scenes: all nodes that are no other node's children. */
static void push_roots(struct walk *walk)
{
    const struct gltf_array *nodes = &walk->gltf->array[GLTF_nodes];
    bool *child = allocate(nodes->count, sizeof *child);
    for (uint32_t i = 0; i < nodes->count; i++) {
        const struct gltf_item node = gltf_item(walk->gltf, GLTF_nodes, i);
        const cJSON *value;
        cJSON_ArrayForEach(value, gltf_member(node.json, "children"))
            child[gltf_refer(node, value, GLTF_nodes).index] = true;
    }
    for (uint32_t i = nodes->count; i-- > 0;)
        if (!child[i])
            push(walk, gltf_item(walk->gltf, GLTF_nodes, i), &nowhere);
    free(child);
}

/* The nodes of the scene that the file chooses, else of the first. */
static void push_scene(struct walk *walk)
{
    struct gltf *gltf = walk->gltf;
    const cJSON *scenes = gltf_member(gltf->root, "scenes");
    const int count = cJSON_GetArraySize(scenes);
    struct gltf_item file = {gltf, "scenes", 0, gltf->root};
    if (count == 0) {
        push_roots(walk);
        return;
    }
    file.index =
        (uint32_t)gltf_whole(file, gltf->root, "scene", 0, (uint64_t)count - 1);
    const cJSON *scene = cJSON_GetArrayItem(scenes, (int)file.index);
    push_all(walk, file, gltf_member(scene, "nodes"), &nowhere);
    walk->mesh->note[MESH_NOTE_scenes] += (uint64_t)count - 1;
}

/* What a mesh has no place for. */
static void count_notes(const struct gltf *gltf, struct mesh *mesh)
{
    mesh->note[MESH_NOTE_images] +=
        (uint64_t)cJSON_GetArraySize(gltf_member(gltf->root, "images"));
    mesh->note[MESH_NOTE_animations] +=
        (uint64_t)cJSON_GetArraySize(gltf_member(gltf->root, "animations"));
}

/* The walk keeps a stack of its own, so that a deep tree in a file cannot
 * overflow the program's. */
void gltf_read(const char *path, const void *data, size_t bytes,
               struct mesh *mesh)
{
    struct gltf gltf;
    struct walk walk = {.gltf = &gltf, .mesh = mesh};
    gltf_open(&gltf, path, data, bytes);
    check_requirements(&gltf);
    count_notes(&gltf, mesh);
    walk.seen = allocate(gltf.array[GLTF_nodes].count, sizeof *walk.seen);
    push_scene(&walk);
    while (walk.depth > 0) {
        const struct visit next = walk.stack[--walk.depth];
        visit(&walk, &next);
    }
    free(walk.stack);
    free(walk.seen);
    gltf_close(&gltf);
}
