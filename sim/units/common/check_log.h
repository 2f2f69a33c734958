/*
 * What loads and stores leave for the check of memory (--check-memory).
 *
 * Each tile writes records into a log of its own, in the order of its cycles;
 * sim/host merges them while all tiles stand still, keeps a functional memory
 * and compares. Without the option there are no logs, and a note costs one
 * test of a pointer.
 */
#ifndef SIM_CHECK_LOG_H
#define SIM_CHECK_LOG_H

#include "sim/core/unit.h"
#include "sim/units/common/machine.h"

/*
 * Atomics (lr, sc, amo) leave CHECK_OLD and CHECK_PERFORMED only, plain
 * accesses all but CHECK_OLD; an access in parts a record for each part. An
 * atomic that a copy performs leaves CHECK_STORE instead of CHECK_PERFORMED.
 * Those of the owner come in the cycle in which memory is read or written.
 */
enum check_kind {
    CHECK_STORE,     /* a processor issues a store; harts of its first cache may
                        see the value from now on */
    CHECK_LOAD,      /* a load is answered: value is what its hart gets */
    CHECK_PERFORMED, /* the owner writes value to memory; mask: 0 of a store, 1
                        of an atomic (also of an sc that succeeds) */
    CHECK_UPDATED,   /* the same for 8 bytes of a write-back, mask says which;
                        or a copy shows the host what it keeps dirty */
    CHECK_OLD,       /* the value before an lr or amo, as answered */
    CHECK_DROPPED,   /* a cache has dropped its copies of writable data; size
                        not 0: only some of them */
};

struct check_record {
    uint64_t cycle;
    uint64_t issued; /* CHECK_LOAD: cycle in which it was issued */
    uint64_t pc;     /* CHECK_LOAD: of the instruction; 0: unknown */
    uint64_t addr;
    uint64_t value;
    uint32_t hart;
    uint32_t unit;  /* number in the chip of the unit that notes it */
    uint8_t kind;   /* enum check_kind */
    uint8_t size;   /* bytes, 1..8 */
    uint8_t mask;   /* CHECK_UPDATED: bytes; CHECK_PERFORMED: of an atomic;
                       CHECK_LOAD: may have been issued later than said */
    uint8_t served; /* CHECK_LOAD: MEM_DEPTH and MEM_JOINED of the answer */
};

/* Of one tile. Zeroed: empty. */
struct check_log {
    struct check_record *records;
    uint32_t count, room;
};

/* Appends a record; cycle and unit are filled in. */
void check_log_add(struct check_log *log, const struct unit *u,
                   const struct check_record *record);

/* Notes a record if memory is being checked. */
static inline void check_note(const struct machine *m, const struct unit *u,
                              const struct check_record *record)
{
    if (m->check_logs)
        check_log_add(&m->check_logs[unit_tile_number(u)], u, record);
}

#endif
