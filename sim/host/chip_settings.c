/*
 * Collects what --set gives, in the order of the command line, and keeps beside
 * each setting the words by which an error names its place.
 */
#include "sim/host/chip_settings.h"
#include "sim/core/gz_text.h"
#include "sim/core/heap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct settings *s, const char *text, const char *place)
{
    s->list =
        heap_resize(s->list, s->count + 1, sizeof *s->list, "the settings");
    s->list[s->count++] = (struct setting){text, place};
}

static void add_line(struct settings *s, char *line, const char *path,
                     unsigned number)
{
    struct error place;
    char *text = line + strspn(line, " \t\r\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    if (!*text || *text == '#')
        return;
    error_set(&place, "--set @%s:%u: ", path, number);
    add(s, heap_text(text), heap_text(place.text));
}

static bool add_file(struct settings *s, const char *path, struct error *error)
{
    struct error why;
    char *text = gz_text_read(path, &why), *rest = text, *line;
    if (!text)
        return error_set(error, "--set @%s", why.text);
    s->files = heap_resize(s->files, s->file_count + 1, sizeof *s->files,
                           "the settings");
    s->files[s->file_count++] = path;
    for (unsigned n = 1; (line = strsep(&rest, "\n")); n++)
        add_line(s, line, path, n);
    free(text);
    return true;
}

/* So that `-s program.elf`, without a value, is told as what it is. */
static bool is_program(const char *path)
{
    char magic[4] = "";
    FILE *f = fopen(path, "rb");
    bool elf = f && fread(magic, 1, sizeof magic, f) == sizeof magic &&
               !memcmp(magic, "\177ELF", sizeof magic);
    if (f)
        fclose(f);
    return elf;
}

bool settings_add(struct settings *s, const char *argument, struct error *error)
{
    if (*argument == '@')
        return add_file(s, argument + 1, error);
    if (!strchr(argument, '=') && is_program(argument))
        return error_set(error,
                         "--set %s: that is a program, expected "
                         "PATH.PARAMETER=VALUE or @FILE before it",
                         argument);
    add(s, argument, "--set ");
    return true;
}
