/*
 * Requests to memory whose answers chosen units have taken in a window of
 * cycles, with their legs (trip_legs.h): sim-run --trace requests, in builds
 * with STALLS. The units of a tile share a log.
 */
#ifndef SIM_REQUEST_LOG_H
#define SIM_REQUEST_LOG_H

#include "sim/core/unit.h"
#include "sim/units/common/hart_trace.h"

struct request_record {
    uint64_t begun, ended; /* cycles: sent; its answer taken */
    uint64_t address;
    uint32_t unit, hart; /* numbers; hart: of a core's requests */
    uint8_t kind;        /* of the unit's trip_rows */
    uint8_t served;      /* enum trip_served */
    uint32_t legs[TRIP_LEGS];
};

struct request_log {
    const struct trace_window *window;
    const bool *units; /* by number: is it traced? */
    struct request_record *records;
    uint64_t count, room;
    uint64_t full; /* as in hart_trace.h */
};

/* A request's trip has ended. cycles: since it was sent. */
void request_log_add(struct request_log *log, const struct unit *u,
                     const struct msg *answer, const struct trip *trip,
                     uint8_t served, uint32_t cycles);

#endif
