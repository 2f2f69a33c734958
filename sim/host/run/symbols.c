/* Names and source lines of a program, for messages to people. */
#include "sim/host/run/symbols.h"
#include "runtime/include/corbel/unpack.h"
#include "sim/core/heap.h"
#include "sim/host/run/demangle.h"
#include <dwarf.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The letters of names that decide their order; a file may have names of
 * megabytes, which are all equal. */
enum { NAME_ORDER = 256 };

/* The order of the symbols: places by address, then numbers. At one address
 * functions come last, as symbols_before takes the last of a group. Names lie
 * in one table, so that their places in it decide at last. */
static int by_address(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    if (x->number != y->number)
        return x->number ? 1 : -1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->function != y->function)
        return x->function ? 1 : -1; /* the last of a group is found */
    const int order = strncmp(x->name, y->name, NAME_ORDER);
    return order ? order : (x->name > y->name) - (x->name < y->name);
}

/* Labels of the assembler and mapping symbols tell a reader nothing. */
static bool worth_keeping(const GElf_Sym *s, const char *name)
{
    unsigned type = GELF_ST_TYPE(s->st_info);
    return name && *name && *name != '$' && strncmp(name, ".L", 2) &&
           s->st_shndx != SHN_UNDEF &&
           (type == STT_FUNC || type == STT_NOTYPE || type == STT_OBJECT);
}

/* A symbol table's entries that are worth keeping. What is broken in the table
 * ends it: names are for messages, and a program without them runs as well. */
static void read_table(struct program *p, Elf_Scn *section,
                       const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !header->sh_entsize)
        return;
    size_t count = header->sh_size / header->sh_entsize;
    p->symbols = heap_resize(p->symbols, p->symbol_count + count + 1,
                             sizeof *p->symbols, "the symbols of the program");
    for (size_t i = 0; i < count; i++) {
        GElf_Sym s;
        if (!gelf_getsym(data, (int)i, &s))
            return;
        const char *name = elf_strptr(p->elf, header->sh_link, s.st_name);
        if (!worth_keeping(&s, name))
            continue;
        const bool number = s.st_shndx == SHN_ABS;
        p->symbols[p->symbol_count++] = (struct symbol){
            s.st_value, name, GELF_ST_TYPE(s.st_info) == STT_FUNC, number};
        p->place_count += !number;
    }
}

/* What a section says that it unpacks to, 0: it is not compressed. It has a
 * header of ELF, or in older files a name and first bytes of GNU's. */
static uint64_t unpacked_section(Elf *elf, Elf_Scn *s)
{
    GElf_Chdr header;
    GElf_Shdr section;
    size_t names;
    if (gelf_getchdr(s, &header))
        return header.ch_size;
    if (elf_getshdrstrndx(elf, &names) || !gelf_getshdr(s, &section))
        return 0;
    const char *name = elf_strptr(elf, names, section.sh_name);
    const Elf_Data *data = elf_rawdata(s, NULL);
    uint64_t bytes = 0;
    if (!name || strncmp(name, ".zdebug", 7) || !data || !data->d_buf ||
        data->d_size < 12 || memcmp(data->d_buf, "ZLIB", 4))
        return 0;
    for (unsigned i = 4; i < 12; i++)
        bytes = bytes << 8 | ((const unsigned char *)data->d_buf)[i];
    return bytes;
}

/* What libdw will unpack: sections of DWARF may be compressed. */
static uint64_t unpacked_bytes(Elf *elf)
{
    uint64_t bytes = 0;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
        const uint64_t more = unpacked_section(elf, s);
        if (more > UINT64_MAX - bytes)
            return UINT64_MAX;
        bytes += more;
    }
    return bytes;
}

/* A file has one symbol table; if it has more, they may all be the same bytes,
 * so that memory would grow with the square of the file. */
bool symbols_read(struct program *p, struct error *error)
{
    for (Elf_Scn *s = NULL; (s = elf_nextscn(p->elf, s));) {
        GElf_Shdr header;
        if (!gelf_getshdr(s, &header) || header.sh_type != SHT_SYMTAB)
            continue;
        read_table(p, s, &header);
        break;
    }
    if (p->symbol_count)
        qsort(p->symbols, p->symbol_count, sizeof *p->symbols, by_address);
    const uint64_t most = corbel_unpack_most(p->file_bytes);
    if (unpacked_bytes(p->elf) > most)
        return error_set(error, CORBEL_UNPACK_REFUSED, p->path,
                         (unsigned long long)most);
    p->dwarf = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
    return true;
}

/* A search through all of them, as the host asks for a few names only. */
uint64_t program_symbol(const struct program *p, const char *name)
{
    for (unsigned i = 0; i < p->symbol_count; i++)
        if (!strcmp(p->symbols[i].name, name))
            return p->symbols[i].address;
    return 0;
}

