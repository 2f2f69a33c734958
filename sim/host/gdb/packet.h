/*
 * Packets of gdb's remote serial protocol: $DATA#SUM, with } before a byte that
 * would be taken for something else, and, between packets, acknowledgements and
 * the byte of ctrl-C. (gdb manual, appendix E, "Overview" and "Interrupts".)
 * What bytes mean is of no concern here.
 */
#ifndef SIM_HOST_GDB_PACKET_H
#define SIM_HOST_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a packet at most; gdb is told. */
#define PACKET_BYTES 0x4000

enum packet_event {
    PACKET_NONE,  /* more has to come */
    PACKET_WHOLE, /* data has it, with a 0 behind it */
    PACKET_BAD,   /* one whose sum is wrong, or that is too long */
    PACKET_BREAK, /* ctrl-C */
    PACKET_GOOD,  /* the other side has got the last packet */
    PACKET_AGAIN, /* it has not */
};

/* Zeroed: between packets. */
struct packet_reader {
    char data[PACKET_BYTES + 1];
    size_t size;
    enum { PACKET_BETWEEN, PACKET_DATA, PACKET_SUM_HIGH, PACKET_SUM_LOW } state;
    unsigned char sum;
    int told; /* the first digit of the sum, -1: it is none */
    bool escaped, too_long;
};

enum packet_event packet_take(struct packet_reader *r, unsigned char byte);

/* Bytes that a packet with so much data takes at most. */
#define PACKET_ROOM(bytes) (2 * (bytes) + 4)
/* Writes a packet with data; returns its length. */
size_t packet_put(char *to, const char *data, size_t bytes);

/* ---- what is in packets ---- */

/* The value of a hexadecimal digit, -1: it is none. */
int hex_digit(char c);
/* Reads a hexadecimal number, at least a digit and no more than of 64 bits, and
 * moves behind it. */
bool hex_number(const char **text, unsigned long long *value);
/* Two digits for each byte, and a 0 behind them. */
void hex_put(char *to, const void *bytes, size_t count);
/* Reads `count` bytes, of two hexadecimal digits each. False: they are none. */
bool hex_get(const char *text, void *bytes, size_t count);

#endif
