#include "sim/core/share.h"
#include <string.h>

/* Samples in a weight. */
#define MEMORY 8

#define ONE 1024u
#define MOST_SLOWNESS (8 * ONE) /* one of eight programs on a processor */
#define MOST_PATIENCE 64
#define SLACK 10       /* epochs of one thread that several may lose */
#define MOST_PUT_OFF 7 /* the last time for 2^6 decisions */

/* Now and then a thread loses its core for milliseconds within a tile, whose
 * weight must not be that of all others together. */
#define OUTLIER 8
#define LEAST_OUTLIER 2000 /* ns */

/* If most tiles take RISE times as long as they did, and LEAST_RISE more, a
 * kernel has begun: what was before means nothing. */
#define RISE 2
#define LEAST_RISE 2000 /* ns */

/* A tile that moves comes into the new core's cache line by line: it must take
 * this share off the thread that has most. */
#define GAIN 25 /* 1 / 25 */

/* ---- weights ---- */

uint64_t share_time(uint64_t weight)
{
    return weight / MEMORY;
}

static uint64_t sum_of(const uint64_t *values, unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* The mean, as if the longest one had taken no time. */
static uint64_t mean_of_others(const uint64_t *ns, unsigned tiles)
{
    uint64_t longest = 0;
    for (unsigned i = 0; i < tiles; i++)
        longest = ns[i] > longest ? ns[i] : longest;
    return (sum_of(ns, tiles) - longest) / tiles;
}

static bool kernel_begun(const uint64_t *weights, const uint64_t *ns,
                         unsigned tiles)
{
    unsigned risen = 0;
    for (unsigned i = 0; i < tiles; i++)
        risen += ns[i] > RISE * share_time(weights[i]) + LEAST_RISE;
    return risen > tiles / 2;
}

/* Without what is out of all proportion to what is usual. */
static uint64_t credible(uint64_t ns, uint64_t usual)
{
    uint64_t most = OUTLIER * usual + LEAST_OUTLIER;
    return ns < most ? ns : most;
}

bool share_weigh(uint64_t *weights, const uint64_t *ns, unsigned tiles)
{
    bool begun = kernel_begun(weights, ns, tiles);
    uint64_t mean = begun ? mean_of_others(ns, tiles) : 0;
    for (unsigned i = 0; i < tiles; i++) {
        uint64_t usual = share_time(weights[i]);
        weights[i] = begun ? MEMORY * credible(ns[i], mean)
                           : weights[i] - usual + credible(ns[i], usual);
    }
    return begun;
}

/* ---- which thread has which tile ---- */

static void sum_up(const struct shares *s)
{
    memset(s->loads, 0, s->threads * sizeof *s->loads);
    for (unsigned i = 0; i < s->tiles; i++)
        s->loads[s->owner[i]] += s->weights[i];
}

/* The thread with the least or the most. */
static unsigned thread_with(const struct shares *s, bool most)
{
    unsigned found = 0;
    for (unsigned n = 1; n < s->threads; n++)
        if (most ? s->loads[n] > s->loads[found]
                 : s->loads[n] < s->loads[found])
            found = n;
    return found;
}

/* The heaviest tile that no thread has. */
static unsigned next_tile(const struct shares *s)
{
    unsigned found = s->tiles;
    for (unsigned i = 0; i < s->tiles; i++)
        if (s->owner[i] == s->threads &&
            (found == s->tiles || s->weights[i] > s->weights[found]))
            found = i;
    return found;
}

void share_first(const struct shares *s)
{
    memset(s->loads, 0, s->threads * sizeof *s->loads);
    for (unsigned i = 0; i < s->tiles; i++)
        s->owner[i] = s->threads;
    for (unsigned i; (i = next_tile(s)) < s->tiles;) {
        s->owner[i] = thread_with(s, false);
        s->loads[s->owner[i]] += s->weights[i];
    }
}

/* A tile moves to a thread, and one of that thread's, if there is an `against`,
 * to where it was: the more loaded of the two has `load` then. */
struct move {
    unsigned tile, to, against;
    uint64_t load;
};

static void consider(const struct shares *s, struct move *best, unsigned tile,
                     unsigned to, unsigned against)
{
    uint64_t here = s->loads[s->owner[tile]] - s->weights[tile];
    uint64_t there = s->loads[to] + s->weights[tile];
    if (against < s->tiles) {
        here += s->weights[against];
        there -= s->weights[against];
    }
    uint64_t load = here > there ? here : there;
    if (load < best->load)
        *best = (struct move){tile, to, against, load};
}

static void consider_all(const struct shares *s, struct move *best,
                         unsigned tile)
{
    unsigned from = s->owner[tile];
    consider(s, best, tile, thread_with(s, false), s->tiles);
    for (unsigned i = 0; i < s->tiles; i++)
        if (s->owner[i] != from)
            consider(s, best, tile, s->owner[i], i);
}

/* What takes most off the thread that has most; false: nothing takes enough. */
static bool improve(const struct shares *s)
{
    unsigned from = thread_with(s, true);
    struct move best = {.load = s->loads[from] - s->loads[from] / GAIN};
    bool found = false;
    for (unsigned i = 0; i < s->tiles; i++)
        if (s->owner[i] == from) {
            uint64_t before = best.load;
            consider_all(s, &best, i);
            found |= best.load < before;
        }
    if (!found)
        return false;
    if (best.against < s->tiles)
        s->owner[best.against] = from;
    s->owner[best.tile] = best.to;
    sum_up(s);
    return true;
}

bool share_again(const struct shares *s)
{
    unsigned moves = 0;
    sum_up(s);
    while (moves < s->tiles && improve(s))
        moves++;
    return moves;
}

uint64_t share_most(const struct shares *s)
{
    sum_up(s);
    return s->loads[thread_with(s, true)];
}

uint64_t share_all(const struct shares *s)
{
    return sum_of(s->weights, s->tiles);
}

/* ---- one thread or several ---- */

void share_mode_init(struct share_mode *m)
{
    *m = (struct share_mode){
        .alone = true, .patience = 1, .slowness = ONE, .recent = ONE};
}

uint64_t share_one(const struct share_mode *m, uint64_t work)
{
    return work * m->slowness / ONE;
}

bool share_lost(const struct share_mode *m, uint64_t ns, uint64_t epochs,
                uint64_t one_ns)
{
    return !m->alone && ns > (epochs + SLACK) * one_ns;
}

static uint64_t within(uint64_t x, uint64_t least, uint64_t most)
{
    return x < least ? least : x > most ? most : x;
}

/* Several threads took longer than one: not again soon. */
static void give_up(struct share_mode *m)
{
    m->alone = true;
    m->rest = m->patience;
    if (m->patience < MOST_PATIENCE)
        m->patience *= 4;
}

/* One is alone: are several worth it? */
static void try_several(struct share_mode *m, uint64_t all, uint64_t most,
                        uint64_t barrier_ns)
{
    m->alone = all - most < 4 * barrier_ns;
}

/* Seen once, it may be work that weights do not know of yet. */
static void note_slowness(struct share_mode *m, uint64_t slowness)
{
    uint64_t before = m->recent;
    m->recent = within(slowness, ONE, MOST_SLOWNESS);
    m->slowness = before < m->recent ? before : m->recent;
}

void share_begin(struct share_mode *m, uint64_t all, uint64_t most,
                 uint64_t barrier_ns)
{
    m->rest = 0;
    m->patience = 1;
    try_several(m, all, most, barrier_ns);
}

void share_decide(struct share_mode *m, uint64_t wall, uint64_t all,
                  uint64_t most, uint64_t barrier_ns)
{
    uint64_t slowness = ONE * wall / (all ? all : 1);
    if (m->alone) {
        note_slowness(m, slowness);
        if (m->rest)
            m->rest--;
        else
            try_several(m, all, most, barrier_ns);
        return;
    }
    if (slowness > m->slowness) {
        give_up(m);
        return;
    }
    m->patience = 1;
    m->put_off = 0;
    m->slowness -= (m->slowness - ONE) / 8; /* the host may be free by now */
    m->alone = all - most < 2 * barrier_ns;
}

void share_put_off(struct share_mode *m)
{
    if (m->put_off == MOST_PUT_OFF) {
        m->put_off = 0;
        return;
    }
    m->alone = true;
    m->rest = 1u << m->put_off++;
}
