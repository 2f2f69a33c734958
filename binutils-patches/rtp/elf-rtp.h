/* The relocations of rtp. S: the symbol, A: the addend, P: the place. */
#ifndef ELF_RTP_H
#define ELF_RTP_H

#include "elf/reloc-macros.h"

START_RELOC_NUMBERS(elf_rtp_reloc_type)
RELOC_NUMBER(R_RTP_NONE, 0)
RELOC_NUMBER(R_RTP_32, 1)   /* word: S + A */
RELOC_NUMBER(R_RTP_16, 2)   /* half word: S + A, signed or unsigned */
RELOC_NUMBER(R_RTP_PC32, 3) /* word: S + A - P */
RELOC_NUMBER(R_RTP_PC16, 4) /* branch: S + A - P, signed, in bytes */
RELOC_NUMBER(R_RTP_S16, 5)  /* immediate: S + A, signed */
RELOC_NUMBER(R_RTP_U16, 6)  /* immediate: S + A, unsigned */
RELOC_NUMBER(R_RTP_LO16, 7) /* immediate: low half of S + A */
RELOC_NUMBER(R_RTP_HI16, 8) /* immediate: high half of S + A */
END_RELOC_NUMBERS(R_RTP_max)

#endif
