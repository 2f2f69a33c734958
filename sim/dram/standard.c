/*
 * Makes a device of a standard's tables: parameters first, then rules, whose
 * cycles are sums of parameters.
 */
#include "sim/dram/standard.h"
#include "sdk/whole/meant.h"
#include "sim/dram/device_build.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct dram_standard *const standards[] = {
    &dram_gddr6, &dram_gddr6_ramulator20, &dram_gddr6x, &dram_ddr4, &dram_ddr5,
    &dram_hbm2,  &dram_hbm2_ramulator20,  &dram_lpddr5,
};

#define DEVICE_NAME(identifier, name) name,
static const char *const names[] = {DRAM_DEVICES(DEVICE_NAME) NULL};

const char *const *dram_device_names(void)
{
    return names;
}

/* ---- cycles written as text ---- */

struct reader {
    const struct dram_standard *standard;
    const struct dram_device *device;
    const char *text, *at;
    struct error *error;
};

static bool unreadable(const struct reader *r, const char *what)
{
    return error_set(r->error, "table of %s: '%.80s': %s at '%.20s'",
                     r->standard->name, r->text, what, r->at);
}

static int64_t cycles_of_ps(const struct reader *r, int64_t ps)
{
    int64_t tck = dram_device_parameter(r->device, "tCK_ps", 1);
    int64_t thousandths = ps * r->standard->round_factor / tck;
    return (thousandths + r->standard->round_add) / 1000;
}

/* 12, 7.5ns */
static bool read_quantity(struct reader *r, int64_t *value)
{
    char *end;
    double number = strtod(r->at, &end);
    r->at = end;
    bool time = !strncmp(r->at, "ns", 2);
    r->at += time ? 2 : 0;
    *value = time ? cycles_of_ps(r, (int64_t)(number * 1000 + 0.5))
                  : (int64_t)number;
    return true;
}

static bool read_parameter(struct reader *r, int64_t *value)
{
    char name[16];
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')
        n++;
    if (!n || n >= sizeof name)
        return unreadable(r, "a name is expected");
    snprintf(name, sizeof name, "%.*s", (int)n, r->at);
    *value = dram_device_parameter(r->device, name, INT64_MIN);
    if (*value == INT64_MIN)
        return unreadable(r, "unknown parameter");
    r->at += n;
    return true;
}

static bool read_sum(struct reader *r, int64_t *value);

static bool read_max(struct reader *r, int64_t *value)
{
    int64_t a, b;
    r->at += strlen("max(");
    if (!read_sum(r, &a) || *r->at++ != ',' || !read_sum(r, &b) ||
        *r->at++ != ')')
        return unreadable(r, "max(a,b) is expected");
    *value = a > b ? a : b;
    return true;
}

static bool read_term(struct reader *r, int64_t *value)
{
    if (!strncmp(r->at, "max(", 4))
        return read_max(r, value);
    return isdigit((unsigned char)*r->at) ? read_quantity(r, value)
                                          : read_parameter(r, value);
}

static bool read_sum(struct reader *r, int64_t *value)
{
    if (!read_term(r, value))
        return false;
    while (*r->at == '+' || *r->at == '-') {
        int64_t sign = *r->at++ == '+' ? 1 : -1, term;
        if (!read_term(r, &term))
            return false;
        *value += sign * term;
    }
    return true;
}

/* ---- parameters ---- */

/* Those that are there already stay as they are. */
static bool read_parameters(struct reader *r, struct dram_device *device,
                            const char *text)
{
    char name[16];
    int64_t value;
    r->text = r->at = text;
    while (*r->at) {
        size_t n = strcspn(r->at, "=");
        if (!r->at[n] || n >= sizeof name)
            return unreadable(r, "name=cycles is expected");
        snprintf(name, sizeof name, "%.*s", (int)n, r->at);
        r->at += n + 1;
        if (!read_sum(r, &value))
            return false;
        if (dram_device_parameter(device, name, INT64_MIN) == INT64_MIN)
            dram_device_set_parameter(device, name, value);
        r->at += strspn(r->at, " ");
    }
    return true;
}

