/*
 * Runs a static ELF that needs no more of a system than write and exit, by
 * either executor of sim/isa:
 *
 *   isa-run-program [--step] program.elf
 *
 * --step executes with isa_execute(), else isa_run() does. Ends with the
 * program's exit status; 125 is an exception, 124 a usage or host error.
 */
#include "sim/isa/functional.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MEMORY_SIZE = 64 << 20, STATUS_FAULT = 125, STATUS_ERROR = 124 };

/* One hart in a flat memory from address 0 on. */
struct machine {
    struct isa_profile profile;
    struct isa_hart hart;
    struct isa_memory memory;
    struct isa_code *code;
    uint64_t reservation; /* of --step: address, 1 for none */
};

static void fail(const char *file, const char *what)
{
    fprintf(stderr, "isa-run-program: %s: %s\n", file, what);
    exit(STATUS_ERROR);
}

static uint8_t *read_file(const char *name, size_t *size)
{
    static uint8_t content[16 << 20];
    FILE *file = fopen(name, "rb");
    if (!file)
        fail(name, "cannot be opened");
    *size = fread(content, 1, sizeof content, file);
    fclose(file);
    return content;
}

/* Loads all PT_LOAD segments, for the headers of either class. */
#define LOAD(BITS)                                                             \
    static void load##BITS(struct machine *m, const char *name,                \
                           const uint8_t *image, size_t size)                  \
    {                                                                          \
        Elf##BITS##_Ehdr header;                                               \
        memcpy(&header, image, sizeof header);                                 \
        for (int i = 0; i < header.e_phnum; i++) {                             \
            Elf##BITS##_Phdr part;                                             \
            memcpy(&part,                                                      \
                   image + header.e_phoff + (size_t)i * header.e_phentsize,    \
                   sizeof part);                                               \
            if (part.p_type != PT_LOAD)                                        \
                continue;                                                      \
            if (part.p_vaddr + part.p_memsz > MEMORY_SIZE ||                   \
                part.p_offset + part.p_filesz > size)                          \
                fail(name, "segment does not fit");                            \
            memcpy(m->memory.base + part.p_vaddr, image + part.p_offset,       \
                   part.p_filesz);                                             \
        }                                                                      \
        m->profile = (struct isa_profile){ISA_ALL_EXTENSIONS, BITS};           \
        isa_hart_reset(&m->hart, &m->profile, 0, header.e_entry);              \
    }
LOAD(32)
LOAD(64)

/* The caller's half of an access, for --step: isa_execute has described it. */
static enum isa_stop access_memory(struct machine *m,
                                   const struct isa_insn *insn,
                                   const struct isa_effect *effect)
{
    uint64_t value = 0, operand = effect->value;
    if (effect->address > (uint64_t)MEMORY_SIZE - effect->size)
        return ISA_STOP_FAULT;
    uint8_t *at = m->memory.base + effect->address;
    memcpy(&value, at, effect->size);
    if (effect->access == ISA_SC) {
        value = m->reservation != effect->address;
        m->reservation = 1;
    } else if (effect->access == ISA_LR) {
        m->reservation = effect->address;
    } else if (effect->access > ISA_SC) {
        operand = isa_amo(effect->access, effect->size, value, operand);
    }
    bool writes = effect->access == ISA_SC
                      ? !value
                      : effect->access != ISA_LOAD && effect->access != ISA_LR;
    if (writes)
        memcpy(at, &operand, effect->size);
    if (effect->access != ISA_STORE)
        isa_load_done(&m->hart, insn, value);
    return ISA_STOP_LIMIT;
}

static enum isa_stop step(struct machine *m, struct isa_effect *effect)
{
    uint32_t word;
    struct isa_insn insn;
    memcpy(&word, m->memory.base + m->hart.pc % MEMORY_SIZE, sizeof word);
    isa_decode(word, &m->profile, &insn);
    switch (isa_execute(&m->hart, &insn, effect)) {
    case ISA_ACCESS:
        return access_memory(m, &insn, effect);
    case ISA_ECALL:
        return ISA_STOP_ECALL;
    case ISA_EBREAK:
        return ISA_STOP_EBREAK;
    case ISA_FAULT:
        return ISA_STOP_FAULT;
    case ISA_UNIT:
        return ISA_STOP_UNIT;
    default:
        return ISA_STOP_LIMIT;
    }
}

static enum isa_stop run(struct machine *m, bool stepwise,
                         struct isa_effect *effect)
{
    struct isa_insn unit;
    enum isa_stop stop = ISA_STOP_LIMIT;
    while (stop == ISA_STOP_LIMIT)
        stop = stepwise ? step(m, effect)
                        : isa_run(&m->hart, m->code, &m->memory, 1000, effect,
                                  &unit);
    return stop;
}

/* Serves an ecall; leaves by exit. */
static void serve(struct machine *m)
{
    uint64_t *x = m->hart.x;
    enum { A0 = 10, A1, A2, A7 = 17, SYS_WRITE = 64, SYS_EXIT = 93 };
    if (x[A7] == SYS_EXIT)
        exit((int)x[A0] & 255);
    if (x[A7] != SYS_WRITE || x[A1] + x[A2] > MEMORY_SIZE)
        exit(STATUS_FAULT);
    fwrite(m->memory.base + x[A1], 1, x[A2], stdout);
    x[A0] = x[A2];
    m->hart.pc += 4;
}

int main(int argc, char **argv)
{
    bool stepwise = argc == 3 && !strcmp(argv[1], "--step");
    if (argc != 2 + stepwise)
        fail("usage", "[--step] program.elf");
    const char *name = argv[argc - 1];
    size_t size;
    uint8_t *image = read_file(name, &size);
    static struct machine m;
    uint8_t *base = calloc(1, MEMORY_SIZE + 8);
    if (!base || !isa_memory_init(&m.memory, base, 0x1000, MEMORY_SIZE, 1))
        fail(name, "out of memory");
    if (size < sizeof(Elf64_Ehdr) || memcmp(image, ELFMAG, SELFMAG))
        fail(name, "no ELF file");
    if (image[EI_CLASS] == ELFCLASS32)
        load32(&m, name, image, size);
    else
        load64(&m, name, image, size);
    m.code = isa_code_create(&m.memory, &m.profile);
    m.reservation = 1;
    struct isa_effect effect = {0};
    while (run(&m, stepwise, &effect) == ISA_STOP_ECALL)
        serve(&m);
    fprintf(stderr,
            "isa-run-program: %s: stopped at 0x%" PRIx64
            ", cause %u, tval 0x%" PRIx64 "\n",
            name, m.hart.pc, effect.cause, effect.tval);
    return STATUS_FAULT;
}
