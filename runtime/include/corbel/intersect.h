/*
 * The arithmetic of ray/box and ray/triangle tests. It exists here only and is
 * compiled for target, native programs and the simulator, so all three get the
 * same bits: binary32 operations in the written order, fused where fmaf says
 * so and nowhere else (-ffp-contract=off), every comparison written out so
 * that NaNs and signed zeros cannot tell platforms apart.
 *
 * The triangle test decides inside or outside from the exact signs of edge
 * functions of vertices that are projected along the ray. A vertex is
 * projected the same way for every triangle that uses it, so a ray cannot
 * slip between two triangles that share an edge (the idea of Woop, Benthin,
 * Wald: Watertight Ray/Triangle Intersection, JCGT 2013).
 * docs/reference/exactness.md bounds the errors; corbel/scene.h says how boxes
 * are padded for them.
 *
 * Valid: finite rays with origins within +-CORBEL_COORDINATE_MAX whose largest
 * direction component lies in [CORBEL_DIRECTION_MIN, CORBEL_DIRECTION_MAX], and
 * triangles within +-CORBEL_COORDINATE_MAX. Products of lengths that leave
 * binary32 are made again of lengths near 1. Outside nothing traps; a NaN or
 * infinity in a ray gives a miss of triangles.
 */
#ifndef CORBEL_INTERSECT_H
#define CORBEL_INTERSECT_H

#include <corbel/boxes.h>
#include <corbel/types.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_DIRECTION_MIN 0x1p-60f
#define CORBEL_DIRECTION_MAX 0x1p+60f
#define CORBEL_COORDINATE_MAX 0x1p+60f

/*
 * 1 + 6 u, u = 2^-24: what the three roundings of a slab distance can take
 * from the exit of a box and add to its entry (Ize: Robust BVH Ray Traversal,
 * JCGT 2013).
 */
#define CORBEL_SLAB_PAD 0x1.8p-22f

/* The axis along which |d| is largest; the first one of equals. */
static inline unsigned corbel_major_axis(const float d[3])
{
    float x = __builtin_fabsf(d[0]), y = __builtin_fabsf(d[1]);
    float z = __builtin_fabsf(d[2]);
    unsigned xy = y > x;
    return z > (xy ? y : x) ? 2 : xy;
}

/*
 * The ray that the box test takes: d replaced by its reciprocal. Components
 * below 2^-40 of the largest are raised to that: no reciprocal is infinite,
 * and the ray moves far less than by rounding. False: the ray is not a valid
 * one (see above) and hits nothing.
 */
static inline bool corbel_ray_invert(const struct corbel_ray *ray,
                                     struct corbel_ray *ray_inv)
{
    float largest = __builtin_fabsf(ray->d[corbel_major_axis(ray->d)]);
    float least = largest * 0x1p-40f;
    *ray_inv = *ray;
    if (!(largest >= CORBEL_DIRECTION_MIN && largest <= CORBEL_DIRECTION_MAX))
        return false;
    for (int i = 0; i < 3; i++) {
        float d = __builtin_fabsf(ray->d[i]);
        if (!(d <= largest &&
              __builtin_fabsf(ray->o[i]) <= CORBEL_COORDINATE_MAX))
            return false;
        ray_inv->d[i] =
            __builtin_copysignf(1 / (d < least ? least : d), ray->d[i]);
    }
    return ray->tmin <= ray->tmax;
}

/* One axis of the box test: the planes met first and last when going up t. */
static inline void corbel_slab(float first, float last, float o, float inv,
                               float *entry, float *exit)
{
    float near = (first - o) * inv, far = (last - o) * inv;
    *entry = near > *entry ? near : *entry;
    *exit = far < *exit ? far : *exit;
}

static inline float corbel_slab_result(float entry, float exit, float tmax)
{
    exit = exit + __builtin_fabsf(exit) * CORBEL_SLAB_PAD;
    float clipped = entry < tmax ? entry : tmax;
    return entry <= exit ? clipped : tmax;
}

/*
 * Distance, at least tmin, at which a ray enters a box; tmax if it misses the
 * box or enters it at tmax or later. So a result below tmax is a hit, and a
 * caller who wants boxes at exactly distance t passes tmax =
 * corbel_float_after(t). A box that the real line meets is never missed: the
 * exit is padded, and 0 * inf (a reciprocal of 0, the origin in a face)
 * constrains nothing. min > max in some axis: a miss, unless closer than the
 * pad.
 */
