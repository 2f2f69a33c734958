/*
 * Reading ELF files and placing them in memory. Everything in the file is
 * checked before it is used, and what is wrong is told in one line.
 */
#include "sim/host/run/loaded_program.h"
#include "sdk/whole/reads.h"
#include "sim/core/heap.h"
#include "sim/host/run/program_memory.h"
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Decoded text takes 17 bytes for each of its own. */
#define TEXT_SPAN_MAX (256ull << 20)

/* ---- reading ---- */

/* All of the file at once: libelf and the segments then refer to these bytes,
 * and what the file becomes later does not matter to the run. */
static bool read_file(struct program *p, int fd, struct error *error)
{
    struct stat st;
    if (fstat(fd, &st))
        return error_set(error, "%s: %s", p->path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return error_set(error, "%s: not a file", p->path);
    p->file_bytes = (size_t)st.st_size;
    p->file = heap_resize(NULL, p->file_bytes + 1, 1, p->path);
    for (size_t done = 0; done < p->file_bytes;) {
        ssize_t n = read(fd, p->file + done, p->file_bytes - done);
        if (n <= 0)
            return error_set(error, "%s: %s", p->path,
                             n ? strerror(errno) : "it shrinks while read");
        done += (size_t)n;
    }
    return true;
}

/*
 * What libelf does not check, or reports less clearly: the first 16 bytes
 * (e_ident of the ELF specification) and whether the header that its class
 * promises is there.
 */
static bool check_ident(const struct program *p, struct error *error)
{
    const uint8_t *id = p->file;
    if (p->file_bytes < EI_NIDENT || memcmp(id, ELFMAG, SELFMAG))
        return error_set(error, "%s: not an ELF file", p->path);
    size_t header =
        id[EI_CLASS] == ELFCLASS32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
    if (p->file_bytes < header)
        return error_set(error, "%s: truncated in the ELF header", p->path);
    if (id[EI_CLASS] != ELFCLASS32 && id[EI_CLASS] != ELFCLASS64)
        return error_set(error, "%s: ELF class %u is neither 32 nor 64 bits",
                         p->path, id[EI_CLASS]);
    if (id[EI_DATA] != ELFDATA2LSB)
        return error_set(error, "%s: not little-endian", p->path);
    return true;
}

/* ---- which kind of core it is for ---- */

/* Is a kind before it for the same programs? */
static bool is_another(const struct unit_kind *const *kinds,
                       const struct unit_kind *const *kind)
{
    for (; kinds < kind; kinds++)
        if ((*kinds)->core &&
            (*kinds)->core->elf_machine == (*kind)->core->elf_machine)
            return true;
    return false;
}

/* The next kind of core from *kind on, which goes behind it; NULL: no more. Of
 * those that run the same programs the first of all kinds stands for all, until
 * the chip says which it has (programs_settle). */
static const struct core_kind *next_core(const struct unit_kind *const *kinds,
                                         const struct unit_kind *const **kind)
{
    while (**kind) {
        const struct unit_kind *const *this = (*kind)++;
        if ((*this)->core && !is_another(kinds, this))
            return (*this)->core;
    }
    return NULL;
}

/* Names every kind of core among the kinds, with the number that an ELF file
 * for it carries in e_machine. */
static bool wrong_machine(const struct program *p, unsigned machine,
                          const struct unit_kind *const *kinds,
                          struct error *error)
{
    char expected[200] = "";
    size_t length = 0;
    const struct unit_kind *const *kind = kinds;
    for (const struct core_kind *c; (c = next_core(kinds, &kind));)
        if (length < sizeof expected)
            length +=
                (size_t)snprintf(expected + length, sizeof expected - length,
                                 "%s%s (machine %u)", length ? " or " : "",
                                 c->name, c->elf_machine);
    return error_set(error, "%s: for machine %u, expected %s", p->path, machine,
                     expected);
}

/*
 * Finds the kind of core by e_machine, then asks what else it wants of a file:
 * the class, unless any will do, and its flags (e_flags), which only the kind
 * knows.
 */
static bool check_machine(struct program *p, const GElf_Ehdr *h,
                          const struct unit_kind *const *kinds,
                          struct error *error)
{
    const struct unit_kind *const *kind = kinds;
    const struct core_kind *core;
    while ((core = next_core(kinds, &kind)) &&
           core->elf_machine != h->e_machine)
        ;
    if (!core)
        return wrong_machine(p, h->e_machine, kinds, error);
    p->core = core;
    if (core->elf_bits && core->elf_bits != p->xlen)
        return error_set(error, "%s: ELF class of %u bits, expected %u for %s",
                         p->path, p->xlen, core->elf_bits, core->name);
    const char *why = core->refuses ? core->refuses(h->e_flags) : NULL;
    return !why || error_set(error, "%s: %s", p->path, why);
}

/*
 * Only executables at fixed addresses can be placed: there is no dynamic
 * loader. Both tables have to lie in the file, as libelf reads them on demand.
 * The products are of 16-bit numbers and cannot overflow 64 bits.
 */
static bool check_header(const struct program *p, const GElf_Ehdr *h,
                         struct error *error)
{
    if (h->e_type != ET_EXEC)
        return error_set(error,
                         "%s: ELF type %u is not an executable linked to "
                         "fixed addresses (type %u)",
                         p->path, h->e_type, ET_EXEC);
    if (h->e_phoff > p->file_bytes ||
        (uint64_t)h->e_phnum * h->e_phentsize > p->file_bytes - h->e_phoff)
        return error_set(error, "%s: truncated in the program headers",
                         p->path);
    if (h->e_shoff > p->file_bytes ||
        (uint64_t)h->e_shnum * h->e_shentsize > p->file_bytes - h->e_shoff)
        return error_set(error, "%s: truncated in the section headers",
                         p->path);
    return true;
}

/* The differences are formed so that no sum can wrap around. */
static bool check_segment(const struct program *p, const GElf_Phdr *h,
                          struct error *error)
{
    if (h->p_filesz > h->p_memsz)
        return error_set(error,
                         "%s: segment at 0x%" PRIx64 " has more bytes in the "
                         "file than in memory",
                         p->path, h->p_paddr);
    if (h->p_offset > p->file_bytes ||
        h->p_filesz > p->file_bytes - h->p_offset)
        return error_set(error,
                         "%s: truncated: segment at 0x%" PRIx64 " ends at "
                         "byte %" PRIu64 " of a file of %zu bytes",
                         p->path, h->p_paddr, h->p_offset + h->p_filesz,
                         p->file_bytes);
    return true;
}

bool segments_overlap(const struct core_segment *a,
                      const struct core_segment *b)
{
    return a->address < b->address + b->memory_bytes &&
           b->address < a->address + a->memory_bytes;
}

/* Sets the error if it is true. Both ends are known not to wrap around, as
 * add_segment checks that before. */
static bool overlaps_another(const struct program *p,
                             const struct core_segment *s, struct error *error)
{
    for (unsigned i = 0; i < p->segment_count; i++) {
        const struct core_segment *o = &p->segments[i];
        if (segments_overlap(s, o)) {
            error_set(error,
                      "%s: segments at 0x%" PRIx64 " and 0x%" PRIx64 " overlap",
                      p->path, o->address, s->address);
            return true;
        }
    }
    return false;
}

/* Only PT_LOAD has a place in memory. Segments lie at their physical addresses:
 * there is no translation, and bare-metal programs are linked by them. */
static bool add_segment(struct program *p, const GElf_Phdr *h,
                        struct error *error)
{
    if (h->p_type == PT_TLS) {
        p->thread_bytes = h->p_memsz;
        p->thread_align = h->p_align;
    }
    if (h->p_type != PT_LOAD || !h->p_memsz)
        return true;
    if (!check_segment(p, h, error))
        return false;
    struct core_segment s = {
        .address = h->p_paddr,
        .data = p->file + h->p_offset,
        .file_bytes = h->p_filesz,
        .memory_bytes = h->p_memsz,
        .writable = h->p_flags & PF_W,
        .executable = h->p_flags & PF_X,
    };
    if (s.address + s.memory_bytes < s.address)
        return error_set(error, "%s: segment at 0x%" PRIx64 " has no end",
                         p->path, s.address);
    if (overlaps_another(p, &s, error))
        return false;
    p->segments[p->segment_count++] = s;
    return true;
}

/* Which kind of core it is for is found out first: a program for another
 * machine is told as such, whatever else is wrong with it. */
static bool read_headers(struct program *p,
                         const struct unit_kind *const *kinds,
                         struct error *error)
{
    GElf_Ehdr header;
    elf_version(EV_CURRENT);
    p->elf = elf_memory((char *)p->file, p->file_bytes);
    if (!p->elf || !gelf_getehdr(p->elf, &header))
        return error_set(error, "%s: %s", p->path, elf_errmsg(-1));
    p->xlen = p->file[EI_CLASS] == ELFCLASS32 ? 32 : 64;
    if (!check_machine(p, &header, kinds, error) ||
        !check_header(p, &header, error))
        return false;
    p->entry = header.e_entry;
    p->segments =
        heap_new(header.e_phnum + 1u, sizeof *p->segments, "the program");
    for (int i = 0; i < header.e_phnum; i++) {
        GElf_Phdr h;
        if (!gelf_getphdr(p->elf, i, &h))
            return error_set(error, "%s: %s", p->path, elf_errmsg(-1));
        if (!add_segment(p, &h, error))
            return false;
    }
    return true;
}

/* program_close is due even after an error, which may have left some of the
 * parts. */
bool program_open(struct program *p, const char *path,
                  const struct unit_kind *const *kinds, struct error *error)
{
    *p = (struct program){.path = path};
    /* A pipe, which is no program, does not wait for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    bool ok = read_file(p, fd, error);
    reads_note_open(fd, "a program");
    close(fd);
    if (!ok || !check_ident(p, error) || !read_headers(p, kinds, error))
        return false;
    return symbols_read(p, error);
}

void program_close(struct program *p)
{
    dwarf_end(p->dwarf);
    elf_end(p->elf);
    free(p->segments);
    free(p->symbols);
    free(p->values);
    free(p->file);
    *p = (struct program){0};
}

/* ---- placing ---- */

uint64_t program_end(const struct program *p)
{
    uint64_t end = 0;
    for (unsigned i = 0; i < p->segment_count; i++) {
        uint64_t last = p->segments[i].address + p->segments[i].memory_bytes;
        if (last > end)
            end = last;
    }
    return end;
}

bool program_is_bare(const struct program *p)
{
    return program_symbol(p, "tohost");
}

/* Copies the file's bytes; the rest, up to memory_bytes, is 0 as memory begins
 * with. What may not be written is protected up to its end. */
static bool place_segment(const struct program *p, const struct core_segment *s,
                          struct machine *m, struct error *error)
{
    if (!machine_in_ram(m, s->address, s->memory_bytes))
        return error_set(error,
                         "%s: segment 0x%" PRIx64 "..0x%" PRIx64
                         " lies outside of memory 0x%" PRIx64 "..0x%" PRIx64,
                         p->path, s->address, s->address + s->memory_bytes,
                         m->ram_start, m->ram_end);
    if (s->file_bytes) /* else there need be no data */
        memcpy(machine_at(m, s->address), s->data, s->file_bytes);
    return s->writable || program_is_bare(p) ||
           memory_protect(m, s->address, s->address + s->memory_bytes, error);
}

/* Does the program begin in this segment? */
static bool holds_entry(const struct program *p, const struct core_segment *s)
{
    return p->entry >= s->address && p->entry - s->address < s->memory_bytes;
}

/* Adds the segments that instructions may be fetched from to the first ones,
 * which are other programs'. */
static bool add_executable(const struct program *p, bool all, unsigned first,
                           struct machine *m, struct error *error)
{
    /*
     * text covers all ranges of instructions, which the decoder has one table
     * for. Its start is made even, as instructions are at least 2 bytes long.
     */
    struct range text = first ? m->text_range : (struct range){UINT64_MAX, 0};
    bool bare = program_is_bare(p);
    m->executable_count = first;
    for (unsigned i = 0; i < p->segment_count; i++) {
        const struct core_segment *s = &p->segments[i];
        uint64_t end = s->address + s->memory_bytes;
        if (!s->executable && !all && !(bare && holds_entry(p, s)))
            continue;
        if (m->executable_count == MACHINE_RANGES)
            return error_set(error,
                             "%s: more than %d segments with instructions",
                             p->path, MACHINE_RANGES);
        m->executable[m->executable_count++] = (struct range){s->address, end};
        m->text_changes |= s->writable || bare;
        if (s->address < text.start)
            text.start = s->address & ~(uint64_t)1;
        if (end > text.end)
            text.end = end;
    }
    m->text_range = text;
    uint64_t span = text.end - text.start;
    return span <= TEXT_SPAN_MAX ||
           error_set(error,
                     "%s: executable segments span %" PRIu64
                     " MiB, at most %llu are possible",
                     p->path, span >> 20, TEXT_SPAN_MAX >> 20);
}

/* Code may lie in the data of a bare program, if that is not too large. */
static bool find_text(const struct program *p, struct machine *m,
                      struct error *error)
{
    unsigned first = m->executable_count;
    struct machine before = *m;
    if (program_is_bare(p) && add_executable(p, true, first, m, error))
        return true;
    *m = before;
    return add_executable(p, false, first, m, error);
}

/* The entry must be aligned to 2 bytes, the least that instructions are in
 * RISC-V with compressed ones, and lie where instructions may be fetched. */
static bool entry_is_executable(const struct program *p,
                                const struct machine *m, struct error *error)
{
    if (p->entry % 2)
        return error_set(error, "%s: entry 0x%" PRIx64 " is odd", p->path,
                         p->entry);
    bool bare = program_is_bare(p);
    return machine_executable(m, p->entry, 2) ||
           error_set(error, "%s: entry 0x%" PRIx64 " lies in no %ssegment%s",
                     p->path, p->entry, bare ? "" : "executable ",
                     bare ? "" : " (any will do with a symbol tohost)");
}

/* HTIF's words, 64 bits each, are read and written by the host. */
static bool find_tohost(const struct program *p, struct machine *m,
                        struct error *error)
{
    if (!m->tohost && (m->tohost = program_symbol(p, "tohost")))
        m->fromhost = program_symbol(p, "fromhost");
    return !m->tohost || machine_in_ram(m, m->tohost, sizeof(uint64_t)) ||
           error_set(error,
                     "%s: the symbol tohost, 0x%" PRIx64
                     ", lies outside of memory 0x%" PRIx64 "..0x%" PRIx64,
                     p->path, m->tohost, m->ram_start, m->ram_end);
}

bool program_place(const struct program *p, struct machine *m,
                   struct error *error)
{
    for (unsigned i = 0; i < p->segment_count; i++)
        if (!place_segment(p, &p->segments[i], m, error))
            return false;
    return find_tohost(p, m, error) && find_text(p, m, error) &&
           entry_is_executable(p, m, error);
}
