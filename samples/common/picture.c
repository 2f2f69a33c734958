/* See picture.h. */
#include "picture.h"

#include <corbel/abi.h>
#include <corbel/corbel.h>

#include <stdlib.h>
#include <string.h>

#ifdef __riscv
/*
 * On the target this takes the same time for all names: how long that of an
 * output is must not move what is measured after it. An argument has
 * CORBEL_STRING_ROOM bytes of memory, or several times as many.
 */
static size_t name_length(const char *name)
{
    size_t length = 0;
    for (unsigned ended = 0; !ended; name += CORBEL_STRING_ROOM)
        for (unsigned i = 0; i < CORBEL_STRING_ROOM; i++) {
            ended |= name[i] == '\0';
            length += !ended;
        }
    return length;
}
#else
static size_t name_length(const char *name)
{
    return strlen(name);
}
#endif

static bool ends_with(const char *name, size_t length, const char ending[4])
{
    unsigned other = length < 4;
    for (int i = 0; i < 4 && length >= 4; i++)
        other |= name[length - 4 + (size_t)i] != ending[i];
    return !other;
}

bool picture_name(const char *path)
{
    const size_t length = name_length(path);
    return ends_with(path, length, ".png") || ends_with(path, length, ".ppm");
}

static void put_pixel(uint8_t *rgb, uint32_t value)
{
    rgb[0] = value & 255;
    rgb[1] = value >> 8 & 255;
    rgb[2] = value >> 16 & 255;
}

typedef uint64_t __attribute__((may_alias)) word;
enum { BATCH = 16, WORDS = BATCH / 2 }; /* pixels, and words that hold them */

/*
 * Four words of two pixels each become three of bytes. Loads of many pixels
 * overlap on a simulated core; the compiler, which knows nothing of that, is
 * told that all of them are there before the first is used.
 */
static void put_batch(word *rgb, const word *pixels)
{
    uint64_t p[WORDS];
#pragma GCC unroll 8
    for (int i = 0; i < WORDS; i++)
        p[i] = pixels[i];
    __asm__ volatile(""
                     : "+r"(p[0]), "+r"(p[1]), "+r"(p[2]), "+r"(p[3]),
                       "+r"(p[4]), "+r"(p[5]), "+r"(p[6]), "+r"(p[7]));
#pragma GCC unroll 8
    for (int i = 0; i < WORDS; i++)
        p[i] = (p[i] & 0xFFFFFF) | (p[i] >> 8 & 0xFFFFFF000000);
#pragma GCC unroll 2
    for (int i = 0; i < WORDS; i += 4, rgb += 3) {
        rgb[0] = p[i] | p[i + 1] << 48;
        rgb[1] = p[i + 1] >> 16 | p[i + 2] << 32;
        rgb[2] = p[i + 2] >> 32 | p[i + 3] << 16;
    }
}

static bool is_aligned(const void *at)
{
    return (uintptr_t)at % sizeof(word) == 0;
}

static void put_row(uint8_t *rgb, const uint32_t *pixels, uint32_t width)
{
    uint32_t x = 0;
    if (is_aligned(rgb) && is_aligned(pixels))
        for (; x + BATCH <= width; x += BATCH)
            put_batch((word *)(void *)(rgb + 3 * (size_t)x),
                      (const word *)(const void *)(pixels + x));
    for (; x < width; x++)
        put_pixel(rgb + 3 * (size_t)x, pixels[x]);
}

int picture_write(const char *path, const uint32_t *pixels, uint32_t width,
                  uint32_t height)
{
    const size_t row = 3 * (size_t)width;
    uint8_t *rgb = malloc(row * height);
    if (!rgb)
        return -1;
    for (size_t y = 0; y < height; y++)
        put_row(rgb + row * y, pixels + (height - 1 - y) * width, width);
    int status = corbel_image_write(path, rgb, width, height);
    free(rgb);
    return status;
}
