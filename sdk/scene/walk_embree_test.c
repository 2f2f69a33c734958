/*
 * The walk's hits are those of Embree, another program: ray masks, filter
 * functions, primitives of a program's own, one level of instances. Hits and
 * distances agree but for rays that pass a silhouette within rounding errors.
 */
#include "walk_bench.h"

#include "ci/tests/runs.h"

#include <embree3/rtcore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define RAYS 4000 /* as usual, of each scene */
#define SCENES 6

/* A geometry of Embree stands for one of ours. */
struct part {
    const struct corbel_scene *scene;
    const struct corbel_box *boxes;
    const struct corbel_geometry *geometry;
};

struct world {
    RTCDevice device;
    RTCScene top;
    RTCScene lower[8];
    struct part part[16];
};

/* Embree calls back for one ray at a time here, which lies as its RTCRay. */
static struct corbel_ray ray_of(const struct RTCRay *ray)
{
    return (struct corbel_ray){{ray->org_x, ray->org_y, ray->org_z},
                               ray->tnear,
                               {ray->dir_x, ray->dir_y, ray->dir_z},
                               ray->tfar};
}

/* A triangle of a geometry that is not opaque: every third one is not there.
 * Places within a triangle do not matter, as they round in another way. */
static void filter(const struct RTCFilterFunctionNArguments *a)
{
    const struct part *part = a->geometryUserPtr;
    const uint32_t index =
        part->geometry->first + ((const struct RTCHit *)a->hit)->primID;
    if (index % 3 == 0 && !(part->geometry->flags & CORBEL_GEOMETRY_OPAQUE))
        a->valid[0] = 0;
}

static void sphere_bounds(const struct RTCBoundsFunctionArguments *a)
{
    const struct part *part = a->geometryUserPtr;
    const struct corbel_box *box =
        &part->boxes[part->geometry->first + a->primID];
    *a->bounds_o = (struct RTCBounds){
        box->min[0], isnan(box->min[1]) ? box->max[1] : box->min[1],
        box->min[2], 0,
        box->max[0], box->max[1],
        box->max[2], 0};
}

static void sphere_hit(const struct RTCIntersectFunctionNArguments *a)
{
    const struct part *part = a->geometryUserPtr;
    const uint32_t number = part->geometry->first + a->primID;
    struct RTCRayHit *at = (struct RTCRayHit *)a->rayhit;
    const struct corbel_ray its = ray_of(&at->ray);
    float t;
    if (!a->valid[0] || isnan(part->boxes[number].min[1]) ||
        !bench_sphere(&its, &part->boxes[number], &t) || t > its.tmax)
        return;
    at->ray.tfar = t;
    at->hit.primID = a->primID;
    at->hit.geomID = a->geomID;
    at->hit.instID[0] = a->context->instID[0];
}

