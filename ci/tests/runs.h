/*
 * How often tests repeat what they draw at random. TEST_RUNS=P in the
 * environment says P percent of the usual: few where the build is one that
 * takes many times as long, many for a night.
 */
#ifndef CI_TESTS_RUNS_H
#define CI_TESTS_RUNS_H

#include <stdlib.h>

/* At least 1. */
static inline unsigned test_runs(unsigned usual)
{
    const char *text = getenv("TEST_RUNS");
    const unsigned long percent = text ? strtoul(text, NULL, 10) : 100;
    const unsigned long runs = usual * percent / 100;
    return runs ? (unsigned)runs : 1;
}

#endif
