#include "sim/isa/tests/words.h"
#include "sim/isa/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
static uint32_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(z ^ z >> 31);
}

/* A word or its low half, in the guest's byte order, which is the host's. */
static void put(uint32_t word, size_t size)
{
    if (!fwrite(&word, size, 1, stdout)) {
        perror("isa-compare-words: stdout");
        exit(2);
    }
}

static void write_compressed(uint64_t seed, unsigned long count)
{
    for (uint32_t word = 0; word < 1 << 16; word++)
        if ((word & 3) != 3)
            put(word, 2);
}

static void write_system(uint64_t seed, unsigned long count)
{
    static const uint32_t opcodes[] = {0x000f, 0x100f, 0x200f, 0x0073,
                                       0x1073, 0x2073, 0x3073, 0x4073,
                                       0x5073, 0x6073, 0x7073};
    static const uint32_t registers[] = {0, 1 << 7, 1 << 15,
                                         31 << 7 | 10 << 15};
    for (uint32_t upper = 0; upper < 1 << 12; upper++)
        for (size_t i = 0; i < LENGTH(opcodes); i++)
            for (size_t k = 0; k < LENGTH(registers); k++)
                put(upper << 20 | registers[k] | opcodes[i], 4);
}

/* Rows that have a name for some of their words. */
static const struct pattern patterns[] = {
#define RV(id, name, match, mask, ...) {match, mask},
#include "sim/isa/rv.def"
#define XTRAV(id, name, match, mask, ...) {match, mask},
#include "sdk/isa/xtrav.def"
#undef XTRAV
#define ALIAS(name, match, mask, ...) {match, mask},
#include "sim/isa/alias.def"
#undef ALIAS
};

/* A field: 0, 1, all ones or anything. */
static uint32_t field(uint64_t *state, unsigned width)
{
    uint32_t ones = (1u << width) - 1, value = next(state) & ones;
    switch (next(state) % 4) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return ones;
    default:
        return value;
    }
}

/*
 * Fields where most formats have them; two sources are often the same register.
 */
static uint32_t operands(uint64_t *state)
{
    uint32_t rs1 = field(state, 5);
    uint32_t rs2 = next(state) % 4 ? field(state, 5) : rs1;
    return field(state, 7) << 25 | rs2 << 20 | rs1 << 15 |
           field(state, 3) << 12 | field(state, 5) << 7;
}

static void write_rows(uint64_t seed, unsigned long count)
{
    for (size_t i = 0; i < LENGTH(patterns); i++)
        for (unsigned long k = 0; k < count; k++) {
            uint32_t word = k % 4 ? operands(&seed) : next(&seed);
            put((word & ~patterns[i].mask) | patterns[i].match, 4);
        }
}

/*
 * Of the fixed bits of a random row: the opcode only, opcode and funct3, all
 * but one of them, or all.
 */
static uint32_t near_word(uint64_t *state)
{
    const struct pattern *row = &patterns[next(state) % LENGTH(patterns)];
    uint32_t word = next(state), flipped = 1u << next(state) % 32;
    switch (next(state) % 4) {
    case 0:
        return (word & ~0x7fu) | (row->match & 0x7f);
    case 1:
        return (word & ~(row->mask & 0x707f)) | (row->match & 0x707f);
    case 2:
        return ((word & ~row->mask) | row->match) ^ (flipped & row->mask & ~3u);
    default:
        return (word & ~row->mask) | row->match;
    }
}

static void write_near(uint64_t seed, unsigned long count)
{
    while (count) {
        uint32_t word = near_word(&seed);
        if (is_long(word))
            continue;
        put(word, 4);
        count--;
    }
}

static void write_uniform(uint64_t seed, unsigned long count)
{
    while (count) {
        uint32_t word = next(&seed) | 3;
        if (is_long(word))
            continue;
        put(word, 4);
        count--;
    }
}

static void write_stream(uint64_t seed, unsigned long count)
{
    while (count--)
        put(next(&seed), 4);
    for (int i = 0; i < 12; i++) /* the last instruction may be a long one */
        put(0x0001, 2);
}

static const struct {
    const char *name;
    void (*write)(uint64_t seed, unsigned long count);
} kinds[] = {
    {"compressed", write_compressed},
    {"system", write_system},
    {"rows", write_rows},
    {"near", write_near},
    {"uniform", write_uniform},
    {"stream", write_stream},
};

int words_write(const char *name, uint64_t seed, unsigned long count)
{
    for (size_t i = 0; i < LENGTH(kinds); i++)
        if (!strcmp(kinds[i].name, name)) {
            kinds[i].write(seed, count);
            return fflush(stdout) ? 2 : 0;
        }
    fprintf(stderr, "isa-compare-words: %s is no kind of words\n", name);
    return 2;
}