static inline float corbel_box_test(const struct corbel_ray *ray_inv,
                                    const struct corbel_box *box)
{
    float entry = ray_inv->tmin, exit = __builtin_inff();
    for (int i = 0; i < 3; i++) {
        bool down = ray_inv->d[i] < 0;
        corbel_slab(down ? box->max[i] : box->min[i],
                    down ? box->min[i] : box->max[i], ray_inv->o[i],
                    ray_inv->d[i], &entry, &exit);
    }
    return corbel_slab_result(entry, exit, ray_inv->tmax);
}

/*
 * Where the planes of an axis that a ray meets first lie, and those that it
 * meets last; from a table, since directions defeat the branch predictor.
 */
static inline void corbel_boxes_sides(const struct corbel_boxes *boxes,
                                      int axis, bool down, const float **first,
                                      const float **last)
{
    const float *const side[2] = {boxes->min[axis], boxes->max[axis]};
    *first = side[down];
    *last = side[!down];
}

/* *a > b ? *a : b.. of each lane, as corbel_slab() has it: an instruction. */
static inline void corbel_wide_max(corbel_wide_floats *a,
                                   const corbel_wide_floats *b)
{
    corbel_wide_floats max;
    for (int lane = 0; lane < 8; lane++)
        max[lane] = (*b)[lane] > (*a)[lane] ? (*b)[lane] : (*a)[lane];
    *a = max;
}

static inline void corbel_wide_min(corbel_wide_floats *a,
                                   const corbel_wide_floats *b)
{
    corbel_wide_floats min;
    for (int lane = 0; lane < 8; lane++)
        min[lane] = (*b)[lane] < (*a)[lane] ? (*b)[lane] : (*a)[lane];
    *a = min;
}

/* The signs of four lanes as bits. */
static inline unsigned corbel_lanes_signs(corbel_ints lanes)
{
#ifdef __SSE__
    return (unsigned)__builtin_ia32_movmskps((corbel_floats)lanes);
#else
    unsigned signs = 0;
    for (int lane = 0; lane < 4; lane++)
        signs |= (unsigned)(lanes[lane] < 0) << lane;
    return signs;
#endif
}

/* The eight lanes of two masks as bits. */
static inline unsigned corbel_lanes_bits(corbel_ints low, corbel_ints high)
{
    return corbel_lanes_signs(low) | corbel_lanes_signs(high) << 4;
}

/* corbel_box_test() of eight boxes, in a loop that compilers vectorise. */
static inline void corbel_boxes_test(const struct corbel_ray *ray_inv,
                                     const struct corbel_boxes *boxes,
                                     float result[8])
{
    const float *const o = ray_inv->o, *const inv = ray_inv->d;
    const float tmin = ray_inv->tmin, tmax = ray_inv->tmax;
    const float *first[3], *last[3];
    float distance[8];
    corbel_boxes_sides(boxes, 0, inv[0] < 0, &first[0], &last[0]);
    corbel_boxes_sides(boxes, 1, inv[1] < 0, &first[1], &last[1]);
    corbel_boxes_sides(boxes, 2, inv[2] < 0, &first[2], &last[2]);
    for (int lane = 0; lane < 8; lane++) {
        float entry = tmin, exit = __builtin_inff();
        corbel_slab(first[0][lane], last[0][lane], o[0], inv[0], &entry, &exit);
        corbel_slab(first[1][lane], last[1][lane], o[1], inv[1], &entry, &exit);
        corbel_slab(first[2][lane], last[2][lane], o[2], inv[2], &entry, &exit);
        distance[lane] = corbel_slab_result(entry, exit, tmax);
    }
    __builtin_memcpy(result, distance, sizeof distance);
}

/* Which of eight numbers are below a limit, as bits. */
static inline unsigned corbel_lanes_below(const float value[8], float limit)
{
    const corbel_floats limits = {limit, limit, limit, limit};
    corbel_floats low, high;
    __builtin_memcpy(&low, value, sizeof low);
    __builtin_memcpy(&high, value + 4, sizeof high);
    return corbel_lanes_bits(low < limits, high < limits);
}

/* The next binary32 above t; +inf stays. t must not be NaN. */
static inline float corbel_float_after(float t)
{
    union {
        float f;
        uint32_t u;
    } x;
    if (t == __builtin_inff())
        return t;
    x.f = t + 0.0f; /* -0 becomes +0 */
    x.u = x.u >> 31 ? x.u - 1 : x.u + 1;
    return x.f;
}

/*
 * a b - c d to within 2 u of its value, so its sign is exact, barring
 * underflow (Kahan; Jeannerod, Louvet, Muller: Further analysis of Kahan's
 * algorithm, Math. Comp. 2013).
 */
static inline float corbel_difference_of_products(float a, float b, float c,
                                                  float d)
{
    float cd = c * d;
    float error = __builtin_fmaf(-c, d, cd);
    return __builtin_fmaf(a, b, -cd) + error;
}

