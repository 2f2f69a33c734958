/*
 * Fast execution of one hart without timing, over a flat memory: what
 * `sim-run --functional` and the differential tests run. Several harts share
 * the code and the memory when they take turns on one host thread.
 */
#ifndef SIM_ISA_FUNCTIONAL_H
#define SIM_ISA_FUNCTIONAL_H

#include "sim/isa/commit.h"

/* A part of the address space. */
struct isa_range {
    uint64_t start, end; /* addresses, end exclusive */
};

/*
 * Guest address space: [start, end) lies at base + address on the host, and
 * the last scratch_size bytes of the address space (2^xlen) at scratch.
 * Everything else faults, stores to a read-only range and
 * fetches from outside the executable ones too. The caller owns
 * what the pointers point to, and sets scratch before it runs another hart.
 */
struct isa_memory {
    uint8_t *base; /* host address of guest address 0, itself never touched */
    uint64_t start, end;
    uint8_t *scratch;
    uint64_t scratch_size;
    const struct isa_range *read_only, *executable;
    size_t read_only_count, executable_count; /* 0 executable: all of it */
    /* There is no memory for decoded code; does not return. NULL: abort(). Set
     * before isa_code_create. */
    void (*lacks)(size_t bytes);
    /* private: 32-byte granule that each hart has reserved by lr */
    uint64_t *reserved;
    unsigned harts, reservations;
};

/* harts: their ids are below it. False: out of memory. */
bool isa_memory_init(struct isa_memory *memory, uint8_t *base, uint64_t start,
                     uint64_t end, unsigned harts);
void isa_memory_free(struct isa_memory *memory);
/* No hart has anything reserved any longer. */
void isa_memory_unreserve(struct isa_memory *memory);

/*
 * Decoded instructions of a memory, filled as they are executed. Stores into
 * code are seen after fence.i, or isa_code_flush where the host wrote it.
 */
struct isa_code;
struct isa_code *
isa_code_create(const struct isa_memory *memory,
                const struct isa_profile *profile); /* NULL: out of memory */
void isa_code_flush(struct isa_code *code);
void isa_code_free(struct isa_code *code);

enum isa_stop {
    ISA_STOP_LIMIT,  /* limit instructions executed */
    ISA_STOP_ECALL,  /* pc at the ecall */
    ISA_STOP_EBREAK, /* pc at the ebreak */
    ISA_STOP_FAULT,  /* cause and tval in the effect, pc at the instruction */
    ISA_STOP_UNIT,   /* *unit is an instruction that a unit serves (served.h),
                        pc after it; the caller writes its registers */
};

/*
 * Runs at most limit instructions. instret and cycle both advance by one for
 * each, so that without a caller's clock rdcycle counts instructions. code must
 * be of the hart's profile and of the same memory. A fault is not taken by the
 * program's handler: isa_trap() does that.
 */
enum isa_stop isa_run(struct isa_hart *hart, struct isa_code *code,
                      struct isa_memory *memory, uint64_t limit,
                      struct isa_effect *effect, struct isa_insn *unit);

/*
 * isa_run with a limit of 1, by isa_execute, and what the instruction did. The
 * record is complete after ISA_STOP_LIMIT; after ISA_STOP_UNIT the caller calls
 * isa_commit_finish once it has written the registers.
 */
enum isa_stop isa_run_logged(struct isa_hart *hart, struct isa_code *code,
                             struct isa_memory *memory,
                             struct isa_effect *effect, struct isa_insn *unit,
                             struct isa_commit *commit);

#endif
