/*
 * A ray and a triangle, bit by bit as the hardware computes it: every operation
 * rounds once, nothing is fused, and all triangles are tested in their order.
 * The first hit has t > 0, a later one a smaller t than the best so far.
 */
#ifndef SIM_RTP_INTERSECT_H
#define SIM_RTP_INTERSECT_H

#include "sim/rtp/rtp.h"

struct rtp_vec {
    float x, y, z;
};

struct rtp_triangle {
    struct rtp_vec v[3];
    uint32_t shader; /* the word that a hit returns; never 0 */
};

struct rtp_ray {
    struct rtp_vec origin, direction;
};

/* The best hit so far. Zeroed: none. */
struct rtp_hit {
    struct rtp_vec point, normal; /* the normal is not normalised */
    uint32_t shader;              /* 0: no hit */
    float t;
};

/* Updates the hit by one more triangle. */
void rtp_intersect(const struct rtp_rules *rules, const struct rtp_ray *ray,
                   const struct rtp_triangle *triangle, struct rtp_hit *hit);

/* The ray of a core's registers, and a hit as trace returns it there. */
struct rtp_ray rtp_ray_of(const uint32_t origin[4],
                          const uint32_t direction[4]);
void rtp_hit_words(const struct rtp_hit *hit, uint32_t point[4],
                   uint32_t normal[4]);

#endif
