/*
 * Lua's patterns, matched by counted steps: a pattern of a few characters can
 * take hours (docs/guides/architecture-files.md), and Lua's own matcher calls
 * no function that could stop it. The syntax and its meaning are those of the
 * Lua 5.4 reference manual, 6.4.1.
 */
#ifndef SIM_ARCH_PATTERN_H
#define SIM_ARCH_PATTERN_H

#include <stddef.h>

#define PATTERN_CAPTURES 32

enum { CAPTURE_OPEN = -1, CAPTURE_POSITION = -2 };

struct capture {
    const char *at;
    ptrdiff_t length; /* or one of those above */
};

struct pattern {
    const char *text, *text_end;
    const char *end; /* of the pattern */
    void *context;
    void (*step)(void *context); /* may not return */
    /* The pattern is malformed: one line says how. Does not return. */
    void (*fail)(void *context, const char *what);
    /* of the last match */
    unsigned count;
    struct capture captures[PATTERN_CAPTURES];
    unsigned depth; /* private */
};

/* Does the pattern match from there on? The end of the match, or NULL. Anchors
 * at its begin are the caller's. */
const char *pattern_match(struct pattern *m, const char *at,
                          const char *pattern);

#endif
