/* Orders: what they mean, what is refused, and the reference's addresses. */
#include "sim/dram/golden.h"
#include "sim/dram/mapping.h"
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the above. */
#include <cmocka.h>
#include <zlib.h>

/* Two ranks, 4 x 4 banks, 128 transactions of 64 bytes in a row. */
static const struct dram_device device = {
    .units = {1, 1, 2, 4, 4},
    .rows = 65536,
    .columns = 128,
    .transaction = 64,
};

/* The place says the same as the address, banks counted through. */
static void agree(const struct dram_device *d, const struct dram_mapping *m,
                  uint64_t address)
{
    struct dram_address a = dram_map(m, address);
    struct dram_place place = dram_locate(m, address);
    uint32_t bank = 0;
    for (int l = DRAM_PSEUDO; l <= DRAM_BANK; l++)
        bank = bank * d->units[l] + a.at[l];
    assert_int_equal(place.channel, a.at[DRAM_CHANNEL]);
    assert_int_equal(place.bank, bank);
    assert_int_equal(place.row, a.at[DRAM_ROW]);
    assert_int_equal(place.column, a.at[DRAM_COLUMN]);
}

static void expect(const char *order, const struct dram_device *d,
                   uint32_t channels, uint64_t address,
                   const uint32_t at[DRAM_FIELDS])
{
    struct error error;
    struct dram_mapping *m = dram_mapping_new(order, d, channels, &error);
    if (!m)
        fail_msg("%s", error.text);
    struct dram_address a = dram_map(m, address);
    for (int i = 0; i < DRAM_FIELDS; i++)
        if (a.at[i] != at[i])
            fail_msg("%s: %s %u, expected %u", order, dram_level_name(i),
                     a.at[i], at[i]);
    agree(d, m, address);
    dram_mapping_free(m);
}
#define EXPECT(order, channels, address, ...)                                  \
    expect(order, &device, channels, address, (const uint32_t[]){__VA_ARGS__})

static void the_rightmost_field_has_the_lowest_bits(void **state)
{
    uint64_t address =
        (uint64_t)40000 << 18 | 3 << 16 | 2 << 14 | 1 << 13 | 99 << 6 | 63;
    EXPECT("RoBaBgRaCo", 1, address, 0, 0, 1, 2, 3, 40000, 99);
    EXPECT("RoBaBgRaCoCh", 2, (address - 63) * 2 + 64, 1, 0, 1, 2, 3, 40000,
           99);
    EXPECT("ChRoCoRaBaBg", 4, UINT64_C(3) << 34 | 2 << 6 | 1 << 8 | 1 << 10, 3,
           0, 1, 2, 1, 0, 0);
}

static void a_number_takes_that_many_bits(void **state)
{
    EXPECT("RoBaBgRaCo5ChCo2", 2, 3 << 6 | 1 << 8 | 0x15 << 9 | 1 << 14, 1, 0,
           1, 0, 0, 0, 0x15 << 2 | 3);
}

static void names_of_the_reference_stand_for_orders(void **state)
{
    uint64_t address = UINT64_C(0x2d5f3b7c0);
    const char *same[][2] = {{"RoBaRaCoCh", "RoBaBgRaPcCoCh"},
                             {"ChRaBaRoCo", "ChPcRaBgBaRoCo"},
                             {"RoBgBaRaChCo", "RoBgBaRaPcChCo"},
                             {"MOP4CLXOR", "RoCo5BaBgRaPcChCo2+xor"},
                             {"", "RoBaRaCoCh"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct error error;
        struct dram_mapping *m =
            dram_mapping_new(same[i][1], &device, 2, &error);
        assert_non_null(m);
        struct dram_address a = dram_map(m, address);
        expect(same[i][0], &device, 2, address, a.at);
        dram_mapping_free(m);
    }
}

static void an_order_without_channels_gets_them(void **state)
{
    char text[32];
    assert_true(dram_mapping_of_channels("RoCoBaBgCo2", text, sizeof text));
    assert_string_equal(text, "RoCoBaBgChCo2");
    assert_false(dram_mapping_of_channels("RoBgBaRaChCo", text, sizeof text));
    assert_false(dram_mapping_of_channels("MOP4CLXOR", text, sizeof text));
    assert_false(dram_mapping_of_channels("", text, sizeof text));
}

static void an_xor_takes_successive_column_bits(void **state)
{
    /* Column 0x55: rank gets bit 0, bank group bits 1-2, ... */
    EXPECT("MOP4CLXOR", 1, (uint64_t)1 << 6 | (uint64_t)0x15 << 13, 0, 0, 1, 2,
           2, 2, 0x55);
}

static void each_address_has_a_place_of_its_own(void **state)
{
    static const char *const orders[] = {"RoBaRaCoCh", "MOP4CLXOR",
                                         "BaRoChCoBg1Co3Bg1RaCo1"};
    struct dram_device small = device;
    small.rows = 8;
    enum { PLACES = 8 * 4 * 4 * 2 * 128 * 2 };
    static bool seen[PLACES];
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        struct error error;
        struct dram_mapping *m = dram_mapping_new(orders[o], &small, 2, &error);
        assert_non_null(m);
        memset(seen, 0, sizeof seen);
        for (uint64_t n = 0; n < PLACES; n++) {
            struct dram_address a = dram_map(m, n * 64);
            const uint32_t *at = a.at;
            uint32_t place = at[DRAM_CHANNEL];
            place = place * 2 + at[DRAM_RANK];
            place = place * 4 + at[DRAM_GROUP];
            place = place * 4 + at[DRAM_BANK];
            place = place * 8 + at[DRAM_ROW];
            place = place * 128 + at[DRAM_COLUMN];
            assert_true(place < PLACES && !seen[place]);
            seen[place] = true;
            agree(&small, m, n * 64);
        }
        dram_mapping_free(m);
    }
}

