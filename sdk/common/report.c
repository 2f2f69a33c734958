/* Failures, progress and memory of a command-line tool; see report.h. */
#include "sdk/common/report.h"

#include "sdk/whole/whole.h"

#include <corbel/line.h>
#include <corbel/tell.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line on stderr, with the program's name. The progress line is removed
 * first. */
static void say(enum corbel_tone tone, const char *format, va_list arguments)
{
    char line[CORBEL_LINE_SIZE];
    progress(NULL);
    corbel_line_format(line, sizeof line, format, arguments);
    corbel_tell(program_invocation_short_name, tone, line);
}

void begin(void)
{
    uint64_t bytes;
    whole_begin();
    if (!whole_stacks(&bytes))
        fail(STATUS_OUTPUT,
             "stacks of %" PRIu64 " KiB (ulimit -s), expected %" PRIu64
             " or more",
             bytes >> 10, WHOLE_STACK_LEAST >> 10);
}

_Noreturn void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(CORBEL_ERROR, format, arguments);
    va_end(arguments);
    exit(status);
}

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(CORBEL_NOTE, format, arguments);
    va_end(arguments);
}

/* What was printed may still be in a buffer; a full disk shows only now. */
int finish(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(STATUS_OUTPUT, "cannot write to the standard output: %s",
             strerror(errno));
    return status;
}

/* Writes over the last message; nothing if stderr is no terminal. */
void progress(const char *what)
{
    static bool shown;
    if (!isatty(STDERR_FILENO) || (what == NULL && !shown))
        return;
    shown = what != NULL;
    fputs("\r\033[K", stderr);
    if (what != NULL)
        fprintf(stderr, "%s ...", what);
    fflush(stderr);
}

/* Zeroed, and never NULL, even for no elements. */
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
