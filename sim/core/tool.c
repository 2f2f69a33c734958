#include "sim/core/tool.h"
#include "sdk/whole/whole.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const char *tool;
static int lost; /* the status for output */

void tool_begin(const char *name, int output_status)
{
    tool = name;
    lost = output_status;
    signal(SIGXFSZ, SIG_IGN); /* a write fails instead */
    heap_program(name, output_status);
}

int tool_complain(int status, const struct error *error)
{
    fprintf(stderr, "%s: %s\n", tool, error->text);
    return status;
}

int tool_finish(int status)
{
    struct error error;
    if (whole_stdout())
        return status;
    error_set(&error, "standard output: %s", strerror(errno));
    return tool_complain(lost, &error);
}
