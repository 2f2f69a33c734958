/*
 * What the units of one simulated machine share: the program, the memory
 * image, the harts and the bound scene. Made by sim/host before the chip is
 * built, handed to the units as the chip's context.
 *
 * Writable memory is touched only by the tile that owns the address, in the
 * modelled cycle; read-only ranges (text, scenes) are read in place by all.
 * Services (system calls) touch anything, as all tiles stand still then.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "sim/isa/isa.h"
#include "sim/units/common/work_order.h"

struct check_log;
struct corbel_scene;
struct machine;
struct request_log;
struct state;
struct stop_log;
struct trace_window;
struct unit;
struct work_log;

/* Guest addresses [start, end). */
struct range {
    uint64_t start, end;
};

/*
 * Memory that teams of harts share which run groups (runtime/common/group.c):
 * that of multiprocessor i, of the `harts` harts from i * harts on, is the
 * `bytes` bytes from start + i * bytes on. A core may keep that of its own
 * multiprocessor inside, where nothing else touches it. count 0: there is none.
 */
struct group_windows {
    uint64_t start, bytes;
    uint32_t harts, count;
};

/* All of them, and that of the hart's multiprocessor, which may be empty. */
static inline struct range group_windows_all(const struct group_windows *g)
{
    return (struct range){g->start, g->start + g->count * g->bytes};
}

static inline struct range group_window(const struct group_windows *g,
                                        uint32_t hart)
{
    uint32_t i = g->count ? hart / g->harts : 0;
    if (i >= g->count)
        return (struct range){0, 0};
    return (struct range){g->start + i * g->bytes,
                          g->start + (i + 1) * g->bytes};
}

#define MACHINE_RANGES 64

/*
 * What a family of units keeps for all of them (machine_share). A kind says
 * what else the host does to it, without knowing the family; each function is
 * optional and gets the machine, from which the family finds its context.
 */
struct shared_kind {
    /* Without timing: a kernel starts. */
    void (*launch)(struct machine *m);
    /* Without timing: why the machine cannot be saved now, NULL: it can. */
    const char *(*unsaved)(const struct machine *m);
    /* Saves, or loads behind memory, what the machine's memory and the units do
     * not hold. */
    void (*state)(struct machine *m, struct state *s);
    void (*free)(struct machine *m);
};

struct machine_shared {
    const struct shared_kind *kind;
    void *context;
};

#define MACHINE_SHARED 8

/* Why a hart left the model; the host acts on it. */
enum hart_event {
    HART_NONE,
    HART_ECALL,   /* registers as at the ecall; pc at the ecall */
    HART_EBREAK,  /* pc at the ebreak */
    HART_FAULT,   /* fault describes it; pc at the instruction */
    HART_TOHOST,  /* fault.value, of fault.size bytes, was stored to tohost */
    HART_FENCE_I, /* code may have changed; pc after the fence.i */
    HART_DONE,    /* the program of its kind of core has ended (core_kind.h) */
};

enum hart_state {
    HART_RUNNING,
    HART_PARKED,   /* waits for a launch */
    HART_JOINING,  /* waits until all others are parked, or for others of its
                      group */
    HART_SLEEPING, /* until a time, or until managed memory is back with the
                      host; see sim/host/run/hart_sleep.c, managed.c */
    HART_STOPPED,  /* after exit or a fault */
    HART_UNUSED,   /* takes no part in the run */
};

/* A hart as its thread processor and the host see it. */
struct hart {
    _Alignas(64) struct isa_hart isa;
    uint8_t *scratch;  /* machine.scratch_bytes; top of its private window */
    struct unit *core; /* the unit that runs it in timed mode */
    uint32_t slot;     /* which of the harts of that unit */
    uint8_t state;     /* enum hart_state; changed by services only */
    uint8_t event;     /* enum hart_event, why it asks for service */
    struct isa_effect fault;       /* HART_FAULT, HART_TOHOST */
    const struct unit *refused_by; /* HART_FAULT: the unit that could not serve
                                      an access, NULL: no unit was asked */
    const char *refusal; /* without timing: why, in a few words; NULL: there is
                            nothing to say */
};

struct machine {
    uint8_t *memory; /* host address of guest address 0; sparse */
    uint64_t ram_start, ram_end;
    uint64_t
        set_aside; /* the last bytes of it, which units keep for themselves */
    uint32_t work_index; /* without timing: the next one of the kernel */
    struct work_order work_order; /* of the kernel, with timing */
    struct isa_profile profile;   /* xlen: the program's */
    bool isa_given; /* the profile stands, whatever the cores' parameters say */
    bool log_commits; /* the cores keep records for the log of commits */
    const struct trace_window *traces; /* [TRACE_KINDS] of watched cores, NULL:
                                          there are none (hart_trace.h) */
    bool one_by_one; /* the cores issue each instruction in its cycle, none
                        ahead of it, as they do with log_commits */

    struct range read_only[MACHINE_RANGES]; /* stores fault, read in place */
    unsigned read_only_count;

    struct group_windows groups; /* of the kernel that runs, or begins next */

    /* Where instructions may be fetched. */
    struct range executable[MACHINE_RANGES];
    unsigned executable_count;

    /*
     * Decoded instructions of the text range, which holds all that is
     * executable, one per 2 bytes. Length 0: not executable, or 0s. If
     * text_changes, the host decodes anew at a fence.i.
     */
    const struct isa_insn *text;
    struct range text_range;
    bool text_changes;

