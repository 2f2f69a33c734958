/* See checksum.h. All of both is done in words. */
#include "checksum.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

/*
 * CRC-32. A remainder by table takes many instructions, each of which waits for
 * the one before. But the polynomial divides
 *   x^203 + x^186 + x^123 + x^85 + x^79 + 1
 * and so it divides the same of x^64, as squaring is linear: a word of 64 bits
 * may be taken out if it is put into five words that are LAGS further on. That
 * goes for all words but the last ones, of which the remainder is taken.
 */
#define LAGS(X) X(203 - 186) X(203 - 123) X(203 - 85) X(203 - 79) X(203)
enum { SPAN = 203, FOLDED = 128 * BATCH };

/* table[k][b] is byte b followed by k zero bytes; folded has the last SPAN
 * words that were taken out, then room for more. */
struct corbel_crc {
    uint32_t table[8][256];
    uint64_t folded[SPAN + FOLDED];
};

/*
 * Each is the exclusive or of some of eight, whose bytes have one bit. They are
 * stored from registers: what has just been stored may be far away. c: of the
 * byte 1 of the table before; returns that of this one.
 */
static uint32_t crc_init_table(uint32_t table[256], uint32_t c)
{
    uint32_t one[8], low[8] = {0};
#pragma GCC unroll 8
    for (int bit = 7; bit >= 0; bit--)
        one[bit] = c = (c >> 1) ^ (-(c & 1) & 0xEDB88320u);
#pragma GCC unroll 8
    for (int i = 1; i < 8; i++)
        low[i] = low[i & (i - 1)] ^ one[__builtin_ctz(i)];
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t high = 0;
#pragma GCC unroll 5
        for (int bit = 0; bit < 5; bit++)
            high ^= -(i >> bit & 1) & one[3 + bit];
#pragma GCC unroll 8
        for (int k = 0; k < 8; k++)
            table[8 * i + k] = high ^ low[k];
    }
    return c;
}

struct corbel_crc *corbel_crc_new(void)
{
    struct corbel_crc *crc = malloc(sizeof *crc);
    uint32_t c = 1;
    for (int k = 0; crc && k < 8; k++)
        c = crc_init_table(crc->table[k], c);
    return crc;
}

static uint32_t crc_bytes(const struct corbel_crc *crc, uint32_t c,
                          const uint8_t *p, size_t size)
{
    for (; size; size--)
        c = crc->table[0][(c ^ *p++) & 255] ^ c >> 8;
    return c;
}

static uint32_t crc_word(const struct corbel_crc *crc, uint32_t c, uint64_t w)
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
#pragma GCC unroll 8
        for (int i = 0; i < BATCH; i++)
            to[i] = sum.words[i];
    }
}

/* Takes out words, a multiple of BATCH; c is put into the first one, as if SPAN
 * words before it were taken out. */
static void fold_all(struct corbel_crc *crc, uint32_t c, const uint8_t *p,
                     size_t words)
{
    memset(crc->folded, 0, SPAN * WORD);
    crc->folded[0] = c;
    while (words) {
        size_t part = words < FOLDED ? words : FOLDED;
        fold(crc->folded + SPAN, p, part);
        memmove(crc->folded, crc->folded + part, SPAN * WORD);
        p += part * WORD;
        words -= part;
    }
}

/* The remainder of words behind those that were taken out. */
static uint32_t crc_behind(const struct corbel_crc *crc, const uint8_t *p,
                           size_t words)
{
    const aligned_word *in = (const aligned_word *)(const void *)p;
    uint32_t c = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t w = in[i];
#define PUT_IN(lag) w ^= i < (lag) ? crc->folded[SPAN + i - (lag)] : 0;
        LAGS(PUT_IN)
#undef PUT_IN
        c = crc_word(crc, c, w);
    }
    return c;
}

/* Few words are not worth it; of many, SPAN or some more stay. */
static uint32_t crc_words(struct corbel_crc *crc, uint32_t c, const uint8_t *p,
                          size_t words)
{
    const aligned_word *in = (const aligned_word *)(const void *)p;
    if (words >= 2 * SPAN) {
        size_t folded = (words - SPAN) / BATCH * BATCH;
        fold_all(crc, c, p, folded);
        return crc_behind(crc, p + folded * WORD, words - folded);
    }
    for (; words; words--)
        c = crc_word(crc, c, *in++);
    return c;
}

uint32_t corbel_crc_of(struct corbel_crc *crc, const uint8_t *p, size_t size)
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

enum {
    ADLER_PRIME = 65521, /* RFC 1950 */
    ADLER_RUN = 5552,    /* bytes before the sums of Adler-32 may overflow */
};

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

uint32_t corbel_adler(uint32_t value, const uint8_t *p, size_t size)
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
