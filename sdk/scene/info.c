/* Describes and verifies scenes; see info.h. */
#include "info.h"

#include "sdk/common/report.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const quality_name[] = {"low", "medium", "high"};

/* No check of a scene looks at this number, so any may stand there. */
static const char *name_of_quality(const struct corbel_scene *scene)
{
    return scene->quality <= QUALITY_HIGH ? quality_name[scene->quality] : "?";
}

/* The part of all treelets' bytes that is used; 0: no treelets. */
static double treelet_fill(const struct corbel_scene *scene)
{
    double bytes = 0;
    for (uint32_t s = 0; s < scene->treelets; s++)
        bytes += corbel_scene_treelet(scene, s)->bytes;
    return scene->treelets > 0
               ? bytes / ((double)scene->treelets * scene->treelet_bytes)
               : 0;
}

/* Treelets on the longest path; the last one is on one. */
static uint32_t treelet_depth(const struct corbel_scene *scene)
{
    return scene->treelets > 0
               ? corbel_scene_treelet(scene, scene->treelets - 1)->depth + 1
               : 0;
}

/* One line for each field; docs say what they mean. */
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
    if (corbel_scene_has_trees(s))
        info_trees_text(s);
    if (s->treelets > 0)
        printf("treelets    %u of %u bytes, %.1f %% full, depth %u\n",
               s->treelets, s->treelet_bytes, 100 * treelet_fill(s),
               treelet_depth(s));
    printf("SAH cost    %g\n", s->sah_cost);
    printf("quality     %s\n", name_of_quality(s));
    printf("camera      eye %g,%g,%g look %g,%g,%g fov %g\n", s->eye[0],
           s->eye[1], s->eye[2], s->look[0], s->look[1], s->look[2], s->fov);
}

/* Nine digits give every float back exactly. */
static void json_vector(const char *name, const float v[3])
{
    printf("\"%s\": [%.9g, %.9g, %.9g], ", name, v[0], v[1], v[2]);
}

/* One line, an object. */
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
    printf("\"treelet_bytes\": %u, \"treelets\": %u, \"treelet_fill\": %.9g, "
           "\"treelet_depth\": %u, ",
           s->treelet_bytes, s->treelets, treelet_fill(s), treelet_depth(s));
    if (corbel_scene_has_trees(s))
        info_trees_json(s);
    json_vector("eye", s->eye);
    json_vector("look", s->look);
    printf("\"fov\": %.9g}\n", s->fov);
}

/* Triangles without an area, which the tree leaves out. */
static uint32_t count_degenerate(const struct mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->triangles; i++) {
        struct corbel_triangle triangle;
        mesh_triangle(mesh, i, &triangle);
        count += triangle_degenerate(&triangle);
    }
    return count;
}

/* Prints the mesh as convert would find it, without building a tree. */
void info_mesh_text(const struct mesh *mesh)
{
    const struct corbel_box b = mesh_bounds(mesh);
    char *notes = mesh_notes(mesh);
    printf("triangles   %u, %u without area\n", mesh->triangles,
           count_degenerate(mesh));
    printf("vertices    %u\n", mesh->vertices);
    printf("bounds      %g %g %g to %g %g %g\n", b.min[0], b.min[1], b.min[2],
           b.max[0], b.max[1], b.max[2]);
    printf("left out    %s\n", notes ? notes : "nothing");
    free(notes);
}

/* All notes with their counts, those of 0 as well, so that a reader finds each
 * field. */
void info_mesh_json(const struct mesh *mesh)
{
    static const char *const name[] = {
#define X(name, words) #name,
        MESH_NOTES(X)
#undef X
    };
    const struct corbel_box bounds = mesh_bounds(mesh);
    printf("{\"triangles\": %u, \"degenerate\": %u, \"vertices\": %u, ",
           mesh->triangles, count_degenerate(mesh), mesh->vertices);
    json_vector("bounds_min", bounds.min);
    json_vector("bounds_max", bounds.max);
    printf("\"left_out\": {");
    for (int i = 0; i < MESH_NOTE_KINDS; i++)
        printf("%s\"%s\": %llu", i ? ", " : "", name[i],
               (unsigned long long)mesh->note[i]);
    printf("}}\n");
}

/* The first fault is kept: it is what the command tells. */
void info_fault(struct info_walk *walk, enum corbel_part part, uint32_t number,
                uint64_t offset, const char *what)
{
    if (walk->flaw.what == NULL)
        walk->flaw = (struct corbel_flaw){what, part, number, offset};
}

