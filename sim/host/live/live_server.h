/*
 * The web server of --serve: a thread that shows what live.h has, and passes
 * orders on. docs/guides/serve.md has its paths.
 */
#ifndef SIM_HOST_LIVE_LIVE_SERVER_H
#define SIM_HOST_LIVE_LIVE_SERVER_H

#include "sim/core/error.h"

struct live;
struct server;

/* Serves at "PORT", "ADDRESS:PORT" or "[ADDRESS]:PORT", port 0 being any that
 * is free, and says where, with the token, on stderr, and in a file of outdir
 * while it serves, if that is not NULL. NULL: it cannot. */
struct server *server_start(struct live *live, const char *where,
                            const char *outdir, struct error *error);
/* No request is under way after it. NULL is none. */
void server_stop(struct server *server);

#endif
