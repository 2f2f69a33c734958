#include "sim/core/heap.h"
#include "runtime/include/corbel/tell.h"
#include "sdk/whole/whole.h"
#include "sim/core/covered.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE ((size_t)64)

static const char *program = "sim-run";
static int status = 205;

void heap_program(const char *name, int end)
{
    program = name;
    status = end;
}

/* Does not call exit(), as other threads may be at work. */
_Noreturn void heap_end_as(int with, const char *text)
{
    char line[700];
    size_t length = corbel_tell_line(line, sizeof line, STDERR_FILENO, program,
                                     CORBEL_ERROR, text);
    if (write(STDERR_FILENO, line, length) < 0) {
        /* then it cannot be told */
    }
    whole_drop_all();
    _exit(with);
}

_Noreturn void heap_end(const char *text)
{
    heap_end_as(status, text);
}

_Noreturn void heap_lacks(size_t count, size_t size, const char *what)
{
    char text[600];
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        snprintf(text, sizeof text,
                 "out of memory: %zu times %zu bytes for %.400s", count, size,
                 what);
    else
        snprintf(text, sizeof text, "out of memory: %zu bytes for %.400s",
                 bytes, what);
    heap_end(text);
}

static void *given(void *p, size_t bytes, const char *what)
{
    if (CHECKED)
        covered_given(p, bytes, what);
    return p;
}

void *heap_new(size_t count, size_t size, const char *what)
{
    void *p = count && size ? calloc(count, size) : calloc(1, 1);
    if (!p)
        heap_lacks(count, size, what);
    return given(p, count * size, what);
}

void *heap_lines(size_t count, size_t size, const char *what)
{
    size_t bytes;
    void *p = NULL;
    if (!__builtin_mul_overflow(count, size, &bytes) &&
        bytes <= SIZE_MAX - LINE)
        p = aligned_alloc(LINE,
                          bytes ? (bytes + LINE - 1) / LINE * LINE : LINE);
    if (!p)
        heap_lacks(count, size, what);
    return given(p, bytes, what);
}

void *heap_resize(void *array, size_t count, size_t size, const char *what)
{
    size_t bytes;
    bool sane = !__builtin_mul_overflow(count, size, &bytes);
    void *p = sane ? realloc(array, bytes ? bytes : 1) : NULL;
    if (!p)
        heap_lacks(count, size, what);
    return given(p, bytes, what);
}

/* Texts do not change. */
char *heap_text_part(const char *text, size_t bytes)
{
    char *copy = calloc(bytes + 1, 1);
    if (!copy)
        heap_lacks(bytes + 1, 1, "names");
    return memcpy(copy, text, bytes);
}

char *heap_text(const char *text)
{
    return heap_text_part(text, strlen(text));
}

size_t heap_of_host(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
}
