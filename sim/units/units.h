/* The kinds of units that chips are made of. */
#ifndef SIM_UNITS_H
#define SIM_UNITS_H

#include "sim/core/chip.h"

/* Each is NAME_kind, of a file that begins with NAME in one of the rooms. */
#define UNIT_KINDS(X)                                                          \
    X(tp)                                                                      \
    X(simt)                                                                    \
    X(sfu)                                                                     \
    X(scheduler)                                                               \
    X(workcounter)                                                             \
    X(cache)                                                                   \
    X(memory)                                                                  \
    X(dram)                                                                    \
    X(rtcore)                                                                  \
    X(tlb)                                                                     \
    X(gmmu)                                                                    \
    X(pcie)                                                                    \
    X(stager)                                                                  \
    X(scenebuffer)                                                             \
    X(hitupdater)                                                              \
    X(streamscheduler)                                                         \
    X(raystore)                                                                \
    X(raygate)                                                                 \
    X(rtp_patcher)                                                             \
    X(rtp_controller)                                                          \
    X(rtp_dispatcher)                                                          \
    X(rtp_core)                                                                \
    X(rtp_memory)                                                              \
    X(rtp_buffer)                                                              \
    X(rtp_intersector)                                                         \
    X(rtp_triangles)

#define UNIT_KIND(name) extern const struct unit_kind name##_kind;
UNIT_KINDS(UNIT_KIND)

/* All of them, NULL-terminated: the argument of chip_new. */
extern const struct unit_kind *const unit_kinds[];

#endif
