/*
 * Devices: each name makes one that is sound; the reference's folders and our
 * tables give the same; folders that are damaged are refused.
 */
#include "sim/dram/device_build.h"
#include "sim/dram/golden.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the above. */
#include <cmocka.h>

static struct dram_device *make(const char *name)
{
    struct error error;
    struct dram_device *device = dram_device_new(name, &error);
    if (!device)
        fail_msg("%s: %s", name, error.text);
    return device;
}

#define P(name) dram_device_parameter(device, name, -1)

/* ---- each grade ---- */

static bool of_reference(const char *name)
{
    return strstr(name, "arches") || strstr(name, "stock") ||
           strstr(name, "ramulator20");
}

static void check_name(const struct dram_device *device, const char *name)
{
    static const char *const standards[] = {"gddr6x", "gddr6", "ddr4",
                                            "ddr5",   "hbm2",  "lpddr5"};
    assert_string_equal(device->name, name);
    const char *dash = strchr(name, '-');
    assert_int_equal(strtol(dash + 1, NULL, 10), P("rate"));
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        if (!strncmp(standards[i], name, (size_t)(dash - name)) &&
            !strncasecmp(device->standard, name, (size_t)(dash - name)))
            return;
    fail_msg("%s is of the standard %s", name, device->standard);
}

/* tCK_ps is the period within a picosecond or two, but where Arches clocks the
 * device otherwise. */
static void check_clock(const struct dram_device *device)
{
    double period = 1e9 / device->clock_khz;
    if (strstr(device->name, "arches"))
        period *= 2;
    if (strstr(device->name, "arches-pch"))
        assert_int_equal(device->tck_ps, 500);
    assert_true(device->tck_ps > period - 2 && device->tck_ps < period + 1);
}

static void check_times(const struct dram_device *device)
{
    int64_t rc = P("nRAS") + P("nRP");
    if (!of_reference(device->name) && strcmp(device->name, "ddr5-3200"))
        assert_int_equal(P("nRC"), rc);
    assert_true(device->refresh_interval > device->refresh_cycles);
    assert_true(device->read_latency > device->burst);
    assert_true(device->write_latency > device->burst);
    assert_true(P("nFAW") >= 4 || P("nFAW") < 0);
    assert_true(P("nCCDL") >= P("nCCDS"));
    if (!of_reference(device->name))
        assert_true(P("nCCDS") >= (int64_t)device->burst);
}

/* Bits of a burst of all pins are a transaction: rate, clock, burst and width
 * fit together. */
static void check_bandwidth(const struct dram_device *device)
{
    static const struct {
        const char *start;
        unsigned pins;
    } widths[] = {{"gddr6-16000-arches-pch", 32},
                  {"gddr6", 16},
                  {"ddr4", 64},
                  {"ddr5", 32},
                  {"hbm2", 64},
                  {"lpddr5", 16}};
    size_t i = 0;
    while (strncmp(widths[i].start, device->name, strlen(widths[i].start)))
        i++;
    double bits_a_clock = P("rate") * 1000.0 / device->clock_khz;
    double bytes = bits_a_clock * device->burst * widths[i].pins / 8;
    if (!strcmp(device->name, "hbm2-2000-ramulator20"))
        bytes /= 4; /* its nBL is known to be wrong, its prefetch also */
    assert_true(bytes > 0.999 * device->transaction &&
                bytes < 1.001 * device->transaction);
}

static void check_size(const struct dram_device *device)
{
    static const struct {
        const char *start;
        unsigned mib;
    } sizes[] = {{"gddr6-16000-arches-pch", 4096},
                 {"gddr6-14000-8gb", 512},
                 {"gddr6", 1024},
                 {"ddr4-3200-2rank", 16384},
                 {"ddr4", 8192},
                 {"ddr5", 8192},
                 {"hbm2-2000-ramulator20", 512},
                 {"hbm2", 2048},
                 {"lpddr5", 1024}};
    size_t i = 0;
    while (strncmp(sizes[i].start, device->name, strlen(sizes[i].start)))
        i++;
    assert_int_equal(dram_device_bytes(device), (uint64_t)sizes[i].mib << 20);
}

