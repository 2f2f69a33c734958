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

#include <sched.h>

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
        struct corbel_request request = {.hart = corbel_hart(),                \
                                         .immediate = immediate,               \
                                         .sent = sent,                         \
                                         .received = received};                \
        corbel_serve_##id(&native_##state, &request);                          \
        if (request.refused)                                                   \
            native_refused("corbel_" #id, request.address, request.why);       \
        if (request.again)                                                     \
            sched_yield();                                                     \
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

/* How RT cores traverse, from the environment. */
static void read_traversal(struct corbel_traversal_setup *setup)
{
    long entries = native_number("CORBEL_STACK", 16, 0, CORBEL_STACK_MAX);
    setup->stack = entries ? (unsigned)entries : CORBEL_STACK_MAX;
    setup->pop_cull = native_number("CORBEL_POP_CULL", 1, 0, 1);
}

/*
 * The RT core has the parameters `stack` and `pop_cull` of a chip's. Read
 * before main(), so that `step` at a ray, the first one too, goes into the
 * traversal.
 */
__attribute__((constructor)) static void read_setup(void)
{
    read_traversal(&native_rtcore.setup);
    native_streams.setup = native_raystore.setup = native_rtcore.setup;
    native_streams.ram_end = native_streams.address_mask = UINT64_MAX;
    native_streams.rtcores = native_streams.programs = true;
    native_scheduler.next = &native_next_index;
}

void native_bind_scene(const struct corbel_scene *scene)
{
    __atomic_store_n(&native_rtcore.scene, scene, __ATOMIC_RELAXED);
    __atomic_store_n(&native_streams.scene, scene, __ATOMIC_RELAXED);
    __atomic_store_n(&native_raystore.scene, scene, __ATOMIC_RELAXED);
}

/* No hart runs: the units begin a kernel as those of a chip do. */
void native_launch_units(void)
{
    __atomic_store_n(&native_next_index, 0, __ATOMIC_RELAXED);
    corbel_streams_launch(&native_streams);
    corbel_raystore_launch(&native_raystore);
}

/* A unit that works on a scene has been asked for something. */
static void need_scene(void)
{
    if (!__atomic_load_n(&native_rtcore.scene, __ATOMIC_RELAXED))
        native_no_scene();
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
        need_scene();                                                          \
        memcpy(sent, ray, sizeof sent);                                        \
        native_serve_##id(flags, sent, received);                              \
        memcpy(hit, received, sizeof received);                                \
    }

/*
 * Ray streams. Items and stored rays travel whole: what is sent is copied into
 * words and what comes is copied out of them, so that neither the record of the
 * program nor the words are looked at as something else. Where nothing is there
 * the answer says so, and this thread lets others run (native_serve_<id>); the
 * functions of corbel/streams.h then ask again.
 */
#define NATIVE_ITEM_LOAD(id) NATIVE_LOAD(id, struct corbel_item, item)
#define NATIVE_ITEM_STORE(id) NATIVE_STORE(id, struct corbel_item, item)
#define NATIVE_RAY_LOAD(id) NATIVE_LOAD(id, struct corbel_stored_ray, ray)
#define NATIVE_RAY_STORE(id) NATIVE_STORE(id, struct corbel_stored_ray, ray)
#define NATIVE_LOAD(id, type, record)                                          \
    WORDS(id, 0, sizeof(type) / 4);                                            \
    void corbel_##id(type *record)                                             \
    {                                                                          \
        uint32_t received[sizeof(type) / 4];                                   \
        need_scene();                                                          \
        native_serve_##id(0, 0, received);                                     \
        memcpy(record, received, sizeof received);                             \
    }
#define NATIVE_STORE(id, type, record)                                         \
    WORDS(id, sizeof(type) / 4, 0);                                            \
    void corbel_##id(const type *record)                                       \
    {                                                                          \
        uint32_t sent[sizeof(type) / 4];                                       \
        need_scene();                                                          \
        memcpy(sent, record, sizeof sent);                                     \
        native_serve_##id(0, sent, 0);                                         \
    }
/* Records in memory travel as their address, an integer register of two words.
 */
#define NATIVE_HIT_STORE(id)                                                   \
    WORDS(id, 6, 0);                                                           \
    void corbel_##id(const struct corbel_hit *hit, struct corbel_hit *record)  \
    {                                                                          \
        uint64_t address = (uintptr_t)record;                                  \
        uint32_t sent[6];                                                      \
        need_scene();                                                          \
        memcpy(sent, &address, sizeof address);                                \
        memcpy(sent + 2, hit, sizeof *hit);                                    \
        native_serve_##id(0, sent, 0);                                         \
    }
#define NATIVE_HIT_LOAD(id)                                                    \
    WORDS(id, 2, 4);                                                           \
    void corbel_##id(const struct corbel_hit *record, struct corbel_hit *hit)  \
    {                                                                          \
        uint64_t address = (uintptr_t)record;                                  \
        uint32_t sent[2], received[4];                                         \
        need_scene();                                                          \
        memcpy(sent, &address, sizeof address);                                \
        native_serve_##id(0, sent, received);                                  \
        memcpy(hit, received, sizeof received);                                \
    }
/* The flag travels as an integer of one word. */
#define NATIVE_RAY_END(id)                                                     \
    WORDS(id, 1, 5);                                                           \
    void corbel_##id(unsigned last, struct corbel_ray_end *end)                \
    {                                                                          \
        uint32_t sent[1] = {last}, received[5];                                \
        need_scene();                                                          \
        native_serve_##id(0, sent, received);                                  \
        memcpy(end, received, sizeof received);                                \
    }

#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    NATIVE_##shape(id)
#include <corbel/isa/xtrav.def>
#undef XTRAV
