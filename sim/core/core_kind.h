/*
 * What the host asks of a unit that runs programs: a core. A kind of unit that
 * is one points to a struct core_kind (unit_kind.core), and all that the host
 * knows of an instruction set stands there: which programs it runs, its
 * registers by name, how a call passes its arguments, what a fault was.
 *
 * A core has harts, numbered 0, 1, ... ("slot"). A hart runs until it asks for
 * service with unit_service(core, slot); from then on it stands still until
 * start or resume. All functions here are called while all tiles stand still,
 * those on state only for a hart that stands still.
 */
#ifndef SIM_CORE_KIND_H
#define SIM_CORE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chip;
struct code_profile;
struct commit_queue;
struct error;
struct isa_insn;
struct unit;

/* Arguments of a system call, the number apart. */
#define CORE_ARGUMENTS 6

#define CORE_STORES 1ull

/* The pc's number; of the other registers, the place of its name. */
#define CORE_PC 0

/*
 * The calling convention that programs for the core are built by, as numbers of
 * registers; CORE_PC: it has none for the purpose.
 */
struct core_abi {
    unsigned number, arguments[CORE_ARGUMENTS], result; /* of a call */
    unsigned stack, return_address;
    unsigned call_bytes; /* of the instruction that makes a call */
};

enum core_fault_kind {
    CORE_FAULT_LOAD,  /* by the memory, at address */
    CORE_FAULT_STORE, /* likewise */
    CORE_FAULT_JUMP,  /* to address, where there is no code */
    CORE_FAULT_OTHER, /* text says which */
};

struct core_fault {
    enum core_fault_kind kind;
    uint64_t address;
    const struct unit *by; /* LOAD, STORE: the unit that refused the access,
                              NULL: no unit was asked */
    const char *why;       /* LOAD, STORE: it was refused, NULL: see there */
    char text[320];
};

enum core_step {
    CORE_STEPPED, /* the instruction was executed */
    CORE_SERVICE, /* it asks the host for something; the hart's event says what,
                     its pc is at the instruction */
    CORE_UNIT,    /* another unit would have to do it; nothing has happened */
};

/* ---- kinds that load their programs themselves ---- */

/* What the ELF file has for memory (PT_LOAD), of at least one byte. */
struct core_segment {
    uint64_t address, memory_bytes; /* p_paddr; those behind the file's are 0 */
    const uint8_t *data;            /* file_bytes, at most memory_bytes */
    uint64_t file_bytes;
    bool writable, executable;
};

/* An option that such a kind takes behind the ELF file: --NAME VALUE. */
struct core_option {
    const char *name, *argument, *meaning; /* argument: "N", "FILE", ... */
    uint64_t least, greatest;              /* of a number; greatest 0: a text */
};

/* An option's value, as it was given last. text NULL: it was not given. */
struct core_value {
    const char *text;
    uint64_t number;
};

/* An ELF file that has been checked: machine, class, byte order and flags are
 * the kind's, its headers and segments lie within the file. */
struct core_program {
    const char *path;
    const uint8_t *file;
    size_t file_bytes;
    uint64_t entry;
    const struct core_segment *segments; /* none overlaps another */
    unsigned segment_count;
    const struct core_value *values; /* of the kind's options, in their order */
};

/* How a program ended that was executed without timing. */
enum core_end {
    CORE_ENDED,   /* by itself */
    CORE_FAULTED, /* at a pc; the error says why */
    CORE_STUCK,   /* likewise: it waits for what can never be */
    CORE_LIMIT,   /* after as many instructions as it might execute */
};

struct core_kind {
    const char *name;     /* of the instruction set */
    unsigned elf_machine; /* e_machine of programs for it */
    unsigned elf_bits;    /* 32 or 64, their ELF class; 0: either */
    /* Why programs with these e_flags do not run on it, NULL: they do
     * (optional: all do). */
    const char *(*refuses)(unsigned elf_flags);
    /* The preset that runs such programs if no chip is named (optional: as
     * docs/reference/sim-run.md says). */
    const char *chip;
    /* struct hart's isa (sim/units/common/machine.h) is the state of the harts,
     * and sim/isa executes them without timing. */
    bool isa_harts;
    /* A chip has few such cores: statistics tell each of them alone. */
    bool few;
    /* Names of all registers by number, NULL-terminated; "pc" is the first. */
    const char *const *registers;
    const struct core_abi *abi;

    unsigned (*harts)(const struct unit *core);
    /* Bytes of memory that a group of a grid may have on the core's
     * multiprocessor (optional: CORBEL_GROUP_MEMORY). */
    uint64_t (*group_memory)(const struct unit *core);
    /* Groups are run by teams of `harts` harts. A team begins at a hart whose
     * number within the multiprocessor is a multiple of this (optional: of
     * `harts`). */
    unsigned (*group_step)(const struct unit *core, unsigned harts);
    /* How many such teams the multiprocessor runs at a time, if their groups
     * have `memory` bytes each (optional: as many as it has harts for). */
    unsigned (*group_teams)(const struct unit *core, unsigned harts,
                            uint64_t memory);
    /* The number of the first of them in the machine (only where isa_harts). */
    unsigned (*first_hart)(const struct unit *core);

    /* ---- running ---- */

