/*
 * Compares executors on random programs: qemu-user, which we did not write,
 * isa_run, isa_execute, sim-run --functional and sim-run.
 *
 *   isa-fuzz [options]                      see usage()
 *   isa-fuzz --text XLEN <dump              a dump as lines of text
 *
 * What qemu leaves in registers, fcsr and memory is expected of all others,
 * and what isa_run counts as instructions retired of the other three. A program
 * on which one differs is shrunk and kept. Exit status: 0 none differed, 1 some
 * did or coverage is incomplete (--complete), 2 usage or host error.
 */
#include "sim/isa/tests/fuzz_tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_JOBS = 16, MOST_FAILURES = 5, PATH = 512 };
enum {
    RUN_MS = 20000,   /* for one program, on a machine that is busy */
    SHRUNK_MS = 2000, /* for one that is being shrunk */
    SHRINK_S = 120,   /* for shrinking one */
};

/* The command line, with the defaults of main. */
struct options {
    uint64_t first, last; /* seeds */
    unsigned count;       /* main instructions of a program */
    unsigned xlen;        /* 0: both */
    unsigned jobs;
    unsigned timed; /* sim-run for one seed in `timed`, 0: never */
    unsigned lanes; /* data areas of programs for warps, 0: of one hart */
    bool complete;
    const char *build; /* folder of the executors */
    const char *out;   /* folder for failures and for work */
    const char *list, *elf;
};

/* A program that is being compared. */
struct test {
    const struct options *options;
    struct tally *tally;
    struct program program;
    struct output outputs[2], *expected, *found;
    char elf[PATH];
    enum executor executor; /* that differs */
    int64_t limit_ms;       /* for one run */
    time_t deadline;        /* for shrinking */
    char difference[512];
};

static void usage(FILE *file)
{
    fputs("usage: isa-fuzz [options]\n"
          "  --seeds FIRST-LAST  programs to try (1-10)\n"
          "  --count N           main instructions of a program (500)\n"
          "  --xlen 32|64        only this one\n"
          "  --jobs N            processes (1)\n"
          "  --timed N           sim-run too for one seed in N, 0: never (1)\n"
          "  --lanes N           for N lanes (64 at most) of warps; 0: one "
          "hart (0)\n"
          "  --complete          fail if a row of the table is never used\n"
          "  --build DIR         where our executors are (build)\n"
          "  --out DIR           for what fails (build/isa-qemu)\n"
          "  --list FILE         only write the first program's assembly\n"
          "  --elf FILE          only write the first program\n"
          "  --text 32|64        print a dump from stdin as text\n"
          "A process stops after five differences.\n",
          file);
}

/* ---- one program ---- */

