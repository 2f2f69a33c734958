/*
 * Measures the memory system of the chip it runs on:
 *
 *   microbench PATTERN [--bytes N,..] [--stride N,..] [--harts N,..]
 *              [--count N] [--shift N] [--order scattered|linear] [--warm]
 *
 * prints, as CSV, a row for each combination of footprint, stride and harts;
 * README.md says what the patterns are. Exit status: 0 done, 1 something read
 * back was wrong or there is no memory, 2 bad usage.
 */
#include "microbench.h"
#include "../common/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 64, ALIGNMENT = 65536, CHAIN_COUNT = 1024 };

struct list {
    uint64_t values[VALUES];
    unsigned count;
};

struct request {
    enum pattern pattern;
    struct list bytes, strides, harts;
    uint64_t count, shift; /* count 0: each place of the footprint once */
    bool linear, warm;
};

static const char *const patterns[PATTERNS] = {
    [CHASE] = "chase",   [CHAIN] = "chain", [READ] = "read",
    [WRITE] = "write",   [COPY] = "copy",   [RANDOM] = "random",
    [ATOMIC] = "atomic",
};

/* ---- command line ---- */

static _Noreturn void usage(const char *what, const char *expected)
{
    say("microbench", "%s: expected %s", what, expected);
    exit(2);
}

/* A number with suffix k, M or G (1024). */
static const char *parse_number(const char *text, uint64_t *number)
{
    static const char suffixes[] = "kMG";
    char *end;
    const char *suffix;
    *number = strtoull(text, &end, 10);
    if (end == text || *text == '-' || *number > 1ull << 32)
        return NULL;
    if (*end && (suffix = strchr(suffixes, *end)) != NULL) {
        *number <<= 10 * (suffix - suffixes + 1);
        end++;
    }
    return end;
}

static void parse_list(const char *option, const char *text, struct list *list)
{
    const char *at = text;
    list->count = 0;
    for (;;) {
        if (list->count == VALUES ||
            !(at = parse_number(at, &list->values[list->count++])) ||
            (*at && *at != ','))
            break;
        if (!*at++)
            return;
    }
    say("microbench",
        "%s %s: expected up to %d numbers with commas between them", option,
        text, VALUES);
    exit(2);
}

static void parse_one(const char *option, const char *text, uint64_t *number)
{
    struct list list;
    parse_list(option, text, &list);
    if (list.count != 1)
        usage(option, "one number");
    *number = list.values[0];
}

static enum pattern parse_pattern(const char *name)
{
    for (unsigned p = 0; p < PATTERNS; p++)
        if (name && !strcmp(name, patterns[p]))
            return (enum pattern)p;
    usage(name ? name : "no pattern",
          "chase, chain, read, write, copy, random or atomic");
}

static void parse_option(struct request *r, const char *option,
                         const char *value)
{
    if (!value)
        usage(option, "a value, or no such option");
    if (!strcmp(option, "--bytes"))
        parse_list(option, value, &r->bytes);
    else if (!strcmp(option, "--stride"))
        parse_list(option, value, &r->strides);
    else if (!strcmp(option, "--harts"))
        parse_list(option, value, &r->harts);
    else if (!strcmp(option, "--count"))
        parse_one(option, value, &r->count);
    else if (!strcmp(option, "--shift"))
        parse_one(option, value, &r->shift);
    else if (strcmp(option, "--order"))
        usage(option, "--bytes, --stride, --harts, --count, --shift, --order "
                      "or --warm");
    else if (!strcmp(value, "linear") || !strcmp(value, "scattered"))
        r->linear = *value == 'l';
    else
        usage(value, "linear or scattered");
}

static void parse(struct request *r, int argc, char **argv)
{
    r->pattern = parse_pattern(argc > 1 ? argv[1] : NULL);
    r->bytes = (struct list){{65536}, 1};
    r->strides = (struct list){{r->pattern <= CHAIN ? 128 : sizeof(word)}, 1};
    r->harts = (struct list){{corbel_harts()}, 1};
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], "--warm"))
            r->warm = true;
        else {
            parse_option(r, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
            i++;
        }
}

/* ---- a row ---- */

static bool is_chain(enum pattern pattern)
{
    return pattern <= CHAIN;
}

/* What a row of these numbers would do; impossible ones end the program. */
static struct job plan(const struct request *r, uint64_t bytes, uint64_t stride,
                       uint64_t harts)
{
    bool chain = is_chain(r->pattern);
    struct job job = {.pattern = r->pattern,
                      .shuffled = !r->linear,
                      .bytes = bytes,
                      .stride = stride,
                      .shift = r->shift,
                      .harts = chain ? 1 : (uint32_t)harts};
    if (bytes < 64 || bytes > 1u << 31)
        usage("--bytes", "64 to 2G");
    if (!chain && bytes & (bytes - 1))
        usage("--bytes", "a power of two");
    if (stride % sizeof(word) || stride > bytes)
        usage("--stride", "a multiple of 8 (on RV32 4), up to --bytes");
    if (!stride && r->pattern != ATOMIC)
        usage("--stride 0", "atomic, others need 8 (on RV32 4) and more");
    if (!harts || harts > corbel_harts())
        usage("--harts", "1 to the harts of the chip");
    job.count = r->count;
    if (!job.count)
        job.count =
            r->pattern == CHAIN || !stride ? CHAIN_COUNT : bytes / stride;
    job.count = (job.count + 7) / 8 * 8;
    job.launches = r->warm && !chain ? 2 : 1;
    return job;
}

