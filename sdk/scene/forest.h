/* A procedural forest of instances, the same on every machine. */
#ifndef SCENE_FOREST_H
#define SCENE_FOREST_H

#include "model.h"

#define FOREST_INSTANCES_MOST 4000000u

/* As many instances, 0: a default. They are trees of four kinds, whose leaves
 * are squares with a texture that says where the leaf is, and the ground. */
void forest_make(unsigned instances, struct model *model);

#endif
