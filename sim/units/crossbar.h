/*
 * The crossbar between multiprocessors and memory partitions. It has no
 * central unit: it is one link from every client to every slice and back,
 * whose latency is the crossbar's pipeline, and an arbiter at each
 * destination (round robin, advancing on grants only). A client sends its
 * requests from one FIFO, so a slice without room blocks those behind
 * (head-of-line blocking); a reply always has room.
 *
 * Addresses are spread over partitions in stripes of `stride` bytes and within
 * a partition over slices line by line.
 */
#ifndef SIM_CROSSBAR_H
#define SIM_CROSSBAR_H

#include <stdbool.h>
#include <stdint.h>

/* All but parts are powers of two, kept as shifts: this is on the hot path. */
struct address_map {
    uint32_t parts;
    uint8_t stride_shift, slice_shift, line_shift;
};

static inline bool is_power_of_two(int64_t n)
{
    return n > 0 && !(n & (n - 1));
}

static inline struct address_map map_new(int64_t stride, int64_t parts,
                                         int64_t slices, int64_t line)
{
    return (struct address_map){
        .parts = (uint32_t)parts,
        .stride_shift = (uint8_t)__builtin_ctzll((uint64_t)stride),
        .slice_shift = (uint8_t)__builtin_ctzll((uint64_t)slices),
        .line_shift = (uint8_t)__builtin_ctzll((uint64_t)line),
    };
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

/* Number of the slice, counted through all partitions. */
static inline unsigned map_slice(const struct address_map *m, uint64_t address)
{
    uint64_t part = m->parts == 1 ? 0 : (address >> m->stride_shift) % m->parts;
    uint64_t slice =
        map_local(m, address) >> m->line_shift & ((1ULL << m->slice_shift) - 1);
    return (unsigned)(part << m->slice_shift | slice);
}

/* Number of the line within its slice: what the set is chosen by. */
static inline uint64_t map_line(const struct address_map *m, uint64_t address)
{
    return map_local(m, address) >> m->line_shift >> m->slice_shift;
}

#endif
