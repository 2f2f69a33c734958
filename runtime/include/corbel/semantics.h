/*
 * What the custom instructions compute: for a row XTRAV(id, ..., shape, ...)
 * of sdk/isa/xtrav.def the function corbel_sem_<id> with the signature of its
 * shape. Simulator and native-shim both call it; a new instruction's meaning
 * is added here. That of instructions which a unit serves is in serve.h.
 */
#ifndef CORBEL_SEMANTICS_H
#define CORBEL_SEMANTICS_H

#include <corbel/intersect.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline float corbel_sem_boxisect(const struct corbel_ray *ray_inv,
                                        const struct corbel_box *box)
{
    return corbel_box_test(ray_inv, box);
}

static inline float corbel_sem_triisect(const struct corbel_ray *ray,
                                        const struct corbel_triangle *triangle,
                                        uint32_t index, struct corbel_hit *hit)
{
    corbel_triangle_test(ray, triangle, index, hit);
    return hit->t;
}

#ifdef __cplusplus
}
#endif
#endif
