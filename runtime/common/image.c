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
 * under way: the loops over pixels load a few words at once, and then use them.
 */
typedef uint64_t __attribute__((may_alias)) word;
enum { WORD = sizeof(word), BATCH = 8 };

struct batch {
    uint64_t words[BATCH];
};

/* All of it is there before what follows, as far as the compiler knows. */
static inline void complete(struct batch *b)
{
    uint64_t *w = b->words;
    __asm__ volatile(""
                     : "+r"(w[0]), "+r"(w[1]), "+r"(w[2]), "+r"(w[3]),
                       "+r"(w[4]), "+r"(w[5]), "+r"(w[6]), "+r"(w[7]));
}

static inline struct batch load_batch(const void *from)
{
    const word *p = from;
    struct batch b = {{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]}};
    complete(&b);
    return b;
}

/* Bytes before the first aligned word, at most size. */
static size_t misaligned(const uint8_t *p, size_t size)
{
    size_t bytes = -(uintptr_t)p % WORD;
    return bytes < size ? bytes : size;
}

/*
 * CRC-32. A remainder by table takes many instructions, each of which waits for
 * the one before. But the polynomial divides
 *   x^203 + x^186 + x^123 + x^85 + x^79 + 1
 * and so it divides the same of x^64, as squaring is linear: a word of 64 bits
 * may be taken out if it is put into the five words that are so many further
 * on. That goes for all words but the last ones, of which the remainder is
 * taken.
 */
#define LAGS(X) X(203 - 186) X(203 - 123) X(203 - 85) X(203 - 79) X(203)
enum { SPAN = 203, FOLDED = 128 * BATCH };

/* table[k][b] is byte b followed by k zero bytes; folded has the last SPAN
 * words that were taken out, then room for more. */
struct crc {
    uint32_t table[8][256];
    uint64_t folded[SPAN + FOLDED];
};

/* Each is the exclusive or of some of eight, whose bytes have one bit. */
static void crc_init(struct crc *crc)
{
    uint32_t c = 1;
    for (int k = 0; k < 8; k++) {
        uint32_t *table = crc->table[k];
        table[0] = 0;
        for (int bit = 128; bit; bit /= 2)
            table[bit] = c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        for (int bit = 2; bit < 256; bit *= 2)
#pragma GCC unroll 8
            for (int i = 1; i < bit; i++)
                table[bit + i] = table[bit] ^ table[i];
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

static inline void add_batch(struct batch *sum, const uint64_t *from)
{
    const struct batch more = load_batch(from);
#pragma GCC unroll 8
    for (int i = 0; i < BATCH; i++)
        sum->words[i] ^= more.words[i];
    complete(sum);
}

/* Takes out words, a multiple of BATCH and FOLDED at most; to: behind those
 * before them. */
static void fold(uint64_t *to, const uint8_t *p, size_t words)
{
    for (const uint64_t *end = to + words; to < end; to += BATCH) {
        struct batch sum = load_batch(p);
        p += sizeof sum;
#define FOLD_IN(lag) add_batch(&sum, to - (lag));
        LAGS(FOLD_IN)
#undef FOLD_IN
        memcpy(to, &sum, sizeof sum);
    }
}

/* Takes out all words but SPAN of them or some more; returns how many. c is put
 * into the first one, as if SPAN words before it were taken out. */
static size_t fold_most(struct crc *crc, uint32_t c, const uint8_t *p,
                        size_t words)
{
    size_t most = words < SPAN ? 0 : (words - SPAN) / BATCH * BATCH, done = 0;
    memset(crc->folded, 0, SPAN * WORD);
    crc->folded[0] = c;
    while (done < most) {
        size_t part = most - done < FOLDED ? most - done : FOLDED;
        fold(crc->folded + SPAN, p + done * WORD, part);
        memmove(crc->folded, crc->folded + part, SPAN * WORD);
        done += part;
    }
    return most;
}

static uint32_t crc_words(struct crc *crc, uint32_t c, const uint8_t *p,
                          size_t words)
{
    size_t folded = fold_most(crc, c, p, words);
    const word *rest = (const word *)(const void *)(p + folded * WORD);
    c = 0;
    for (size_t i = 0; i < words - folded; i++) {
        uint64_t w = rest[i];
#define PUT_IN(lag) w ^= i < (lag) ? crc->folded[SPAN + i - (lag)] : 0;
        LAGS(PUT_IN)
#undef PUT_IN
        c = crc_word(crc, c, w);
    }
    return c;
}

static uint32_t crc_of(struct crc *crc, const uint8_t *p, size_t size)
{
    size_t head = misaligned(p, size), words = (size - head) / WORD;
    uint32_t c = crc_bytes(crc, UINT32_MAX, p, head);
    p += head;
    size -= head;
    if (words) {
        c = crc_words(crc, c, p, words);
        p += words * WORD;
        size -= words * WORD;
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

/* The sum of four lanes of 16 bits, each times the weight of the lane that is
 * as far from the other end; no lane of the product may overflow. */
static inline uint32_t weigh(uint64_t lanes, uint64_t weights)
{
    return (uint32_t)(lanes * weights >> 48);
}

static inline uint32_t add_lanes(uint64_t lanes)
{
    const uint64_t every_other = 0x0000FFFF0000FFFF;
    uint64_t two = (lanes & every_other) + (lanes >> 16 & every_other);
    return (uint32_t)two + (uint32_t)(two >> 32);
}

/*
 * Bytes are summed by their place in a word, in lanes of 16 bits; `later` sums
 * these sums, so that a word counts once for itself and each one behind it.
 */
static void adler_batch(struct adler *sum, const struct batch *b)
{
    const uint64_t lanes = 0x00FF00FF00FF00FF;
    uint64_t even = 0, odd = 0, even_later = 0, odd_later = 0;
#pragma GCC unroll 8
    for (int i = 0; i < BATCH; i++) {
        even += b->words[i] & lanes;
        odd += b->words[i] >> 8 & lanes;
        even_later += even;
        odd_later += odd;
    }
    uint32_t places =
        weigh(even, 0x0000000200040006) + weigh(odd, 0x0001000300050007);
    sum->b += BATCH * WORD * sum->a - places +
              WORD * (add_lanes(even_later) + add_lanes(odd_later));
    sum->a += weigh(even + odd, 0x0001000100010001);
}

static void adler_run(struct adler *sum, const uint8_t *p, size_t size)
{
    size_t head = misaligned(p, size);
    adler_bytes(sum, p, head);
    p += head;
    size -= head;
    for (; size >= BATCH * WORD; size -= BATCH * WORD, p += BATCH * WORD) {
        const struct batch b = load_batch(p);
        adler_batch(sum, &b);
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
        word *out = (word *)(void *)(to + head);
        const word *in = (const word *)(const void *)(from + head - skew);
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

static void chunk_end(struct buffer *out, size_t start, struct crc *crc)
{
    size_t checked = out->size - start - 4;
    uint32_t sum = crc_of(crc, out->bytes + start + 4, checked);
    struct buffer length = {out->bytes + start, 0};
    put_be32(&length, checked - 4);
    put_be32(out, sum);
}

static void put_header(struct buffer *out, unsigned width, unsigned height,
                       struct crc *crc)
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
                       unsigned height, struct crc *crc)
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
