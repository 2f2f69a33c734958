/*
 * What the files of sim/arch share: a script that runs, and its budget.
 *
 * A script must end, and soon, whatever it says. It may do so much work, which
 * is counted in instructions of Lua: those that it runs (sandbox.c), and what C
 * does for it, where that depends on what the script asks for (work.c,
 * patterns.c), by arch_work. Host time is not looked at: a script that ends on
 * one host does so on all.
 */
#ifndef SIM_ARCH_PRIVATE_H
#define SIM_ARCH_PRIVATE_H

#include "sim/arch/arch.h"
#include <lauxlib.h>
#include <lua.h>
#include <stddef.h>

#define ARCH_WORK_MAX 200000000u
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define ARCH_WORK_WEIGHT 100u /* ci/fuzz: scripts end after a few ms */
#else
#define ARCH_WORK_WEIGHT 1u
#endif
#define ARCH_MEMORY_MAX ((size_t)1 << 30)
#define ARCH_VALUES_MAX 250 /* arguments and results of a call that vary */
#define ARCH_DEPTH_MAX 200  /* calls within calls */

struct arch {
    const char *path;    /* of the main script */
    const char *script;  /* of the one that runs; only while one does */
    const char *presets; /* folder of those, NULL: none */
    struct chip *chip;
    struct arch_facts *facts;
    lua_State *L; /* NULL before there is one */
    size_t memory;
    size_t longest; /* string that there has been, in bytes */
    size_t largest; /* other block */
    uint64_t work;
    unsigned includes, units;
    bool stopped;    /* over its budget, whatever error comes after that */
    char where[200]; /* it was over it last: "FILE:LINE: " */
};

static inline struct arch *arch_of(lua_State *L)
{
    return *(struct arch **)lua_getextraspace(L);
}

/* C does the script's work: that many instructions. May raise an error. */
void arch_work(lua_State *L, uint64_t work);
/* The chip keeps `bytes` of it, outside of Lua. May raise an error. */
void arch_keep(lua_State *L, size_t bytes);

/* sandbox.c: what a script finds. For lua_pcall. */
int arch_set_up(lua_State *L);
/* An allocator for lua_newstate, whose context is a struct arch. */
void *arch_allocate(void *context, void *block, size_t old, size_t size);
/* From here on instructions count. */
void arch_begin(lua_State *L);
/* How it is over its budget, in words. */
const char *arch_end_text(const struct arch *arch);

/* An error at the script's current line, unless it is about an option. */
int arch_raise(lua_State *L, const struct error *error);
/* Always false: Lua's message; one without a place begins with the script. */
bool arch_told(const char *script, const char *message, struct error *error);
/* Pushes the function that a script is (reading.c). */
bool arch_read(lua_State *L, const char *path, struct error *error);

/* Functions for scripts; the library to change is on top of the stack. */
void arch_add_functions(lua_State *L); /* binding.c: option, tile, ... */
void arch_add_reading(lua_State *L);   /* reading.c: include, print */
void arch_add_patterns(lua_State *L);  /* patterns.c: find, match, ... */
void arch_add_sort(lua_State *L);      /* sort.c: sort */
/* work.c: has functions of a library count their work. */
void arch_count_work(lua_State *L, const char *library);

#endif
