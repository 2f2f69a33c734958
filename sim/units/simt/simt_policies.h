/*
 * The policies of a streaming multiprocessor, a table of each kind: what
 * schedulers, reconvergence and coalescers there are, and what they may use.
 * A policy is a row of a list here and a row of the same name where the list's
 * file defines it.
 */
#ifndef SIM_SIMT_POLICIES_H
#define SIM_SIMT_POLICIES_H

#include <stdbool.h>
#include <stdint.h>

/* Which of a sub-core's warps issues: simt_schedule.c. */
#define SIMT_SCHEDULERS(FIRST, X)                                              \
    FIRST(lrr)                                                                 \
    X(gto)                                                                     \
    X(oldest)                                                                  \
    X(two_level)                                                               \
    X(cggty)                                                                   \
    /* the end of the list: new ones come here */

/* Which of a warp's paths goes on, and where paths join: simt_paths.c; those
 * with a stack: simt_stack.c. */
#define SIMT_RECONVERGENCES(FIRST, X)                                          \
    FIRST(independent)                                                         \
    X(min_sp_pc)                                                               \
    X(ipdom)                                                                   \
    /* the end of the list: new ones come here */

/* What requests the coalescer makes: simt_coalesce.c. */
#define SIMT_COALESCERS(FIRST, X)                                              \
    FIRST(sector32)                                                            \
    X(block128)                                                                \
    /* the end of the list: new ones come here */

/* Which sectors of an instruction a TLB looks up: simt_coalesce.c. */
#define SIMT_TRANSLATIONS(FIRST, X)                                            \
    FIRST(page)                                                                \
    X(request)                                                                 \
    /* the end of the list: new ones come here */

struct isa_insn;
struct simt;
struct simt_op;
struct simt_path;
struct simt_subcore;
struct simt_warp;

struct simt_scheduler {
    /* One of the warps in the mask, which is not 0, by number in the sub-core.
     */
    unsigned (*pick)(const struct simt *t, struct simt_subcore *s,
                     uint64_t ready);
};

struct simt_reconvergence {
    const char *name;
    bool bounded; /* a path waits for a bounded number of instructions */
    bool stack;   /* paths that wait for others are kept, see simt_stack.c */
    /* A path comes to the warp. */
    void (*add)(struct simt *t, struct simt_warp *w,
                const struct simt_path *path);
    /* Lanes have left, some paths may be empty. */
    void (*lanes_left)(struct simt *t, struct simt_warp *w);
    /* The current path has moved. There are several. */
    void (*moved)(struct simt *t, struct simt_warp *w);
    /* The lanes of the current path, which is at insn and has counted its call,
     * go to different places: those of jumped to at[]. Returns into how many
     * paths it has parted. */
    unsigned (*split)(struct simt *t, struct simt_warp *w,
                      const struct isa_insn *insn, uint64_t jumped,
                      const uint64_t *at);
    /* The place of the path that goes on next. There are several. */
    unsigned (*choose)(struct simt *t, struct simt_warp *w);
};

struct simt_coalescer {
    unsigned bytes; /* of a request, which is one or several sectors */
};

struct simt_translation {
    /* Does the op's request number n share the look-up of one before it? */
    bool (*follows)(const struct simt_op *op, unsigned n);
};

extern const struct simt_scheduler *const simt_schedulers[];
extern const struct simt_reconvergence *const simt_reconvergences[];
extern const struct simt_coalescer *const simt_coalescers[];
extern const struct simt_translation *const simt_translations[];

#endif
