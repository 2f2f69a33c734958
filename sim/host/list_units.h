/* The kinds of units, for people. */
#ifndef SIM_HOST_LIST_UNITS_H
#define SIM_HOST_LIST_UNITS_H

#include <stdio.h>

/* Ports, parameters and statistics of every kind. */
void kinds_list(FILE *out);

/* The options that kinds of core take behind an ELF file for them. */
void kinds_options(FILE *out);
/* The same, as lines of --list-options. */
void kinds_options_list(void);

#endif
