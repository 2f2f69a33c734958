/*
 * Clients connected to the server of --serve, so that none keeps others out:
 * by requests that never end, or answers that are never read. When there are as
 * many as may be, a new one takes the place of the one that has been silent for
 * longest.
 */
#ifndef SIM_HOST_LIVE_LIVE_CLIENTS_H
#define SIM_HOST_LIVE_LIVE_CLIENTS_H

#include <microhttpd.h>
#include <stddef.h>

enum {
    CLIENTS = 16,               /* that are kept */
    CLIENTS_MOST = 4 * CLIENTS, /* with those that are being closed */
    CLIENT_SECONDS = 5,         /* for a request and its answer */
};

struct client {
    struct MHD_Connection *connection;
    int socket;
    double since; /* seconds; it came, or its last answer was complete */
};

struct clients {
    struct client list[CLIENTS_MOST];
    size_t count;
};

/* For MHD_OPTION_NOTIFY_CONNECTION, by the server's one thread; context: the
 * clients. */
void clients_notify(void *context, struct MHD_Connection *c, void **known,
                    enum MHD_ConnectionNotificationCode what);
/* A request of it has been answered. */
void clients_served(struct clients *clients, const struct MHD_Connection *c);

#endif
