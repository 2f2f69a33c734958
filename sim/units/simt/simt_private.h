/*
 * What the files of a streaming multiprocessor offer each other; its state is
 * in simt_state.h: simt.c           the two phases of a cycle, accounts, tables
 *   simt_build.c     construction, and what is known when the program starts
 *   simt_core.c      how the host finds and starts harts
 *   simt_schedule.c  which warp issues: the table of schedulers
 *   simt_issue.c     whether a warp may issue, and what an instruction does
 *   simt_fetch.c     instruction caches of sub-cores
 *   simt_operands.c  banks of registers, collectors, slots of results
 *   simt_paths.c     paths of warps: the table of reconvergences
 *   simt_stack.c     paths that meet at post-dominators, on a stack
 *   simt_postdom.c   post-dominators of the text
 *   simt_memory.c    accesses: which go where, faults, scratch memory
 *   simt_shared.c    memory that groups share: banks and their conflicts
 *   simt_barrier.c   harts of a group that meet
 *   simt_ops.c       entries of instructions that are under way outside
 *   simt_coalesce.c  requests of a warp's accesses, their sending and answers
 *   simt_translate.c what a TLB looks up for them: the table of translations
 *   simt_served.c    instructions that other units serve
 *   simt_leave.c     lanes that leave for a service, fences
 *   simt_told.c      what a debugger is told of lanes
 *   simt_watch.c     what is told of SMs that are watched: --profile, --trace
 */
#ifndef SIM_SIMT_PRIVATE_H
#define SIM_SIMT_PRIVATE_H

#include "sim/units/simt/simt_state.h"

/* ---- simt_issue.c ---- */

/* What becomes of the warp, from cycle now on: it may issue, or waits. */
void simt_assess(struct simt *t, struct simt_warp *w, uint64_t now);

/* It is among none of those that will issue. */
void simt_holds(struct simt *t, struct simt_warp *w);

/* It may issue in cycle `when`, and waits meanwhile. */
void simt_goes_at(struct simt *t, struct simt_warp *w, uint64_t when,
                  uint64_t now, enum bucket meanwhile);

/* The code that the warp waits for is refused: all lanes of its path fault. */
void simt_fetch_refused(struct simt *t, struct simt_warp *w,
                        const struct msg *m, uint64_t now);
/* Why the sub-core issues nothing, as its warps are. */
enum slot simt_slot_of(const struct simt *t, const struct simt_subcore *s);

/* Issues an instruction, if a warp of the sub-core can. */
void simt_issue_one(struct simt *t, struct simt_subcore *s, uint64_t now);

/* The counters of slots, by enum slot. */
static inline uint64_t *slot_counters(struct simt *t)
{
    return (uint64_t *)((char *)&t->stats +
                        offsetof(struct simt_stats, slot_issued));
}

/* Books the sub-core's cycles before now. */
static inline void simt_book_slot(struct simt *t, struct simt_subcore *s,
                                  uint64_t now)
{
    if (now > s->slot_from) {
        slot_counters(t)[s->slot] += now - s->slot_from;
        s->slot_from = now;
    }
}

/* Warps that waited for a queue or an entry may try again. */
void simt_queues_have_room(struct simt *t, uint64_t now);

/* ---- simt_fetch.c ---- */

bool simt_fetch_build(struct simt *t, struct error *error);
/* Is the warp's next instruction there? Else it is asked for, and the warp
 * waits. */
bool simt_fetch(struct simt *t, struct simt_subcore *s, struct simt_warp *w,
                uint64_t now);
void simt_send_fetches(struct simt *t, uint64_t now);
void simt_use_code(struct simt *t, const struct msg *m, uint64_t now);
/* Empties the L0 of the warp's sub-core, and has the cache behind it drop what
 * it holds. False: the port is full. */
bool simt_fetch_anew(struct simt *t, struct simt_warp *w);

/* ---- simt_operands.c ---- */

void simt_operands_new(struct simt *t);
/* The cycle in which an instruction that issues now begins: when it has its
 * operands, and there will be a slot for its result. Sets port_free. */
uint64_t simt_begins(struct simt *t, struct simt_subcore *s,
                     const struct simt_warp *w, const struct isa_insn *insn,
                     uint64_t now);

/* ---- simt_paths.c ---- */

/* core_kind.stuck */
bool simt_stuck(struct unit *u, uint64_t now, uint64_t cycles, char *text,
                size_t size);

/* The place of the warp's current path among them, after a change. */
void simt_choose_path(struct simt *t, struct simt_warp *w);

/* For policies: */

/* The current one of several paths has moved to where it is now. */
void simt_look(const struct simt *t, struct simt_warp *w);

/* Takes a path out of the warp's. */
void simt_take_path(struct simt_warp *w, unsigned place);

