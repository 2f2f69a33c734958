/* The model of normals.s: the direction of the surface as a colour. */
#include "model.h"

struct vec pixel(const struct scene *s, uint32_t pixel)
{
    const struct constants *c = s->constants;
    struct hit hit = trace(s, camera_ray(s, pixel));

    if (!hit.shader)
        return c->sky;
    struct vec colour = scale(unit(hit.normal), c->half);
    for (int i = 0; i < 4; i++)
        colour.lane[i] = colour.lane[i] + c->half;
    return colour;
}
