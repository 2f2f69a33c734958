/* Kernels in managed memory: the command line, and what is printed at the end.
 */
#include "uvm.h"

#include "../common/command.h"

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
           "  --lanes     an item for each lane\n"
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

struct command {
    const char *name, *size, *delay;
    bool stats;
};

static void run_benchmark(struct uvm *uvm, const struct command *c)
{
    const struct benchmark *b = uvm->benchmark;
    if (c->delay)
        usage("uvm", "--delay", "", "P1, P2, P3, RU, BND or SCAN with it");
    const struct sizes sizes = {{"report", "large"},
                                b->numbers,
                                {b->report, b->large},
                                b->most,
                                b->refuses};
    if (uvm->lanes)
        uvm_items = 1;
    read_size("uvm", &sizes, c->size ? c->size : "report", uvm->size);
    b->run(uvm);
    print_result(b->name, uvm->size, &uvm->digest);
}

static void run_micro(struct uvm *uvm, const struct command *c)
{
    const char *delay = c->delay;
    if (!micro_run(NULL, c->name))
        usage("uvm", "", c->name, "a kernel, see --help");
    if (c->size || uvm->check || uvm->spoil || uvm->lanes)
        usage("uvm", c->name, " with --size, --check, --spoil or --lanes",
              "none of these");
    if (delay && (!read_number(&delay, 0, 1000000000, &uvm->delay) || *delay))
        usage("uvm", "--delay ", c->delay, "cycles, 0 to 1000000000");
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
    struct command c = {0};
    struct uvm uvm = {.delay = DELAY};
    const struct command_option options[] = {
        {"--size", &c.size, NULL},     {"--delay", &c.delay, NULL},
        {"--check", NULL, &uvm.check}, {"--spoil", NULL, &uvm.spoil},
        {"--lanes", NULL, &uvm.lanes}, {"--prefetch", NULL, &uvm.prefetch},
        {"--stats", NULL, &c.stats},   {0}};
    c.name = read_command(
        &(struct command_line){"uvm", "a kernel", help, options}, argc, argv);
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
