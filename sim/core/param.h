/*
 * Parameters, declared once. A kind of unit lists its parameters as
 *
 *   #define CACHE_PARAMS(X)                                            \
 *       X(size, 65536, 64, 1 << 30, "bytes", "capacity")               \
 *       X(replacement, 0, 0, 2, "=lru|fifo|random", "victim choice")
 *
 * name, default, least, greatest, unit, meaning. The struct, the defaults,
 * the range checks, --describe and the documentation come from that list. A
 * unit that starts with '=' names the choices, whose numbers count from 0. A
 * default outside the range is what stands there until it is set.
 *
 * A kind with parameters that are text has a list of two macros: X for those
 * with numbers and T for those with text,
 *
 *   #define DRAM_PARAMS(X, T)                                          \
 *       T(mapping, "", 63, "order", "bits of an address")              \
 *
 * name, default, most characters, unit, meaning: an array of that many
 * characters and the final 0 in the struct, so it need not be freed.
 *
 * Choices that are rows of a table are made from the list of its rows, whose
 * macros are for the first one and for the others,
 *
 *   #define CACHE_REPLACEMENTS(FIRST, X) FIRST(lru) X(fifo) X(random)
 *   X(replacement, 0, CHOICE_RANGE(CACHE_REPLACEMENTS),                \
 *     CHOICE_NAMES(CACHE_REPLACEMENTS), "victim choice")
 *
 * A new row is then a choice, and the table (CHOICE_ROWS) has it by its number.
 *
 * Behind the meaning of one with numbers may stand
 *
 *       X(drain, 0, 0, 1, "flag", "1: new rays only if empty", PARAM_SAFE)
 *
 * A run that goes on from a checkpoint may then have another value
 * (docs/guides/checkpoints.md). The kind reads it in params each time that it
 * needs it, keeps nothing that is derived from it, and may see any value of the
 * range after any other.
 */
#ifndef SIM_PARAM_H
#define SIM_PARAM_H

#include "sim/core/error.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct param {
    const char *name;
    int64_t initial, least, greatest; /* of text: greatest length */
    const char *unit;
    const char *meaning;
    size_t offset;
    const char *text; /* default of text; NULL: a number */
    bool safe;        /* may be another when a run goes on */
};

#define PARAM_TEXT_MAX 127 /* characters of the longest text */

/* A row ends with its meaning or with PARAM_SAFE. */
#define PARAM_SAFE true
#define PARAM_FIELD(...) PARAM_FIELD_OF(__VA_ARGS__, 0)
#define PARAM_FIELD_OF(name, ...) int64_t name;
/* Used inside a table where PARAM_STRUCT is defined as the struct's type. */
#define PARAM_ROW(...) PARAM_ROW_OF(__VA_ARGS__, false, 0)
/* clang-format off */
#define PARAM_ROW_OF(name, initial, least, greatest, unit, meaning, safe, ...) \
    {#name, initial, least, greatest, unit, meaning,                           \
     offsetof(PARAM_STRUCT, name), NULL, safe},
/* clang-format on */

/* Least and greatest number of a choice, and its unit. */
#define CHOICE_ONE(name) +1
#define CHOICE_COUNT(list) (0 list(CHOICE_ONE, CHOICE_ONE))
#define CHOICE_RANGE(list) 0, CHOICE_COUNT(list) - 1
#define CHOICE_FIRST(name) #name
#define CHOICE_NEXT(name) "|" #name
#define CHOICE_NAMES(list) "=" list(CHOICE_FIRST, CHOICE_NEXT)

#define TEXT_FIELD(name, initial, most, unit, meaning)                         \
    char name[(most) <= PARAM_TEXT_MAX ? (most) + 1 : -1];
/* clang-format off */
#define TEXT_ROW(name, initial, most, unit, meaning)                           \
    {#name, 0, 0, most, unit, meaning,                                         \
     offsetof(PARAM_STRUCT, name), initial, false},
/* clang-format on */

static inline int64_t *param_field(void *values, const struct param *p)
{
    return (int64_t *)((char *)values + p->offset);
}

/* Of a thousand names that are compared, most differ in the first letter. */
static inline bool same_name(const char *a, const char *b)
{
    return *a == *b && !strcmp(a, b);
}

/* The row with this name, or NULL. */
const struct param *param_find(const struct param *table, unsigned count,
                               const char *name);
void param_defaults(const struct param *table, unsigned count, void *values);

/*
 * Sets one parameter from text: a decimal or 0x number, with an optional
 * suffix k, M or G (powers of 1024), or the name of a choice, or text of
 * printable ASCII. Fails if the text is no number, out of range or too long;
 * the error names param and range, but not the unit it belongs to (the caller
 * prefixes that).
 */
bool param_set_text(const struct param *p, void *values, const char *text,
                    struct error *error);
bool param_set(const struct param *p, void *values, int64_t value,
               struct error *error);

/* Value as text: the name of the choice, decimal, or '...'. */
void param_text(const struct param *p, const void *values, char *text,
                size_t size);
/* The default and what else is allowed: "64, 1..4096 requests". */
void param_range(const struct param *p, char *text, size_t size);

bool param_same(const struct param *p, const void *a, const void *b);

#endif
