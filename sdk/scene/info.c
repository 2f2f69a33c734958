/* Describes and verifies scenes; see info.h. */
#include "info.h"

#include "report.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const quality_name[] = {"low", "medium", "high"};

static const char *name_of_quality(const struct corbel_scene *scene)
{
    return scene->quality <= QUALITY_HIGH ? quality_name[scene->quality] : "?";
}

void info_text(const struct corbel_scene *s)
{
    const struct corbel_box *b = &s->bounds;
    printf("hash        %016llx\n", (unsigned long long)s->hash);
    printf("version     %u\n", s->version);
    printf("size        %llu bytes\n", (unsigned long long)s->bytes);
    printf("triangles   %u, %u without area\n", s->triangles, s->degenerate);
    printf("vertices    %u\n", s->vertices);
    printf("bounds      %g %g %g to %g %g %g\n", b->min[0], b->min[1],
           b->min[2], b->max[0], b->max[1], b->max[2]);
    printf("nodes       %u, %s, %u bytes each\n", s->nodes,
           corbel_node_name(s->format), corbel_node_bytes(s->format));
    printf("leaves      %u, at most %u triangles each\n", s->leaves,
           s->leaf_limit);
    printf("references  %u, %u duplicates\n", s->references, s->duplicates);
    printf("leaf format %s, %llu bytes\n", corbel_leaf_name(s->leaf_format),
           (unsigned long long)s->grains * corbel_leaf_grain(s->leaf_format));
    printf("depth       %u\n", s->max_depth);
    printf("SAH cost    %g\n", s->sah_cost);
    printf("quality     %s\n", name_of_quality(s));
    printf("camera      eye %g,%g,%g look %g,%g,%g fov %g\n", s->eye[0],
           s->eye[1], s->eye[2], s->look[0], s->look[1], s->look[2], s->fov);
}

static void json_vector(const char *name, const float v[3])
{
    printf("\"%s\": [%.9g, %.9g, %.9g], ", name, v[0], v[1], v[2]);
}

void info_json(const struct corbel_scene *s)
{
    printf("{\"hash\": \"%016llx\", \"version\": %u, \"bytes\": %llu, ",
           (unsigned long long)s->hash, s->version,
           (unsigned long long)s->bytes);
    printf("\"triangles\": %u, \"degenerate\": %u, \"vertices\": %u, ",
           s->triangles, s->degenerate, s->vertices);
    json_vector("bounds_min", s->bounds.min);
    json_vector("bounds_max", s->bounds.max);
    printf("\"format\": \"%s\", \"node_bytes\": %u, \"nodes\": %u, ",
           corbel_node_name(s->format), corbel_node_bytes(s->format), s->nodes);
    printf("\"leaves\": %u, \"leaf_limit\": %u, \"references\": %u, "
           "\"duplicates\": %u, ",
           s->leaves, s->leaf_limit, s->references, s->duplicates);
    printf("\"leaf_format\": \"%s\", \"leaf_bytes\": %llu, ",
           corbel_leaf_name(s->leaf_format),
           (unsigned long long)s->grains * corbel_leaf_grain(s->leaf_format));
    printf("\"max_depth\": %u, \"sah_cost\": %.9g, \"quality\": \"%s\", ",
           s->max_depth, s->sah_cost, name_of_quality(s));
    json_vector("eye", s->eye);
    json_vector("look", s->look);
    printf("\"fov\": %.9g}\n", s->fov);
}

/* What a walk over the tree finds. */
struct walk {
    const struct corbel_scene *scene;
    const char *why; /* NULL: nothing wrong so far */
    uint8_t *seen;   /* by triangle: it is in a leaf */
    uint64_t nodes, grains, references;
    uint32_t leaves, max_depth;
};

static bool boxes_meet(const struct corbel_box *a, const struct corbel_box *b)
{
    for (int i = 0; i < 3; i++)
        if (!(a->min[i] <= b->max[i] && b->min[i] <= a->max[i]))
            return false;
    return true;
}

static bool inside(uint32_t ref, uint64_t bytes, uint64_t start, uint64_t end)
{
    const uint64_t offset = corbel_ref_offset(ref);
    return offset >= start && offset + bytes <= end;
}

/* Bit by bit: a leaf loses nothing. */
static bool same_triangle(const struct corbel_scene *scene, uint32_t index,
                          const struct corbel_triangle *triangle)
{
    struct corbel_triangle face;
    corbel_scene_triangle(scene, index, &face);
    return memcmp(&face, triangle, sizeof face) == 0;
}

