/*
 * One error, one line: what, where, what was expected. A function that can
 * fail returns false and has filled the error of its caller; only main prints.
 */
#ifndef SIM_ERROR_H
#define SIM_ERROR_H

#include <stdbool.h>

struct error {
    char text[512];
};

/* Sets the text; always returns false, so `return error_set(e, ...)`. */
bool error_set(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The name among count names that is closest to a misspelt one (edit
 * distance), or NULL when none is near. For "did you mean" in errors.
 */
const char *error_nearest(const char *wrong, const char *const *names,
                          unsigned count);

#endif
