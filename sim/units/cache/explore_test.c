/*
 * Exhaustive exploration of a small cache: all that two clients can ask in a
 * few requests, all gaps between them, all delays of the memory below, one run
 * for each. What is left to chance elsewhere is a choice here, and choices are
 * counted through like the digits of a number.
 *
 * A run is right if each request is answered once, each address by itself is
 * linearizable (some order of its accesses that keeps who came before whom
 * explains all answers and the memory left at the end), the memory below is
 * never asked for more sectors at a time than there are MSHRs, and the cache
 * is drained at the end.
 *
 * Runs of four requests leave out those that differ by a name alone: which of
 * two words of a sector is the first, and whether both clients begin late. Runs
 * of three leave out none. EXPLORE_ASKS=N explores N requests at most.
 */
#include "sim/units/cache/explore_bench.h"
#include <malloc.h>

/* clang-format off */
#define ONE_SET                                                                \
    {"line", 64}, {"ways", 1}, {"size", 128}, {"latency", 1}, {"mshrs", 1},    \
        {"targets", 1}, {"pass", 1}
/* clang-format on */

/* Two words of one sector, and one that takes the way. */
#define SOME_WORDS .words = 3, .alike = 2, .address = {0x100, 0x108, 0x180}
#define ALL_KINDS .kinds = {LOAD, STORE, ATOMIC, INVALIDATE}, .kind_count = 4
#define BYPASSES .kinds = {LOAD, STORE, BYPASS, FLUSH}, .kind_count = 4

static void copy_that_writes_through(void **state)
{
    explore_well(&(struct config){
        .name = "copy, write-through",
        .settings = {ONE_SET, {"owner", 0}},
        ALL_KINDS,
        SOME_WORDS,
        .asks = 4,
        .fetches = 1,
    });
}

static void copy_with_requests_that_join(void **state)
{
    explore_well(&(struct config){
        .name = "copy, two targets, through with allocation, bypasses",
        .settings = {ONE_SET, {"owner", 0}, {"targets", 2}, {"allocate", 2}},
        BYPASSES,
        SOME_WORDS,
        .asks = 3,
        .fetches = 2,
    });
}

static void copy_that_writes_back(void **state)
{
    explore_well(&(struct config){
        .name = "copy, write-back",
        .settings = {ONE_SET, {"owner", 0}, {"write", 2}, {"allocate", 2}},
        ALL_KINDS,
        SOME_WORDS,
        .asks = 4,
        .fetches = 1,
    });
}

static void copy_that_writes_back_what_it_has(void **state)
{
    explore_well(&(struct config){
        .name = "copy, write-back without allocation, bypasses",
        .settings = {ONE_SET, {"owner", 0}, {"write", 2}, {"allocate", 1}},
        BYPASSES,
        SOME_WORDS,
        .asks = 3,
        .fetches = 2,
    });
}

static void copy_that_performs_atomics(void **state)
{
    explore_well(&(struct config){
        .name = "copy, write-back, atomics here",
        .settings = {ONE_SET,
                     {"owner", 0},
                     {"write", 2},
                     {"atomics", 1},
                     {"targets", 2}},
        .kinds = {LOAD, STORE, ATOMIC, FLUSH},
        .kind_count = 4,
        SOME_WORDS,
        .asks = 3,
        .fetches = 1,
    });
}

static void copy_that_prefetches(void **state)
{
    explore_well(&(struct config){
        .name = "copy, two ways and MSHRs, fetches ahead",
        .settings =
            {ONE_SET, {"owner", 0}, {"ways", 2}, {"mshrs", 2}, {"prefetch", 1}},
        ALL_KINDS,
        .words = 3,
        .address = {0x100, 0x120, 0x180},
        .asks = 3,
        .fetches = 2,
    });
}

static void owner_that_writes_back(void **state)
{
    explore_well(&(struct config){
        .name = "owner, write-back",
        .settings = {ONE_SET, {"owner", 1}},
        .kinds = {LOAD, STORE, ATOMIC, BYPASS},
        .kind_count = 4,
        SOME_WORDS,
        .asks = 4,
        .fetches = 2,
    });
}

static void owner_that_writes_through(void **state)
{
    explore_well(&(struct config){
        .name = "owner, write-through without allocation",
        .settings = {ONE_SET, {"owner", 1}, {"write", 1}, {"allocate", 1}},
        .kinds = {LOAD, STORE, ATOMIC, BYPASS},
        .kind_count = 4,
        SOME_WORDS,
        .asks = 3,
        .fetches = 2,
    });
}

/* ---- the judgement can be wrong-footed by faults only ---- */

static void faults_are_found(void **state)
{
    enum { FLIP = 1, LOST_STORE, STALE, SWAP, LOST_ANSWER };
    static const struct {
        int64_t fault, owner;
        const char *wrong;
    } cases[] = {
        {FLIP, 0, "no order of the accesses explains the answers"},
        {LOST_STORE, 1, "no order of the accesses explains the answers"},
        {SWAP, 0, "no order of the accesses explains the answers"},
        {LOST_ANSWER, 0, "not answered"},
    };
    for (unsigned i = 0; i < 2 * TABLE_COUNT(cases); i++) {
        const unsigned which = i / 2,
                       asks = 3 + i % 2; /* short and long runs */
        struct config config = {
            .name = "faulty",
            .settings = {ONE_SET,
                         {"owner", cases[which].owner},
                         {"targets", 2},
                         {"fault", cases[which].fault}},
            ALL_KINDS,
            SOME_WORDS,
            .asks = asks,
            .fetches = 1,
        };
        const char *wrong = explore(&config);
        assert_non_null(wrong);
        assert_string_equal(wrong, cases[which].wrong);
    }
}

int main(void)
{
    /* A chip is made for each run: keep its memory. */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copy_that_writes_through),
        cmocka_unit_test(copy_with_requests_that_join),
        cmocka_unit_test(copy_that_writes_back),
        cmocka_unit_test(copy_that_writes_back_what_it_has),
        cmocka_unit_test(copy_that_performs_atomics),
        cmocka_unit_test(copy_that_prefetches),
        cmocka_unit_test(owner_that_writes_back),
        cmocka_unit_test(owner_that_writes_through),
        cmocka_unit_test(faults_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