/* Touching is enough. */
static bool boxes_meet(const struct corbel_box *a, const struct corbel_box *b)
{
    for (int i = 0; i < 3; i++)
        if (!(a->min[i] <= b->max[i] && b->min[i] <= a->max[i]))
            return false;
    return true;
}

/* Bit by bit: a leaf loses nothing. */
static bool same_triangle(const struct corbel_scene *scene, uint32_t index,
                          const struct corbel_triangle *triangle)
{
    struct corbel_triangle face;
    corbel_scene_triangle(scene, index, &face);
    return memcmp(&face, triangle, sizeof face) == 0;
}

void info_walk_leaf(struct info_walk *walk, uint32_t ref,
                    const struct corbel_box *box)
{
    const struct corbel_scene *scene = walk->scene;
    const uint64_t offset = corbel_ref_offset(ref);
    const void *leaf = corbel_scene_at(scene, offset);
    const unsigned count =
        corbel_leaf_count(scene->leaf_format, leaf, corbel_ref_grains(ref));
    for (unsigned i = 0; i < count; i++) {
        struct corbel_triangle triangle;
        const uint32_t index = corbel_leaf_triangle(scene->leaf_format, scene,
                                                    leaf, i, &triangle) &
                               walk->number;
        const struct corbel_box bounds = triangle_box(&triangle);
        if (!same_triangle(scene, index, &triangle))
            info_fault(walk, CORBEL_PART_LEAF, 0, offset,
                       "has a triangle that differs from the face it names");
        else if (box != NULL && !boxes_meet(box, &bounds))
            info_fault(walk, CORBEL_PART_LEAF, 0, offset,
                       "has a triangle that its box does not touch");
        walk->seen[index] = 1;
    }
}

/* The leaves of one node. All nodes of the array are visited, so there is no
 * recursion. */
static void walk_node(struct info_walk *walk, uint32_t number)
{
    const struct corbel_scene *scene = walk->scene;
    struct corbel_node_children children;
    corbel_node_decode(
        scene->format,
        corbel_scene_at(scene, corbel_node_offset(scene, number)),
        corbel_leaf_grain(scene->leaf_format) / CORBEL_REF_UNIT, &children);
    for (unsigned i = 0; i < children.count; i++)
        if (corbel_ref_is_leaf(children.ref[i]))
            info_walk_leaf(walk, children.ref[i], &children.box[i]);
}

/* Every triangle is in a leaf or has no area. */
static void check_all_seen(struct info_walk *walk)
{
    const struct corbel_scene *scene = walk->scene;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < scene->triangles; i++) {
        struct corbel_triangle triangle;
        corbel_scene_triangle(scene, i, &triangle);
        missing += !walk->seen[i];
        if (!walk->seen[i] && !triangle_degenerate(&triangle))
            info_fault(walk, CORBEL_PART_FACE, i,
                       scene->faces_offset + (uint64_t)i * 12,
                       "has an area and is in no leaf");
    }
    if (missing != scene->degenerate)
        info_fault(walk, CORBEL_PART_HEADER, 0, 0,
                   "damaged: the header counts degenerate triangles wrongly");
    if (scene->duplicates != scene->references - (scene->triangles - missing))
        info_fault(walk, CORBEL_PART_HEADER, 0, 0,
                   "damaged: the header counts duplicates wrongly");
}

/*
 * False: why says what is wrong. The scene must be one that can be traversed.
 */
bool info_verify(const struct corbel_scene *scene, char why[CORBEL_WHY])
{
    const bool trees = corbel_scene_has_trees(scene);
    struct info_walk walk = {.scene = scene,
                             .number = trees ? CORBEL_INDEX_NUMBER : ~0u,
                             .seen = allocate(scene->triangles + 1, 1)};
    if (trees)
        info_walk_trees(&walk);
    for (uint32_t node = 0; !trees && node < corbel_node_numbers(scene); node++)
        if (corbel_node_exists(scene, node))
            walk_node(&walk, node);
    if (corbel_ref_is_leaf(scene->root))
        info_walk_leaf(&walk, scene->root, NULL);
    check_all_seen(&walk);
    free(walk.seen);
    if (walk.flaw.what != NULL)
        corbel_flaw_text(&walk.flaw, why);
    return walk.flaw.what == NULL;
}
