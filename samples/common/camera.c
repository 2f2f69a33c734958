/* Sets up the camera's frame. */
#include "camera.h"

bool camera_init(struct corbel_camera *camera, const double eye[3],
                 const double look[3], double fov, unsigned width,
                 unsigned height)
{
    return corbel_camera_init(camera, eye, look, fov, width, height);
}
