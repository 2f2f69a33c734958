/*
 * isa-custom: executes the custom instructions on operands that follow from a
 * seed and writes the bits of the results; natively by the functions of the
 * native shim, on a target by the instructions. The native program also
 * compares its results with those of a target.
 */
#include "registers.h"
#include "rows.h"
#include <corbel/traverse_isect.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    uint32_t seed, count;
    const struct corbel_scene *scene;
    const struct row *row; /* that a kernel runs now */
    uint32_t *results;     /* of the row */
    struct registers *registers;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "isa-custom: %s: %s\n", what, why);
    exit(2);
}

static void *room(size_t words)
{
    void *p = calloc(words, sizeof(uint32_t));
    if (!p)
        die("results", strerror(ENOMEM));
    return p;
}

/* ---- the instructions by their wrappers ---- */

static unsigned words_of(const struct row *row)
{
    return result_words(row->shape);
}

static void operands_of(const struct job *job, uint32_t number,
                        struct operands *o)
{
    uint32_t row = (uint32_t)(job->row - rows);
    operands_make(o, job->row->shape, stream_start(job->seed, row, number),
                  job->scene);
}

static void run_sets(void *arg)
{
    const struct job *job = arg;
    for (uint32_t i; (i = corbel_next()) < job->count;) {
        struct operands o;
        operands_of(job, i, &o);
        job->row->run(&o, job->results + (size_t)i * words_of(job->row));
    }
}

/* The result of set i is how often index i was handed out. */
static void count_indices(void *arg)
{
    const struct job *job = arg;
    uint32_t i;
    while (job->row->run(NULL, &i), i < job->count)
        __atomic_fetch_add(&job->results[i], 1, __ATOMIC_RELAXED);
}

static size_t operand_results(const struct job *job)
{
    size_t words = 0;
    for (unsigned i = 0; i < row_count; i++)
        words += words_of(&rows[i]);
    return words * job->count;
}

static void run_operands(struct job *job, uint32_t *results)
{
    job->results = results;
    for (job->row = rows; job->row < rows + row_count; job->row++) {
        corbel_launch(job->row->shape == SHAPE_NEXT ? count_indices : run_sets,
                      job);
        job->results += (size_t)job->count * words_of(job->row);
    }
}

/* ---- their meaning in software ---- */

static void run_function_sets(void *arg)
{
    const struct job *job = arg;
    for (uint32_t i; (i = corbel_next()) < job->count;) {
        struct operands o;
        operands_of(job, i, &o);
        job->row->function(&o, job->results + (size_t)i * words_of(job->row));
    }
}

/* The results of rows without a function stay 0. */
static void run_functions(struct job *job, uint32_t *results)
{
    job->results = results;
    for (job->row = rows; job->row < rows + row_count; job->row++) {
        if (job->row->function)
            corbel_launch(run_function_sets, job);
        job->results += (size_t)job->count * words_of(job->row);
    }
}

/* ---- the instructions with any registers ---- */

static size_t register_results(const struct job *job)
{
    return (size_t)job->count * 2 * REGISTERS_COMPARED;
}

static void draw_contents(void *arg)
{
    const struct job *job = arg;
    for (uint32_t i; (i = corbel_next()) < job->count;) {
        struct sequence q;
        sequence_make(&q, job->seed, i);
        sequence_registers(&job->registers[i], &q, job->seed, i, job->scene);
    }
}

/* By one hart: the indices of NEXT count up then. */
static void run_sequences(void *arg)
{
    const struct job *job = arg;
    if (corbel_hart() != 0)
        return;
    for (uint32_t i = 0; i < job->count; i++) {
#ifdef __riscv
        registers_enter(&job->registers[i], sequence_code[i]);
#else
        struct sequence q;
        sequence_make(&q, job->seed, i);
        sequence_model(&job->registers[i], &q);
#endif
    }
}

static void run_registers(struct job *job, uint32_t *results)
{
    const size_t words = 2 * REGISTERS_COMPARED;
    job->registers = room(job->count * (sizeof *job->registers / 4));
    corbel_launch(draw_contents, job);
    corbel_launch(run_sequences, job);
    for (uint32_t i = 0; i < job->count; i++)
        memcpy(results + i * words, &job->registers[i], 4 * words);
}

/* ---- the traversal in software ---- */

/* A ray's hit by software, and by software with box and triangle rows. */
struct software {
    struct corbel_hit plain, isect;
};

static size_t software_results(const struct job *job)
{
    return (size_t)job->count * sizeof(struct software) / 4;
}

