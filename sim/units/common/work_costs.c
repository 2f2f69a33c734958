/* Costs by index: most tiles have to do with few of the indices. */
#include "sim/units/common/work_costs.h"
#include "sim/core/heap.h"
#include <stdlib.h>

static const char what[] = "the costs of work";

static uint32_t part_count(const struct work_log *log)
{
    return (log->count + WORK_PART - 1) / WORK_PART;
}

void work_log_begin(struct work_log *log, uint32_t count)
{
    *log = (struct work_log){.count = count};
    for (unsigned c = 0; c < WORK_COST_COUNT; c++)
        log->parts[c] = heap_new(part_count(log), sizeof *log->parts[c], what);
}

void work_log_end(struct work_log *log)
{
    for (unsigned c = 0; c < WORK_COST_COUNT; c++) {
        for (uint32_t i = 0; i < part_count(log); i++)
            free(log->parts[c][i]);
        free(log->parts[c]);
    }
}

void work_log_add(struct work_log *log, enum work_cost cost, uint32_t work,
                  uint64_t amount)
{
    uint32_t index = work - 1;
    if (index >= log->count) {
        log->rest[cost] += amount;
        return;
    }
    uint64_t **part = &log->parts[cost][index / WORK_PART];
    if (!*part)
        *part = heap_new(WORK_PART, sizeof **part, what);
    (*part)[index % WORK_PART] += amount;
}

uint64_t work_log_cost(const struct work_log *log, enum work_cost cost,
                       uint32_t index)
{
    const uint64_t *part =
        index < log->count ? log->parts[cost][index / WORK_PART] : NULL;
    return part ? part[index % WORK_PART] : 0;
}
