/*
 * The address map gives every address one place, hashed or not. What is spread
 * by it meets at the slices: these serve saturating clients in turn, and a
 * request that cannot leave blocks those behind it.
 */
#include "sim/units/common/address_map.h"
#include "sim/units/common/bench.h"
#include <stdlib.h>

/* ---- addresses ---- */

struct place {
    uint64_t line;
    unsigned slice;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->slice != y->slice)
        return x->slice < y->slice ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

#define ROUNDS 96u

/* All lines of some rounds: as many in each slice, numbered without gaps. */
static void check_places(const struct address_map *m, unsigned parts,
                         unsigned slices, unsigned stride, unsigned line)
{
    unsigned each = ROUNDS * stride / line / slices;
    unsigned count = each * parts * slices;
    struct place *places = calloc(count, sizeof *places);
    assert_non_null(places);
    for (unsigned i = 0; i < count; i++) {
        uint64_t address = (uint64_t)i * line;
        places[i] = (struct place){map_line(m, address), map_slice(m, address)};
    }
    qsort(places, count, sizeof *places, by_place);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(places[i].slice, i / each);
        assert_int_equal(places[i].line, i % each);
    }
    free(places);
}

static void every_line_has_a_place_of_its_own(void **state)
{
    static const unsigned parts[] = {1, 2, 3, 5, 8, 12};
    static const unsigned all[] = {1, 2, 3, 4, 6, 8};
    for (unsigned p = 0; p < 6; p++)
        for (unsigned s = 0; s < 6; s++)
            for (unsigned stride = 1024; stride <= 4096; stride *= 2)
                for (unsigned hashed = 0; hashed < 2; hashed++) {
                    struct address_map m =
                        map_new(stride, parts[p], all[s], 128, hashed);
                    check_places(&m, parts[p], all[s], stride, 128);
                }
}

/* At multiples of the divisor and beside them, up to the greatest dividends. */
static void divisions_are_exact(void **state)
{
    for (uint64_t d = 1; d <= MAP_DIVISORS; d++) {
        uint64_t inverse = map_inverse(d);
        for (uint64_t top = 1; top <= MAP_DIVIDENDS; top *= 2)
            for (uint64_t n = top / d * d, i = 0; i < 3; n = n ? n - 1 : 0, i++)
                assert_true(map_divide(n, inverse) == n / d);
        for (uint64_t n = MAP_DIVIDENDS - 2 * d; n < MAP_DIVIDENDS; n++)
            assert_true(map_divide(n, inverse) == n / d);
    }
}

/* The share of the busiest of 32 slices, for one access every `stride`. */
static unsigned busiest(bool hashed, uint64_t stride)
{
    struct address_map m = map_new(4096, 8, 4, 128, hashed);
    unsigned times[32] = {0}, most = 0;
    for (uint64_t i = 0; i < 1024; i++)
        times[map_slice(&m, i * stride)]++;
    for (unsigned s = 0; s < 32; s++)
        most = times[s] > most ? times[s] : most;
    return most;
}

static void the_hash_spreads_strides_that_meet_in_one_slice(void **state)
{
    for (uint64_t stride = 32768; stride <= 32768 * 64; stride *= 2) {
        assert_int_equal(busiest(false, stride), 1024);
        assert_true(busiest(true, stride) <= 160);
    }
    assert_int_equal(busiest(true, 128), 32);
}

/* ---- turns ---- */

#define EACH 100u

/* Clients that keep asking one slice; each its own stride. */
static void build_turns(struct bench *b)
{
    const unsigned *with = b->scenario->with;
    unsigned clients = with[0], stride = with[1];
    struct unit *c = bench_unit(b, "cache", "slice");
    bench_set(b, c, "owner", 1);
    bench_set(b, c, "latency", 12);
    bench_below(b, c, "mem", "fill", 5);
    for (unsigned n = 0; n < clients; n++) {
        struct driver *d = bench_driver(b, c, "cpu", "reply");
        for (unsigned i = 0; i < EACH; i++)
            driver_load(d, 0, (uint64_t)(n * 64 + i * stride) % 65536 / 8 * 8);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct answer *x = *(struct answer *const *)a;
    const struct answer *y = *(struct answer *const *)b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* While all ask, no client has been granted two more than another. */
static void check_turns(struct bench *b)
{
    unsigned clients = *(const unsigned *)b->scenario->with, count = 0;
    const struct answer **all = calloc(clients * EACH, sizeof(void *));
    unsigned granted[BENCH_UNITS] = {0};
    assert_non_null(all);
    for (unsigned n = 0; n < clients; n++) {
        assert_int_equal(driver_unanswered(b->drivers[n]), 0);
        for (unsigned i = 0; i < EACH; i++)
            all[count++] = driver_answer(b->drivers[n], i);
    }
    qsort(all, count, sizeof *all, by_time);
    for (unsigned i = 0; i < count; i++) {
        unsigned least = EACH, most = 0;
        for (unsigned n = 0; n < clients; n++)
            if (all[i] >= b->drivers[n]->answers &&
                all[i] < b->drivers[n]->answers + EACH)
                granted[n]++;
        for (unsigned n = 0; n < clients; n++) {
            least = granted[n] < least ? granted[n] : least;
            most = granted[n] > most ? granted[n] : most;
        }
        assert_in_range(most - least, 0, 1);
    }
    free(all);
}

/* Hits of 2 to 46 clients: all in the slice's lines after a first pass. */
static void build_warm_turns(struct bench *b)
{
    build_turns(b);
    struct driver *warm = bench_driver(b, b->units[0], "cpu", "reply");
    for (unsigned i = 0; i < 65536 / SECTOR; i++)
        driver_load(warm, 0, (uint64_t)i * SECTOR);
    for (unsigned n = 0; n + 1 < b->driver_count; n++)
        for (unsigned i = 0; i < EACH; i++)
            b->drivers[n]->asks[i].at = 20000;
}

static void saturating_clients_are_granted_equally(void **state)
{
    static const unsigned clients[] = {2, 3, 8, 13, 46};
    static const unsigned strides[] = {8, 128, 1024, 4096};
    for (unsigned i = 0; i < 5; i++)
        for (unsigned k = 0; k < 4; k++)
            bench_test_with(build_warm_turns, check_turns,
                            (unsigned[]){clients[i], strides[k]});
}

/* ---- head of line ---- */

/* One of two slices stands still: what is behind a request to it waits. */
static void build_blocked(struct bench *b)
{
    struct unit *c = bench_unit(b, "cache", "l1");
    bench_set(b, c, "latency", 4);
    bench_set(b, c, "map_slices", 2);
    struct driver *d = bench_driver(b, c, "cpu", "reply");
    bench_below(b, c, "mem", "fill", 5);
    bench_below(b, c, "mem", "fill", 5);
    b->belows[0]->closed_until = 2000;
    for (unsigned i = 0; i < 40; i++)
        driver_store(d, 0, 256 * i, i);
    driver_store(d, 500, 128, 1);
}

static void check_blocked(struct bench *b)
{
    assert_int_equal(driver_unanswered(b->drivers[0]), 0);
    assert_true(b->belows[1]->seen[0].at > 2000);
}

static void a_slice_without_room_blocks_those_behind(void **state)
{
    bench_test(build_blocked, check_blocked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_has_a_place_of_its_own),
        cmocka_unit_test(divisions_are_exact),
        cmocka_unit_test(the_hash_spreads_strides_that_meet_in_one_slice),
        cmocka_unit_test(saturating_clients_are_granted_equally),
        cmocka_unit_test(a_slice_without_room_blocks_those_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
