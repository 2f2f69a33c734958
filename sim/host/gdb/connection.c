/*
 * A client that has gone is noticed when it is read from or written to: then
 * there is none any longer, and the run goes on as after a detach.
 */
#include "sim/host/gdb/connection.h"
#include "runtime/include/corbel/tell.h"
#include "sim/core/heap.h"
#include "sim/host/run/listening.h"
#include "sim/host/run/signals.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* How often a wait looks whether a signal has come. */
enum { PATIENCE_MS = 200 };

static void say_where(const struct link *l)
{
    char at[100], text[200];
    if (!listening_address(l->listening, at, sizeof at))
        return;
    snprintf(text, sizeof text, "waiting for gdb: target remote %s", at);
    corbel_tell("sim-run", CORBEL_PLAIN, text);
}

/* gdb has both ends of the pipes: the program gets others. */
static bool take_standard_streams(struct link *l, struct error *error)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    l->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    l->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    bool good = nothing >= 0 && l->in >= 0 && l->out >= 0 &&
                dup2(nothing, STDIN_FILENO) >= 0 &&
                dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    if (nothing >= 0)
        close(nothing);
    return good || error_set(error, "--gdb -: standard input and output: %s",
                             strerror(errno));
}

bool link_open(struct link *l, const char *where, struct error *error)
{
    *l = (struct link){.in = -1, .out = -1, .listening = -1};
    if (!strcmp(where, "-"))
        return take_standard_streams(l, error);
    l->listening = listening_at("gdb", where, 1, error);
    if (l->listening < 0)
        return false;
    say_where(l);
    return true;
}

static void drop_client(struct link *l)
{
    if (l->in >= 0)
        close(l->in);
    if (l->out >= 0 && l->out != l->in)
        close(l->out);
    l->in = l->out = -1;
    l->count = l->taken = 0;
}

static void stop_listening(struct link *l)
{
    if (l->listening >= 0)
        close(l->listening);
    l->listening = -1;
}

void link_close(struct link *l)
{
    drop_client(l);
    stop_listening(l);
    free(l->last);
    l->last = NULL;
}

bool link_there(const struct link *l)
{
    return l->in >= 0;
}

/* Something has come, or can be read no more. False: a signal has. */
static bool await_input(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (!signals_noted) {
        int n = poll(&p, 1, PATIENCE_MS);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return true;
    }
    return false;
}

/* Packets are short and wait for each other; a client whose host is gone is
 * noticed after a while. */
static void set_up(int client)
{
    int one = 1;
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(client, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
}

bool link_accept(struct link *l)
{
    while (!link_there(l)) {
        if (!await_input(l->listening))
            return false;
        l->in = l->out = accept4(l->listening, NULL, NULL, SOCK_CLOEXEC);
    }
    if (l->listening >= 0)
        set_up(l->in);
    stop_listening(l);
    return true;
}

/* ---- bytes ---- */

static bool is_ready(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

/* False: nothing has come. */
static bool fill(struct link *l, bool wait)
{
    if (!link_there(l) || !(wait ? await_input(l->in) : is_ready(l->in)))
        return false;
    ssize_t n = read(l->in, l->bytes, sizeof l->bytes);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0) {
        drop_client(l);
        return false;
    }
    l->count = (size_t)n;
    l->taken = 0;
    return true;
}

static void write_all(struct link *l, const char *bytes, size_t count)
{
    while (count && link_there(l)) {
        ssize_t n = write(l->out, bytes, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            drop_client(l);
            return;
        }
        bytes += n;
        count -= (size_t)n;
    }
}

/* ---- packets ---- */

static void acknowledge(struct link *l, enum packet_event e)
{
    if (!l->no_acks && e == PACKET_WHOLE)
        write_all(l, "+", 1);
    if (!l->no_acks && e == PACKET_BAD)
        write_all(l, "-", 1);
    if (!l->no_acks && e == PACKET_AGAIN)
        write_all(l, l->last, l->last_bytes);
}

enum packet_event link_next(struct link *l, bool wait)
{
    for (;;) {
        while (l->taken < l->count) {
            enum packet_event e = packet_take(&l->reader, l->bytes[l->taken++]);
            acknowledge(l, e);
            if (e == PACKET_WHOLE || e == PACKET_BREAK)
                return e;
        }
        if (!fill(l, wait))
            return PACKET_NONE;
    }
}

void link_send(struct link *l, const char *data, size_t bytes)
{
    l->last = heap_resize(l->last, PACKET_ROOM(bytes), 1, "--gdb");
    l->last_bytes = packet_put(l->last, data, bytes);
    write_all(l, l->last, l->last_bytes);
}
