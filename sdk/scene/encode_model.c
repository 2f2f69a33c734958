/*
 * Lays a model out as a scene of version 3. Trees of triangles are built and
 * written as a scene's only one is; those of boxes and of instances by
 * corbel/boxtree.h. As there, a first pass counts and a second one writes.
 */
#include "encode.h"
#include "model.h"
#include "sdk/common/report.h"

#include <corbel/place.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A tree on its way. */
struct part {
    struct mesh mesh; /* its faces, with the vertices of all */
    uint32_t *word;   /* what leaves say of a face */
    struct tree tree;
    struct collapse collapse;
    struct corbel_box *box; /* of boxes or instances; NULL: of triangles */
    struct corbel_boxtree by;
    uint32_t first;       /* of its faces or boxes */
    uint32_t first_grain; /* of its leaves of boxes */
    struct corbel_tree record;
};

struct maker {
    struct encoder e;
    struct model *model;
    enum quality quality;
    struct part *part;            /* by tree */
    struct corbel_instance *line; /* by number */
};

/* Of a geometry, what comes before the next one's. */
static void close_geometries(struct model *model)
{
    uint32_t face = model->mesh.triangles, box = model->boxes;
    for (uint32_t i = model->geometries; i-- > 0;) {
        struct corbel_geometry *g = &model->geometry[i];
        const bool boxes = model->tree[g->tree].kind == CORBEL_TREE_BOXES;
        uint32_t *end = boxes ? &box : &face;
        g->count = *end - g->first;
        *end = g->first;
    }
}

/* Which faces or boxes a tree has; *first: the number of the first one. */
static uint32_t range_of(const struct model *model,
                         const struct model_tree *tree, uint32_t *first)
{
    uint32_t count = 0;
    *first = 0;
    for (uint32_t i = 0; i < tree->geometries; i++) {
        const struct corbel_geometry *g =
            &model->geometry[tree->first_geometry + i];
        *first = i == 0 ? g->first : *first;
        count += g->count;
    }
    return count;
}

/* What a leaf says of a face or box of the geometry. */
static uint32_t word_of(const struct corbel_geometry *geometry, uint32_t number)
{
    return geometry->flags & CORBEL_GEOMETRY_OPAQUE
               ? number
               : number | CORBEL_INDEX_NON_OPAQUE;
}

/* Words of a tree's faces or boxes. */
static uint32_t *make_words(const struct model *model,
                            const struct model_tree *tree, uint32_t count)
{
    uint32_t *word = allocate(count + 1, sizeof *word), next = 0;
    for (uint32_t i = 0; i < tree->geometries; i++) {
        const struct corbel_geometry *g =
            &model->geometry[tree->first_geometry + i];
        for (uint32_t k = 0; k < g->count; k++)
            word[next++] = word_of(g, g->first + k);
    }
    return word;
}

/* Bounds as the record has them: of nothing, zeros. */
static void set_bounds(struct corbel_tree *record, const struct corbel_box *box)
{
    record->bounds = box->min[0] <= box->max[0] ? *box : (struct corbel_box){0};
    record->extent = corbel_round_down(corbel_box_extent(&record->bounds));
    record->widen = CORBEL_TREE_PAD;
    if (record->kind == CORBEL_TREE_BOXES)
        record->extent = 0; /* their boxes have no padding */
}

static void count_triangles(struct maker *m, struct part *part, uint32_t count)
{
    part->mesh = m->model->mesh;
    if (part->mesh.face)
        part->mesh.face += part->first;
    part->mesh.triangles = count;
    tree_build(&part->mesh, m->quality, &part->tree);
    part->tree.word = part->word;
    collapse_tree(&part->mesh, &part->tree, &m->e.layout, &part->collapse);
    const struct corbel_box bounds = mesh_bounds(&part->mesh);
    set_bounds(&part->record, &bounds);
    m->e.header.degenerate += part->tree.degenerate;
}

/* Counts nodes of the part, or writes them, behind those that are there. */
static void emit_triangles(struct maker *m, struct part *part)
{
    struct encoder *e = &m->e;
    e->mesh = &part->mesh;
    e->tree = &part->tree;
    e->collapse = part->collapse;
    e->header.max_depth = 0;
    part->record.root = encode_tree(e);
    if (e->scene == NULL)
        part->record.max_depth = e->header.max_depth;
}

/* A box that can be met: its numbers have an order and are not too large. */
static bool box_active(const struct corbel_box *box)
{
    for (int i = 0; i < 3; i++)
        if (!(box->min[i] <= box->max[i] && box->min[i] >= -0x1p40f &&
              box->max[i] <= 0x1p40f))
            return false;
    return true;
}