static RTCGeometry make_part(struct world *w, struct part *part, bool boxes)
{
    const struct corbel_scene *s = part->scene;
    const struct corbel_geometry *g = part->geometry;
    RTCGeometry made = rtcNewGeometry(
        w->device, boxes ? RTC_GEOMETRY_TYPE_USER : RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryUserData(made, part);
    rtcSetGeometryMask(made, 0xFFFFFFFF);
    if (boxes) {
        rtcSetGeometryUserPrimitiveCount(made, g->count);
        rtcSetGeometryBoundsFunction(made, sphere_bounds, part);
        rtcSetGeometryIntersectFunction(made, sphere_hit);
    } else {
        float *v = rtcSetNewGeometryBuffer(made, RTC_BUFFER_TYPE_VERTEX, 0,
                                           RTC_FORMAT_FLOAT3, 12, s->vertices);
        if (s->vertices)
            memcpy(v, corbel_scene_vertex(s, 0), 12 * (size_t)s->vertices);
        uint32_t *f = rtcSetNewGeometryBuffer(made, RTC_BUFFER_TYPE_INDEX, 0,
                                              RTC_FORMAT_UINT3, 12, g->count);
        if (g->count)
            memcpy(f, corbel_scene_face(s, g->first), 12 * (size_t)g->count);
        rtcSetGeometryIntersectFilterFunction(made, filter);
    }
    rtcCommitGeometry(made);
    return made;
}

/* Instances get their numbers, and masks, from ours. */
static void make_instance(struct world *w, const struct corbel_scene *scene,
                          uint32_t number)
{
    const struct corbel_placement *p = corbel_scene_placement(scene, number);
    RTCGeometry made = rtcNewGeometry(w->device, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(made, w->lower[p->tree]);
    rtcSetGeometryTransform(made, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR,
                            p->transform);
    rtcSetGeometryMask(made, corbel_scene_line(scene, p->line)->mask);
    rtcCommitGeometry(made);
    rtcAttachGeometryByID(w->top, made, number);
    rtcReleaseGeometry(made);
}

static RTCScene new_scene(struct world *w)
{
    RTCScene scene = rtcNewScene(w->device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    return scene;
}

static void make_world(struct world *w, const struct corbel_scene *scene,
                       const struct corbel_box *boxes)
{
    w->device = rtcNewDevice("threads=1");
    w->top = new_scene(w);
    for (uint32_t i = 1; i < scene->trees; i++) {
        const struct corbel_tree *tree = corbel_scene_tree(scene, i);
        w->lower[i] = new_scene(w);
        for (uint32_t k = 0; k < tree->geometries; k++) {
            const uint32_t number = tree->first_geometry + k;
            w->part[number] = (struct part){
                scene, boxes, corbel_scene_geometry(scene, number)};
            RTCGeometry made =
                make_part(w, &w->part[number], tree->kind == CORBEL_TREE_BOXES);
            rtcAttachGeometryByID(w->lower[i], made, k);
            rtcReleaseGeometry(made);
        }
        rtcCommitScene(w->lower[i]);
    }
    for (uint32_t i = 0; i < scene->instances; i++)
        make_instance(w, scene, i);
    rtcCommitScene(w->top);
}

static void free_world(struct world *w, uint32_t trees)
{
    rtcReleaseScene(w->top);
    for (uint32_t i = 1; i < trees; i++)
        rtcReleaseScene(w->lower[i]);
    rtcReleaseDevice(w->device);
}

static struct RTCRayHit by_embree(const struct world *w,
                                  const struct corbel_ray *ray, unsigned mask)
{
    struct RTCIntersectContext context;
    struct RTCRayHit r = {.ray = {.org_x = ray->o[0],
                                  .org_y = ray->o[1],
                                  .org_z = ray->o[2],
                                  .dir_x = ray->d[0],
                                  .dir_y = ray->d[1],
                                  .dir_z = ray->d[2],
                                  .tfar = ray->tmax,
                                  .mask = mask},
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID,
                                  .instID = {RTC_INVALID_GEOMETRY_ID}}};
    rtcInitIntersectContext(&context);
    rtcIntersect1(w->top, &context, &r);
    return r;
}

/* The same program for the walk. */
static void by_walk(const struct corbel_scene *scene,
                    const struct corbel_ray *ray, unsigned mask,
                    const struct corbel_box *boxes, struct corbel_long_hit *hit)
{
    const struct corbel_traversal_setup setup = {4, true};
    struct corbel_walk w;
    struct corbel_ray object;
    enum corbel_event event;
    corbel_walk_start(&w, scene, ray, 0, mask, &setup);
    while ((event = corbel_walk_next(&w, scene)) >= CORBEL_EVENT_TRIANGLE) {
        float t;
        corbel_walk_candidate(&w, scene, hit);
        corbel_walk_object_ray(&w, &object);
        if (event == CORBEL_EVENT_TRIANGLE && hit->index % 3 != 0)
            corbel_walk_accept(&w);
        else if (event == CORBEL_EVENT_BOX &&
                 bench_sphere(&object, &boxes[hit->index], &t))
            corbel_walk_report(&w, t, 0, 0);
    }
    corbel_walk_hit(&w, scene, hit);
}

struct tally {
    unsigned rays, hits;
    unsigned silhouettes; /* where a ray beside it gets Embree's answer */
    unsigned differ;
};

/* Both miss, or hit at the same distance. */
static bool agree(const struct RTCRayHit *theirs,
                  const struct corbel_long_hit *ours)
{
    const bool hit = theirs->hit.geomID != RTC_INVALID_GEOMETRY_ID;
    return hit == (ours->kind != CORBEL_HIT_NONE) &&
           (!hit ||
            fabsf(theirs->ray.tfar - ours->t) <= 1e-5f * ours->t + 1e-6f);
}

/* Does a ray within 2e-5 of the scene's size agree? */
static bool at_silhouette(const struct corbel_scene *scene,
                          const struct corbel_ray *ray, unsigned mask,
                          const struct corbel_box *boxes,
                          const struct RTCRayHit *theirs)
{
    const float near = 2e-5f * (float)corbel_box_extent(&scene->bounds);
    for (int i = 0; i < 200; i++) {
        struct corbel_ray beside = *ray;
        struct corbel_long_hit hit;
        for (int k = 0; k < 3; k++) {
            const float by = bench_uniform(-near, near);
            beside.o[k] += by;
            if (i % 2) /* towards the same point */
                beside.d[k] -= by;
        }
        by_walk(scene, &beside, mask, boxes, &hit);
        if (hit.kind == CORBEL_HIT_NONE
                ? theirs->hit.geomID == RTC_INVALID_GEOMETRY_ID
                : fabsf(theirs->ray.tfar - hit.t) <= 1e-3f)
            return true;
    }
    return false;
}

/* At any point of an instance, from anywhere around. */
static struct corbel_ray any_ray(const struct corbel_scene *scene)
{
    struct corbel_ray ray = {.tmax = INFINITY};
    float target[3];
    bench_target(scene, target);
    for (int k = 0; k < 3; k++) {
        ray.o[k] = bench_uniform(-20, 20);
        ray.d[k] = target[k] + bench_uniform(-.5f, .5f) - ray.o[k];
    }
    return ray;
}

static void compare(const struct world *w, const struct corbel_scene *scene,
                    const struct corbel_box *boxes, struct tally *tally)
{
    const struct corbel_ray ray = any_ray(scene);
    const unsigned mask = rand() % 2 ? 0xFF : 1u << rand() % 8;
    struct corbel_long_hit hit;
    const struct RTCRayHit r = by_embree(w, &ray, mask);
    by_walk(scene, &ray, mask, boxes, &hit);
    tally->rays++;
    tally->hits += hit.kind != CORBEL_HIT_NONE;
    if (agree(&r, &hit))
        return;
    if (at_silhouette(scene, &ray, mask, boxes, &r)) {
        tally->silhouettes++;
        return;
    }
    tally->differ++;
    print_message("t %.9g instance %u index %u kind %u, Embree's t %.9g "
                  "instance %u geometry %u primitive %u\n",
                  hit.t, hit.instance, hit.index, hit.kind, r.ray.tfar,
                  r.hit.instID[0], r.hit.geomID, r.hit.primID);
}

/* No flags of instances: Embree does not know them. */
static void make_model(struct model *model)
{
    bench_trees(model);
    bench_instances(model, 50, 10);
    for (uint32_t i = 0; i < model->instances; i++)
        model->instance[i].flags = 0;
}

static void hits_are_those_of_embree(void **state)
{
    static const struct layout layout = {CORBEL_NODES_cwbvh8,
                                         CORBEL_LEAVES_packed, 4};
    struct tally tally = {0};
    srand(9);
    for (int i = 0; i < SCENES; i++) {
        struct model model = {0};
        struct world w = {0};
        make_model(&model);
        struct corbel_scene *scene =
            model_encode(&model, &layout, QUALITY_HIGH);
        make_world(&w, scene, model.box);
        for (unsigned k = 0; k < test_runs(RAYS); k++)
            compare(&w, scene, model.box, &tally);
        free_world(&w, scene->trees);
        free(scene);
        model_free(&model);
    }
    print_message("%u rays, %u hits, %u at silhouettes, %u differ\n",
                  tally.rays, tally.hits, tally.silhouettes, tally.differ);
    assert_true(tally.hits > tally.rays / 4);
    assert_int_equal(tally.differ, 0);
    assert_true(tally.silhouettes <= 1 + tally.rays / 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_are_those_of_embree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
