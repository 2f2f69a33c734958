/*
 * Numbers in text: an optional sign, digits with at most one point (before,
 * among or after them), an optional exponent; or inf, infinity, nan. The value
 * is the float, or double, nearest to what is written, halves to even; beyond
 * the largest it is infinite.
 */
#ifndef MESH_NUMBER_H
#define MESH_NUMBER_H

#include <stdint.h>

/*
 * Read the number at the start of [at, end). The result is the byte after it,
 * or NULL if there is no number.
 */
const char *number_float(const char *at, const char *end, float *value);
const char *number_double(const char *at, const char *end, double *value);

/*
 * The same of a whole number: a sign and digits. Beyond +-10^17 the value is
 * cut to that.
 */
const char *number_whole(const char *at, const char *end, int64_t *value);

#endif