/*
 * A triangle as a ray sees it: vertices relative to the origin and projected
 * along the ray, by axes in cyclic order of which z is the ray's largest.
 */
struct corbel_projection {
    float dz;
    float pz[3];   /* of vertex 0, 1, 2 */
    float u, v, w; /* twice the area of the ray and the edge opposite of it */
};

/* Lengths and directions are multiplied by powers of two first. */
static inline __attribute__((always_inline)) void
corbel_project_times(const struct corbel_ray *ray,
                     const struct corbel_triangle *triangle, float length,
                     float direction, struct corbel_projection *p)
{
    const unsigned z = corbel_major_axis(ray->d);
    const unsigned x = z == 2 ? 0 : z + 1, y = x == 2 ? 0 : x + 1;
    const float dx = ray->d[x] * direction, dy = ray->d[y] * direction;
    const float dz = ray->d[z] * direction;
    float px[3], py[3];
    p->dz = dz;
#ifndef __riscv
#pragma GCC unroll 3
#endif
    for (int i = 0; i < 3; i++) {
        float ax = (triangle->v[i][x] - ray->o[x]) * length;
        float ay = (triangle->v[i][y] - ray->o[y]) * length;
        p->pz[i] = (triangle->v[i][z] - ray->o[z]) * length;
        px[i] = ax * dz - p->pz[i] * dx;
        py[i] = ay * dz - p->pz[i] * dy;
    }
    p->u = corbel_difference_of_products(px[1], py[2], py[1], px[2]);
    p->v = corbel_difference_of_products(px[2], py[0], py[2], px[0]);
    p->w = corbel_difference_of_products(px[0], py[1], py[0], px[1]);
}

static inline void corbel_project(const struct corbel_ray *ray,
                                  const struct corbel_triangle *triangle,
                                  struct corbel_projection *p)
{
    corbel_project_times(ray, triangle, 1, 1, p);
}

/*
 * Is the ray on one side of all edges? Where a product overflowed, an edge
 * function is a NaN and counts for neither side; where one underflowed, it is
 * 0: that only ever makes the answer yes. Hosts look at all at once: which edge
 * decides, none can predict.
 */
static inline bool corbel_edges_agree(float u, float v, float w)
{
#ifdef __riscv
    return !((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0));
#else
    return !(((u < 0) | (v < 0) | (w < 0)) & ((u > 0) | (v > 0) | (w > 0)));
#endif
}

