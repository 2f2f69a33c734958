/*
 * One table of known configurations: the devices that have a name, and the
 * sets of the reference data, by the names of their folders. A folder of
 * another name that has the device of one of them is taken to be of its kind;
 * words in its name ("norefresh", "rowhit") change that. What is still unknown
 * is what the generation does that the folder is spelt in.
 */
#include "sim/dram/replay/settings.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PARAM_STRUCT struct settings
const struct param settings_table[] = {SETTINGS(PARAM_ROW, TEXT_ROW)};
#undef PARAM_STRUCT
const unsigned settings_count = sizeof settings_table / sizeof *settings_table;

enum { R20 = DRAM_RAMULATOR20, ARCHES = DRAM_ARCHES, R21 = DRAM_RAMULATOR21 };
enum { ALL = DRAM_REFRESH_ALL, OFF = DRAM_REFRESH_OFF };
#define MIXED "RoBaRaCoCh"
#define BLOCKS "RoBgBaRaChCo"

/* device: NULL is that of the same name; otherwise the row is a set of the
 * reference data. cap: 0 is the open row policy, else closed. */
static const struct known {
    const char *name, *device;
    uint8_t rules;
    const char *mapping;
    uint8_t scheduler, cap, refresh;
} known[] = {
    {"gddr6-12000", NULL, R21, MIXED, DRAM_ROW_HIT, 0, ALL},
    {"gddr6-14000", NULL, R21, MIXED, DRAM_ROW_HIT, 0, ALL},
    {"gddr6-14000-8gb", NULL, R21, MIXED, DRAM_ROW_HIT, 0, ALL},
    {"gddr6-16000", NULL, R21, MIXED, DRAM_ROW_HIT, 0, ALL},
    {"gddr6-14000-arches", NULL, ARCHES, BLOCKS, DRAM_FIRST_READY, 0, ALL},
    {"gddr6-16000-arches-pch", NULL, ARCHES, BLOCKS, DRAM_FIRST_READY, 0, ALL},
    {"gddr6-2000-stock", NULL, R20, MIXED, DRAM_FIRST_READY, 0, OFF},
    {"gddr6x-19000", NULL, R21, MIXED, DRAM_ROW_HIT, 0, ALL},
    {"gddr6x-21000", NULL, R21, MIXED, DRAM_ROW_HIT, 0, ALL},
    {"ddr4-2400", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr4-2666", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr4-2933", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr4-3200", "ddr4-3200", R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr4-3200-2rank", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr4-3200-2rank-ramulator20", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr5-3200", "ddr5-3200", R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr5-4000", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr5-4800", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr5-5600", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"ddr5-6400", NULL, R20, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"hbm2-1600", NULL, R21, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"hbm2-2000", NULL, R21, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"hbm2-2400", NULL, R21, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"hbm2-2000-ramulator20", NULL, R20, MIXED, DRAM_FIRST_READY, 0, OFF},
    {"lpddr5-5500", NULL, R21, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"lpddr5-6400", NULL, R21, MIXED, DRAM_FIRST_READY, 0, ALL},

    {"gddr6-arches-14000", "gddr6-14000-arches", ARCHES, BLOCKS,
     DRAM_FIRST_READY, 0, ALL},
    {"gddr6-arches-pch", "gddr6-16000-arches-pch", ARCHES, BLOCKS,
     DRAM_FIRST_READY, 0, ALL},
    {"gddr6-stock", "gddr6-2000-stock", R20, MIXED, DRAM_FIRST_READY, 0, OFF},
    {"ddr4-3200-2rank-mop", "ddr4-3200-2rank-ramulator20", R20, "MOP4CLXOR",
     DRAM_FIRST_READY, 0, ALL},
    {"ddr4-3200-norefresh", "ddr4-3200", R20, "ChRaBaRoCo", DRAM_FIRST_READY, 0,
     OFF},
    {"ddr4-3200-closedrow", "ddr4-3200", R20, MIXED, DRAM_FIRST_READY, 4, ALL},
    {"hbm2", "hbm2-2000-ramulator20", R20, MIXED, DRAM_FIRST_READY, 0, OFF},
    {"v21-ddr4-3200", "ddr4-3200", R21, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"v21-ddr4-3200-closedcap-norefresh", "ddr4-3200", R21, MIXED,
     DRAM_FIRST_READY, 1, OFF},
    {"v21-gddr6-14000-rowhit", "gddr6-14000", R21, MIXED, DRAM_ROW_HIT, 0, ALL},
    {"v21-hbm2", "hbm2-1600", R21, MIXED, DRAM_FIRST_READY, 0, ALL},
    {"v21-lpddr5-6400", "lpddr5-6400", R21, MIXED, DRAM_FIRST_READY, 0, ALL},
};
#define KNOWN_COUNT (sizeof known / sizeof *known)

/* Words in a folder's name, and what they say. */
static const struct {
    const char *word, *setting, *value;
} hints[] = {
    {"norefresh", "refresh", "off"},      {"rowhit", "scheduler", "row_hit"},
    {"closed", "row_policy", "closed"},   {"closedcap", "cap", "1"},
    {"timeout", "row_policy", "timeout"}, {"-mop", "mapping", "MOP4CLXOR"},
};

static const struct known *find_known(const char *name)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (!strcmp(known[i].name, name))
            return &known[i];
    return NULL;
}

