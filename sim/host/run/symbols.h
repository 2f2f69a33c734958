/*
 * What the debug information of a program says of an address, for those that
 * put it in words (symbols.c) or add costs up by it (source.c). Texts belong to
 * the program, and live as long.
 */
#ifndef SIM_HOST_RUN_SYMBOLS_H
#define SIM_HOST_RUN_SYMBOLS_H

#include "sim/host/run/loaded_program.h"
#include <elfutils/libdw.h>

/* A line of the source. */
struct place {
    const char *file; /* NULL: unknown */
    int line;         /* from 1 on, 0: unknown */
};

/* The last symbol of a place at or before an address, NULL: there is none. */
const struct symbol *symbols_before(const struct program *p, uint64_t address);

/* The compilation unit that has an address. False: there is none. */
bool symbols_unit(const struct program *p, uint64_t pc, Dwarf_Die *unit);

/* The line that an instruction of the unit comes from. */
struct place symbols_line(Dwarf_Die *unit, uint64_t pc);

/* What contains an instruction, the innermost first: blocks, functions that are
 * inlined there, the function, the unit. Returns how many, 0 or less: none is
 * known. *scopes is for free(). */
int symbols_scopes(Dwarf_Die *unit, uint64_t pc, Dwarf_Die **scopes);

/* Where a function that is inlined is called from; unchanged if the scope is
 * none. */
void symbols_call(Dwarf_Die *unit, Dwarf_Die *scope, struct place *place);

/* Does the file only wrap custom instructions? */
bool symbols_wrapper(const char *file);

/* The path relative to the current directory, where it is below it. */
const char *symbols_short(const char *path);

#endif
