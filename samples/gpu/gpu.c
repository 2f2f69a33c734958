/* The command line, launches, and what is printed at the end. */
#include "gpu.h"

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
    corbel_group_memory(bytes ? bytes : 1);
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

static _Noreturn void usage(const char *what, const char *given,
                            const char *expected)
{
    say("gpu", "%s%s: expected %s", what, given, expected);
    exit(2);
}

static void read_size(const struct benchmark *b, const char *text,
                      uint32_t size[NUMBERS])
{
    char expected[200];
    if (!strcmp(text, "small") || !strcmp(text, "source")) {
        memcpy(size, text[1] == 'm' ? b->small : b->source, sizeof b->small);
        return;
    }
    sizes_expected(expected, sizeof expected, "small, source", b->numbers,
                   b->most);
    if (!read_numbers(text, b->most, size))
        usage("--size ", text, expected);
    const char *why = b->refuses ? b->refuses(size) : NULL;
    if (why)
        usage("--size ", text, why);
}

struct command {
    const char *name, *size;
    bool check, spoil, launches;
};

static bool read_flag(struct command *c, const char *text)
{
    struct {
        const char *name;
        bool *flag;
    } const flags[] = {{"--check", &c->check},
                       {"--spoil", &c->spoil},
                       {"--launches", &c->launches}};
    for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(flags[i].name, text))
            return *flags[i].flag = true;
    return false;
}

static struct command parse(int argc, char **argv)
{
    struct command c = {.size = "small"};
    for (int i = 1; i < argc; i++) {
        bool is_size = !strcmp(argv[i], "--size");
        if (!strcmp(argv[i], "--help"))
            help();
        if (is_size && i + 1 == argc)
            usage(argv[i], "", "a value behind it, see --help");
        if (is_size)
            c.size = argv[++i];
        else if (argv[i][0] == '-' && !read_flag(&c, argv[i]))
            usage(argv[i], "", "an option, see --help");
        else if (argv[i][0] != '-' && c.name)
            usage(argv[i], "", "one name, see --help");
        else if (argv[i][0] != '-')
            c.name = argv[i];
    }
    if (!c.name)
        usage("no name", "", "that of a benchmark, see --help");
    return c;
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
    struct command c = parse(argc, argv);
    struct gpu gpu = {.check = c.check, .spoil = c.spoil};
    for (unsigned i = 0; i < BENCHMARK_COUNT; i++)
        if (!strcmp(benchmarks[i]->name, c.name))
            gpu.benchmark = benchmarks[i];
    if (!gpu.benchmark)
        usage("", c.name, "a benchmark, see --help");
    read_size(gpu.benchmark, c.size, gpu.size);
    gpu.benchmark->run(&gpu);
    printf("%s", gpu.benchmark->name);
    print_size(gpu.size, " ");
    printf(": %08lx%08lx\n", (unsigned long)gpu.digest.word[0],
           (unsigned long)gpu.digest.word[1]);
    if (c.launches)
        print_launches(&gpu);
    free_arrays();
    return gpu.wrong;
}