static void traverse(void *arg)
{
    const struct job *job = arg;
    struct software *to = (struct software *)job->results;
    for (uint32_t i; (i = corbel_next()) < job->count;) {
        struct operands o;
        operands_of(job, i, &o);
        corbel_traverse(job->scene, &o.ray, o.flags, &to[i].plain);
        corbel_traverse_isect(job->scene, &o.ray, o.flags, &to[i].isect);
    }
}

static void run_software(struct job *job, uint32_t *results)
{
    job->results = results;
    job->row = rows;
    while (job->row->shape != SHAPE_TRACE)
        job->row++;
    corbel_launch(traverse, job);
}

/* ---- differences ---- */

enum { SHOWN = 10 }; /* of each instruction */

static void print_result(const char *what, const uint32_t *words, unsigned n)
{
    printf("  %-8s", what);
    for (unsigned i = 0; i < n; i++)
        printf(" %08" PRIx32, words[i]);
    printf("\n");
}

/* Was something hit? That has to be so for a good part of the sets. */
static bool is_hit(const struct job *job, uint32_t number,
                   const uint32_t *result)
{
    struct operands o;
    operands_of(job, number, &o);
    switch (job->row->shape) {
    case SHAPE_BOX:
        return result[0] != bits_of(o.ray.tmax);
    case SHAPE_TRI:
        return memcmp(result + 1, &o.hit, sizeof o.hit);
    case SHAPE_TRACE:
        return result[3] != CORBEL_MISS;
    default:
        return true;
    }
}

static unsigned compare_row(struct job *job, const uint32_t *expected,
                            const uint32_t *found)
{
    const unsigned n = words_of(job->row);
    unsigned different = 0, hits = 0;
    for (uint32_t i = 0; i < job->count; i++, expected += n, found += n) {
        hits += is_hit(job, i, expected);
        if (!memcmp(expected, found, n * sizeof *found))
            continue;
        if (different++ >= SHOWN)
            continue;
        struct operands o;
        operands_of(job, i, &o);
        printf("%s, operand set %" PRIu32 ":\n", job->row->mnemonic, i);
        operands_print(&o, job->row->shape);
        print_result("expected", expected, n);
        print_result("found", found, n);
    }
    printf("%s: %u of %" PRIu32 " results differ, %u are hits\n",
           job->row->mnemonic, different, job->count, hits);
    if (hits < job->count / 10)
        printf("%s: fewer hits than a tenth\n", job->row->mnemonic);
    return different + (hits < job->count / 10);
}

static unsigned compare_operands(struct job *job, const uint32_t *expected,
                                 const uint32_t *found)
{
    unsigned different = 0;
    for (job->row = rows; job->row < rows + row_count; job->row++) {
        size_t words = (size_t)job->count * words_of(job->row);
        different += compare_row(job, expected, found);
        expected += words;
        found += words;
    }
    return different;
}

static unsigned compare_functions(struct job *job, const uint32_t *expected,
                                  const uint32_t *found)
{
    unsigned different = 0;
    for (job->row = rows; job->row < rows + row_count; job->row++) {
        size_t words = (size_t)job->count * words_of(job->row);
        if (job->row->function)
            different += compare_row(job, expected, found);
        expected += words;
        found += words;
    }
    return different;
}

static void print_register(unsigned i, uint64_t before, uint64_t expected,
                           uint64_t found)
{
    if (i < 64)
        printf("  %c%u", i < 32 ? 'x' : 'f', i % 32);
    else
        printf("  %s", i == 64 ? "fcsr" : "mcause");
    printf(": before %016" PRIx64 ", expected %016" PRIx64 ", found %016" PRIx64
           "\n",
           before, expected, found);
}

static void print_sequence(const struct job *job, uint32_t number,
                           const uint64_t *expected, const uint64_t *found)
{
    struct sequence q;
    struct registers r;
    uint64_t before[REGISTERS_COMPARED];
    sequence_make(&q, job->seed, number);
    sequence_registers(&r, &q, job->seed, number, job->scene);
    memcpy(before, &r, sizeof before);
    printf("sequence %" PRIu32 ":\n", number);
    for (unsigned i = 0; i < q.count; i++) {
        const struct row *row = row_of(q.words[i]);
        printf("  %08" PRIx32 " %s\n", q.words[i],
               row ? row->mnemonic : "illegal");
    }
    printf("  before");
    for (unsigned i = 0; i < REGISTERS_COMPARED; i++)
        printf("%s%016" PRIx64, i % 8 ? " " : "\n    ", before[i]);
    printf("\n");
    for (unsigned i = 0; i < REGISTERS_COMPARED; i++)
        if (expected[i] != found[i])
            print_register(i, before[i], expected[i], found[i]);
}

