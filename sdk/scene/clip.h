/* Bounds of the part of a triangle that lies in a box. */
#ifndef SCENE_CLIP_H
#define SCENE_CLIP_H

#include <corbel/types.h>

/*
 * Smallest binary32 box, rounded outwards, around triangle and box, never
 * beyond box. If rounding leaves nothing of the triangle, it is box itself.
 */
struct corbel_box clip_bounds(const struct corbel_triangle *triangle,
                              const struct corbel_box *box);

/* The binary32 numbers next to x that are not above, not below it. */
float round_down(double x);
float round_up(double x);

#endif
