/*
 * Tables of energy and area: files in CSV, a row for what an event of a unit
 * costs, or for what an instance of it needs all the time. A table is read
 * whole before any of it is used; nothing in it is scaled, and each row says
 * where its numbers come from and how far they may be trusted
 * (docs/reference/energy.md).
 */
#ifndef SIM_REPORT_ENERGY_TABLE_H
#define SIM_REPORT_ENERGY_TABLE_H

#include "sim/core/error.h"
#include <stdbool.h>

/* Columns by name: X(name, a table may lack it). */
#define ENERGY_COLUMNS(X)                                                      \
    X(unit, false)                                                             \
    X(event, false)                                                            \
    X(size, true)                                                              \
    X(when, true)                                                              \
    X(times, true)                                                             \
    X(by, true)                                                                \
    X(pj, false)                                                               \
    X(mw, false)                                                               \
    X(mm2, false)                                                              \
    X(node, false)                                                             \
    X(voltage, false)                                                          \
    X(source, false)                                                           \
    X(trust, false)

enum energy_column {
#define X(name, optional) ENERGY_##name,
    ENERGY_COLUMNS(X)
#undef X
        ENERGY_COLUMN_COUNT
};

/* What a row says in numbers. */
enum energy_number { ENERGY_PJ, ENERGY_MW, ENERGY_MM2, ENERGY_NUMBERS };

struct energy_row {
    char *text[ENERGY_COLUMN_COUNT]; /* of each column; "": nothing */
    double number[ENERGY_NUMBERS];
    bool has[ENERGY_NUMBERS];
    char *size_name; /* the parameter of size; NULL: none */
    double size;
    const char *file; /* of the table */
    unsigned line;
};

struct energy_table {
    struct energy_row *rows; /* in the order of the files */
    unsigned count;
};

/* Adds the rows of a file, whose name stays. False: the error names the file,
 * the line, and what was expected. */
bool energy_table_read(struct energy_table *table, const char *path,
                       struct error *error);
void energy_table_free(struct energy_table *table);

/* In a list of words PARAMETER=NUMBER, from *at on: the next one. False: it is
 * over, or (*wrong) no such word. */
bool energy_when(const char **at, char name[64], double *value, bool *wrong);

#endif
