/*
 * Our reading of instruction words against objdump's.
 *
 *   isa-compare-words --write KIND SEED COUNT
 *       instruction words as raw bytes on stdout:
 *       compressed  all 16-bit instructions
 *       system      all values of the upper 12 bits of fences, CSR accesses and
 *                   the other instructions of opcode SYSTEM
 *       rows        COUNT for each row of rv.def, xtrav.def and alias.def,
 * their operands often 0, 1, all ones, or the same register near        COUNT
 * that have some of the fixed bits of a row uniform     COUNT random 32-bit
 * instructions stream      COUNT random words, as instructions of any length
 *
 *   isa-compare-words XLEN BASE FILE
 *       compares objdump's lines on stdin with what isa_disassemble() and
 *       isa_decode() say about the bytes of FILE, which lie at address BASE.
 *       Comments (from a '#' on) do not count: they tell what the instructions
 *       before it did. Numbers of words go to stdout as lines "COUNT WHAT", the
 *       first differences to stderr. Exit status 1: something differs.
 *
 * A word has a name for both or for neither. The decoder takes exactly the
 * words that have a name, except those listed at refused and accepted.
 */
#include "sim/isa/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- words to compare ---- */

/* splitmix64 */
static uint32_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)(z ^ z >> 31);
}

/* The first bits of an instruction of more than 32 bits. */
static bool is_long(uint32_t word)
{
    return (word & 0x1f) == 0x1f;
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
static const struct pattern {
    uint32_t match, mask;
} patterns[] = {
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

static int write_words(const char *name, uint64_t seed, unsigned long count)
{
    for (size_t i = 0; i < LENGTH(kinds); i++)
        if (!strcmp(kinds[i].name, name)) {
            kinds[i].write(seed, count);
            return fflush(stdout) ? 2 : 0;
        }
    fprintf(stderr, "isa-compare-words: %s is no kind of words\n", name);
    return 2;
}

/* ---- what the decoder may say other than the disassembler ---- */

static bool reserved_rounding(uint32_t word, unsigned xlen)
{
    unsigned rm = word >> 12 & 7;
    return ((word & 0x73) == 0x43 || (word & 0x7f) == 0x53) &&
           (rm == 5 || rm == 6);
}

/* slli, srli, srai, rori, c.slli, c.srli, c.srai by 32 or more */
static bool shift_by_32(uint32_t word, unsigned xlen)
{
    return xlen == 32 &&
           ((word & 0x0200307f) == 0x02001013 || (word & 0xf003) == 0x1002 ||
            (word & 0xf803) == 0x9001);
}

/* 16 bits of 0 are defined to be illegal, and objdump has a name for that. */
static bool zero_word(uint32_t word, unsigned xlen)
{
    return word == 0;
}

static bool stack_step_0(uint32_t word, unsigned xlen)
{
    return word == 0x6101;
}

/* Where operands are in a word. */
enum { AT_rd = 7, AT_rs1 = 15, AT_rs2 = 20, AT_rs3 = 27 };

enum {
#define XTRAV(id, ...) ENCODING_##id,
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

static const struct pattern encodings[] = {
#define XTRAV(id, name, match, mask, ...) [ENCODING_##id] = {match, mask},
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

/* The registers of instructions that a unit serves, in groups. */
static const struct {
    uint8_t encoding;
    struct {
        uint8_t at, registers; /* 0: behind the last group */
    } group[9];
} served[] = {
#define F(at, n) {AT_##at, n},
#define X F
#define W F
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, ...)   \
    {ENCODING_##id, {sends receives{0}}},
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
#undef W
#undef X
#undef F
};

static bool group_beyond_31(uint32_t word, unsigned xlen)
{
    for (size_t i = 0; i < LENGTH(served); i++) {
        const struct pattern *e = &encodings[served[i].encoding];
        for (size_t k = 0; served[i].group[k].registers; k++) {
            unsigned first = word >> served[i].group[k].at & 31;
            if ((word & e->mask) == e->match &&
                first + served[i].group[k].registers > 32)
                return true;
        }
    }
    return false;
}

/* of other modes: not ecall, ebreak, mret, wfi */
static bool other_mode(uint32_t word, unsigned xlen)
{
    uint32_t upper = word >> 20;
    bool ours = upper == 0 || upper == 1 || upper == 0x302 || upper == 0x105;
    return (word & 0x7fff) == 0x73 && !ours;
}

static bool fence_fields(uint32_t word, unsigned xlen)
{
    return (word & 0x607f) == 0x000f;
}

/* fcvt.d.s, fcvt.d.w, fcvt.d.wu: exact, objdump knows rounding mode 0 only */
static bool exact_conversion(uint32_t word, unsigned xlen)
{
    uint32_t op = word & 0xfff0007f;
    return (op == 0x42000053 || (op & ~0x00100000u) == 0xd2000053) &&
           !reserved_rounding(word, xlen);
}

struct exception {
    const char *what;
    bool (*holds)(uint32_t word, unsigned xlen);
};

/* Words with a name that are illegal instructions. */
static const struct exception refused[] = {
    {"illegal: reserved rounding mode", reserved_rounding},
    {"illegal: RV32 shift by 32 or more", shift_by_32},
    {"illegal: 16 bits of 0, unimp", zero_word},
    {"illegal: c.addi16sp of 0", stack_step_0},
    {"illegal: a group of registers beyond 31", group_beyond_31},
    {"illegal: return or fence of a mode that harts do not have", other_mode},
};

/* Words without a name that are legal instructions. */
static const struct exception accepted[] = {
    {"legal without a name: reserved fields of fence, fence.i", fence_fields},
    {"legal without a name: exact conversion, mode not 0", exact_conversion},
};

/* ---- comparing ---- */

enum { REPORTED_DIFFERENCES = 20 };

/* Where the comparison is in the file, and what it has counted. */
struct comparison {
    unsigned xlen;
    uint64_t base;
    uint8_t *bytes;
    size_t size, at;
    bool any_length; /* the last instruction was a long one */
    unsigned long words, compressed, named, longer, differences;
    unsigned long refused[LENGTH(refused)], accepted[LENGTH(accepted)];
};

static void differ(struct comparison *c, uint32_t word, const char *what,
                   const char *expected, const char *found)
{
    if (c->differences++ < REPORTED_DIFFERENCES)
        fprintf(stderr,
                "rv%u %" PRIx64 ": %08" PRIx32 ": %s: expected %s, found %s\n",
                c->xlen, c->base + c->at, word, what, expected, found);
}

/* The exception that holds, counted; NULL: none. */
static const char *find_exception(const struct exception *list, size_t length,
                                  unsigned long *counts, uint32_t word,
                                  unsigned xlen)
{
    for (size_t i = 0; i < length; i++)
        if (list[i].holds(word, xlen)) {
            counts[i]++;
            return list[i].what;
        }
    return NULL;
}

/*
 * A word with a name must be legal and one without must not, exceptions apart.
 */
static void compare_decoder(struct comparison *c, uint32_t word, bool named,
                            bool decoded)
{
    const char *exception = named ? find_exception(refused, LENGTH(refused),
                                                   c->refused, word, c->xlen)
                                  : find_exception(accepted, LENGTH(accepted),
                                                   c->accepted, word, c->xlen);
    bool legal = named == !exception;
    if (decoded != legal)
        differ(c, word, "decoder",
               exception ? exception
               : legal   ? "legal"
                         : "illegal",
               decoded ? "legal" : "illegal");
}

/* No instruction of more than 32 bits is known: only that must be agreed on. */
static void compare_long(struct comparison *c, uint32_t word,
                         const char *expected, const char *found, bool decoded)
{
    c->longer++;
    if (*expected != '.' || *found != '.' || decoded)
        differ(c, word, "text", expected, found);
    c->any_length = true;
}

/* Compares one instruction, at c->at, and goes on behind it. */
static void compare_word(struct comparison *c, const char *expected)
{
    const struct isa_profile profile = {ISA_ALL_EXTENSIONS, (uint8_t)c->xlen};
    uint32_t word;
    char found[128];
    struct isa_insn insn;
    memcpy(&word, c->bytes + c->at, sizeof word);
    bool decoded = isa_decode(word, &profile, &insn);
    isa_disassemble(word, c->xlen, c->base + c->at, found, sizeof found);
    c->words++;
    if (is_long(word)) {
        compare_long(c, word, expected, found, decoded);
    } else {
        if (strcmp(expected, found) != 0)
            differ(c, insn.raw, "text", expected, found);
        c->compressed += insn.len == 2;
        c->named += *found != '.';
        compare_decoder(c, insn.raw, *found != '.', decoded);
        c->any_length = false;
    }
    c->at += insn.len;
}

/*
 * "ADDRESS:<tab>BYTES<tab>NAME<tab>OPERANDS # COMMENT": the text with one space
 * for a tab, without the comment. NULL: not the first line of an instruction.
 */
static char *read_line(char *line, uint64_t *address)
{
    char *end;
    *address = strtoull(line, &end, 16);
    if (end == line || end[0] != ':' || end[1] != '\t')
        return NULL;
    char *text = strchr(end + 2, '\t');
    if (!text++)
        return NULL;
    size_t length = strcspn(text, "#\n");
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    text[length] = 0;
    for (char *tab = text; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    return text;
}

/* False: the lines and the bytes are not about the same. */
static bool compare_line(struct comparison *c, char *line)
{
    uint64_t address;
    const char *text = read_line(line, &address);
    if (!text)
        return true;
    if (c->any_length && address - c->base < c->size)
        c->at = address - c->base;
    if (address - c->base != c->at || c->at >= c->size) {
        fprintf(stderr,
                "isa-compare-words: rv%u: objdump is at %" PRIx64
                ", we are at %" PRIx64 " of %" PRIx64 "\n",
                c->xlen, address, c->base + c->at, c->base + c->size);
        return false;
    }
    compare_word(c, text);
    return true;
}

static void print_counts(const struct comparison *c)
{
    printf("%lu words\n%lu of them compressed\n%lu of them with a name\n"
           "%lu of them beginnings of longer instructions\n",
           c->words, c->compressed, c->named, c->longer);
    for (size_t i = 0; i < LENGTH(refused); i++)
        printf("%lu %s\n", c->refused[i], refused[i].what);
    for (size_t i = 0; i < LENGTH(accepted); i++)
        printf("%lu %s\n", c->accepted[i], accepted[i].what);
    printf("%lu differences\n", c->differences);
}

static int compare(struct comparison *c)
{
    char *line = NULL;
    size_t room = 0;
    bool same = true;
    while (same && getline(&line, &room, stdin) > 0)
        same = compare_line(c, line);
    free(line);
    if (same && c->at < c->size) {
        fprintf(stderr, "isa-compare-words: objdump ends at byte %zu of %zu\n",
                c->at, c->size);
        same = false;
    }
    print_counts(c);
    return same && !c->differences ? 0 : 1;
}

/* Bytes of a file and some zeros; NULL: not readable. */
static uint8_t *read_bytes(const char *name, size_t *size)
{
    enum { ROOM = 64 << 20 };
    FILE *file = fopen(name, "rb");
    if (!file)
        return NULL;
    uint8_t *bytes = calloc(ROOM, 1);
    *size = bytes ? fread(bytes, 1, ROOM - 4, file) : 0;
    fclose(file);
    return bytes;
}

static int compare_file(unsigned xlen, uint64_t base, const char *name)
{
    struct comparison c = {.xlen = xlen, .base = base};
    if (xlen != 32 && xlen != 64) {
        fprintf(stderr, "isa-compare-words: XLEN is 32 or 64, not %u\n", xlen);
        return 2;
    }
    c.bytes = read_bytes(name, &c.size);
    if (!c.bytes) {
        perror(name);
        return 2;
    }
    int status = compare(&c);
    free(c.bytes);
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 5 && !strcmp(argv[1], "--write"))
        return write_words(argv[2], strtoull(argv[3], NULL, 0),
                           strtoul(argv[4], NULL, 0));
    if (argc == 4)
        return compare_file((unsigned)strtoul(argv[1], NULL, 0),
                            strtoull(argv[2], NULL, 0), argv[3]);
    fprintf(stderr, "usage: isa-compare-words --write KIND SEED COUNT\n"
                    "       isa-compare-words XLEN BASE FILE\n");
    return 2;
}
