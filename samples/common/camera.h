/* The camera of corbel/camera.h, whose set-up the samples compile once. */
#ifndef SAMPLES_CAMERA_H
#define SAMPLES_CAMERA_H

#include <corbel/camera.h>

#ifdef __cplusplus
extern "C" {
#endif

/* corbel_camera_init */
bool camera_init(struct corbel_camera *camera, const double eye[3],
                 const double look[3], double fov, unsigned width,
                 unsigned height);

#ifdef __cplusplus
}
#endif
#endif
