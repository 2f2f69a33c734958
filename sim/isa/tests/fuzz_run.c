/*
 * Runs a program by one of the executors, each a process of its own, and
 * compares what they wrote.
 */
#include "sim/isa/tests/fuzz.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS = 32, NAME = 256 };

/* Chips that a program is timed on, by its seed: small caches, few MSHRs. */
static const char *const chip_settings[][2] = {
    {"l1.latency=4", "l2.latency=8"}, /* tiny as it is */
    {"l1.size=1024", "l1.ways=2"},
    {"l1.mshrs=1", "l1.targets=1"},
    {"l1.pass=1", "l1.banks=1"},
    {"l2.size=2048", "l1.size=2048"},
    {"dram.row_policy=closed", "l1.replacement=random"},
    {"l1.write=back", "l1.allocate=yes"},
    {"chip.icache=1", "icache.size=256"},
};

static const char *const executor_names[EXECUTORS] = {
    [QEMU] = "qemu",
    [RUN] = "isa_run",
    [STEP] = "isa_execute",
    [FUNCTIONAL] = "sim-run --functional",
    [TIMED] = "sim-run",
    [TOGETHER] = "sim-run --functional, all harts",
    [MIN_SP_PC] = "warps, min_sp_pc",
    [INDEPENDENT] = "warps, independent",
    [IPDOM] = "warps, ipdom",
};

/* How lanes go on. */
static const char *const policies[EXECUTORS] = {
    [MIN_SP_PC] = "tp.reconvergence=min_sp_pc",
    [INDEPENDENT] = "tp.reconvergence=independent",
    [IPDOM] = "tp.reconvergence=ipdom",
};

const char *executor_name(enum executor executor)
{
    return executor_names[executor];
}

/* A command line; arguments point into this struct or to constants. */
struct command {
    char program[NAME];
    char cpu[64];
    const char *arguments[ARGUMENTS];
    unsigned count;
};

static void add(struct command *c, const char *argument)
{
    c->arguments[c->count++] = argument;
}

/* A chip for the timed run, by the seed. The functional run gets the same one,
 * so that both have the same memory. */
static void add_chip(struct command *c, uint64_t seed)
{
    unsigned count = sizeof chip_settings / sizeof *chip_settings;
    const char *const *settings = chip_settings[seed % count];
    const char *const one_hart[] = {
        "-a",         "tiny",      "-j",           "1",        "-s",
        "chip.tps=1", "-s",        "tp.harts=1",   "-s",       settings[0],
        "-s",         settings[1], "--max-cycles", "100000000"};
    for (unsigned i = 0; i < sizeof one_hart / sizeof *one_hart; i++)
        add(c, one_hart[i]);
}

/* Warps of a streaming multiprocessor by the seed, of 1 to 64 lanes, and
 * something else that changes nothing. */
static void add_warps(struct command *c, const char *policy, uint64_t seed)
{
    static const char *const warps[][3] = {
        {"chip.warp=1", "chip.warps=2", "chip.subcores=2"},
        {"chip.warp=4", "chip.warps=2", "chip.subcores=2"},
        {"chip.warp=32", "chip.warps=1", "chip.subcores=1"},
        {"chip.warp=64", "chip.warps=1", "chip.subcores=1"},
    };
    static const char *const others[][2] = {
        {"-s", "tp.coalescer=block128"},
        {"-s", "tp.mem_entries=1"},
        {"--harts", "3"},
        {"-s", "l1.write=back"},
        {"-s", "l1.size=4096"},
        {"-s", "tp.path_turn=3"},
        {"-s", "l1.mshrs=1"},
    };
    unsigned ways = sizeof others / sizeof *others;
    const char *const *chip = warps[seed % 4];
    add(c, "-a");
    add(c, "tiny-simt");
    for (unsigned i = 0; i < 3; i++) {
        add(c, "-s");
        add(c, chip[i]);
    }
    if (policy) {
        add(c, "-s");
        add(c, policy);
    }
    add(c, others[seed / 4 % ways][0]);
    add(c, others[seed / 4 % ways][1]);
    if (policy)
        add(c, "--check-memory");
    add(c, "--max-cycles");
    add(c, "100000000");
}

/* The command of an executor. But where there are lanes the chip has one hart,
 * so that its program runs alone. */
