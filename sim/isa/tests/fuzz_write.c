/*
 * Writes a program as an ELF file or as a listing.
 */
#include "sim/isa/tests/fuzz_text.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PAGE = 4096 };

/* ---- ELF ---- */

/*
 * Two segments: the text, writable if the program patches itself, and the data,
 * with a page behind it for what lanes count.
 */
#define WRITE_HEADERS(BITS)                                                    \
    static void write_headers##BITS(const struct program *p, size_t text_size, \
                                    FILE *file)                                \
    {                                                                          \
        size_t data_at = (PAGE + text_size + PAGE - 1) / PAGE * PAGE;          \
        Elf##BITS##_Ehdr header = {                                            \
            .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS##BITS, ELFDATA2LSB,      \
                        EV_CURRENT},                                           \
            .e_type = ET_EXEC,                                                 \
            .e_machine = EM_RISCV,                                             \
            .e_version = EV_CURRENT,                                           \
            .e_entry = program_entry(p),                                       \
            .e_phoff = sizeof(Elf##BITS##_Ehdr),                               \
            .e_flags = EF_RISCV_RVC | EF_RISCV_FLOAT_ABI_DOUBLE,               \
            .e_ehsize = sizeof(Elf##BITS##_Ehdr),                              \
            .e_phentsize = sizeof(Elf##BITS##_Phdr),                           \
            .e_phnum = 2,                                                      \
        };                                                                     \
        Elf##BITS##_Phdr parts[2] = {                                          \
            {.p_type = PT_LOAD,                                                \
             .p_offset = PAGE,                                                 \
             .p_vaddr = TEXT_ADDRESS,                                          \
             .p_paddr = TEXT_ADDRESS,                                          \
             .p_filesz = (Elf##BITS##_Word)text_size,                          \
             .p_memsz = (Elf##BITS##_Word)text_size,                           \
             .p_flags = PF_R | PF_X | (p->patches ? PF_W : 0u),                \
             .p_align = PAGE},                                                 \
            {.p_type = PT_LOAD,                                                \
             .p_offset = (Elf##BITS##_Off)data_at,                             \
             .p_vaddr = DATA_ADDRESS,                                          \
             .p_paddr = DATA_ADDRESS,                                          \
             .p_filesz = (Elf##BITS##_Word)program_data_bytes(p),              \
             .p_memsz = (Elf##BITS##_Word)program_data_bytes(p) + PAGE,        \
             .p_flags = PF_R | PF_W,                                           \
             .p_align = PAGE},                                                 \
        };                                                                     \
        fwrite(&header, sizeof header, 1, file);                               \
        fwrite(parts, sizeof parts, 1, file);                                  \
    }
WRITE_HEADERS(32)
WRITE_HEADERS(64)

static void pad_to_page(FILE *file)
{
    while (ftell(file) % PAGE)
        putc(0, file);
}

static void write_data(const struct program *program, FILE *file)
{
    uint8_t data[DATA_SIZE];
    for (size_t lane = 0; lane * DATA_SIZE < program_data_bytes(program);
         lane++) {
        program_lane_data(program, (unsigned)lane, data);
        fwrite(data, 1, DATA_SIZE, file);
    }
}

bool program_write_elf(struct program *program, const char *name)
{
    size_t text_size;
    uint8_t *text = program_text(program, &text_size);
    if (!text) {
        errno = EFBIG;
        return false;
    }
    FILE *file = fopen(name, "wb");
    if (!file) {
        free(text);
        return false;
    }
    if (program->xlen == 32)
        write_headers32(program, text_size, file);
    else
        write_headers64(program, text_size, file);
    pad_to_page(file);
    fwrite(text, 1, text_size, file);
    pad_to_page(file);
    write_data(program, file);
    free(text);
    bool written = !ferror(file);
    /* qemu runs executable files only. */
    return fclose(file) == 0 && written && chmod(name, 0755) == 0;
}

/* ---- listing ---- */

static uint64_t word_at(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static void list_registers(const struct program *p, FILE *file)
{
    uint8_t data[DATA_SIZE];
    program_data(p, data);
    fprintf(file,
            "# rv%u, seed %" PRIu64
            "; x%u = 0x%x points into the data at 0x%x\n"
            "# registers at first, the others are 0:\n",
            p->xlen, p->seed, p->data_register, DATA_ADDRESS + DATA_POINTER,
            DATA_ADDRESS);
    for (unsigned i = 0; i < 64; i++) {
        bool is_float = i >= 32;
        uint64_t value =
            word_at(data + (is_float ? DATA_F : DATA_X) + 8 * (i % 32));
        if (p->xlen == 32 && !is_float)
            value = (uint32_t)value;
        if (value && i != 0 && i != p->data_register)
            fprintf(file, "#   %c%u = 0x%" PRIx64 "\n", is_float ? 'f' : 'x',
                    i % 32, value);
    }
}

/* An instruction as isa_disassemble writes it, with the value of a literal that
 * it refers to. */
static void list_word(const struct program *p, const struct slot *slot,
                      uint32_t address, const uint8_t *text, FILE *file)
{
    char line[80];
    uint32_t word;
    memcpy(&word, text + address - TEXT_ADDRESS, 4);
    isa_disassemble(word, p->xlen, address, line, sizeof line);
    if (is_compressed(word))
        fprintf(file, "%8x:      %04x  %s", address, word & 0xffff, line);
    else
        fprintf(file, "%8x:  %08x  %s", address, word, line);
    if (slot->target == TO_LITERAL && slot->link > LINK_HIGH) {
        const struct literal *literal = &p->literals[slot->number];
        fprintf(file, "  # 0x%" PRIx64, literal->kept ? literal->value : 0);
    }
    putc('\n', file);
}

static void list_section(const struct program *p, const char *name,
                         const struct section *section, const uint8_t *text,
                         FILE *file)
{
    fprintf(file, "%s:\n", name);
    for (uint32_t i = section->begin; i < section->end; i++) {
        const struct item *item = &p->items[i];
        for (uint32_t k = item->first; k < item->first + item->count; k++) {
            const struct slot *slot = &p->slots[k];
            if (!slot->kept || !item_present(p, i))
                continue;
            if (slot->filler)
                fprintf(file, "%8x:            .zero %u\n", slot->address,
                        slot->filler);
            for (unsigned at = 0; at < slot->length && !slot->filler; at += 4)
                list_word(p, slot, slot->address + at, text, file);
        }
    }
}

void program_write_listing(struct program *program, FILE *file)
{
    size_t size;
    uint8_t *text = program_text(program, &size);
    if (!text)
        return;
    list_registers(program, file);
    list_section(program, "body", &program->body, text, file);
    fprintf(file, "          (registers and data are written, exit)\n");
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[16];
        snprintf(name, sizeof name, "function%u", i);
        if (program_function(program, i))
            list_section(program, name, &program->functions[i], text, file);
    }
    free(text);
}

unsigned program_instructions(const struct program *program)
{
    unsigned count = 0;
    for (size_t i = 0; i < program->item_count; i++) {
        const struct item *item = &program->items[i];
        if (!item_present(program, i))
            continue;
        for (uint32_t k = item->first; k < item->first + item->count; k++)
            count += program->slots[k].kept && !program->slots[k].filler;
    }
    return count;
}
