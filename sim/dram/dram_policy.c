#include "sim/dram/dram_policy.h"

#define MOST_ENTRIES 16384 /* requests have 16-bit numbers */

struct dram_policy dram_policy_of(enum dram_rules rules)
{
    struct dram_policy p = {.rules = (uint8_t)rules,
                            .cap = 4,
                            .timeout = 500,
                            .read_queue = 33,
                            .write_queue = 33,
                            .active_queue = 33,
                            .write_high = 800,
                            .write_low = 200};
    if (rules == DRAM_ARCHES) {
        p.read_queue = p.write_queue = p.active_queue = 65;
        p.write_high = 700;
        p.write_low = 300;
    } else if (rules == DRAM_RAMULATOR21) {
        p.read_queue = p.write_queue = 32;
        p.active_queue = 256; /* every bank */
    }
    return p;
}

static bool entries_fit(const char *name, uint32_t value, struct error *error)
{
    if (value >= 1 && value <= MOST_ENTRIES)
        return true;
    return error_set(error, "%s is %u, must be 1..%u", name, value,
                     MOST_ENTRIES);
}

static bool choices_known(const struct dram_policy *p, struct error *error)
{
    if (p->rules > DRAM_RAMULATOR21)
        return error_set(error, "rules %u unknown", p->rules);
    if (p->scheduler > DRAM_ROW_HIT)
        return error_set(error, "scheduler %u unknown", p->scheduler);
    if (p->row_policy > DRAM_TIMEOUT)
        return error_set(error, "row_policy %u unknown", p->row_policy);
    if (p->refresh > DRAM_REFRESH_OFF)
        return error_set(error, "refresh %u unknown", p->refresh);
    return true;
}

static bool rows_ok(const struct dram_policy *p, struct error *error)
{
    if (p->row_policy == DRAM_CLOSED && !p->cap)
        return error_set(error, "cap is 0, must be at least 1");
    if (p->row_policy == DRAM_TIMEOUT && !p->timeout)
        return error_set(error, "timeout is 0, must be at least 1 clock");
    return true;
}

static bool watermarks_ok(const struct dram_policy *p, struct error *error)
{
    if (p->write_high > 1000)
        return error_set(error, "write_high is %u per mille, must be <= 1000",
                         p->write_high);
    if (p->write_low > p->write_high)
        return error_set(error,
                         "write_low is %u, must not be above write_high %u",
                         p->write_low, p->write_high);
    return true;
}

static bool refresh_ok(const struct dram_policy *p,
                       const struct dram_device *device, struct error *error)
{
    if (p->refresh == DRAM_REFRESH_OFF)
        return true;
    if (p->refresh == DRAM_REFRESH_ALL && !device->has[DRAM_REFAB])
        return error_set(error, "refresh of all banks: %s has no REFab",
                         device->name);
    if (p->refresh == DRAM_REFRESH_BANK && !device->has[DRAM_REFPB] &&
        !device->has[DRAM_REFSB])
        return error_set(error,
                         "refresh by bank: %s has neither REFpb nor "
                         "REFsb",
                         device->name);
    if (device->refresh_interval <= device->refresh_cycles)
        return error_set(error,
                         "refresh_interval of %s is %u, must be above its "
                         "refresh_cycles %u",
                         device->name, device->refresh_interval,
                         device->refresh_cycles);
    return true;
}

bool dram_policy_check(const struct dram_policy *p,
                       const struct dram_device *device, struct error *error)
{
    return choices_known(p, error) &&
           entries_fit("read_queue", p->read_queue, error) &&
           entries_fit("write_queue", p->write_queue, error) &&
           entries_fit("active_queue", p->active_queue, error) &&
           watermarks_ok(p, error) && rows_ok(p, error) &&
           refresh_ok(p, device, error);
}
