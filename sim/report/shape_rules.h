/*
 * What members the JSON files of a run have: the one table by which files are
 * checked (shape.c), and from which the JSON Schemas are made that are
 * installed (json_schema.c). A rule is a row: a member, its type and meaning,
 * what is below it, and whether it may be missing; all else in a file is let
 * pass, as later versions may add to it.
 */
#ifndef SIM_REPORT_SHAPE_RULES_H
#define SIM_REPORT_SHAPE_RULES_H

#include <stdbool.h>

enum type {
    TEXT,
    COUNT,
    REAL,
    BOOL,
    EACH_COUNT,
    EACH_REAL,
    EACH_TEXT,
    TERMS,
    COUNTS,
    OBJECT,
    EACH,
    LIST,
};
/* OBJECT: its members are as below. EACH and LIST: every member of an object or
 * an array is an object whose members are as below, if there is anything. */
struct rule {
    const char *name;
    enum type type;
    const char *meaning;
    const struct rule *below;
    bool optional;
    const char *choices; /* of a text: words between |; NULL: any */
};

/* The files of a run that have rules, up to one without a name; of stats.json:
 * of a run with timing. The last rule has no name. */
struct shape_file {
    const char *name; /* without .json */
    int format;
    const struct rule *rules;
    const char *older; /* what files of lower numbers lack, from a colon on */
};
enum { FILE_STATS, FILE_PROFILE, FILE_PIXELS };
extern const struct shape_file shape_files[];

#endif
