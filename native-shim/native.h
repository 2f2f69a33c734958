/* Between the files of the native shim; nothing here is for programs. */
#ifndef NATIVE_SHIM_NATIVE_H
#define NATIVE_SHIM_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The number that environment variable name has, missing if it is not set.
 * Ends the program with a clear line if it is no number from low to high.
 */
long native_number(const char *name, long missing, long low, long high);

/* A message on stderr: "corbel: " and one line, whatever bytes the names in it
 * have. */
void native_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct corbel_scene;

/* The work index of the running launch to be given out next; counted up by the
 * thread scheduler, from 0. */
extern uint32_t native_next_index;

/* A kernel is about to start: indices begin at 0, streams of rays are empty. */
void native_launch_units(void);

/* Is a kernel running? */
bool native_in_kernel(void);

/*
 * Rays are traced in this scene from now on: the last one opened or used, as
 * the RT cores of a chip are bound to one scene. Before there is one, tracing a
 * ray ends the program with a clear line.
 */
void native_bind_scene(const struct corbel_scene *scene);
_Noreturn void native_no_scene(void);

/* A unit has refused what a function asked it for: ends the program. */
_Noreturn void native_refused(const char *function, uint64_t address,
                              const char *why);

#endif
