/* Traces rays with Embree; see embree.h. */
#include "embree.h"

#include "sdk/common/report.h"

#include <embree3/rtcore.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define COMPONENT_MAX 0x1p60f /* of origins and directions */

/* Embree's words for enum quality. */
static const enum RTCBuildQuality rtc_quality[] = {
    [QUALITY_LOW] = RTC_BUILD_QUALITY_LOW,
    [QUALITY_MEDIUM] = RTC_BUILD_QUALITY_MEDIUM,
    [QUALITY_HIGH] = RTC_BUILD_QUALITY_HIGH,
};

/* Copies the mesh; its index in an array is a triangle's or vertex's number. */
static RTCGeometry make_geometry(RTCDevice device,
                                 const struct corbel_scene *scene)
{
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const size_t vertex = 3 * sizeof(float), face = 3 * sizeof(uint32_t);
    void *vertices =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                RTC_FORMAT_FLOAT3, vertex, scene->vertices);
    void *faces =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                RTC_FORMAT_UINT3, face, scene->triangles);
    if (vertices == NULL || faces == NULL)
        fail(STATUS_OUTPUT, "out of memory: Embree's mesh");
    memcpy(vertices, corbel_scene_vertex(scene, 0), vertex * scene->vertices);
    memcpy(faces, corbel_scene_face(scene, 0), face * scene->triangles);
    rtcCommitGeometry(geometry);
    return geometry;
}

/*
 * A scene with one mesh. ROBUST keeps rays from slipping through the edge of
 * two triangles.
 */
static RTCScene make_scene(RTCDevice device, const struct corbel_scene *scene,
                           enum quality quality)
{
    RTCScene made = rtcNewScene(device);
    RTCGeometry geometry = make_geometry(device, scene);
    rtcSetSceneFlags(made, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(made, rtc_quality[quality]);
    rtcAttachGeometry(made, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(made);
    return made;
}

/* Embree's u and v are the barycentrics of the second and third vertex, as in a
 * record of Corbel. */
static struct corbel_hit trace_ray(RTCScene scene, const struct corbel_ray *ray)
{
    struct RTCIntersectContext context;
    struct RTCRayHit r = {
        .ray = {.org_x = ray->o[0],
                .org_y = ray->o[1],
                .org_z = ray->o[2],
                .dir_x = ray->d[0],
                .dir_y = ray->d[1],
                .dir_z = ray->d[2],
                .tnear = ray->tmin,
                .tfar = ray->tmax,
                .mask = ~0u},
        .hit = {.geomID = RTC_INVALID_GEOMETRY_ID},
    };
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return (struct corbel_hit){ray->tmax, 0, 0, CORBEL_MISS};
    return (struct corbel_hit){r.ray.tfar, r.hit.u, r.hit.v, r.hit.primID};
}

/* Embree stops the program at others; its own bound is 1.844e18. */
static bool takes(const struct corbel_ray *ray)
{
    bool bounded = true;
    for (int i = 0; i < 3; i++)
        bounded = bounded && fabsf(ray->o[i]) <= COMPONENT_MAX &&
                  fabsf(ray->d[i]) <= COMPONENT_MAX;
    return bounded && ray->tmin >= 0 && !isnan(ray->tmax);
}

/* All rays are checked before the tree is built. */
void embree_trace(const struct corbel_scene *scene,
                  const struct corbel_ray *rays, uint32_t count,
                  enum quality quality, struct corbel_hit *hits)
{
    for (uint32_t i = 0; i < count; i++)
        if (!takes(&rays[i]))
            fail(STATUS_INPUT,
                 "ray %" PRIu32 ": Embree expects origins and directions "
                 "within +-2^60, and tmin 0 or more",
                 i);
    RTCDevice device = embree_device();
    progress("building Embree's tree");
    RTCScene embree = make_scene(device, scene, quality);
    const enum RTCError error = rtcGetDeviceError(device);
    if (error != RTC_ERROR_NONE)
        fail(STATUS_INPUT, "Embree failed with error %d", (int)error);
    progress(NULL);
    for (uint32_t i = 0; i < count; i++)
        hits[i] = trace_ray(embree, &rays[i]);
    rtcReleaseScene(embree);
    rtcReleaseDevice(device);
}
