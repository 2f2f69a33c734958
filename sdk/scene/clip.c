/*
 * Clips in double precision, plane by plane (Sutherland and Hodgman, 1974).
 * The errors of double are far below what trees are padded by.
 */
#include "clip.h"

#include <math.h>
#include <string.h>

struct polygon {
    int corners;
    double v[9][3]; /* 3, and one more for each of 6 planes */
};

float round_down(double x)
{
    float f = (float)x;
    return f > x ? nextafterf(f, -INFINITY) : f;
}

float round_up(double x)
{
    float f = (float)x;
    return f < x ? nextafterf(f, INFINITY) : f;
}

/* Keeps the part where sign * (v[axis] - position) >= 0. */
static void clip_plane(struct polygon *polygon, int axis, double position,
                       double sign)
{
    struct polygon kept = {0};
    for (int i = 0; i < polygon->corners; i++) {
        const double *a = polygon->v[i];
        const double *b = polygon->v[(i + 1) % polygon->corners];
        double da = sign * (a[axis] - position);
        double db = sign * (b[axis] - position);
        if (da >= 0)
            memcpy(kept.v[kept.corners++], a, sizeof kept.v[0]);
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            double *cut = kept.v[kept.corners++];
            for (int k = 0; k < 3; k++)
                cut[k] = a[k] + (b[k] - a[k]) * (da / (da - db));
            cut[axis] = position;
        }
    }
    *polygon = kept;
}

struct corbel_box clip_bounds(const struct corbel_triangle *triangle,
                              const struct corbel_box *box)
{
    struct polygon polygon = {.corners = 3};
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            polygon.v[i][axis] = triangle->v[i][axis];
    for (int axis = 0; axis < 3; axis++) {
        clip_plane(&polygon, axis, box->min[axis], 1);
        clip_plane(&polygon, axis, box->max[axis], -1);
    }
    if (polygon.corners == 0)
        return *box;
    struct corbel_box bounds;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < polygon.corners; i++) {
            low = fmin(low, polygon.v[i][axis]);
            high = fmax(high, polygon.v[i][axis]);
        }
        bounds.min[axis] = fmaxf(round_down(low), box->min[axis]);
        bounds.max[axis] = fminf(round_up(high), box->max[axis]);
    }
    return bounds;
}