/* A tree over boxes; those that are not active are not in it. */
static void begin_boxes(struct maker *m, struct part *part, uint32_t count)
{
    part->by.box = part->box;
    part->by.order = allocate(count + 1, sizeof *part->by.order);
    part->by.leaf = allocate(count + 1, sizeof *part->by.leaf);
    part->by.format = m->e.layout.nodes;
    part->by.grain_units =
        corbel_tree_grain(&m->e.header, part->record.kind) / CORBEL_REF_UNIT;
}

static void count_boxes(struct maker *m, struct part *part, uint32_t count)
{
    struct corbel_box bounds = box_empty();
    part->box = allocate(count + 1, sizeof *part->box);
    begin_boxes(m, part, count);
    for (uint32_t i = 0; i < count; i++) {
        part->box[i] = m->model->box[part->first + i];
        if (!box_active(&part->box[i]))
            continue;
        part->by.order[part->by.count++] = i;
        box_add(&bounds, &part->box[i]);
    }
    set_bounds(&part->record, &bounds);
}

/* Counts or writes the tree of boxes or instances. */
static void emit_boxes(struct maker *m, struct part *part)
{
    struct encoder *e = &m->e;
    const bool upper = part->record.kind == CORBEL_TREE_INSTANCES;
    part->by.base = e->scene;
    part->by.nodes_offset =
        e->header.nodes_offset +
        (uint64_t)e->next_node * corbel_node_bytes(e->layout.nodes);
    part->by.leaves_offset =
        upper ? e->header.instances_offset
              : e->header.boxes_offset + (uint64_t)part->first_grain *
                                             sizeof(struct corbel_box_leaf);
    corbel_boxtree_build(&part->by);
    if (part->by.refused)
        fail(STATUS_INPUT, "a box is too large for nodes of format %s",
             corbel_node_name(e->layout.nodes));
    e->next_node += part->by.nodes;
    part->record.root = part->by.root;
    part->record.max_depth = part->by.max_depth;
}

/* The leaves of a tree of boxes. */
static void write_boxes(struct maker *m, const struct part *part)
{
    struct corbel_box_leaf *leaf =
        (void *)((char *)m->e.scene + m->e.header.boxes_offset);
    leaf += part->first_grain;
    for (uint32_t i = 0; i < part->by.leaves; i++) {
        leaf[i].box = part->box[part->by.leaf[i]];
        leaf[i].index = part->word[part->by.leaf[i]];
    }
}

/* ---- instances ---- */

/* Can a ray enter the instance? */
static bool instance_active(const struct maker *m,
                            const struct model_instance *instance)
{
    const struct part *lower = &m->part[instance->tree];
    return instance->mask != 0 &&
           (lower->box ? lower->by.count : lower->tree.count) > 0;
}

static void place_instance(struct maker *m, uint32_t number)
{
    struct model_instance *instance = &m->model->instance[number];
    struct corbel_instance *line = &m->line[number];
    const struct corbel_tree *lower = &m->part[instance->tree].record;
    if (!corbel_instance_place(line, instance->transform))
        fail(STATUS_INPUT,
             "instance %u has a transform that cannot be inverted well: its "
             "condition is above 2^20, or a number beyond 2^40",
             number);
    line->mask = instance->mask;
    line->flags = instance->flags;
    line->kind = (uint8_t)lower->kind;
    line->number = number;
    for (int i = 0; i < 3; i++) {
        line->reach = fmaxf(line->reach, fabsf(lower->bounds.min[i]));
        line->reach = fmaxf(line->reach, fabsf(lower->bounds.max[i]));
    }
}

/* Boxes of the active instances, padded once all are known. */
static void count_instances(struct maker *m, struct part *upper)
{
    const uint32_t count = m->model->instances;
    struct corbel_box bounds = box_empty();
    struct corbel_instance_frame *frame = allocate(count + 1, sizeof *frame);
    double condition = 0;
    m->line = allocate(count + 1, sizeof *m->line);
    upper->box = allocate(count + 1, sizeof *upper->box);
    begin_boxes(m, upper, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t tree = m->model->instance[i].tree;
        place_instance(m, i);
        if (!instance_active(m, &m->model->instance[i]) ||
            !corbel_instance_box(&m->line[i], &m->part[tree].record.bounds,
                                 &upper->box[i], &frame[i]))
            continue;
        upper->by.order[upper->by.count++] = i;
        box_add(&bounds, &upper->box[i]);
        condition = fmax(condition, frame[i].norm * frame[i].inverse_norm);
    }
    set_bounds(&upper->record, &bounds);
    upper->record.extent *= CORBEL_INSTANCES_NEAR;
    upper->record.widen = corbel_instances_widen(condition);
    for (uint32_t i = 0; i < upper->by.count; i++) {
        const uint32_t k = upper->by.order[i];
        corbel_instance_pad(&frame[k], m->line[k].reach,
                            CORBEL_INSTANCES_NEAR * corbel_box_extent(&bounds),
                            &upper->box[k]);
    }
    free(frame);
}

