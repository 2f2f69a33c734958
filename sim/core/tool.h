/*
 * How a program of the command line begins and ends: errors are one line with
 * its name, and what is printed has to arrive.
 */
#ifndef SIM_CORE_TOOL_H
#define SIM_CORE_TOOL_H

#include "sim/core/error.h"

/* An option of the command line, with its dashes. flag NULL: what it does is
 * for the caller. */
struct tool_option {
    const char *name;
    bool *flag;
};

/* Once, before all else; ends the process if stacks have no room. name lives
 * as long as the process; output_status: the
 * exit status for a lack of memory and for output that cannot be written. */
void tool_begin(const char *name, int output_status);
/* The row of an argument that begins with a dash; its flag is set. NULL, with
 * an error that suggests what was meant: there is none. */
const struct tool_option *tool_option(const struct tool_option *rows,
                                      unsigned count, const char *argument,
                                      struct error *error);
/* Prints the error; returns the status. */
int tool_complain(int status, const struct error *error);
/* Prints a line that is no error. */
void tool_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The status, if all that was printed to the standard output has been written;
 * otherwise says so and returns the one for output. */
int tool_finish(int status);

#endif
