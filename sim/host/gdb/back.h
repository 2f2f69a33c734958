/*
 * Going back. The run itself never does: it stands at the latest cycle that it
 * has come to, its front, with its files and output as they are there. Copies
 * of the process that were forked on the way, and have waited since, go on from
 * where they were forked to the place that gdb wants; what they do is the same
 * again, as results depend on nothing else. One of them serves gdb there until
 * it comes to the front again, or goes back further.
 *
 * Nothing that a copy does gets out of it: what it would write goes nowhere,
 * and the answers of system calls about files are those that the run got
 * (calls.c).
 */
#ifndef SIM_HOST_GDB_BACK_H
#define SIM_HOST_GDB_BACK_H

#include "sim/host/gdb/gdb.h"

/* ---- back.c ---- */

/* gdb is there, and the run has not begun. */
void back_begin(struct gdb *g);
/* No way back is needed any longer. */
void back_end(struct gdb *g);
/* The cycle in which engine_run is to return for a copy to be made; makes the
 * one that is due. */
uint64_t back_due(struct gdb *g);
/* Is this a copy that looks for a place, with which gdb has nothing to do? */
bool back_searches(const struct gdb *g);
/* May the user change the run? Not in what is past; and from where it was
 * changed there is no way back. */
bool back_may_change(const struct gdb *g);
void back_changed(struct gdb *g);
/* How far back there is a way. */
void back_tell(const struct gdb *g, FILE *to);
/* By an instruction of the current hart, or to the last stop. What gdb wants
 * then, at the front: COMMAND_DONE if it stands there, and has been told. */
enum command_end back_go(struct gdb *g, bool step);

/* ---- calls.c ---- */

void calls_begin(struct gdb *g);
void calls_end(struct gdb *g);
/* Makes a system call, and notes what it did; or does what was noted. */
int64_t calls_make(struct gdb *g, syscall_function *call, struct hart *hart,
                   const uint64_t *args);
/* It has written into memory. */
void calls_written(struct gdb *g, const uint8_t *at, uint64_t bytes);

#endif