static unsigned compare_registers(struct job *job, const uint32_t *expected,
                                  const uint32_t *found)
{
    const unsigned n = 2 * REGISTERS_COMPARED;
    unsigned different = 0, illegal = 0;
    for (uint32_t i = 0; i < job->count; i++, expected += n, found += n) {
        uint64_t e[REGISTERS_COMPARED], f[REGISTERS_COMPARED];
        memcpy(e, expected, sizeof e);
        memcpy(f, found, sizeof f);
        illegal += e[REGISTERS_COMPARED - 1] != 0;
        if (memcmp(e, f, sizeof e) && different++ < SHOWN)
            print_sequence(job, i, e, f);
    }
    printf("%u of %" PRIu32 " sequences differ, %u have an illegal word\n",
           different, job->count, illegal);
    return different;
}

static unsigned compare_software(struct job *job, const uint32_t *expected,
                                 const uint32_t *found)
{
    enum { WORDS = sizeof(struct software) / 4 };
    unsigned different = 0;
    for (uint32_t i = 0; i < job->count; i++, expected += WORDS) {
        uint32_t trace[WORDS / 2];
        struct operands o;
        operands_of(job, i, &o);
        job->row->run(&o, trace);
        const uint32_t *plain = found + (size_t)i * WORDS;
        const uint32_t *isect = plain + WORDS / 2;
        if (!memcmp(plain, trace, sizeof trace) &&
            !memcmp(isect, trace, sizeof trace) &&
            !memcmp(expected, plain, 2 * sizeof trace))
            continue;
        if (different++ >= SHOWN)
            continue;
        printf("software traversal, operand set %" PRIu32 ":\n", i);
        operands_print(&o, SHAPE_TRACE);
        print_result("expected", trace, WORDS / 2);
        print_result("native", expected, WORDS);
        print_result("found", plain, WORDS);
    }
    printf("software traversal: %u of %" PRIu32 " results differ\n", different,
           job->count);
    return different;
}

/* ---- the command line ---- */

static const struct part {
    const char *name;
    size_t (*results)(const struct job *job); /* 32-bit words */
    void (*run)(struct job *job, uint32_t *results);
    unsigned (*compare)(struct job *job, const uint32_t *expected,
                        const uint32_t *found);
} parts[] = {
    {"operands", operand_results, run_operands, compare_operands},
    {"functions", operand_results, run_functions, compare_functions},
    {"registers", register_results, run_registers, compare_registers},
    {"software", software_results, run_software, compare_software},
};

static void write_results(const char *path, const uint32_t *results, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(results, sizeof *results, n, file) != n || fclose(file))
        die(path, strerror(errno));
}

static uint32_t *read_results(const char *path, size_t n)
{
    uint32_t *results = room(n + 1);
    FILE *file = fopen(path, "rb");
    if (!file)
        die(path, strerror(errno));
    if (fread(results, sizeof *results, n + 1, file) != n)
        die(path, "other results than expected: their number differs");
    fclose(file);
    return results;
}

static const struct part *part_named(const char *name)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!strcmp(parts[i].name, name))
            return &parts[i];
    die(name, "expected operands, functions, registers or software");
    return NULL;
}

static uint32_t number_of(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 10);
}

/* Results are written, or with an XLEN compared: 1 if they differ. */
static int run(char **arg, const char *check_xlen)
{
    const struct part *part = part_named(arg[0]);
    struct job job = {.seed = number_of(arg[1]), .count = number_of(arg[2])};
    size_t n = part->results(&job);
    uint32_t *results = room(n);
#ifdef __riscv
    if (part->run == run_registers && job.count > sequence_count)
        die(arg[2], "more sequences than the program has code of");
#endif
    job.scene = corbel_scene_open(arg[3]);
    if (!job.scene)
        die(arg[3], strerror(errno));
    if (check_xlen)
        xlen = number_of(check_xlen);
    part->run(&job, results);
    if (check_xlen)
        return part->compare(&job, results, read_results(arg[4], n)) > 0;
    write_results(arg[4], results, n);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "words"))
        return sequences_write(number_of(argv[2]), number_of(argv[3])), 0;
    if (argc == 6 || argc == 7)
        return run(argv + 1, argv[6]);
    fputs("usage: isa-custom words SEED COUNT\n"
          "       isa-custom PART SEED COUNT SCENE RESULTS [XLEN]\n"
          "parts: operands, functions, registers, software\n"
          "RESULTS are written, or with an XLEN compared with what is expected "
          "of it\n",
          stderr);
    return 2;
}
