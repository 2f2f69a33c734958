/*
 * Meshes: primitives of triangles, strips and fans, with morph targets at their
 * default weights. Primitives of a mesh that name the same positions share
 * their vertices.
 */
#include "gltf.h"

#include "sdk/common/report.h"

#include <stdlib.h>
#include <string.h>

#define WEIGHTS_MAX 65536
#define MATERIALS_MAX (UINT32_C(1) << 30)

/* Modes of primitives by their numbers in glTF. */
enum mode { POINTS, LINES, LOOP, LINE_STRIP, TRIANGLES, STRIP, FAN };

/* The mesh that is added, for a node. */
struct part {
    struct gltf *gltf;
    struct gltf_item mesh;
    const cJSON *weights; /* an array, or NULL */
    const struct gltf_place *place;
    bool mirrored;
    struct mesh *out;
    /* Of the primitive before: */
    const cJSON *targets;
    double accessor; /* its positions, -1: none */
    uint32_t first, vertices;
};

/* The determinant of the linear part; negative: the place mirrors. */
static double determinant(const struct gltf_place *place)
{
    const double(*m)[4] = place->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Adds the weighted displacements of the targets to the positions. */
static void add_targets(struct part *part, const cJSON *targets,
                        double *position, uint32_t count)
{
    const cJSON *weight = part->weights ? part->weights->child : NULL, *target;
    cJSON_ArrayForEach(target, targets)
    {
        const cJSON *accessor = gltf_member(target, "POSITION");
        if (weight == NULL)
            return;
        if (!cJSON_IsNumber(weight))
            gltf_fail(part->mesh, "weights: expected numbers");
        if (accessor != NULL && weight->valuedouble != 0) {
            uint32_t moved;
            double *by = gltf_accessor(
                part->gltf, gltf_refer(part->mesh, accessor, GLTF_accessors), 3,
                count, &moved);
            if (moved != count)
                gltf_fail(part->mesh,
                          "a target of %u positions, expected %u as of the "
                          "primitive",
                          moved, count);
            for (size_t i = 0; i < (size_t)count * 3; i++)
                position[i] += weight->valuedouble * by[i];
            free(by);
        }
        weight = weight->next;
    }
}

/* The position at the part's place, rounded to float once. */
static void add_vertex(struct part *part, const double at[3])
{
    float position[3];
    for (int i = 0; i < 3; i++) {
        const double *m = part->place->m[i];
        position[i] = (float)(part->place->moved ? m[0] * at[0] + m[1] * at[1] +
                                                       m[2] * at[2] + m[3]
                                                 : at[i]);
    }
    if (!mesh_vertex_valid(position))
        gltf_fail(part->mesh,
                  "vertex %u of its positions is (%g, %g, %g), expected finite "
                  "coordinates within +-2^40",
                  part->out->vertices - part->first, (double)position[0],
                  (double)position[1], (double)position[2]);
    mesh_add_vertex(part->out, position);
}

/* Nodes and instances that name a mesh again make more of it than was read. */
static void bound_output(const struct part *part, uint64_t count, unsigned each,
                         const char *what)
{
    const uint64_t most = each * GLTF_TRIANGLES_MAX(part->gltf->bytes);
    if (count > most)
        gltf_fail(
            part->mesh,
            "nodes and instances make more than %llu %s of it and others, "
            "which is the bound for glTF files of %llu bytes; OBJ and PLY, "
            "where all of them are written out, have none",
            (unsigned long long)most, what,
            (unsigned long long)part->gltf->bytes);
}

/* Adds the vertices of a primitive, unless the one before had the same. */
static void add_vertices(struct part *part, const cJSON *primitive)
{
    const cJSON *position =
        gltf_member(gltf_member(primitive, "attributes"), "POSITION");
    const cJSON *targets = gltf_member(primitive, "targets");
    const struct gltf_item accessor =
        gltf_refer(part->mesh, position, GLTF_accessors);
    if (gltf_extension(primitive, "KHR_draco_mesh_compression") != NULL &&
        gltf_member(accessor.json, "bufferView") == NULL)
        gltf_fail(part->mesh, "a primitive is compressed by "
                              "KHR_draco_mesh_compression, which is not read");
    if (accessor.index == part->accessor && targets == NULL &&
        part->targets == NULL)
        return;
    double *at =
        gltf_accessor(part->gltf, accessor, 3, GLTF_ZEROS, &part->vertices);
    bound_output(part, part->out->vertices + (uint64_t)part->vertices, 3,
                 "vertices");
    add_targets(part, targets, at, part->vertices);
    part->first = part->out->vertices;
    for (uint32_t i = 0; i < part->vertices; i++)
        add_vertex(part, at + (size_t)i * 3);
    part->accessor = accessor.index;
    part->targets = targets;
    free(at);
}

/* Corners of the triangle that is number i of a mode. */
static void corners_of(enum mode mode, uint32_t i, uint32_t corner[3])
{
    switch (mode) {
    case STRIP:
        corner[0] = i;
        corner[1] = i + 1 + i % 2;
        corner[2] = i + 2 - i % 2;
        break;
    case FAN:
        corner[0] = i + 1;
        corner[1] = i + 2;
        corner[2] = 0;
        break;
    default:
        for (uint32_t k = 0; k < 3; k++)
            corner[k] = 3 * i + k;
    }
}

/* Of a mirrored mesh the last two corners change places: its front stays. */
static void add_triangles(struct part *part, enum mode mode,
                          const uint32_t *index, uint32_t count)
{
    const uint32_t triangles = mode == TRIANGLES ? count / 3 : count - 2;
    if (count < 3 || (mode == TRIANGLES && count % 3 != 0))
        gltf_fail(part->mesh,
                  "a primitive of mode %d with %u corners, "
                  "expected %s",
                  (int)mode, count,
                  mode == TRIANGLES ? "a multiple of 3" : "3 or more");
    bound_output(part, part->out->triangles + (uint64_t)triangles, 1,
                 "triangles");
    for (uint32_t i = 0; i < triangles; i++) {
        uint32_t corner[3];
        corners_of(mode, i, corner);
        for (int k = 0; k < 3; k++)
            corner[k] = part->first + (index ? index[corner[k]] : corner[k]);
        mesh_add_face(part->out, corner[0], corner[part->mirrored ? 2 : 1],
                      corner[part->mirrored ? 1 : 2]);
    }
}

/* Materials are numbered as in the file; what they are is not read. */
static void take_material(struct part *part, const cJSON *primitive)
{
    uint32_t number = 0;
    if (gltf_member(primitive, "material") != NULL) {
        part->out->note[MESH_NOTE_materials]++;
        number = 1 + (uint32_t)gltf_whole(part->mesh, primitive, "material",
                                          GLTF_REQUIRED, MATERIALS_MAX - 1);
    }
    mesh_set_material(part->out, number);
}

/*
 * Points and lines, and primitives without positions, are noted and left out.
 */
static void add_primitive(struct part *part, const cJSON *primitive)
{
    uint64_t *note = part->out->note;
    const enum mode mode =
        (enum mode)gltf_whole(part->mesh, primitive, "mode", TRIANGLES, FAN);
    const cJSON *indices = gltf_member(primitive, "indices");
    uint32_t count, *index = NULL;
    if (!cJSON_IsObject(primitive))
        gltf_fail(part->mesh, "primitives: expected objects");
    take_material(part, primitive);
    if (mode < TRIANGLES) {
        note[mode == POINTS ? MESH_NOTE_points : MESH_NOTE_lines]++;
        return;
    }
    if (gltf_member(gltf_member(primitive, "attributes"), "POSITION") == NULL) {
        note[MESH_NOTE_bare]++;
        return;
    }
    add_vertices(part, primitive);
    if (gltf_member(gltf_member(primitive, "attributes"), "COLOR_0") != NULL)
        note[MESH_NOTE_colours] += part->vertices;
    count = part->vertices;
    if (indices != NULL)
        index = gltf_indices(part->gltf,
                             gltf_refer(part->mesh, indices, GLTF_accessors),
                             part->vertices, &count);
    add_triangles(part, mode, index, count);
    free(index);
}

/* Weights of the node, if it has some, take the place of those of the mesh. */
void gltf_add_mesh(struct gltf *gltf, struct gltf_item node,
                   struct gltf_item mesh, const struct gltf_place *place,
                   struct mesh *out)
{
    struct part part = {.gltf = gltf,
                        .mesh = mesh,
                        .weights = gltf_member(node.json, "weights"),
                        .place = place,
                        .mirrored = place->moved && determinant(place) < 0,
                        .out = out,
                        .accessor = -1};
    const cJSON *primitives = gltf_member(mesh.json, "primitives"), *primitive;
    if (part.weights == NULL)
        part.weights = gltf_member(mesh.json, "weights");
    if (!cJSON_IsArray(primitives))
        gltf_fail(mesh, "no primitives, expected an array");
    cJSON_ArrayForEach(primitive, primitives) add_primitive(&part, primitive);
}
