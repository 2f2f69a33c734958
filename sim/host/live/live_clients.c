/*
 * A connection is closed by shutting its socket down: libmicrohttpd, whose
 * thread calls this, sees the end of it in its next turn. All clients of a host
 * come from one address, so a limit of connections an address would keep out
 * the reader together with the client in the way.
 */
#include "sim/host/live/live_clients.h"
#include "sim/host/results/results.h"
#include <sys/socket.h>

static struct client *find(struct clients *s, const struct MHD_Connection *c)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].connection == c)
            return &s->list[i];
    return NULL;
}

/* It stays in the list until libmicrohttpd has done with it. */
static void close_client(struct client *c)
{
    if (c->socket >= 0)
        shutdown(c->socket, SHUT_RDWR);
    c->socket = -1;
}

static struct client *oldest(struct clients *s)
{
    struct client *old = NULL;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].socket >= 0 && (!old || s->list[i].since < old->since))
            old = &s->list[i];
    return old;
}

static size_t open_ones(const struct clients *s)
{
    size_t open = 0;
    for (size_t i = 0; i < s->count; i++)
        open += s->list[i].socket >= 0;
    return open;
}

/* Those that have been silent for too long go, and one more if there is no room
 * otherwise. */
static void make_room(struct clients *s, double now)
{
    for (struct client *c; (c = oldest(s));) {
        if (c->since + CLIENT_SECONDS > now && open_ones(s) < CLIENTS)
            break;
        close_client(c);
    }
}

static void begin(struct clients *s, struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    double now = clock_seconds(CLOCK_MONOTONIC);
    make_room(s, now);
    if (s->count < CLIENTS_MOST)
        s->list[s->count++] =
            (struct client){c, info ? info->connect_fd : -1, now};
}

void clients_notify(void *context, struct MHD_Connection *c, void **known,
                    enum MHD_ConnectionNotificationCode what)
{
    struct clients *s = context;
    struct client *one = find(s, c);
    (void)known;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        begin(s, c);
    else if (one)
        *one = s->list[--s->count];
}

void clients_served(struct clients *s, const struct MHD_Connection *c)
{
    struct client *one = find(s, c);
    if (one)
        one->since = clock_seconds(CLOCK_MONOTONIC);
}
