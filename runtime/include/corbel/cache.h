/*
 * What a kernel may tell the caches. Natively the functions access memory and
 * do nothing else; no result depends on them.
 *
 *   corbel_cache_clean(p)  the block of CORBEL_BLOCK bytes that holds *p is
 *                          written back to memory, from all caches on the way
 *   corbel_cache_flush(p)  the same, and the caches forget it
 *   corbel_cache_inval(p)  on these chips as flush: nothing that was stored is
 *                          lost
 *
 *   corbel_load_p1(p), corbel_store_p1(p, v)
 *       one word that will not be needed again soon: the first cache does not
 *       keep it. _pall: no private cache (on these chips the first one), _s1:
 *       nor the first shared one, _all: no cache.
 *
 * They are Zicbom and Zihintntl of RISC-V; a fence waits for the former. A core
 * without Zicbom (ext_zicbom = 0) has no clean, flush and inval: they are
 * illegal there.
 */
#ifndef CORBEL_CACHE_H
#define CORBEL_CACHE_H

#include <stdint.h>

#define CORBEL_BLOCK 64

#ifdef __riscv

/* Written as numbers: assemblers know the names only with the extensions. */
#define CORBEL_CACHE_BLOCK(name, kind)                                         \
    static inline void corbel_cache_##name(const void *p)                      \
    {                                                                          \
        __asm__ volatile(".insn i 0x0f, 2, x0, %0, " #kind                     \
                         :                                                     \
                         : "r"(p)                                              \
                         : "memory");                                          \
    }

#define CORBEL_CACHE_HINT(level, reg)                                          \
    static inline uint32_t corbel_load_##level(const uint32_t *p)              \
    {                                                                          \
        uint32_t value;                                                        \
        __asm__ volatile("add x0, x0, " #reg "\n\tlw %0, %1"                   \
                         : "=r"(value)                                         \
                         : "m"(*p));                                           \
        return value;                                                          \
    }                                                                          \
    static inline void corbel_store_##level(uint32_t *p, uint32_t value)       \
    {                                                                          \
        __asm__ volatile("add x0, x0, " #reg "\n\tsw %1, %0"                   \
                         : "=m"(*p)                                            \
                         : "r"(value));                                        \
    }

#else

#define CORBEL_CACHE_BLOCK(name, kind)                                         \
    static inline void corbel_cache_##name(const void *p)                      \
    {                                                                          \
        (void)p;                                                               \
    }

#define CORBEL_CACHE_HINT(level, reg)                                          \
    static inline uint32_t corbel_load_##level(const uint32_t *p)              \
    {                                                                          \
        return *p;                                                             \
    }                                                                          \
    static inline void corbel_store_##level(uint32_t *p, uint32_t value)       \
    {                                                                          \
        *p = value;                                                            \
    }

#endif

CORBEL_CACHE_BLOCK(inval, 0)
CORBEL_CACHE_BLOCK(clean, 1)
CORBEL_CACHE_BLOCK(flush, 2)
CORBEL_CACHE_HINT(p1, x2)
CORBEL_CACHE_HINT(pall, x3)
CORBEL_CACHE_HINT(s1, x4)
CORBEL_CACHE_HINT(all, x5)

#undef CORBEL_CACHE_BLOCK
#undef CORBEL_CACHE_HINT

#endif
