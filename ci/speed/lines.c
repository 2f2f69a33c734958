/*
 * Linked to a sim-run that calls it before each load and store (for
 * ci/speed/lines): which of the host's lines are touched while all tiles of a
 * kind run once, how many of them a cache of the host's would not have, and how
 * often it would not know where their page is.
 *
 * A kind of tile is that of most units of the widest. Memory is told apart
 * by where in the source it is taken; chip_alloc, pile_regrow and the heap are
 * wrapped for that (ld --wrap), as is tile_run, to know where tiles begin. One
 * thread.
 *
 * LINES_FROM, LINES_TO: cycles that are counted. LINES_OUT: file for the
 * result, a line for each kind of tile, "tiles KIND RUNS", and for what its
 * tiles touch "KIND RETURN-ADDRESS UNIT LINES MISSES PAGES WORDS", sums over
 * all runs; UNIT: kind of the unit, or "-"; address 0: not known. LINES_HINTS:
 * if set, lines that are hinted at (host_prefetch) are there from then on, and
 * for each call in the source there is "hint RETURN-ADDRESS ASKED THERE USED":
 * hints; those for lines that were there; lines fetched that were touched
 * before the cache had lost them again.
 */
#define WATCH_HINTS /* declares watch_hint */
#include "sim/core/chip_private.h"
#include "sim/core/tile_run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64u
#define PAGE 4096u
/* The L2 of the host that is modelled, and its second TLB. */
#define CACHE_WAYS 8u
#define CACHE_SETS (1024u * 1024 / LINE / CACHE_WAYS)
#define TLB_WAYS 12u
#define TLB_SETS 256u
#define TABLE (1u << 20) /* lines of a run at most, a power of two */
#define KINDS_MOST 16
#define SITES 4096u
#define HINTED (1u << 20) /* a later hint may take the place of another's */

struct range {
    uintptr_t start, end;
    uintptr_t taken_at; /* return address of the call */
    const char *unit;   /* its kind, NULL: it is none */
    size_t order;       /* of taking, and of freeing: end is start then */
};

struct touched {
    uintptr_t line;
    uint32_t run;
    uint32_t pages; /* accesses whose page was not known */
    uint8_t words;  /* mask of 8 bytes each */
    bool missed;
};

struct sum {
    uint64_t lines, misses, pages, words;
};

struct kind {
    const char *name;
    uint64_t runs;
    struct sum *sums; /* by range; the last: memory of none */
};

/* A call of host_prefetch. */
struct site {
    uintptr_t at; /* return address, 0: none */
    uint64_t asked, there, used;
};

/* A line that a hint has fetched, and that was not touched yet. */
struct hinted {
    uintptr_t line; /* 0: none */
    struct site *site;
};

static struct {
    struct range *ranges;
    size_t count, room;
    struct touched table[TABLE];
    uint32_t *used; /* of these in this run, in order of touching */
    size_t used_count;
    uint32_t run;
    /* What was used last first. */
    uintptr_t cache[CACHE_SETS][CACHE_WAYS], tlb[TLB_SETS][TLB_WAYS];
    struct kind kinds[KINDS_MOST];
    const struct tile *widest; /* of those that run, NULL: nothing is counted */
    struct site sites[SITES];
    struct hinted hinted[HINTED];
    uint64_t from, to, now;
    bool warm, hints;
} l;

/* ---- memory ---- */

void *__real_realloc(void *old, size_t size);

static void note_range(void *start, size_t bytes, void *taken_at)
{
    if (!start || l.warm)
        return;
    if (l.count == l.room) {
        l.room = l.room ? 2 * l.room : 1024;
        l.ranges = __real_realloc(l.ranges, l.room * sizeof *l.ranges);
    }
    l.ranges[l.count] =
        (struct range){(uintptr_t)start, (uintptr_t)start + bytes,
                       (uintptr_t)taken_at, NULL, l.count};
    l.count++;
}

#define WRAP(name, bytes, params, args)                                        \
    void *__real_##name params;                                                \
    void *__wrap_##name params;                                                \
    void *__wrap_##name params                                                 \
    {                                                                          \
        void *start = __real_##name args;                                      \
        note_range(start, bytes, __builtin_return_address(0));                 \
        return start;                                                          \
    }
WRAP(chip_alloc, count *size, (struct chip * chip, size_t count, size_t size),
     (chip, count, size))
WRAP(chip_alloc_own, count *size,
     (struct chip * chip, size_t count, size_t size), (chip, count, size))
