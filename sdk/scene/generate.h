/* Procedural meshes, the same on every machine. */
#ifndef SCENE_GENERATE_H
#define SCENE_GENERATE_H

#include "sdk/mesh/mesh.h"

/*
 * Makes the mesh of that name, with a camera. triangles: how many are wanted
 * (0: a default); fails if the name is unknown or they are too few.
 */
void generate_mesh(const char *name, unsigned triangles, struct mesh *mesh);

#endif
