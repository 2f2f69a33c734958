/* What is in a scene, for people, for programs, and whether it is sound. */
#ifndef SCENE_INFO_H
#define SCENE_INFO_H

#include "sdk/mesh/mesh.h"

#include <corbel/verify.h>

void info_text(const struct corbel_scene *scene);
void info_json(const struct corbel_scene *scene);

/* The same of a mesh, with what its file has that a mesh has no place for. */
void info_mesh_text(const struct mesh *mesh);
void info_mesh_json(const struct mesh *mesh);

/*
 * Is the tree of a scene that can be traversed (scene_read()) that of its mesh:
 * triangles of leaves equal to the faces they name, boxes of leaves that touch
 * their triangles, every triangle with area in some leaf. False: why says what
 * is wrong, and where.
 */
bool info_verify(const struct corbel_scene *scene, char why[CORBEL_WHY]);

#endif
