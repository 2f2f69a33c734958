/* The segments of a stream scheduler; their orders are files of their own. */
#include "sim/units/streams/streamscheduler_policy.h"
#include "sim/units/common/stream.h"
#include <assert.h>
#include <string.h>

void policy_start(struct policy *p, uint32_t count)
{
    p->count = count;
    p->waiting_first = p->waiting_last = 0;
    p->candidate_count = p->active = p->fetching = p->ready = 0;
    p->last_activated = POLICY_NONE;
    p->roots_seen = false;
    if (count) {
        p->candidates[p->candidate_count++] = 0;
        p->last_activated = 0;
    }
}

void policy_describe(struct policy *p, uint32_t segment, uint32_t first_child,
                     uint32_t children)
{
    p->segments[segment] = (struct policy_segment){
        .first_child = first_child,
        .children = children,
        .candidate = segment == 0,
    };
}

/* ---- what has come ---- */

void policy_item(struct policy *p, uint32_t segment, unsigned hint)
{
    struct policy_segment *s = &p->segments[segment];
    unsigned far = hint < STREAM_HINT_MAX ? hint : STREAM_HINT_MAX;
    s->weight += 1u << (STREAM_HINT_MAX - far);
    s->rays++;
}

void policy_open(struct policy *p, uint32_t segment)
{
    p->segments[segment].opened++;
}

void policy_written(struct policy *p, uint32_t segment, uint32_t bucket)
{
    struct policy_segment *s = &p->segments[segment];
    number_list_add(p->next, &s->written, bucket);
    p->ready += s->candidate;
}

void policy_roots_seen(struct policy *p)
{
    p->roots_seen = true;
    if (p->count)
        p->segments[0].parent_finished = true;
}

bool policy_complete(struct policy *p, uint32_t segment)
{
    if (segment >= p->count || !p->segments[segment].out)
        return false;
    struct policy_segment *s = &p->segments[segment];
    s->out--;
    s->finished++;
    return true;
}

/* ---- fetching ---- */

uint32_t policy_to_fetch(const struct policy *p)
{
    if (p->active >= p->limit || p->fetching >= p->fetches)
        return POLICY_NONE;
    for (uint32_t i = 0; i < p->candidate_count; i++) {
        const struct policy_segment *s = &p->segments[p->candidates[i]];
        if (s->opened && !s->fetch_asked)
            return p->candidates[i];
    }
    return POLICY_NONE;
}

void policy_fetch(struct policy *p, uint32_t segment)
{
    assert(!p->segments[segment].fetch_asked);
    p->segments[segment].fetch_asked = true;
    p->active++;
    p->fetching++;
}

void policy_fetched(struct policy *p, uint32_t segment)
{
    p->segments[segment].fetched = true;
    p->fetching--;
}

/* ---- retiring ---- */

/* No item of the segment will come, and all that came are traced. */
static bool is_finished(const struct policy_segment *s)
{
    return s->parent_finished && s->finished == s->opened;
}

uint32_t policy_to_retire(const struct policy *p)
{
    for (uint32_t i = 0; i < p->candidate_count; i++) {
        const struct policy_segment *s = &p->segments[p->candidates[i]];
        if (is_finished(s) && s->ordered)
            return p->candidates[i];
    }
    return POLICY_NONE;
}

static void remove_candidate(struct policy *p, uint32_t segment)
{
    uint32_t at = 0;
    while (p->candidates[at] != segment) {
        at++;
        assert(at < p->candidate_count);
    }
    p->candidate_count--;
    memmove(&p->candidates[at], &p->candidates[at + 1],
            (p->candidate_count - at) * sizeof *p->candidates);
}

void policy_retire(struct policy *p, uint32_t segment)
{
    struct policy_segment *s = &p->segments[segment];
    assert(s->candidate && is_finished(s));
    s->candidate = false;
    p->active -= s->fetch_asked;
    remove_candidate(p, segment);
    for (uint32_t i = 0; i < s->children; i++) {
        assert(!p->segments[s->first_child + i].parent_finished);
        p->segments[s->first_child + i].parent_finished = true;
    }
}

/* ---- activating ---- */

#define ORDER_ROW(name) &stream_order_##name,
static const struct stream_order *const orders[] = {
    STREAM_ORDERS(ORDER_ROW, ORDER_ROW)};

static void add_candidate(struct policy *p, uint32_t segment)
{
    struct policy_segment *s = &p->segments[segment];
    s->candidate = true;
    p->ready += s->written.count;
    p->candidates[p->candidate_count++] = segment;
    p->last_activated = segment;
}

/* The children are put in order whether or not there is room for candidates:
 * a candidate cannot retire before. */
bool policy_activate(struct policy *p)
{
    if (!p->roots_seen || p->ready >= p->low_water ||
        p->last_activated == POLICY_NONE)
        return false;
    struct policy_segment *s = &p->segments[p->last_activated];
    bool ordered = s->ordered;
    if (!ordered) {
        s->ordered = true;
        orders[p->order]->put(p, s);
    }
    bool room =
        p->candidate_count < p->limit && p->waiting_first != p->waiting_last;
    if (room)
        add_candidate(p, orders[p->order]->take(p));
    return room || !ordered;
}

/* ---- reading ---- */

static bool is_readable(const struct policy_segment *s)
{
    return s->fetched && s->written.count;
}

uint32_t policy_to_read(const struct policy *p, uint32_t last)
{
    if (last != POLICY_NONE && is_readable(&p->segments[last]))
        return last;
    for (uint32_t i = 0; p->ready && i < p->candidate_count; i++)
        if (is_readable(&p->segments[p->candidates[i]]))
            return p->candidates[i];
    return POLICY_NONE;
}

uint32_t policy_read(struct policy *p, uint32_t segment)
{
    struct policy_segment *s = &p->segments[segment];
    s->out++;
    p->ready--;
    return number_list_take(p->next, &s->written);
}
