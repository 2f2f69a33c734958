/*
 * The interface of Corbel for programs, the same on the target and natively.
 *
 * A program's main() runs on hart 0. corbel_launch() runs a kernel on every
 * hart; kernels take work with corbel_next() and write results to memory:
 *
 *     static void kernel(void *arg)
 *     {
 *         struct frame *frame = arg;
 *         for (uint32_t i; (i = corbel_next()) < frame->pixels;)
 *             shade(frame, i);
 *     }
 *
 * A hart is one thread from the program's start to its end: it has thread-local
 * variables of its own, which stay from launch to launch. The C and the C++
 * library may be used by several harts at once. On the target a kernel's stack
 * may be small, 1 KiB on some chips, which is too little for stdio, exceptions
 * and streams (docs/guides/cxx.md).
 */
#ifndef CORBEL_CORBEL_H
#define CORBEL_CORBEL_H

#include <corbel/group.h>
#include <corbel/managed.h>
#include <corbel/types.h>
#include <corbel/xtrav.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct corbel_scene; /* <corbel/scene.h> */

/* Harts of the chip; natively the threads of a launch (CORBEL_THREADS). */
unsigned corbel_harts(void);

/* Number of the calling hart, 0 .. corbel_harts() - 1. */
unsigned corbel_hart(void);

/*
 * Runs kernel(arg) on every hart, the calling one included, and returns when
 * all have finished. The work index starts again at 0. What was written
 * before is seen by the kernel, what the kernel wrote is seen after. Only
 * hart 0 may call it, and not from within a kernel.
 */
void corbel_launch(void (*kernel)(void *arg), void *arg);

/* The next work index of the running kernel: each of 0, 1, 2 .. exactly once.
 */
static inline uint32_t corbel_next(void)
{
    return corbel_fchthrd();
}

/*
 * Announces how many indices the next launch will work through, for the
 * progress display and for sim-run --permute, which then hands out these in
 * another order; changes nothing else.
 */
void corbel_work(uint64_t items);

/*
 * Announces where the following kernels' frame buffer lies, so that the
 * simulator counts its bytes in main memory apart from those of other data;
 * changes nothing else. The last call counts; 0 bytes: there is none.
 */
void corbel_frame(const void *pixels, size_t bytes);

/*
 * The closest hit of the ray in the scene that is bound (corbel_scene_open,
 * corbel_scene_use), or with CORBEL_ANY the first one found. A miss has index
 * CORBEL_MISS and the ray's tmax as t. The ray's direction need not be
 * normalised (struct corbel_ray has its bounds). By the RT core.
 */
static inline void corbel_trace(const struct corbel_ray *ray, unsigned flags,
                                struct corbel_hit *hit)
{
    corbel_traceray(ray, flags, hit);
}

/*
 * Distance at which a ray enters a box, the ray's tmax if it misses. ray_inv
 * has the reciprocal of each component in place of the direction.
 */
static inline float corbel_box_entry(const struct corbel_ray *ray_inv,
                                     const struct corbel_box *box)
{
    return corbel_boxisect(ray_inv, box);
}

/* Its name of before, in C only: in C++ it would hide the record. */
#ifndef __cplusplus
static inline float corbel_box(const struct corbel_ray *ray_inv,
                               const struct corbel_box *box)
{
    return corbel_box_entry(ray_inv, box);
}
#endif

/*
 * Tests a ray against the triangle with this index: *hit becomes the closer of
 * itself and the triangle's hit (of equally distant ones that with the smaller
 * index). Returns its distance.
 */
static inline float corbel_tri(const struct corbel_ray *ray,
                               const struct corbel_triangle *triangle,
                               uint32_t index, struct corbel_hit *hit)
{
    return corbel_triisect(ray, triangle, index, hit);
}

/*
 * Makes a .scene file's contents available in memory, read-only and shared by
 * all harts, and binds the RT cores to it. On the target this takes no
 * simulated time. NULL on failure, with errno set; stays open until the
 * program ends.
 */
const struct corbel_scene *corbel_scene_open(const char *path);

/* Binds the RT cores to another open scene. -1 and errno if it is none, or
 * (EBUSY) in a kernel of a chip with ray streams. */
int corbel_scene_use(const struct corbel_scene *scene);

/*
 * Makes any file's contents available in memory, read-only, at an address that
 * is a multiple of 64, and stores their size in *bytes. On the target this
 * takes no simulated time. NULL on failure, with errno set (EINVAL: empty, or
 * no regular file); stays until the program ends. corbel/rays.h has
 * corbel_rays_open() for buffers of rays.
 */
const void *corbel_file_map(const char *path, size_t *bytes);

/* Cycles of this hart since reset (rdcycle); natively nanoseconds. */
uint64_t corbel_cycles(void);

/* The region of interest: what the simulator's statistics of it cover. */
void corbel_roi_begin(void);
void corbel_roi_end(void);

/*
 * Writes an image of 8-bit RGB pixels, rows from the top: PNG or, if the path
 * ends in .ppm, binary PPM. -1 and errno on failure; no half-written file
 * stays.
 */
int corbel_image_write(const char *path, const uint8_t *rgb, unsigned width,
                       unsigned height);

#ifdef __cplusplus
}
#endif

#if __has_include(<corbel/scene.h>)
#include <corbel/scene.h>
#endif
#if __has_include(<corbel/streams.h>)
#include <corbel/streams.h>
#endif
#if __has_include(<corbel/traverse.h>)
#include <corbel/traverse.h>
#endif
#endif
