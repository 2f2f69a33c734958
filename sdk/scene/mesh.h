/*
 * A triangle mesh on its way into a scene: vertices and faces in the order of
 * the input, nothing merged, sorted or dropped, so that the index of a
 * triangle means the same to the input file and to hit records.
 */
#ifndef SCENE_MESH_H
#define SCENE_MESH_H

#include <corbel/types.h>
#include <stdbool.h>
#include <stdint.h>

struct camera {
    float eye[3], look[3], fov; /* fov: vertical, degrees */
};

struct mesh {
    float (*vertex)[3];
    uint32_t (*face)[3];
    uint32_t vertices, triangles;
    uint32_t vertex_room, face_room;
    struct camera camera; /* fov 0: none was given */
};

/*
 * Reads OBJ, PLY, glTF, GLB, or the mesh and camera of a .scene; .gz or .xz may
 * follow. Fails on bad input.
 */
void mesh_load(const char *path, struct mesh *mesh);

/*
 * Fails with the name of the mesh if it has no triangles, a vertex that is
 * not finite or beyond +-2^40, or a face of vertices that do not exist.
 */
void mesh_check(const struct mesh *mesh, const char *name);

void mesh_free(struct mesh *mesh);
uint32_t mesh_add_vertex(struct mesh *mesh, const float position[3]);
void mesh_add_face(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c);

void mesh_triangle(const struct mesh *mesh, uint32_t index,
                   struct corbel_triangle *triangle);

/* No area: two equal vertices or three on a line. */
bool triangle_degenerate(const struct corbel_triangle *triangle);

struct corbel_box box_empty(void);
void box_add(struct corbel_box *box, const struct corbel_box *other);
struct corbel_box triangle_box(const struct corbel_triangle *triangle);
struct corbel_box mesh_bounds(const struct mesh *mesh);

/* The mesh as a file. */
void mesh_write_obj(const struct mesh *mesh, const char *path);
void mesh_write_ply(const struct mesh *mesh, const char *path);

#endif
