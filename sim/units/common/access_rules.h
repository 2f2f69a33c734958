/*
 * What the instruction set says of a hart's accesses beyond their address: the
 * order among them, caches that they bypass, and what an atomic does to bytes
 * that the core itself holds.
 */
#ifndef SIM_ACCESS_RULES_H
#define SIM_ACCESS_RULES_H

#include "sim/isa/isa.h"
#include <string.h>

/* Bits of atomics that ask for order. */
enum { ACCESS_RELEASE = 1 << 25, ACCESS_ACQUIRE = 1 << 26 };

/* Must the hart's earlier accesses end before the instruction? */
static inline bool begins_after_others(const struct isa_insn *insn)
{
    return insn->cls == ISA_CLASS_amo && insn->raw & ACCESS_RELEASE;
}

/*
 * Must the access end before the hart's later ones? The L2 may do a later one
 * that hits before an earlier one that misses. It must not where the program
 * asked for order, nor between two lr, of which the later would lose its
 * reservation.
 */
static inline bool ends_before_others(const struct isa_insn *insn,
                                      uint8_t access)
{
    return access == ISA_LR || access == ISA_SC ||
           (access > ISA_SC && insn->raw & ACCESS_ACQUIRE);
}

/* Levels of cache that the access right behind a hint bypasses (Zihintntl).
 * There is one private cache. */
static inline uint8_t hinted_bypass(const struct isa_insn *hint)
{
    static const uint8_t levels[32] = {[ISA_NTL_P1] = 1,
                                       [ISA_NTL_PALL] = 1,
                                       [ISA_NTL_S1] = 2,
                                       [ISA_NTL_ALL] = 3};
    return levels[hint->rs2];
}

/* 1, 2, 4 or 8 bytes that the core holds. */
static inline uint64_t access_bytes(const uint8_t *at, unsigned size)
{
    uint64_t eight;
    uint32_t four;
    uint16_t two;
    switch (size) {
    case 8:
        memcpy(&eight, at, sizeof eight);
        return eight;
    case 4:
        memcpy(&four, at, sizeof four);
        return four;
    case 2:
        memcpy(&two, at, sizeof two);
        return two;
    default:
        return *at;
    }
}

/* Does an access other than a store to bytes that the core holds. Returns what
 * the hart's register gets; an sc has its reservation. */
static inline uint64_t access_in_core(uint8_t *at, uint8_t access,
                                      unsigned size, uint64_t operand)
{
    uint64_t value = access_bytes(at, size);
    if (access == ISA_SC) {
        memcpy(at, &operand, size);
        return 0;
    }
    if (access > ISA_SC) {
        uint64_t result = isa_amo(access, size, value, operand);
        memcpy(at, &result, size);
    }
    return value;
}

#endif
