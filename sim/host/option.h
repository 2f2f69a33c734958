/*
 * One option of the command line. Its row lies in the file that owns it: the
 * run's own in option_rows.c, those of an observer in a table of its file
 * (observer.h). --help, parsing, what goes together and what --resume keeps
 * follow from the rows.
 *
 * An option that no other file reads needs no member of struct options: its
 * text is found by option_text().
 */
#ifndef SIM_HOST_OPTION_H
#define SIM_HOST_OPTION_H

#include "sim/core/error.h"
#include <stddef.h>
#include <stdint.h>

struct options;

/* The parts of --help, in its order; the last one only in --help all. */
enum option_group {
    OPTION_RUN,
    OPTION_CHIP,
    OPTION_OBSERVE,
    OPTION_CHECKPOINT,
    OPTION_HOST,
    OPTION_DEVELOPER,
    OPTION_GROUPS,
};

enum option_trait {
    /* It is about this process, or about where this part of a run ends: a
     * checkpoint does not keep it. */
    OPTION_PASSING = 1 << 0,
    /* Its file in --outdir is about cycles. */
    OPTION_OF_CYCLES = 1 << 1,
    /* It keeps a state of its own, which is in no checkpoint. */
    OPTION_UNSAVED = 1 << 2,
    /* It cannot go from one way of execution to the other, as --timing roi
       does. */
    OPTION_ONE_WAY = 1 << 3,
    /* Its value is a file that the run writes. */
    OPTION_WRITES = 1 << 4,
    /* A file of --resume does not say alone where results go: the option has to
     * be repeated. */
    OPTION_REPEATED = 1 << 5,
    /* It is for programs that lie in memory, not for those that a kind of core
     * loads itself. */
    OPTION_IN_MEMORY = 1 << 6,
};

/* What becomes of the value. */
enum option_value {
    OPTION_KEPT,   /* nothing else: option_text() has it */
    OPTION_TEXT,   /* const char *, at `member` of struct options */
    OPTION_FLAG,   /* bool there, which becomes true; without an argument */
    OPTION_NUMBER, /* uint64_t there, least to greatest */
    OPTION_COUNT,  /* unsigned there, likewise */
};

struct option_row {
    const char *name;     /* behind -- */
    char letter;          /* 0: none */
    const char *argument; /* in --help; NULL: it takes none */
    const char *help;     /* at most 62 characters */
    enum option_group group;
    unsigned traits; /* of enum option_trait */
    enum option_value value;
    size_t member;
    uint64_t least, greatest;
    /* Checks the value and puts it where it belongs, in addition; NULL: there
     * is nothing to do. text: NULL without an argument. */
    bool (*take)(struct options *o, const char *text, struct error *error);
    /* What a run without timing lacks for it, as in "caches"; NULL: nothing. */
    const char *untimed;
    const char *replaces; /* the option whose file its file may be */
    const char *reads;    /* its value is a file, which is that: "the chip" */
    /* All options are known: does this one, which was given, go with them? */
    bool (*agrees)(const struct options *o, struct error *error);
    /* Sentences behind `help` in docs/reference/options.md, which name other
     * pages of docs/ by their files; NULL: there is no more to say. */
    const char *more;
};

/* ---- all of them (option_rows.c) ---- */

#define OPTIONS_MOST 96

unsigned option_count(void);
/* In the order of --help, apart from groups. */
const struct option_row *option_at(unsigned number);
/* The number of a row of a table. */
unsigned option_number(const struct option_row *row);
/* By its name. */
const struct option_row *option_named(const char *name);

/* Prints a line of --list-options: group, letter, name, argument, whether a
 * checkpoint keeps it, help, and more, with tabs between them. */
void option_line(const char *group, const struct option_row *row);

/* The value that was given last, "" for an option without one; NULL: it was not
 * given. */
const char *option_text(const struct options *o, const struct option_row *row);

#endif
