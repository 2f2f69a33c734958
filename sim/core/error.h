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

/*
 * The name among count names that is closest to a misspelt one, whatever the
 * case of letters: at most one
 * letter added, left out, changed or swapped with its neighbour in a name of 2
 * to 4 letters, two in one of up to 11, three in a longer one. NULL when none
 * is near. For "did you mean" in errors.
 */
const char *error_nearest(const char *wrong, const char *const *names,
                          unsigned count);

#endif
