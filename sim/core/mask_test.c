/* Round robin over sets of any size: the first at or after a number, wrapping.
 */
#include "ci/tests/runs.h"
#include "sim/core/unit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { WORDS = 5 };

/* By its definition, bit after bit. */
static int next_slowly(const uint64_t *mask, unsigned words, unsigned from)
{
    for (unsigned i = 0; i < words * 64; i++) {
        unsigned at = (from + i) % (words * 64);
        if (mask[at / 64] >> at % 64 & 1)
            return (int)at;
    }
    return -1;
}

static uint64_t random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Few bits, so that most words are empty and what is found is far off. */
static void fill(uint64_t *mask, unsigned words, uint64_t *state)
{
    memset(mask, 0, words * sizeof *mask);
    for (uint64_t bits = random_number(state) % 4; bits > 0; bits--) {
        uint64_t at = random_number(state) % (words * 64);
        mask[at / 64] |= 1ull << at % 64;
    }
}

static void the_next_is_the_first_at_or_after_wrapping(void **state)
{
    uint64_t random = 1, mask[WORDS];
    for (unsigned run = 0; run < test_runs(20000); run++) {
        unsigned words = 1 + run % WORDS;
        fill(mask, words, &random);
        unsigned from = (unsigned)(random_number(&random) % (words * 64));
        int next = next_slowly(mask, words, from);
        assert_int_equal(mask_next(mask, words, from), next);
        assert_int_equal(mask_any(mask, words), next >= 0);
    }
}

static void a_row_without_links_has_none(void **state)
{
    uint64_t empty = 0;
    assert_false(mask_any(&empty, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_next_is_the_first_at_or_after_wrapping),
        cmocka_unit_test(a_row_without_links_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
