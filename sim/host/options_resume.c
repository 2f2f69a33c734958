/*
 * The command line of a run that goes on: that which its checkpoint has, with
 * what is given this time behind it. A checkpoint lies where the program of its
 * run, or another, may have written it: what lets a program reach more than
 * usual, or says where files go, is not taken from it alone.
 */
#include "sdk/whole/folder.h"
#include "sim/host/run/exit_status.h"
#include "sim/host/run/loaded_program.h"
#include "sim/host/state/checkpoint.h"
#include "sim/units/units.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * How many words there are from here on of an option that is given anew as a
 * whole, 0: of another one. A run without timing has a chip for the number of
 * harts alone: another one is not set as that was.
 */
static unsigned given_anew(const struct options *now, bool untimed,
                           const char *word)
{
    bool chip = !strcmp(word, "--arch") || !strcmp(word, "--set");
    bool program = !strcmp(word, "--program");
    return (program && now->further_count) || (chip && untimed && now->arch)
               ? 2
               : 0;
}

/* Options of both, then the program, which the file has if none is given. */
static struct words join(char *name, const struct words *before, bool untimed,
                         const struct options *now)
{
    struct words all = {.list = NULL};
    int options = now->argc - now->program_argc;
    words_add(&all, name);
    for (uint32_t i = 0; i < before->options;) {
        unsigned anew = given_anew(now, untimed, before->list[i]);
        if (!anew)
            words_add(&all, before->list[i]);
        i += anew ? anew : 1;
    }
    for (int i = 1; i < options; i++)
        if (i + 1 < options || strcmp(now->argv[i], "--"))
            words_add(&all, now->argv[i]);
    words_add(&all, "--");
    all.options = all.count;
    for (int i = 0; i < now->program_argc; i++)
        words_add(&all, now->program[i]);
    for (uint32_t i = before->options; !now->program_argc && i < before->count;
         i++)
        words_add(&all, before->list[i]);
    return all;
}

/* ---- what a file alone does not allow ---- */

/* Words to be repeated, as a shell takes them. */
struct repeated {
    char text[1000];
    size_t used;
    char reads[300]; /* a file, in words; empty: none */
};

static void add_character(struct repeated *r, char c)
{
    if (r->used + 1 < sizeof r->text)
        r->text[r->used++] = c;
}

static void add_word(struct repeated *r, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                "UVWXYZ0123456789_@%+=:,./-";
    const bool quotes = !*word || word[strspn(word, plain)];
    if (r->used)
        add_character(r, ' ');
    if (quotes)
        add_character(r, '\'');
    for (; *word; word++) {
        add_character(r, *word);
        for (const char *c = "\\''"; *word == '\'' && *c; c++)
            add_character(r, *c);
    }
    if (quotes)
        add_character(r, '\'');
}

static void add_option(struct repeated *r, const char *name, const char *value)
{
    add_word(r, name);
    add_word(r, value);
}

/* Does the option stand on this command line? */
static bool is_given(const struct options *now, const char *name)
{
    for (uint32_t i = 0; i < now->lasting.options; i++)
        if (!strcmp(now->lasting.list[i], name))
            return true;
    return false;
}

/* Are both the same directory? */
static bool same_directory(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && folder_same(&x, &y);
}

/* Where the program may go, and how much it may write there. */
static void ask_for_folder(struct repeated *r, const struct options *theirs,
                           const struct options *now)
{
    char size[24];
    if (!is_given(now, "--fs") && !same_directory(theirs->fs, now->fs))
        add_option(r, "--fs", theirs->fs);
    snprintf(size, sizeof size, "%" PRIu64, theirs->max_fs);
    if (!is_given(now, "--max-fs") && theirs->max_fs > now->max_fs)
        add_option(r, "--max-fs", size);
}