/* Lines in the order of the upper tree's leaves, then those of instances that
 * no ray can enter; and what programs read. */
static void write_instances(struct maker *m)
{
    const struct part *upper = &m->part[0];
    struct corbel_scene *s = m->e.scene;
    struct corbel_instance *line =
        (void *)((char *)s + m->e.header.instances_offset);
    struct corbel_placement *placement =
        (void *)((char *)s + m->e.header.placements_offset);
    const uint32_t count = m->model->instances;
    uint32_t *place = allocate(count + 1, sizeof *place);
    uint32_t behind = upper->by.leaves;
    for (uint32_t i = 0; i < upper->by.leaves; i++)
        place[upper->by.leaf[i]] = i + 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct model_instance *instance = &m->model->instance[i];
        const uint32_t at = place[i] > 0 ? place[i] - 1 : behind++;
        line[at] = m->line[i];
        line[at].root = m->part[instance->tree].record.root;
        memcpy(placement[i].transform, instance->transform,
               sizeof placement[i].transform);
        placement[i].custom = instance->custom;
        placement[i].record = instance->record;
        placement[i].tree = instance->tree;
        placement[i].line = at;
    }
    free(place);
}

/* ---- the whole ---- */

/* Lower trees first, which instances are made from. */
static void count_parts(struct maker *m)
{
    for (uint32_t i = m->model->trees; i-- > 0;) {
        struct part *part = &m->part[i];
        const struct model_tree *tree = &m->model->tree[i];
        const uint32_t count = range_of(m->model, tree, &part->first);
        part->record.kind = tree->kind;
        part->record.first_geometry = tree->first_geometry;
        part->record.geometries = tree->geometries;
        part->word = make_words(m->model, tree, count);
        if (tree->kind == CORBEL_TREE_TRIANGLES)
            count_triangles(m, part, count);
        else if (tree->kind == CORBEL_TREE_BOXES)
            count_boxes(m, part, count);
        else
            count_instances(m, part);
    }
}

/* Both passes, in the order of trees. */
static void emit_parts(struct maker *m)
{
    struct encoder *e = &m->e;
    e->next_node = e->next_grain = 0;
    uint32_t boxes = 0, lower = 0;
    for (uint32_t i = 0; i < m->model->trees; i++) {
        struct part *part = &m->part[i];
        part->record.first_node = e->next_node;
        part->first_grain = boxes;
        (part->box ? emit_boxes : emit_triangles)(m, part);
        part->record.nodes = e->next_node - part->record.first_node;
        if (part->record.kind == CORBEL_TREE_BOXES)
            boxes += part->by.leaves;
        if (i > 0 && part->record.max_depth > lower)
            lower = part->record.max_depth;
    }
    e->header.boxes = boxes;
    e->header.max_depth = m->part[0].record.max_depth + lower;
}

/* What references reach comes first. */
static void place_all(struct maker *m)
{
    struct corbel_scene *h = &m->e.header;
    const struct model *model = m->model;
    uint64_t end = sizeof *h;
    h->nodes = m->e.next_node;
    h->grains = m->e.next_grain;
    h->triangles = model->mesh.triangles;
    h->vertices = model->mesh.vertices;
    h->trees = model->trees;
    h->geometries = model->geometries;
    h->instances = model->instances;
    h->extras = model->extra ? (uint32_t)(model->extras / 64) : 0;
    h->nodes_offset =
        encode_place(&end, (uint64_t)h->nodes * corbel_node_bytes(h->format));
    h->leaves_offset = encode_place(
        &end, (uint64_t)h->grains * corbel_leaf_grain(h->leaf_format));
    h->instances_offset = encode_place(
        &end, (uint64_t)h->instances * sizeof(struct corbel_instance));
    h->boxes_offset =
        encode_place(&end, (uint64_t)h->boxes * sizeof(struct corbel_box_leaf));
    if (end / CORBEL_REF_UNIT > CORBEL_REF_UNITS_MAX)
        fail(STATUS_INPUT, "the trees are too large: %lu bytes, at most 2^32",
             (unsigned long)end);
    h->trees_offset =
        encode_place(&end, (uint64_t)h->trees * sizeof(struct corbel_tree));
    h->geometries_offset = encode_place(
        &end, (uint64_t)h->geometries * sizeof(struct corbel_geometry));
    h->placements_offset = encode_place(
        &end, (uint64_t)h->instances * sizeof(struct corbel_placement));
    h->faces_offset = encode_place(&end, (uint64_t)h->triangles * 12);
    h->vertices_offset = encode_place(&end, (uint64_t)h->vertices * 12);
    h->extras_offset = encode_place(&end, (uint64_t)h->extras * 64);
    h->bytes = end;
    m->e.first_grain = h->leaves_offset;
}

