/* The command line of a run that goes on: that which its checkpoint has, with
 * what is given this time behind it. */
#include "sim/host/checkpoint.h"
#include "sim/host/status.h"
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

/* What options lead to is kept as long as the process lives: here that of those
 * that were given. */
static struct options given;

int options_resume(struct options *o, struct error *error)
{
    struct words before = {.list = NULL};
    bool untimed;
    if (!checkpoint_command(o->resume, &before, &untimed, error))
        return STATUS_INPUT;
    struct words all = join(o->argv[0], &before, untimed, o);
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