/* ---- rules ---- */

struct commands {
    uint8_t numbers[DRAM_COMMAND_COUNT];
    unsigned count;
};

static bool read_commands(struct reader *r, struct dram_device *device,
                          const char *text, struct commands *list)
{
    char name[8];
    list->count = 0;
    r->text = r->at = text;
    while (*r->at) {
        size_t n = strcspn(r->at, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, r->at);
        int command = dram_command_of(name);
        if (command < 0)
            return unreadable(r, "unknown command");
        dram_device_knows(device, (enum dram_command)command, name);
        list->numbers[list->count++] = (uint8_t)command;
        r->at += n;
        r->at += strspn(r->at, " ");
    }
    return true;
}

static bool add_rules(struct reader *r, struct dram_device *device,
                      const struct dram_rule_row *row)
{
    struct commands preceding, following;
    int64_t cycles;
    if (!read_commands(r, device, row->preceding, &preceding) ||
        !read_commands(r, device, row->following, &following))
        return false;
    r->text = r->at = row->cycles;
    if (!read_sum(r, &cycles))
        return false;
    if (*r->at)
        return unreadable(r, "+ or - is expected");
    struct dram_rule rule = {.level = row->level,
                             .window = row->window,
                             .sibling = row->sibling,
                             .added = row->added,
                             .cycles = (int32_t)cycles};
    for (unsigned i = 0; i < preceding.count; i++)
        for (unsigned j = 0; j < following.count; j++) {
            rule.preceding = preceding.numbers[i];
            rule.following = following.numbers[j];
            dram_device_add_rule(device, rule);
        }
    return true;
}

/* ---- devices ---- */

static void take_organisation(struct dram_device *device,
                              const struct dram_organisation *o)
{
    device->channels = o->channels;
    device->units[DRAM_PSEUDO] = o->pseudo;
    device->units[DRAM_RANK] = o->ranks;
    device->units[DRAM_GROUP] = o->groups;
    device->units[DRAM_BANK] = o->banks;
    device->rows = o->rows;
    device->columns = o->columns;
    device->transaction = o->transaction;
}

static bool fill(struct dram_device *device,
                 const struct dram_standard *standard,
                 const struct dram_grade *grade, struct error *error)
{
    struct reader r = {.standard = standard, .device = device, .error = error};
    snprintf(device->name, sizeof device->name, "%s", grade->name);
    snprintf(device->standard, sizeof device->standard, "%s", standard->name);
    take_organisation(device, grade->organisation);
    device->clock_khz = grade->clock_khz;
    device->refresh_scope = standard->refresh_scope;
    device->dual_bus = standard->dual_bus;
    if (!read_parameters(&r, device, grade->parameters) ||
        !read_parameters(&r, device, standard->parameters))
        return false;
    for (unsigned i = 0; i < standard->rule_count; i++)
        if (!add_rules(&r, device, &standard->rules[i]))
            return false;
    return dram_device_finish(device, error);
}

static const struct dram_grade *find_grade(const char *name,
                                           const struct dram_standard **found)
{
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        for (unsigned j = 0; j < standards[i]->grade_count; j++)
            if (!strcmp(standards[i]->grades[j].name, name)) {
                *found = standards[i];
                return &standards[i]->grades[j];
            }
    return NULL;
}

static bool unknown_device(const char *name, struct error *error)
{
    return error_set(error, "no DRAM device '%.60s'%s", name,
                     meant("", name, names, DRAM_DEVICE_COUNT).text);
}

struct dram_device *dram_device_new(const char *name, struct error *error)
{
    const struct dram_standard *standard;
    const struct dram_grade *grade = find_grade(name, &standard);
    if (!grade) {
        unknown_device(name, error);
        return NULL;
    }
    struct dram_device *device = dram_device_empty();
    if (fill(device, standard, grade, error))
        return device;
    dram_device_free(device);
    return NULL;
}
