/* Bounds of parts of triangles, for spatial splits. Rounded outwards. */
#ifndef SCENE_CLIP_H
#define SCENE_CLIP_H

#include <corbel/types.h>

/*
 * Smallest box around the part of a triangle that lies in a box. If rounding
 * leaves nothing of the triangle, it is the box itself.
 */
struct corbel_box clip_bounds(const struct corbel_triangle *triangle,
                              const struct corbel_box *box);

/*
 * Boxes around the parts of a triangle below and above a plane, both within
 * box. Not the smallest if box cuts the triangle, but fast: the builder tries
 * dozens of planes for every triangle.
 */
void clip_split(const struct corbel_triangle *triangle,
                const struct corbel_box *box, unsigned axis, float position,
                struct corbel_box part[2]);

/* The binary32 numbers next to x that are not above, not below it. */
float round_down(double x);
float round_up(double x);

#endif
