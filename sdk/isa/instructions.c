/*
 * Prints docs/reference/instructions.md, the reference page of the custom
 * instructions, from sdk/isa/xtrav.def, shapes.def and served.def, and of the
 * processor rtp, from rtp.def: `make docs`. Knows the operand letters and
 * nothing of any particular instruction.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A row of shapes.def: what the C function looks like, and registers beside
 * operands. */
struct shape {
    const char *name, *result, *parameters;
    uint64_t reads, writes;
};

/* A row of xtrav.def. */
struct instruction {
    const char *id, *mnemonic, *operands, *shape, *meaning;
    uint32_t match, mask;
};

/* An operand letter, its name in assembly, and the bits that it occupies: one
 * row for each field, which may have a name of its own. */
struct operand {
    char letter;
    const char *name;
    int high, low;
    const char *field;
};

static const struct shape shapes[] = {
#define XTRAV_SHAPE(shape, result, parameters, reads, writes)                  \
    {#shape, #result, #parameters, reads, writes},
#include "sdk/isa/shapes.def"
#undef XTRAV_SHAPE
};

static const struct instruction instructions[] = {
#define XTRAV(id, mnemonic, match, mask, operands, shape, meaning)             \
    {#id, mnemonic, operands, #shape, meaning, match, mask},
#include "sdk/isa/xtrav.def"
#undef XTRAV
};

/* Registers of a file, from a number or an operand on. */
struct group {
    const char *file, *at;
    int registers;
};

/* How a unit serves an instruction. */
struct served {
    const char *id, *unit, *request, *answer, *flow, *bucket;
    struct group sends[17], receives[17]; /* end with no file */
};

static const struct served served_rows[] = {
#define F(at, n) {"floating-point", #at, n},
#define X(at, n) {"integer", #at, n},
#define W(at, n) {"integer (32 bits)", #at, n},
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, flow,  \
                     bucket, when, needs)                                      \
    {#id, unit, #request, #answer, #flow, #bucket, {sends{0}}, {receives{0}}},
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
};

/* Letters as binutils has them; bits as in the base formats. */
static const struct operand operands[] = {
    {'d', "rd", 11, 7, NULL},        {'D', "fd", 11, 7, NULL},
    {'s', "rs1", 19, 15, NULL},      {'S', "fs1", 19, 15, NULL},
    {'t', "rs2", 24, 20, NULL},      {'T', "fs2", 24, 20, NULL},
    {'R', "fs3", 31, 27, NULL},      {'j', "imm", 31, 20, NULL},
    {'o', "imm", 31, 20, NULL},      {'q', "imm", 31, 25, "imm[11:5]"},
    {'q', "imm", 11, 7, "imm[4:0]"},
};

enum {
    INSTRUCTIONS = sizeof instructions / sizeof *instructions,
    SHAPES = sizeof shapes / sizeof *shapes,
    OPERANDS = sizeof operands / sizeof *operands,
    SERVED = sizeof served_rows / sizeof *served_rows,
};

/* The row of the shape that an instruction names. */
static const struct shape *shape_of(const struct instruction *instruction)
{
    for (int i = 0; i < SHAPES; i++)
        if (strcmp(shapes[i].name, instruction->shape) == 0)
            return &shapes[i];
    return NULL; /* not reached: xtrav.h would not compile */
}

/* NULL: the letter is no operand and stands for itself. */
static const struct operand *operand_of(char letter)
{
    for (int i = 0; i < OPERANDS; i++)
        if (operands[i].letter == letter)
            return &operands[i];
    return NULL;
}

/* "trav.traceray fd, fs1, imm" */
static void print_syntax(const struct instruction *instruction)
{
    const char *before = " ";

    printf("%s", instruction->mnemonic);
    for (const char *letter = instruction->operands; *letter; letter++) {
        const struct operand *operand = operand_of(*letter);
        if (*letter == ',') {
            before = ", ";
            continue;
        }
        if (operand)
            printf("%s%s", before, operand->name);
        else
            printf("%s%c", before, *letter);
        before = "";
    }
}

/* The operand that starts at bit high, if the instruction has one there. */
static const struct operand *operand_at(const struct instruction *instruction,
                                        int high)
{
    for (int i = 0; i < OPERANDS; i++)
        if (operands[i].high == high &&
            strchr(instruction->operands, operands[i].letter))
            return &operands[i];
    return NULL;
}

/* The lowest bit of the field that starts at bit high: an operand's or, as in
   the base formats, funct7, rs2, rs1, funct3, rd, opcode. */
static int field_end(const struct operand *operand, int high)
{
    static const int ends[] = {25, 20, 15, 12, 7, 0};
    int i = 0;

    if (operand)
        return operand->low;
    while (ends[i] > high)
        i++;
    return ends[i];
}

/* The name of an operand, or the fixed bits of the instruction. */
static void print_field(const struct instruction *instruction,
                        const struct operand *operand, int high, int low)
{
    if (operand) {
        printf(" %s |", operand->field ? operand->field : operand->name);
        return;
    }
    putchar(' ');
    for (int bit = high; bit >= low; bit--)
        putchar(instruction->match >> bit & 1 ? '1' : '0');
    printf(" |");
}

/* A table: which bits, what they are. */
static void print_encoding(const struct instruction *instruction)
{
    enum { PLACES, RULE, FIELDS, ROWS };

    for (int row = 0; row < ROWS; row++) {
        printf("|");
        for (int high = 31, low; high >= 0; high = low - 1) {
            const struct operand *operand = operand_at(instruction, high);
            low = field_end(operand, high);
            if (row == PLACES)
                printf(" %d..%d |", high, low);
            else if (row == RULE)
                printf("---|");
            else
                print_field(instruction, operand, high, low);
        }
        printf("\n");
    }
}

/* "- bit 30 is 0": of fields of operands. */
static void print_fixed_bits(const struct instruction *instruction)
{
    for (int high = 31, low; high >= 0; high = low - 1) {
        const struct operand *operand = operand_at(instruction, high);
        low = field_end(operand, high);
        for (int bit = high; operand && bit >= low; bit--)
            if (instruction->mask >> bit & 1)
                printf("- bit %d, of %s, is %d\n", bit, operand->name,
                       (int)(instruction->match >> bit & 1));
    }
}

/* Numbers from 32 on are floating-point registers. */
static void print_register(unsigned number)
{
    printf("%c%u", number < 32 ? 'x' : 'f', number % 32);
}

/* "f0..f7, f21" */
static void print_registers(const char *what, uint64_t set)
{
    const char *before = "";

    if (!set)
        return;
    printf("- %s ", what);
    for (unsigned first = 0; first < 64; first++) {
        unsigned last = first;
        if (!(set >> first & 1))
            continue;
        while (last % 32 < 31 && set >> (last + 1) & 1)
            last++;
        printf("%s", before);
        print_register(first);
        if (last > first) {
            printf("..");
            print_register(last);
        }
        before = ", ";
        first = last;
    }
    printf("\n");
}

/* NULL: the core itself executes the instruction. */
static const struct served *served_of(const struct instruction *instruction)
{
    for (int i = 0; i < SERVED; i++)
        if (strcmp(served_rows[i].id, instruction->id) == 0)
            return &served_rows[i];
    return NULL;
}

/* "- sends 8 floating-point registers from rs1 on" */
static void print_groups(const char *what, const struct group *group)
{
    const char *before = "";

    if (!group->file)
        return;
    printf("- %s ", what);
    for (; group->file; group++, before = ", ")
        printf("%s%d %s register%s from %s on", before, group->registers,
               group->file, group->registers == 1 ? "" : "s", group->at);
    printf("\n");
}

static void print_lower(const char *name)
{
    for (; *name; name++)
        putchar(tolower((unsigned char)*name));
}

/* How the instruction travels to its unit and back. */
static void print_served(const struct served *served)
{
    printf("- served by the %s, by the core's ports `", served->unit);
    print_lower(served->request);
    printf("` and `");
    print_lower(served->answer);
    printf("`\n");
    if (strcmp(served->request, "OP") == 0)
        printf("- parameter `%s_unit`: by which link\n", served->id);
    print_groups("sends", served->sends);
    print_groups("receives", served->receives);
    printf("- the hart %s; its cycles then are in bucket `%s`\n",
           strcmp(served->flow, "BLOCKS") == 0
               ? "waits for the answer"
               : "goes on until it needs the answer",
           served->bucket);
}

/* The section of one instruction. */
static void print_instruction(const struct instruction *instruction)
{
    const struct shape *shape = shape_of(instruction);
    const struct served *served = served_of(instruction);

    printf("\n## %s\n\n    ", instruction->mnemonic);
    print_syntax(instruction);
    printf("\n    %s corbel_%s%s\n\n%s.\n\n", shape->result, instruction->id,
           shape->parameters, instruction->meaning);
    print_encoding(instruction);
    printf("\n- match 0x%08x, mask 0x%08x\n", instruction->match,
           instruction->mask);
    print_fixed_bits(instruction);
    print_registers("also reads", shape->reads);
    print_registers("also writes", shape->writes);
    if (served)
        print_served(served);
    else
        printf("- timing parameters: `%s_latency`, `%s_unit`\n",
               instruction->id, instruction->id);
}

/* ---- the processor rtp ---- */

enum { SCALAR, VECTOR, SIGNED, UNSIGNED, TARGET };

/* An operand of rtp.def by its letter: Rd, RVa, #i, label; stores read d. */
static void print_rtp_operand(char letter)
{
    const bool field_d = strchr("sSL", letter) != NULL;
    int type = -1;
#define RTP_OPERAND(letter_, type_, shift, bits, use)                          \
    if (letter == letter_)                                                     \
        type = type_;
#include "sdk/isa/rtp.def"
    if (type == SCALAR || type == VECTOR)
        printf("R%s%c", type == VECTOR ? "V" : "",
               field_d ? 'd' : tolower((unsigned char)letter));
    else if (type == TARGET)
        printf("label");
    else
        printf("#%c", letter);
}

/* "name Rd,RVa,#n" of the letters "d,A,n". */
static void print_rtp_syntax(const char *name, const char *letters)
{
    printf("| `%s%s", name, *letters ? " " : "");
    for (; *letters; letters++)
        if (*letters == ',')
            putchar(',');
        else
            print_rtp_operand(*letters);
    printf("` |");
}

/* The expansion of a pseudo-instruction, with its operands for %1 to %3. */
static void print_rtp_pseudo(const char *letters, const char *expansion)
{
    printf(" `");
    for (; *expansion; expansion++)
        if (*expansion == '%')
            print_rtp_operand(letters[2 * (*++expansion - '1')]);
        else
            putchar(*expansion);
    printf("` |\n");
}

static void print_rtp(void)
{
    printf("\n## The processor rtp\n\n"
           "Made from `sdk/isa/rtp.def`. R are scalar registers, RV vector "
           "registers of four lanes;\n#i is a signed, #u an unsigned immediate "
           "of 16 bits, #n a lane, 0 to 3. Cycles are those\nof the stages EX "
           "and MEM.\n\n"
           "| instruction | cycles | meaning |\n|---|---|---|\n");
#define RTP(id, opcode, letters, class, ex, mem, meaning)                      \
    print_rtp_syntax(#id, letters);                                            \
    printf(" %d, %d | %s |\n", ex, mem, meaning);
#include "sdk/isa/rtp.def"
    printf("\nPseudo-instructions (the destination of `ii_mod` and `ii_modi` "
           "must not be one of the\nregisters that they read):\n\n"
           "| instruction | is assembled as |\n|---|---|\n");
#define RTP_PSEUDO(name, letters, rule, expansion)                             \
    print_rtp_syntax(name, letters);                                           \
    print_rtp_pseudo(letters, expansion);
#include "sdk/isa/rtp.def"
}

/* The page: a table of all instructions, then a section for each. */
int main(void)
{
    printf("# Custom instructions\n\n"
           "Extension `xtrav`, version 1p0, implies `f`. Made from "
           "`sdk/isa/xtrav.def` and\n`served.def` by `make docs`: change it "
           "there.\n\n"
           "The C functions are those of `<corbel/xtrav.h>`. rd, rs1, rs2 are "
           "integer, fd, fs1,\nfs2, fs3 floating-point registers; imm is a "
           "signed constant of 12 bits. The instructions\nof the processor rtp "
           "are at the end.\n\n"
           "| instruction | meaning |\n|---|---|\n");
    for (int i = 0; i < INSTRUCTIONS; i++) {
        printf("| `");
        print_syntax(&instructions[i]);
        printf("` | %s |\n", instructions[i].meaning);
    }
    for (int i = 0; i < INSTRUCTIONS; i++)
        print_instruction(&instructions[i]);
    print_rtp();
    return fflush(stdout) != 0 || ferror(stdout);
}
