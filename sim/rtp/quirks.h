/* Names of the defects of the original hardware, as options give them. */
#ifndef SIM_RTP_QUIRKS_H
#define SIM_RTP_QUIRKS_H

#include "sim/core/error.h"
#include "sim/rtp/rtp.h"

/* From names with commas between them, or "all", or "": none. Fails on a name
 * that there is not; the error says which there are. */
bool rtp_quirks(const char *names, uint32_t *quirks, struct error *error);

#endif