/* Puts a path at a place among the warp's. */
void simt_put_path(struct simt_warp *w, unsigned place,
                   const struct simt_path *path);

/* A path becomes part of another one, and is to be taken out. */
void simt_join(struct simt *t, struct simt_warp *w, struct simt_path *into,
               struct simt_path *p);

/* Those of left that go the same way as the first: *path has them and their pc.
 * behind: that of those that have not jumped, who are the first. */
void simt_next_part(const struct simt *t, struct simt_path *path, uint64_t left,
                    uint64_t jumped, const uint64_t *at, uint64_t behind);

/* How much deeper in calls a jump leads. */
int simt_depth_of(const struct isa_insn *insn);

/* ---- simt_stack.c ---- */

extern const struct simt_reconvergence simt_reconverge_ipdom;

/* Finds the post-dominators of the text, if that has not been done. */
void simt_stack_loaded(struct simt *t);
/* What a checkpoint keeps besides the rows of state: unit_kind.keep. */
void simt_keep(struct unit *u, struct state *s);

/* A lane comes to the warp, at its hart's pc. */
void simt_lane_joins(struct simt *t, struct simt_warp *w, unsigned lane);

/* Lanes leave the path that they are in. Their harts' pc and instret are right
 * from then on; one whose instruction did not happen stands at it. */
void simt_lanes_part(struct simt *t, struct simt_warp *w, uint64_t lanes);

/* Counts the lanes of the instructions that the warp has issued since its lanes
 * last came or went. */
static inline void simt_book_lanes(struct simt *t, struct simt_warp *w)
{
    uint32_t issued = w->issued - w->counted;
    t->stats.live_lanes += (uint64_t)issued * lane_count(w->live);
    w->counted = w->issued;
}

/* The instructions that the path has executed are counted in its harts. */
void simt_settle(struct simt *t, struct simt_warp *w, struct simt_path *p);

/* The current path goes on: behind an instruction of `bytes` bytes, the lanes
 * of `jumped` at at[]. Its mask holds only lanes that executed it. */
void simt_path_moves(struct simt *t, struct simt_warp *w,
                     const struct isa_insn *insn, uint64_t jumped,
                     const uint64_t *at);

/* ---- simt_leave.c ---- */

/* Lanes ask for a service as soon as the warp's accesses have ended. */
void simt_leave(struct simt *t, struct simt_warp *w, uint64_t lanes,
                enum hart_event event, uint64_t now);
/* The warp issues nothing before its accesses have ended. */
void simt_drain(struct simt *t, struct simt_warp *w, uint64_t now);
/* Something that the warp waited for has come. */
void simt_advance(struct simt *t, struct simt_warp *w, uint64_t now);
/* The L1 has written back, or dropped, what it was asked to. */
void simt_l1_done(struct simt *t, struct simt_warp *w, uint64_t now);
/* What warps in acting send. Those that found no room stay there. */
void simt_act(struct simt *t, struct simt_subcore *s, uint64_t now);
void simt_start(struct unit *u, unsigned slot, uint64_t now);
void simt_resume(struct unit *u, unsigned slot, uint64_t now);

/* ---- simt_memory.c ---- */

/* Which lanes may not make their access: they are noted as faulted. */
void simt_check_access(struct simt *t, struct simt_warp *w,
                       struct isa_lanes *l);
uint32_t simt_access_cause(const struct simt *t, uint8_t access,
                           uint64_t address, unsigned size);
/* The accesses of an instruction, of the lanes of l that did not fault. */
void simt_access(struct simt *t, struct simt_warp *w,
                 const struct isa_insn *insn, struct isa_lanes *l,
                 uint64_t now);
void simt_block(struct simt *t, struct simt_warp *w,
                const struct isa_insn *insn, struct isa_lanes *l, uint64_t now);

/* The lane of the warp that executes has loaded a value; an sc without its
 * reservation fails here. */
static inline void simt_load_done(struct simt *t, unsigned lane,
                                  const struct isa_insn *insn, uint64_t value)
{
    struct isa_hart *hart = isa_lane(t->lanes, lane);
    isa_load_done(hart, insn, value);
    if (t->commits)
        commit_queue_finish(t->commits, hart, insn, t->lanes->at[lane], value);
}

bool simt_sc_fails(struct simt *t, struct simt_warp *w, unsigned lane,
                   const struct isa_insn *insn, const struct isa_lanes *l);

/* ---- simt_shared.c ---- */

/* Where memory of groups is, from now on. */
void simt_find_window(struct simt *t);
/* Lanes whose access is to that of groups here. */
uint64_t simt_in_window(const struct simt *t, const struct isa_lanes *l,
                        uint64_t lanes);
