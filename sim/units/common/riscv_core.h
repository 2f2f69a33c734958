/*
 * What the kinds of cores that run RISC-V programs have in common as the host
 * sees them (core_kind.h): their harts are struct hart of the machine, whose
 * isa is right for a hart that stands still. A kind says where its harts are
 * and what they lack (first_hart, lacks), starts and resumes them.
 */
#ifndef SIM_RISCV_CORE_H
#define SIM_RISCV_CORE_H

#include "sim/core/core_kind.h"
#include "sim/units/common/machine.h"
#include <elf.h>

/* ---- how they are built ---- */

/*
 * Does each port of requests have as many links as that of their answers, and
 * is there one to memory? In the table of ports the answers come first and the
 * requests behind them in the same order, memory's first.
 */
bool riscv_core_linked(const struct unit *core, struct error *error);

/*
 * The harts of a core become the machine's next ones. All harts execute the
 * same program, decoded once, with as much scratch memory: extension: by enum
 * isa_extension, and scratch are those of the core's parameters.
 */
bool riscv_core_joins(struct machine *m, const int64_t *extension,
                      uint32_t harts, int64_t scratch, struct error *error);

/* ---- as the host sees them: what struct core_kind says of each ---- */

const char *riscv_core_refuses(unsigned elf_flags);
void riscv_core_loaded(struct unit *core);
void riscv_core_code_changed(struct unit *core);
void riscv_core_reset(struct unit *core, unsigned slot, uint64_t pc);
void riscv_core_slept(struct unit *core, unsigned slot, uint64_t cycles);
uint64_t riscv_core_pc(const struct unit *core, unsigned slot);
uint64_t riscv_core_read(const struct unit *core, unsigned slot,
                         unsigned number);
bool riscv_core_write(struct unit *core, unsigned slot, unsigned number,
                      uint64_t value);
uint64_t riscv_core_instructions(const struct unit *core, unsigned slot);
bool riscv_core_trap(struct unit *core, unsigned slot);
void riscv_core_fault(const struct unit *core, unsigned slot,
                      struct core_fault *fault);
unsigned riscv_core_disassemble(const struct unit *core, uint64_t pc,
                                char *text, size_t size);
bool riscv_core_breakpoint(struct unit *core, uint64_t pc, bool set);
bool riscv_core_mark(struct unit *core, uint64_t pc, bool set);
void riscv_core_mark_accesses(struct unit *core, bool set);
enum core_step riscv_core_step(struct unit *core, unsigned slot);
extern const char *const riscv_core_registers[];
extern const struct core_abi riscv_core_abi;

/* Members of a struct core_kind; SHARED: but for those of a running hart, and
 * what is known of the program when it is loaded. */
#define RISCV_CORE                                                             \
    RISCV_CORE_SHARED, .loaded = riscv_core_loaded, .pc = riscv_core_pc,       \
                       .instructions = riscv_core_instructions
#define RISCV_CORE_SHARED                                                      \
    .name = "RISC-V", .elf_machine = EM_RISCV, .refuses = riscv_core_refuses,  \
    .isa_harts = true, .registers = riscv_core_registers,                      \
    .abi = &riscv_core_abi, .code_changed = riscv_core_code_changed,           \
    .reset = riscv_core_reset, .slept = riscv_core_slept,                      \
    .read = riscv_core_read, .write = riscv_core_write,                        \
    .trap = riscv_core_trap, .fault = riscv_core_fault,                        \
    .disassemble = riscv_core_disassemble,                                     \
    .breakpoint = riscv_core_breakpoint, .mark = riscv_core_mark,              \
    .mark_accesses = riscv_core_mark_accesses, .step = riscv_core_step

#endif
