/*
 * What the command-line tools read from the words of their options. A word
 * that is not as it should be ends the program: one line, STATUS_USAGE.
 */
#ifndef SDK_ARGUMENTS_H
#define SDK_ARGUMENTS_H

#include <getopt.h>
#include <stdint.h>

/* An option that getopt_long, with opterr 0 and short options ":", has answered
 * with ? or :. known: the options, which end with a row of zeros. */
_Noreturn void argument_wrong(int code, char **argv,
                              const struct option *known);

/* A whole number from low to high. */
unsigned argument_unsigned(const char *option, const char *text, unsigned low,
                           unsigned high);

/* A number of 32 bits that is not 0, decimal or hexadecimal with 0x. */
uint32_t argument_nonzero(const char *option, const char *text);

/* A number from low to high; expected: what that is, for the message. */
double argument_number(const char *option, const char *text, double low,
                       double high, const char *expected);

/* X,Y,Z, none beyond +-2^40. */
void argument_point(const char *option, const char *text, double point[3]);

/* Degrees of a field of view, between 0 and 180. */
double argument_fov(const char *option, const char *text);

/* W or WxH, pixels, each up to most; W alone is a square. */
void argument_size(const char *option, const char *text, unsigned most,
                   unsigned *width, unsigned *height);

/* Which of the words it is; expected: the words, for the message. */
unsigned argument_word(const char *option, const char *text,
                       const char *const *words, unsigned count,
                       const char *expected);

#endif