const struct symbol *symbols_before(const struct program *p, uint64_t address)
{
    unsigned low = 0, high = p->place_count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (p->symbols[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &p->symbols[low - 1] : NULL;
}

bool program_holds(const struct program *p, uint64_t address)
{
    for (unsigned i = 0; i < p->segment_count; i++)
        if (address - p->segments[i].address < p->segments[i].memory_bytes)
            return true;
    return false;
}

/* Not every compilation unit has an entry in .debug_aranges. */
bool symbols_unit(const struct program *p, uint64_t pc, Dwarf_Die *die)
{
    Dwarf_CU *unit = NULL;
    if (!p->dwarf)
        return false;
    if (dwarf_addrdie(p->dwarf, pc, die))
        return true;
    while (!dwarf_get_units(p->dwarf, unit, &unit, NULL, NULL, die, NULL))
        if (dwarf_haspc(die, pc) > 0)
            return true;
    return false;
}

/* The value of an attribute, 0 if the entry has none. */
static Dwarf_Word number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute a;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, attribute, &a))
        dwarf_formudata(&a, &value);
    return value;
}

/* The table of custom instructions, and what is made of it. */
bool symbols_wrapper(const char *file)
{
    static const char *const wrappers[] = {"/xtrav.def", "/corbel.h"};
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        size_t length = strlen(file), end = strlen(wrappers[i]);
        if (length >= end && !strcmp(file + length - end, wrappers[i]))
            return true;
    }
    return false;
}

int symbols_scopes(Dwarf_Die *unit, uint64_t pc, Dwarf_Die **scopes)
{
    Dwarf_Die *innermost = NULL;
    *scopes = NULL;
    int depth = dwarf_getscopes(unit, pc, &innermost);
    if (depth > 0) /* as nested in the code, not in the source */
        depth = dwarf_getscopes_die(innermost, scopes);
    free(innermost);
    return depth;
}

void symbols_call(Dwarf_Die *unit, Dwarf_Die *scope, struct place *place)
{
    Dwarf_Files *files;
    size_t count;
    if (dwarf_tag(scope) != DW_TAG_inlined_subroutine ||
        dwarf_getsrcfiles(unit, &files, &count))
        return;
    Dwarf_Word index = number_of(scope, DW_AT_call_file);
    place->file = dwarf_filesrc(files, index, NULL, NULL);
    place->line = (int)number_of(scope, DW_AT_call_line);
}

/* Where the functions that are inlined at pc are called from. */
static struct place call_of(Dwarf_Die *unit, uint64_t pc)
{
    Dwarf_Die *scopes;
    struct place place = {NULL, 0};
    int depth = symbols_scopes(unit, pc, &scopes);
    for (int i = 0; i < depth; i++) {
        if (place.file && !symbols_wrapper(place.file))
            break;
        symbols_call(unit, &scopes[i], &place);
    }
    free(scopes);
    return place;
}

struct place symbols_line(Dwarf_Die *unit, uint64_t pc)
{
    struct place place = {NULL, 0};
    Dwarf_Line *line = dwarf_getsrc_die(unit, pc);
    if (line && !dwarf_lineno(line, &place.line))
        place.file = dwarf_linesrc(line, NULL, NULL);
    return place;
}

/* The line of the source that an instruction comes from. Wrappers of custom
 * instructions are skipped, since their lines say nothing about the program. */
static struct place place_of(const struct program *p, uint64_t pc)
{
    Dwarf_Die unit;
    struct place place = {NULL, 0};
    if (!symbols_unit(p, pc, &unit))
        return place;
    place = symbols_line(&unit, pc);
    if (!place.file || !symbols_wrapper(place.file))
        return place;
    struct place call = call_of(&unit, pc);
    return call.file ? call : place;
}

const char *symbols_short(const char *path)
{
    char here[4096];
    if (!getcwd(here, sizeof here))
        return path;
    size_t length = strlen(here);
    return !strncmp(path, here, length) && path[length] == '/'
               ? path + length + 1
               : path;
}

void program_where(const struct program *p, uint64_t pc, char *text,
                   size_t size)
{
    int used = snprintf(text, size, "0x%" PRIx64, pc);
    if (!program_holds(p, pc))
        return; /* the nearest symbol would mislead */
    const struct symbol *s = symbols_before(p, pc);
    if (s) {
        char *name = demangle(s->name);
        used +=
            snprintf(text + used, size - (size_t)used,
                     pc == s->address ? " <%.100s>" : " <%.100s+0x%" PRIx64 ">",
                     name ? name : s->name, pc - s->address);
        free(name);
    }
    struct place place = place_of(p, pc);
    if (place.file && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " (%s:%d)",
                 symbols_short(place.file), place.line);
}
