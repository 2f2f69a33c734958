#include "sim/rtp/intersect.h"
#include "sim/rtp/rtp_float.h"

#define INLINE static inline __attribute__((always_inline))

INLINE struct rtp_vec sub(struct rtp_vec a, struct rtp_vec b, bool ftz)
{
    return (struct rtp_vec){rtp_sub(a.x, b.x, ftz), rtp_sub(a.y, b.y, ftz),
                            rtp_sub(a.z, b.z, ftz)};
}

/* p * q - r * s */
INLINE float minor(float p, float q, float r, float s, bool ftz)
{
    return rtp_sub(rtp_mul(p, q, ftz), rtp_mul(r, s, ftz), ftz);
}

INLINE struct rtp_vec cross(struct rtp_vec p, struct rtp_vec q, bool ftz)
{
    return (struct rtp_vec){minor(p.y, q.z, p.z, q.y, ftz),
                            minor(p.z, q.x, p.x, q.z, ftz),
                            minor(p.x, q.y, p.y, q.x, ftz)};
}

INLINE float dot(struct rtp_vec p, struct rtp_vec q, bool ftz)
{
    float xy = rtp_add(rtp_mul(p.x, q.x, ftz), rtp_mul(p.y, q.y, ftz), ftz);
    return rtp_add(xy, rtp_mul(p.z, q.z, ftz), ftz);
}

INLINE struct rtp_vec along(const struct rtp_ray *ray, float t, bool ftz)
{
    struct rtp_vec o = ray->origin, d = ray->direction;
    return (struct rtp_vec){rtp_add(rtp_mul(t, d.x, ftz), o.x, ftz),
                            rtp_add(rtp_mul(t, d.y, ftz), o.y, ftz),
                            rtp_add(rtp_mul(t, d.z, ftz), o.z, ftz)};
}

#define SMALLEST 0x322bcc77u /* of the determinant: 1e-8 */

/* Comparisons are those of the hardware: false with a NaN, which then is
 * refused by its t. */
INLINE void test(bool two_sided, const struct rtp_ray *ray,
                 const struct rtp_triangle *triangle, struct rtp_hit *hit,
                 bool ftz)
{
    struct rtp_vec e1 = sub(triangle->v[1], triangle->v[0], ftz);
    struct rtp_vec e2 = sub(triangle->v[2], triangle->v[0], ftz);
    struct rtp_vec s = sub(ray->origin, triangle->v[0], ftz);
    struct rtp_vec p = cross(ray->direction, e2, ftz), q = cross(s, e1, ftz);
    float det = dot(e1, p, ftz), inverse = rtp_div(1, det, ftz);
    float u = rtp_mul(dot(s, p, ftz), inverse, ftz);
    float v = rtp_mul(dot(ray->direction, q, ftz), inverse, ftz);
    float t = rtp_mul(dot(e2, q, ftz), inverse, ftz);
    float w = rtp_add(u, v, ftz);
    if (u < 0 || v < 0 || u > 1 || w > 1 ||
        (two_sided ? fabsf(det) : det) < rtp_float(SMALLEST))
        return;
    if (!(t > 0) || (hit->shader && !(t < hit->t)))
        return;
    *hit = (struct rtp_hit){along(ray, t, ftz), cross(e1, e2, ftz),
                            triangle->shader, t};
}

void rtp_intersect(const struct rtp_rules *rules, const struct rtp_ray *ray,
                   const struct rtp_triangle *triangle, struct rtp_hit *hit)
{
    if (rules->ftz)
        test(rules->two_sided, ray, triangle, hit, true);
    else
        test(rules->two_sided, ray, triangle, hit, false);
}

static struct rtp_vec vec_of(const uint32_t words[3])
{
    return (struct rtp_vec){rtp_float(words[0]), rtp_float(words[1]),
                            rtp_float(words[2])};
}

struct rtp_ray rtp_ray_of(const uint32_t origin[4], const uint32_t direction[4])
{
    return (struct rtp_ray){vec_of(origin), vec_of(direction)};
}

static void words_of(struct rtp_vec v, uint32_t last, uint32_t words[4])
{
    words[0] = rtp_bits(v.x);
    words[1] = rtp_bits(v.y);
    words[2] = rtp_bits(v.z);
    words[3] = last;
}

void rtp_hit_words(const struct rtp_hit *hit, uint32_t point[4],
                   uint32_t normal[4])
{
    words_of(hit->point, hit->shader, point);
    words_of(hit->normal, 0, normal);
}
