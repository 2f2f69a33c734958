/*
 * What the simulator's disassembler says about words, for a comparison with
 * objdump (ci/tests/rtp-objdump.sh).
 *
 *   rtp-words BASE <FILE
 *
 * The file has words as raw bytes, of which the first lies at address BASE. A
 * line for each: address, word, text, with one blank between them. Exit status
 * 1: the decoder knows an instruction that the disassembler does not, or the
 * other way round.
 */
#include "sim/rtp/rtp_decode.h"
#include "sim/rtp/rtp_disassemble.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    uint32_t word, address;
    if (argc != 2)
        return 2;
    address = (uint32_t)strtoul(argv[1], NULL, 0);
    for (; fread(&word, sizeof word, 1, stdin); address += 4) {
        char text[RTP_TEXT];
        rtp_disassemble(word, address, text, sizeof text);
        printf("%x: %08x %s\n", address, word, text);
        bool named = strncmp(text, ".word", 5) != 0;
        if (named == (rtp_decode(word).class == RTP_UNUSED)) {
            fprintf(stderr, "0x%08x: the decoder disagrees\n", word);
            return 1;
        }
    }
    return 0;
}
