/*
 * What a .scene of version 3 has besides: trees of two levels, instances,
 * geometries, boxes of primitives that are a program's own. Included by
 * corbel/scene.h, after the scene's header is declared.
 *
 * Record 0 of the trees is the upper one, whose leaves are instances of the
 * others, or the only one. All have the header's formats of nodes and
 * triangles. A tree's leaves are of one kind, and so are its geometries, which
 * follow each other in the order of their faces or boxes: the number of a face
 * or box in the file says geometry and primitive, and is ordered as these are.
 *
 * The place of an instance is what its corbel_instance says, rounded as it is:
 * an object's point x is the world's inverse^-1 x + origin.
 */
#ifndef CORBEL_INSTANCES_H
#define CORBEL_INSTANCES_H

#include <corbel/types.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the leaves of a tree are. */
enum corbel_tree_kind {
    CORBEL_TREE_TRIANGLES, /* of the scene's leaf format */
    CORBEL_TREE_BOXES,     /* struct corbel_box_leaf, 1 .. 8 of them */
    CORBEL_TREE_INSTANCES, /* struct corbel_instance, one */
    CORBEL_TREE_KINDS
};

struct corbel_tree {
    uint32_t root; /* reference, CORBEL_REF_NONE: nothing can be hit */
    uint32_t kind; /* CORBEL_TREE_.. */
    uint32_t first_node, nodes; /* which of the scene's, the root first */
    uint32_t max_depth;         /* nodes on the longest path */
    struct corbel_box bounds;   /* of what can be hit, without any padding */
    /* Rays whose origin is farther than `extent` from a point of the bounds
     * widen boxes by `widen` times that distance. */
    float extent, widen;
    uint32_t first_geometry, geometries; /* which of the scene's */
    uint32_t flags;                      /* 0 */
};

/* Flags of an instance. */
enum {
    CORBEL_INSTANCE_NO_CULL = 1, /* of sides, whatever the ray says */
    CORBEL_INSTANCE_FLIP = 2,    /* front and back are exchanged */
    CORBEL_INSTANCE_OPAQUE = 4,  /* whatever its geometries say */
    CORBEL_INSTANCE_NON_OPAQUE = 8,
    CORBEL_INSTANCE_FLAGS = 16, /* values of all flags together */
};

/* What a traversal reads of an instance. */
struct corbel_instance {
    float inverse[3][3]; /* from the world to the object, row by row */
    float origin[3];     /* the object's, in the world */
    uint32_t root;       /* of the lower tree */
    uint8_t mask;        /* a ray enters if its own mask has a bit of these */
    uint8_t flags;       /* CORBEL_INSTANCE_.. */
    uint8_t kind;        /* of the lower tree */
    uint8_t reserved;
    uint32_t number; /* of the instance, and of its corbel_placement */
    float reach;     /* largest absolute coordinate of the lower tree */
};

/* What programs read of it, by its number. */
struct corbel_placement {
    float transform[3][4]; /* from the object to the world, as it was given */
    uint32_t custom;       /* the program's own number */
    uint32_t record;       /* the first of its hit groups */
    uint32_t tree;         /* record of the lower tree */
    uint32_t line;         /* place of its corbel_instance */
};

enum { CORBEL_GEOMETRY_OPAQUE = 1, CORBEL_GEOMETRY_FLAGS = 2 };

struct corbel_geometry {
    uint32_t flags;          /* CORBEL_GEOMETRY_.. */
    uint32_t tree;           /* record of its tree */
    uint32_t first, count;   /* faces or boxes of the file */
    uint32_t record;         /* its hit group, counted from the instance's */
    float cutoff;            /* what is less opaque than this is not there */
    uint32_t width, height;  /* of the texture, texels */
    uint64_t texels_offset;  /* opacity, 8 bits a texel; 0: there is none */
    uint64_t corners_offset; /* float[3][2] a face: places on the texture */
    uint32_t material;       /* number of the input's, from 1; 0: none */
    uint32_t reserved[3];    /* 0 */
};

