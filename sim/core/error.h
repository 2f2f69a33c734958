/*
 * One error, one line: what, where, what was expected, whatever bytes the names
 * and values in it have (corbel/line.h). A function that can fail returns false
 * and has filled the error of its caller; only main prints.
 */
#ifndef SIM_ERROR_H
#define SIM_ERROR_H

#include "runtime/include/corbel/line.h"
#include <stdbool.h>

struct error {
    char text[CORBEL_LINE_SIZE];
};

/* Sets the text; always returns false, so `return error_set(e, ...)`. */
bool error_set(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
