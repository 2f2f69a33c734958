#include "sim/report/tool.h"
#include "sim/core/heap.h"
#include "sim/core/whole.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *tool;

void tool_begin(const char *name)
{
    tool = name;
    signal(SIGXFSZ, SIG_IGN); /* a write fails instead */
    heap_program(name, STATUS_OUTPUT);
}

int tool_complain(int status, const struct error *error)
{
    fprintf(stderr, "%s: %s\n", tool, error->text);
    return status;
}

int tool_finish(void)
{
    struct error error;
    if (whole_stdout())
        return STATUS_DONE;
    error_set(&error, "standard output: %s", strerror(errno));
    return tool_complain(STATUS_OUTPUT, &error);
}
