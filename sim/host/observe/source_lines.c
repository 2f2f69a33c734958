/* Looks all addresses up in the debug information, each once. */
#include "sim/host/observe/source_lines.h"
#include "runtime/include/corbel/line.h"
#include "sim/core/heap.h"
#include "sim/host/run/demangle.h"
#include "sim/host/run/symbols.h"
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 1000 }; /* of names of C++; longer ones lose their middle */

static const char what[] = "the source lines of the program";

/* ---- names ---- */

/* Arrays grow by doubling: room for one more. */
static void *room_for(void *array, unsigned count, size_t size)
{
    if (count & (count - 1))
        return array;
    return heap_resize(array, count ? 2 * (size_t)count : 1, size, what);
}

/* NULL: unknown. */
static unsigned file_number(struct source *s, const char *path)
{
    char name[PATH_MAX];
    corbel_line(name, sizeof name, path ? symbols_short(path) : "??");
    for (unsigned i = 0; i < s->file_count; i++)
        if (!strcmp(s->files[i], name))
            return i;
    s->files = room_for(s->files, s->file_count, sizeof *s->files);
    s->files[s->file_count] = heap_text(name);
    return s->file_count++;
}

/* A function that several units have compiled, as one of a header, is one. */
static unsigned function_number(struct source *s, const char *name,
                                unsigned file, int line)
{
    for (unsigned i = 0; i < s->function_count; i++)
        if (s->functions[i].line == line && s->functions[i].file == file &&
            !strcmp(s->functions[i].name, name))
            return i;
    s->functions =
        room_for(s->functions, s->function_count, sizeof *s->functions);
    s->functions[s->function_count] =
        (struct source_function){heap_text(name), file, line};
    return s->function_count++;
}

/* The number of a function by the name that its symbol has. */
static unsigned function_called(struct source *s, const char *name,
                                unsigned file, int line)
{
    char *readable = demangle(name), text[NAME_BYTES];
    corbel_line(text, sizeof text, readable ? readable : name);
    unsigned number = function_number(s, text, file, line);
    free(readable);
    return number;
}

/* What can be said where there is no debug information. */
static unsigned function_of_symbol(struct source *s, const struct program *p,
                                   uint64_t pc)
{
    const struct symbol *symbol =
        p && program_holds(p, pc) ? symbols_before(p, pc) : NULL;
    return function_called(s, symbol ? symbol->name : "??", 0, 0);
}

/* The function of an entry, also of one that is inlined. C++ tells functions of
 * one name apart by the names that the linker sees. */
static unsigned function_of_entry(struct source *s, Dwarf_Die *die)
{
    Dwarf_Attribute a;
    int line = 0;
    const char *name = NULL;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &a))
        name = dwarf_formstring(&a);
    if (!name)
        name = dwarf_diename(die);
    if (dwarf_decl_line(die, &line))
        line = 0;
    return function_called(s, name ? name : "??",
                           file_number(s, dwarf_decl_file(die)), line);
}

/* ---- addresses ---- */

static void add_frame(struct source *s, unsigned function,
                      const struct place *place)
{
    s->frames = room_for(s->frames, s->frame_count, sizeof *s->frames);
    s->frames[s->frame_count++] = (struct source_frame){
        function, file_number(s, place->file), place->line};
}

/* Adds frames from the instruction outwards, up to the function that was
 * compiled. False: it has no entry, and the last frame is missing. */
static bool add_entries(struct source *s, Dwarf_Die *unit, uint64_t pc,
                        struct place *place)
{
    Dwarf_Die *scopes;
    bool whole = false;
    int depth = symbols_scopes(unit, pc, &scopes);
    for (int i = 0; i < depth && !whole; i++) {
        int tag = dwarf_tag(&scopes[i]);
        whole = tag == DW_TAG_subprogram;
        if (whole || (tag == DW_TAG_inlined_subroutine && place->file &&
                      !symbols_wrapper(place->file)))
            add_frame(s, function_of_entry(s, &scopes[i]), place);
        symbols_call(unit, &scopes[i], place);
    }
    free(scopes);
    return whole;
}

/* Frames are found from the inside out, and told from the outside in. */
static void turn_round(struct source_frame *frames, unsigned count)
{
    for (unsigned i = 0; i < count / 2; i++) {
        struct source_frame f = frames[i];
        frames[i] = frames[count - 1 - i];
        frames[count - 1 - i] = f;
    }
}

/* Looks among the programs of cores whose addresses these are; a kind that
 * loads its programs by itself has addresses of its own. */
static const struct program *program_of(const struct host *host, uint64_t pc)
{
    for (unsigned i = 0; i < host->programs.count; i++)
        if (!host->programs.all[i].core->load &&
            program_holds(&host->programs.all[i], pc))
            return &host->programs.all[i];
    return NULL;
}

/* An address with its frames, which follow each other in s->frames. */
static void add_place(struct source *s, const struct host *host, uint64_t pc)
{
    const struct program *p = program_of(host, pc);
    unsigned first = s->frame_count;
    struct place place = {NULL, 0};
    Dwarf_Die unit;
    bool known = p && symbols_unit(p, pc, &unit);
    if (known)
        place = symbols_line(&unit, pc);
    if (!known || !add_entries(s, &unit, pc, &place))
        add_frame(s, function_of_symbol(s, p, pc), &place);
    turn_round(&s->frames[first], s->frame_count - first);
    s->places[s->place_count++] =
        (struct source_place){pc, first, s->frame_count - first};
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct source *source_new(const struct host *host, uint64_t *addresses,
                          unsigned count)
{
    struct source *s = heap_new(1, sizeof *s, what);
    s->places = heap_new(count, sizeof *s->places, what);
    file_number(s, NULL);
    qsort(addresses, count, sizeof *addresses, by_value);
    for (unsigned i = 0; i < count; i++)
        if (!i || addresses[i] != addresses[i - 1])
            add_place(s, host, addresses[i]);
    return s;
}

void source_free(struct source *s)
{
    for (unsigned i = 0; i < s->function_count; i++)
        free(s->functions[i].name);
    for (unsigned i = 0; i < s->file_count; i++)
        free(s->files[i]);
    free(s->functions);
    free(s->files);
    free(s->frames);
    free(s->places);
    free(s);
}

const struct source_place *source_place(const struct source *s, uint64_t pc)
{
    unsigned low = 0, high = s->place_count;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (s->places[middle].pc <= pc)
            low = middle;
        else
            high = middle;
    }
    return &s->places[low];
}