WRAP(pile_regrow, bytes,
     (struct pile * pile, void *old, size_t old_bytes, size_t bytes),
     (pile, old, old_bytes, bytes))
WRAP(calloc, count *size, (size_t count, size_t size), (count, size))
WRAP(malloc, size, (size_t size), (size))
WRAP(realloc, size, (void *old, size_t size), (old, size))
WRAP(aligned_alloc, size, (size_t to, size_t size), (to, size))

void __real_free(void *start);
void __wrap_free(void *start);
void __wrap_free(void *start)
{
    note_range(start, 0, NULL);
    __real_free(start);
}

struct unit *__real_chip_unit(struct chip *chip, struct tile *tile,
                              const char *kind, const char *name,
                              const char *group, struct error *error);
struct unit *__wrap_chip_unit(struct chip *chip, struct tile *tile,
                              const char *kind, const char *name,
                              const char *group, struct error *error);
struct unit *__wrap_chip_unit(struct chip *chip, struct tile *tile,
                              const char *kind, const char *name,
                              const char *group, struct error *error)
{
    struct unit *u = __real_chip_unit(chip, tile, kind, name, group, error);
    for (size_t i = l.count; u && i-- > 0;)
        if (l.ranges[i].start == (uintptr_t)u) {
            l.ranges[i].unit = u->kind->name;
            break;
        }
    return u;
}

static int compare(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* By start; of those at the same place the last one is left, unless it was
 * freed. */
static void sort_ranges(void)
{
    size_t left = 0;
    qsort(l.ranges, l.count, sizeof *l.ranges, compare);
    for (size_t i = 0; i < l.count; i++) {
        const struct range *r = &l.ranges[i];
        bool last = i + 1 == l.count || r[1].start != r->start;
        if (last && r->start < r->end)
            l.ranges[left++] = *r;
    }
    l.count = left;
}

static size_t range_of(uintptr_t address)
{
    size_t low = 0, high = l.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (l.ranges[middle].start <= address + LINE - 1)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low, tries = 4; i-- > 0 && tries-- > 0;)
        if (address < l.ranges[i].end)
            return i;
    return l.count;
}

/* ---- lines ---- */

static bool misses(uintptr_t *set, unsigned ways, uintptr_t number)
{
    unsigned way = 0;
    while (way < ways && set[way] != number)
        way++;
    bool missed = way == ways;
    way -= missed;
    memmove(set + 1, set, way * sizeof *set);
    set[0] = number;
    return missed;
}

/* For tables of up to 2^24 entries. */
static size_t spread(uintptr_t number)
{
    return number * 0x9e3779b97f4a7c15u >> 40;
}

static struct hinted *hinted_at(uintptr_t line)
{
    return &l.hinted[spread(line) % HINTED];
}

static void note_use(uintptr_t line, bool missed)
{
    struct hinted *h = hinted_at(line);
    if (h->line != line)
        return;
    h->site->used += !missed;
    h->line = 0;
}

static struct site *site_of(uintptr_t at)
{
    size_t i = spread(at) % SITES;
    while (l.sites[i].at && l.sites[i].at != at)
        i = (i + 1) % SITES;
    l.sites[i].at = at;
    return &l.sites[i];
}

void watch_hint(const void *address)
{
    if (!l.widest || !l.hints)
        return;
    uintptr_t line = (uintptr_t)address / LINE;
    struct site *s = site_of((uintptr_t)__builtin_return_address(0));
    s->asked++;
    if (misses(l.cache[line % CACHE_SETS], CACHE_WAYS, line))
        *hinted_at(line) = (struct hinted){line, s};
    else
        s->there++;
}

static void touch(const void *address)
{
    if (!l.widest)
        return;
    uintptr_t line = (uintptr_t)address / LINE, page = line * LINE / PAGE;
    size_t at = spread(line) % TABLE;
    while (l.table[at].run == l.run && l.table[at].line != line)
        at = (at + 1) % TABLE;
    if (l.table[at].run != l.run) {
        l.table[at] = (struct touched){.line = line, .run = l.run};
        l.used[l.used_count++] = (uint32_t)at;
    }
    l.table[at].words |= (uint8_t)(1u << (uintptr_t)address % LINE / 8);
    bool missed = misses(l.cache[line % CACHE_SETS], CACHE_WAYS, line);
    l.table[at].missed |= missed;
    if (l.hints)
        note_use(line, missed);
    l.table[at].pages += misses(l.tlb[page % TLB_SETS], TLB_WAYS, page);
}

