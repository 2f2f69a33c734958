#include "sim/core/tool.h"
#include "runtime/include/corbel/tell.h"
#include "sdk/whole/meant.h"
#include "sdk/whole/whole.h"
#include "sim/core/heap.h"
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOOL_OPTIONS_MAX = 64 };

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

static const struct tool_option *unknown_option(const struct tool_option *rows,
                                                unsigned count,
                                                const char *argument,
                                                struct error *error)
{
    const char *names[TOOL_OPTIONS_MAX];
    unsigned named = 0;
    for (unsigned i = 0; i < count; i++)
        if (!strncmp(rows[i].name, "--", 2))
            names[named++] = rows[i].name + 2;
    const struct meant near = meant("--", argument, names, named);
    error_set(error, "unknown option '%.60s'%s", argument,
              *near.text ? near.text : "; see --help");
    return NULL;
}

const struct tool_option *tool_option(const struct tool_option *rows,
                                      unsigned count, const char *argument,
                                      struct error *error)
{
    assert(count <= TOOL_OPTIONS_MAX);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(rows[i].name, argument))
            continue;
        if (rows[i].flag)
            *rows[i].flag = true;
        return &rows[i];
    }
    return unknown_option(rows, count, argument, error);
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
