#include "sim/core/share.h"

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

/* Most tiles take so many times as long as they did, and more than that: a
 * kernel has begun, what was before means nothing. */
#define RISE 2
#define LEAST_RISE 2000 /* ns */

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

/* Gives each thread as much as it may have; false: that is not all. */
static bool fill(const uint64_t *weights, unsigned tiles, unsigned threads,
                 uint64_t most, unsigned *end)
{
    unsigned tile = 0;
    for (unsigned n = 0; n < threads; n++) {
        uint64_t sum = 0;
        while (tile < tiles && sum + weights[tile] <= most)
            sum += weights[tile++];
        end[n] = tile;
    }
    return tile == tiles;
}

void share_split(const uint64_t *weights, unsigned tiles, unsigned threads,
                 unsigned *end)
{
    uint64_t enough = sum_of(weights, tiles), too_little = 0;
    while (enough - too_little > 1) {
        uint64_t middle = too_little + (enough - too_little) / 2;
        if (fill(weights, tiles, threads, middle, end))
            enough = middle;
        else
            too_little = middle;
    }
    fill(weights, tiles, threads, enough, end);
}

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

uint64_t share_most(const uint64_t *weights, unsigned threads,
                    const unsigned *end)
{
    uint64_t most = 0;
    unsigned tile = 0;
    for (unsigned n = 0; n < threads; n++) {
        uint64_t sum = 0;
        while (tile < end[n])
            sum += weights[tile++];
        if (sum > most)
            most = sum;
    }
    return most;
}
