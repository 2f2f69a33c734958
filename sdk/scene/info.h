/* What is in a scene, for people, for programs, and whether it is sound. */
#ifndef SCENE_INFO_H
#define SCENE_INFO_H

#include "sdk/mesh/mesh.h"

#include <corbel/verify.h>

void info_text(const struct corbel_scene *scene);
void info_json(const struct corbel_scene *scene);

/* Of a scene of version 3: its trees, instances and geometries. */
void info_trees_text(const struct corbel_scene *scene);
void info_trees_json(const struct corbel_scene *scene);

/* The same of a mesh, with what its file has that a mesh has no place for. */
void info_mesh_text(const struct mesh *mesh);
void info_mesh_json(const struct mesh *mesh);

/*
 * Is the tree of a scene that can be traversed (scene_read()) that of its mesh:
 * triangles of leaves equal to the faces they name, boxes of leaves that touch
 * their triangles, every triangle with area in some leaf. False: why says what
 * is wrong, and where. Of version 3: the same for each tree, and boxes of
 * instances that hold what can be hit of them.
 */
bool info_verify(const struct corbel_scene *scene, char why[CORBEL_WHY]);

/* What is wrong with the trees of a scene that can be traversed. */
struct info_walk {
    const struct corbel_scene *scene;
    struct corbel_flaw flaw;
    uint32_t number; /* bits of a leaf's word that are the triangle's */
    uint8_t *seen;   /* by triangle: it is in a leaf */
};

/* The first fault is kept. */
void info_fault(struct info_walk *walk, enum corbel_part part, uint32_t number,
                uint64_t offset, const char *what);
/* A leaf of triangles whose box is box (NULL: it is the root). */
void info_walk_leaf(struct info_walk *walk, uint32_t ref,
                    const struct corbel_box *box);
/* All trees of a scene of version 3. */
void info_walk_trees(struct info_walk *walk);

#endif
