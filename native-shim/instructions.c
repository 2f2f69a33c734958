/*
 * The functions behind the custom instructions: plain C to step into and to
 * set breakpoints on, one for each row of sdk/isa/xtrav.def, made by the row's
 * shape. A row of a plain shape calls its meaning, corbel_sem_<id>() in
 * corbel/semantics.h, the same code that the simulator executes; one that a
 * unit serves calls corbel_serve_<id>() in corbel/serve.h, with the only unit
 * of its kind that there is natively. So a new instruction needs nothing here.
 */
#define CORBEL_STACK_MAX CORBEL_STACK_DEEPEST
#include <corbel/corbel.h>
#include <corbel/semantics.h>
#include <corbel/serve.h>
#include <corbel/xtrav.h>

#include "native-shim/native.h"

/* The units: native_<state>. Several rows may be of one, which is defined once
 * all the same. */
#define XTRAV_SERVED(id, state, ...)                                           \
    static struct corbel_##state native_##state;
#include <corbel/isa/served.def>
#undef XTRAV_SERVED

/* native_serve_<id>(immediate, sent, received): by the unit. */
#define XTRAV_SERVED(id, state, ...)                                           \
    static inline void native_serve_##id(                                      \
        uint32_t immediate, const uint32_t *sent, uint32_t *received)          \
    {                                                                          \
        corbel_serve_##id(&native_##state, immediate, sent, received);         \
    }
#include <corbel/isa/served.def>
#undef XTRAV_SERVED

/* The words of a row, which the function of its shape packs itself. */
#define F(at, n) +(n)
#define W(at, n) +(n)
#define X(at, n) +2 * (n)
enum {
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, ...)   \
    SENT_##id = 0 sends, RECEIVED_##id = 0 receives,
#include <corbel/isa/served.def>
#undef XTRAV_SERVED
};
#define WORDS(id, sent, received)                                              \
    _Static_assert(SENT_##id == (sent) && RECEIVED_##id == (received),         \
                   "sdk/isa/served.def, " #id ": its shape sends " #sent       \
                   " and receives " #received " words")

/*
 * The RT core has the parameters `stack` and `pop_cull` of a chip's. Read
 * before main(), so that `step` at a ray, the first one too, goes into the
 * traversal.
 */
__attribute__((constructor)) static void read_setup(void)
{
    struct corbel_traversal_setup *setup = &native_rtcore.setup;
    long entries = native_number("CORBEL_STACK", 16, 0, CORBEL_STACK_MAX);
    setup->stack = entries ? (unsigned)entries : CORBEL_STACK_MAX;
    setup->pop_cull = native_number("CORBEL_POP_CULL", 1, 0, 1);
    native_scheduler.next = &native_next_index;
}

void native_bind_scene(const struct corbel_scene *scene)
{
    __atomic_store_n(&native_rtcore.scene, scene, __ATOMIC_RELAXED);
}

#define NATIVE_NEXT(id)                                                        \
    WORDS(id, 0, 1);                                                           \
    uint32_t corbel_##id(void)                                                 \
    {                                                                          \
        uint32_t received[1];                                                  \
        native_serve_##id(0, 0, received);                                     \
        return received[0];                                                    \
    }

/* Integer registers are of two words. */
#define NATIVE_UNIT_XX(id)                                                     \
    WORDS(id, 4, 2);                                                           \
    unsigned long corbel_##id(unsigned long a, unsigned long b)                \
    {                                                                          \
        uint64_t sent[2] = {a, b}, received = 0;                               \
        uint32_t in[4], out[2] = {0, 0};                                       \
        memcpy(in, sent, sizeof in);                                           \
        native_serve_##id(0, in, out);                                         \
        memcpy(&received, out, sizeof received);                               \
        return (unsigned long)received;                                        \
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
    WORDS(id, 8, 4);                                                           \
    void corbel_##id(const struct corbel_ray *ray, unsigned flags,             \
                     struct corbel_hit *hit)                                   \
    {                                                                          \
        uint32_t sent[8], received[4];                                         \
        if (!__atomic_load_n(&native_rtcore.scene, __ATOMIC_RELAXED))          \
            native_no_scene();                                                 \
        memcpy(sent, ray, sizeof sent);                                        \
        native_serve_##id(flags, sent, received);                              \
        memcpy(hit, received, sizeof received);                                \
    }

#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    NATIVE_##shape(id)
#include <corbel/isa/xtrav.def>
#undef XTRAV
