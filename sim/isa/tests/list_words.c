/*
 * Words for comparing disassemblers, and our reading of them:
 *
 *   isa-list-words --rows SEED COUNT   COUNT words for each row of the table,
 *                                      operand bits random, as raw bytes
 *   isa-list-words --random SEED COUNT  random 32-bit instruction words
 *   isa-list-words --compressed         all 16-bit instructions
 *   isa-list-words XLEN FILE            text of the instructions in FILE
 */
#include "sim/isa/rows.h"

#include <inttypes.h>
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

static void write_rows(uint64_t seed, unsigned count)
{
    for (int op = OP_illegal + 1; op < OP_ROWS; op++)
        for (unsigned i = 0; i < count; i++) {
            uint32_t word = next(&seed) & ~isa_rows[op].mask;
            word |= isa_rows[op].match;
            if (i % 4 == 1) /* pseudo-instructions like zeros and ones */
                word &= ~0x000f8000u | isa_rows[op].mask;
            if (i % 4 == 2)
                word &= ~0x01f00f80u | isa_rows[op].mask;
            fwrite(&word, sizeof word, 1, stdout);
        }
}

/* Not the prefixes of instructions longer than 32 bits. */
static void write_random(uint64_t seed, unsigned count)
{
    while (count) {
        uint32_t word = next(&seed) | 3;
        if ((word & 0x1f) == 0x1f)
            continue;
        fwrite(&word, sizeof word, 1, stdout);
        count--;
    }
}

static void write_compressed(void)
{
    for (uint32_t word = 0; word < 1 << 16; word++)
        if ((word & 3) != 3)
            fwrite(&word, 2, 1, stdout);
}

static int list(unsigned xlen, const char *name)
{
    static uint8_t content[(16 << 20) + 4];
    FILE *file = fopen(name, "rb");
    if (!file || (xlen != 32 && xlen != 64)) {
        fprintf(stderr,
                "isa-list-words: %s: not readable, or XLEN not 32 or 64\n",
                name);
        return 2;
    }
    size_t size = fread(content, 1, sizeof content - 4, file);
    fclose(file);
    for (size_t pc = 0; pc < size;) {
        uint32_t word;
        char text[128];
        struct isa_insn insn;
        memcpy(&word, content + pc, sizeof word);
        struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)xlen};
        isa_decode(word, &profile, &insn);
        isa_disassemble(word, xlen, pc, text, sizeof text);
        printf("%zx: %s\n", pc, text);
        pc += insn.len;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "--rows"))
        write_rows(strtoull(argv[2], NULL, 0),
                   (unsigned)strtoul(argv[3], NULL, 0));
    else if (argc == 4 && !strcmp(argv[1], "--random"))
        write_random(strtoull(argv[2], NULL, 0),
                     (unsigned)strtoul(argv[3], NULL, 0));
    else if (argc == 2 && !strcmp(argv[1], "--compressed"))
        write_compressed();
    else if (argc == 3)
        return list((unsigned)strtoul(argv[1], NULL, 0), argv[2]);
    else
        return 2;
    return 0;
}