    /* Other than 0: runs without timing end soon, as at their limit. NULL:
     * nothing interrupts them. */
    const volatile int *interrupted;

    /* Addresses of HTIF's words of 64 bits, those of one program, 0: none. */
    uint64_t tohost, fromhost;

    bool log_transfers; /* units that move pages keep events (paging_role.h) */

    bool check_memory; /* there will be check_logs: the cores keep the cycles of
                          loads for them */
    struct check_log *check_logs; /* [tile], NULL: memory is not checked */

    struct stop_log *stop_logs; /* [tile], NULL: no debugger is there */

    struct request_log
        *request_logs; /* [tile], NULL: requests are not traced */

    struct work_log *work_logs; /* [tile], NULL: costs of work are not kept */

    struct hart *harts;
    unsigned hart_count;
    uint64_t scratch_bytes; /* for each hart, 0: no scratch memory */
    uint8_t *scratch;       /* that of all harts, by number */

    const struct corbel_scene *scene; /* bound to the RT cores, NULL: none */
    uint64_t scene_address;
    struct range treelets;  /* of the bound scene; end 0: it has none */
    uint32_t treelet_bytes; /* each of them, one after the other */
    struct range frame;     /* the picture that kernels write; empty: none */

    struct machine_shared shared[MACHINE_SHARED]; /* machine_share */
};

/* While the chip is built: a unit keeps that many more bytes of RAM, which
 * begin as many before its end as this returns. Programs may not write there.
 */
uint64_t machine_set_aside(struct machine *m, uint64_t bytes);

/* Registers what a family shares, in the place of what it had of that kind;
 * NULL: no more. While the chip is built or taken apart, or before. */
void machine_share(struct machine *m, const struct shared_kind *kind,
                   void *context);

/* What the kinds of all that is registered do. */
void machine_shared_launch(struct machine *m);
const char *machine_shared_unsaved(const struct machine *m);
void machine_shared_state(struct machine *m, struct state *s);
void machine_shared_free(struct machine *m);

/* What is registered, NULL: nothing. */
static inline void *machine_shared(const struct machine *m,
                                   const struct shared_kind *kind)
{
    unsigned i = 0;
    while (i + 1 < MACHINE_SHARED && m->shared[i].kind &&
           m->shared[i].kind != kind)
        i++;
    return m->shared[i].kind == kind ? m->shared[i].context : NULL;
}

/* Guest address -> host. The caller has checked the range. */
static inline uint8_t *machine_at(const struct machine *m, uint64_t address)
{
    return m->memory + address;
}

static inline bool machine_in_ram(const struct machine *m, uint64_t address,
                                  uint64_t bytes)
{
    return address >= m->ram_start && address < m->ram_end &&
           bytes <= m->ram_end - address;
}

/* The bits of a guest address. */
static inline uint64_t machine_address_mask(const struct machine *m)
{
    return m->profile.xlen == 32 ? UINT32_MAX : UINT64_MAX;
}

/* True if instructions may be fetched from all bytes. */
bool machine_executable(const struct machine *m, uint64_t address,
                        uint64_t bytes);

static inline bool machine_is_interrupted(const struct machine *m)
{
    return m->interrupted && *m->interrupted;
}

/* Is the store within tohost? */
static inline bool machine_is_tohost(const struct machine *m, uint64_t address)
{
    return m->tohost && address - m->tohost < 8;
}

/* The first byte of an access that may not be made: what mtval is told. */
uint64_t machine_refused(const struct machine *m, const struct hart *h,
                         uint64_t address, uint64_t bytes, bool store);

/* True if no byte of the access may be written by the program. */
bool machine_read_only(const struct machine *m, uint64_t address,
                       uint64_t bytes);

/* Cause of the fault of an access (enum isa_access) to memory, 0: it may be
 * made. Scratch memory is not looked at. */
static inline uint32_t machine_access_cause(const struct machine *m,
                                            uint8_t access, uint64_t address,
                                            uint64_t bytes)
{
    bool load = access == ISA_LOAD || access == ISA_LR;
    if (!machine_in_ram(m, address, bytes))
        return load ? ISA_CAUSE_LOAD_FAULT : ISA_CAUSE_STORE_FAULT;
    if (!load && machine_read_only(m, address, bytes))
        return ISA_CAUSE_STORE_FAULT;
    return 0;
}

/* The bytes of an access to scratch memory, NULL: it lies outside. mask: bits
 * of an address. */
static inline uint8_t *scratch_at(uint8_t *scratch, uint64_t scratch_bytes,
                                  uint64_t mask, uint64_t address,
                                  uint64_t bytes)
{
    uint64_t depth = (0 - address) & mask;
    return depth <= scratch_bytes && bytes <= depth
               ? scratch + (scratch_bytes - depth)
               : NULL;
}

/*
 * The scratch bytes of a hart at a guest address, or NULL if the address lies
 * outside its scratch memory. Scratch is the top scratch_bytes of 2^xlen.
 */
static inline uint8_t *hart_scratch(const struct machine *m,
                                    const struct hart *h, uint64_t address,
                                    uint64_t bytes)
{
    return scratch_at(h->scratch, m->scratch_bytes, machine_address_mask(m),
                      address, bytes);
}

/* RAM but for what scratch memory, the last bytes of the address space, hides.
 */
struct range machine_plain(const struct machine *m);

#endif
