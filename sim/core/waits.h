/*
 * Why nothing goes on: which unit waits for which, from the cores down to the
 * unit that waits for no other, and links whose credits or messages are stuck.
 */
#ifndef SIM_WAITS_H
#define SIM_WAITS_H

#include "sim/core/chip.h"

/* Room for a line. */
#define WAITS_LINE 1024

/* Takes a line without its end. */
typedef void waits_say(void *context, const char *line);

/*
 * A line for each unit that others wait for and that waits for no other, at
 * most `most` of them, with the first unit that waits for it, if possible a
 * core: e.g. "tm0.tp0 waits for an answer of tm0.l1, which waits for an answer
 * of l2.0, which waits for no other". All tiles stand still.
 */
void waits_chains(const struct chip *chip, unsigned most, waits_say *say,
                  void *context);

/*
 * A line for each link, at most `most` of them, that has messages which its
 * receiver does not take, or has lost credits: neither can be where nothing can
 * ever happen again.
 */
void waits_links(const struct chip *chip, unsigned most, waits_say *say,
                 void *context);

#endif