/* What no device can be without, at whatever level. Rules around PREA and REFab
 * that some tables of the reference lack are not among them. */
static void check_rules(const struct dram_device *device)
{
    static const uint8_t pairs[][2] = {
        {DRAM_ACT, DRAM_ACT},   {DRAM_ACT, DRAM_RD},   {DRAM_ACT, DRAM_WR},
        {DRAM_ACT, DRAM_RDA},   {DRAM_ACT, DRAM_WRA},  {DRAM_ACT, DRAM_PRE},
        {DRAM_ACT, DRAM_REFAB}, {DRAM_PRE, DRAM_ACT},  {DRAM_RD, DRAM_RD},
        {DRAM_RD, DRAM_WR},     {DRAM_RD, DRAM_PRE},   {DRAM_WR, DRAM_WR},
        {DRAM_WR, DRAM_RD},     {DRAM_WR, DRAM_PRE},   {DRAM_RDA, DRAM_ACT},
        {DRAM_WRA, DRAM_ACT},   {DRAM_RDA, DRAM_WR},   {DRAM_WRA, DRAM_RD},
        {DRAM_RD, DRAM_PREA},   {DRAM_WR, DRAM_PREA},  {DRAM_REFAB, DRAM_ACT},
        {DRAM_RDA, DRAM_REFAB}, {DRAM_WRA, DRAM_REFAB}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        bool found = false;
        for (unsigned j = 0; j < device->rule_count; j++)
            found |= device->rules[j].preceding == pairs[i][0] &&
                     device->rules[j].following == pairs[i][1];
        if (!found)
            fail_msg("%s: no rule from %s to %s", device->name,
                     device->command_name[pairs[i][0]],
                     device->command_name[pairs[i][1]]);
    }
}

static void each_name_makes_a_sound_device(void **state)
{
    unsigned count = 0;
    for (const char *const *name = dram_device_names(); *name; name++) {
        struct dram_device *device = make(*name);
        check_name(device, *name);
        check_clock(device);
        check_times(device);
        check_bandwidth(device);
        check_size(device);
        check_rules(device);
        dram_device_free(device);
        count++;
    }
    assert_int_equal(count, DRAM_DEVICE_COUNT);
}

static void names_and_choices_are_one_list(void **state)
{
    char list[2048] = "";
    for (const char *const *name = dram_device_names(); *name; name++) {
        strcat(list, *list ? "|" : "");
        strcat(list, *name);
    }
    assert_string_equal(list, DRAM_DEVICE_CHOICES);
    assert_string_equal(dram_device_names()[DRAM_DEVICE_ddr5_3200],
                        "ddr5-3200");
}

static void an_unknown_name_gets_the_nearest(void **state)
{
    struct error error;
    assert_null(dram_device_new("ddr4-320", &error));
    assert_string_equal(error.text,
                        "no DRAM device 'ddr4-320', did you mean 'ddr4-3200'?");
    assert_null(dram_device_new("core memory", &error));
    assert_string_equal(error.text, "no DRAM device 'core memory'");
}

static const struct dram_rule *find_rule(const struct dram_device *device,
                                         enum dram_level level,
                                         enum dram_command preceding,
                                         enum dram_command following)
{
    for (unsigned i = 0; i < device->rule_count; i++) {
        const struct dram_rule *r = &device->rules[i];
        if (r->level == level && r->preceding == preceding &&
            r->following == following && !r->sibling)
            return r;
    }
    return NULL;
}

