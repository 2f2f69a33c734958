/*
 * XXH64, the 64-bit xxHash (Yann Collet's specification, version 0.1.1), of
 * bytes in memory. Little-endian machines only, like all of Corbel.
 */
#ifndef CORBEL_HASH_H
#define CORBEL_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CORBEL_XXH_1 0x9E3779B185EBCA87u
#define CORBEL_XXH_2 0xC2B2AE3D27D4EB4Fu
#define CORBEL_XXH_3 0x165667B19E3779F9u
#define CORBEL_XXH_4 0x85EBCA77C2B2AE63u
#define CORBEL_XXH_5 0x27D4EB2F165667C5u

static inline uint64_t corbel_hash_rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline uint64_t corbel_hash_read(const uint8_t *p, size_t bytes)
{
    uint64_t x = 0;
    __builtin_memcpy(&x, p, bytes);
    return x;
}

static inline uint64_t corbel_hash_round(uint64_t lane, uint64_t input)
{
    return corbel_hash_rotate(lane + input * CORBEL_XXH_2, 31) * CORBEL_XXH_1;
}

/* The four lanes over the whole 32-byte stripes of the input. */
static inline uint64_t corbel_hash_stripes(const uint8_t *p, size_t stripes,
                                           uint64_t seed)
{
    static const int turn[4] = {1, 7, 12, 18};
    uint64_t lane[4] = {seed + CORBEL_XXH_1 + CORBEL_XXH_2, seed + CORBEL_XXH_2,
                        seed, seed - CORBEL_XXH_1};
    for (; stripes > 0; stripes--)
        for (int i = 0; i < 4; i++, p += 8)
            lane[i] = corbel_hash_round(lane[i], corbel_hash_read(p, 8));
    uint64_t h = 0;
    for (int i = 0; i < 4; i++)
        h += corbel_hash_rotate(lane[i], turn[i]);
    for (int i = 0; i < 4; i++)
        h = (h ^ corbel_hash_round(0, lane[i])) * CORBEL_XXH_1 + CORBEL_XXH_4;
    return h;
}

/* The at most 31 bytes after the stripes. */
static inline uint64_t corbel_hash_tail(uint64_t h, const uint8_t *p,
                                        size_t bytes)
{
    for (; bytes >= 8; bytes -= 8, p += 8) {
        h ^= corbel_hash_round(0, corbel_hash_read(p, 8));
        h = corbel_hash_rotate(h, 27) * CORBEL_XXH_1 + CORBEL_XXH_4;
    }
    for (; bytes >= 4; bytes -= 4, p += 4) {
        h ^= corbel_hash_read(p, 4) * CORBEL_XXH_1;
        h = corbel_hash_rotate(h, 23) * CORBEL_XXH_2 + CORBEL_XXH_3;
    }
    for (; bytes > 0; bytes--, p++) {
        h ^= *p * CORBEL_XXH_5;
        h = corbel_hash_rotate(h, 11) * CORBEL_XXH_1;
    }
    return h;
}

static inline uint64_t corbel_hash(const void *data, size_t bytes,
                                   uint64_t seed)
{
    const uint8_t *p = (const uint8_t *)data;
    uint64_t h = bytes >= 32 ? corbel_hash_stripes(p, bytes / 32, seed)
                             : seed + CORBEL_XXH_5;
    h = corbel_hash_tail(h + bytes, p + bytes / 32 * 32, bytes % 32);
    h = (h ^ h >> 33) * CORBEL_XXH_2;
    h = (h ^ h >> 29) * CORBEL_XXH_3;
    return h ^ h >> 32;
}

#ifdef __cplusplus
}
#endif
#endif
