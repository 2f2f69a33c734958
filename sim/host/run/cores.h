/*
 * The harts of all cores as the rest of sim/host uses them: by the interface of
 * their kind (sim/core/core_kind.h), whatever instruction set that is.
 */
#ifndef SIM_HOST_RUN_CORES_H
#define SIM_HOST_RUN_CORES_H

#include "sim/core/core_kind.h"
#include "sim/core/engine.h"
#include "sim/host/host.h"

static inline const struct core_kind *core_of(const struct hart *hart)
{
    return unit_kind_of(hart->core)->core;
}

static inline unsigned hart_number(const struct host *host,
                                   const struct hart *hart)
{
    return (unsigned)(hart - host->machine.harts);
}

static inline uint64_t hart_pc(const struct hart *hart)
{
    return core_of(hart)->pc(hart->core, hart->slot);
}

/* Gives all harts of the chip their core and their number. */
void cores_assign(struct host *host);
/* All harts at their program's entry; those that take no part are unused. */
void cores_reset(struct host *host);

/* The number of a core's register. False: it has none of that name. */
bool core_register(const struct core_kind *core, const char *name,
                   unsigned *number);

/* ---- how programs and the host talk, by the core's calling convention ---- */

/* 0 for what the convention does not have. */
uint64_t abi_call_number(const struct hart *hart);
uint64_t abi_argument(const struct hart *hart, unsigned index);
void abi_set_argument(struct hart *hart, unsigned index, uint64_t value);
uint64_t abi_stack(const struct hart *hart);
void abi_set_stack(struct hart *hart, uint64_t address);
uint64_t abi_return_address(const struct hart *hart);
/* The call is done: the hart's pc is behind it. */
void abi_pass_call(struct hart *hart);
/* Likewise, with a result. */
void abi_answer(struct hart *hart, int64_t result);

/* ---- looking into a hart that stands still ---- */

/*
 * What a debugger is told of a run. All but the first are optional.
 */
struct debugger {
    void *context;
    /* A hart has stopped at a breakpoint of its kind. Returns true if it has
     * dealt with the hart (resumed it, or keeps it); false: the run ends with a
     * fault, as without a debugger. */
    bool (*stopped)(void *context, struct host *host, struct hart *hart);
    /* engine_run has returned, for any reason, or a run without timing is over.
     * True: it is to be called again. */
    bool (*goes_on)(void *context, enum engine_stop stop);
    /* Has it anything to look for after each cycle, or before each instruction
     * that is executed without timing? Asked before each engine_run, and each
     * turn of a hart. */
    bool (*watches)(void *context);
    /* The cycle in which engine_run is to return, CYCLE_NEVER: none. */
    uint64_t (*until)(void *context);
    /* So it does. False: engine_run returns. */
    bool (*still)(void *context, uint64_t now);
    /* A hart goes on behind a service, at its pc. */
    void (*resumed)(void *context, struct hart *hart);
    /* Without timing: a hart is about to execute an instruction. False: the run
     * is over. */
    bool (*next)(void *context, struct hart *hart);
    /* Its instruction has accessed memory. */
    void (*accessed)(void *context, struct hart *hart, uint64_t address,
                     unsigned size, bool load, bool store);
    /* Makes a system call about files, or gives the answer that the run got
     * when it was there before. */
    int64_t (*call)(void *context, syscall_function *call, struct hart *hart,
                    const uint64_t *args);
};

#endif
