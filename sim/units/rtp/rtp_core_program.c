/*
 * A program of RT cores: its ELF file becomes sections of memory, its results
 * a picture.
 */
#include "sim/units/rtp/rtp_core_program.h"
#include "runtime/include/corbel/hash.h"
#include "sdk/whole/picture_file.h"
#include "sdk/whole/whole.h"
#include "sim/core/heap.h"
#include "sim/rtp/rtp_decode.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { PIXELS, WIDTH, IMAGE, RAW };
const struct core_option rtp_options[RTP_OPTIONS] = {
    [PIXELS] = {"pixels", "N", "pixels of the image, a thread for each", 1,
                RTP_PIXELS_MAX},
    [WIDTH] = {"width", "N", "pixels of a line of the image (all)", 1,
               RTP_PIXELS_MAX},
    [IMAGE] = {"image", "FILE",
               "the results as a picture (PNG or PPM): x, y, z from 0 to 1", 0,
               0},
    [RAW] = {"raw", "FILE", "the results, 4 floats for each pixel", 0, 0},
};

static struct rtp_machine *machine_of(struct chip *chip)
{
    return rtp_machine_of(chip_context(chip));
}

/* ---- sections ---- */

#define RTP_MEMORY(id, section, origin, size, unit, meaning)                   \
    {#id, section, origin, size, unit},
static const struct memory_row {
    const char *name, *section;
    uint32_t origin, size, unit;
} memories[] = {
#include "sdk/isa/rtp.def"
};
enum { PROGRAM, CONSTANTS, TRIANGLES };
#define MEMORIES (sizeof memories / sizeof *memories)

/* The memory that a segment belongs to, NULL: none, and the error says so. */
static const struct memory_row *memory_of(const struct core_program *p,
                                          const struct core_segment *s,
                                          struct error *error)
{
    for (unsigned i = 0; i < MEMORIES; i++) {
        const struct memory_row *m = &memories[i];
        if (s->address < m->origin || s->address - m->origin >= m->size)
            continue;
        uint64_t at = s->address - m->origin;
        if (s->memory_bytes <= m->size - at && at % m->unit == 0 &&
            s->memory_bytes % m->unit == 0)
            return m;
        error_set(error,
                  "%s: %" PRIu64 " bytes at 0x%" PRIx64 ": expected, in %s, a "
                  "multiple of %u bytes, at most %u words",
                  p->path, s->memory_bytes, s->address, m->section, m->unit,
                  m->size / 4);
        return NULL;
    }
    error_set(error,
              "%s: a segment at 0x%" PRIx64 ": expected .text, .const "
              "and .triangles only",
              p->path, s->address);
    return NULL;
}

/* What stands behind the scene is padding; a shader word 0 among the triangles
 * would have made it that. */
static bool nothing_behind(const struct rtp_scene *scene, const uint8_t *bytes,
                           uint64_t size, struct error *error)
{
    uint64_t records = (uint64_t)scene->count + scene->vertices + 2;
    for (uint64_t i = records * 16; i < size; i++)
        if (bytes[i])
            return error_set(error,
                             "the list ends with shader word 0 at triangle %u, "
                             "that of vertices %u records later, but there is "
                             "more behind",
                             scene->count, scene->vertices + 1);
    return true;
}

static bool load_triangles(struct rtp_machine *m, const struct core_program *p,
                           const struct core_segment *s, struct error *error)
{
    struct error why;
    if (s->address == memories[TRIANGLES].origin &&
        rtp_scene_read(&m->scene, s->data, s->file_bytes, RTP_TRIANGLES_MAX,
                       &why) &&
        nothing_behind(&m->scene, s->data, s->file_bytes, &why))
        return true;
    return error_set(error, "%s: %s: %s", p->path, memories[TRIANGLES].section,
                     s->address == memories[TRIANGLES].origin
                         ? why.text
                         : "it does not begin at its address");
}

static void load_words(uint32_t *memory, uint32_t *count,
                       const struct memory_row *row,
                       const struct core_segment *s)
{
    uint32_t at = (uint32_t)(s->address - row->origin) / 4;
    uint32_t end = at + (uint32_t)s->memory_bytes / 4;
    memcpy(memory + at, s->data, s->file_bytes);
    *count = end > *count ? end : *count;
}

static bool load_segment(struct rtp_machine *m, const struct core_program *p,
                         const struct core_segment *s, struct error *error)
{
    const struct memory_row *row = memory_of(p, s, error);
    if (!row)
        return false;
    if (row == &memories[TRIANGLES])
        return load_triangles(m, p, s, error);
    if (row == &memories[PROGRAM])
        load_words(m->words, &m->code_words, row, s);
    else
        load_words(m->constants, &m->const_words, row, s);
    return true;
}

bool rtp_program_load(struct chip *chip, const struct core_program *p,
                      struct error *error)
{
    struct rtp_machine *m = machine_of(chip);
    const struct core_value *v = p->values;
    if (!v[PIXELS].text)
        return error_set(error, "--pixels: expected the number of pixels");
    if (v[WIDTH].text && v[PIXELS].number % v[WIDTH].number)
        return error_set(
            error, "--width %" PRIu64 ": %" PRIu64 " pixels are no whole lines",
            v[WIDTH].number, v[PIXELS].number);
    for (unsigned i = 0; i < p->segment_count; i++)
        if (!load_segment(m, p, &p->segments[i], error))
            return false;
    if (!m->code_words || p->entry)
        return error_set(error, "%s: expected .text, and an entry at 0",
                         p->path);
    for (uint32_t i = 0; i < RTP_CODE_WORDS; i++)
        m->code[i] = rtp_decode(m->words[i]);
    rtp_set_pixels(chip, m, (uint32_t)v[PIXELS].number);
    return true;
}

/* A thread for each pixel. */
uint64_t rtp_program_work(const struct chip *chip)
{
    return machine_of((struct chip *)chip)->pixels;
}

/* ---- the end ---- */

static const uint32_t *result(const struct rtp_machine *m, uint32_t pixel)
{
    return m->results[pixel / RTP_THREADS][pixel % RTP_THREADS];
}

/* 0 to 1 as 0 to 255, rounded to nearest; a NaN is 0. */
static uint8_t channel(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    if (!(f > 0))
        return 0;
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): f is not negative
    return f >= 1 ? 255 : (uint8_t)(f * 255 + 0.5f);
}

