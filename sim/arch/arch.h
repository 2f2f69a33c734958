/*
 * Chip descriptions in Lua: runs a script that builds a chip by calling
 * option, tile, unit and link (docs/guides/architecture-files.md); include runs
 * another script, a file or a preset. The script sees nothing but these, the
 * basic functions and the libraries math, string, table and utf8: no files, no
 * clock, no random numbers, and pairs in sorted order, so that a script always
 * describes the same chip.
 */
#ifndef SIM_ARCH_H
#define SIM_ARCH_H

#include "sim/core/chip.h"

enum { ARCH_INCLUDES_MAX = 64 };

struct arch_facts {
    /* Is told of each script that is read, NULL: none is interested. These
     * three are the caller's. */
    void (*note)(void *context, const char *path);
    void *context;
    int status; /* the process ends with it if a script cannot be stopped; 0:
                   as where memory lacks (heap.h) */
    int64_t clock_mhz; /* the option "clock", 1000 if there is none */
    uint64_t hash;     /* XXH64 of the script and those it includes */
};

/*
 * Runs the script at path; include finds presets in the folder `presets`, if
 * that is not NULL. Errors name file and line, except those about a
 * --set, which begin with "--set". The chip is not finished. While the script
 * runs SIGPROF and its timer are arch's.
 */
bool arch_load(struct chip *chip, const char *path, const char *presets,
               struct arch_facts *facts, struct error *error);

#endif
