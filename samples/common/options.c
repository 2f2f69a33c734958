/*
 * A table of options; each row says its name, who takes it, how its value
 * looks and which function reads it. A reader returns false on a bad value.
 */
#include "options.h"
#include "picture.h"
#include "say.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIZE_DEFAULT = 64,
    SIZE_LIMIT = 16384,
    SPP_LIMIT = 65536,
};

struct option {
    const char *name;
    unsigned taken_by; /* 0: by every sample */
    const char *value;
    const char *meaning;
    bool (*read)(struct options *options, const char *text);
};

/* A number at *text, which moves behind it. */
static bool read_number(const char **text, double *number)
{
    char *end;
    if (!**text || strspn(*text, "+-.0123456789eE") == 0)
        return false;
    *number = strtod(*text, &end);
    bool read = end != *text && isfinite(*number);
    *text = end;
    return read;
}

static bool read_count(const char **text, unsigned limit, unsigned *count)
{
    unsigned n = 0;
    const char *p = *text;
    for (; *p >= '0' && *p <= '9' && n <= limit; p++)
        n = 10 * n + (*p - '0');
    bool read = p != *text && n >= 1 && n <= limit;
    *text = p;
    *count = n;
    return read;
}

/* The end of the value or a separator that one more number follows. */
static bool read_char(const char **text, char expected)
{
    if (**text != expected)
        return false;
    ++*text;
    return true;
}

static bool read_point(const char *text, double point[3])
{
    for (int i = 0; i < 3; i++)
        if (!read_number(&text, &point[i]) || (i < 2 && !read_char(&text, ',')))
            return false;
    return !*text;
}

static bool read_size(struct options *options, const char *text)
{
    if (!read_count(&text, SIZE_LIMIT, &options->width))
        return false;
    options->height = options->width;
    if (read_char(&text, 'x') &&
        !read_count(&text, SIZE_LIMIT, &options->height))
        return false;
    return !*text;
}

static bool read_out(struct options *options, const char *text)
{
    options->out = text;
    return picture_name(text);
}

static bool read_eye(struct options *options, const char *text)
{
    options->has_eye = true;
    return read_point(text, options->eye);
}

static bool read_look(struct options *options, const char *text)
{
    options->has_look = true;
    return read_point(text, options->look);
}

static bool read_fov(struct options *options, const char *text)
{
    options->has_fov = true;
    return read_number(&text, &options->fov) && !*text && options->fov > 0 &&
           options->fov < 180;
}

static bool read_traversal(struct options *options, const char *text)
{
    static const char *const names[] = {"rtcore", "isect", "software"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(text, names[i])) {
            options->traversal = i;
            return true;
        }
    return false;
}

static bool read_hits(struct options *options, const char *text)
{
    options->hits = text;
    return *text;
}

static bool read_spp(struct options *options, const char *text)
{
    return read_count(&text, SPP_LIMIT, &options->spp) && !*text;
}

static const struct option table[] = {
    {"--size", 0, "W[xH]", "picture size in pixels, 1..16384 (64)", read_size},
    {"--out", 0, "FILE", "image to write, .png or .ppm (image.png)", read_out},
    {"--eye", OPTIONS_SCENE, "x,y,z", "camera position (the scene's own)",
     read_eye},
    {"--look", OPTIONS_SCENE, "x,y,z", "point looked at (the scene's own)",
     read_look},
    {"--fov", OPTIONS_SCENE, "DEGREES",
     "vertical field of view, above 0, below 180", read_fov},
    {"--traversal", OPTIONS_SCENE, "rtcore|isect|software",
     "who walks the tree (rtcore)", read_traversal},
    {"--hits", OPTIONS_HITS, "FILE",
     "also write uint32 triangle, float32 distance for each pixel", read_hits},
    {"--spp", OPTIONS_SPP, "N", "samples for each pixel, 1..65536", read_spp},
};

static bool taken(const struct option *option, unsigned takes)
{
    return !option->taken_by || option->taken_by & takes;
}

/* The option of "--name" or "--name=value". */
static const struct option *find(const char *text, unsigned takes)
{
    const size_t length = strcspn(text, "=");
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (taken(&table[i], takes) && strlen(table[i].name) == length &&
            !strncmp(table[i].name, text, length))
            return &table[i];
    return NULL;
}

static void help(const struct options *options, unsigned takes)
{
    printf("usage: %s%s [options]\n", options->program,
           takes & OPTIONS_SCENE ? " SCENE" : "");
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (taken(&table[i], takes))
            printf("  %-11s %-21s  %s\n", table[i].name, table[i].value,
                   table[i].meaning);
    exit(0);
}

static void bad_usage(const struct options *options, const char *what,
                      const char *given, const char *expected)
{
    say(options->program, "%s%s: %s", what, given, expected);
    exit(2);
}

static void parse_operand(struct options *options, unsigned takes,
                          const char *text)
{
    if (text[0] == '-')
        bad_usage(options, "unknown option ", text, "see --help");
    if (!(takes & OPTIONS_SCENE) || options->scene)
        bad_usage(options, "unexpected argument ", text, "see --help");
    options->scene = text;
}

/* NULL: the command line ends before the value. */
static void parse_value(struct options *options, const struct option *option,
                        const char *value)
{
    if (!value)
        bad_usage(options, option->name, " needs a value", option->meaning);
    if (!option->read(options, value)) {
        say(options->program, "%s %s: expected %s, %s", option->name, value,
            option->value, option->meaning);
        exit(2);
    }
}

void options_parse(struct options *options, unsigned takes, int argc,
                   char **argv)
{
    options->width = options->height = SIZE_DEFAULT;
    options->out = "image.png";
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') { /* no look at how long it is */
            parse_operand(options, takes, argv[i]);
            continue;
        }
        const struct option *option = find(argv[i], takes);
        const char *equals = strchr(argv[i], '=');
        if (!strcmp(argv[i], "--help"))
            help(options, takes);
        if (!option)
            parse_operand(options, takes, argv[i]);
        else if (equals)
            parse_value(options, option, equals + 1);
        else
            parse_value(options, option, ++i < argc ? argv[i] : NULL);
    }
    if (takes & OPTIONS_SCENE && !options->scene)
        bad_usage(options, "no scene given", "", "expected SCENE, see --help");
}

void options_die(const struct options *options, const char *what,
                 const char *why)
{
    say(options->program, "%s: %s", what, why);
    exit(1);
}
