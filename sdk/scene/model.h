/*
 * A scene on its way to version 3 (corbel/instances.h): lower trees of
 * triangles or boxes, their geometries, and instances of them; or, without
 * instances, one tree with geometries.
 */
#ifndef SCENE_MODEL_H
#define SCENE_MODEL_H

#include "sdk/mesh/mesh.h"
#include "tree.h"

#include <corbel/scene.h>

/* A tree by what is in it: geometries that follow each other. */
struct model_tree {
    uint32_t kind; /* CORBEL_TREE_.. */
    uint32_t first_geometry, geometries;
};

struct model_instance {
    float transform[3][4]; /* from the object to the world */
    uint32_t tree;         /* 1 .. */
    uint32_t custom, record;
    uint8_t mask, flags; /* CORBEL_INSTANCE_.. */
};

struct model {
    struct mesh
        mesh; /* all faces, in the order of geometries, and the camera */
    struct corbel_box *box; /* all boxes, likewise */
    struct model_tree *tree;
    struct corbel_geometry *geometry; /* offsets count from the extras' start */
    struct model_instance *instance;
    uint8_t *extra; /* textures and their corners; begins at 64 */
    uint32_t boxes, trees, geometries, instances;
    uint32_t box_room, tree_room, geometry_room, instance_room;
    size_t extras, extra_room; /* bytes */
};

/* Begins a model, zeroed before: of one tree of that kind, or, with
 * CORBEL_TREE_INSTANCES, of instances of trees that are added. */
void model_begin(struct model *model, uint32_t kind);
void model_free(struct model *model);

/* A new lower tree; returns its number. */
uint32_t model_add_tree(struct model *model, uint32_t kind);

/* A new geometry of the last tree, which gets what is added to the mesh or the
 * boxes from here on; returns it until the next one is added. */
struct corbel_geometry *model_add_geometry(struct model *model, uint32_t flags,
                                           uint32_t record);
void model_add_box(struct model *model, const struct corbel_box *box);
void model_add_instance(struct model *model,
                        const struct model_instance *instance);

/* Room for bytes of the extras, at a multiple of 64; returns their offset. */
uint64_t model_add_extra(struct model *model, const void *data, size_t bytes);

/* The finished scene, to be freed. Fails where an instance cannot be placed. */
struct corbel_scene *model_encode(struct model *model,
                                  const struct layout *layout,
                                  enum quality quality);

#endif
