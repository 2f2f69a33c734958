/*
 * Our reading of instruction words against objdump's.
 *
 *   isa-compare-words --write KIND SEED COUNT
 *       instruction words as raw bytes on stdout, by words_write()
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
#include "sim/isa/tests/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return words_write(argv[2], strtoull(argv[3], NULL, 0),
                           strtoul(argv[4], NULL, 0));
    if (argc == 4)
        return compare_file((unsigned)strtoul(argv[1], NULL, 0),
                            strtoull(argv[2], NULL, 0), argv[3]);
    fprintf(stderr, "usage: isa-compare-words --write KIND SEED COUNT\n"
                    "       isa-compare-words XLEN BASE FILE\n");
    return 2;
}
