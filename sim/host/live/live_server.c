/*
 * HTTP by libmicrohttpd. A page of elsewhere, which the same browser shows,
 * must neither read nor stop a run: a request has to name this host by a number
 * or as localhost, so no foreign name can be made to lead here; orders need the
 * token that the address has which sim-run says, in a header of their own, and
 * no foreign origin.
 */
#include "sim/host/live/live_server.h"
#include "runtime/include/corbel/tell.h"
#include "sim/core/heap.h"
#include "sim/core/tool.h"
#include "sim/host/live/live.h"
#include "sim/host/live/live_clients.h"
#include "sim/host/results/outdir.h"
#include "sim/host/run/listening.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits of what a client may ask. */
enum {
    CONNECTION_BYTES = 16 * 1024, /* of head and buffers */
    IDLE_SECONDS = 10,
    BODY_BYTES = 32,
};

struct server {
    struct live *live;
    struct MHD_Daemon *daemon;
    struct clients clients;
    char *file; /* that has the address, NULL: there is none */
};

/* What is known of a request that is not complete. */
struct request {
    char body[BODY_BYTES + 1];
    size_t length;       /* beyond BODY_BYTES: too long */
    enum live_file file; /* that the answer is */
    bool last;           /* it tells how the run ended */
};

/* ---- answers ---- */

/* text: for free(). */
static enum MHD_Result answer(struct MHD_Connection *c, unsigned status,
                              const char *type, char *text, size_t size)
{
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
    };
    struct MHD_Response *r =
        MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    if (!r) {
        free(text);
        return MHD_NO;
    }
    MHD_add_response_header(r, "Content-Type", type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(r, headers[i][0], headers[i][1]);
    enum MHD_Result done = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return done;
}

/* One line. */
static enum MHD_Result say(struct MHD_Connection *c, unsigned status,
                           const char *line)
{
    size_t size = strlen(line) + 2;
    char *text = heap_new(size, 1, "--serve");
    snprintf(text, size, "%s\n", line);
    return answer(c, status, "text/plain; charset=utf-8", text, size - 1);
}

/* ---- where a request comes from ---- */

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* "127.0.0.1:8000", "[::1]:8000", "localhost": with no other name. */
static bool is_number_of_host(const char *host)
{
    char name[64];
    struct in6_addr address;
    size_t length = *host == '[' ? strcspn(host, "]") : strcspn(host, ":");
    if (length >= sizeof name)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    if (*name == '[')
        return host[length] == ']' && inet_pton(AF_INET6, name + 1, &address);
    return !strcmp(name, "localhost") || inet_pton(AF_INET, name, &address);
}

/* Does the request come from this server's page, or from no page? */
static bool is_of_here(struct MHD_Connection *c, const char *host)
{
    static const char scheme[] = "http://";
    const char *origin = header(c, "Origin");
    return !origin || (!strncmp(origin, scheme, sizeof scheme - 1) &&
                       !strcmp(origin + sizeof scheme - 1, host));
}

/* All of the token is looked at wherever the first difference is, so that the
 * time of an answer does not tell how much of a guess is right. */
static bool has_token(struct MHD_Connection *c, const struct live *live)
{
    const char *sent = header(c, "X-Corbel-Token");
    const char *token = live_token(live);
    unsigned char differs = 0;
    if (!sent || strlen(sent) != strlen(token))
        return false;
    for (size_t i = 0; token[i]; i++)
        differs |= (unsigned char)(sent[i] ^ token[i]);
    return !differs;
}

/* ---- what is asked ---- */

/* A file as it is now, or why there is none. */
static enum MHD_Result get(struct MHD_Connection *c, struct live *live,
                           const char *path, struct request *request)
{
    static const struct {
        const char *path, *type;
    } files[] = {
        [LIVE_PAGE] = {"/", "text/html; charset=utf-8"},
        [LIVE_RUN] = {"/run.json", "application/json"},
        [LIVE_STATS] = {"/stats.json", "application/json"},
        [LIVE_PROGRESS] = {"/progress.json", "application/json"},
    };
    for (unsigned f = 0; f < sizeof files / sizeof *files; f++) {
        if (strcmp(path, files[f].path))
            continue;
        struct live_reply r = live_reply(live, (enum live_file)f);
        request->file = (enum live_file)f;
        request->last = r.last;
        return r.text ? answer(c, MHD_HTTP_OK, files[f].type, r.text, r.size)
                      : say(c, MHD_HTTP_SERVICE_UNAVAILABLE,
                            "the run has not begun: ask again in a second");
    }
    return say(c, MHD_HTTP_NOT_FOUND,
               "expected /, /run.json, /stats.json or /progress.json");
}

/* The body says how far: a number of cycles, or "interval", up to the next
 * border. */
static enum MHD_Result step(struct MHD_Connection *c, struct live *live,
                            const char *body)
{
    char *end;
    errno = 0;
    unsigned long long cycles = strtoull(body, &end, 10);
    bool border = !strcmp(body, "interval");
    bool number = *body >= '0' && *body <= '9' && !*end && !errno && cycles &&
                  cycles <= INT64_MAX / 2;
    if (!border && !number)
        return say(c, MHD_HTTP_BAD_REQUEST,
                   "/step: expected a number of cycles, or interval");
    return live_step(live, border ? 0 : cycles)
               ? say(c, MHD_HTTP_OK, "it goes on")
               : say(c, MHD_HTTP_CONFLICT,
                     "/step: the run does not stand; /pause comes first");
}

