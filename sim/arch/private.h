/*
 * What the files of sim/arch share: a script that runs, and its budget.
 *
 * A script must end, and soon, whatever it says. budget.c bounds its memory,
 * the instructions of Lua that it runs, which are counted, and what Lua's
 * libraries do for it beyond that, which a watchdog measures in CPU time. A
 * script that ends within its instructions on one host does so on all: the
 * watchdog allows each of them far more time than it takes.
 */
#ifndef SIM_ARCH_PRIVATE_H
#define SIM_ARCH_PRIVATE_H

#include "sim/arch/arch.h"
#include <lauxlib.h>
#include <lua.h>
#include <stddef.h>

#define ARCH_WORK_MAX 200000000u
#define ARCH_MEMORY_MAX ((size_t)1 << 30)
#define ARCH_PRELUDE "prelude"

struct arch {
    const char *path;    /* of the main script */
    const char *script;  /* of the one that runs; only while one does */
    const char *presets; /* folder of those, NULL: none */
    struct chip *chip;
    struct arch_facts *facts;
    lua_State *L; /* NULL before there is one */
    size_t memory;
    /* instructions so far; the watchdog reads it */
    _Atomic uint64_t work;
    unsigned includes, units;
    _Atomic bool late; /* the watchdog has come */
    bool stopped;      /* over its budget, whatever error comes after that */
    char where[200];   /* it was over it last: "FILE:LINE: " */
};

static inline struct arch *arch_of(lua_State *L)
{
    return *(struct arch **)lua_getextraspace(L);
}

/* ---- budget.c ---- */

/* Tenths of a second of CPU time that Lua's libraries may take in all; tests
 * give them fewer. */
extern unsigned arch_patience;

/* C does what takes as long as that many instructions. May raise an error. */
void arch_work(lua_State *L, uint64_t work);
/* The chip keeps `bytes` of it, outside of Lua. May raise an error. */
void arch_keep(lua_State *L, size_t bytes);
/* An allocator for lua_newstate, whose context is a struct arch. */
void *arch_allocate(void *context, void *block, size_t old, size_t size);
/* From here to the end instructions count and the watchdog looks. One script
 * at a time. */
void arch_begin(lua_State *L);
void arch_end(void);
/* How it is over its budget, in words. */
const char *arch_end_text(const struct arch *arch);
/* Writes "FILE:LINE: " of the script's line that runs, from that level of calls
 * on; nothing if there is none. Raises nothing, and needs no memory. */
void arch_where(lua_State *L, int level, char *where, size_t size);

/* ---- the others ---- */

/* sandbox.c: what a script finds. For lua_pcall. */
int arch_set_up(lua_State *L);

/* An error at the script's current line, unless it is about an option. */
int arch_raise(lua_State *L, const struct error *error);
/* Always false: Lua's message; one without a place begins with the script. */
bool arch_told(const char *script, const char *message, struct error *error);
/* Pushes the function that a script is (reading.c). */
bool arch_read(lua_State *L, const char *path, struct error *error);

/* Functions for scripts; the library to change is on top of the stack. */
void arch_add_functions(lua_State *L); /* binding.c: option, tile, ... */
void arch_add_reading(lua_State *L);   /* reading.c: include, print */

#endif
