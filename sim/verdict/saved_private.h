/* Members of struct limit_row as rows, for what writes and reads them. */
#ifndef SIM_VERDICT_SAVED_PRIVATE_H
#define SIM_VERDICT_SAVED_PRIVATE_H

#include "sim/core/limit.h"
#include <stddef.h>

enum field_sort {
    FIELD_TEXT,
    FIELD_SORT,
    FIELD_FLAG,
    FIELD_TERMS,
    FIELD_TERM,
    FIELD_PORT,
    FIELD_LEGS,
    FIELD_NUMBER,
    FIELD_PAIR,
};

struct limit_field {
    const char *name;
    enum field_sort sort;
    size_t at; /* in the row */
};

/* All of limit_fields.def, up to one without a name. */
extern const struct limit_field limit_fields[];

/* By enum limit_sort, up to NULL. */
extern const char *const limit_sorts[];

#endif
