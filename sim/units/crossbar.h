/*
 * The crossbar between multiprocessors and memory partitions. It has no
 * central unit: it is one link from every client to every slice and back,
 * whose latency is the crossbar's pipeline, and an arbiter at each
 * destination (round robin, advancing on grants only). A client sends its
 * requests from one FIFO, so a slice without room blocks those behind
 * (head-of-line blocking); a reply always has room.
 *
 * Addresses are spread over partitions in stripes of `stride` bytes and within
 * a partition over slices in stripes of `line` bytes, in turn or, hashed, in
 * an order that the address bits above choose: the digits of the number of the
 * round are added up without carry and shift the turn. Either way each round
 * visits every partition (slice) once, so nothing but the turn has to be known
 * to get from an address to its place and back.
 */
#ifndef SIM_CROSSBAR_H
#define SIM_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

/* Stride and line are powers of two, kept as shifts: this is on the hot path;
 * so are slices as a rule. */
struct address_map {
    uint32_t parts, slices;
    uint8_t stride_shift, line_shift;
    uint8_t part_bits, slice_bits; /* of their numbers */
    bool even;                     /* slices are a power of two */
    bool hashed;
};

static inline bool is_power_of_two(int64_t n)
{
    return n > 0 && !(n & (n - 1));
}

static inline struct address_map map_new(int64_t stride, int64_t parts,
                                         int64_t slices, int64_t line,
                                         bool hashed)
{
    struct address_map m = {
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

/* The address without the bits that chose the partition. */
static inline uint64_t map_local(const struct address_map *m, uint64_t address)
{
    if (m->parts == 1)
        return address;
    uint64_t stripe = address >> m->stride_shift;
    return (stripe / m->parts) << m->stride_shift |
           (address & ((1ULL << m->stride_shift) - 1));
}

static inline uint64_t map_part(const struct address_map *m, uint64_t address)
{
    if (m->parts == 1)
        return 0;
    uint64_t stripe = address >> m->stride_shift;
    uint64_t turn = m->hashed ? map_fold(stripe / m->parts, m->part_bits) : 0;
    return (stripe + turn) % m->parts;
}

/* Number of the stripe within its slice. */
static inline uint64_t map_line(const struct address_map *m, uint64_t address)
{
    uint64_t stripe = map_local(m, address) >> m->line_shift;
    return m->even ? stripe >> m->slice_bits : stripe / m->slices;
}

/* Number of the slice, counted through all partitions. */
static inline unsigned map_slice(const struct address_map *m, uint64_t address)
{
    uint64_t stripe = map_local(m, address) >> m->line_shift, slice;
    if (m->even) {
        if (m->hashed)
            stripe ^= map_fold(stripe >> m->slice_bits, m->slice_bits);
        slice = stripe & ((1ULL << m->slice_bits) - 1);
    } else {
        uint64_t line = stripe / m->slices;
        uint64_t turn = m->hashed ? map_fold(line, m->slice_bits) : 0;
        slice = (stripe + turn) % m->slices;
    }
    return (unsigned)(map_part(m, address) * m->slices + slice);
}

#endif
