/* How the programs of this folder end. */
#ifndef SIM_REPORT_TOOL_H
#define SIM_REPORT_TOOL_H

#include "sim/core/error.h"

enum status {
    STATUS_DONE = 0,
    STATUS_USAGE = 2,  /* command line or input file */
    STATUS_OUTPUT = 4, /* out of memory, or output cannot be written */
};

/* Once, before all else. name lives as long as the process. */
void tool_begin(const char *name);
/* Prints the error; returns the status. */
int tool_complain(int status, const struct error *error);
/* Returns STATUS_DONE if all that was printed to the standard output has been
 * written; otherwise says so. */
int tool_finish(void);

#endif
