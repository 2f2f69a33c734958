#include "input.h"

#include "sdk/common/report.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Characters of an excerpt, so that "..." and the end find room. */
#define EXCERPT_MAX (sizeof((struct excerpt *)0)->text - 4)
#define MESSAGE_MAX 512

/* The reader stands at the beginning; a file is text until its reader says
 * otherwise. */
void input_open(struct input *in, const char *path, const void *data,
                size_t bytes)
{
    const char *start = data;
    *in = (struct input){path, start, start + bytes, start, false};
}

/* The number of a line, from 1 on: counted only when a message needs it. CR LF
 * is one end. */
static size_t line_of(const struct input *in, const char *place)
{
    size_t line = 1;
    for (const char *c = in->start; c < place; c++)
        line +=
            *c == '\n' || (*c == '\r' && !(c + 1 < in->end && c[1] == '\n'));
    return line;
}

/* Places in binary files are told by their byte, others by their line. */
_Noreturn void fail_at(const struct input *in, const char *place,
                       const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (in->binary)
        fail(STATUS_INPUT, "%s: byte %zu: %s", in->path,
             (size_t)(place - in->start), message);
    fail(STATUS_INPUT, "%s:%zu: %s", in->path, line_of(in, place), message);
}

/* The vertex gets the number that the file's order gives it. */
void input_vertex(const struct input *in, const char *place,
                  const float position[3], struct mesh *mesh)
{
    if (!mesh_vertex_valid(position))
        fail_at(in, place,
                "vertex %u is (%g, %g, %g), expected finite coordinates "
                "within +-2^40",
                mesh->vertices, (double)position[0], (double)position[1],
                (double)position[2]);
    mesh_add_vertex(mesh, position);
}

struct word input_word(const struct input *in)
{
    const char *c = in->at;
    while (c < in->end && !is_blank(*c) && !is_line_end(*c))
        c++;
    return (struct word){in->at, (size_t)(c - in->at)};
}

bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) &&
           memcmp(word.at, text, word.length) == 0;
}

/* Every byte that is not a printable one of ASCII becomes a '?'. */
struct excerpt excerpt_of(struct word word)
{
    struct excerpt excerpt = {""};
    const size_t kept = word.length < EXCERPT_MAX ? word.length : EXCERPT_MAX;
    for (size_t i = 0; i < kept; i++)
        excerpt.text[i] =
            word.at[i] >= ' ' && word.at[i] < 127 ? word.at[i] : '?';
    if (word.length > kept)
        memcpy(excerpt.text + kept, "...", 3);
    return excerpt;
}

struct excerpt excerpt_of_text(const char *text)
{
    return excerpt_of((struct word){text, strlen(text)});
}
