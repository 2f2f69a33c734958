/*
 * The connection to gdb: a client of a socket, or standard input and output
 * (`target remote | sim-run --gdb - ...`), and the packets over it.
 */
#ifndef SIM_HOST_GDB_CONNECTION_H
#define SIM_HOST_GDB_CONNECTION_H

#include "sim/core/error.h"
#include "sim/host/gdb/packet.h"
#include <stdbool.h>

struct link {
    int in, out;   /* -1: there is no client */
    int listening; /* a socket, -1: none */
    bool no_acks;
    struct packet_reader reader;
    char *last; /* the last packet that was sent */
    size_t last_bytes;
    unsigned char bytes[4096]; /* that have come */
    size_t count, taken;
};

/* where: the value of --gdb. With "-" what the program prints goes to stderr
 * from now on, and its input is empty. A socket listens, and a line on stderr
 * says where. */
bool link_open(struct link *l, const char *where, struct error *error);
void link_close(struct link *l);

/* Waits for the client. False: a signal has come first. No other client can
 * come afterwards. */
bool link_accept(struct link *l);
/* Is there one? */
bool link_there(const struct link *l);

/* The next event; wait: until one comes, else PACKET_NONE if none is there.
 * Acknowledgements are dealt with. A client that is gone, or a signal, is
 * PACKET_NONE as well. */
enum packet_event link_next(struct link *l, bool wait);

void link_send(struct link *l, const char *data, size_t bytes);

#endif