/* Values of JESD79-4 for 8 Gb x8 that are easily looked up. */
static void ddr4_grades_are_as_in_the_standard(void **state)
{
    static const struct {
        const char *name;
        int64_t ras, rrdl, faw, wtrl, wr, ccdl;
    } rows[] = {{"ddr4-2400", 39, 6, 26, 9, 18, 6},
                {"ddr4-2666", 43, 7, 28, 10, 20, 7},
                {"ddr4-2933", 47, 8, 31, 11, 22, 8},
                {"ddr4-3200", 52, 8, 34, 12, 24, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dram_device *device = make(rows[i].name);
        assert_int_equal(P("nRAS"), rows[i].ras);
        assert_int_equal(P("nRRDL"), rows[i].rrdl);
        assert_int_equal(P("nFAW"), rows[i].faw);
        assert_int_equal(P("nWTRL"), rows[i].wtrl);
        assert_int_equal(P("nWR"), rows[i].wr);
        assert_int_equal(P("nCCDL"), rows[i].ccdl);
        dram_device_free(device);
    }
}

static void rows_of_gddr6_banks_are_independent_but_at_arches(void **state)
{
    struct dram_device *device = make("gddr6-14000");
    assert_null(find_rule(device, DRAM_CHANNEL, DRAM_ACT, DRAM_PRE));
    assert_int_equal(find_rule(device, DRAM_BANK, DRAM_ACT, DRAM_PRE)->cycles,
                     60);
    dram_device_free(device);
    device = make("gddr6-14000-arches");
    assert_int_equal(
        find_rule(device, DRAM_CHANNEL, DRAM_ACT, DRAM_PRE)->cycles, 57);
    dram_device_free(device);
}

/* ---- the reference's folders ---- */

static const struct {
    const char *folder, *device;
} pairs[] = {
    {"gddr6-arches-14000", "gddr6-14000-arches"},
    {"gddr6-arches-pch", "gddr6-16000-arches-pch"},
    {"gddr6-stock", "gddr6-2000-stock"},
    {"ddr4-3200", "ddr4-3200"},
    {"ddr4-3200-2rank-mop", "ddr4-3200-2rank-ramulator20"},
    {"ddr4-3200-norefresh", "ddr4-3200"},
    {"ddr4-3200-closedrow", "ddr4-3200"},
    {"ddr5-3200", "ddr5-3200"},
    {"hbm2", "hbm2-2000-ramulator20"},
    {"v21-ddr4-3200", "ddr4-3200"},
    {"v21-ddr4-3200-closedcap-norefresh", "ddr4-3200"},
    {"v21-gddr6-14000-rowhit", "gddr6-14000"},
    {"v21-hbm2", "hbm2-1600"},
    {"v21-lpddr5-6400", "lpddr5-6400"},
};

static void compare_rules(const struct dram_device *ours,
                          const struct dram_device *folder)
{
    unsigned i = dram_device_next_rule(ours, 0), k = 0;
    while (i < ours->rule_count && k < folder->rule_count) {
        const struct dram_rule *a = &ours->rules[i], *b = &folder->rules[k];
        if (memcmp(a, b, sizeof *a))
            fail_msg("%s: rule %u is level %u, %s > %s %d, window %u, sibling "
                     "%d; in the folder level %u, %s > %s %d, window %u, "
                     "sibling %d",
                     ours->name, i, a->level, ours->command_name[a->preceding],
                     ours->command_name[a->following], a->cycles, a->window,
                     a->sibling, b->level, ours->command_name[b->preceding],
                     ours->command_name[b->following], b->cycles, b->window,
                     b->sibling);
        i = dram_device_next_rule(ours, i + 1);
        k++;
    }
    assert_int_equal(i, ours->rule_count);
    assert_int_equal(k, folder->rule_count);
}

/* Of DDR5 for commands that are never issued, and one in another unit. */
static bool not_modelled(const char *name)
{
    return strstr(name, "RFM") || !strcmp(name, "nREFSBRD") ||
           !strcmp(name, "read_latency");
}

static void compare_parameters(const struct dram_device *ours,
                               const struct dram_device *folder)
{
    for (unsigned i = 0; i < folder->parameter_count; i++) {
        const struct dram_parameter *p = &folder->parameters[i];
        int64_t value = dram_device_parameter(ours, p->name, INT64_MIN);
        bool off = !strcmp(p->name, "nREFI") && p->value == 1000000000;
        if (value != p->value && !off && !not_modelled(p->name))
            fail_msg("%s: %s is %" PRId64 ", in the folder %" PRId64,
                     ours->name, p->name, value, p->value);
    }
}

static void compare_rest(const struct dram_device *ours,
                         const struct dram_device *folder)
{
    assert_memory_equal(ours->units, folder->units, sizeof ours->units);
    assert_memory_equal(ours->has, folder->has, sizeof ours->has);
    assert_int_equal(ours->channels, folder->channels);
    assert_int_equal(ours->rows, folder->rows);
    assert_int_equal(ours->columns, folder->columns);
    assert_int_equal(ours->transaction, folder->transaction);
    assert_int_equal(ours->tck_ps, folder->tck_ps);
    assert_int_equal(ours->burst, folder->burst);
    assert_int_equal(ours->read_latency,
                     dram_device_parameter(folder, "read_latency", 0));
    assert_int_equal(ours->read_latency, folder->read_latency);
    assert_int_equal(ours->write_latency, folder->write_latency);
    assert_int_equal(ours->refresh_cycles, folder->refresh_cycles);
    assert_int_equal(ours->act2_within, folder->act2_within);
    assert_int_equal(ours->clock_sync_burst, folder->clock_sync_burst);
    assert_int_equal(ours->dual_bus, folder->dual_bus);
}

static void our_tables_equal_the_folders(void **state)
{
    if (!*golden_path("", ""))
        skip();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct error error;
        struct dram_device *folder =
            dram_device_load(golden_path(pairs[i].folder, ""), &error);
        if (!folder)
            fail_msg("%s", error.text);
        assert_string_equal(folder->name, pairs[i].folder);
        struct dram_device *ours = make(pairs[i].device);
        compare_parameters(ours, folder);
        compare_rules(ours, folder);
        compare_rest(ours, folder);
        dram_device_free(ours);
        dram_device_free(folder);
    }
}

