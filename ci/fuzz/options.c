/* Command lines of sim-run: an argument a line. */
#include "sim/host/options.h"
#include "ci/fuzz/fuzz.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS_MAX 64

/* What options_parse leaves for the process's end. */
static void free_settings(struct settings *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->list[i].place[strlen("--set ")]) {
            free((char *)(uintptr_t)s->list[i].text);
            free((char *)(uintptr_t)s->list[i].place);
        }
    free(s->list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct options options;
    static char name[] = "sim-run";
    char *text = fuzz_text(data, size), *rest = text;
    char *argv[ARGUMENTS_MAX + 1] = {name};
    int argc = 1;
    struct error error = {""};
    while (rest && argc < ARGUMENTS_MAX)
        argv[argc++] = strsep(&rest, "\n");
    optind = 0;
    if (!options_parse(&options, argc, argv, &error))
        fuzz_check_error(&error);
    free_settings(&options.settings);
    free(options.lasting.list);
    free(text);
    return 0;
}