static const char *device_of(const struct known *k)
{
    return k->device ? k->device : k->name;
}

/* ---- settings of a configuration ---- */

static void take_policy(struct settings *s, const struct dram_policy *p)
{
    s->rules = p->rules;
    s->cap = p->cap;
    s->timeout = p->timeout;
    s->read_queue = p->read_queue;
    s->write_queue = p->write_queue;
    s->active_queue = p->active_queue;
    s->write_high = p->write_high;
    s->write_low = p->write_low;
}

static void take_known(struct settings *s, const struct known *k)
{
    struct dram_policy policy = dram_policy_of((enum dram_rules)k->rules);
    take_policy(s, &policy);
    s->scheduler = k->scheduler;
    s->refresh = k->refresh;
    s->row_policy = k->cap ? DRAM_CLOSED : DRAM_OPEN;
    if (k->cap)
        s->cap = k->cap;
    snprintf(s->mapping, sizeof s->mapping, "%s", k->mapping);
}

static bool same_rules(const struct dram_device *a, const struct dram_device *b)
{
    unsigned i = dram_device_next_rule(a, 0), k = dram_device_next_rule(b, 0);
    while (i < a->rule_count && k < b->rule_count) {
        if (memcmp(&a->rules[i], &b->rules[k], sizeof *a->rules))
            return false;
        i = dram_device_next_rule(a, i + 1);
        k = dram_device_next_rule(b, k + 1);
    }
    return i == a->rule_count && k == b->rule_count;
}

static bool same_device(const struct dram_device *a,
                        const struct dram_device *b)
{
    return !memcmp(a->units, b->units, sizeof a->units) && a->rows == b->rows &&
           a->columns == b->columns && a->transaction == b->transaction &&
           a->read_latency == b->read_latency && same_rules(a, b);
}

/* The spelling tells the generations apart. */
static bool second_generation(const struct dram_device *device)
{
    return !strcmp(device->command_name[DRAM_PRE], "PREpb");
}

static const struct known *find_same_device(const struct dram_device *device)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        struct error error;
        if ((known[i].rules == R21) != second_generation(device))
            continue;
        struct dram_device *other =
            dram_device_new(device_of(&known[i]), &error);
        bool same = other && same_device(device, other);
        dram_device_free(other);
        if (same)
            return &known[i];
    }
    return NULL;
}

/* Ramulator 2.0 refreshes devices that have a level of ranks only. */
static struct known assume(const struct dram_device *device)
{
    bool second = second_generation(device);
    bool arches = strstr(device->name, "arches");
    bool refreshed = second || device->refresh_scope == DRAM_RANK;
    return (struct known){.rules = second   ? R21
                                   : arches ? ARCHES
                                            : R20,
                          .mapping = arches ? BLOCKS : MIXED,
                          .refresh = refreshed ? ALL : OFF};
}

static void take_hints(struct settings *s, const char *name)
{
    struct error error;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strstr(name, hints[i].word))
            param_set_text(
                param_find(settings_table, settings_count, hints[i].setting), s,
                hints[i].value, &error);
}

