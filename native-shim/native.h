/* Between the files of the native shim; nothing here is for programs. */
#ifndef NATIVE_SHIM_NATIVE_H
#define NATIVE_SHIM_NATIVE_H

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

/* The next work index of the running launch: counts up from 0. */
uint32_t native_next(void);

/*
 * The scene that rays are traced in: the last one opened or used, as the RT
 * cores of a chip are bound to one scene. NULL: there is none, and tracing a
 * ray ends the program with a clear line.
 */
extern _Atomic(const struct corbel_scene *) native_scene;
_Noreturn void native_no_scene(void);

#endif
