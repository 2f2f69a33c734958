/*
 * Writes an image file: PNG (RGB, 8 bits, filter 0, deflate's stored blocks)
 * or binary PPM, by the suffix of the name.
 *
 * The same bytes on every host and target, whatever the C library. Stored
 * blocks because on a simulated core the checksums already are most of the
 * work; a file is as large as its pixels. The whole file is made in memory
 * and written at once, and a file that could not be written is removed.
 */
#include "checksum.h"
#include "words.h"

#include <corbel/corbel.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    STORED_MAX = 65535, /* bytes of a stored block (RFC 1951, 3.2.4) */
    SIZE_MAX_SIDE = 1 << 15,
    PNG_OVERHEAD = 8 + 12 + 13 + 12 + 2 + 4 + 12, /* all but rows and blocks */
};

/* A file under construction; space for all of it has been allocated. */
struct buffer {
    uint8_t *bytes;
    size_t size;
};

static void put(struct buffer *out, const void *bytes, size_t size)
{
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void put_be32(struct buffer *out, uint32_t value)
{
    const uint8_t bytes[4] = {value >> 24, value >> 16, value >> 8, value};
    put(out, bytes, sizeof bytes);
}

/* The word that begins skew bytes behind the begin of the first. */
static inline uint64_t join(uint64_t first, uint64_t second, size_t skew)
{
    return first >> 8 * skew | second << 8 * (WORD - skew);
}

/*
 * memcpy in words where the two places are aligned differently, so that each
 * word is parts of two. A word more than needed is copied first, so that none
 * is loaded that begins before the bytes.
 */
static void copy(uint8_t *to, const uint8_t *from, size_t size)
{
    size_t head = misaligned(to, size) + WORD;
    size_t skew = ((uintptr_t)from + head) % WORD;
    if (skew && size > head + 2 * WORD) {
        memcpy(to, from, head);
        size -= head;
        aligned_word *out = (aligned_word *)(void *)(to + head);
        const aligned_word *in =
            (const aligned_word *)(const void *)(from + head - skew);
        uint64_t last = *in++;
        for (; size > BATCH * WORD + WORD; size -= BATCH * WORD) {
            const struct batch b = load_batch(in);
            in += BATCH;
#pragma GCC unroll 8
            for (int i = 0; i < BATCH; i++, last = b.words[i - 1])
                *out++ = join(last, b.words[i], skew);
        }
        for (; size > 2 * WORD; size -= WORD, last = *in++)
            *out++ = join(last, *in, skew);
        from = (const uint8_t *)in - WORD + skew;
        to = (uint8_t *)out;
    }
    memcpy(to, from, size);
}

/* As put, of many bytes. */
static void put_many(struct buffer *out, const uint8_t *bytes, size_t size)
{
    copy(out->bytes + out->size, bytes, size);
    out->size += size;
}

/* A chunk is its length, its type and data, and the CRC of type and data. */
static size_t chunk_begin(struct buffer *out, const char *type)
{
    size_t start = out->size;
    put_be32(out, 0);
    put(out, type, 4);
    return start;
}

static void chunk_end(struct buffer *out, size_t start, struct corbel_crc *crc)
{
    size_t checked = out->size - start - 4;
    uint32_t sum = corbel_crc_of(crc, out->bytes + start + 4, checked);
    struct buffer length = {out->bytes + start, 0};
    put_be32(&length, checked - 4);
    put_be32(out, sum);
}

static void put_header(struct buffer *out, unsigned width, unsigned height,
                       struct corbel_crc *crc)
{
    put(out, "\x89PNG\r\n\x1a\n", 8);
    size_t start = chunk_begin(out, "IHDR");
    put_be32(out, width);
    put_be32(out, height);
    put(out, "\x08\x02\0\0", 5); /* 8 bits, RGB, deflate, filters, one pass */
    chunk_end(out, start, crc);
}

/* Cuts a run of bytes into stored blocks of a deflate stream. */
struct stored {
    struct buffer *out;
    size_t left;  /* bytes of the stream still to come */
    size_t block; /* bytes of the open block still to come */
};

static void stored_open(struct stored *s)
{
    s->block = s->left < STORED_MAX ? s->left : STORED_MAX;
    s->left -= s->block;
    uint16_t n = s->block, inverse = ~n;
    const uint8_t head[5] = {s->left == 0, n, n >> 8, inverse, inverse >> 8};
    put(s->out, head, sizeof head);
}

static void stored_put(struct stored *s, const uint8_t *bytes, size_t size)
{
    while (size) {
        if (s->block == 0)
            stored_open(s);
        size_t n = size < s->block ? size : s->block;
        put_many(s->out, bytes, n);
        bytes += n;
        size -= n;
        s->block -= n;
    }
}

static void put_pixels(struct buffer *out, const uint8_t *rgb, unsigned width,
                       unsigned height, struct corbel_crc *crc)
{
    const uint8_t filter = 0;
    const size_t row = 3 * (size_t)width;
    struct stored stored = {out, (row + 1) * height, 0};
    uint32_t sum = 1;
    size_t start = chunk_begin(out, "IDAT");
    put(out, "\x78\x01", 2); /* zlib: deflate, 32 KiB window, fastest */
    for (unsigned y = 0; y < height; y++) {
        stored_put(&stored, &filter, 1);
        stored_put(&stored, rgb + y * row, row);
        sum = corbel_adler(sum, &filter, 1);
        sum = corbel_adler(sum, rgb + y * row, row);
    }
    put_be32(out, sum);
    chunk_end(out, start, crc);
}

static int make_png(struct buffer *out, const uint8_t *rgb, unsigned width,
                    unsigned height)
{
    size_t data = (3 * (size_t)width + 1) * height;
    size_t blocks = (data + STORED_MAX - 1) / STORED_MAX;
    out->bytes = malloc(PNG_OVERHEAD + data + 5 * blocks);
    struct corbel_crc *crc = corbel_crc_new();
    if (out->bytes && crc) {
        put_header(out, width, height, crc);
        put_pixels(out, rgb, width, height, crc);
        chunk_end(out, chunk_begin(out, "IEND"), crc);
    }
    free(crc);
    return out->size ? 0 : -1;
}

static int make_ppm(struct buffer *out, const uint8_t *rgb, unsigned width,
                    unsigned height)
{
    char head[32];
    int n = snprintf(head, sizeof head, "P6\n%u %u\n255\n", width, height);
    size_t data = 3 * (size_t)width * height;
    out->bytes = malloc(n + data);
    if (!out->bytes)
        return -1;
    put(out, head, n);
    put_many(out, rgb, data);
    return 0;
}

/* Removes what was begun, but never a device such as /dev/full. */
static int write_file(const char *path, const struct buffer *image)
{
    struct stat status;
    FILE *file = fopen(path, "wb");
    if (!file)
        return -1;
    bool regular = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    bool written = fwrite(image->bytes, 1, image->size, file) == image->size;
    int why = errno;
    if (fclose(file) == 0 && written)
        return 0;
    if (written)
        why = errno;
    if (regular)
        remove(path);
    errno = why;
    return -1;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcmp(path + n - m, suffix) == 0;
}

int corbel_image_write(const char *path, const uint8_t *rgb, unsigned width,
                       unsigned height)
{
    struct buffer image = {NULL, 0};
    int rc = -1;
    bool sane = width > 0 && height > 0 && width <= SIZE_MAX_SIDE &&
                height <= SIZE_MAX_SIDE;
    errno = sane ? 0 : EINVAL;
    if (sane && has_suffix(path, ".png"))
        rc = make_png(&image, rgb, width, height);
    else if (sane && has_suffix(path, ".ppm"))
        rc = make_ppm(&image, rgb, width, height);
    else
        errno = EINVAL;
    if (rc == 0)
        rc = write_file(path, &image);
    free(image.bytes);
    return rc;
}
