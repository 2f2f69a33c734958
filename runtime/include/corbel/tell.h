/*
 * How a tool of the host tells an error or a note: a line on stderr that begins
 * with the tool's name. On a terminal what matters is coloured, unless NO_COLOR
 * (https://no-color.org) is set to anything or TERM is dumb; in pipes and files
 * there is nothing but the text.
 */
#ifndef CORBEL_TELL_H
#define CORBEL_TELL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum corbel_tone {
    CORBEL_ERROR,
    CORBEL_NOTE, /* nothing is wrong with what was asked for */
    CORBEL_PLAIN /* what is going on */
};

static inline bool corbel_coloured(int fd)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fd) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

/* Writes the line with its end into out; its length, which is less than size.
 * fd: where it will be written. */
static inline size_t corbel_tell_line(char *out, size_t size, int fd,
                                      const char *tool, enum corbel_tone tone,
                                      const char *text)
{
    const bool coloured = corbel_coloured(fd) && tone != CORBEL_PLAIN;
    const char *on = !coloured              ? ""
                     : tone == CORBEL_ERROR ? "\033[1;31m"  /* bold red */
                                            : "\033[1;36m"; /* bold cyan */
    const char *off = coloured ? "\033[0m" : "";
    int length = snprintf(out, size, "%s%s:%s %s\n", on, tool, off, text);
    if (length < 0)
        return 0;
    if ((size_t)length < size)
        return (size_t)length;
    out[size - 2] = '\n';
    return size - 1;
}

/* text: one line, as of corbel/line.h. */
static inline void corbel_tell(const char *tool, enum corbel_tone tone,
                               const char *text)
{
    char line[4096];
    corbel_tell_line(line, sizeof line, STDERR_FILENO, tool, tone, text);
    fputs(line, stderr);
}

#endif
