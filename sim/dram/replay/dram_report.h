/* What dram-run prints. */
#ifndef SIM_DRAM_REPLAY_REPORT_H
#define SIM_DRAM_REPLAY_REPORT_H

#include "sim/dram/replay/dram_replay.h"

struct report {
    const struct trace *trace;
    const struct replay *replay;
    const struct dram_device *device;
    uint32_t channels;
};

/* The columns of the request file, with our results. */
void report_requests(const struct report *report, FILE *out);

/* cycle,cmd,one column for each level,id. */
void report_commands(const struct report *report, FILE *out);

/* One line of totals, below a line of their names. */
void report_summary(const struct report *report, FILE *out);

/* What the model counted: name, value and unit in each line. */
void report_stats(const struct report *report, FILE *out);

/*
 * Compares with the results in the request file. Equal: one line, true.
 * Otherwise which request differs first in time, what was expected, and the
 * last commands to its bank before that.
 */
bool report_comparison(const struct report *report, FILE *out);

#endif