void simt_access_shared(struct simt *t, struct simt_warp *w,
                        const struct isa_insn *insn, const struct isa_lanes *l,
                        uint64_t lanes, uint64_t now);

/* ---- simt_barrier.c ---- */

/* Of the warp's lanes that are about to ask for a service, those whose call is
 * a barrier within the SM. */
uint64_t simt_meeting(const struct simt *t, const struct simt_warp *w);
/* They come to it. */
void simt_meet(struct simt *t, struct simt_warp *w, uint64_t lanes,
               uint64_t now);
/* Does the hart wait at one, as the run was begun without timing? */
bool simt_waits(const struct simt *t, const struct hart *h);

/* ---- simt_ops.c ---- */

/* An entry for an instruction of lanes; there is one. */
struct simt_op *simt_new_op(struct simt *t, const struct simt_warp *w,
                            const struct isa_insn *insn, uint64_t mask);
void simt_free_op(struct simt *t, struct simt_op *op);
void simt_queue_add(struct simt *t, struct simt_queue *q, struct simt_op *op);
/* The first one leaves. */
void simt_queue_remove(struct simt *t, struct simt_queue *q);

/* ---- simt_coalesce.c ---- */

/* Makes the requests of an access, and queues it. */
void simt_coalesce(struct simt *t, struct simt_op *op);
/* Sends what leaves in this cycle. */
void simt_send_requests(struct simt *t, uint64_t now);
/* Which warp's the L1's answer is, and what instruction's; NULL: of none. */
uint32_t simt_warp_of_data(const struct simt *t, const struct msg *m);
const struct simt_op *simt_op_of_data(const struct simt *t,
                                      const struct msg *m);
void simt_use_data(struct simt *t, const struct msg *m, uint64_t now);
/* An op has ended: its registers are there. */
void simt_end_op(struct simt *t, struct simt_op *op, uint64_t now);

/* ---- simt_translate.c ---- */

void simt_build_translation(struct simt *t);
/* Flags of the op's message number n, for the TLB that it goes to. */
uint8_t simt_translation_flags(const struct simt *t, const struct simt_op *op,
                               unsigned n);

/* ---- simt_served.c ---- */

bool simt_lacks(const struct unit *u, const struct isa_insn *insn);
bool simt_lacks_text(const struct unit *u, const struct isa_insn *insn,
                     char *text, size_t size);
struct unit *simt_server(const struct unit *u, const struct isa_insn *insn);
enum producer simt_served_by(unsigned cls);
struct simt_queue *simt_served_queue(struct simt *t, unsigned cls);
void simt_serve(struct simt *t, struct simt_warp *w,
                const struct isa_insn *insn, const struct isa_lanes *l,
                uint64_t now);
void simt_send_served(struct simt *t, uint64_t now);
uint32_t simt_warp_of_answer(const struct simt *t, const struct msg *m);
void simt_use_answer(struct simt *t, const struct msg *m, uint64_t now);

/* ---- simt_build.c ---- */

bool simt_build(struct unit *u, struct error *error);
void simt_begin(struct simt *t);

/* ---- simt_told.c ---- */

/* A debugger is told what lanes access. */
void simt_tell_access(struct simt *t, struct simt_warp *w,
                      const struct isa_lanes *l);
/* Likewise which of some lanes have come to marked instructions. */
void simt_tell_came(struct simt *t, struct simt_warp *w, uint64_t lanes);

/* ---- simt_watch.c: of watched SMs ---- */

bool simt_watched_build(struct unit *u, struct error *error);
void simt_watched_keep(struct unit *u, struct state *s);
void simt_watched_destroy(struct unit *u);
struct code_profile *simt_profile(struct unit *u);
struct hart_trace *simt_trace(struct unit *u, unsigned kind);
/* In each call, first: where warps are when a trace begins. */
void simt_watch_begins(struct simt *t, uint64_t now);
/* Which warps are in another bucket, or at another instruction? */
void simt_watch_looks(struct simt *t, uint64_t now);
/* The same when all of a cycle has been done. Returns the cycle in which to
 * look again, for results that are there by then. */
uint64_t simt_watch_sent(struct simt *t, uint64_t now);
/* Harts have been started or resumed: whether the SM is watched or not. */
void simt_watch_all(struct simt *t);
/* As simt_issue_one, simt_use_data and simt_use_answer. */
void simt_watch_issue(struct simt *t, struct simt_subcore *s, uint64_t now);
void simt_watch_data(struct simt *t, const struct msg *m, uint64_t now);
void simt_watch_answer(struct simt *t, const struct msg *m, uint64_t now);
void simt_watch_code(struct simt *t, const struct msg *m, uint64_t now);
void simt_watch_start(struct simt *t);
void simt_watch_close(struct simt *t, uint64_t now);

#endif
