#include "catch.h"

#include "sdk/common/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the sanitizer asks a program for: no complaint about refused files. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* The last message of fail, and where it jumps back to while a file is read. */
char caught[1024];
static jmp_buf back;
static bool catching;

/* Takes the place of sdk/common/report.c's. Only bad input may be refused while
 * a file is read: any other failure is one of the reader. */
_Noreturn void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(caught, sizeof caught, format, arguments);
    va_end(arguments);
    if (!catching || status != STATUS_INPUT) {
        fprintf(stderr, "fail(%d): %s\n", status, caught);
        abort();
    }
    longjmp(back, 1);
}

void progress(const char *what)
{
}

/* The readers ask for no more than a file's size justifies. */
#define MEMORY_MAX (1ul << 30)

/* As in report.c, but a request of more than MEMORY_MAX fails. */
void *allocate(unsigned long count, unsigned long size)
{
    void *memory =
        count <= MEMORY_MAX / size ? calloc(count > 0 ? count : 1, size) : NULL;
    if (memory == NULL)
        fail(STATUS_OUTPUT, "out of memory: %lu times %lu bytes", count, size);
    return memory;
}

void *reallocate(void *old, unsigned long count, unsigned long size)
{
    void *memory =
        count <= MEMORY_MAX / size ? realloc(old, count * size) : NULL;
    if (memory == NULL)
        fail(STATUS_OUTPUT, "out of memory: %lu times %lu bytes", count, size);
    return memory;
}

/* The copy has exactly the file's bytes, so that a sanitizer sees a read beyond
 * them. */
bool catch_read(reader *read, const char *path, const void *data, size_t bytes,
                struct mesh *mesh)
{
    void *copy = malloc(bytes > 0 ? bytes : 1);
    bool good = false;
    if (copy == NULL)
        abort();
    memcpy(copy, data, bytes);
    memset(mesh, 0, sizeof *mesh);
    caught[0] = 0;
    catching = true;
    if (setjmp(back) == 0) {
        read(path, copy, bytes, mesh);
        catching = false;
        good = true;
    }
    catching = false;
    free(copy);
    return good;
}
