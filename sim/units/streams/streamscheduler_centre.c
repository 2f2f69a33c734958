/*
 * What there is once for all banks and channels: segments, as the policy
 * decides, and which bucket is written and read in a cycle.
 */
#include "sim/units/streams/streamscheduler_private.h"
#include <assert.h>

void centre_take_fetched(struct streamscheduler *s)
{
    if (!*unit_pending(&s->unit, COMPLETE))
        return;
    const struct msg m = link_pop(&s->unit.in[COMPLETE][0]);
    s->moved = true;
    if (m.size != s->kernel)
        return;
    if (m.op == MEM_FAULT)
        streamscheduler_pass_refusal(s, &m);
    else
        policy_fetched(&s->policy, m.tag);
    s->changed = true;
}

/* Else the port wakes the unit when it has room. */
static bool can_command(struct streamscheduler *s)
{
    bool can = !s->unit.links[COMMAND] || link_ready(&s->unit.out[COMMAND][0]);
    s->blocked |= !can;
    return can;
}

static void command(struct streamscheduler *s, enum stream_op op,
                    uint32_t segment)
{
    const struct msg m = {.op = (uint8_t)op, .tag = segment, .size = s->kernel};
    link_push(&s->unit.out[COMMAND][0], &m);
}

/* ---- segments ---- */

static bool see_roots(struct streamscheduler *s)
{
    if (s->policy.roots_seen || !s->announced || s->roots_come < s->roots)
        return false;
    policy_roots_seen(&s->policy);
    if (s->policy.count)
        banks_flush_segment(s, 0);
    return true;
}

static bool fetch(struct streamscheduler *s)
{
    uint32_t segment = policy_to_fetch(&s->policy);
    if (segment == POLICY_NONE || !can_command(s))
        return false;
    policy_fetch(&s->policy, segment);
    s->stats.fetched++;
    if (s->unit.links[COMMAND])
        command(s, STREAM_FETCH, segment);
    else
        policy_fetched(&s->policy, segment);
    return true;
}

static bool retire(struct streamscheduler *s)
{
    uint32_t number = policy_to_retire(&s->policy);
    if (number == POLICY_NONE || !can_command(s))
        return false;
    const struct policy_segment *segment = &s->policy.segments[number];
    policy_retire(&s->policy, number);
    for (uint32_t i = 0; i < segment->children; i++)
        banks_flush_segment(s, segment->first_child + i);
    if (segment->fetched && s->unit.links[COMMAND])
        command(s, STREAM_RETIRE, number);
    s->stats.single += segment->opened == 1;
    return true;
}

static void run_segments(struct streamscheduler *s, uint64_t now)
{
    streamscheduler_book_candidates(s, now);
    s->blocked = false;
    bool seen = see_roots(s), fetched = fetch(s), retired = retire(s);
    bool activated = policy_activate(&s->policy);
    uint32_t candidates = s->policy.candidate_count;
    if (candidates > s->stats.candidates_max)
        s->stats.candidates_max = candidates;
    bool moved = seen || fetched || retired || activated;
    s->moved |= moved;
    s->changed = moved || s->blocked;
}

/* ---- buckets ---- */

/* The first TM that waits, and takes it from those. */
static uint32_t next_client(struct streamscheduler *s)
{
    uint32_t tm = s->loads[s->loads_order.head];
    ring_drop(&s->loads_order);
    assert(s->clients[tm].waiting);
    s->clients[tm].waiting--;
    s->moved = true;
    return tm;
}

static void give(struct streamscheduler *s, uint32_t segment)
{
    uint32_t number = policy_read(&s->policy, segment), tm = next_client(s);
    struct client *c = &s->clients[tm];
    uint32_t place = ring_add(&c->order);
    c->load[place] = (struct load){.bucket = number};
    c->last = segment;
    s->under_way++;
    channel_add(s, s->buckets[number].channel,
                (struct job){number, tm * LOADS + place});
    s->changed = true;
    s->stats.read++;
    s->stats.bytes_read += s->bucket_bytes;
}

