/*
 * Accesses and code that the memory refuses (MEM_FAULT): the lanes fault,
 * with the unit and the address, whatever they have asked for meanwhile.
 */
#include "sim/units/tp/tp_bench.h"

#define LANES 4

/* What is refused, of which of the SM's ports, and the fault that follows. */
struct refused {
    uint32_t words[8];
    uint64_t address; /* of the sector that is refused */
    unsigned below;   /* which memory of the bench refuses it */
    uint32_t cause;
    uint64_t value;
};

/* A warp, and memories behind the ports of data, of rays and of code. */
static void build_refusing(struct bench *b)
{
    const struct refused *r = b->scenario->with;
    struct unit *sm = bench_unit(b, "simt", "sm");
    bench_set(b, sm, "subcores", 1);
    bench_set(b, sm, "warps", 1);
    bench_set(b, sm, "warp", LANES);
    bench_set(b, sm, "l0_sets", 2);
    bench_program(b, r->words, TABLE_COUNT(r->words));
    bench_below(b, sm, "mem", "data", FAR);
    bench_below(b, sm, "ray", "hit", FAR);
    bench_below(b, sm, "fetch", "code", FAR);
    b->belows[r->below]->refused = r->address;
    open_empty_scene(b);
}

static void check_refused(struct bench *b)
{
    const struct refused *r = b->scenario->with;
    assert_int_equal(b->service_count, LANES);
    for (unsigned i = 0; i < LANES; i++) {
        const struct hart *h = &b->machine.harts[i];
        assert_int_equal(h->event, HART_FAULT);
        assert_int_equal(h->fault.cause, r->cause);
        assert_int_equal(h->fault.tval, r->value);
        assert_ptr_equal(h->refused_by, r->cause == ISA_CAUSE_ILLEGAL
                                            ? NULL
                                            : &b->belows[r->below]->unit);
    }
}

static void a_refused_access_is_a_fault_of_its_lanes(void **state)
{
    const struct refused all[] = {
        {{LD(5, 0x208, 0), ADDI(6, 5, 1), ECALL}, 0x200, 0, 5, 0x208},
        {{SD(5, 0x208, 0), FENCE, ECALL}, 0x200, 0, 7, 0x208},
        {{TRACERAY(20, 0, 32), FMV_X_W(6, 20), ECALL}, 32, 1, 5, 32},
        /* Lanes that are about to ask for a service, or to fault. */
        {{LD(5, 0x208, 0), ECALL}, 0x200, 0, 5, 0x208},
        {{SD(5, 0x208, 0), ECALL}, 0x200, 0, 7, 0x208},
        {{TRACERAY(20, 0, 32), ECALL}, 32, 1, 5, 32},
        {{LD(5, 0x208, 0), 0}, 0x200, 0, ISA_CAUSE_ILLEGAL, 0},
        {{ADDI(6, 5, 1), ECALL}, 0x80000, 2, 1, 0x80000},
    };
    for (unsigned i = 0; i < TABLE_COUNT(all); i++)
        bench_play(&(struct scenario){.build = build_refusing,
                                      .check = check_refused,
                                      .serve = serve,
                                      .with = &all[i]});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_access_is_a_fault_of_its_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
