/* Instructions as text. */
#ifndef SIM_RTP_DISASSEMBLE_H
#define SIM_RTP_DISASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

#define RTP_TEXT 64 /* bytes that hold any instruction */

/* A word at an address as corbel-rtp-objdump writes it, but for symbols. */
void rtp_disassemble(uint32_t word, uint32_t address, char *text, size_t size);

#endif
