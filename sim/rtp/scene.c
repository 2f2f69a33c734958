#include "sim/rtp/scene.h"
#include <string.h>

#define RECORD 16u
#define PER_LINE 4u

/* Each list ends with a record of its own. */
_Static_assert((RTP_TRIANGLES_ROOM + 1 + RTP_VERTICES_MAX + 1) * RECORD ==
                   RTP_triangles_bytes,
               "the triangle memory has room for both lists");

struct stream {
    const unsigned char *bytes;
    size_t records;
};

static void record_at(const struct stream *s, size_t i, uint32_t words[4])
{
    memcpy(words, s->bytes + i * RECORD, RECORD);
}

/* Records from `from` on before the one whose last word is 0; that of the
 * stream if there is none. */
static size_t records_before_end(const struct stream *s, size_t from)
{
    uint32_t words[4];
    for (size_t i = from; i < s->records; i++) {
        record_at(s, i, words);
        if (!words[3])
            return i - from;
    }
    return SIZE_MAX;
}

static bool count(struct rtp_scene *scene, const struct stream *s,
                  uint32_t most, struct error *error)
{
    size_t triangles = records_before_end(s, 0), vertices = 0;
    if (triangles == SIZE_MAX)
        return error_set(error, "the list of triangles has no end: expected a "
                                "record with shader word 0");
    if (triangles > most)
        return error_set(error, "%zu triangles: expected %u at most", triangles,
                         most);
    vertices = records_before_end(s, triangles + 1);
    if (vertices == SIZE_MAX)
        return error_set(error, "the list of vertices has no end: expected a "
                                "record with flag 0");
    if (vertices > RTP_VERTICES_MAX)
        return error_set(error, "%zu vertices: expected %u at most", vertices,
                         RTP_VERTICES_MAX);
    scene->count = (uint32_t)triangles;
    scene->vertices = (uint32_t)vertices;
    return true;
}

static bool read_triangle(struct rtp_scene *scene, const struct stream *s,
                          uint32_t i, struct error *error)
{
    uint32_t words[4], vertex[4];
    struct rtp_triangle *t = &scene->triangles[i];
    record_at(s, i, words);
    t->shader = words[3];
    for (unsigned k = 0; k < 3; k++) {
        uint32_t index = words[k] % RTP_VERTICES_MAX;
        if (index >= scene->vertices)
            return error_set(error,
                             "triangle %u: there is no vertex %u, there are %u",
                             i, index, scene->vertices);
        record_at(s, scene->count + 1 + index, vertex);
        memcpy(&t->v[k], vertex, sizeof t->v[k]);
    }
    return true;
}

bool rtp_scene_read(struct rtp_scene *scene, const void *bytes, size_t size,
                    uint32_t most, struct error *error)
{
    struct stream s = {bytes, size / RECORD};
    if (size % RECORD)
        return error_set(error,
                         "%zu bytes of triangles: expected a multiple "
                         "of %u",
                         size, RECORD);
    if (!count(scene, &s, most, error))
        return false;
    for (uint32_t i = 0; i < scene->count; i++)
        if (!read_triangle(scene, &s, i, error))
            return false;
    return true;
}

uint32_t rtp_scene_lines(const struct rtp_scene *scene)
{
    uint32_t records = scene->count + 1 + scene->vertices + 1;
    return (records + PER_LINE - 1) / PER_LINE;
}

uint32_t rtp_scene_line_cycles(const struct rtp_scene *scene, uint32_t line)
{
    uint32_t cycles = 3;
    for (uint32_t i = line * PER_LINE; i < (line + 1) * PER_LINE; i++)
        cycles += i < scene->count ? 4 : i > scene->count;
    return cycles;
}