static void make_command(struct command *c, enum executor executor,
                         unsigned xlen, const char *build, const char *elf,
                         uint64_t seed)
{
    const char *ours =
        executor <= STEP ? "tests/isa-run-program" : "bin/sim-run";
    c->count = 0;
    add(c, c->program);
    if (executor == QEMU) {
        snprintf(c->program, NAME, "qemu-riscv%u", xlen);
        snprintf(c->cpu, sizeof c->cpu, "rv%u,zba=true,zbb=true", xlen);
        add(c, "-cpu");
        add(c, c->cpu);
    } else {
        snprintf(c->program, NAME, "%s/%s", build, ours);
    }
    if (executor == STEP)
        add(c, "--step");
    if (executor >= FUNCTIONAL)
        add(c, "--quiet");
    if (executor == FUNCTIONAL || executor == TIMED)
        add_chip(c, seed);
    else if (executor >= TOGETHER)
        add_warps(c, policies[executor], seed);
    if (executor == FUNCTIONAL || executor == TOGETHER)
        add(c, "--functional");
    add(c, elf);
    add(c, NULL);
}

void executor_print(enum executor executor, unsigned xlen, const char *build,
                    const char *elf, uint64_t seed, FILE *file)
{
    struct command c;
    make_command(&c, executor, xlen, build, elf, seed);
    for (unsigned i = 0; c.arguments[i]; i++)
        fprintf(file, "%s%s", i ? " " : "", c.arguments[i]);
}

/* ---- processes ---- */

static void die(const char *what)
{
    fprintf(stderr, "isa-fuzz: %s: %s\n", what, strerror(errno));
    exit(2);
}