/* The bytes of one of the two areas of COPY, or of the only one. */
static uint64_t area(const struct job *job)
{
    uint64_t size =
        job->bytes + (is_chain(job->pattern) ? 0 : stream_slack(job));
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void kernel(void *arg)
{
    struct job *job = arg;
    if (job->prepare && job->pattern == CHASE)
        chase_prepare(job);
    else if (job->prepare)
        stream_prepare(job);
    else if (job->pattern == CHASE)
        chase_measure(job);
    else if (job->pattern == CHAIN)
        chain_measure(job);
    else
        stream_measure(job);
}

/* Bytes moved by all accesses, in sectors. */
static uint64_t moved(const struct job *job)
{
    uint64_t each = job->stride < SECTOR ? job->stride : SECTOR;
    if (job->pattern == RANDOM)
        each = SECTOR;
    if (each < sizeof(word))
        each = sizeof(word);
    return job->count * each * (job->pattern == COPY ? 2 : 1);
}

/* From the first hart's begin to the last one's end. */
static struct span duration(const struct job *job)
{
    struct span all = job->spans[0];
    for (uint32_t i = 1; i < job->harts; i++) {
        const struct span *s = &job->spans[i];
        if (s->begin < all.begin)
            all.begin = s->begin;
        if (s->end > all.end)
            all.end = s->end;
    }
    return all;
}

/* numerator / denominator with three decimals, cut off. */
static void print_ratio(uint64_t numerator, uint64_t denominator)
{
    uint64_t d = denominator ? denominator : 1;
    printf(",%lu.%03lu", (unsigned long)(numerator / d),
           (unsigned long)(numerator % d * 1000 / d));
}

static void print_row(const struct job *job)
{
    struct span span = duration(job);
    uint64_t cycles = (word)(span.end - span.begin);
    printf("%s,%lu,%lu,%lu,%lu,%lu,%lu,%lu,%lu", patterns[job->pattern],
           (unsigned long)(uintptr_t)job->memory, (unsigned long)job->bytes,
           (unsigned long)job->stride, (unsigned long)job->harts,
           (unsigned long)job->count, (unsigned long)moved(job),
           (unsigned long)span.begin, (unsigned long)cycles);
    print_ratio(cycles, job->count);
    print_ratio(moved(job), cycles);
    if (is_chain(job->pattern))
        printf(",%lu,%lu", (unsigned long)job->extremes.shortest,
               (unsigned long)job->extremes.longest);
    else
        printf(",,");
    printf("\n");
    fflush(stdout);
}

/* False: what was read back is wrong. */
static bool measure(struct job *job)
{
    if (job->pattern == CHASE || job->pattern == COPY ||
        job->pattern == ATOMIC) {
        job->prepare = true;
        corbel_launch(kernel, job);
        job->prepare = false;
    }
    for (uint32_t i = 1; i < job->launches; i++)
        corbel_launch(kernel, job);
    corbel_roi_begin();
    corbel_launch(kernel, job);
    corbel_roi_end();
    print_row(job);
    if (job->pattern == CHASE)
        return !job->wrong;
    return !job->wrong &&
           (job->pattern == CHAIN ? chain_check(job) : stream_check(job));
}

/* ---- all rows ---- */

/* Calls visit for each combination, footprints last. */
static bool each_row(const struct request *r,
                     bool (*visit)(struct job *, void *), void *context)
{
    bool right = true;
    for (unsigned h = 0; h < r->harts.count; h++)
        for (unsigned s = 0; s < r->strides.count; s++)
            for (unsigned b = 0; b < r->bytes.count; b++) {
                struct job job = plan(r, r->bytes.values[b],
                                      r->strides.values[s], r->harts.values[h]);
                right &= visit(&job, context);
            }
    return right;
}

static bool enlarge(struct job *job, void *context)
{
    uint64_t *most = context;
    if (area(job) > *most)
        *most = area(job);
    return true;
}

struct room {
    unsigned char *memory;
    struct span *spans;
    uint64_t area;
};

static bool measure_in(struct job *job, void *context)
{
    const struct room *room = context;
    job->memory = room->memory;
    job->target = room->memory + room->area;
    job->spans = room->spans;
    if (measure(job))
        return true;
    say("microbench", "%s, %lu bytes, stride %lu: read back wrong",
        patterns[job->pattern], (unsigned long)job->bytes,
        (unsigned long)job->stride);
    return false;
}

int main(int argc, char **argv)
{
    struct request request = {0};
    struct room room = {0};
    parse(&request, argc, argv);
    each_row(&request, enlarge, &room.area);
    uint64_t size = room.area * (request.pattern == COPY ? 2 : 1);
    unsigned char *block =
        size < SIZE_MAX - ALIGNMENT ? malloc(size + ALIGNMENT) : NULL;
    room.spans = malloc(corbel_harts() * sizeof *room.spans);
    if (!block || !room.spans) {
        say("microbench", "no memory for %lu MiB", (unsigned long)(size >> 20));
        return 1;
    }
    room.memory = block + (ALIGNMENT - (uintptr_t)block % ALIGNMENT);
    printf("pattern,address,bytes,stride,harts,accesses,moved,begin,cycles,"
           "cycles_per_access,bytes_per_cycle,shortest,longest\n");
    bool right = each_row(&request, measure_in, &room);
    free(room.spans);
    free(block);
    return right ? 0 : 1;
}
