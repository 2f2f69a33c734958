/*
 * Files are the same if their contents are, whatever their names. Of the
 * command line counts what other members do not tell: options but for where
 * results go and how the host works, and the program's arguments.
 */
#include "sim/report/differences.h"
#include "sim/core/heap.h"
#include "sim/report/shape.h"
#include <stdlib.h>
#include <string.h>

static const char heap_what[] = "what differs";

/* ---- words of a member ---- */

/* What is compared of an entry, and what is shown of it. */
struct word {
    const char *key, *text;
};

struct word_list {
    struct word *list;
    unsigned count;
};

static void add_word(struct word_list *w, const char *key, const char *text)
{
    w->list = heap_resize(w->list, w->count + 1, sizeof *w->list, heap_what);
    w->list[w->count++] = (struct word){key, text};
}

static const char *text_in(const cJSON *of, const char *name)
{
    return cJSON_GetStringValue(json_member(of, name));
}

/* A text, or a file by its contents. */
static void add_entry(struct word_list *w, const cJSON *of)
{
    const char *text = cJSON_GetStringValue(of), *path = text_in(of, "path");
    const char *hash = text_in(of, "xxh64");
    if (text)
        add_word(w, text, text);
    else if (path)
        add_word(w, hash ? hash : path, path);
}

static struct word_list words_of(const cJSON *member)
{
    struct word_list w = {.list = NULL};
    if (cJSON_IsArray(member))
        for (const cJSON *one = member->child; one; one = one->next)
            add_entry(&w, one);
    else
        add_entry(&w, member);
    return w;
}

static bool has(const struct word_list *w, const char *key)
{
    for (unsigned i = 0; i < w->count; i++)
        if (!strcmp(w->list[i].key, key))
            return true;
    return false;
}

/* Options whose values other members tell, or results do not depend on. */
static bool is_told(const char *option)
{
    static const char *const told[] = {
        "-o", "--outdir",  "-s",         "--set",   "-a",     "--arch",
        "-j", "--threads", "--schedule", "--serve", "--epoch"};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (!strcmp(option, told[i]))
            return true;
    return false;
}

/* Is it such an option with its value in the same word? */
static bool is_told_in_one(const char *word)
{
    char option[40];
    const size_t length = word[1] == '-' ? strcspn(word, "=") : word[1] ? 2 : 1;
    if (*word != '-' || length >= sizeof option || !word[length])
        return false;
    memcpy(option, word, length);
    option[length] = '\0';
    return is_told(option);
}

static struct word_list command_words(const cJSON *manifest)
{
    struct word_list w = {.list = NULL};
    const cJSON *line = json_member(manifest, "command_line");
    const cJSON *one = cJSON_IsArray(line) ? line->child : NULL;
    for (one = one ? one->next : NULL; one; one = one->next) {
        const char *word = cJSON_GetStringValue(one);
        if (word && is_told(word) && one->next)
            one = one->next;
        else if (word && !is_told_in_one(word))
            add_word(&w, word, word);
    }
    return w;
}

/* Files are named by the members that tell of them. */
static void forget_files(struct word_list *w, const cJSON *manifest)
{
    static const char *const members[] = {"program", "scenes", "files"};
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        struct word_list files = words_of(json_member(manifest, members[m]));
        for (unsigned i = 0; i < files.count; i++)
            for (unsigned k = 0; k < w->count; k++)
                if (!strcmp(w->list[k].text, files.list[i].text))
                    w->list[k] = w->list[--w->count];
        free(files.list);
    }
}

/* ---- differences ---- */

struct found {
    struct difference *list;
    unsigned count;
};

/* The words that the other does not have, with spaces between them. */
static char *only_in(const struct word_list *w, const struct word_list *other)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        heap_lacks(1, BUFSIZ, heap_what);
    const char *between = "";
    for (unsigned i = 0; i < w->count; i++)
        if (!has(other, w->list[i].key)) {
            fprintf(to, "%s%s", between, w->list[i].text);
            between = " ";
        }
    fclose(to);
    return text;
}

static void compare(struct found *f, const char *what, struct word_list a,
                    struct word_list b)
{
    struct difference d = {what, only_in(&a, &b), only_in(&b, &a)};
    free(a.list);
    free(b.list);
    if (!*d.a && !*d.b) {
        free(d.a);
        free(d.b);
        return;
    }
    f->list = heap_resize(f->list, f->count + 1, sizeof *f->list, heap_what);
    f->list[f->count++] = d;
}

static struct word_list one_word(const char *text)
{
    struct word_list w = {.list = NULL};
    add_word(&w, text, text);
    return w;
}

static void compare_command(struct found *f, const cJSON *a, const cJSON *b)
{
    struct word_list of_a = command_words(a), of_b = command_words(b);
    forget_files(&of_a, a);
    forget_files(&of_b, b);
    compare(f, "command line", of_a, of_b);
}

struct difference *differences_find(const struct run *a, const struct run *b,
                                    unsigned *count)
{
    static const char *const members[] = {
        "settings", "chip",        "program", "further_programs", "scenes",
        "files",    "warm_caches", "mode",    "version",          "revision",
    };
    struct found f = {.list = NULL};
    for (size_t m = 0;
         a->manifest && b->manifest && m < sizeof members / sizeof *members;
         m++)
        compare(&f, members[m], words_of(json_member(a->manifest, members[m])),
                words_of(json_member(b->manifest, members[m])));
    if (a->manifest && b->manifest)
        compare_command(&f, a->manifest, b->manifest);
    else if (a->manifest || b->manifest)
        compare(&f, "manifest.json",
                one_word(a->manifest ? "there" : "missing"),
                one_word(b->manifest ? "there" : "missing"));
    *count = f.count;
    return f.list;
}

void differences_free(struct difference *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        free(list[i].a);
        free(list[i].b);
    }
    free(list);
}

char *run_unfinished(const struct run *run)
{
    const char *ending = text_in(run->manifest, "ending");
    const char *message = text_in(run->manifest, "message");
    char text[CORBEL_LINE_SIZE];
    if (!ending || !strcmp(ending, "exit"))
        return NULL;
    snprintf(text, sizeof text, "%s%s%s", ending, message ? ": " : "",
             message ? message : "");
    return heap_text(text);
}
