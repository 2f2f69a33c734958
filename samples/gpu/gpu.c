/* The command line, launches, and what is printed at the end. */
#include "gpu.h"

#include "../common/command.h"
#include "../common/say.h"

static const struct benchmark *const benchmarks[] = {
#define X(name) &name,
    BENCHMARKS(X)
#undef X
};
enum { BENCHMARK_COUNT = sizeof benchmarks / sizeof *benchmarks };

/* ---- for benchmarks ---- */

/* Before each array: the one that was made before it. As aligned as memory of
 * malloc. */
union array {
    union array *before;
    uint32_t room[4];
};

static union array *arrays; /* the last one */

void *gpu_array(size_t count, size_t size)
{
    union array *a = NULL;
    if (size && count < (SIZE_MAX - sizeof *a) / size)
        a = calloc(1, sizeof *a + count * size);
    if (!a) {
        say("gpu", "no memory for %lu x %lu bytes", (unsigned long)count,
            (unsigned long)size);
        exit(1);
    }
    a->before = arrays;
    arrays = a;
    return a + 1;
}

static void free_arrays(void)
{
    while (arrays) {
        union array *a = arrays;
        arrays = a->before;
        free(a);
    }
}

static struct kernel_count *count_of(struct gpu *gpu, const char *name)
{
    struct kernel_count *k = gpu->kernels;
    while (k->name && strcmp(k->name, name))
        k++;
    k->name = name;
    return k;
}

void gpu_launch(struct gpu *gpu, const char *name, void (*kernel)(void *),
                void *arg, uint32_t groups, uint32_t members, size_t bytes)
{
    struct kernel_count *k = count_of(gpu, name);
    k->least = k->launches && k->least < groups ? k->least : groups;
    k->most = k->most > groups ? k->most : groups;
    k->members = members;
    k->launches++;
    corbel_group_memory(bytes);
    corbel_launch_grid(kernel, arg, groups, members);
}

void gpu_begin(struct gpu *gpu)
{
    corbel_roi_begin();
}

void gpu_end(struct gpu *gpu)
{
    corbel_roi_end();
}

void gpu_digest(struct gpu *gpu, const void *words, uint32_t count)
{
    digest_add(&gpu->digest, words, count);
}

void gpu_compare(struct gpu *gpu, const char *what, const void *words,
                 const void *expected, uint32_t count)
{
    gpu->wrong = gpu->wrong || words_differ("gpu", gpu->benchmark->name, what,
                                            words, expected, count);
}

/* ---- the command line ---- */

static void help(void)
{
    printf("usage: gpu NAME [options]\n"
           "  --size small|source|N,N...  (small)\n"
           "  --check     compare with a serial version\n"
           "  --spoil     change the input first, for a check that must fail\n"
           "  --launches  print the launches of each kernel\n");
    for (unsigned i = 0; i < BENCHMARK_COUNT; i++) {
        const struct benchmark *b = benchmarks[i];
        printf("  %-11s %s\n              %s, small", b->name, b->what,
               b->numbers);
        print_size(b->small, " ");
        print_size(b->source, ", source ");
        printf("\n");
    }
    exit(0);
}

static void run_benchmark(struct gpu *gpu, const char *text)
{
    const struct benchmark *b = gpu->benchmark;
    const struct sizes sizes = {{"small", "source"},
                                b->numbers,
                                {b->small, b->source},
                                b->most,
                                b->refuses};
    read_size("gpu", &sizes, text, gpu->size);
    b->run(gpu);
    print_result(b->name, gpu->size, &gpu->digest);
}

static void print_launches(const struct gpu *gpu)
{
    for (const struct kernel_count *k = gpu->kernels;
         k < gpu->kernels + KERNELS && k->name; k++)
        printf("%s: %lu launches, %lu to %lu groups of %lu\n", k->name,
               (unsigned long)k->launches, (unsigned long)k->least,
               (unsigned long)k->most, (unsigned long)k->members);
}

int main(int argc, char **argv)
{
    const char *text = "small";
    bool launches = false;
    struct gpu gpu = {0};
    const struct command_option options[] = {{"--size", &text, NULL},
                                             {"--check", NULL, &gpu.check},
                                             {"--spoil", NULL, &gpu.spoil},
                                             {"--launches", NULL, &launches},
                                             {0}};
    const char *name = read_command(
        &(struct command_line){"gpu", "a benchmark", help, options}, argc,
        argv);
    for (unsigned i = 0; i < BENCHMARK_COUNT; i++)
        if (!strcmp(benchmarks[i]->name, name))
            gpu.benchmark = benchmarks[i];
    if (!gpu.benchmark)
        usage("gpu", "", name, "a benchmark, see --help");
    run_benchmark(&gpu, text);
    if (launches)
        print_launches(&gpu);
    free_arrays();
    return gpu.wrong;
}
