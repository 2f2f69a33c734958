/* Building, checking and writing meshes; see mesh.h. */
#include "sdk/mesh/mesh.h"

#include "sdk/common/file.h"
#include "sdk/common/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rays may begin 2^20 times as far away (docs/reference/exactness.md). */
#define COORDINATE_MAX 0x1p40f

/* The mesh is then empty and may be filled again. */
void mesh_free(struct mesh *mesh)
{
    free(mesh->vertex);
    free(mesh->face);
    free(mesh->face_material);
    memset(mesh, 0, sizeof *mesh);
}

/* Twice the room, at least 1024. */
static uint32_t room_for_more(uint32_t room)
{
    if (room > UINT32_MAX / 2)
        fail(STATUS_INPUT, "mesh has more than 2^31 vertices or triangles");
    return room < 1024 ? 1024 : room * 2;
}

/* Returns the vertex's number. Arrays double, so that adding costs the same on
 * average. */
uint32_t mesh_add_vertex(struct mesh *mesh, const float position[3])
{
    if (mesh->vertices == mesh->vertex_room) {
        mesh->vertex_room = room_for_more(mesh->vertex_room);
        mesh->vertex =
            reallocate(mesh->vertex, mesh->vertex_room, sizeof *mesh->vertex);
    }
    memcpy(mesh->vertex[mesh->vertices], position, sizeof *mesh->vertex);
    return mesh->vertices++;
}

/* The vertices may be added later: mesh_check looks at all faces once they are
 * there. */
void mesh_add_face(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    if (mesh->triangles == mesh->face_room) {
        mesh->face_room = room_for_more(mesh->face_room);
        mesh->face =
            reallocate(mesh->face, mesh->face_room, sizeof *mesh->face);
        mesh->face_material = reallocate(mesh->face_material, mesh->face_room,
                                         sizeof *mesh->face_material);
    }
    mesh->face_material[mesh->triangles] = mesh->material;
    uint32_t *face = mesh->face[mesh->triangles++];
    face[0] = a;
    face[1] = b;
    face[2] = c;
}

/* The comparison is false for a NaN. */
bool mesh_vertex_valid(const float v[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (!(fabsf(v[axis]) <= COORDINATE_MAX))
            return false;
    return true;
}

void mesh_set_material(struct mesh *mesh, uint32_t material)
{
    mesh->material = material;
    if (material > mesh->materials)
        mesh->materials = material;
}

void mesh_check(const struct mesh *mesh, const char *name)
{
    if (mesh->triangles == 0)
        fail(STATUS_INPUT, "%s: empty mesh, a scene needs a triangle", name);
    for (uint32_t i = 0; i < mesh->vertices; i++) {
        const float *v = mesh->vertex[i];
        if (!mesh_vertex_valid(v))
            fail(STATUS_INPUT,
                 "%s: vertex %u is (%g, %g, %g), expected finite coordinates "
                 "within +-2^40",
                 name, i, v[0], v[1], v[2]);
    }
    for (uint32_t i = 0; i < mesh->triangles; i++)
        for (int k = 0; k < 3; k++)
            if (mesh->face[i][k] >= mesh->vertices)
                fail(STATUS_INPUT,
                     "%s: triangle %u uses vertex %u, the mesh has %u", name, i,
                     mesh->face[i][k], mesh->vertices);
}

/* Only kinds that were counted, in the order of enum mesh_note. */
char *mesh_notes(const struct mesh *mesh)
{
    /* Words of enum mesh_note, in its order. */
    static const char *const words[] = {
#define X(name, words) words,
        MESH_NOTES(X)
#undef X
    };
    char *text = NULL;
    for (int i = 0; i < MESH_NOTE_KINDS; i++) {
        char *longer;
        if (mesh->note[i] == 0)
            continue;
        if (asprintf(&longer, "%s%s%" PRIu64 " %s", text ? text : "",
                     text ? ", " : "", mesh->note[i], words[i]) < 0)
            fail(STATUS_OUTPUT, "out of memory");
        free(text);
        text = longer;
    }
    return text;
}

void mesh_triangle(const struct mesh *mesh, uint32_t index,
                   struct corbel_triangle *triangle)
{
    for (int k = 0; k < 3; k++)
        memcpy(triangle->v[k], mesh->vertex[mesh->face[index][k]],
               sizeof triangle->v[k]);
}

/*
 * In double the differences and their products are exact unless the exponents
 * of the coordinates lie very far apart.
 */
bool triangle_degenerate(const struct corbel_triangle *triangle)
{
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = (double)triangle->v[1][i] - triangle->v[0][i];
        b[i] = (double)triangle->v[2][i] - triangle->v[0][i];
    }
    return a[1] * b[2] == a[2] * b[1] && a[2] * b[0] == a[0] * b[2] &&
           a[0] * b[1] == a[1] * b[0];
}

/* The box that adding anything to gives that thing. */
struct corbel_box box_empty(void)
{
    return (struct corbel_box){{INFINITY, INFINITY, INFINITY},
                               {-INFINITY, -INFINITY, -INFINITY}};
}

/* A NaN of the other box changes nothing, as comparisons with it are false. */
void box_add(struct corbel_box *box, const struct corbel_box *other)
{
    for (int i = 0; i < 3; i++) {
        if (other->min[i] < box->min[i])
            box->min[i] = other->min[i];
        if (other->max[i] > box->max[i])
            box->max[i] = other->max[i];
    }
}

struct corbel_box triangle_box(const struct corbel_triangle *triangle)
{
    struct corbel_box box = box_empty();
    for (int k = 0; k < 3; k++) {
        struct corbel_box point;
        memcpy(point.min, triangle->v[k], sizeof point.min);
        memcpy(point.max, triangle->v[k], sizeof point.max);
        box_add(&box, &point);
    }
    return box;
}

/* Of the triangles: vertices that no triangle uses do not count. */
struct corbel_box mesh_bounds(const struct mesh *mesh)
{
    struct corbel_box bounds = box_empty();
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        struct corbel_triangle triangle;
        mesh_triangle(mesh, i, &triangle);
        struct corbel_box box = triangle_box(&triangle);
        box_add(&bounds, &box);
    }
    return bounds;
}

/* Nine digits give every float back exactly. OBJ counts vertices from 1. */
void mesh_write_obj(const struct mesh *mesh, const char *path)
{
    struct whole output;
    output_open(&output, path);
    for (uint32_t i = 0; i < mesh->vertices; i++) {
        const float *v = mesh->vertex[i];
        fprintf(output.file, "v %.9g %.9g %.9g\n", v[0], v[1], v[2]);
    }
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        const uint32_t *f = mesh->face[i];
        fprintf(output.file, "f %u %u %u\n", f[0] + 1, f[1] + 1, f[2] + 1);
    }
    output_close(&output);
}

/* Binary, in the host's byte order, which is little-endian. */
void mesh_write_ply(const struct mesh *mesh, const char *path)
{
    struct whole output;
    output_open(&output, path);
    fprintf(output.file,
            "ply\nformat binary_little_endian 1.0\n"
            "element vertex %u\nproperty float32 x\nproperty float32 y\n"
            "property float32 z\nelement face %u\n"
            "property list uint8 int32 vertex_indices\nend_header\n",
            mesh->vertices, mesh->triangles);
    fwrite(mesh->vertex, sizeof *mesh->vertex, mesh->vertices, output.file);
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        fputc(3, output.file);
        fwrite(mesh->face[i], sizeof *mesh->face, 1, output.file);
    }
    output_close(&output);
}
