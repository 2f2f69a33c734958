/*
 * Calls all observers of a run. A new one is a line of observers.def and a file
 * of its own.
 */
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include <assert.h>

#define OBSERVER(name) &name,
static const struct observer *const observers[] = {
#include "sim/host/observers.def"
};
#undef OBSERVER
enum { COUNT = sizeof observers / sizeof *observers };
static_assert(COUNT <= OBSERVERS_MOST, "struct host has a place for each");

/* For each that has the member. */
#define EACH_OBSERVER(o, member)                                               \
    for (const struct observer *const *row_ = observers, *o;                   \
         row_ < observers + COUNT && (o = *row_, true); row_++)                \
        if (o->member)

void **observer_of(const struct host *host, const struct observer *observer)
{
    unsigned i = 0;
    while (observers[i] != observer)
        i++;
    return (void **)(uintptr_t)&host->observed[i];
}

bool observers_arrive(struct host *host, struct error *error)
{
    EACH_OBSERVER (o, arrive)
        if (!o->arrive(host, error))
            return false;
    return true;
}

bool observers_built(struct host *host, struct error *error)
{
    EACH_OBSERVER (o, built)
        if (!o->built(host, error))
            return false;
    return true;
}

bool observers_placed(struct host *host, struct error *error)
{
    EACH_OBSERVER (o, placed)
        if (!o->placed(host, error))
            return false;
    return true;
}

bool observers_open(struct host *host, struct error *error)
{
    EACH_OBSERVER (o, open)
        if (!o->open(host, error))
            return false;
    return true;
}

bool observers_begin(struct host *host, struct error *error)
{
    EACH_OBSERVER (o, begin)
        if (!o->begin(host, error))
            return false;
    return true;
}

/* Each is ended, whatever became of the others; error: the first one's. */
bool observers_end(struct host *host, struct error *error)
{
    struct error other;
    bool good = true;
    EACH_OBSERVER (o, end)
        good &= o->end(host, good ? error : &other);
    return good;
}

void observers_build(struct host *host)
{
    EACH_OBSERVER (o, build)
        o->build(host);
}

uint64_t observers_interval(const struct host *host)
{
    uint64_t cycles = 0;
    EACH_OBSERVER (o, interval)
        cycles = cycles ? cycles : o->interval(host);
    return cycles;
}

uint64_t observers_next(const struct host *host)
{
    uint64_t next = CYCLE_NEVER;
    EACH_OBSERVER (o, next) {
        uint64_t due = o->next(host);
        next = due < next ? due : next;
    }
    return next;
}

void observers_look(struct host *host, bool border)
{
    EACH_OBSERVER (o, look)
        o->look(host, border);
}

bool observers_still(struct host *host, uint64_t now)
{
    EACH_OBSERVER (o, still)
        if (!o->still(host, now))
            return false;
    return true;
}

bool observers_watch(const struct host *host)
{
    EACH_OBSERVER (o, watches)
        if (o->watches(host))
            return true;
    return false;
}

void observers_epoch(const struct host *host, uint64_t from,
                     const uint64_t *tile_ns, uint64_t between_ns)
{
    EACH_OBSERVER (o, epoch)
        o->epoch(host, from, tile_ns, between_ns);
}

bool observers_time(const struct host *host)
{
    EACH_OBSERVER (o, times)
        if (o->times(host))
            return true;
    return false;
}

bool observers_service(struct host *host, const struct hart *hart)
{
    EACH_OBSERVER (o, service)
        if (!o->service(host, hart))
            return false;
    return true;
}

void observers_border(struct host *host, enum range_of of, uint64_t number,
                      bool begin)
{
    EACH_OBSERVER (o, border)
        o->border(host, of, number, begin);
}

void observers_launch(struct host *host)
{
    EACH_OBSERVER (o, launch)
        o->launch(host);
}

void observers_written(struct host *host, const uint8_t *at, uint64_t bytes,
                       bool fresh)
{
    EACH_OBSERVER (o, written)
        o->written(host, at, bytes, fresh);
}

void observers_progress(struct host *host)
{
    EACH_OBSERVER (o, progress)
        o->progress(host);
}

void observers_save(struct host *host)
{
    EACH_OBSERVER (o, save)
        o->save(host);
}

void observers_state(struct host *host, struct state *s)
{
    EACH_OBSERVER (o, state)
        o->state(host, s);
}

const char *observers_over(const struct host *host, uint64_t most)
{
    const char *name = NULL;
    EACH_OBSERVER (o, bytes)
        if (o->bytes(host, &name) > most)
            return name;
    return NULL;
}

void observers_json(const struct host *host, struct cJSON *stats)
{
    EACH_OBSERVER (o, json)
        o->json(host, stats);
}

void observers_tell(struct host *host)
{
    EACH_OBSERVER (o, tell)
        o->tell(host);
}

unsigned observers_count(void)
{
    return COUNT;
}

const struct option_row *observers_options(unsigned number)
{
    return observers[number]->options;
}

bool observers_write(struct host *host, unsigned number,
                     const struct outcome *outcome, struct error *error)
{
    const struct observer *o = observers[number];
    return !o->write || o->write(host, outcome, error);
}

void observers_summary(const struct host *host)
{
    EACH_OBSERVER (o, summary)
        o->summary(host);
}

void observers_leave(struct host *host)
{
    EACH_OBSERVER (o, leave)
        o->leave(host);
}

void observers_free(struct host *host)
{
    EACH_OBSERVER (o, free)
        o->free(host);
}

const char *observers_need_stalls(const struct options *options)
{
    EACH_OBSERVER (o, needs_stalls)
        if (o->needs_stalls(options))
            return o->name;
    return NULL;
}

void observers_identity(const struct options *options, FILE *to)
{
    EACH_OBSERVER (o, identity)
        o->identity(options, to);
}
