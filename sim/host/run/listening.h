/*
 * Where a run listens for clients: the value [ADDRESS:]PORT of an option.
 */
#ifndef SIM_HOST_RUN_LISTENING_H
#define SIM_HOST_RUN_LISTENING_H

#include "sim/core/error.h"

/* A socket that listens there, on the loopback address if none is given, for
 * `clients` at a time; -1: the error says why not. */
int listening_at(const char *option, const char *where, int clients,
                 struct error *error);

/* Can the text be such a value? */
bool listening_possible(const char *where);

/* "127.0.0.1:1234", of a socket: the port is the one that the host has chosen,
 * where 0 was asked for. False: it has no address. */
bool listening_address(int socket, char *text, size_t size);

#endif
