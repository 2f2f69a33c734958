/*
 * What devices have in common, wherever they come from: names of levels and
 * commands, rules in their normal form, the cycles that a controller asks for.
 */
#include "sim/core/heap.h"
#include "sim/dram/device_build.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const field_names[DRAM_FIELDS] = {
    [DRAM_CHANNEL] = "channel", [DRAM_PSEUDO] = "pseudochannel",
    [DRAM_RANK] = "rank",       [DRAM_GROUP] = "bankgroup",
    [DRAM_BANK] = "bank",       [DRAM_ROW] = "row",
    [DRAM_COLUMN] = "column",
};

#define COMMAND_NAME(command, name, meaning) name,
static const char *const command_names[] = {DRAM_COMMANDS(COMMAND_NAME)};

/* Ramulator 2.1 and LPDDR5 call some commands otherwise. */
static const struct {
    const char *name;
    enum dram_command command;
} other_names[] = {
    {"ACT1", DRAM_ACT},
    {"PREpb", DRAM_PRE},
    {"PREab", DRAM_PREA},
};

static const char *const ignored_names[] = {
    "REFp2b", "RFMab", "RFMsb", "RFMpb", "DRFMab", "DRFMsb", "DRFMpb", "PREsb",
};

const char *dram_level_name(enum dram_level level)
{
    return field_names[level];
}

int dram_field_of(const char *name)
{
    for (int i = 0; i < DRAM_FIELDS; i++)
        if (!strcasecmp(field_names[i], name))
            return i;
    return -1;
}

int dram_command_of(const char *name)
{
    for (int i = 0; i < DRAM_COMMAND_COUNT; i++)
        if (!strcmp(command_names[i], name))
            return i;
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (!strcmp(other_names[i].name, name))
            return other_names[i].command;
    return -1;
}

/* NAME_end is when a command of long duration is over. */
bool dram_command_ignored(const char *name)
{
    size_t length = strlen(name);
    if (length > 4 && !strcmp(name + length - 4, "_end"))
        return true;
    for (size_t i = 0; i < sizeof ignored_names / sizeof *ignored_names; i++)
        if (!strcmp(ignored_names[i], name))
            return true;
    return false;
}

struct dram_device *dram_device_empty(void)
{
    struct dram_device *device = heap_new(1, sizeof *device, "a DRAM device");
    for (int i = 0; i < DRAM_LEVELS; i++)
        device->units[i] = 1;
    device->channels = 1;
    for (int i = 0; i < DRAM_COMMAND_COUNT; i++)
        snprintf(device->command_name[i], sizeof *device->command_name, "%s",
                 command_names[i]);
    return device;
}

void dram_device_knows(struct dram_device *device, enum dram_command command,
                       const char *spelling)
{
    if (device->has[command])
        return;
    device->has[command] = true;
    snprintf(device->command_name[command], sizeof *device->command_name, "%s",
             spelling);
}

/* Grows by doubling: the capacity is the next power of two. */
void dram_device_add_rule(struct dram_device *device, struct dram_rule rule)
{
    unsigned n = device->rule_count++;
    if (!(n & (n - 1)))
        device->rules = heap_resize(device->rules, n ? 2 * (size_t)n : 1,
                                    sizeof *device->rules, "a DRAM device");
    device->rules[n] = rule;
}

void dram_device_set_parameter(struct dram_device *device, const char *name,
                               int64_t value)
{
    unsigned n = device->parameter_count++;
    if (!(n & (n - 1)))
        device->parameters =
            heap_resize(device->parameters, n ? 2 * (size_t)n : 1,
                        sizeof *device->parameters, "a DRAM device");
    struct dram_parameter *p = &device->parameters[n];
    snprintf(p->name, sizeof p->name, "%s", name);
    p->value = value;
}

int64_t dram_device_parameter(const struct dram_device *device,
                              const char *name, int64_t otherwise)
{
    for (unsigned i = 0; i < device->parameter_count; i++)
        if (!strcmp(device->parameters[i].name, name))
            return device->parameters[i].value;
    return otherwise;
}

/* Everything but the cycles, as a number to sort by. */
static uint64_t key(const struct dram_rule *r)
{
    return (uint64_t)r->level << 32 | (uint64_t)r->preceding << 24 |
           (uint64_t)r->following << 16 | (uint64_t)r->window << 8 | r->sibling;
}

