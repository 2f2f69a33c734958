/* Of sim/core alone: how checkpoints have the memory of units. */
#ifndef SIM_CHIP_STATE_H
#define SIM_CHIP_STATE_H

#include "sim/core/chip_private.h"

/* All of chip_alloc but for what the engine saves itself, and what kinds keep
 * elsewhere. */
void chip_state(struct chip *chip, struct state *s);

#endif
