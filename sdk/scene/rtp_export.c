/* Records of triangles and vertices for the processor rtp; see rtp.h. */
#include "rtp_export.h"

#include "sdk/common/file.h"
#include "sdk/common/report.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define RECORD 4u /* words */
#define VERTEX_FLAG 1u

/* Refuses more triangles or vertices than the processor takes. */
static void check_size(const struct mesh *mesh, const char *name)
{
    if (mesh->triangles > RTP_TRIANGLES_MAX)
        fail(STATUS_INPUT, "%s: %u triangles, expected %u or fewer for rtp",
             name, mesh->triangles, RTP_TRIANGLES_MAX);
    if (mesh->vertices > RTP_VERTICES_MAX)
        fail(STATUS_INPUT, "%s: %u vertices, expected %u or fewer for rtp",
             name, mesh->vertices, RTP_VERTICES_MAX);
}

/* Never 0, which would end the triangles. */
static uint32_t shader_of(const struct mesh *mesh, uint32_t triangle,
                          uint32_t shader)
{
    const uint32_t material = mesh->face_material[triangle];
    if (shader != 0)
        return shader;
    return material != 0 ? material : mesh->materials + 1;
}

/* A float as the processor has it: IEEE 754, 32 bits. */
static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A record of four words, little-endian. */
static void put(uint32_t *record, uint32_t x, uint32_t y, uint32_t z,
                uint32_t w)
{
    record[0] = htole32(x);
    record[1] = htole32(y);
    record[2] = htole32(z);
    record[3] = htole32(w);
}

/* Both lists end with a record of zeros, which allocate has made already. */
uint32_t *rtp_encode(const struct mesh *mesh, const char *name, uint32_t shader,
                     size_t *words)
{
    check_size(mesh, name);
    const size_t records = mesh->triangles + 1 + mesh->vertices + 1;
    *words = records * RECORD;
    uint32_t *start = allocate(*words, sizeof *start), *record = start;
    for (uint32_t i = 0; i < mesh->triangles; i++, record += RECORD) {
        const uint32_t *face = mesh->face[i];
        put(record, face[0], face[1], face[2], shader_of(mesh, i, shader));
    }
    record += RECORD; /* zeros end the triangles */
    for (uint32_t i = 0; i < mesh->vertices; i++, record += RECORD) {
        const float *v = mesh->vertex[i];
        put(record, bits_of(v[0]), bits_of(v[1]), bits_of(v[2]), VERTEX_FLAG);
    }
    return start; /* zeros end the vertices, too */
}

void rtp_write(const struct mesh *mesh, const char *name, uint32_t shader,
               const char *path)
{
    size_t words;
    struct whole output;
    uint32_t *record = rtp_encode(mesh, name, shader, &words);
    output_open(&output, path);
    fwrite(record, sizeof *record, words, output.file);
    output_close(&output);
    free(record);
}