/* All of the header that does not say where things are. */
static void describe(struct maker *m)
{
    struct corbel_scene *h = &m->e.header;
    h->bounds = m->part[0].record.bounds;
    h->duplicates = h->references - (h->triangles - h->degenerate);
    h->quality = m->quality;
    h->leaf_limit = m->e.layout.leaf_limit;
    encode_camera(h, &m->model->mesh.camera);
    if (h->max_depth > CORBEL_DEPTH_MAX)
        fail(STATUS_INPUT,
             "the trees have %u levels, at most %u can be traversed",
             h->max_depth, CORBEL_DEPTH_MAX);
}

/* Records, geometries, and what the mesh and the model have. */
static void write_rest(struct maker *m)
{
    const struct model *model = m->model;
    const struct corbel_scene *h = &m->e.header;
    char *at = (char *)m->e.scene;
    struct corbel_tree *record = (void *)(at + h->trees_offset);
    struct corbel_geometry *geometry = (void *)(at + h->geometries_offset);
    for (uint32_t i = 0; i < h->trees; i++)
        record[i] = m->part[i].record;
    for (uint32_t i = 0; i < h->geometries; i++) {
        geometry[i] = model->geometry[i];
        if (geometry[i].texels_offset > 0)
            geometry[i].texels_offset += h->extras_offset;
        if (geometry[i].corners_offset > 0)
            geometry[i].corners_offset += h->extras_offset;
    }
    if (h->triangles > 0)
        memcpy(at + h->faces_offset, model->mesh.face,
               (size_t)h->triangles * sizeof *model->mesh.face);
    if (h->vertices > 0)
        memcpy(at + h->vertices_offset, model->mesh.vertex,
               (size_t)h->vertices * sizeof *model->mesh.vertex);
    if (h->extras > 0)
        memcpy(at + h->extras_offset + 64, model->extra + 64,
               model->extras - 64);
}

static void write_leaves(struct maker *m)
{
    for (uint32_t i = 0; i < m->model->trees; i++)
        if (m->part[i].record.kind == CORBEL_TREE_BOXES)
            write_boxes(m, &m->part[i]);
    if (m->model->instances > 0)
        write_instances(m);
}

static void free_maker(struct maker *m)
{
    for (uint32_t i = 0; i < m->model->trees; i++) {
        struct part *part = &m->part[i];
        if (part->box == NULL) {
            collapse_free(&part->collapse);
            tree_free(&part->tree);
        }
        free(part->word);
        free(part->box);
        free(part->by.order);
        free(part->by.leaf);
    }
    free(m->part);
    free(m->line);
}

struct corbel_scene *model_encode(struct model *model,
                                  const struct layout *layout,
                                  enum quality quality)
{
    struct maker m = {
        .e = {.layout = *layout}, .model = model, .quality = quality};
    m.e.header.magic = CORBEL_SCENE_MAGIC;
    m.e.header.version = CORBEL_SCENE_VERSION_TREES;
    m.e.header.format = layout->nodes;
    m.e.header.leaf_format = layout->leaves;
    m.part = allocate(model->trees, sizeof *m.part);
    close_geometries(model);
    count_parts(&m);
    emit_parts(&m);
    place_all(&m);
    describe(&m);
    const struct corbel_scene header = m.e.header;
    m.e.scene = allocate(header.bytes / 64 + 1, 64);
    emit_parts(&m);
    m.e.header = header;
    *m.e.scene = header;
    write_leaves(&m);
    write_rest(&m);
    m.e.scene->hash = corbel_scene_hash(m.e.scene);
    free_maker(&m);
    return m.e.scene;
}
