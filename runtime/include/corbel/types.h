/*
 * The records that programs, native-shim, scene files and the simulator
 * share. Little-endian, IEEE binary32, no padding; sizes are asserted.
 */
#ifndef CORBEL_TYPES_H
#define CORBEL_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define CORBEL_STATIC_ASSERT static_assert
#else
#define CORBEL_STATIC_ASSERT _Static_assert
#endif

/*
 * Before a function whose registers a caller in a kernel should not have to
 * save all the time: inlined, it would cost some of the kernel's 1 KiB of
 * stack.
 */
#ifdef __riscv
#define CORBEL_NOT_INLINED __attribute__((noinline))
#else
#define CORBEL_NOT_INLINED
#endif

/*
 * Points o + t d, tmin <= t <= tmax. d need not be normalised: its largest
 * component lies between 2^-60 and 2^60 (8.7e-19 to 1.2e18), o within +-2^60. A
 * ray beyond that hits nothing.
 */
struct corbel_ray {
    float o[3], tmin;
    float d[3], tmax;
};

struct corbel_box {
    float min[3], max[3];
};

struct corbel_triangle {
    float v[3][3];
};

/* No triangle: the index of a hit record that is a miss. */
#define CORBEL_MISS UINT32_MAX

/*
 * The closest hit: distance t in units of |d|, barycentric coordinates b1, b2
 * of vertices 1 and 2, triangle index. A miss has t = the ray's tmax.
 */
struct corbel_hit {
    float t, b1, b2;
    uint32_t index;
};

/* Flags of a traversal (the immediate of trav.traceray), to be combined. */
enum {
    CORBEL_CLOSEST = 0,    /* the closest hit */
    CORBEL_ANY = 1,        /* stop at the first hit found (shadow rays) */
    CORBEL_COUNTS = 2,     /* the result is struct corbel_counts, not a hit */
    CORBEL_CULL_BACK = 4,  /* no hits of triangles seen from behind: */
    CORBEL_CULL_FRONT = 8, /* vertices clockwise; or from the front */
    CORBEL_FLAGS = 16,     /* values of all flags together */
};

/*
 * Flags of a query's ray (corbel/walk.h), to be combined: those of Vulkan and
 * DXR, by their numbers. A face is opaque as its geometry says, unless its
 * instance says otherwise, unless the ray does.
 */
enum {
    CORBEL_RAY_OPAQUE = 1,     /* all faces count as opaque */
    CORBEL_RAY_NON_OPAQUE = 2, /* none does */
    CORBEL_RAY_FIRST = 4,      /* the first hit that is accepted is the hit */
    CORBEL_RAY_NO_CLOSEST = 8, /* no program for the closest hit (pipelines) */
    CORBEL_RAY_CULL_BACK = 16, /* no triangles seen from behind */
    CORBEL_RAY_CULL_FRONT = 32,
    CORBEL_RAY_CULL_OPAQUE = 64,
    CORBEL_RAY_CULL_NON_OPAQUE = 128,
    CORBEL_RAY_SKIP_TRIANGLES = 256,
    CORBEL_RAY_SKIP_BOXES = 512,
    CORBEL_RAY_FLAGS = 1024, /* values of all flags together */
};

/* What a query's ray has come to. */
enum corbel_event {
    CORBEL_EVENT_MISS,     /* its end, without a hit */
    CORBEL_EVENT_HIT,      /* its end, with one */
    CORBEL_EVENT_TRIANGLE, /* one that is not opaque is hit: is it there? */
    CORBEL_EVENT_BOX,      /* of a primitive of the program's own */
};

/* What was hit. */
enum corbel_hit_kind {
    CORBEL_HIT_NONE,
    CORBEL_HIT_FRONT, /* a triangle, as the ray's instance sees it */
    CORBEL_HIT_BACK,
    CORBEL_HIT_BOX,
};

/* The record of a query: all numbers that a program can ask for. A miss has the
 * ray's tmax as t, CORBEL_MISS as index and instance, and zeros. */
struct corbel_long_hit {
    float t, b1, b2;    /* of a box b1 and b2 are what the program gave */
    uint32_t primitive; /* of the geometry */
    uint32_t geometry;  /* of the tree */
    uint32_t instance;
    uint32_t custom; /* the instance's own number */
    uint32_t record; /* its hit group: the instance's + the geometry's */
    uint32_t kind;   /* enum corbel_hit_kind */
    uint32_t index;  /* of the face or box in the file */
};

/* What the traversal of a ray did. */
struct corbel_counts {
    uint32_t nodes, leaves, triangles; /* tested */
    uint32_t restarts;                 /* from the root, by a short stack */
};

/*
 * A work item of the ray streams (corbel/streams.h): what is to be done for a
 * ray in one treelet. Its id is the number of the ray.
 */
struct corbel_item {
    struct corbel_ray ray;
    uint32_t id;
    uint32_t word; /* bits 0..23 the treelet, 24..31 the hint */
};

/*
 * A ray of the ray store, with what is known of it (corbel/streams.h).
 */
struct corbel_stored_ray {
    struct corbel_ray ray;
    struct corbel_hit hit;
    uint32_t ref;      /* the node where it goes on; the store queues it for the
                          treelet that this node lies in */
    uint32_t word;     /* bits 0..25 the ray's number, 26..31 its state */
    uint32_t trail[2]; /* which way it has come, the low half first */
};

/* A ray that has left the ray store: its hit, its number. */
struct corbel_ray_end {
    struct corbel_hit hit;
    uint32_t id;
};

CORBEL_STATIC_ASSERT(sizeof(struct corbel_ray) == 32, "ray layout");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_box) == 24, "box layout");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_triangle) == 36, "triangle layout");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_hit) == 16, "hit layout");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_counts) == 16, "counts layout");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_long_hit) == 40, "long hit layout");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_item) == 40, "item layout");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_stored_ray) == 64, "stored ray");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_ray_end) == 20, "ray's end layout");

#ifdef __cplusplus
}
#endif
#endif
