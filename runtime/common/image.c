/*
 * Writes an image file: PNG (RGB, 8 bits, filter 0, deflate's stored blocks)
 * or binary PPM, by the suffix of the name.
 *
 * The same bytes on every host and target, whatever the C library. Stored
 * blocks because on a simulated core the checksums already are most of the
 * work; a file is as large as its pixels. The whole file is made in memory
 * and written at once, and a file that could not be written is removed.
 */
#include <corbel/corbel.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    STORED_MAX = 65535,  /* bytes of a stored block (RFC 1951, 3.2.4) */
    ADLER_PRIME = 65521, /* RFC 1950 */
    ADLER_RUN = 5552,    /* bytes before the sums of Adler-32 may overflow */
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

/*
 * A simulated core waits for each load, 20 cycles or 200, but may have many
 * under way: the loops over pixels load a cache line at once and then use it;
 * unrolled, for the line to stay in registers.
 */
typedef uint64_t __attribute__((may_alias)) word;
enum { WORD = sizeof(word), BATCH = 16 };

struct batch {
    uint64_t words[BATCH];
};

static inline struct batch load_batch(const uint8_t *from)
{
    const word *p = (const word *)(const void *)from;
    const struct batch b = {{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7],
                             p[8], p[9], p[10], p[11], p[12], p[13], p[14],
                             p[15]}};
    return b;
}

/* Bytes before the first aligned word, at most size. */
static size_t misaligned(const uint8_t *p, size_t size)
{
    size_t bytes = -(uintptr_t)p % WORD;
    return bytes < size ? bytes : size;
}

/* CRC-32 eight bytes a step: table[k][b] is byte b followed by k zero bytes. */
struct crc {
    uint32_t table[8][256];
};

static void crc_init(struct crc *crc)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        crc->table[0][i] = c;
    }
    for (int i = 0; i < 256; i++)
        for (int k = 1; k < 8; k++) {
            uint32_t c = crc->table[k - 1][i];
            crc->table[k][i] = crc->table[0][c & 255] ^ c >> 8;
        }
}

static uint32_t crc_bytes(const struct crc *crc, uint32_t c, const uint8_t *p,
                          size_t size)
{
    for (; size; size--)
        c = crc->table[0][(c ^ *p++) & 255] ^ c >> 8;
    return c;
}

static uint32_t crc_word(const struct crc *crc, uint32_t c, uint64_t w)
{
    const uint32_t second = w >> 32;
    c ^= (uint32_t)w;
    return crc->table[7][c & 255] ^ crc->table[6][c >> 8 & 255] ^
           crc->table[5][c >> 16 & 255] ^ crc->table[4][c >> 24] ^
           crc->table[3][second & 255] ^ crc->table[2][second >> 8 & 255] ^
           crc->table[1][second >> 16 & 255] ^ crc->table[0][second >> 24];
}

static uint32_t crc_of(const struct crc *crc, const uint8_t *p, size_t size)
{
    size_t head = misaligned(p, size);
    uint32_t c = crc_bytes(crc, UINT32_MAX, p, head);
    p += head;
    size -= head;
    for (; size >= BATCH * WORD; size -= BATCH * WORD, p += BATCH * WORD) {
        const struct batch b = load_batch(p);
#pragma GCC unroll 16
        for (int i = 0; i < BATCH; i++)
            c = crc_word(crc, c, b.words[i]);
    }
    return ~crc_bytes(crc, c, p, size);
}

/* The two sums of an Adler-32 checksum, to be reduced every ADLER_RUN bytes. */
struct adler {
    uint32_t a, b;
};

static void adler_bytes(struct adler *sum, const uint8_t *p, size_t size)
{
    for (; size; size--) {
        sum->a += *p++;
        sum->b += sum->a;
    }
}

static void adler_word(struct adler *sum, uint64_t w)
{
#pragma GCC unroll 8
    for (int shift = 0; shift < 64; shift += 8) {
        sum->a += w >> shift & 255;
        sum->b += sum->a;
    }
}

static void adler_run(struct adler *sum, const uint8_t *p, size_t size)
{
    size_t head = misaligned(p, size);
    adler_bytes(sum, p, head);
    p += head;
    size -= head;
    for (; size >= BATCH * WORD; size -= BATCH * WORD, p += BATCH * WORD) {
        const struct batch b = load_batch(p);
#pragma GCC unroll 16
        for (int i = 0; i < BATCH; i++)
            adler_word(sum, b.words[i]);
    }
    adler_bytes(sum, p, size);
    sum->a %= ADLER_PRIME;
    sum->b %= ADLER_PRIME;
}

/* Continues an Adler-32 checksum, which starts at 1. */
static uint32_t adler(uint32_t value, const uint8_t *p, size_t size)
{
    struct adler sum = {value & 0xFFFF, value >> 16};
    while (size) {
        size_t run = size < ADLER_RUN ? size : ADLER_RUN;
        adler_run(&sum, p, run);
        p += run;
        size -= run;
    }
    return sum.b << 16 | sum.a;
}

/* memcpy to anywhere from an aligned place, words at a time. */
static void copy(uint8_t *to, const uint8_t *from, size_t size)
{
    if ((uintptr_t)from % WORD == 0)
        for (; size >= BATCH * WORD; size -= BATCH * WORD) {
            const struct batch b = load_batch(from);
#pragma GCC unroll 16
            for (int i = 0; i < BATCH; i++)
#pragma GCC unroll 8
                for (int shift = 0; shift < 64; shift += 8)
                    *to++ = b.words[i] >> shift & 255;
            from += BATCH * WORD;
        }
    memcpy(to, from, size);
}

/* A chunk is its length, its type and data, and the CRC of type and data. */
static size_t chunk_begin(struct buffer *out, const char *type)
{
    size_t start = out->size;
    put_be32(out, 0);
    put(out, type, 4);
    return start;
}

static void chunk_end(struct buffer *out, size_t start, const struct crc *crc)
{
    size_t checked = out->size - start - 4;
    uint32_t sum = crc_of(crc, out->bytes + start + 4, checked);
    struct buffer length = {out->bytes + start, 0};
    put_be32(&length, checked - 4);
    put_be32(out, sum);
}

static void put_header(struct buffer *out, unsigned width, unsigned height,
                       const struct crc *crc)
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
        copy(s->out->bytes + s->out->size, bytes, n);
        s->out->size += n;
        bytes += n;
        size -= n;
        s->block -= n;
    }
}

static void put_pixels(struct buffer *out, const uint8_t *rgb, unsigned width,
                       unsigned height, const struct crc *crc)
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
        sum = adler(adler(sum, &filter, 1), rgb + y * row, row);
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
    struct crc *crc = malloc(sizeof *crc);
    if (out->bytes && crc) {
        crc_init(crc);
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
    put(out, rgb, data);
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
