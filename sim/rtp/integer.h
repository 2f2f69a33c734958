/* Integer arithmetic of 32 bits, and conversions. */
#ifndef SIM_RTP_INTEGER_H
#define SIM_RTP_INTEGER_H

#include "sim/rtp/rtp.h"

/* Rounded to zero; x / 0 = -1, and -2^31 / -1 = -2^31, as on RISC-V. */
uint32_t rtp_divide(uint32_t a, uint32_t b);
/* Flags of a - b, as signed integers of any size. */
unsigned rtp_compare(const struct rtp_rules *rules, uint32_t a, uint32_t b);
/* The float rounded to zero; beyond what 32 bits hold the nearest that they do,
 * a NaN 2^31 - 1, as on RISC-V. */
uint32_t rtp_to_integer(float x);

#endif
