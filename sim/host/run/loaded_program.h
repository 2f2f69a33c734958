/*
 * The program to run: an ELF file, checked, placed in memory, with its
 * symbols and source lines for messages.
 */
#ifndef SIM_HOST_RUN_LOADED_PROGRAM_H
#define SIM_HOST_RUN_LOADED_PROGRAM_H

#include "sim/core/chip.h"
#include "sim/core/core_kind.h"
#include "sim/units/common/machine.h"

/* A name in the symbol table. The text belongs to the ELF file. */
struct symbol {
    uint64_t address;
    const char *name;
    bool function; /* typed as one: preferred over a bare label */
    bool number;   /* an absolute value that names no place */
};

/* What was read of one ELF file. Valid from program_open to program_close;
 * segments and symbols point into the file's bytes. */
struct program {
    const char *path;
    uint8_t *file; /* its bytes */
    size_t file_bytes;
    const struct core_kind *core; /* which cores run it, by e_machine */
    struct core_value *values;    /* of the kind's options, NULL: none */
    unsigned xlen;                /* bits of its ELF class */
    uint64_t entry;
    struct core_segment *segments;
    unsigned segment_count;
    uint64_t thread_bytes, thread_align; /* of a hart's thread-local variables,
                                            0: it has none */
    struct symbol *symbols; /* those of places by address, then numbers */
    unsigned symbol_count, place_count;
    struct Elf *elf;
    struct Dwarf *dwarf; /* NULL: no debug information */
};

/* Reads and checks the file: one for any kind of core among the kinds of units
 * (NULL-terminated). */
bool program_open(struct program *p, const char *path,
                  const struct unit_kind *const *kinds, struct error *error);
void program_close(struct program *p);

/*
 * Copies the segments into memory, beside those of programs that lie there
 * already, finds tohost and fromhost (those of the first program that has
 * tohost) and what is executable, and protects what is not writable. A program
 * with a symbol tohost is taken for bare metal: it may write all of its
 * segments and run code from any of them, or, if they span more than 256 MiB,
 * from those marked executable and the one with its entry.
 */
bool program_place(const struct program *p, struct machine *m,
                   struct error *error);

/* Do the two share a byte? Neither wraps around. */
bool segments_overlap(const struct core_segment *a,
                      const struct core_segment *b);

/* First address after the program: where its heap may begin. */
uint64_t program_end(const struct program *p);

/* Is the program one for bare metal (program_place)? */
bool program_is_bare(const struct program *p);

/* Address of a symbol, 0 if there is none. */
uint64_t program_symbol(const struct program *p, const char *name);

/* Does one of its segments hold the address? */
bool program_holds(const struct program *p, uint64_t address);

/* "0x10234 <main+0x12> (hello.c:12)", as much of it as is known. */
void program_where(const struct program *p, uint64_t pc, char *text,
                   size_t size);

/* Reads the tables that program_symbol and program_where use. */
bool symbols_read(struct program *p, struct error *error);

#endif