static void walk_triangle(struct walk *walk, const void *leaf, unsigned i,
                          const struct corbel_box *box)
{
    const struct corbel_scene *scene = walk->scene;
    struct corbel_triangle triangle;
    uint32_t index =
        corbel_leaf_triangle(scene->leaf_format, scene, leaf, i, &triangle);
    struct corbel_box bounds = triangle_box(&triangle);
    if (index >= scene->triangles || !same_triangle(scene, index, &triangle))
        walk->why = "a leaf's triangle differs from the face it names";
    else if (box != NULL && !boxes_meet(box, &bounds))
        walk->why = "a leaf's box does not touch its triangle";
    else
        walk->seen[index] = 1;
}

/* A leaf whose box is box (NULL: it is the root). */
static void walk_leaf(struct walk *walk, uint32_t ref,
                      const struct corbel_box *box)
{
    const struct corbel_scene *scene = walk->scene;
    const unsigned grains = corbel_ref_grains(ref);
    const uint64_t grain = corbel_leaf_grain(scene->leaf_format);
    const void *leaf = corbel_scene_at(scene, corbel_ref_offset(ref));
    if (!inside(ref, grains * grain, scene->leaves_offset,
                scene->leaves_offset + scene->grains * grain)) {
        walk->why = "a leaf lies outside the section of leaves";
        return;
    }
    const unsigned count = corbel_leaf_count(scene->leaf_format, leaf, grains);
    if (count == 0 || count > CORBEL_LEAF_MAX) {
        walk->why = "a leaf has no triangles, or too many";
        return;
    }
    for (unsigned i = 0; i < count; i++)
        walk_triangle(walk, leaf, i, box);
    walk->leaves++;
    walk->grains += grains;
    walk->references += count;
}

static void walk_node(struct walk *walk, uint32_t ref, unsigned depth);

static void walk_child(struct walk *walk, uint32_t ref,
                       const struct corbel_box *box, unsigned depth)
{
    if (corbel_ref_is_leaf(ref))
        walk_leaf(walk, ref, box);
    else
        walk_node(walk, ref, depth);
}

static void walk_node(struct walk *walk, uint32_t ref, unsigned depth)
{
    const struct corbel_scene *scene = walk->scene;
    const uint64_t size = corbel_node_bytes(scene->format);
    struct corbel_node_children children;
    if (depth > CORBEL_DEPTH_MAX || ++walk->nodes > scene->nodes) {
        walk->why = "the tree has more nodes or levels than the header says";
        return;
    }
    if (!inside(ref, size, scene->nodes_offset,
                scene->nodes_offset + scene->nodes * size)) {
        walk->why = "a node lies outside the section of nodes";
        return;
    }
    if (depth > walk->max_depth)
        walk->max_depth = depth;
    corbel_node_decode(
        scene->format, corbel_scene_at(scene, corbel_ref_offset(ref)),
        corbel_leaf_grain(scene->leaf_format) / CORBEL_REF_UNIT, &children);
    for (unsigned i = 0; i < children.count && walk->why == NULL; i++)
        walk_child(walk, children.ref[i], &children.box[i], depth + 1);
}

/* Every triangle is in a leaf or has no area. */
static void check_all_seen(struct walk *walk)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < walk->scene->triangles; i++) {
        struct corbel_triangle triangle;
        corbel_scene_triangle(walk->scene, i, &triangle);
        missing += !walk->seen[i];
        if (!walk->seen[i] && !triangle_degenerate(&triangle))
            walk->why = "a triangle with area is in no leaf";
    }
    if (walk->why == NULL && missing != walk->scene->degenerate)
        walk->why = "the header counts degenerate triangles wrongly";
}

static void check_faces(struct walk *walk)
{
    const struct corbel_scene *scene = walk->scene;
    for (uint32_t i = 0; i < scene->triangles; i++)
        for (int k = 0; k < 3; k++)
            if (corbel_scene_face(scene, i)[k] >= scene->vertices)
                walk->why = "a face uses a vertex that does not exist";
}

bool info_verify(const struct corbel_scene *scene, const char **why)
{
    struct walk walk = {.scene = scene, .seen = allocate(scene->triangles, 1)};
    check_faces(&walk);
    if (walk.why == NULL && scene->root != CORBEL_REF_NONE)
        walk_child(&walk, scene->root, NULL, 1);
    if (walk.why == NULL)
        check_all_seen(&walk);
    if (walk.why == NULL &&
        (walk.nodes != scene->nodes || walk.grains != scene->grains ||
         walk.references != scene->references || walk.leaves != scene->leaves ||
         walk.max_depth != scene->max_depth))
        walk.why = "the header's statistics do not match the tree";
    free(walk.seen);
    *why = walk.why;
    return walk.why == NULL;
}
