/*
 * For tests of paging: TLBs with a driver and a memory each, a GMMU and PCIe,
 * and memories that stand for the partitions of a DRAM that is charged.
 * The first driver's service makes memory managed; what it asks later comes
 * after that.
 */
#ifndef SIM_PAGING_BENCH_H
#define SIM_PAGING_BENCH_H

#include "sim/core/paging_role.h"
#include "sim/units/common/bench.h"
#include "sim/units/paging/managed_ranges.h"

#define MB (1u << 20)
#define PAGE 4096u
#define BEGIN 1000u /* by then memory is managed */
#define BELOW 5u    /* latency of the memory */
#define WALK 100u
#define FAULT 66645u
#define PAGE_CYCLES 2605u /* a transfer of 4 KB */

/* From a driver by way of its TLB to memory and back. */
#define HIT_TIME (4 * LINK + BELOW)
/* From the driver to the judgement of its walk. */
#define JUDGED (2 * LINK + WALK)
/* From there until a page of 4 KB has landed: the transfer starts in the next
 * cycle and is told to PCIe. */
#define LANDED (1 + LINK + PAGE_CYCLES)
/* From there to the driver: to the TLB, and as a hit from there on. */
#define RETURNED (LINK + HIT_TIME - LINK)
#define FAULT_TIME (JUDGED + LANDED + RETURNED)

/* What is managed: two allocations. */
struct managed_parts {
    uint64_t first, bytes, second, more; /* more 0: one */
    bool blank;                          /* the first one */
};

#define ALL                                                                    \
    {                                                                          \
        0, 4 * MB, 0, 0, false                                                 \
    }
/* A list of settings with its end. */
#define SETTINGS(...)                                                          \
    (const struct setting[])                                                   \
    {                                                                          \
        __VA_ARGS__,                                                           \
        {                                                                      \
            0                                                                  \
        }                                                                      \
    }

#define TLBS_MAX 4
struct paging {
    unsigned tlbs;
    unsigned partitions; /* that are charged; their memories come last */
    const struct setting *tlb, *gmmu, *pcie; /* NULL: by default */
    void (*script)(struct bench *b);
    void (*check)(struct bench *b);
    struct managed_parts parts;
};

enum { GMMU, PCIE, TLB }; /* among the bench's units */

static inline void paging_build(struct bench *b)
{
    const struct paging *p = b->scenario->with;
    struct unit *gmmu = bench_unit(b, "gmmu", "gmmu");
    struct unit *pcie = bench_unit(b, "pcie", "pcie");
    if (p->gmmu)
        bench_set_all(gmmu, p->gmmu);
    if (p->pcie)
        bench_set_all(pcie, p->pcie);
    bench_link(b, gmmu, "pcie", pcie, "ask", 4);
    bench_link(b, pcie, "done", gmmu, "done", 0);
    for (unsigned i = 0; i < p->tlbs; i++) {
        char name[16];
        snprintf(name, sizeof name, "tlb%u", i);
        struct unit *tlb = bench_unit(b, "tlb", name);
        if (p->tlb)
            bench_set_all(tlb, p->tlb);
        bench_driver(b, tlb, "cpu", "reply");
        bench_below(b, tlb, "mem", "fill", BELOW);
        bench_link(b, tlb, "walk", gmmu, "walk", DEPTH);
        bench_link(b, gmmu, "back", tlb, "back", 0);
    }
    for (unsigned i = 0; i < p->partitions; i++)
        bench_below(b, gmmu, "mem", "data", BELOW);
    driver_service(b->drivers[0], 0);
    p->script(b);
}

static inline void paging_check(struct bench *b)
{
    const struct paging *p = b->scenario->with;
    for (unsigned i = 0; i < p->tlbs; i++)
        assert_int_equal(driver_unanswered(b->drivers[i]), 0);
    p->check(b);
}

static inline bool gmmu_add(struct unit *u, uint64_t now, uint64_t address,
                            uint64_t bytes, bool blank, struct error *e)
{
    return u->kind->paging->add(u, now, address, bytes, blank, e);
}

static inline bool paging_serve(struct bench *b, uint64_t now,
                                const struct service_request *request)
{
    const struct paging *p = b->scenario->with;
    const struct managed_parts *m = &p->parts;
    struct unit *gmmu = b->units[GMMU];
    struct error e;
    assert_true(now < BEGIN);
    if (!gmmu_add(gmmu, now, m->first, m->bytes, m->blank, &e) ||
        (m->more && !gmmu_add(gmmu, now, m->second, m->more, false, &e)))
        fail_msg("%s", e.text);
    return true;
}

static inline void paging_test(const struct paging *p)
{
    const struct scenario s = {.build = paging_build,
                               .check = paging_check,
                               .serve = paging_serve,
                               .limit = 1u << 22,
                               .with = p};
    bench_play(&s);
}

/* A load `at` cycles after memory is managed. */
static inline unsigned load_at(struct driver *d, uint64_t at, uint64_t address)
{
    return driver_load(d, BEGIN + at, address);
}

#endif
