/*
 * State that the simulation and the server share, under one lock. The
 * simulation writes texts when all tiles stand and a client has asked since the
 * last one, or when it is made to wait; the server reads them, and writes
 * orders.
 */
#include "sim/host/live/live.h"
#include "sim/core/formats.h"
#include "sim/core/heap.h"
#include "sim/host/host.h"
#include "sim/host/live/live_server.h"
#include "sim/host/live/live_texts.h"
#include "sim/host/observer.h"
#include "sim/host/results/json_text.h"
#include "sim/host/results/results.h"
#include "sim/host/run/signals.h"
#include "sim/report/page.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* A client that has asked within the first time watches the run, and has the
 * second to see the end. */
#define WATCHES_SECONDS 5
#define END_SECONDS 3
/* The age at which a snapshot is replaced, also if no client asks. */
#define OLD_SECONDS 2

enum { TOKEN_BYTES = 16 };

struct live {
    struct server *server;
    char token[2 * TOKEN_BYTES + 1];
    struct snapshots *snapshots; /* of the simulation's thread alone */

    pthread_mutex_t lock; /* for all below */
    pthread_cond_t changed;
    struct snapshot latest; /* texts NULL: there is none yet */
    struct progress progress;
    double asked[LIVE_FILES]; /* seconds; of the last request, 0: none */
    bool sent[LIVE_FILES];    /* a client has got the last one */
    double published;         /* seconds; when the latest snapshot was taken */
    bool wanted;              /* a client has asked since the latest snapshot */
    uint64_t until;           /* the run stands from this cycle on */
    bool to_border;           /* or from the next border on */
    bool standing, ended;
};

/* ---- begin and end ---- */

/* A word in the address that sim-run has printed, and nowhere else, so
 * that neither other pages in the same browser nor other users of the host can
 * pause or stop the run. */
static void make_token(struct live *l)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        heap_end("--serve: the host has no random numbers");
    for (unsigned i = 0; i < TOKEN_BYTES; i++)
        snprintf(l->token + 2 * i, 3, "%02x", bytes[i]);
}

/* Signals are for the simulation's threads. */
static struct server *start_server(struct live *l, const struct options *o,
                                   struct error *error)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct server *server = server_start(l, o->serve, o->outdir, error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return server;
}

static struct live *live_of(const struct host *host)
{
    return *observer_of(host, &live_observer);
}

static bool live_open(struct host *host, struct error *error)
{
    if (!host->options->serve)
        return true;
    struct live *l = heap_new(1, sizeof *l, "--serve");
    *observer_of(host, &live_observer) = l;
    l->until = CYCLE_NEVER;
    l->wanted = true;
    make_token(l);
    pthread_mutex_init(&l->lock, NULL);
    pthread_condattr_t of;
    pthread_condattr_init(&of);
    pthread_condattr_setclock(&of, CLOCK_MONOTONIC);
    pthread_cond_init(&l->changed, &of);
    pthread_condattr_destroy(&of);
    l->server = start_server(l, host->options, error);
    return l->server;
}