static void refused(const char *order, uint32_t channels, const char *why)
{
    struct error error;
    struct dram_mapping *m = dram_mapping_new(order, &device, channels, &error);
    assert_null(m);
    if (!strstr(error.text, why))
        fail_msg("%s: '%s' does not say '%s'", order, error.text, why);
}

static void orders_that_say_nothing_are_refused(void **state)
{
    refused("RoBaRaXxCh", 1, "'Xx' is none of");
    refused("RoBaRaC", 1, "'C' is none of");
    refused("robaracoch", 1, "'ro' is none of");
    refused("RoBaRaCoCh+hash", 1, "'+hash' is not +xor");
    refused("RoBaRaCh", 1, "7 bits of Co (column) left");
    refused("RoBaCoCh", 1, "1 bits of Ra (rank) left");
    refused("BaRaCoCh", 1, "16 bits of Ro (row) left");
    refused("RoBaRaCo", 2, "1 bits of Ch (channel) left");
    refused("RoBaRaCoChCo", 1, "Co twice");
    refused("RoBaRaCo8Ch", 1, "Co8, but only 7 bits left");
    refused("RoBaRaCo0Ch", 1, "Co has 1 to 32 bits");
    refused("RoBaRaCoCh", 3, "channels: 3 is not a power of two");
    refused("RoBaRaCoCh", 0, "channels: 0 is not a power of two");
}

/* ---- the reference's addresses ---- */

static const char *order_of(const char *folder)
{
    return strstr(folder, "-mop")          ? "MOP4CLXOR"
           : strstr(folder, "arches")      ? "RoBgBaRaChCo"
           : strstr(folder, "0-norefresh") ? "ChRaBaRoCo"
                                           : "RoBaRaCoCh";
}

/* Addresses by request number. */
static unsigned read_addresses(const char *path, uint64_t *addresses,
                               unsigned most)
{
    char line[256], write;
    unsigned id, n = 0;
    gzFile file = gzopen(path, "r");
    assert_non_null(file);
    gzgets(file, line, sizeof line);
    while (n < most && gzgets(file, line, sizeof line)) {
        assert_int_equal(
            sscanf(line, "%u,%*d,%*d,%c,%" SCNx64, &id, &write, &addresses[n]),
            3);
        assert_int_equal(id, n);
        n++;
    }
    gzclose(file);
    return n;
}

/* The fields that the columns of a command file are about. */
static unsigned read_columns(gzFile file, int fields[DRAM_FIELDS])
{
    char line[256];
    unsigned n = 0;
    gzgets(file, line, sizeof line);
    strtok(line, ",\n");
    strtok(NULL, ",\n");
    for (char *name; (name = strtok(NULL, ",\n")) && strcmp(name, "id");)
        for (int i = 0; i < DRAM_FIELDS; i++)
            if (!strcmp(name, dram_level_name(i)))
                fields[n++] = i;
    return n;
}

/* Commands of refreshes and of row policies have no request. */
static unsigned compare_commands(const char *path, struct dram_mapping *m,
                                 const uint64_t *addresses)
{
    char line[256];
    int fields[DRAM_FIELDS];
    unsigned compared = 0;
    gzFile file = gzopen(path, "r");
    assert_non_null(file);
    unsigned count = read_columns(file, fields);
    while (gzgets(file, line, sizeof line)) {
        long id = strtol(strrchr(line, ',') + 1, NULL, 10);
        if (id < 0)
            continue;
        struct dram_address a = dram_map(m, addresses[id]);
        char *cell = strchr(strchr(line, ',') + 1, ',');
        for (unsigned i = 0; i < count; i++) {
            long value = strtol(cell + 1, &cell, 10);
            if (value != a.at[fields[i]])
                fail_msg("%s: request %ld: %s %u, in the file %ld", path, id,
                         dram_level_name(fields[i]), a.at[fields[i]], value);
        }
        compared++;
    }
    gzclose(file);
    return compared;
}

static void the_addresses_of_the_reference_are_mapped_alike(void **state)
{
    static const char *const folders[] = {GOLDEN_FOLDERS(GOLDEN_NAME)};
    static const char *const streams[] = {GOLDEN_STREAMS(GOLDEN_NAME)};
    static uint64_t addresses[5000];
    if (!*golden_path("", ""))
        skip();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct error error;
        struct dram_device *d =
            dram_device_load(golden_path(folders[i], ""), &error);
        if (!d)
            fail_msg("%s", error.text);
        struct dram_mapping *m =
            dram_mapping_new(order_of(folders[i]), d, d->channels, &error);
        assert_non_null(m);
        for (size_t j = 0; j < sizeof streams / sizeof *streams; j++) {
            char name[64];
            snprintf(name, sizeof name, "%s.req.csv.gz", streams[j]);
            read_addresses(golden_path(folders[i], name), addresses, 5000);
            snprintf(name, sizeof name, "%s.cmd.csv.gz", streams[j]);
            assert_true(compare_commands(golden_path(folders[i], name), m,
                                         addresses) >= 2000);
        }
        dram_mapping_free(m);
        dram_device_free(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rightmost_field_has_the_lowest_bits),
        cmocka_unit_test(a_number_takes_that_many_bits),
        cmocka_unit_test(names_of_the_reference_stand_for_orders),
        cmocka_unit_test(an_order_without_channels_gets_them),
        cmocka_unit_test(an_xor_takes_successive_column_bits),
        cmocka_unit_test(each_address_has_a_place_of_its_own),
        cmocka_unit_test(orders_that_say_nothing_are_refused),
        cmocka_unit_test(the_addresses_of_the_reference_are_mapped_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