/* One bucket a cycle is read, for the TM that has waited longest. */
static void read_bucket(struct streamscheduler *s)
{
    if (!s->loads_order.count)
        return;
    const struct policy *p = &s->policy;
    uint32_t last = s->clients[s->loads[s->loads_order.head]].last;
    uint32_t segment = s->announced ? policy_to_read(p, last) : POLICY_NONE;
    if (segment == POLICY_NONE)
        s->wait = s->announced && p->ready ? &s->stats.not_fetched
                                           : &s->stats.no_bucket;
    else if (!channel_has_room(
                 s, s->buckets[p->segments[segment].written.first].channel))
        s->wait = &s->stats.channel_full;
    else
        give(s, segment);
}

/* The banks whose buckets wait to be written take turns. */
static struct bank *next_bank(struct streamscheduler *s)
{
    while (!s->banks[s->next_bank].to_write.count)
        s->next_bank = port_after(s->next_bank, s->bank_count);
    return &s->banks[s->next_bank];
}

/* A segment's buckets go to the channels in turn. */
static uint32_t next_channel(const struct streamscheduler *s, uint32_t segment)
{
    const struct policy_segment *p = &s->policy.segments[segment];
    uint64_t before = (uint64_t)p->finished + p->out + p->written.count;
    return (uint32_t)((segment + before) % s->channel_count);
}

/* One bucket a cycle gets a place in the heap, and is written. */
static void write_bucket(struct streamscheduler *s)
{
    if (!s->to_write)
        return;
    struct bank *b = next_bank(s);
    uint32_t number = b->to_write.first;
    uint32_t segment = s->buckets[number].segment;
    uint32_t channel = next_channel(s, segment);
    if (!channel_has_room(s, channel)) {
        s->wait = &s->stats.write_stall;
        return;
    }
    if (!heap_take(s, number, channel))
        return;
    number_list_take(s->policy.next, &b->to_write);
    s->to_write--;
    s->next_bank = port_after(s->next_bank, s->bank_count);
    channel_add(s, channel, (struct job){number, WRITE_JOB});
    policy_written(&s->policy, segment, number);
    s->moved = s->changed = true;
    s->stats.written++;
    s->stats.written_roots += segment == 0;
    s->stats.moved_out += s->buckets[number].items;
    s->stats.bytes_written += s->bucket_bytes;
}

/* ---- the end ---- */

/* Waiting TMs hear that no more buckets come, one a channel in each cycle. */
static void answer_waiting(struct streamscheduler *s, const struct msg *answer)
{
    for (uint32_t i = 0; s->loads_order.count && i < s->channel_count; i++) {
        uint32_t tm = next_client(s);
        link_push(&s->unit.out[BUCKET][tm], answer);
        s->stats.ends += answer->op == STREAM_END;
    }
}

/* Each bucket has been written and read, and its place is free again. */
static void end_kernel(struct streamscheduler *s, uint64_t now)
{
    assert(!s->to_flush && !s->to_write && !s->under_way && !s->in_heap);
    const struct msg flush = {.op = STREAM_FLUSH, .size = s->kernel};
    s->ended = true;
    s->stats.tracing += now - s->began;
    for (uint32_t i = 0; i < s->unit.links[FLUSH]; i++)
        link_push(&s->unit.out[FLUSH][i], &flush);
    for (uint32_t i = 0; i < s->policy.count; i++)
        s->stats.culled += !s->policy.segments[i].opened;
}

static void answer_refused(struct streamscheduler *s)
{
    const struct msg answer = {.op = MEM_FAULT,
                               .aux = MEM_READ,
                               .addr = s->fault,
                               .size = s->kernel,
                               .value = s->refused_by};
    answer_waiting(s, &answer);
}

void centre_run(struct streamscheduler *s, uint64_t now)
{
    const struct msg end = {.op = STREAM_END, .size = s->kernel};
    if (s->refused) {
        answer_refused(s);
        return;
    }
    if (s->changed)
        run_segments(s, now);
    if (policy_is_done(&s->policy)) {
        if (!s->ended)
            end_kernel(s, now);
        answer_waiting(s, &end);
        return;
    }
    read_bucket(s);
    write_bucket(s);
}
