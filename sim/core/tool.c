#include "sim/core/tool.h"
#include "runtime/include/corbel/tell.h"
#include "sdk/whole/whole.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *tool;
static int lost; /* the status for output */

static void need_stacks(void)
{
    struct error error;
    uint64_t bytes;
    if (whole_stacks(&bytes))
        return;
    error_set(&error,
              "stacks of %" PRIu64 " KiB (ulimit -s), expected %" PRIu64
              " or more",
              bytes >> 10, WHOLE_STACK_LEAST >> 10);
    exit(tool_complain(lost, &error));
}

void tool_begin(const char *name, int output_status)
{
    tool = name;
    lost = output_status;
    whole_begin();
    heap_program(name, output_status);
    need_stacks();
}

int tool_complain(int status, const struct error *error)
{
    corbel_tell(tool, CORBEL_ERROR, error->text);
    return status;
}

void tool_note(const char *format, ...)
{
    static const char mark[] = "note: ";
    char text[CORBEL_LINE_SIZE];
    va_list args;
    memcpy(text, mark, sizeof mark);
    va_start(args, format);
    corbel_line_format(text + sizeof mark - 1, sizeof text - sizeof mark + 1,
                       format, args);
    va_end(args);
    corbel_tell(tool, CORBEL_NOTE, text);
}

int tool_finish(int status)
{
    struct error error;
    if (whole_stdout())
        return status;
    error_set(&error, "standard output: %s", strerror(errno));
    return tool_complain(lost, &error);
}
