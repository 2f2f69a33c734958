/*
 * Is all that changes while a chip runs in its checkpoints? A checked build
 * (checked.h) looks at each of them, and finds what a list of state has
 * forgotten, whether it mattered in that run or not: of structs whose members
 * are saved one by one, bytes that differ from how they were when the run
 * began; of memory of heap.h that units and the host lead to, blocks of which
 * nothing is saved; and addresses that are saved as they are. In other builds
 * nothing of this is compiled in.
 */
#ifndef SIM_COVERED_H
#define SIM_COVERED_H

#include "sim/core/checked.h"

/* heap.h has given `bytes` bytes; what: as there. */
void covered_given(const void *memory, size_t bytes, const char *what);
/* The struct, which is saved member by member, is now as every run begins with
 * it. It stays there till covered_forget; not more than COVERED_STRUCTS. */
#define COVERED_STRUCTS 65536
void covered_watch(const void *memory, size_t bytes, const char *name);
void covered_forget(void);

/* ---- for a checkpoint ---- */

#if CHECKED
void covered_begin(void);
/* These bytes are saved, or are not to be. */
void covered_add(const void *memory, size_t bytes);
/* This block and what it leads to stay as they are when the run begins. */
void covered_fixed(const void *memory);
/* Some of the bytes are an address of the process: the place of the first, or
 * `bytes`. */
size_t covered_address(const void *memory, size_t bytes);
/* False: there is something that is not saved, and text says what of it. From
 * what lies at `memory` on; of all structs that are watched. */
bool covered_leads(const void *memory, size_t bytes, char *text, size_t size);
bool covered_structs(char *text, size_t size);

#else /* what is compiled without being called, without optimization */

static inline void covered_begin(void)
{
}

static inline void covered_add(const void *memory, size_t bytes)
{
}

static inline void covered_fixed(const void *memory)
{
}

static inline size_t covered_address(const void *memory, size_t bytes)
{
    return bytes;
}

static inline bool covered_leads(const void *memory, size_t bytes, char *text,
                                 size_t size)
{
    return true;
}

static inline bool covered_structs(char *text, size_t size)
{
    return true;
}

#endif

#endif