/* PNG if the name says so, else PPM. */
static void write_image(const struct rtp_machine *m, const char *path,
                        uint32_t width, FILE *out)
{
    const char *dot = strrchr(path, '.');
    uint8_t *rgb = heap_new(m->pixels, 3, "a picture");
    for (uint32_t i = 0; i < m->pixels; i++)
        for (unsigned k = 0; k < 3; k++)
            rgb[3 * i + k] = channel(result(m, i)[k]);
    picture_file_write(out, dot && !strcmp(dot, ".png"), rgb, width,
                       m->pixels / width);
    free(rgb);
}

static void write_raw(const struct rtp_machine *m, FILE *out)
{
    for (uint32_t i = 0; i < m->pixels; i++)
        fwrite(result(m, i), 4, 4, out);
}

static uint32_t width_of(const struct rtp_machine *m,
                         const struct core_value *v)
{
    return v[WIDTH].text ? (uint32_t)v[WIDTH].number : m->pixels;
}

static bool write_file(const struct rtp_machine *m, const struct core_value *v,
                       unsigned option, struct error *error)
{
    struct whole w;
    const char *path = v[option].text;
    if (!path)
        return true;
    bool good = whole_open(&w, NULL, path);
    if (good && option == RAW)
        write_raw(m, w.file);
    else if (good)
        write_image(m, path, width_of(m, v), w.file);
    return (good && whole_finish(&w)) ||
           error_set(error, "--%s %s: %s", rtp_options[option].name, path,
                     whole_why());
}

bool rtp_program_finish(struct chip *chip, const struct core_program *p,
                        struct error *error)
{
    const struct rtp_machine *m = machine_of(chip);
    return write_file(m, p->values, IMAGE, error) &&
           write_file(m, p->values, RAW, error);
}

/* The threads' memories as the last patch has left them, and all results. */
uint64_t rtp_program_hash(struct chip *chip, uint64_t hash)
{
    const struct rtp_machine *m = machine_of(chip);
    hash = corbel_hash(m->local, (size_t)RTP_THREADS * RTP_LOCAL_BYTES, hash);
    return corbel_hash(m->results, rtp_patches(m) * sizeof *m->results, hash);
}
