/* A run of a case on a whole chip. */
#ifndef SIM_RTP_RUN_CASE_CHIP_H
#define SIM_RTP_RUN_CASE_CHIP_H

#include "sim/rtp-run/case_input.h"
#include "sim/units/rtp/rtp_machine.h"

struct run {
    struct machine machine;
    struct rtp_machine rtp;
    struct chip *chip;
    struct engine *engine;
    struct rtp_event *events;
    struct rtp_finish *finishes;
    uint32_t event_count, event_room, finish_count, finish_room;
    bool complete, fault;
};

/* Makes and runs it. Fails if the case has no such chip, or does not end. */
bool run_chip(struct run *run, const cJSON *object,
              const struct replay_options *options, struct error *error);
void run_free(struct run *run);

/* Recorded programs use the original hardware's memory map, and its defects if
 * they say so; then what the command line sets. */
bool run_settings(struct chip *chip, const cJSON *object,
                  const struct replay_options *options, struct error *error);

/* Program and constants of a case. */
void run_program(struct rtp_machine *m, const cJSON *object);

#endif