static void fail_host(const char *what)
{
    fprintf(stderr, "isa-fuzz: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void run(struct test *t, enum executor executor, struct output *output)
{
    output->limit_ms = t->limit_ms;
    output->data = program_data_bytes(&t->program);
    executor_run(executor, t->program.xlen, t->options->build, t->elf,
                 t->program.seed, output);
}

/* qemu counts other things as instructions: what isa_run counts goes there. */
static void expect_instret(struct test *t)
{
    const uint8_t *found = output_data(t->found);
    uint8_t *expected = output_data(t->expected);
    for (size_t at = DATA_INSTRET; at < t->found->data; at += DATA_SIZE)
        memcpy(expected + at, found + at, 8);
}

/* Does this executor differ from t->expected? */
static bool differs(struct test *t, enum executor executor)
{
    run(t, executor, t->found);
    return output_differs(t->expected, t->found, t->program.xlen,
                          executor > RUN, t->difference, sizeof t->difference);
}

/* Writes the program and runs it by qemu. False: it does not end as it should,
 * so that there is nothing to expect. */
static bool run_qemu(struct test *t)
{
    if (!program_write_elf(&t->program, t->elf))
        fail_host(t->elf);
    run(t, QEMU, t->expected);
    return output_data(t->expected) != NULL;
}

/* Programs of one hart are not run by warps; those with lanes by all else, in
 * the order of the list. */
static enum executor last_executor(const struct test *t, bool all)
{
    if (!all)
        return STEP;
    return t->options->lanes ? EXECUTORS - 1 : TIMED;
}

/* Runs all that are asked for. False, and t->executor: that one differs. */
static bool all_agree(struct test *t)
{
    unsigned timed = t->options->timed;
    bool all = timed && t->program.seed % timed == 0;
    t->executor = QEMU;
    if (!run_qemu(t)) {
        snprintf(t->difference, sizeof t->difference,
                 "ends with status %d after %zu bytes (%s)",
                 t->expected->status, t->expected->size,
                 t->expected->complaint);
        return false;
    }
    for (t->executor = RUN; t->executor <= last_executor(t, all);
         t->executor++) {
        if (differs(t, t->executor))
            return false;
        if (t->executor == RUN)
            expect_instret(t);
    }
    t->tally->timed += all;
    t->tally->instructions += output_instret(t->expected);
    return true;
}

/* For shrinking: the same executor differs somehow from a valid program. */
static bool still_differs(void *context, struct program *program)
{
    struct test *t = context;
    if (time(NULL) > t->deadline || !run_qemu(t))
        return false;
    if (t->executor > RUN) {
        if (differs(t, RUN))
            return false;
        expect_instret(t);
    }
    return differs(t, t->executor);
}

/* ---- failures ---- */

static void make_folder(const char *name)
{
    if (mkdir(name, 0777) && errno != EEXIST)
        fail_host(name);
}

static FILE *open_in(const char *folder, const char *name)
{
    char path[PATH + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        fail_host(path);
    return file;
}

/* What was found, and the commands that show it again. */
static void write_readme(const struct test *t, const char *folder)
{
    const struct program *p = &t->program;
    char elf[PATH + 32];
    FILE *file = open_in(folder, "README");
    snprintf(elf, sizeof elf, "%s/program.elf", folder);
    fprintf(file,
            "%s differs from what is expected:\n  %s\n\n"
            "program.lst   the shrunk program, %u instructions\n"
            "program.elf   the same\n"
            "original.elf  as generated\n"
            "expected.txt  registers and memory: qemu's, instret isa_run's\n"
            "found.txt     of %s\n\n"
            "From the repository's root:\n",
            executor_name(t->executor), t->difference, program_instructions(p),
            executor_name(t->executor));
    for (enum executor e = QEMU; e <= t->executor; e++) {
        if (e != QEMU && e != t->executor)
            continue;
        fputs("  ", file);
        executor_print(e, p->xlen, t->options->build, elf, p->seed, file);
        fprintf(file, " | tail -c %zu | %s/tests/isa-fuzz --text %u\n",
                program_data_bytes(p), t->options->build, p->xlen);
    }
    fprintf(file,
            "All of it again:\n  %s/tests/isa-fuzz --build %s --xlen %u "
            "--seeds %" PRIu64 "-%" PRIu64 " --count %u --lanes %u\n",
            t->options->build, t->options->build, p->xlen, p->seed, p->seed,
            t->options->count, p->lanes);
    fclose(file);
}

static void write_program(struct test *t, const char *folder, const char *name)
{
    char path[PATH + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!program_write_elf(&t->program, path))
        fail_host(path);
}

static void keep(struct test *t, const char *folder)
{
    FILE *file = open_in(folder, "program.lst");
    program_write_listing(&t->program, file);
    fclose(file);
    write_program(t, folder, "program.elf");
    file = open_in(folder, "expected.txt");
    output_print(t->expected, t->program.xlen, file);
    fclose(file);
    file = open_in(folder, "found.txt");
    output_print(t->found, t->program.xlen, file);
    fclose(file);
    write_readme(t, folder);
}

/* Keeps a program that failed: as it was generated, then shrunk. If qemu itself
 * failed there is nothing to compare with, so it is not shrunk. */
static void report(struct test *t)
{
    char folder[PATH];
    const struct program *p = &t->program;
    snprintf(folder, sizeof folder, "%s/failures", t->options->out);
    make_folder(folder);
    snprintf(folder, sizeof folder, "%s/failures/%u-%" PRIu64, t->options->out,
             p->xlen, p->seed);
    make_folder(folder);
    write_program(t, folder, "original.elf");
    fprintf(stderr, "\rrv%u, seed %" PRIu64 ": %s: %s\n", p->xlen, p->seed,
            executor_name(t->executor), t->difference);
    if (t->executor != QEMU) {
        t->limit_ms = SHRUNK_MS;
        t->deadline = time(NULL) + SHRINK_S;
        program_shrink(&t->program, still_differs, t);
        t->deadline = time(NULL) + SHRINK_S;
        still_differs(t, &t->program);
        if (output_data(t->found) && t->executor == RUN)
            expect_instret(t);
        fprintf(stderr, "  shrunk to %u instructions: %s\n",
                program_instructions(p), t->difference);
    }
    keep(t, folder);
    fprintf(stderr, "  kept in %s\n", folder);
}

/* Generates, compares and, if it failed, reports one program. */
static void try_program(const struct options *options, struct tally *tally,
                        const char *elf, unsigned xlen, uint64_t seed)
{
    static struct output outputs[2]; /* their room is used again */
    struct test t = {.options = options,
                     .tally = tally,
                     .limit_ms = RUN_MS,
                     .expected = &outputs[0],
                     .found = &outputs[1]};
    snprintf(t.elf, sizeof t.elf, "%s", elf);
    program_generate(&t.program, xlen, seed, options->count, options->lanes);
    tally_words(tally, &t.program);
    if (!all_agree(&t)) {
        report(&t);
        tally->failures++;
    }
    tally->programs++;
    program_free(&t.program);
}

/* ---- processes ---- */

/* Every jobs-th seed, by a process of its own. */
static void work(const struct options *options, unsigned job,
                 struct tally *tally)
{
    char elf[PATH];
    snprintf(elf, sizeof elf, "%s/program-%d.elf", options->out, getpid());
    for (uint64_t seed = options->first + job; seed <= options->last;
         seed += options->jobs)
        for (unsigned xlen = 32; xlen <= 64; xlen += 32)
            if ((!options->xlen || options->xlen == xlen) &&
                tally->failures < MOST_FAILURES)
                try_program(options, tally, elf, xlen, seed);
    unlink(elf);
}

static unsigned widths(const struct options *options)
{
    return options->xlen ? 1 : WIDTHS;
}

static void show_progress(const struct options *options,
                          const struct tally *tallies)
{
    uint64_t done = 0, seeds = options->last - options->first + 1;
    if (!isatty(STDERR_FILENO))
        return;
    for (unsigned i = 0; i < options->jobs; i++)
        done += tallies[i].programs;
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " programs ", done,
            seeds * widths(options));
}

/* False: a worker did not end well. */
static bool wait_for_workers(const struct options *options,
                             const struct tally *tallies)
{
    unsigned running = options->jobs;
    bool well = true;
    while (running > 0) {
        int status;
        const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
        if (waitpid(-1, &status, WNOHANG) > 0) {
            running--;
            well &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
            continue;
        }
        show_progress(options, tallies);
        nanosleep(&pause, NULL);
    }
    if (isatty(STDERR_FILENO))
        fputc('\r', stderr);
    return well;
}

static int summarize(const struct options *options, const struct tally *sum)
{
    uint64_t all = (options->last - options->first + 1) * widths(options);
    printf("%" PRIu64 " of %" PRIu64 " programs, %" PRIu64
           " of them by sim-run too, %" PRIu64 " instructions, %" PRIu64
           " differences\n",
           sum->programs, all, sum->timed, sum->instructions, sum->failures);
    bool complete = true;
    for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
        if (options->xlen && options->xlen != xlen)
            continue;
        printf("rv%u: %u different compressed words\n", xlen,
               tally_compressed(sum, xlen / 64));
        complete &= !options->complete || tally_complete(sum, xlen);
    }
    return sum->failures || !complete;
}

/* Each job is a process: a crash of one loses its programs only. Tallies lie in
 * shared memory; the last one is the sum. */
static int fuzz(const struct options *options)
{
    size_t size = (options->jobs + 1) * sizeof(struct tally);
    struct tally *tallies = mmap(NULL, size, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED)
        fail_host("memory");
    make_folder(options->out);
    fflush(NULL);
    for (unsigned job = 0; job < options->jobs; job++) {
        pid_t child = fork();
        if (child < 0)
            fail_host("fork");
        if (child == 0) {
            work(options, job, &tallies[job]);
            exit(0);
        }
    }
    bool well = wait_for_workers(options, tallies);
    struct tally *sum = &tallies[options->jobs];
    for (unsigned job = 0; job < options->jobs; job++)
        tally_add(sum, &tallies[job]);
    int status = summarize(options, sum);
    return well ? status : 2;
}

/* ---- command line ---- */

/* --list, --elf */
static int write_first(const struct options *options)
{
    struct program program;
    program_generate(&program, options->xlen ? options->xlen : 64,
                     options->first, options->count, options->lanes);
    if (options->elf && !program_write_elf(&program, options->elf))
        fail_host(options->elf);
    if (options->list) {
        FILE *file = fopen(options->list, "w");
        if (!file)
            fail_host(options->list);
        program_write_listing(&program, file);
        fclose(file);
    }
    program_free(&program);
    return 0;
}

static int print_text(unsigned xlen)
{
    static uint8_t bytes[MOST_LANES * DATA_SIZE];
    struct output output = {.bytes = bytes};
    output.size = output.data = fread(bytes, 1, sizeof bytes, stdin);
    output_print(&output, xlen, stdout);
    return 0;
}

/* False: the option is unknown, or its value is out of range. */
static bool set_option(struct options *o, const char *name, const char *value)
{
    unsigned number = (unsigned)strtoul(value, NULL, 0);
    if (!strcmp(name, "--seeds"))
        return sscanf(value, "%" SCNu64 "-%" SCNu64, &o->first, &o->last) == 2;
    if (!strcmp(name, "--count"))
        return (o->count = number) > 0;
    if (!strcmp(name, "--xlen"))
        return (o->xlen = number) == 32 || number == 64;
    if (!strcmp(name, "--jobs"))
        return (o->jobs = number) > 0 && number <= MOST_JOBS;
    if (!strcmp(name, "--timed"))
        o->timed = number;
    else if (!strcmp(name, "--lanes"))
        return (o->lanes = number) <= MOST_LANES;
    else if (!strcmp(name, "--build"))
        o->build = value;
    else if (!strcmp(name, "--out"))
        o->out = value;
    else if (!strcmp(name, "--list"))
        o->list = value;
    else if (!strcmp(name, "--elf"))
        o->elf = value;
    else if (!strcmp(name, "--text"))
        exit(print_text(number));
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.first = 1,
                              .last = 10,
                              .count = 500,
                              .jobs = 1,
                              .timed = 1,
                              .build = "build",
                              .out = "build/isa-qemu"};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            usage(stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--complete")) {
            options.complete = true;
        } else if (i + 1 < argc && set_option(&options, argv[i], argv[i + 1])) {
            i++;
        } else {
            fprintf(stderr, "isa-fuzz: %s: unknown or without a legal value\n",
                    argv[i]);
            usage(stderr);
            return 2;
        }
    }
    return options.list || options.elf ? write_first(&options) : fuzz(&options);
}