/* ---- damaged folders ---- */

#define HEAD "level,preceding,following,cycles,window,sibling\n"

struct files {
    const char *organisation, *timing, *constraints;
};

static const struct files good = {
    "item,value\nprefetch,8\nchannel_width_bits,64\nchannel,1\nrank,1\n"
    "bankgroup,4\nbank,4\nrow,1024\ncolumn,1024\n",
    "parameter,value\ntCK_ps,625\nnBL,4\nnCL,22\nnCWL,16\nnREFI,9999\nnRFC,5\n",
    HEAD "Bank,ACT,RD,22,1,0\nBank,ACT,WR,22,1,0\nBank,PREpb,ACT,22,1,0\n"
         "Channel,RD,DRFMab_end,3,1,0\nchannel,RD,RD,4,1,0\n",
};

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    if (!text)
        return;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Loads a folder with these files, which is gone afterwards. */
static struct dram_device *load(struct files files, struct error *error)
{
    char folder[] = "/tmp/dram-device-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_file(folder, "organisation.csv", files.organisation);
    write_file(folder, "timing.csv", files.timing);
    write_file(folder, "constraints.csv", files.constraints);
    struct dram_device *device = dram_device_load(folder, error);
    write_file(folder, "organisation.csv", NULL);
    write_file(folder, "timing.csv", NULL);
    write_file(folder, "constraints.csv", NULL);
    rmdir(folder);
    return device;
}

static void either_spelling_is_read(void **state)
{
    struct error error;
    struct dram_device *device = load(good, &error);
    if (!device)
        fail_msg("%s", error.text);
    assert_int_equal(device->columns, 128);
    assert_int_equal(device->transaction, 64);
    assert_int_equal(device->read_latency, 26);
    assert_int_equal(device->rule_count, 4);
    assert_string_equal(device->command_name[DRAM_PRE], "PREpb");
    assert_string_equal(device->command_name[DRAM_PREA], "PREA");
    assert_false(device->has[DRAM_PREA]);
    dram_device_free(device);
}