    /*
     * Puts the program where the kind's cores find it, before the first cycle;
     * called once. An error that is about an option begins with "--NAME".
     * Optional: the host copies the segments into the machine's memory, gives
     * the program arguments, stack and heap, and serves its calls. A kind that
     * loads gets none of these. It ends its program by an event HART_DONE of
     * any of its harts.
     */
    bool (*load)(struct chip *chip, const struct core_program *program,
                 struct error *error);
    /* How many pieces of work the loaded program has, of which units count
     * those that are done (TOLD_DONE): for the status line of a timed run
     * (optional; only of kinds that load). */
    uint64_t (*work)(const struct chip *chip);
    /* What load takes of the command line (optional: nothing). */
    const struct core_option *options;
    unsigned option_count;
    /* The run is over, however it ended: writes the files that the options ask
     * for (optional; only of kinds that load). */
    bool (*finish)(struct chip *chip, const struct core_program *program,
                   struct error *error);
    /* Goes on with a hash (runtime/include/corbel/hash.h) by what the program
     * has left in the kind's units: memories and results, not statistics
     * (optional; only of kinds that load). */
    uint64_t (*hash)(struct chip *chip, uint64_t hash);
    /* Runs what was loaded to its end without timing, for most instructions of
     * all its harts at most; pc: of the last one (optional; only of kinds that
     * load). */
    enum core_end (*functional)(struct chip *chip, uint64_t most, uint64_t *pc,
                                struct error *error);

    /* The program lies in memory or was loaded, and all harts exist: before the
     * first cycle, called for each core that runs it (optional). */
    void (*loaded)(struct unit *core);
    /* The program may have changed its code; a hart of this core says so
     * (optional: none ever does). */
    void (*code_changed)(struct unit *core);
    /* The hart is as after reset: registers 0 (of a kind that loads: as load
     * left them), but for the pc. */
    void (*reset)(struct unit *core, unsigned slot, uint64_t pc);
    /* The hart goes on at its pc in cycle now. start: into a kernel or behind
     * the launch of one, when all caches have dropped their copies at once;
     * resume: behind any other service. Not called in functional runs. */
    void (*start)(struct unit *core, unsigned slot, uint64_t now);
    void (*resume)(struct unit *core, unsigned slot, uint64_t now);
    /* The hart waits for the next kernel, until start (optional). */
    void (*park)(struct unit *core, unsigned slot, uint64_t now);
    /* Functional runs: the hart has slept for `cycles` cycles (optional). */
    void (*slept)(struct unit *core, unsigned slot, uint64_t cycles);

    /* ---- state ---- */

    uint64_t (*pc)(const struct unit *core, unsigned slot);
    /* The bits of a register that there is, those above its width 0. write:
     * false, it cannot be written. */
    uint64_t (*read)(const struct unit *core, unsigned slot, unsigned number);
    bool (*write)(struct unit *core, unsigned slot, unsigned number,
                  uint64_t value);
    /* Instructions that the hart has executed. */
    uint64_t (*instructions)(const struct unit *core, unsigned slot);

    /* The unit that serves the instruction, without timing by its kind's state;
     * NULL: the core has none for it (only where isa_harts). */
    struct unit *(*server)(const struct unit *core,
                           const struct isa_insn *insn);
    /* Writes what the core lacks to execute the instruction, in a few words;
     * false: no unit would serve it (only where isa_harts). */
    bool (*lacks)(const struct unit *core, const struct isa_insn *insn,
                  char *text, size_t size);

    /* ---- what it asked for ---- */

    /* Enters the program's own handler for what the hart stopped for. False:
     * the program has none, and nothing has happened (optional). */
    bool (*trap)(struct unit *core, unsigned slot);
    /* Describes the fault, or the breakpoint, that the hart stopped for. */
    void (*fault)(const struct unit *core, unsigned slot,
                  struct core_fault *fault);

    /* What the harts of a core have executed, for the log of commits; NULL if
     * no log is kept (optional: the kind keeps none). */
    struct commit_queue *(*commits)(struct unit *core);
    /* Where the harts of a watched core (unit_kind.watched) spent their cycles;
     * cores may share one. NULL: it is not watched (optional: the kind cannot
     * be). */
    struct code_profile *(*profile)(struct unit *core);

    /* Harts execute instructions and yet none of them can ever get on, as far
     * as the core saw in the last `cycles` before now, or in more: writes which
     * these are, and where. False: there are none (optional: there never are).
     */
    bool (*stuck)(struct unit *core, uint64_t now, uint64_t cycles, char *text,
                  size_t size);

    /* ---- looking into it ---- */

    /* Text of the instruction at an address, "" if there is none. Returns its
     * length in bytes, 0: there is none. */
    unsigned (*disassemble)(const struct unit *core, uint64_t pc, char *text,
                            size_t size);
    /* Timed runs: harts stop with HART_EBREAK before they execute the
     * instruction at this address, or, if not set, no longer. False: there is
     * no code. It holds for all cores of the kind, from the next cycle in which
     * an instruction is fetched there. */
    bool (*breakpoint)(struct unit *core, uint64_t pc, bool set);
    /*
     * Timed runs: marks the instruction at this address, or all accesses to
     * memory, or no longer. Harts are told of in the machine's stop_logs
     * (sim/units/common/stop_log.h) when they come to it, or execute it, and do
     * not stop: nothing of the run changes. It holds for all cores of the kind.
     * False: there is no code. Optional: the kind cannot.
     */
    bool (*mark)(struct unit *core, uint64_t pc, bool set);
    void (*mark_accesses)(struct unit *core, bool set);
    /*
     * What a running hart has under way, so that registers and memory are not
     * yet as its pc says: registers to be written, as bits (n: number n + 1),
     * and, in bit 0, CORE_STORES, accesses that may write memory. (Where there
     * is mark.)
     */
    uint64_t (*awaited)(const struct unit *core, unsigned slot);
    /* Executes the instruction at the hart's pc at once, breakpoint or not, in
     * no simulated time; its accesses go to memory, not to caches. */
    enum core_step (*step)(struct unit *core, unsigned slot);
};

#endif
