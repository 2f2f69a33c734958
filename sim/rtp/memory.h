/*
 * The memory map. A load or store is either of the thread's own local memory,
 * whose words wrap within its 64 KiB, or of the constants, or of nothing.
 *
 * Bit 31 set: local memory, whatever thread bits 20:16 name. Else constants
 * from 0x20000000 on; with the original hardware's map (rtp_rules.rtl_map) any
 * such address reads constants, which repeat, and stores go to local memory.
 */
#ifndef SIM_RTP_MEMORY_H
#define SIM_RTP_MEMORY_H

#include "sim/rtp/rtp.h"

enum rtp_place {
    RTP_LOCAL,
    RTP_CONSTANT,
    RTP_NOWHERE, /* a load gives 0, a store is dropped */
};

enum rtp_place rtp_place(const struct rtp_rules *rules, uint32_t address,
                         bool store);

/* The constant at an address that is one. */
uint32_t rtp_constant(const struct rtp_rules *rules, const uint32_t *constants,
                      uint32_t address);

/* Accesses to the local memory of a thread, which has RTP_LOCAL_BYTES / 4
 * words; an access of 4 words wraps at its end. */
void rtp_local_read(const uint32_t *local, uint32_t address, unsigned words,
                    uint32_t data[4]);
void rtp_local_write(uint32_t *local, uint32_t address, unsigned words,
                     const uint32_t data[4]);

#endif
