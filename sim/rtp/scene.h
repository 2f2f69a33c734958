/*
 * The triangles of a program, as they lie in a file and in host memory: a
 * stream of 16-byte records of 4 words. First triangles (v0, v1, v2, shader
 * word), of which shader word 0 ends the list; then vertices (x, y, z, flag),
 * of which flag 0 ends them. What follows is padding. No triangle at all is a
 * legal scene, in which every ray misses.
 */
#ifndef SIM_RTP_SCENE_H
#define SIM_RTP_SCENE_H

#include "sim/core/error.h"
#include "sim/rtp/intersect.h"
#include <stddef.h>

struct rtp_scene {
    struct rtp_triangle triangles[RTP_TRIANGLES_ROOM];
    uint32_t count, vertices;
};

/* Fails on a list without an end, on more triangles than `most` or more
 * vertices than there can be, and on a vertex that is not there. */
bool rtp_scene_read(struct rtp_scene *scene, const void *bytes, size_t size,
                    uint32_t most, struct error *error);

/*
 * Cycles in which the loader takes lines of 64 bytes apart: a record of the
 * list of triangles takes 4, one behind the list's end 1, and each line 3 on
 * top; but the record that ends the list takes none.
 */
uint32_t rtp_scene_line_cycles(const struct rtp_scene *scene, uint32_t line);
uint32_t rtp_scene_lines(const struct rtp_scene *scene);

#endif