/* Orders are carried out by the simulation, some time after the answer. */
static enum MHD_Result post(struct MHD_Connection *c, struct live *live,
                            const char *path, const char *body)
{
    static const struct {
        const char *path, *done;
        void (*order)(struct live *);
    } orders[] = {
        {"/pause", "it stands soon", live_pause},
        {"/resume", "it goes on", live_resume},
        {"/stop", "it ends soon", live_stop},
    };
    if (!strcmp(path, "/step"))
        return step(c, live, body);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (strcmp(path, orders[i].path))
            continue;
        orders[i].order(live);
        return say(c, MHD_HTTP_OK, orders[i].done);
    }
    return say(c, MHD_HTTP_NOT_FOUND,
               "expected /pause, /resume, /step or /stop");
}

/* Looks at where a request comes from before what it asks for: one that is not
 * of here learns nothing of the run. */
static enum MHD_Result decide(struct MHD_Connection *c, struct live *live,
                              const char *path, const char *method,
                              struct request *r)
{
    const char *host = header(c, "Host");
    if (!host || !is_number_of_host(host))
        return say(c, MHD_HTTP_FORBIDDEN,
                   "expected a host given by its address, or localhost");
    if (!is_of_here(c, host))
        return say(c, MHD_HTTP_FORBIDDEN, "not for pages of other origins");
    if (!strcmp(method, MHD_HTTP_METHOD_GET))
        return get(c, live, path, r);
    if (strcmp(method, MHD_HTTP_METHOD_POST) != 0)
        return say(c, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET or POST");
    if (!has_token(c, live))
        return say(c, MHD_HTTP_FORBIDDEN,
                   "expected the token of sim-run's address as X-Corbel-Token");
    if (r->length > BODY_BYTES)
        return say(c, MHD_HTTP_CONTENT_TOO_LARGE, "the order is too long");
    return post(c, live, path, r->body);
}

/* Called when the head has come, for parts of the body, and at the end, with
 * size 0 and a request that is known. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *c,
                                  const char *path, const char *method,
                                  const char *version, const char *data,
                                  size_t *size, void **known)
{
    struct server *s = context;
    struct request *r = *known;
    (void)version;
    if (!r) {
        *known = heap_new(1, sizeof *r, "--serve");
        return MHD_YES;
    }
    if (!*size)
        return decide(c, s->live, path, method, r);
    size_t room = r->length < BODY_BYTES ? BODY_BYTES - r->length : 0;
    memcpy(r->body + (r->length < BODY_BYTES ? r->length : 0), data,
           *size < room ? *size : room);
    r->length += *size;
    *size = 0;
    return MHD_YES;
}

static void on_done(void *context, struct MHD_Connection *c, void **known,
                    enum MHD_RequestTerminationCode why)
{
    struct server *s = context;
    const struct request *r = *known;
    clients_served(&s->clients, c);
    if (r && r->last && why == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        live_sent_last(s->live, r->file);
    free(*known);
    *known = NULL;
}

/* ---- where ---- */

/* Tells that it cannot serve, for the reason that errno gives. */
static void cannot(const char *where, struct error *error)
{
    error_set(error, "cannot serve at %.80s: %s", where, strerror(errno));
}

/* A file that only this user reads; an old one, or what else has its name, goes
 * first. False: errno says why not. */
static bool write_address(const char *path, const char *address)
{
    if (unlink(path) && errno != ENOENT)
        return false;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file)
        return false;
    fprintf(file, "%s\n", address);
    return !fclose(file);
}

/* The port is the one that the host has chosen, where 0 was asked for. Behind
 * the # stands what orders need: browsers keep it to themselves, and other
 * users of this host that ask the server do not get it. */
static void say_where(struct server *s, int socket, const char *outdir)
{
    char at[100], url[200], text[400];
    if (!listening_address(socket, at, sizeof at))
        return;
    snprintf(url, sizeof url, "http://%s/#token=%s", at, live_token(s->live));
    snprintf(text, sizeof text, "serving %s", url);
    corbel_tell("sim-run", CORBEL_PLAIN, text);
    if (!outdir)
        return;
    const size_t length = strlen(outdir) + sizeof "/" SERVE_ADDRESS;
    s->file = heap_new(length, 1, "--serve");
    snprintf(s->file, length, "%s/" SERVE_ADDRESS, outdir);
    if (!write_address(s->file, url))
        tool_note("%s: %s", s->file, strerror(errno));
}

struct server *server_start(struct live *live, const char *where,
                            const char *outdir, struct error *error)
{
    int socket = listening_at("serve", where, CLIENTS, error);
    if (socket < 0)
        return NULL;
    struct server *s = heap_new(1, sizeof *s, "--serve");
    s->live = live;
    s->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL, NULL,
        on_request, s, MHD_OPTION_LISTEN_SOCKET, socket,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CLIENTS_MOST,
        MHD_OPTION_NOTIFY_CONNECTION, clients_notify, &s->clients,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
        MHD_OPTION_NOTIFY_COMPLETED, on_done, s, MHD_OPTION_END);
    if (s->daemon) {
        say_where(s, socket, outdir);
        return s;
    }
    cannot(where, error);
    close(socket);
    free(s);
    return NULL;
}

void server_stop(struct server *s)
{
    if (!s)
        return;
    MHD_stop_daemon(s->daemon);
    if (s->file)
        unlink(s->file);
    free(s->file);
    free(s);
}
