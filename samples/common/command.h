/* The command line of a program of benchmarks: a name, options, and a size that
 * is one of two words or some numbers. */
#ifndef SAMPLES_COMMAND_H
#define SAMPLES_COMMAND_H

#include "numbers.h"
#include "say.h"

#include <stdlib.h>

/* With a value behind it, or a flag. */
struct command_option {
    const char *name;
    const char **value; /* NULL: it is a flag */
    bool *flag;
};

struct command_line {
    const char *program, *names; /* names: what they are of, "a kernel" */
    void (*help)(void);          /* ends the program */
    const struct command_option *options; /* the last one has no name */
};

/* The sizes of a benchmark. */
struct sizes {
    const char *words[2], *numbers;
    const uint32_t *of_words[2], *most;
    /* What was expected instead of this size, NULL: it can be run. Itself NULL:
     * all sizes can. */
    const char *(*refuses)(const uint32_t size[NUMBERS]);
};

static inline _Noreturn void usage(const char *program, const char *what,
                                   const char *given, const char *expected)
{
    say(program, "%s%s: expected %s", what, given, expected);
    exit(2);
}

/* Sets what the options are for; the name. */
static inline const char *read_command(const struct command_line *line,
                                       int argc, char **argv)
{
    const char *name = NULL;
    for (int i = 1; i < argc; i++) {
        const struct command_option *o = line->options;
        while (o->name && strcmp(o->name, argv[i]))
            o++;
        if (!strcmp(argv[i], "--help"))
            line->help();
        else if (o->name && !o->value)
            *o->flag = true;
        else if (o->name && i + 1 == argc)
            usage(line->program, argv[i], "", "a value behind it, see --help");
        else if (o->name)
            *o->value = argv[++i];
        else if (argv[i][0] == '-')
            usage(line->program, argv[i], "", "an option, see --help");
        else if (name)
            usage(line->program, argv[i], "", "one name, see --help");
        else
            name = argv[i];
    }
    if (!name) {
        char expected[80];
        snprintf(expected, sizeof expected, "that of %s, see --help",
                 line->names);
        usage(line->program, "no name", "", expected);
    }
    return name;
}

static inline void read_size(const char *program, const struct sizes *sizes,
                             const char *text, uint32_t size[NUMBERS])
{
    char expected[200];
    for (unsigned i = 0; i < 2; i++)
        if (!strcmp(text, sizes->words[i])) {
            memcpy(size, sizes->of_words[i], NUMBERS * sizeof *size);
            return;
        }
    if (!read_numbers(text, sizes->most, size)) {
        snprintf(expected, sizeof expected, "%s, %s or %s, each from 1",
                 sizes->words[0], sizes->words[1], sizes->numbers);
        for (unsigned i = 0; i < NUMBERS && sizes->most[i]; i++)
            snprintf(expected + strlen(expected),
                     sizeof expected - strlen(expected), "%s%lu",
                     i ? ", " : " to ", (unsigned long)sizes->most[i]);
        usage(program, "--size ", text, expected);
    }
    const char *why = sizes->refuses ? sizes->refuses(size) : NULL;
    if (why)
        usage(program, "--size ", text, why);
}

#endif
