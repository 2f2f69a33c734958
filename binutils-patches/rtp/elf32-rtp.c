/* ELF files of rtp: 32 bits, little endian, relocations with addends. */
#include "sysdep.h"

#include "bfd.h"
#include "libbfd.h"

#include "elf-bfd.h"
#include "elf/rtp.h"
#include "libiberty.h"

/* A field of `bits` bits at the low end of `bytes` bytes. */
#define FIELD(type, bytes, bits, shift, relative, overflow)                    \
    HOWTO(type, shift, bytes, bits, relative, 0, complain_overflow_##overflow, \
          bfd_elf_generic_reloc, #type, false, 0,                              \
          bits == 32 ? 0xffffffff : (1ull << bits) - 1, relative)

static reloc_howto_type howtos[] = {
    FIELD(R_RTP_NONE, 0, 0, 0, false, dont),
    FIELD(R_RTP_32, 4, 32, 0, false, bitfield),
    FIELD(R_RTP_16, 2, 16, 0, false, bitfield),
    FIELD(R_RTP_PC32, 4, 32, 0, true, bitfield),
    FIELD(R_RTP_PC16, 4, 16, 0, true, signed),
    FIELD(R_RTP_S16, 4, 16, 0, false, signed),
    FIELD(R_RTP_U16, 4, 16, 0, false, unsigned),
    FIELD(R_RTP_LO16, 4, 16, 0, false, dont),
    FIELD(R_RTP_HI16, 4, 16, 16, false, dont),
};

static const struct {
    bfd_reloc_code_real_type code;
    enum elf_rtp_reloc_type type;
} codes[] = {
    {BFD_RELOC_NONE, R_RTP_NONE},     {BFD_RELOC_32, R_RTP_32},
    {BFD_RELOC_16, R_RTP_16},         {BFD_RELOC_32_PCREL, R_RTP_PC32},
    {BFD_RELOC_16_PCREL, R_RTP_PC16}, {BFD_RELOC_RTP_S16, R_RTP_S16},
    {BFD_RELOC_RTP_U16, R_RTP_U16},   {BFD_RELOC_LO16, R_RTP_LO16},
    {BFD_RELOC_HI16, R_RTP_HI16},
};

static reloc_howto_type *howto_of_code(bfd *abfd ATTRIBUTE_UNUSED,
                                       bfd_reloc_code_real_type code)
{
    for (unsigned i = 0; i < ARRAY_SIZE(codes); i++)
        if (codes[i].code == code)
            return &howtos[codes[i].type];
    return NULL;
}

static reloc_howto_type *howto_of_name(bfd *abfd ATTRIBUTE_UNUSED,
                                       const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(howtos); i++)
        if (strcasecmp(howtos[i].name, name) == 0)
            return &howtos[i];
    return NULL;
}

static bool howto_of_rela(bfd *abfd, arelent *reloc, Elf_Internal_Rela *rela)
{
    unsigned type = ELF32_R_TYPE(rela->r_info);

    if (type >= ARRAY_SIZE(howtos)) {
        _bfd_error_handler(_("%pB: unsupported relocation type %#x"), abfd,
                           type);
        bfd_set_error(bfd_error_bad_value);
        return false;
    }
    reloc->howto = &howtos[type];
    return true;
}

/* What a relocation refers to. */
struct target {
    struct elf_link_hash_entry *global; /* NULL: a local symbol */
    asection *section;
    const char *name;
    bfd_vma address;
};

static void find_local(bfd *output, bfd *input, Elf_Internal_Rela *rela,
                       Elf_Internal_Sym *symbol, asection *section,
                       struct target *t)
{
    t->section = section;
    t->address = _bfd_elf_rela_local_sym(output, symbol, &t->section, rela);
    t->name = bfd_elf_string_from_elf_section(
        input, elf_tdata(input)->symtab_hdr.sh_link, symbol->st_name);
    if (!t->name || !*t->name)
        t->name = bfd_section_name(section);
}