static void settings_of_folder(const struct dram_device *device,
                               struct settings *s, char how[128])
{
    const struct known *k = find_known(device->name);
    if (k && k->device) {
        take_known(s, k);
        snprintf(how, 128, "set up as %s of the reference data", k->name);
        return;
    }
    k = find_same_device(device);
    struct known assumed = assume(device);
    take_known(s, k ? k : &assumed);
    s->scheduler = DRAM_FIRST_READY;
    take_hints(s, device->name);
    snprintf(how, 128, "not known by name, set up as %s",
             k                      ? k->name
             : assumed.rules == R21 ? "Ramulator 2.1"
                                    : "Ramulator 2.0");
    if (device->refresh_interval >= 1000000000)
        s->refresh = DRAM_REFRESH_OFF;
}

/* ---- options ---- */

/* Other rules have other queues; what is set by name stays. */
static void take_rules(struct settings *s, const struct settings *wanted)
{
    if (s->rules == wanted->rules)
        return;
    struct dram_policy policy = dram_policy_of((enum dram_rules)wanted->rules);
    int64_t cap = s->cap;
    take_policy(s, &policy);
    s->cap = cap;
}

static bool take_overrides(struct settings *s, const struct override *overrides,
                           unsigned count, struct error *error)
{
    struct settings wanted = *s;
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(overrides[i].param->name, "rules")) {
            if (!param_set_text(overrides[i].param, &wanted, overrides[i].text,
                                error))
                return false;
            take_rules(s, &wanted);
        }
    for (unsigned i = 0; i < count; i++)
        if (!param_set_text(overrides[i].param, s, overrides[i].text, error))
            return false;
    return true;
}

/* ---- choosing ---- */

static bool is_folder(const char *name)
{
    struct stat status;
    return !stat(name, &status) && S_ISDIR(status.st_mode);
}

static struct dram_device *
choose_name(const char *name, struct settings *settings, struct error *error)
{
    const struct known *k = find_known(name);
    struct dram_device *device =
        dram_device_new(k ? device_of(k) : name, error);
    if (device)
        take_known(settings, k);
    return device;
}

static struct dram_device *choose_folder(const char *name,
                                         struct settings *settings,
                                         char how[128], struct error *error)
{
    struct dram_device *device = dram_device_load(name, error);
    if (device)
        settings_of_folder(device, settings, how);
    return device;
}

struct dram_device *settings_choose(const char *name,
                                    const struct override *overrides,
                                    unsigned count, struct settings *settings,
                                    char how[128], struct error *error)
{
    how[0] = 0;
    param_defaults(settings_table, settings_count, settings);
    struct dram_device *device = is_folder(name) || strchr(name, '/')
                                     ? choose_folder(name, settings, how, error)
                                     : choose_name(name, settings, error);
    if (!device)
        return NULL;
    settings->channels = device->channels;
    if (take_overrides(settings, overrides, count, error))
        return device;
    dram_device_free(device);
    return NULL;
}

struct dram_options settings_options(const struct settings *s,
                                     const struct dram_device *device)
{
    return (struct dram_options){
        .device = device,
        .policy = {.rules = (uint8_t)s->rules,
                   .scheduler = (uint8_t)s->scheduler,
                   .row_policy = (uint8_t)s->row_policy,
                   .refresh = (uint8_t)s->refresh,
                   .cap = (uint32_t)s->cap,
                   .timeout = (uint32_t)s->timeout,
                   .read_queue = (uint32_t)s->read_queue,
                   .write_queue = (uint32_t)s->write_queue,
                   .active_queue = (uint32_t)s->active_queue,
                   .write_high = (uint32_t)s->write_high,
                   .write_low = (uint32_t)s->write_low},
        .mapping = s->mapping,
        .channels = (uint32_t)s->channels,
    };
}

/* ---- listing ---- */

static void list_one(const struct known *k, FILE *out)
{
    struct settings s;
    param_defaults(settings_table, settings_count, &s);
    take_known(&s, k);
    fprintf(out, "%-34s", k->name);
    if (k->device && strcmp(k->device, k->name))
        fprintf(out, " device %s,", k->device);
    for (unsigned i = 0; i < settings_count; i++) {
        const struct param *p = &settings_table[i];
        const char *always = " rules scheduler row_policy refresh mapping ";
        char text[PARAM_TEXT_MAX + 1], word[32];
        snprintf(word, sizeof word, " %s ", p->name);
        param_text(p, &s, text, sizeof text);
        if (strstr(always, word))
            fprintf(out, " %s", text);
    }
    if (s.row_policy == DRAM_CLOSED)
        fprintf(out, " cap %d", (int)s.cap);
    fputc('\n', out);
}

void settings_list(FILE *out)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        list_one(&known[i], out);
}
