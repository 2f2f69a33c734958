/*
 * Where the cores of a row are said to lie: what is prefetched there would do
 * no harm elsewhere, but no good.
 */
#include "sim/units/tp_bench.h"
#include "sim/units/tp_row.h"
#include "sim/units/tp_slot.h"

#define CORES 5u

static void build_row(struct bench *b)
{
    const struct program *p = b->scenario->with;
    build_core(b);
    for (unsigned i = 1; i < CORES; i++) {
        struct unit *tp = bench_unit(b, "tp", "tp");
        bench_set(b, tp, "harts", p->harts);
        bench_set(b, tp, p->settings->param, p->settings->value);
    }
    struct unit *cache = bench_unit(b, "cache", "l1");
    bench_set(b, cache, "owner", 1);
    bench_below(b, cache, "mem", "fill", FAR);
    for (unsigned i = 0; i < CORES; i++) {
        bench_link(b, b->units[i], "mem", cache, "cpu", 8);
        bench_link(b, cache, "reply", b->units[i], "data", 0);
    }
}

static const struct tp *core(const struct bench *b, unsigned nth)
{
    return (const struct tp *)b->units[nth];
}

/* The bench puts all units into one tile, and each into its own. */
static void check_row(struct bench *b)
{
    const struct tp_row *row = &core(b, 0)->common->row;
    for (unsigned i = 0; i < CORES; i++) {
        const struct tp *t = core(b, i);
        if (t->unit.tile != b->units[0]->tile)
            continue;
        assert_ptr_equal(&t->common->row, row);
        assert_ptr_equal(row->cores + i * row->core, t);
        assert_ptr_equal(row->slots + i * row->slot, t->slots);
        assert_ptr_equal(row->outputs + i * row->output, t->out);
        assert_ptr_equal(row->harts + i * row->hart, t->harts);
        assert_ptr_equal(row->inputs + i * row->input, inport_of(t, DATA));
        tp_foresee_hit(row, i, 2u << TAG_SLOT);
        tp_foresee_index(row, i, 2u << TAG_SLOT);
        tp_foresee_answer(row, i, 2u << TAG_SLOT, i & 1);
        tp_foresee_room(row, i);
        tp_expect_room(row, i);
    }
}

/* The cache's ports for answers lie side by side, one for each core. */
static void check_links(const struct bench *b)
{
    const struct inport *data = inport_of(core(b, 0), DATA);
    uint32_t count = 1;
    if (data->latency)
        return;
    assert_ptr_equal(tp_row_at(data->peer, CORES, &count),
                     &core(b, 0)->common->row);
    assert_int_equal(count, CORES);
    tp_row_at(data->peer, CORES - 2, &count);
    assert_int_equal(count, CORES - 2);
    assert_null(tp_row_at(data->peer + 1, CORES - 1, &count));
    assert_int_equal(count, 0);
    assert_null(tp_row_at(core(b, 0)->out, 1, &count)); /* to the cache */
    assert_int_equal(count, 0);
}

static void check(struct bench *b)
{
    check_row(b);
    check_links(b);
}

static void cores_of_a_row_are_where_it_says(void **state)
{
    play_on(build_row, check,
            &(struct program){3, {{"turn", 2}}, {NOP, ECALL}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_of_a_row_are_where_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