static void live_free(struct host *host)
{
    struct live *l = live_of(host);
    if (!l)
        return;
    server_stop(l->server);
    snapshots_free(l->snapshots);
    snapshot_free(&l->latest);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

const char *live_token(const struct live *l)
{
    return l->token;
}

/* ---- the simulation ---- */

/* Hands over what there is; with the lock. */
static void publish(struct host *host)
{
    struct live *l = live_of(host);
    struct sighting s = status_sighting(host);
    progress_look(&l->progress, &s);
    snapshot_free(&l->latest);
    l->latest = snapshots_take(l->snapshots, host);
    l->published = s.seconds;
    l->wanted = false;
}

/* The chip is ready, and nothing has run: there are statistics from now on. */
static bool live_begin(struct host *host, struct error *error)
{
    struct live *l = live_of(host);
    if (!l)
        return true;
    pthread_mutex_lock(&l->lock);
    l->snapshots = snapshots_new(host);
    publish(host);
    l->wanted = true;
    pthread_mutex_unlock(&l->lock);
    return true;
}

static uint64_t live_interval(const struct host *host)
{
    return live_of(host) ? LIVE_INTERVAL : 0;
}

static uint64_t live_next(const struct host *host)
{
    struct live *l = live_of(host);
    if (!l)
        return CYCLE_NEVER;
    pthread_mutex_lock(&l->lock);
    uint64_t next = l->until;
    pthread_mutex_unlock(&l->lock);
    return next;
}

static void live_progress(struct host *host)
{
    struct live *l = live_of(host);
    if (!l)
        return;
    struct sighting s = status_sighting(host);
    pthread_mutex_lock(&l->lock);
    progress_look(&l->progress, &s);
    if (l->until <= host->now && host_is_timed(host))
        engine_mark(host->engine, host->now);
    pthread_mutex_unlock(&l->lock);
}

/* A moment from now on, for pthread_cond_timedwait. */
static struct timespec in_seconds(double seconds)
{
    double when = clock_seconds(CLOCK_MONOTONIC) + seconds;
    struct timespec t = {.tv_sec = (time_t)when};
    t.tv_nsec = (long)((when - (double)t.tv_sec) * 1e9);
    return t;
}

/* Signals that have come end a wait soon, too. */
static void wait_a_little(struct live *l)
{
    struct timespec soon = in_seconds(0.1);
    pthread_cond_timedwait(&l->changed, &l->lock, &soon);
}

/* Did a client ask for the file shortly before `end`? */
static bool was_asked(const struct live *l, enum live_file file, double end)
{
    return l->asked[file] > 0 && end - l->asked[file] < WATCHES_SECONDS;
}

/* Is there a client that has not got how the run ended? Each file with figures
 * counts for itself, as one client may read both, in any order. */
static bool is_watched(const struct live *l, double end)
{
    if (was_asked(l, LIVE_RUN, end) || was_asked(l, LIVE_STATS, end))
        return (was_asked(l, LIVE_RUN, end) && !l->sent[LIVE_RUN]) ||
               (was_asked(l, LIVE_STATS, end) && !l->sent[LIVE_STATS]);
    return (was_asked(l, LIVE_PAGE, end) || was_asked(l, LIVE_PROGRESS, end)) &&
           !l->sent[LIVE_RUN] && !l->sent[LIVE_STATS];
}

/* A client waits for a snapshot, or would get an old one. */
static bool is_due(const struct live *l)
{
    return l->wanted ||
           clock_seconds(CLOCK_MONOTONIC) - l->published > OLD_SECONDS;
}

static void live_look(struct host *host, bool border)
{
    struct live *l = live_of(host);
    if (!l)
        return;
    if (border)
        snapshots_add(l->snapshots, host);
    pthread_mutex_lock(&l->lock);
    if (border && l->to_border)
        l->until = host->now;
    bool holds = l->until <= host->now && !signals_noted;
    if (holds || (border && is_due(l)))
        publish(host);
    while (l->until <= host->now && !signals_noted) {
        l->standing = true;
        l->to_border = false;
        wait_a_little(l);
    }
    l->standing = false;
    pthread_mutex_unlock(&l->lock);
}

static void live_end(struct host *host)
{
    struct live *l = live_of(host);
    if (!l)
        return;
    double end = clock_seconds(CLOCK_MONOTONIC);
    snapshots_add(l->snapshots, host);
    pthread_mutex_lock(&l->lock);
    publish(host);
    l->ended = true;
    while (is_watched(l, end) &&
           clock_seconds(CLOCK_MONOTONIC) < end + END_SECONDS)
        wait_a_little(l);
    pthread_mutex_unlock(&l->lock);
    server_stop(l->server);
    l->server = NULL;
}

/* ---- the server ---- */

/* What is not known is null, as progress.h says it by negative numbers. */
static void add_known(cJSON *to, const char *name, double value)
{
    if (value >= 0)
        cJSON_AddNumberToObject(to, name, value);
    else
        cJSON_AddNullToObject(to, name);
}

/* What the page asks for again and again; for free(). */
static char *progress_text(const struct live *l)
{
    char phase[64];
    const struct progress *p = &l->progress;
    cJSON *json = cJSON_CreateObject();
    progress_phase(p, phase, sizeof phase);
    cJSON_AddNumberToObject(json, "format", PROGRESS_FORMAT);
    cJSON_AddStringToObject(json, "phase", phase);
    json_u64(json, "cycle", p->last.now);
    cJSON_AddNumberToObject(json, "rate", progress_rate(p));
    add_known(json, "share", progress_share(p));
    add_known(json, "left", progress_left(p));
    cJSON_AddBoolToObject(json, "standing", l->standing);
    cJSON_AddBoolToObject(json, "ended", l->ended);
    char *text = json_text(json);
    cJSON_Delete(json);
    return text;
}

/* The page with the latest snapshot in it; for free(), NULL: there is no
 * memory.
 */
static char *page_text(const struct live *l)
{
    static const char what[] = "the page that is served";
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        heap_lacks(1, BUFSIZ, what);
    page_write_live(out, l->latest.run);
    if (fclose(out))
        heap_lacks(1, size, what);
    return text;
}

/* The caller has the lock. */
static char *make_text(struct live *l, enum live_file file)
{
    if (file == LIVE_PROGRESS)
        return progress_text(l);
    l->wanted = true;
    if (!l->latest.run)
        return NULL;
    if (file == LIVE_PAGE)
        return page_text(l);
    return heap_text(file == LIVE_RUN ? l->latest.run : l->latest.stats);
}

struct live_reply live_reply(struct live *l, enum live_file file)
{
    pthread_mutex_lock(&l->lock);
    struct live_reply r = {.text = make_text(l, file)};
    r.last = l->ended && (file == LIVE_RUN || file == LIVE_STATS);
    l->asked[file] = clock_seconds(CLOCK_MONOTONIC);
    pthread_mutex_unlock(&l->lock);
    r.size = r.text ? strlen(r.text) : 0;
    return r;
}

void live_sent_last(struct live *l, enum live_file file)
{
    pthread_mutex_lock(&l->lock);
    l->sent[file] = true;
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

/* With the lock: the run stands from that cycle on, or from the next border. */
static void order(struct live *l, uint64_t until, bool to_border)
{
    l->until = until;
    l->to_border = to_border;
    l->standing = false;
    pthread_cond_signal(&l->changed);
}

void live_pause(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    if (!l->standing)
        order(l, 0, false);
    pthread_mutex_unlock(&l->lock);
}

void live_resume(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    order(l, CYCLE_NEVER, false);
    pthread_mutex_unlock(&l->lock);
}

void live_stop(struct live *l)
{
    pthread_mutex_lock(&l->lock);
    signals_note(SIGINT);
    pthread_cond_signal(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

bool live_step(struct live *l, uint64_t cycles)
{
    pthread_mutex_lock(&l->lock);
    bool stands = l->standing;
    if (stands)
        order(l, cycles ? l->progress.last.now + cycles : CYCLE_NEVER, !cycles);
    pthread_mutex_unlock(&l->lock);
    return stands;
}

static const struct option_row options[] = {
    {"serve", 0, "[ADDRESS:]PORT",
     "show the run as a page while it goes on (ADDRESS: 127.0.0.1)",
     OPTION_OBSERVE, OPTION_PASSING, OPTION_TEXT,
     offsetof(struct options, serve), .untimed = "statistics to show",
     .more = "With pause, step and stop (serve.md)."},
    {NULL}};

const struct observer live_observer = {
    .options = options,
    .name = "serve",
    .arrive = live_open,
    .begin = live_begin,
    .interval = live_interval,
    .next = live_next,
    .look = live_look,
    .progress = live_progress,
    .leave = live_end,
    .free = live_free,
};