/* Starts the command; its outputs can be read from pipes. */
static pid_t start(struct command *c, int pipes[2])
{
    int out[2], error[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe(out) || pipe(error))
        die("pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
    for (int i = 0; i < 2; i++) {
        posix_spawn_file_actions_addclose(&actions, out[i]);
        posix_spawn_file_actions_addclose(&actions, error[i]);
    }
    errno = posix_spawnp(&child, c->program, &actions, NULL,
                         (char *const *)(uintptr_t)c->arguments, environ);
    if (errno)
        die(c->program);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(error[1]);
    pipes[0] = out[0];
    pipes[1] = error[0];
    return child;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Whatever is there, or false: the end. */
static bool read_output(int pipe_end, struct output *output)
{
    enum { AT_ONCE = 65536, TOO_MUCH = 64 << 20 };
    if (output->size + AT_ONCE > output->room) {
        output->room = 2 * output->room + AT_ONCE;
        output->bytes = realloc(output->bytes, output->room);
        if (!output->bytes || output->room > TOO_MUCH)
            die("output of a program");
    }
    ssize_t n = read(pipe_end, output->bytes + output->size, AT_ONCE);
    if (n <= 0)
        return false;
    output->size += (size_t)n;
    return true;
}

/* Keeps the beginning of what is said on stderr. */
static bool read_complaint(int pipe_end, struct output *output)
{
    char bytes[4096];
    size_t used = strlen(output->complaint);
    ssize_t n = read(pipe_end, bytes, sizeof bytes);
    if (n <= 0)
        return false;
    size_t room = sizeof output->complaint - 1 - used;
    size_t kept = (size_t)n < room ? (size_t)n : room;
    memcpy(output->complaint + used, bytes, kept);
    output->complaint[used + kept] = 0;
    return true;
}

/* Reads both pipes to their ends. False: that took too long. */
static bool read_all(int pipes[2], struct output *output)
{
    int64_t deadline = now_ms() + output->limit_ms;
    struct pollfd ends[2] = {{pipes[0], POLLIN, 0}, {pipes[1], POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        int64_t left = deadline - now_ms();
        if (left <= 0 || poll(ends, 2, (int)left) == 0)
            return false;
        if (ends[0].revents && !read_output(pipes[0], output))
            ends[0].fd = -1;
        if (ends[1].revents && !read_complaint(pipes[1], output))
            ends[1].fd = -1;
    }
    return true;
}

/* As a shell counts: 128 and the signal if the process was ended by one. */
static int status_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status)
                                  : 128 + WTERMSIG(wait_status);
}

void executor_run(enum executor executor, unsigned xlen, const char *build,
                  const char *elf, uint64_t seed, struct output *output)
{
    struct command c;
    int pipes[2], status = 0;
    make_command(&c, executor, xlen, build, elf, seed);
    output->size = 0;
    memset(output->complaint, 0, sizeof output->complaint);
    pid_t child = start(&c, pipes);
    bool in_time = read_all(pipes, output);
    if (!in_time)
        kill(child, SIGKILL);
    close(pipes[0]);
    close(pipes[1]);
    waitpid(child, &status, 0);
    output->status = in_time ? status_of(status) : -1;
    output->complaint[strcspn(output->complaint, "\n")] = 0;
}

/* ---- comparison ---- */

uint8_t *output_data(const struct output *output)
{
    bool complete = output->status == 0 && output->size >= output->data;
    return complete ? output->bytes + output->size - output->data : NULL;
}

static uint64_t value_at(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}

uint64_t output_instret(const struct output *output)
{
    const uint8_t *data = output_data(output);
    uint64_t sum = 0;
    for (size_t at = 0; data && at < output->data; at += DATA_SIZE)
        sum += value_at(data + at + DATA_INSTRET, 8);
    return sum;
}

static const char *x_name(unsigned n)
{
    static const char names[32][5] = {
        "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
        "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
        "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    return names[n];
}

/* What lies at an offset of the data, and how many bytes it has. */
static unsigned name_place(unsigned offset, unsigned xlen, char *name,
                           size_t size)
{
    unsigned n = offset % 256 / 8;
    if (offset < DATA_F) {
        snprintf(name, size, "x%u (%s)", n, x_name(n));
        return xlen / 8;
    }
    if (offset < DATA_FCSR) {
        snprintf(name, size, "f%u", n);
        return 8;
    }
    if (offset < DATA_FCSR + 4) {
        snprintf(name, size, "fcsr");
        return 4;
    }
    if (offset / 8 == DATA_INSTRET / 8) {
        snprintf(name, size, "instret");
        return 8;
    }
    snprintf(name, size, "the doubleword at 0x%x",
             DATA_ADDRESS + (offset & ~7u));
    return 8;
}

/* Did the program not get to its end as it should? */
static bool stops_otherwise(const struct output *found, char *text, size_t size)
{
    if (found->status == -1)
        snprintf(text, size, "does not end");
    else if (found->status != 0)
        snprintf(text, size, "ends with status %d (%s)", found->status,
                 found->complaint);
    else if (!output_data(found))
        snprintf(text, size, "writes %zu bytes", found->size);
    else
        return false;
    return true;
}

/* Names the first doubleword of the data area that differs. */
static bool data_differs(const struct output *of, const uint8_t *expected,
                         const uint8_t *found, unsigned xlen, bool with_instret,
                         char *text, size_t size)
{
    for (unsigned all = 0; all < of->data; all += 8) {
        unsigned at = all % DATA_SIZE;
        char name[64];
        if (at == DATA_INSTRET && !with_instret)
            continue;
        if (!memcmp(expected + all, found + all, 8))
            continue;
        unsigned bytes = name_place(at, xlen, name, sizeof name);
        snprintf(text, size,
                 "area %u: %s is 0x%" PRIx64 ", expected 0x%" PRIx64,
                 all / DATA_SIZE, name, value_at(found + all, bytes),
                 value_at(expected + all, bytes));
        return true;
    }
    return false;
}

/* The data area at the end tells most: registers come first in it. What the
 * program has written before that is compared as a whole. */
bool output_differs(const struct output *expected, const struct output *found,
                    unsigned xlen, bool with_instret, char *text, size_t size)
{
    if (stops_otherwise(found, text, size))
        return true;
    if (data_differs(expected, output_data(expected), output_data(found), xlen,
                     with_instret, text, size))
        return true;
    size_t early = expected->size - expected->data;
    if (found->size == expected->size &&
        !memcmp(expected->bytes, found->bytes, early))
        return false;
    snprintf(text, size, "what it wrote before the end differs");
    return true;
}

void output_print(const struct output *output, unsigned xlen, FILE *file)
{
    const uint8_t *data = output_data(output);
    if (!data) {
        fprintf(file, "status %d, %zu bytes: %s\n", output->status,
                output->size, output->complaint);
        return;
    }
    for (unsigned at = 0; at < output->data; at += 8) {
        char name[64];
        unsigned bytes = name_place(at % DATA_SIZE, xlen, name, sizeof name);
        fprintf(file, "%s = 0x%0*" PRIx64 "\n", name, (int)bytes * 2,
                value_at(data + at, bytes));
    }
}
