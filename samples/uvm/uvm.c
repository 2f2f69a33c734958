/* Kernels in managed memory: the command line, and what is printed at the end.
 */
#include "uvm.h"

#include "../common/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any fault and its transfer on the chips that there are. */
enum { DELAY = 400000 };

static const struct benchmark *const benchmarks[] = {
    &bfs, &hotspot, &pathfinder, &backprop, &srad};
enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks };

static void help(void)
{
    printf("usage: uvm NAME [options]\n"
           "  --size report|large|N,N...  (report)\n"
           "  --check     compare with a serial version\n"
           "  --spoil     change the input first, for a check that must fail\n"
           "  --prefetch  ask for all managed memory before the first phase\n"
           "  --stats     print what was moved\n"
           "  --delay N   of P1 .. SCAN: cycles between touches (%d)\n",
           DELAY);
    for (unsigned i = 0; i < BENCHMARKS; i++) {
        const struct benchmark *b = benchmarks[i];
        printf("  %-11s %s, report", b->name, b->numbers);
        print_size(b->report, " ");
        print_size(b->large, ", large ");
        printf("\n");
    }
    micro_help();
    exit(0);
}

static _Noreturn void usage(const char *what, const char *given,
                            const char *expected)
{
    say("uvm", "%s%s: expected %s", what, given, expected);
    exit(2);
}

static void read_size(const struct benchmark *b, const char *text,
                      uint32_t size[NUMBERS])
{
    char expected[200];
    if (!strcmp(text, "report") || !strcmp(text, "large")) {
        memcpy(size, *text == 'r' ? b->report : b->large, sizeof b->report);
        return;
    }
    sizes_expected(expected, sizeof expected, "report, large", b->numbers,
                   b->most);
    if (!read_numbers(text, b->most, size))
        usage("--size ", text, expected);
    const char *why = b->refuses ? b->refuses(size) : NULL;
    if (why)
        usage("--size ", text, why);
}

struct command {
    const char *name, *size, *delay;
    bool check, spoil, prefetch, stats;
};

/* A flag that is given; false: it is none. */
static bool read_flag(struct command *c, const char *text)
{
    struct {
        const char *name;
        bool *flag;
    } const flags[] = {{"--check", &c->check},
                       {"--spoil", &c->spoil},
                       {"--prefetch", &c->prefetch},
                       {"--stats", &c->stats}};
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(flags[i].name, text))
            return *flags[i].flag = true;
    return false;
}

static struct command parse(int argc, char **argv)
{
    struct command c = {0};
    for (int i = 1; i < argc; i++) {
        const char **value = !strcmp(argv[i], "--size")    ? &c.size
                             : !strcmp(argv[i], "--delay") ? &c.delay
                                                           : NULL;
        if (!strcmp(argv[i], "--help"))
            help();
        if (value && i + 1 == argc)
            usage(argv[i], "", "a value behind it, see --help");
        if (value)
            *value = argv[++i];
        else if (argv[i][0] == '-' && !read_flag(&c, argv[i]))
            usage(argv[i], "", "an option, see --help");
        else if (argv[i][0] != '-' && c.name)
            usage(argv[i], "", "one name, see --help");
        else if (argv[i][0] != '-')
            c.name = argv[i];
    }
    if (!c.name)
        usage("no name", "", "that of a kernel, see --help");
    return c;
}

static void run_benchmark(struct uvm *uvm, const struct command *c)
{
    const struct benchmark *b = uvm->benchmark;
    if (c->delay)
        usage("--delay", "", "P1, P2, P3, RU, BND or SCAN with it");
    read_size(b, c->size ? c->size : "report", uvm->size);
    b->run(uvm);
    printf("%s", b->name);
    print_size(uvm->size, " ");
    printf(": %08lx%08lx\n", (unsigned long)uvm->digest.word[0],
           (unsigned long)uvm->digest.word[1]);
}

static void run_micro(struct uvm *uvm, const struct command *c)
{
    const char *delay = c->delay;
    if (!micro_run(NULL, c->name))
        usage("", c->name, "a kernel, see --help");
    if (c->size || c->check || c->spoil)
        usage(c->name, " with --size, --check or --spoil", "none of these");
    if (delay && (!read_number(&delay, 0, 1000000000, &uvm->delay) || *delay))
        usage("--delay ", c->delay, "cycles, 0 to 1000000000");
    micro_run(uvm, c->name);
    printf("%s: %lu touches, %08lx\n", c->name,
           (unsigned long)uvm->digest.word[1],
           (unsigned long)uvm->digest.word[0]);
}

static void print_stats(void)
{
    struct corbel_managed_stats s;
    if (corbel_managed_count(&s))
        return;
    printf("faults %llu, in %llu transfers of %llu bytes, out %llu of %llu, "
           "remote reads %llu\n",
           (unsigned long long)s.faults, (unsigned long long)s.transfers_in,
           (unsigned long long)s.bytes_in, (unsigned long long)s.transfers_out,
           (unsigned long long)s.bytes_out, (unsigned long long)s.remote_reads);
}

int main(int argc, char **argv)
{
    struct command c = parse(argc, argv);
    struct uvm uvm = {.check = c.check,
                      .prefetch = c.prefetch,
                      .spoil = c.spoil,
                      .delay = DELAY};
    for (unsigned i = 0; i < BENCHMARKS; i++)
        if (!strcmp(benchmarks[i]->name, c.name))
            uvm.benchmark = benchmarks[i];
    if (uvm.benchmark)
        run_benchmark(&uvm, &c);
    else
        run_micro(&uvm, &c);
    if (c.stats)
        print_stats();
    free(uvm.local);
    return uvm.wrong;
}
