/*
 * The settings of --set, in order: each an argument, or a line of a file that
 * the argument @FILE names. There a line has one setting, blanks around it do
 * not count, and a line that is empty or begins with # is none.
 */
#ifndef SIM_HOST_CHIP_SETTINGS_H
#define SIM_HOST_CHIP_SETTINGS_H

#include "sim/core/error.h"

struct setting {
    const char *text;  /* PATH.PARAMETER=VALUE */
    const char *place; /* what errors begin with: "--set ", or with file and
                          line "--set @FILE:LINE: " */
};

struct settings {
    struct setting *list; /* kept as long as the process lives */
    unsigned count;
    const char **files; /* that were read for these */
    unsigned file_count;
};

/* Adds what one argument of --set says. */
bool settings_add(struct settings *s, const char *argument,
                  struct error *error);

#endif
