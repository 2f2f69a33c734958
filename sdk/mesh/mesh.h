/*
 * A triangle mesh on its way into a scene: vertices and faces in the order of
 * the input, nothing merged, sorted or dropped, so that the index of a
 * triangle means the same to the input file and to hit records.
 */
#ifndef SDK_MESH_H
#define SDK_MESH_H

#include <corbel/types.h>
#include <stdbool.h>
#include <stdint.h>

/* A camera that came with the mesh. */
struct camera {
    float eye[3], look[3], fov; /* fov: vertical, degrees */
};

/*
 * What a file has that a mesh has no place for, and faces that cannot be what
 * the file wants: counted by the readers, told by convert and info.
 */
#define MESH_NOTES(X)                                                          \
    X(lines, "lines")                                                          \
    X(points, "sets of points")                                                \
    X(curves, "free-form curves and surfaces")                                 \
    X(short_faces, "faces with fewer than three corners")                      \
    X(elements, "rows of other elements")                                      \
    X(statements, "statements of unknown words")                               \
    X(materials, "uses of materials")                                          \
    X(libraries, "material libraries that are not there")                      \
    X(colours, "colours of vertices or faces")                                 \
    X(images, "images")                                                        \
    X(scenes, "other scenes")                                                  \
    X(animations, "animations")                                                \
    X(bare, "primitives without positions")                                    \
    X(trailing, "bytes after the end of the mesh")                             \
    X(crossing, "polygons with crossing edges, filled in some way")

enum mesh_note {
#define X(name, words) MESH_NOTE_##name,
    MESH_NOTES(X)
#undef X
        MESH_NOTE_KINDS
};

/*
 * Materials are numbers of faces and no more: 1 is the first one, of the file's
 * list (glTF) or by use (OBJ); 0 is none.
 */
struct mesh {
    float (*vertex)[3];
    uint32_t (*face)[3];
    uint32_t *face_material;
    uint32_t materials; /* the highest number of one */
    uint32_t material;  /* of the faces that are added next */
    uint32_t vertices, triangles;
    uint32_t vertex_room, face_room;
    struct camera camera; /* fov 0: none was given */
    uint64_t note[MESH_NOTE_KINDS];
};

/*
 * Reads OBJ, PLY, glTF, GLB, or the mesh and camera of a .scene, as the ending
 * of the name says; .gz or .xz may follow. Fails on bad input.
 */
void mesh_load(const char *path, struct mesh *mesh);

/* The ending is that of a scene, or of no mesh. */
bool mesh_is_scene(const char *path);

/* The notes as words, "3 lines, 1 images", to be freed; NULL: there are none.
 */
char *mesh_notes(const struct mesh *mesh);

/* Finite, and within +-2^40. */
bool mesh_vertex_valid(const float position[3]);

/*
 * Fails with the name of the mesh if it has no triangles, a vertex that is
 * not finite or beyond +-2^40, or a face of vertices that do not exist.
 */
void mesh_check(const struct mesh *mesh, const char *name);

void mesh_free(struct mesh *mesh);
/* Return and take numbers that count from 0. A face may name vertices that are
 * added later. */
uint32_t mesh_add_vertex(struct mesh *mesh, const float position[3]);
void mesh_add_face(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c);

/* The material of the faces that are added from here on. */
void mesh_set_material(struct mesh *mesh, uint32_t material);

void mesh_triangle(const struct mesh *mesh, uint32_t index,
                   struct corbel_triangle *triangle);

/* No area: two equal vertices or three on a line. */
bool triangle_degenerate(const struct corbel_triangle *triangle);

/* Boxes of triangles and of the whole mesh; the empty box is the one that
 * box_add begins with. */
struct corbel_box box_empty(void);
void box_add(struct corbel_box *box, const struct corbel_box *other);
struct corbel_box triangle_box(const struct corbel_triangle *triangle);
struct corbel_box mesh_bounds(const struct mesh *mesh);

/* The mesh as a file. */
void mesh_write_obj(const struct mesh *mesh, const char *path);
void mesh_write_ply(const struct mesh *mesh, const char *path);

#endif
