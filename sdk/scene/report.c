/* Failures, progress and memory of a command-line tool; see report.h. */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void fail(int status, const char *format, ...)
{
    va_list arguments;
    progress(NULL);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

void progress(const char *what)
{
    if (!isatty(STDERR_FILENO))
        return;
    fputs("\r\033[K", stderr);
    if (what != NULL)
        fprintf(stderr, "%s ...", what);
    fflush(stderr);
}

void *allocate(unsigned long count, unsigned long size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        fail(STATUS_OUTPUT, "out of memory: %lu times %lu bytes", count, size);
    return memory;
}

void *reallocate(void *old, unsigned long count, unsigned long size)
{
    void *memory = count <= SIZE_MAX / size ? realloc(old, count * size) : NULL;
    if (memory == NULL)
        fail(STATUS_OUTPUT, "out of memory: %lu times %lu bytes", count, size);
    return memory;
}
