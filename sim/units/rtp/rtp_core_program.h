/*
 * Programs of the small ray-tracing processor and what becomes of them: from an
 * ELF file into the memories, the options behind it, the picture at the end.
 */
#ifndef SIM_RTP_CORE_PROGRAM_H
#define SIM_RTP_CORE_PROGRAM_H

#include "sim/core/core_kind.h"
#include "sim/units/rtp/rtp_machine.h"

enum { RTP_OPTIONS = 4 };
extern const struct core_option rtp_options[RTP_OPTIONS];

/* core_kind.load, work, finish and hash. */
bool rtp_program_load(struct chip *chip, const struct core_program *program,
                      struct error *error);
uint64_t rtp_program_work(const struct chip *chip);
bool rtp_program_finish(struct chip *chip, const struct core_program *program,
                        struct error *error);
uint64_t rtp_program_hash(struct chip *chip, uint64_t hash);

#endif
