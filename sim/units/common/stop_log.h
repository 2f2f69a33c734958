/*
 * What harts do at instructions that a debugger has marked (ISA_MARK): where
 * they have come to, and what they access. Each tile notes that in a log of its
 * own, which the host empties while all tiles stand still. What is not marked
 * costs nothing, and a note changes nothing of the run.
 */
#ifndef SIM_STOP_LOG_H
#define SIM_STOP_LOG_H

#include "sim/core/unit.h"
#include "sim/units/common/machine.h"

enum stop_kind {
    STOP_CAME,   /* the hart's next instruction is marked */
    STOP_ACCESS, /* it executes a marked access */
};

struct stop_record {
    uint64_t address; /* STOP_ACCESS */
    uint32_t hart;
    uint8_t kind;   /* enum stop_kind */
    uint8_t access; /* enum isa_access */
    uint8_t size;   /* bytes */
};

/* Of one tile. Zeroed: empty. */
struct stop_log {
    struct stop_record *records;
    uint32_t count, room;
};

void stop_log_add(struct stop_log *log, const struct stop_record *record);

static inline void stop_note(const struct machine *m, const struct unit *u,
                             struct stop_record record)
{
    if (m->stop_logs)
        stop_log_add(&m->stop_logs[unit_tile_number(u)], &record);
}

#endif