#define HOOK(bytes, type)                                                      \
    void __sanitizer_cov_load##bytes(type *at);                                \
    void __sanitizer_cov_load##bytes(type *at)                                 \
    {                                                                          \
        touch(at);                                                             \
    }                                                                          \
    void __sanitizer_cov_store##bytes(type *at);                               \
    void __sanitizer_cov_store##bytes(type *at)                                \
    {                                                                          \
        touch(at);                                                             \
    }
HOOK(1, uint8_t)
HOOK(2, uint16_t)
HOOK(4, uint32_t)
HOOK(8, uint64_t)
HOOK(16, void)

/* ---- runs ---- */

/* The kind of unit of which the tile has most. */
static const char *name_of(const struct tile *t)
{
    const struct unit_set *most = t->sets;
    for (uint32_t i = 1; i < t->set_count; i++)
        if (__builtin_popcountll(t->sets[i].bits) >
            __builtin_popcountll(most->bits))
            most = &t->sets[i];
    return most->first->kind->name;
}

static struct kind *kind_of(const struct tile *t)
{
    const char *name = name_of(t);
    struct kind *k = l.kinds;
    while (k->name && k->name != name)
        if (++k == l.kinds + KINDS_MOST)
            abort();
    if (!k->name)
        *k =
            (struct kind){name, 0, __real_calloc(l.count + 1, sizeof *k->sums)};
    return k;
}

static void end_run(void)
{
    if (!l.widest)
        return;
    struct kind *k = kind_of(l.widest);
    l.widest = NULL;
    k->runs++;
    for (size_t i = 0; i < l.used_count; i++) {
        const struct touched *t = &l.table[l.used[i]];
        struct sum *s = &k->sums[range_of(t->line * LINE)];
        s->lines++;
        s->misses += t->missed;
        s->pages += t->pages;
        s->words += (unsigned)__builtin_popcount(t->words);
    }
    l.used_count = 0;
    l.run++;
}

static void begin_counting(void)
{
    l.warm = true;
    l.run = 1;
    l.used = __real_malloc(TABLE * sizeof *l.used);
    sort_ranges();
}

uint64_t __real_tile_run(struct tile *t, uint64_t from, uint64_t to,
                         const struct engine_options *options);
uint64_t __wrap_tile_run(struct tile *t, uint64_t from, uint64_t to,
                         const struct engine_options *options);
uint64_t __wrap_tile_run(struct tile *t, uint64_t from, uint64_t to,
                         const struct engine_options *options)
{
    if (from != l.now)
        end_run();
    l.now = from;
    if (from >= l.from && from < l.to) {
        if (!l.warm)
            begin_counting();
        if (!l.widest || t->unit_count > l.widest->unit_count)
            l.widest = t;
    }
    return __real_tile_run(t, from, to, options);
}

static __attribute__((constructor)) void begin(void)
{
    const char *from = getenv("LINES_FROM"), *to = getenv("LINES_TO");
    l.from = from ? strtoull(from, NULL, 10) : 0;
    l.to = to ? strtoull(to, NULL, 10) : UINT64_MAX;
    l.hints = getenv("LINES_HINTS");
}

/* Without the last run, of which there is no knowing whether it ended. */
static __attribute__((destructor)) void report(void)
{
    const char *path = getenv("LINES_OUT");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (!out)
        return;
    for (struct kind *k = l.kinds; k < l.kinds + KINDS_MOST && k->name; k++) {
        fprintf(out, "tiles %s %llu\n", k->name, (unsigned long long)k->runs);
        for (size_t i = 0; i <= l.count; i++) {
            static const struct range none = {.unit = NULL};
            const struct range *r = i < l.count ? &l.ranges[i] : &none;
            const struct sum *s = &k->sums[i];
            if (s->lines)
                fprintf(
                    out, "%s %llx %s %llu %llu %llu %llu\n", k->name,
                    (unsigned long long)r->taken_at, r->unit ? r->unit : "-",
                    (unsigned long long)s->lines, (unsigned long long)s->misses,
                    (unsigned long long)s->pages, (unsigned long long)s->words);
        }
    }
    for (const struct site *s = l.sites; s < l.sites + SITES; s++)
        if (s->at)
            fprintf(out, "hint %llx %llu %llu %llu\n",
                    (unsigned long long)s->at, (unsigned long long)s->asked,
                    (unsigned long long)s->there, (unsigned long long)s->used);
    fclose(out);
}
