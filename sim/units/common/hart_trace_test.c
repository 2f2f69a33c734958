/* Records of a trace come out of a checkpoint as they went in, and are refused
 * where a file of the trace could not be made of them. */
#include "sim/core/state.h"
#include "sim/units/common/hart_trace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

/* A checkpoint in memory. */
struct memory {
    struct state state;
    char bytes[1024];
    size_t at;
};

static bool move(struct state *s, void *bytes, size_t count)
{
    struct memory *m = (struct memory *)s;
    assert_true(count <= sizeof m->bytes - m->at);
    if (s->loading)
        memcpy(bytes, m->bytes + m->at, count);
    else
        memcpy(m->bytes + m->at, bytes, count);
    m->at += count;
    return true;
}

static const struct trace_window window = {
    .wanted = true, .units = "*", .to = 100, .bytes = 1024};
static const struct stat_row buckets[2] = {{.name = "a"}, {.name = "b"}};

/* A trace of harts 4 to 6; whole: as an RT core has it. */
static struct hart_trace *trace_of(const char *whole)
{
    struct hart_trace *t = hart_trace_new(&window, "tp0");
    t->first = 4;
    t->harts = 3;
    t->buckets = buckets;
    t->bucket_count = 2;
    t->whole = whole;
    return t;
}

/* Saves a trace with that record behind another one, and loads it. */
static bool comes_back(const char *whole, struct trace_record record)
{
    struct memory m = {.state.move = move};
    struct hart_trace *t = trace_of(whole), *back = trace_of(whole);
    hart_trace_add(t, &(struct trace_record){.hart = 4, .event = TRACE_STATE});
    hart_trace_add(t, &record);
    hart_trace_state(t, &m.state);
    m.state.loading = true;
    m.at = 0;
    hart_trace_state(back, &m.state);
    bool good = !m.state.failed;
    assert_int_equal(back->count, 2);
    if (good)
        assert_memory_equal(t->records, back->records, 2 * sizeof record);
    hart_trace_free(t);
    hart_trace_free(back);
    return good;
}

static void records_that_may_be_come_back(void **state)
{
    assert_true(
        comes_back(NULL, (struct trace_record){.hart = 6, .bucket = 1}));
    assert_true(comes_back(
        "ray", (struct trace_record){.hart = 4, .bucket = TRACE_NONE}));
    assert_true(comes_back(
        NULL,
        (struct trace_record){.hart = 5, .event = TRACE_ISSUE, .waits = 1}));
}

static void others_are_refused(void **state)
{
    static const struct trace_record wrong[] = {
        {.hart = 3},
        {.hart = 7},
        {.hart = 4, .bucket = 2},
        {.hart = 4, .bucket = TRACE_NONE},
        {.hart = 4, .event = TRACE_DONE + 1},
        {.hart = 4, .event = TRACE_ISSUE, .waits = 2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(comes_back(NULL, wrong[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_that_may_be_come_back),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