/* A primitive of the program's own, as leaves have it. */
struct corbel_box_leaf {
    struct corbel_box box;
    uint32_t index; /* of the box in the file, and CORBEL_INDEX_NON_OPAQUE */
    uint32_t reserved;
};

/* In leaves of a scene of version 3, beside the number of a face or box. */
#define CORBEL_INDEX_NON_OPAQUE 0x80000000u
#define CORBEL_INDEX_NUMBER 0x7FFFFFFFu

CORBEL_STATIC_ASSERT(sizeof(struct corbel_tree) == 64, "tree");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_instance) == 64, "instance");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_placement) == 64, "placement");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_geometry) == 64, "geometry");
CORBEL_STATIC_ASSERT(sizeof(struct corbel_box_leaf) == 32, "leaf of a box");

static inline const struct corbel_tree *
corbel_scene_tree(const struct corbel_scene *scene, uint32_t number)
{
    return (const struct corbel_tree *)corbel_scene_at(scene,
                                                       scene->trees_offset) +
           number;
}

/* By its place in the section, as leaves of the upper tree have it. */
static inline const struct corbel_instance *
corbel_scene_line(const struct corbel_scene *scene, uint32_t line)
{
    return (const struct corbel_instance *)corbel_scene_at(
               scene, scene->instances_offset) +
           line;
}

/* By the instance's number. */
static inline const struct corbel_placement *
corbel_scene_placement(const struct corbel_scene *scene, uint32_t number)
{
    return (const struct corbel_placement *)corbel_scene_at(
               scene, scene->placements_offset) +
           number;
}

static inline const struct corbel_geometry *
corbel_scene_geometry(const struct corbel_scene *scene, uint32_t number)
{
    return (const struct corbel_geometry *)corbel_scene_at(
               scene, scene->geometries_offset) +
           number;
}

/* Bytes of a grain of a tree's leaves. */
static inline unsigned corbel_tree_grain(const struct corbel_scene *scene,
                                         uint32_t kind)
{
    switch (kind) {
    case CORBEL_TREE_BOXES:
        return sizeof(struct corbel_box_leaf);
    case CORBEL_TREE_INSTANCES:
        return sizeof(struct corbel_instance);
    default:
        return corbel_leaf_grain(scene->leaf_format);
    }
}

/* Which of a tree's geometries has this face or box: the last one that does
 * not begin behind it. */
static inline uint32_t corbel_tree_geometry(const struct corbel_scene *scene,
                                            const struct corbel_tree *tree,
                                            uint32_t index)
{
    uint32_t low = 0, high = tree->geometries;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (corbel_scene_geometry(scene, tree->first_geometry + middle)
                ->first <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline float corbel_instance_row(const float row[3], const float v[3])
{
    return __builtin_fmaf(row[0], v[0],
                          __builtin_fmaf(row[1], v[1], row[2] * v[2]));
}

/*
 * The ray as the instance's object sees it: always made from the world's ray,
 * by these operations in this order. The direction is not normalised, so that t
 * means the same for both.
 */
static inline void corbel_instance_ray(const struct corbel_instance *instance,
                                       const struct corbel_ray *world,
                                       struct corbel_ray *ray)
{
    float from[3];
    for (int i = 0; i < 3; i++)
        from[i] = world->o[i] - instance->origin[i];
    for (int i = 0; i < 3; i++) {
        ray->o[i] = corbel_instance_row(instance->inverse[i], from);
        ray->d[i] = corbel_instance_row(instance->inverse[i], world->d);
    }
    ray->tmin = world->tmin;
    ray->tmax = world->tmax;
}

/*
 * What the lower tree's boxes grow by for an object's ray: it rarely starts
 * inside of them, so no bounds are asked for.
 */
static inline float
corbel_instance_widening(const struct corbel_instance *instance,
                         const float o[3])
{
    float far = 0;
    for (int i = 0; i < 3; i++) {
        const float a = __builtin_fabsf(o[i]);
        far = a > far ? a : far;
    }
    return (far + instance->reach) * CORBEL_TREE_PAD;
}

#ifdef __cplusplus
}
#endif
#endif