/* Of several rules for the same, the longest; none without effect. */
static void rules_are_in_their_normal_form(void **state)
{
    struct error error;
    struct files f = good;
    f.constraints = HEAD "bank,WR,PRE,5,1,0\nbank,ACT,RD,22,1,0\n"
                         "bank,ACT,RD,9,1,0\nbank,ACT,RD,23,1,0\n"
                         "bank,ACT,RD,40,4,0\nrank,RD,RD,0,1,0\n"
                         "rank,RD,WR,-3,1,0\nrank,RD,RD,6,1,1\n"
                         "bankgroup,RD,RD,6,1,1\n";
    struct dram_device *device = load(f, &error);
    if (!device)
        fail_msg("%s", error.text);
    static const struct dram_rule expected[] = {
        {DRAM_GROUP, DRAM_RD, DRAM_RD, 1, true, false, 6},
        {DRAM_BANK, DRAM_ACT, DRAM_RD, 1, false, false, 23},
        {DRAM_BANK, DRAM_ACT, DRAM_RD, 4, false, false, 40},
        {DRAM_BANK, DRAM_WR, DRAM_PRE, 1, false, false, 5}};
    assert_int_equal(device->rule_count, 4);
    assert_memory_equal(device->rules, expected, sizeof expected);
    dram_device_free(device);
}

static void refused(struct files files, const char *why)
{
    struct error error;
    assert_null(load(files, &error));
    if (!strstr(error.text, why) || strchr(error.text, '\n'))
        fail_msg("'%s' does not say '%s'", error.text, why);
}

static void damaged_folders_are_refused(void **state)
{
    struct files f = good;
    f.timing = NULL;
    refused(f, "timing.csv: No such file");
    f.timing = "";
    refused(f, "timing.csv:0: the first line has to be parameter,value");
    f.timing = "parameter,value\nnBL,4\nnCL,x\n";
    refused(f, "timing.csv:3: 'x' is not a number of");
    f.timing = "parameter,value\nnBL,4\nnBL,4\n";
    refused(f, "timing.csv:3: parameter 'nBL' twice");
    f.timing = "parameter,value\nnCL,4\nnCWL,4\n";
    refused(f, "no parameter nBL");
    f.timing = "parameter,value\nnBL,4\n";
    refused(f, "no parameter nCL");
    f = good;
    f.organisation = "item,value\nprefetch,8\nrow,-4\n";
    refused(f, "organisation.csv:3: '-4' is not a number of 1..");
    f.organisation = "item,value\nprefetch,8\nrooms,4\n";
    refused(f, "organisation.csv:3: unknown item 'rooms'");
    f.organisation = "item,value\nprefetch,8\nrow,1000\ncolumn,1024\n"
                     "channel_width_bits,64\n";
    refused(f, "row: 1000 is not a power of two");
    f.organisation = "item,value\nrow,1024\ncolumn,1024\n";
    refused(f, "column has to be a multiple of prefetch");
    f = good;
    f.constraints = HEAD "storey,ACT,RD,22,1,0\n";
    refused(f, "constraints.csv:2: level 'storey' is none of");
    f.constraints = HEAD "bank,ACT,READ,22,1,0\n";
    refused(f, "constraints.csv:2: unknown command 'READ'");
    f.constraints = HEAD "bank,ACT,RD,22,0,0\n";
    refused(f, "constraints.csv:2: '0' is not a number of 1..64");
    f.constraints = HEAD "bank,ACT,RD,8388608,1,0\n";
    refused(f, "constraints.csv:2: '8388608' is not a number of "
               "-1000000..8388607");
    f.constraints = HEAD "bank,ACT,RD,22\n";
    refused(f, "constraints.csv:2: 4 cells, expected level,");
    f.constraints = HEAD "bank,ACT,RD,22,1,0\n";
    refused(f, "no rule about the command PRE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_name_makes_a_sound_device),
        cmocka_unit_test(names_and_choices_are_one_list),
        cmocka_unit_test(an_unknown_name_gets_the_nearest),
        cmocka_unit_test(ddr4_grades_are_as_in_the_standard),
        cmocka_unit_test(rows_of_gddr6_banks_are_independent_but_at_arches),
        cmocka_unit_test(our_tables_equal_the_folders),
        cmocka_unit_test(either_spelling_is_read),
        cmocka_unit_test(rules_are_in_their_normal_form),
        cmocka_unit_test(damaged_folders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
