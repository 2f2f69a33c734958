#include "sim/host/results.h"
#include "runtime/include/corbel/hash.h"
#include "sim/core/unit.h"
#include "sim/host/memory.h"
#include "sim/host/totals.h"
#include <inttypes.h>

static void hash_page(void *context, uint64_t address, const uint8_t *page)
{
    uint64_t *hash = context;
    *hash = corbel_hash(page, PAGE, *hash ^ address);
}

static uint64_t hash_units(const struct chip *chip, uint64_t hash)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct unit *u = chip_unit_at(chip, i);
        for (unsigned v = 0; v < kind_value_count(u->kind); v++) {
            uint64_t value =
                stat_value(unit_stats(u), kind_value_row(u->kind, v));
            hash = corbel_hash(&value, sizeof value, hash);
        }
    }
    return hash;
}

uint64_t results_hash(const struct host *host)
{
    uint64_t head[3] = {host->now, (uint64_t)host->status,
                        results_instructions(host)};
    uint64_t hash = corbel_hash(head, sizeof head, 0);
    if (host->engine)
        hash = hash_units(host->chip, hash);
    memory_pages(&host->machine, hash_page, &hash);
    return hash;
}

uint64_t results_instructions(const struct host *host)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < host->machine.hart_count; i++)
        sum += host->machine.harts[i].isa.instret;
    return sum;
}

void results_summary(const struct host *host, const struct effort *effort)
{
    double rate = effort->cpu > 0 ? (double)host->now / effort->cpu : 0;
    fprintf(stderr, "%s  %u harts, %s\n", host->options->arch,
            host->machine.hart_count,
            host->engine ? "cycle-level" : "functional: no timing");
    if (host->engine)
        fprintf(stderr,
                "cycles        %" PRIu64 " (%.6f ms at %" PRId64 " MHz)\n",
                host->now, (double)host->now / (double)host->clock_mhz / 1000,
                host->clock_mhz);
    fprintf(stderr, "instructions  %" PRIu64 "\n", results_instructions(host));
    fprintf(stderr, "host          %.2f s, %.2f CPU s, %.0f %s per CPU s\n",
            effort->wall, effort->cpu, rate,
            host->engine ? "clk" : "instructions");
}
