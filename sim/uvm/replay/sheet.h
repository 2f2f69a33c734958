/*
 * A file of vectors, line by line: the cells of a line, checked numbers, and
 * one error that names file, line, column and what was expected.
 */
#ifndef SIM_UVM_REPLAY_SHEET_H
#define SIM_UVM_REPLAY_SHEET_H

#include "sim/core/error.h"
#include <stdint.h>

#define CELLS_MAX 16

struct sheet {
    const char *path;
    char *text, *at; /* all of it, split up to `at` */
    uint32_t line;   /* of the cells, from 1 on */
    const char *names[CELLS_MAX], *cells[CELLS_MAX];
    unsigned columns;
    const char *end; /* of lines: "\n" or "\r\n" */
    struct error *error;
};

/* Reads the file, plain or gzip, and its first line. To be closed in any case.
 */
bool sheet_open(struct sheet *s, const char *path, struct error *error);
void sheet_close(struct sheet *s);

/* Are the columns these count ones? "x*y" stands for any name that begins with
 * x and ends with y. */
bool sheet_is(const struct sheet *s, const char *const *names, unsigned count);

/* The next line's cells. 0: there is none; -1: an error. */
int sheet_next(struct sheet *s);

/* Sets the error about a column of the line; returns false. */
bool sheet_wrong(const struct sheet *s, unsigned column, const char *expected);

/* A whole number in a column, decimal or 0x, from least to greatest. */
bool sheet_number(const struct sheet *s, unsigned column, uint64_t least,
                  uint64_t greatest, uint64_t *value);
/* A decimal number above 0 and at most 10^6. */
bool sheet_positive(const struct sheet *s, unsigned column, double *value);
/* Numbers between blanks, one at a time from *at on. 1, or 0 at the end; -1: an
 * error. */
int sheet_list(const struct sheet *s, unsigned column, const char **at,
               uint64_t greatest, uint64_t *value);

/* Text as a number, nothing behind it. */
bool text_number(const char *text, const char *end, uint64_t *value);
bool text_positive(const char *text, const char *end, double *value);

#endif
