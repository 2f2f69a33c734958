/*
 * Computes the results hash, in which everything that the model has determined
 * takes part and nothing that the host has, and prints the summary of a run.
 */
#include "sim/host/results/results.h"
#include "runtime/include/corbel/hash.h"
#include "sim/core/unit.h"
#include "sim/host/results/derived.h"
#include "sim/host/results/group_totals.h"
#include "sim/host/results/stall_stacks.h"
#include "sim/host/run/cores.h"
#include "sim/host/run/program_memory.h"
#include "sim/verdict/verdict_gather.h"
#include "sim/verdict/verdict_tell.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct memory_hash {
    const struct range *name; /* of the program: no matter how it was typed */
    uint64_t hash;
};

static void hash_page(void *context, uint64_t address, const uint8_t *page)
{
    struct memory_hash *h = context;
    uint8_t other[PAGE];
    uint64_t from = h->name->start > address ? h->name->start : address;
    uint64_t end =
        h->name->end < address + PAGE ? h->name->end : address + PAGE;
    if (from < end) {
        memcpy(other, page, PAGE);
        memset(other + (from - address), 0, end - from);
        page = other;
    }
    h->hash = corbel_hash(page, PAGE, h->hash ^ address);
}

/* A statistic that is 0 takes no part: a kind of unit that learns to count
 * something more leaves the hash of runs in which it does not happen. */
static uint64_t hash_unit(const struct unit *u, uint64_t hash)
{
    struct kind_values v = KIND_VALUES(u->kind);
    while (kind_values_next(&v)) {
        uint64_t value = stat_value_at(unit_stats(u), v.row, v.range);
        if (value && !v.row->observed) {
            char text[RANGE_NAME];
            const char *name = stat_name(v.row, v.range, text);
            hash = corbel_hash(name, strlen(name), hash);
            hash = corbel_hash(&value, sizeof value, hash);
        }
    }
    return hash;
}

static uint64_t hash_units(const struct chip *chip, uint64_t hash)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++)
        hash = hash_unit(chip_unit_at(chip, i), hash ^ i);
    return hash;
}

/* Memories that are not the machine's. */
static uint64_t hash_programs(const struct host *host, uint64_t hash)
{
    for (unsigned i = 0; i < host->programs.count; i++) {
        const struct core_kind *core = host->programs.all[i].core;
        if (core->hash)
            hash = core->hash(host->chip, hash);
    }
    return hash;
}

uint64_t results_hash(const struct host *host)
{
    uint64_t head[3] = {host->now, (uint64_t)host->ended.status,
                        results_instructions(host)};
    uint64_t hash = corbel_hash(head, sizeof head, 0);
    if (host->engine)
        hash = hash_units(host->chip, hash);
    struct memory_hash memory = {&host->programs.name, hash};
    memory_pages(&host->machine, hash_page, &memory);
    return hash_programs(host, memory.hash);
}

static void count_page(void *context, uint64_t address, const uint8_t *page)
{
    (void)address;
    (void)page;
    *(uint64_t *)context += PAGE;
}

uint64_t results_memory(const struct host *host)
{
    uint64_t bytes = 0;
    memory_pages(&host->machine, count_page, &bytes);
    return bytes;
}

uint64_t results_instructions(const struct host *host)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < host->machine.hart_count; i++) {
        const struct hart *h = &host->machine.harts[i];
        sum += core_of(h)->instructions(h->core, h->slot);
    }
    return sum;
}

double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

uint64_t results_region(const struct host *host)
{
    uint64_t cycles = 0;
    for (unsigned i = 0; i < host->regions.count; i++)
        cycles += host->regions.ranges[i].end - host->regions.ranges[i].start;
    return cycles;
}

double results_seconds(const struct host *host, uint64_t cycles)
{
    return (double)cycles / ((double)host->clock_mhz * 1e6);
}

