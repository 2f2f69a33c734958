/* Patterns match as Lua's manual says; what is malformed is told, and no match
 * takes longer than its steps allow. */
#include "sim/arch/pattern.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

struct watch {
    jmp_buf out;
    const char *failure;
    unsigned steps, most;
};

static void count_step(void *context)
{
    struct watch *w = context;
    if (++w->steps > w->most) {
        w->failure = "too many steps";
        longjmp(w->out, 1);
    }
}

static void note_failure(void *context, const char *what)
{
    struct watch *w = context;
    w->failure = what;
    longjmp(w->out, 1);
}

static struct watch watch;
static struct pattern last;

/* Bytes of text that the pattern matches from its first character on, -1: it
 * does not match; -2: watch.failure says why. */
static int match(const char *text, const char *pattern)
{
    watch.failure = NULL;
    watch.steps = 0;
    last = (struct pattern){.text = text,
                            .text_end = text + strlen(text),
                            .end = pattern + strlen(pattern),
                            .context = &watch,
                            .step = count_step,
                            .fail = note_failure};
    if (setjmp(watch.out))
        return -2;
    const char *end = pattern_match(&last, text, pattern);
    return end ? (int)(end - text) : -1;
}

static void patterns_match_as_in_the_manual(void **state)
{
    static const struct {
        const char *text, *pattern;
        int matched;
    } rows[] = {
        {"abc", "abc", 3},     {"abc", "abd", -1},
        {"abc", ".", 1},       {"", ".", -1},
        {"aaab", "a*b", 4},    {"aaab", "a-b", 4},
        {"aaab", "a+", 3},     {"b", "a*", 0},
        {"b", "a+", -1},       {"ab", "a?b", 2},
        {"b", "a?b", 1},       {"x1_", "%a%d%p", 3},
        {"x", "%A", -1},       {"m7", "[a-z][0-9]", 2},
        {"M", "[^a-z]", 1},    {"]", "[]]", 1},
        {"-", "[a-]", 1},      {"f(a(b)c)d", "f%b()", 8},
        {"f(a", "f%b()", -1},  {"THE end", "%f[%u]%u+", 3},
        {"abab", "(ab)%1", 4}, {"abac", "(ab)%1", -1},
        {"a$", "a$", -1},      {"a", "a$", 1},
        {"a.b", "a%.b", 3},
    };
    watch.most = 1000;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        int matched = match(rows[i].text, rows[i].pattern);
        if (matched != rows[i].matched)
            fail_msg("%s in %s: %d, expected %d", rows[i].pattern, rows[i].text,
                     matched, rows[i].matched);
    }
}

static void captures_tell_places_and_lengths(void **state)
{
    watch.most = 1000;
    assert_int_equal(match("key=value", "(%w+)=()(%w*)"), 9);
    assert_int_equal(last.count, 3);
    assert_int_equal(last.captures[0].length, 3);
    assert_int_equal(last.captures[1].length, CAPTURE_POSITION);
    assert_string_equal(last.captures[2].at, "value");
}

static void malformed_patterns_are_refused(void **state)
{
    static const char *const patterns[] = {"[a", "a%",  "a)", "%b",
                                           "%1", "%fa", "[%"};
    watch.most = 1000;
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (match("aaaa", patterns[i]) != -2)
            fail_msg("%s is taken", patterns[i]);
        assert_non_null(watch.failure);
    }
}

static void a_match_that_takes_long_is_stopped(void **state)
{
    watch.most = 10000;
    assert_int_equal(match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                           "a-a-a-a-a-a-a-a-a-b"),
                     -2);
    assert_string_equal(watch.failure, "too many steps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_as_in_the_manual),
        cmocka_unit_test(captures_tell_places_and_lengths),
        cmocka_unit_test(malformed_patterns_are_refused),
        cmocka_unit_test(a_match_that_takes_long_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
