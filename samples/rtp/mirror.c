/* The model of mirror.s: surfaces that reflect, up to three times. */
#include "model.h"

static struct ray reflect(const struct scene *s, struct ray ray,
                          const struct hit *hit)
{
    struct vec normal = unit(hit->normal);
    float cosine = product(normal, ray.direction);

    return (struct ray){
        add(hit->point, scale(normal, s->constants->above)),
        sub(ray.direction, scale(normal, cosine + cosine)),
    };
}

static struct vec radiance(const struct scene *s, struct ray ray, int further)
{
    struct hit hit = trace(s, ray);

    if (!hit.shader)
        return s->constants->sky;
    struct vec own = shade(s, &hit);
    float reflects = load(s, hit.shader).lane[3];
    if (reflects == 0 || further == 0)
        return own;
    struct vec seen = radiance(s, reflect(s, ray, &hit), further - 1);
    return add(scale(own, s->constants->one - reflects), scale(seen, reflects));
}

struct vec pixel(const struct scene *s, uint32_t pixel)
{
    return radiance(s, camera_ray(s, pixel), 3);
}
