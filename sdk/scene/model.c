/* What a model is made up of, one after the other. */
#include "model.h"

#include "sdk/common/report.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more element, in steps that double. */
static void *room(void *array, uint32_t count, uint32_t *have, size_t each)
{
    if (count < *have)
        return array;
    *have = *have > 0 ? 2 * *have : 16;
    array = realloc(array, *have * each);
    if (array == NULL)
        fail(STATUS_OUTPUT, "out of memory: %u elements of a scene", *have);
    return array;
}

uint32_t model_add_tree(struct model *model, uint32_t kind)
{
    model->tree =
        room(model->tree, model->trees, &model->tree_room, sizeof *model->tree);
    model->tree[model->trees] = (struct model_tree){kind, model->geometries, 0};
    return model->trees++;
}

void model_begin(struct model *model, uint32_t kind)
{
    model_add_tree(model, kind);
    model->extras = CORBEL_SCENE_ALIGN;
}

void model_free(struct model *model)
{
    mesh_free(&model->mesh);
    free(model->box);
    free(model->tree);
    free(model->geometry);
    free(model->instance);
    free(model->extra);
    memset(model, 0, sizeof *model);
}

struct corbel_geometry *model_add_geometry(struct model *model, uint32_t flags,
                                           uint32_t record)
{
    struct model_tree *tree = &model->tree[model->trees - 1];
    model->geometry = room(model->geometry, model->geometries,
                           &model->geometry_room, sizeof *model->geometry);
    struct corbel_geometry *geometry = &model->geometry[model->geometries++];
    *geometry = (struct corbel_geometry){
        .flags = flags,
        .tree = model->trees - 1,
        .first = tree->kind == CORBEL_TREE_BOXES ? model->boxes
                                                 : model->mesh.triangles,
        .record = record,
    };
    tree->geometries++;
    return geometry;
}

void model_add_box(struct model *model, const struct corbel_box *box)
{
    model->box =
        room(model->box, model->boxes, &model->box_room, sizeof *model->box);
    model->box[model->boxes++] = *box;
}

void model_add_instance(struct model *model,
                        const struct model_instance *instance)
{
    model->instance = room(model->instance, model->instances,
                           &model->instance_room, sizeof *model->instance);
    model->instance[model->instances++] = *instance;
}

uint64_t model_add_extra(struct model *model, const void *data, size_t bytes)
{
    const size_t at = model->extras;
    const size_t end = (at + bytes + CORBEL_SCENE_ALIGN - 1) /
                       CORBEL_SCENE_ALIGN * CORBEL_SCENE_ALIGN;
    if (end > model->extra_room) {
        model->extra_room = 2 * end;
        model->extra = realloc(model->extra, model->extra_room);
        if (model->extra == NULL)
            fail(STATUS_OUTPUT, "out of memory: %zu bytes of textures", end);
    }
    memset(model->extra + at, 0, end - at);
    memcpy(model->extra + at, data, bytes);
    model->extras = end;
    return at;
}
