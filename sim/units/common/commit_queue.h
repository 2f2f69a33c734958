/*
 * The instructions of one thread processor on their way into the commit log:
 * in the order of issue, at most one a cycle, each complete when its result
 * registers are written. Filled by the processor, emptied by sim/host while
 * all tiles stand still.
 */
#ifndef SIM_COMMIT_QUEUE_H
#define SIM_COMMIT_QUEUE_H

#include "sim/isa/commit.h"

struct commit_entry {
    uint64_t cycle; /* of issue */
    uint32_t hart;
    bool waits; /* for its result */
    struct isa_commit commit;
};

/* Zeroed: empty. */
struct commit_queue {
    struct commit_entry *entries;
    uint32_t count, room;
    uint32_t *waiting; /* entries that wait, in their order */
    uint32_t waiting_count, waiting_room;
    /* The line of a record, with its '\n'; NULL: isa_commit_line. */
    size_t (*line)(const struct isa_commit *commit, uint32_t hart,
                   char line[ISA_COMMIT_LINE]);
};

/* An instruction that is about to issue; the last one until the next. */
struct isa_commit *commit_queue_add(struct commit_queue *queue, uint32_t hart,
                                    uint64_t cycle);
/* Executes an instruction (isa_execute) that issues in this cycle, and keeps a
 * record of it. */
enum isa_outcome commit_queue_execute(struct commit_queue *queue,
                                      struct isa_hart *hart,
                                      const struct isa_insn *insn,
                                      struct isa_effect *effect,
                                      uint64_t cycle);
/* The last one has executed. */
void commit_queue_executed(struct commit_queue *queue,
                           enum isa_commit_state state);
/* Takes the last one back: it did not happen. */
void commit_queue_drop(struct commit_queue *queue);

/*
 * The result of the oldest waiting instruction of a hart with this op, rd and
 * address (0: no access) is in the hart's registers.
 */
void commit_queue_finish(struct commit_queue *queue,
                         const struct isa_hart *hart,
                         const struct isa_insn *insn, uint64_t address,
                         uint64_t value);

/* The same of the last one, whose result was there at once. */
void commit_queue_finish_last(struct commit_queue *queue,
                              const struct isa_hart *hart, uint64_t value);

/* The oldest instruction that waits waits no more; the caller completes its
 * record. There is one. */
struct isa_commit *commit_queue_settle(struct commit_queue *queue);

/* Removes the first count entries. */
void commit_queue_remove(struct commit_queue *queue, uint32_t count);
void commit_queue_free(struct commit_queue *queue);

#endif
