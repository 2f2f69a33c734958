/*
 * Surfaces for procedural scenes. A surface is a grid of quads, two triangles
 * each; its resolution follows a detail factor. Only binary32 operations and
 * corbel/math.h are used, so a scene is the same on every machine.
 */
#ifndef SCENE_SCULPT_H
#define SCENE_SCULPT_H

#include "sdk/mesh/mesh.h"

struct sculpt {
    struct mesh *mesh;
    float detail;       /* multiplies resolutions; 0: the coarsest */
    bool counting;      /* count triangles only */
    uint32_t triangles; /* so far */
};

/* Scenes; metres, +y is up. */
void sculpt_arcade(struct sculpt *sculpt);  /* corridor along +z from 0 */
void sculpt_cornell(struct sculpt *sculpt); /* open towards +z */

#endif
