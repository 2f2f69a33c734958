/*
 * What members the JSON files of a run have. A rule is a row: a member, its
 * type, whether it has to be there, and what is below it; all else in a file is
 * let pass, as later versions may add to it.
 */
#ifndef SIM_REPORT_SHAPE_RULES_H
#define SIM_REPORT_SHAPE_RULES_H

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
enum need { NEEDED, OPTIONAL };

/* OBJECT: its members are as below. EACH and LIST: every member of an object or
 * an array is an object whose members are as below. */
struct rule {
    const char *name;
    enum type type;
    enum need need;
    const struct rule *below;
};

/* Of stats.json, profile.json and pixels.json; the last rule has no name. */
extern const struct rule stats_rules[], profile_rules[], pixels_rules[];

#endif
