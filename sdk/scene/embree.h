/*
 * Embree's own answers for rays, to compare with: another tree, another
 * traversal, another triangle test.
 */
#ifndef SCENE_EMBREE_H
#define SCENE_EMBREE_H

#include "tree.h"

#include <corbel/rays.h>
#include <corbel/scene.h>

/*
 * The closest hit of each ray, count of them, with the triangles of a scene,
 * whose own tree is not used. Robust mode; quality is that of Embree's tree. A
 * miss is written as the traversal does: t = tmax, CORBEL_MISS.
 */
void embree_trace(const struct corbel_scene *scene,
                  const struct corbel_ray *rays, uint32_t count,
                  enum quality quality, struct corbel_hit *hits);

#endif