/* The kernels that the program marked: what a frame is compared by. */
static void summarize_region(const struct host *host)
{
    uint64_t cycles = results_region(host);
    if (!cycles)
        return;
    double us = (double)cycles / (double)host->clock_mhz;
    fprintf(stderr,
            "region        %" PRIu64 " cycles (%.6f ms, %.1f %% of the run), "
            "%.0f clk per CPU s\n",
            cycles, us / 1000, 100 * (double)cycles / (double)host->now,
            host->regions.cpu > 0 ? (double)cycles / host->regions.cpu : 0);
    uint64_t rays = totals_in_region(host, TOLD_RAYS);
    if (rays)
        fprintf(stderr, "region rays   %" PRIu64 ", %.1f MRays/s\n", rays,
                (double)rays / us);
}

/* Caches and DRAM: of the regions of interest if there are any, and then
 * marked as such. */
static void summarize_memory(const struct host *host)
{
    struct totals *t = host->tables.totals;
    uint64_t region = results_region(host);
    double seconds = results_seconds(host, region ? region : host->now);
    totals_take(t, host->chip, host->now);
    const char *of = region ? "region " : "";
    for (unsigned i = 0; i < t->group_count; i++) {
        const struct group *g = &t->groups[i];
        const uint64_t *values = (region ? t->region : t->now) + g->first;
        derived_print(stderr, of, g, values, seconds);
        stacks_print(stderr, of, t->measured, i, values);
    }
}

/* Prints the verdict, of the regions of interest if there are any. */
static void summarize_verdict(const struct host *host)
{
    const struct totals *t = host->tables.totals;
    uint64_t region = results_region(host);
    struct verdict *verdict = verdict_gather(
        t->measured, region ? t->region : t->now, region ? region : host->now);
    if (verdict) {
        verdict->whole = !region;
        verdict_print(stderr, verdict);
    }
    free(verdict);
}

/* Did the run end as it should not? What it has counted then answers nothing,
 * and would hide the line that says why. */
static bool is_broken(const struct host *host)
{
    return host->ended.how != ENDING_EXIT && host->ended.how != ENDING_SAVED &&
           host->ended.how != ENDING_LIMIT;
}

static void summarize_broken(const struct host *host)
{
    if (host->engine)
        fprintf(stderr, "cycles        %" PRIu64 "\n", host->now);
    fprintf(stderr, "instructions  %" PRIu64 "\n", results_instructions(host));
    observers_summary(host);
}

void results_summary(const struct host *host, const struct effort *effort)
{
    if (is_broken(host)) {
        summarize_broken(host);
        return;
    }
    double rate = effort->cpu > 0 ? (double)host->now / effort->cpu : 0;
    char arch[CORBEL_LINE_SIZE];
    corbel_line(arch, sizeof arch, host->arch.name);
    fprintf(stderr, "%s  %u%s harts, %s\n", arch, host->harts,
            host->harts < host->machine.hart_count ? " of the chip's" : "",
            host->engine ? "cycle-level" : "functional: no timing");
    if (host->engine && results_region(host))
        fprintf(stderr,
                "figures       lines with region: within %u region%s of "
                "interest; others: of the whole run\n",
                host->regions.count, host->regions.count > 1 ? "s" : "");
    if (host->engine)
        fprintf(stderr,
                "cycles        %" PRIu64 " (%.6f ms at %" PRId64 " MHz)\n",
                host->now, (double)host->now / (double)host->clock_mhz / 1000,
                host->clock_mhz);
    if (roi_tells(host))
        fprintf(stderr,
                "timing        roi: %" PRIu64 " of %" PRIu64
                " instructions were executed without it\n",
                host->roi.instructions, results_instructions(host));
    if (host->engine)
        summarize_region(host);
    if (host->engine)
        summarize_memory(host);
    fprintf(stderr, "instructions  %" PRIu64 "\n", results_instructions(host));
    observers_summary(host);
    if (host->engine)
        summarize_verdict(host);
    fprintf(stderr, "host          %.2f s, %.2f CPU s, %.0f %s per CPU s\n",
            effort->wall, effort->cpu, rate,
            host->engine ? "clk" : "instructions");
}
