/*
 * The functions behind the custom instructions: plain C to step into and to
 * set breakpoints on, one for each row of sdk/isa/xtrav.def, made by the row's
 * shape. A row of a plain shape calls its meaning, corbel_sem_<id>() in
 * corbel/semantics.h, the same code that the simulator executes; so a new
 * instruction needs nothing here.
 */
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include <corbel/corbel.h>
#include <corbel/semantics.h>
#include <corbel/traverse.h>
#include <corbel/xtrav.h>

#include "native-shim/native.h"

/*
 * As the RT core parameters `stack` and `pop_cull` of a chip. Read before
 * main(), so that `step` at a ray, the first one too, goes into the traversal.
 */
static struct corbel_traversal_setup setup;

__attribute__((constructor)) static void read_setup(void)
{
    long entries = native_number("CORBEL_STACK", 16, 0, CORBEL_STACK_MAX);
    setup.stack = entries ? (unsigned)entries : CORBEL_STACK_MAX;
    setup.pop_cull = native_number("CORBEL_POP_CULL", 1, 0, 1);
}

#define NATIVE_NEXT(id)                                                        \
    uint32_t corbel_##id(void)                                                 \
    {                                                                          \
        return native_next();                                                  \
    }

#define NATIVE_X_XX(id)                                                        \
    unsigned long corbel_##id(unsigned long a, unsigned long b)                \
    {                                                                          \
        return corbel_sem_##id(a, b);                                          \
    }

#define NATIVE_F_FF(id)                                                        \
    float corbel_##id(float a, float b)                                        \
    {                                                                          \
        return corbel_sem_##id(a, b);                                          \
    }

#define NATIVE_F_FFF(id)                                                       \
    float corbel_##id(float a, float b, float c)                               \
    {                                                                          \
        return corbel_sem_##id(a, b, c);                                       \
    }

#define NATIVE_BOX(id)                                                         \
    float corbel_##id(const struct corbel_ray *ray_inv,                        \
                      const struct corbel_box *box)                            \
    {                                                                          \
        return corbel_sem_##id(ray_inv, box);                                  \
    }

#define NATIVE_TRI(id)                                                         \
    float corbel_##id(const struct corbel_ray *ray,                            \
                      const struct corbel_triangle *triangle, uint32_t index,  \
                      struct corbel_hit *hit)                                  \
    {                                                                          \
        return corbel_sem_##id(ray, triangle, index, hit);                     \
    }

#define NATIVE_TRACE(id)                                                       \
    void corbel_##id(const struct corbel_ray *ray, unsigned flags,             \
                     struct corbel_hit *hit)                                   \
    {                                                                          \
        const struct corbel_scene *scene = native_scene;                       \
        if (!scene)                                                            \
            native_no_scene();                                                 \
        corbel_traverse_by(&setup, scene, ray, flags, hit);                    \
    }

#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    NATIVE_##shape(id)
#include <corbel/isa/xtrav.def>
#undef XTRAV
