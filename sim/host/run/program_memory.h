/*
 * The program's memory: one sparse mapping, so that a guest address is an
 * offset into it and pages cost nothing until they are touched.
 *
 *   ram_start                                                       ram_end
 *   | boot block | program | heap -> <- scenes | main's stack | kernel stacks |
 *
 * Kernel stacks are there if the harts have no scratch memory. Scenes, stacks
 * and, between them, the harts' thread-local variables are taken from the top
 * downwards, before and while the program runs; the heap may grow up to the
 * lowest of them.
 */
#ifndef SIM_HOST_RUN_PROGRAM_MEMORY_H
#define SIM_HOST_RUN_PROGRAM_MEMORY_H

#include "sim/core/error.h"
#include "sim/units/common/machine.h"

#define PAGE 4096u
#define STACK_BYTES (16u << 20)        /* of hart 0, for main() */
#define KERNEL_STACK_BYTES (64u << 10) /* in DRAM, without scratch memory */
#define GUARD_BYTES (1u << 20)         /* below the stacks: stores fault */
#define MEMORY_DEFAULT_END ((4ull << 30) - (16u << 20))
/* rv32 keeps the top for the harts' scratch windows. */
#define MEMORY_RV32_END ((4ull << 30) - (1u << 20))

static inline uint64_t page_down(uint64_t address)
{
    return address / PAGE * PAGE;
}

static inline uint64_t page_up(uint64_t address)
{
    return page_down(address + PAGE - 1);
}

/* Where the part of RAM ends that programs have. */
static inline uint64_t memory_end(const struct machine *m)
{
    return m->ram_end - page_up(m->set_aside);
}

/* Reserves memory for guest addresses below end. */
bool memory_reserve(struct machine *m, uint64_t end, struct error *error);
void memory_release(struct machine *m);

/* Stores to [start, end) fault from now on. */
bool memory_protect(struct machine *m, uint64_t start, uint64_t end,
                    struct error *error);

/* All of [start, end) will be used, in any order: the host's large pages, if it
 * has some, are found faster. */
void memory_dense(struct machine *m, uint64_t start, uint64_t end);

/*
 * The bytes of a hart's memory or its scratch memory for the host to read or
 * write; NULL if the program itself could not access all of them.
 */
uint8_t *memory_for_reading(struct machine *m, const struct hart *h,
                            uint64_t address, uint64_t bytes);
uint8_t *memory_for_writing(struct machine *m, const struct hart *h,
                            uint64_t address, uint64_t bytes);

/* The string at an address if it ends within size bytes, else NULL. */
const char *memory_string(struct machine *m, const struct hart *h,
                          uint64_t address, uint64_t size);

/* Calls visit for each page that may hold a byte that is not 0, in order. */
void memory_pages(const struct machine *m,
                  void (*visit)(void *context, uint64_t address,
                                const uint8_t *page),
                  void *context);

#endif
