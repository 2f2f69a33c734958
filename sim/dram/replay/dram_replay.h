/*
 * Replays a trace: in each state at most one request is offered, strictly in
 * order and not before its `offer`; one that is refused is offered again and
 * those behind it wait.
 */
#ifndef SIM_DRAM_REPLAY_REPLAY_H
#define SIM_DRAM_REPLAY_REPLAY_H

#include "sim/dram/dram.h"
#include "sim/dram/replay/trace.h"
#include "sim/dram/stats.h"

/* A command; fields that it is not about are UINT32_MAX. */
struct command {
    uint64_t clock;
    struct dram_address at;
    uint32_t request; /* UINT32_MAX: of none */
    uint8_t command;  /* enum dram_command */
};

struct replay {
    struct result *results;   /* one for each request of the trace */
    struct command *commands; /* in order of issue; only if asked for */
    size_t command_count;
    uint64_t last;            /* clock of the last completion */
    struct dram_stats *stats; /* up to that clock */
    bool lists;               /* commands are asked for */
};

/* With commands, refreshes are replayed one by one while nothing is offered,
 * and that is not for longer than these clocks. */
#define REPLAY_PAUSE_MAX 10000000000u

/* False and an error if the memory cannot be built as the options say, or there
 * would be too many commands. */
bool replay_run(struct replay *replay, const struct trace *trace,
                const struct dram_options *options, bool commands,
                struct error *error);
void replay_free(struct replay *replay);

#endif