/* Longest first among rules that differ in nothing else. */
static int compare_rules(const void *left, const void *right)
{
    const struct dram_rule *a = left, *b = right;
    if (key(a) != key(b))
        return key(a) < key(b) ? -1 : 1;
    return (b->cycles > a->cycles) - (b->cycles < a->cycles);
}

static bool without_effect(const struct dram_device *device,
                           const struct dram_rule *r)
{
    return r->cycles <= 0 || (r->sibling && device->units[r->level] == 1);
}

static void normalise_rules(struct dram_device *device)
{
    struct dram_rule *rules = device->rules;
    unsigned kept = 0;
    if (device->rule_count)
        qsort(rules, device->rule_count, sizeof *rules, compare_rules);
    for (unsigned i = 0; i < device->rule_count; i++) {
        bool repeated = kept && key(&rules[kept - 1]) == key(&rules[i]);
        if (!repeated && !without_effect(device, &rules[i]))
            rules[kept++] = rules[i];
    }
    device->rule_count = kept;
}

static bool power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

static bool check_organisation(const struct dram_device *d, struct error *error)
{
    for (int i = 0; i < DRAM_LEVELS; i++)
        if (!power_of_two(d->units[i]))
            return error_set(error, "%s: %u is not a power of two",
                             field_names[i], d->units[i]);
    if (!power_of_two(d->rows))
        return error_set(error, "row: %u is not a power of two", d->rows);
    if (!power_of_two(d->columns))
        return error_set(error,
                         "column: %u transactions of a row are not a power of "
                         "two",
                         d->columns);
    if (!power_of_two(d->transaction))
        return error_set(error, "transaction of %u bytes: not a power of two",
                         d->transaction);
    if (!power_of_two(d->channels))
        return error_set(error, "channel: %u is not a power of two",
                         d->channels);
    return true;
}

/* The first of some names that the device has as a parameter. */
static int64_t one_of(const struct dram_device *device,
                      const char *const names[])
{
    for (; *names; names++) {
        int64_t value = dram_device_parameter(device, *names, -1);
        if (value >= 0)
            return value;
    }
    return 0;
}
#define ONE_OF(...) one_of(device, (const char *const[]){__VA_ARGS__, NULL})

static bool take_cycles(struct dram_device *device, struct error *error)
{
    device->burst = (uint32_t)ONE_OF("nBL", "nBL_min");
    int64_t read = ONE_OF("nCL"), write = ONE_OF("nCWL");
    if (!device->burst)
        return error_set(error, "no parameter nBL, the cycles of a burst");
    if (!read || !write)
        return error_set(error, "no parameter %s", read ? "nCWL" : "nCL");
    device->read_latency = (uint32_t)read + device->burst;
    device->write_latency = (uint32_t)write + device->burst;
    device->tck_ps = (uint32_t)ONE_OF("tCK_ps");
    if (!device->tck_ps)
        return error_set(error, "no parameter tCK_ps, the period in ps");
    device->refresh_interval = (uint32_t)ONE_OF("nREFI");
    device->refresh_cycles = (uint32_t)ONE_OF("nRFC", "nRFC1", "nRFCab");
    device->act2_within = (uint32_t)ONE_OF("nAAD");
    device->clock_sync_burst = (uint32_t)ONE_OF("nWCKPST");
    return true;
}

static bool check_commands(const struct dram_device *device,
                           struct error *error)
{
    static const uint8_t needed[] = {DRAM_ACT, DRAM_PRE, DRAM_RD, DRAM_WR};
    for (size_t i = 0; i < sizeof needed; i++)
        if (!device->has[needed[i]])
            return error_set(error, "no rule about the command %s",
                             command_names[needed[i]]);
    return true;
}

bool dram_device_finish(struct dram_device *device, struct error *error)
{
    normalise_rules(device);
    return check_organisation(device, error) && check_commands(device, error) &&
           take_cycles(device, error);
}

unsigned dram_device_next_rule(const struct dram_device *device, unsigned n)
{
    while (n < device->rule_count && device->rules[n].added)
        n++;
    return n;
}

uint64_t dram_device_bytes(const struct dram_device *device)
{
    uint64_t bytes = (uint64_t)device->rows * device->columns;
    for (int i = 0; i < DRAM_LEVELS; i++)
        bytes *= device->units[i];
    return bytes * device->transaction;
}

void dram_device_free(struct dram_device *device)
{
    if (!device)
        return;
    free(device->rules);
    free(device->parameters);
    free(device);
}