static inline uint32_t corbel_float_bits(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* 2^low <= |x| < 2^high? The exponent says it, in one comparison. */
static inline bool corbel_magnitude_within(float x, int low, int high)
{
    return (corbel_float_bits(x) << 1) - ((uint32_t)(127 + low) << 24) <
           (uint32_t)(high - low) << 24;
}

/*
 * With area and dz in these ranges no product of the triangle test overflows,
 * and none underflows by more than the errors in docs/reference/exactness.md
 * allow. Most triangles are rejected before; hardly any that is not is outside.
 */
static inline bool corbel_projection_sound(const struct corbel_projection *p,
                                           float area)
{
    return corbel_magnitude_within(area, -64, 64) &&
           corbel_magnitude_within(p->dz, -20, 20);
}

/* The power of two at or below |x|; that below all normal numbers if x is
 * none. */
static inline float corbel_power_below(float x)
{
    uint32_t bits = corbel_float_bits(x) & 0x7f800000;
    float power;
    bits = bits ? bits : 0x00800000;
    __builtin_memcpy(&power, &bits, sizeof power);
    return power;
}

/* The largest difference of a vertex from the origin; an infinity if something
 * of ray or triangle is one, or no number. */
static inline __attribute__((always_inline)) float
corbel_reach(const struct corbel_ray *ray,
             const struct corbel_triangle *triangle)
{
    float reach = 0;
    for (int k = 0; k < 3; k++) {
        if (!(__builtin_fabsf(ray->d[k]) < __builtin_inff()))
            return __builtin_inff();
        for (int i = 0; i < 3; i++) {
            const float a = __builtin_fabsf(triangle->v[i][k] - ray->o[k]);
            if (!(a < __builtin_inff()))
                return __builtin_inff();
            reach = a > reach ? a : reach;
        }
    }
    return reach;
}

/*
 * corbel_project() of lengths and directions near 1: both are divided by powers
 * of two, so that all bits of the result are what they would be without bounds
 * of the exponent. In line, as its caller has to need little stack. Returns the
 * distance that 1 stands for then; 0: something is infinite or no number.
 */
static inline __attribute__((always_inline)) float
corbel_project_scaled(const struct corbel_ray *ray,
                      const struct corbel_triangle *triangle,
                      struct corbel_projection *p)
{
    float length = corbel_reach(ray, triangle);
    if (!(length < __builtin_inff()))
        return 0;
    length = corbel_power_below(length);
    const float direction =
        corbel_power_below(ray->d[corbel_major_axis(ray->d)]);
    corbel_project_times(ray, triangle, 1 / length, 1 / direction, p);
    return length / direction;
}

/* Is the front seen? Projected coordinates are scaled by dz, so the area by its
 * square. */
static inline bool corbel_projection_front(const struct corbel_projection *p)
{
    return (p->u + p->v + p->w > 0) == (p->dz < 0);
}

/* corbel_triangle_culled() where products leave binary32. */
static __attribute__((noinline, unused)) bool
corbel_triangle_culled_scaled(const struct corbel_ray *ray,
                              const struct corbel_triangle *triangle,
                              unsigned flags)
{
    struct corbel_projection p;
    return corbel_project_scaled(ray, triangle, &p) != 0 &&
           flags & (corbel_projection_front(&p) ? CORBEL_CULL_FRONT
                                                : CORBEL_CULL_BACK);
}

/*
 * True if the flags take hits of this side away (CORBEL_CULL_BACK,
 * CORBEL_CULL_FRONT). The front is where the vertices are seen
 * counter-clockwise.
 */
static inline bool
corbel_triangle_culled(const struct corbel_ray *ray,
                       const struct corbel_triangle *triangle, unsigned flags)
{
    struct corbel_projection p;
    corbel_project(ray, triangle, &p);
    if (__builtin_expect(!corbel_projection_sound(&p, p.u + p.v + p.w), 0))
        return corbel_triangle_culled_scaled(ray, triangle, flags);
    return flags &
           (corbel_projection_front(&p) ? CORBEL_CULL_FRONT : CORBEL_CULL_BACK);
}

/* In units of the projection. */
static inline float
corbel_projection_distance(const struct corbel_projection *p, float area)
{
    return (p->u * p->pz[0] + p->v * p->pz[1] + p->w * p->pz[2]) /
           (area * p->dz);
}

/* *hit becomes that at t if the ray reaches so far and nothing is nearer. */
static inline bool corbel_hit_nearer(const struct corbel_ray *ray,
                                     const struct corbel_projection *p,
                                     float area, float t, uint32_t index,
                                     struct corbel_hit *hit)
{
    if (!(t >= ray->tmin && t <= ray->tmax))
        return false;
    if (!(t < hit->t || (t == hit->t && index < hit->index)))
        return false;
    hit->t = t;
    hit->b1 = p->v / area;
    hit->b2 = p->w / area;
    hit->index = index;
    return true;
}

/* corbel_triangle_test() where products leave binary32. */
static __attribute__((noinline, unused)) bool
corbel_triangle_test_scaled(const struct corbel_ray *ray,
                            const struct corbel_triangle *triangle,
                            uint32_t index, struct corbel_hit *hit)
{
    struct corbel_projection p;
    const float unit = corbel_project_scaled(ray, triangle, &p);
    if (unit == 0 || !corbel_edges_agree(p.u, p.v, p.w))
        return false;
    const float area = p.u + p.v + p.w;
    if (area == 0)
        return false;
    const float t = corbel_projection_distance(&p, area) * unit;
    return __builtin_fabsf(t) < __builtin_inff() &&
           corbel_hit_nearer(ray, &p, area, t, index, hit);
}

/*
 * Tests a ray against a triangle, both sides. If it is hit at tmin <= t <=
 * tmax and the hit is closer than *hit, or equally far with a smaller index,
 * *hit becomes it and the result is true. Start with hit->t = ray->tmax,
 * hit->index = CORBEL_MISS. A triangle whose projection along the ray has no
 * area (degenerate, or seen edge-on) is not hit.
 */
static inline bool corbel_triangle_test(const struct corbel_ray *ray,
                                        const struct corbel_triangle *triangle,
                                        uint32_t index, struct corbel_hit *hit)
{
    struct corbel_projection p;
    corbel_project(ray, triangle, &p);
    if (!corbel_edges_agree(p.u, p.v, p.w))
        return false;
    const float area = p.u + p.v + p.w;
    if (__builtin_expect(!corbel_projection_sound(&p, area), 0))
        return corbel_triangle_test_scaled(ray, triangle, index, hit);
    return corbel_hit_nearer(ray, &p, area,
                             corbel_projection_distance(&p, area), index, hit);
}

#ifdef __cplusplus
}
#endif
#endif
