/*
 * Memory of the host. There is always some: where there is none, the process
 * ends with one line on stderr, "PROGRAM: out of memory: BYTES bytes for WHAT",
 * from whatever thread, and leaves no half-written file (whole.h). What a
 * caller is given needs no check.
 *
 * what: "for ..." of that line, e.g. "the trace".
 */
#ifndef SIM_CORE_HEAP_H
#define SIM_CORE_HEAP_H

#include <stddef.h>

/* The name and the exit status of that end; till then those of sim-run, 205.
 * name lives as long as the process. */
void heap_program(const char *name, int status);

/* There is none. */
_Noreturn void heap_lacks(size_t count, size_t size, const char *what);

/* The process cannot go on for want of something else of the host's: one line,
 * "PROGRAM: TEXT", and that status. */
_Noreturn void heap_end(const char *text);
/* The same with another status; a signal's handler may call it. */
_Noreturn void heap_end_as(int status, const char *text);

/* Zeroed; count or size may be 0. For free(). */
void *heap_new(size_t count, size_t size, const char *what);
/* The same, not zeroed, from the begin of a line of the host on. */
void *heap_lines(size_t count, size_t size, const char *what);
/* realloc() of an array; what is new is not zeroed. */
void *heap_resize(void *array, size_t count, size_t size, const char *what);
/* A copy of a text, or of its first bytes. */
char *heap_text(const char *text);
char *heap_text_part(const char *text, size_t bytes);

/* Bytes that the host has in all (its physical memory). */
size_t heap_of_host(void);

#endif
