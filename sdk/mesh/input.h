/*
 * A file in memory, where its reader stands, and how it says what is wrong. A
 * line of text ends with LF, CR LF or CR. Lines are only counted for a message.
 */
#ifndef MESH_INPUT_H
#define MESH_INPUT_H

#include "sdk/mesh/mesh.h"

#include <stdbool.h>
#include <stddef.h>

struct input {
    const char *path;        /* for messages */
    const char *start, *end; /* all of the file */
    const char *at;          /* what is read next, up to end */
    bool binary;             /* places are told as bytes, not as lines */
};

void input_open(struct input *in, const char *path, const void *data,
                size_t bytes);

/* Ends the program: "path:line: ..." or "path: byte N: ...", of the place. */
_Noreturn void fail_at(const struct input *in, const char *place,
                       const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a vertex, or fails if it is not finite or beyond +-2^40. */
void input_vertex(const struct input *in, const char *place,
                  const float position[3], struct mesh *mesh);

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static inline bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Nothing is left of the line. */
static inline bool input_line_done(const struct input *in)
{
    return in->at == in->end || is_line_end(*in->at);
}

static inline void input_skip_blanks(struct input *in)
{
    while (in->at < in->end && is_blank(*in->at))
        in->at++;
}

/* What is left of the line, not its end. */
static inline void input_skip_rest(struct input *in)
{
    while (!input_line_done(in))
        in->at++;
}

/* Some of the file's text. */
struct word {
    const char *at;
    size_t length;
};

/* The word at in->at: what comes before a blank or a line's end. */
struct word input_word(const struct input *in);

bool word_is(struct word word, const char *text);

/* A word for a message: its first bytes, none that a terminal would obey. */
struct excerpt {
    char text[124];
};
struct excerpt excerpt_of(struct word word);
struct excerpt excerpt_of_text(const char *text);

#endif
