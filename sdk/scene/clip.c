/*
 * Clips in double precision, plane by plane (Sutherland and Hodgman, 1974).
 * The errors of double are far below what trees are padded by.
 */
#include "clip.h"

#include <corbel/intersect.h>
#include <math.h>
#include <string.h>

/* A convex polygon, its corners in order. */
struct polygon {
    int corners;
    double v[9][3]; /* 3, and one more for each of 6 planes */
};

/* The greatest float that is not above x. */
float round_down(double x)
{
    float f = (float)x;
    return f > x ? -corbel_float_after(-f) : f;
}

/* The least float that is not below x. */
float round_up(double x)
{
    float f = (float)x;
    return f < x ? corbel_float_after(f) : f;
}

/* Cuts one axis of a box to [low, high]; not if nothing would be left. */
static void shrink(struct corbel_box *box, int axis, double low, double high)
{
    float min = round_down(low), max = round_up(high);
    if (!(min <= box->max[axis] && max >= box->min[axis]))
        return;
    if (min > box->min[axis])
        box->min[axis] = min;
    if (max < box->max[axis])
        box->max[axis] = max;
}

/* Keeps the part where sign * (v[axis] - position) >= 0. */
static void clip_plane(struct polygon *polygon, int axis, double position,
                       double sign)
{
    struct polygon kept;
    kept.corners = 0;
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

/* If rounding leaves nothing of the triangle, the box stays as it is: too large
 * a box is never wrong. */
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
    struct corbel_box bounds = *box;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < polygon.corners; i++) {
            low = fmin(low, polygon.v[i][axis]);
            high = fmax(high, polygon.v[i][axis]);
        }
        shrink(&bounds, axis, low, high);
    }
    return bounds;
}

/* Makes the box hold another one, low to high. */
static void extend(struct corbel_box *box, const float low[3],
                   const float high[3])
{
    for (int k = 0; k < 3; k++) {
        box->min[k] = low[k] < box->min[k] ? low[k] : box->min[k];
        box->max[k] = high[k] > box->max[k] ? high[k] : box->max[k];
    }
}

/* Bounds of the point of edge a b in the plane; at most an ulp too wide. */
static void cut_edge(const float a[3], const float b[3], unsigned axis,
                     float position, float low[3], float high[3])
{
    double s = ((double)position - a[axis]) / ((double)b[axis] - a[axis]);
    for (int k = 0; k < 3; k++) {
        double x = a[k] + ((double)b[k] - a[k]) * s;
        double error = fabs(x) * 0x1.2p-24;
        low[k] = (float)(x - error);
        high[k] = (float)(x + error);
    }
    low[axis] = high[axis] = position;
}

/*
 * Cuts the box to another one, on the axes where both have something in common.
 */
static void intersect(struct corbel_box *box, const struct corbel_box *other)
{
    for (int k = 0; k < 3; k++) {
        float min = other->min[k] > box->min[k] ? other->min[k] : box->min[k];
        float max = other->max[k] < box->max[k] ? other->max[k] : box->max[k];
        if (min <= max) {
            box->min[k] = min;
            box->max[k] = max;
        }
    }
}

/* Corners go to their side, both sides if they lie in the plane; edges that
 * cross the plane give both sides the point where they do. */
void clip_split(const struct corbel_triangle *triangle,
                const struct corbel_box *box, unsigned axis, float position,
                struct corbel_box part[2])
{
    struct corbel_box inside[2];
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            inside[side].min[k] = INFINITY;
            inside[side].max[k] = -INFINITY;
        }
    for (int i = 0; i < 3; i++) {
        const float *a = triangle->v[i], *b = triangle->v[i == 2 ? 0 : i + 1];
        if (a[axis] <= position)
            extend(&inside[0], a, a);
        if (a[axis] >= position)
            extend(&inside[1], a, a);
        if ((a[axis] < position) != (b[axis] < position)) {
            float low[3], high[3];
            cut_edge(a, b, axis, position, low, high);
            extend(&inside[0], low, high);
            extend(&inside[1], low, high);
        }
    }
    for (int side = 0; side < 2; side++) {
        part[side] = *box;
        intersect(&part[side], &inside[side]);
    }
}
