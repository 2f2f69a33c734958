/*
 * A debugger attached to a run (--gdb), as the files of this room see it. It
 * looks at harts by the interface of their kind, while the chip stands still
 * between two cycles, or, without timing, between two instructions. The run is
 * never told to wait for it: all that it does is to stop looking at the clock
 * (docs/reference/gdb.md).
 */
#ifndef SIM_HOST_GDB_GDB_H
#define SIM_HOST_GDB_GDB_H

#include "sim/host/gdb/connection.h"
#include "sim/host/host.h"
#include "sim/host/run/cores.h"
#include <stdio.h>
#include <sys/types.h>

/* A breakpoint or watchpoint, by the number of its packet Z. */
enum break_kind { BREAK_SOFT, BREAK_HARD, BREAK_WRITE, BREAK_READ, BREAK_BOTH };

struct breakpoint {
    uint64_t address, length;
    uint8_t kind; /* enum break_kind */
    bool dropped; /* taken out; so gdb does, too, to step a hart over it */
    /* Conditions, one of which has to be true, as agent.h has them: for each
     * its length, a uint32_t, and its bytes. NULL: there is none. */
    uint8_t *conditions;
    size_t condition_bytes;
};

/* A hart has come to a breakpoint, or accessed what is watched. */
struct hit {
    unsigned hart;
    uint8_t kind;          /* enum break_kind, as gdb is told */
    uint64_t address;      /* watched; of a breakpoint: the pc */
    uint64_t instructions; /* that the hart had executed */
    bool unsure;           /* its condition reads what the hart waits for */
};

/* Where the run stands among the hits of a cycle, which are told one by one. */
enum key_side { KEY_BEFORE, KEY_AT, KEY_AFTER };
struct stop_key {
    uint64_t cycle;
    enum key_side side; /* of all of them, or: at the one that follows */
    bool passed;        /* behind that one */
    bool watch;
    unsigned hart;
    uint64_t address;
};

/* gdb's numbers of signals. */
enum { GDB_INT = 2, GDB_ILL = 4, GDB_TRAP = 5, GDB_SEGV = 11 };

/* What gdb wants the run to do. */
enum action {
    ACTION_GO,
    ACTION_STEP,  /* until `hart` has executed an instruction */
    ACTION_RANGE, /* and its pc is outside of [start, end) */
};

/* Where a hart stands in its program. */
struct place_of_hart {
    uint64_t pc, instructions;
};

/* A copy of the run in another process, in which the hart has waited for all
 * that it had under way (view.c). */
struct view {
    pid_t process; /* 0: there is none */
    int to, from;  /* pipes */
    unsigned hart;
};

/* What system calls did (calls.c). */
struct calls {
    int fd;
    uint64_t at; /* of it: the next call */
    bool notes;  /* one is being made */
    uint8_t *bytes;
    size_t count, room;
};

/* One register as gdb knows it. */
struct gdb_register {
    char name[24];
    uint8_t group; /* registers.c */
    uint8_t bits;
    unsigned number; /* in packets p and P */
    unsigned of;     /* of the group */
};

struct gdb {
    struct host *host;
    struct debugger debugger; /* how the run knows it */
    struct link link;
    bool attached; /* a client is there, and has not left */
    bool over;     /* the run is, whatever gdb may still ask */
    bool killed;

    unsigned current, looked_at; /* harts of Hc, and of Hg */
    bool names_hart;             /* Hc names one */
    enum action action;
    unsigned stepped;
    uint64_t range_start, range_end;
    struct place_of_hart from; /* of the hart that is stepped */
    struct place_of_hart told; /* of the hart that stopped last */
    uint64_t stop_cycle;       /* monitor stop cycle; CYCLE_NEVER: none */
    bool stops_launches;       /* monitor stop launch */
    unsigned launched;         /* the kernel that has begun, 0: none since */
    bool interrupted;          /* by ctrl-C, or as the client is gone */
    bool done;                 /* that hart has been stepped */
    bool noticed;              /* a hit that the run stops for */
    bool left;           /* what is due in the cycle is still to be done */
    struct stop_key key; /* where it stands */
    struct past *past;   /* the way back (back.h), NULL: there is none */
    struct calls calls;

    struct breakpoint *breaks;
    unsigned break_count, break_room;
    bool marks_accesses;
    struct stop_log *logs; /* [tile] */
    unsigned tiles;
    struct hit *hits; /* that gdb has not been told of, in their order */
    unsigned hit_count, hit_room;
    unsigned missed; /* harts that came by while another was stepped */

    unsigned *focus; /* harts that gdb is told of, ascending */
    unsigned focus_count;

    struct gdb_register *registers;
    unsigned register_count, general; /* those of the packet g come first */
    struct view view;

    char stop[256]; /* the last stop reply */
    char *reply;    /* PACKET_BYTES and more */
};

static inline struct hart *gdb_hart(const struct gdb *g, unsigned number)
{
    return &g->host->machine.harts[number];
}

static inline struct place_of_hart gdb_place(const struct gdb *g,
                                             unsigned number)
{
    const struct hart *h = gdb_hart(g, number);
    return (struct place_of_hart){hart_pc(h),
                                  core_of(h)->instructions(h->core, h->slot)};
}

/* ---- session.c ---- */

void session_debugger(struct gdb *g);
/* The run has not begun: serves gdb until it does. */
void session_begin(struct gdb *g);
/* The run stands: tells gdb why, unless it asks for that itself, and serves it.
 * False: the run is over. */