/* Where results go; a further program may have options that name files. */
static void ask_for_outputs(struct repeated *r, const struct options *theirs,
                            const struct options *now)
{
    for (unsigned i = 0; i < option_count(); i++) {
        const struct option_row *row = option_at(i);
        char name[64];
        snprintf(name, sizeof name, "--%s", row->name);
        if (row->traits & OPTION_REPEATED && theirs->texts[i] && !now->texts[i])
            add_option(r, name, theirs->texts[i]);
    }
    bool options = false;
    for (unsigned i = 0; i < theirs->further_count; i++)
        options = options || strchr(theirs->further[i], ',');
    for (unsigned i = 0; options && i < theirs->further_count; i++)
        if (!now->further_count)
            add_option(r, "--program", theirs->further[i]);
}

/* Does its kind of core take what follows it as options, which may name files
 * to be written? What cannot be opened is refused later. */
static bool takes_options(const struct options *theirs)
{
    struct program p = {.path = NULL};
    struct error error;
    const bool takes =
        theirs->program_argc > 1 &&
        program_open(&p, theirs->program[0], unit_kinds, &error) &&
        p.core->load;
    program_close(&p);
    return takes;
}

/* The program and its arguments, where one of those lets it read what is not
 * below its directory. */
static void ask_for_program(struct repeated *r, const struct options *theirs,
                            const struct options *now)
{
    const char *fs = is_given(now, "--fs") ? now->fs : theirs->fs;
    char *real = NULL;
    const int out =
        now->program_argc
            ? 0
            : files_lead_out(fs, theirs->program, theirs->program_argc, &real);
    if (out)
        snprintf(r->reads, sizeof r->reads, " (%.80s is %.200s)",
                 theirs->program[out], real);
    free(real);
    if (now->program_argc || (!out && !takes_options(theirs)))
        return;
    for (int i = 0; i < theirs->program_argc; i++)
        add_word(r, theirs->program[i]);
}

static bool is_allowed(const struct options *theirs, const struct options *now,
                       struct error *error)
{
    struct repeated r = {.used = 0};
    ask_for_folder(&r, theirs, now);
    ask_for_outputs(&r, theirs, now);
    ask_for_program(&r, theirs, now);
    r.text[r.used] = '\0';
    return !r.used ||
           error_set(error,
                     "%s: a file alone does not say where programs may go and "
                     "results are put%s: to go on as it was begun, repeat %s",
                     now->resume, r.reads, r.text);
}

/* ---- both ---- */

/* The options of the file, in a struct of their own. What only one process is
 * about is none of them, whatever stands there. */
static bool read_theirs(struct options *theirs, char *name,
                        const struct words *before, struct error *error)
{
    struct words all = {.list = NULL};
    words_add(&all, name);
    for (uint32_t i = 0; i < before->options; i++)
        words_add(&all, before->list[i]);
    words_add(&all, "--");
    for (uint32_t i = before->options; i < before->count; i++)
        words_add(&all, before->list[i]);
    words_add(&all, NULL);
    return options_read(theirs, (int)all.count - 1, all.list, error) &&
           (theirs->mode != MODE_ANSWERED ||
            error_set(error, "%s: it is of no run", name));
}

/* What options lead to is kept as long as the process lives: here that of those
 * that were given. */
static struct options given, theirs;

int options_resume(struct options *o, struct error *error)
{
    struct words before = {.list = NULL};
    bool untimed;
    if (!checkpoint_command(o->resume, &before, &untimed, error))
        return STATUS_INPUT;
    if (!read_theirs(&theirs, o->argv[0], &before, error))
        return STATUS_USAGE;
    if (!is_allowed(&theirs, o, error))
        return STATUS_INPUT;
    struct words all = join(o->argv[0], &theirs.lasting, untimed, o);
    free(before.list); /* the words themselves are in the other one */
    words_add(&all, NULL);
    given = *o;
    if (!options_read(o, (int)all.count - 1, all.list, error) ||
        !options_agree(o, error))
        return STATUS_USAGE;
    o->argv = given.argv;
    o->argc = given.argc;
    return 0;
}