static void report(struct bfd_link_info *info, bfd *input, asection *section,
                   Elf_Internal_Rela *rela, reloc_howto_type *howto,
                   const struct target *t, bfd_reloc_status_type status)
{
    if (status == bfd_reloc_overflow)
        info->callbacks->reloc_overflow(
            info, t->global ? &t->global->root : NULL, t->name, howto->name, 0,
            input, section, rela->r_offset);
    else if (status == bfd_reloc_dangerous)
        info->callbacks->einfo(
            _("%X%H: branch to `%s', which is not at a multiple of 4\n"), input,
            section, rela->r_offset, t->name);
    else
        info->callbacks->einfo(_("%X%H: relocation %s outside the section\n"),
                               input, section, rela->r_offset, howto->name);
}

static bfd_reloc_status_type apply(bfd *input, asection *section,
                                   bfd_byte *contents, Elf_Internal_Rela *rela,
                                   reloc_howto_type *howto, bfd_vma address)
{
    bfd_reloc_status_type status =
        _bfd_final_link_relocate(howto, input, section, contents,
                                 rela->r_offset, address, rela->r_addend);

    if (status == bfd_reloc_ok && howto->type == R_RTP_PC16 &&
        (address + rela->r_addend) % 4 != 0)
        return bfd_reloc_dangerous;
    return status;
}

static int relocate_section(bfd *output, struct bfd_link_info *info, bfd *input,
                            asection *input_section, bfd_byte *contents,
                            Elf_Internal_Rela *relocs,
                            Elf_Internal_Sym *symbols, asection **sections)
{
    Elf_Internal_Shdr *symtab = &elf_tdata(input)->symtab_hdr;
    Elf_Internal_Rela *end = relocs + input_section->reloc_count;

    for (Elf_Internal_Rela *rel = relocs; rel < end; rel++) {
        arelent reloc;
        unsigned long index = ELF32_R_SYM(rel->r_info);
        struct target t = {NULL, NULL, NULL, 0};
        bool unresolved, warned, ignored;

        if (!howto_of_rela(input, &reloc, rel))
            return false;
        reloc_howto_type *howto = reloc.howto;
        if (index < symtab->sh_info) {
            find_local(output, input, rel, &symbols[index], sections[index],
                       &t);
        } else {
            RELOC_FOR_GLOBAL_SYMBOL(info, input, input_section, rel, index,
                                    symtab, elf_sym_hashes(input), t.global,
                                    t.section, t.address, unresolved, warned,
                                    ignored);
            t.name = t.global->root.root.string;
        }
        if (t.section && discarded_section(t.section))
            RELOC_AGAINST_DISCARDED_SECTION(info, input, input_section, rel, 1,
                                            end, howto, 0, contents);
        if (bfd_link_relocatable(info))
            continue;
        bfd_reloc_status_type status =
            apply(input, input_section, contents, rel, howto, t.address);
        if (status != bfd_reloc_ok)
            report(info, input, input_section, rel, howto, &t, status);
    }
    return true;
}

static const struct bfd_elf_special_section special_sections[] = {
    {STRING_COMMA_LEN(".const"), -2, SHT_PROGBITS, SHF_ALLOC},
    {STRING_COMMA_LEN(".triangles"), -2, SHT_PROGBITS, SHF_ALLOC},
    {NULL, 0, 0, 0, 0},
};

#define ELF_ARCH bfd_arch_rtp
#define ELF_MACHINE_CODE EM_RTP
#define ELF_MAXPAGESIZE 4

#define TARGET_LITTLE_SYM rtp_elf32_vec
#define TARGET_LITTLE_NAME "elf32-rtp"

#define elf_info_to_howto_rel NULL
#define elf_info_to_howto howto_of_rela
#define elf_backend_relocate_section relocate_section
#define elf_backend_special_sections special_sections
#define elf_backend_can_gc_sections 1
#define elf_backend_rela_normal 1

#define bfd_elf32_bfd_reloc_type_lookup howto_of_code
#define bfd_elf32_bfd_reloc_name_lookup howto_of_name

#include "elf32-target.h"