bool session_stand(struct gdb *g, bool tell);
/* Notes why the run stops here, if it does. */
bool session_stops_here(struct gdb *g);
/* As members of struct debugger. */
bool session_watches(const struct gdb *g);
bool session_still(struct gdb *g);
void session_note_stop(struct gdb *g, unsigned signal, unsigned hart,
                       const char *reason);
void session_note_hit(struct gdb *g, const struct hit *hit);
/* Takes what gdb sends while the run does not stand: ctrl-C, or nothing as it
 * has gone. */
void session_attend(struct gdb *g);
/* Now and then. */
void session_progress(struct gdb *g);
/* A kernel begins. */
void session_launched(struct gdb *g, unsigned number);

/* ---- registers.c ---- */

void registers_find(struct gdb *g);
/* target.xml, for free(). */
char *registers_description(const struct gdb *g);
/* Of the hart as it stands in this process. */
uint64_t register_value(const struct gdb *g, unsigned hart, unsigned place);
/* False: it cannot be written. */
bool register_write(struct gdb *g, unsigned hart, unsigned place,
                    uint64_t value);
/* The place of a register by its number, register_count: there is none. */
unsigned register_place(const struct gdb *g, unsigned number);

/* ---- program_bytes.c ---- */

/* How many bytes from there on could be read, or written. */
size_t memory_peek(const struct gdb *g, unsigned hart, uint64_t address,
                   void *to, size_t bytes);
size_t memory_poke(struct gdb *g, unsigned hart, uint64_t address,
                   const void *from, size_t bytes);
/* The memory map, for free(). */
char *memory_map(const struct gdb *g);

/* ---- view.c: registers and memory as the hart's program knows them ---- */

/* What the hart still waits for, as core_kind.awaited says. */
uint64_t view_awaited(const struct gdb *g, unsigned hart);
bool view_settled(const struct gdb *g, unsigned hart);
void view_registers(struct gdb *g, unsigned hart, uint64_t *values);
size_t view_memory(struct gdb *g, unsigned hart, uint64_t address, void *to,
                   size_t bytes);
/* The run goes on, or has been changed: what was seen is no longer so. */
void view_drop(struct gdb *g);

/* ---- conditions.c ---- */

enum condition_is { CONDITION_FALSE, CONDITION_TRUE, CONDITION_UNSURE };

/* Is one of a breakpoint's conditions true for the hart? Without any, and if it
 * has no value, it is. asks: what the hart waits for is asked of a view of it;
 * else that makes it unsure. */
enum condition_is condition_of(struct gdb *g, const struct breakpoint *b,
                               unsigned hart, bool asks);
/* Reads those of a packet Z, from behind the kind on: ;X... False: they are
 * none. */
bool conditions_read(struct breakpoint *b, const char *text);

/* ---- breaks.c ---- */

/* Takes over its conditions, also if it fails. */
bool breaks_set(struct gdb *g, const struct breakpoint *b);
bool breaks_drop(struct gdb *g, const struct breakpoint *b);
/* The run is about to go on. */
void breaks_settle(struct gdb *g);
void breaks_clear(struct gdb *g);
/* Is there anything to watch for in each cycle? */
bool breaks_any(const struct gdb *g);
/* Is there a breakpoint at the address? */
bool breaks_at(const struct gdb *g, uint64_t pc);
/* Takes what harts have noted since the last time. */
void breaks_collect(struct gdb *g);
/* A hart has come to a pc without an instruction of its own, or without
 * timing. */
void breaks_came(struct gdb *g, unsigned hart);
/* Without timing: it has accessed memory. */
void breaks_accessed(struct gdb *g, unsigned hart, uint64_t address,
                     unsigned size, bool load, bool store);
/* The next hit that the run stops for, and that still holds. False: there is
 * none. */
bool breaks_next(struct gdb *g, struct hit *hit);
/* All are as if they had never been set; hits stay. */
void breaks_forget(struct gdb *g);
/* Of the hits, all of the key's cycle, only those before it stay, or behind it.
 */
void breaks_before(struct gdb *g, const struct stop_key *key);
void breaks_behind(struct gdb *g, const struct stop_key *key);
/* Those of harts before that one go: they are told of first. */
void breaks_pass(struct gdb *g, unsigned hart);
struct stop_key hit_key(const struct hit *hit, uint64_t cycle);

/* ---- threads.c ---- */

void focus_add(struct gdb *g, unsigned hart);
/* The list of threads, for free(). */
char *threads_list(const struct gdb *g);
/* "tm3.tp7.h5" */
void thread_name(const struct gdb *g, unsigned hart, char *text, size_t size);
void thread_state(const struct gdb *g, unsigned hart, char *text, size_t size);

/* ---- monitor.c ---- */

/* Does what a line says; what it prints goes to `to`. */
void monitor_run(struct gdb *g, char *line, FILE *to);

/* ---- commands.c ---- */

/* What a packet has led to. */
enum command_end {
    COMMAND_DONE,
    COMMAND_GO,
    COMMAND_LEAVE,
    COMMAND_KILL,
    COMMAND_BACK,      /* to the last stop */
    COMMAND_BACK_STEP, /* by an instruction */
};
enum command_end command_run(struct gdb *g, char *text, size_t bytes);
void reply_text(struct gdb *g, const char *text);
/* Prints on gdb's console, while the run goes on. */
void reply_console(struct gdb *g, const char *text);

#endif
