/*
 * Which memory partition, and which slice of the cache in it, an address
 * belongs to. Those that send to several slices or partitions and those that
 * own them have to use the same map.
 *
 * Addresses are spread over partitions in stripes of `stride` bytes and within
 * a partition over slices in stripes of `line` bytes, in turn or, hashed, in
 * an order that the address bits above choose: the digits of the number of the
 * round are added up without carry and shift the turn. Either way each round
 * visits every partition (slice) once, so nothing but the turn has to be known
 * to get from an address to its place and back.
 */
#ifndef SIM_ADDRESS_MAP_H
#define SIM_ADDRESS_MAP_H

#include "sim/core/error.h"
#include <stdbool.h>
#include <stdint.h>

/* On the hot path. Stride and line are powers of two, kept as shifts; so are
 * slices as a rule. Others are divided by with map_divide. */
struct address_map {
    uint64_t part_inverse, slice_inverse;
    uint32_t parts, slices;
    uint8_t stride_shift, line_shift;
    uint8_t part_bits, slice_bits; /* of their numbers */
    bool even;                     /* slices are a power of two */
    bool hashed;
};

/* Of divisors and dividends. */
#define MAP_DIVISORS 4096u
#define MAP_DIVIDENDS (UINT64_C(1) << 51)

static inline bool is_power_of_two(int64_t n)
{
    return n > 0 && !(n & (n - 1));
}

/* 2^63 / divisor, rounded up. */
static inline uint64_t map_inverse(uint64_t divisor)
{
    return (UINT64_C(1) << 63) / divisor + ((UINT64_C(1) << 63) % divisor > 0);
}

/*
 * n / divisor by its inverse: hosts take long to divide. What rounding adds to
 * the inverse is less than the divisor, in 2^63rds, so that n times it stays
 * below 1 for n < 2^63 / MAP_DIVISORS: the quotient is exact. Addresses have
 * 44 bits.
 */
static inline uint64_t map_divide(uint64_t n, uint64_t inverse)
{
    __extension__ typedef unsigned __int128 product;
    return (uint64_t)((product)(2 * n) * inverse >> 64);
}

static inline struct address_map map_new(int64_t stride, int64_t parts,
                                         int64_t slices, int64_t line,
                                         bool hashed)
{
    struct address_map m = {
        .part_inverse = map_inverse((uint64_t)parts),
        .slice_inverse = map_inverse((uint64_t)slices),
        .parts = (uint32_t)parts,
        .slices = (uint32_t)slices,
        .stride_shift = (uint8_t)__builtin_ctzll((uint64_t)stride),
        .line_shift = (uint8_t)__builtin_ctzll((uint64_t)line),
        .even = is_power_of_two(slices),
        .hashed = hashed,
    };
    while (1u << m.part_bits < m.parts)
        m.part_bits++;
    while (1u << m.slice_bits < m.slices)
        m.slice_bits++;
    return m;
}

/* The exclusive or of all digits of `bits` bits. */
static inline uint64_t map_fold(uint64_t x, unsigned bits)
{
    if (!bits)
        return 0;
    for (unsigned shift = bits; shift < 64; shift *= 2)
        x ^= x >> shift;
    return x & ((1ULL << bits) - 1);
}

/* Number of the address's stripe within its partition. */
static inline uint64_t map_round(const struct address_map *m, uint64_t address)
{
    return map_divide(address >> m->stride_shift, m->part_inverse);
}

/* The address without the bits that chose the partition. */
static inline uint64_t map_local(const struct address_map *m, uint64_t address)
{
    return map_round(m, address) << m->stride_shift |
           (address & ((1ULL << m->stride_shift) - 1));
}

/* Which of `count` has the stripe; round: stripe / count. */
static inline uint64_t map_turn(bool hashed, uint64_t stripe, uint64_t round,
                                uint32_t count, unsigned bits)
{
    uint64_t turn = stripe - round * count;
    if (!hashed)
        return turn;
    for (turn += map_fold(round, bits); turn >= count;)
        turn -= count;
    return turn;
}

/* Number of the stripe within its slice. */
static inline uint64_t map_line(const struct address_map *m, uint64_t address)
{
    return map_divide(map_local(m, address) >> m->line_shift, m->slice_inverse);
}

/* Number of the slice, counted through all partitions; hashed, even: as in the
 * map. */
static inline __attribute__((always_inline)) unsigned
map_slice_as(const struct address_map *m, uint64_t address, bool hashed,
             bool even)
{
    uint64_t part = map_turn(hashed, address >> m->stride_shift,
                             map_round(m, address), m->parts, m->part_bits);
    uint64_t stripe = map_local(m, address) >> m->line_shift, slice;
    if (even) {
        if (hashed)
            stripe ^= map_fold(stripe >> m->slice_bits, m->slice_bits);
        slice = stripe & ((1ULL << m->slice_bits) - 1);
    } else {
        slice = map_turn(hashed, stripe, map_divide(stripe, m->slice_inverse),
                         m->slices, m->slice_bits);
    }
    return (unsigned)(part * m->slices + slice);
}

static __attribute__((noinline, unused)) unsigned
map_slice_any(const struct address_map *m, uint64_t address)
{
    return map_slice_as(m, address, m->hashed, m->even);
}

/* Mostly stripes choose in turn, one of 2^n slices. */
static inline unsigned map_slice(const struct address_map *m, uint64_t address)
{
    if (m->hashed || !m->even)
        return map_slice_any(m, address);
    return map_slice_as(m, address, false, true);
}

/* A number that the units at both ends of a link have to have alike. */
struct map_row {
    const char *name;
    int64_t here, there;
};

/* other: the unit there; where: more of it, for the error. */
static inline bool map_rows_agree(const struct map_row *rows, unsigned count,
                                  const char *other, const char *where,
                                  struct error *error)
{
    for (unsigned i = 0; i < count; i++)
        if (rows[i].here != rows[i].there)
            return error_set(error, "%s: %lld here, %lld at %s%s", rows[i].name,
                             (long long)rows[i].here, (long long)rows[i].there,
                             other, where);
    return true;
}

#endif
