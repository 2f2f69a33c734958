/*
 * Where buckets lie, their way to main memory and back, and on to the TMs. A
 * place in the heap is free again when the last of its bytes has come back.
 */
#include "sim/units/streams/streamscheduler_private.h"

/* ---- the heap ---- */

bool heap_take(struct streamscheduler *s, uint32_t bucket, uint32_t channel)
{
    struct channel *c = &s->channels[channel];
    struct bucket *b = &s->buckets[bucket];
    if (!c->freed_count && c->used == s->slots) {
        streamscheduler_refuse(s, REFUSAL_HEAP, b->segment);
        return false;
    }
    b->channel = channel;
    b->slot = c->freed_count ? c->freed[--c->freed_count] : c->used++;
    if (++s->in_heap > s->stats.heap_max)
        s->stats.heap_max = s->in_heap;
    return true;
}

static void release(struct streamscheduler *s, uint32_t bucket)
{
    const struct bucket *b = &s->buckets[bucket];
    struct channel *c = &s->channels[b->channel];
    c->freed[c->freed_count++] = b->slot;
    s->in_heap--;
    number_list_add(s->policy.next, &s->spare, bucket);
}

/* Slots of a channel fill the rows of its partition, one after the other. */
static uint64_t address_of(const struct streamscheduler *s,
                           const struct bucket *b)
{
    uint64_t stride = (uint64_t)s->params.stride;
    uint64_t each = stride / s->bucket_bytes;
    uint64_t row = b->slot / each * s->channel_count + b->channel;
    return s->heap + row * stride + b->slot % each * s->bucket_bytes;
}

/* ---- jobs ---- */

static struct job *job_at(struct channel *c, uint32_t n)
{
    return &c->jobs[ring_place(&c->order, n)];
}

/* Reads may overtake writes that have not begun, but not that of their bucket.
 */
void channel_add(struct streamscheduler *s, uint32_t channel, struct job job)
{
    struct channel *c = &s->channels[channel];
    uint32_t place = c->order.count;
    ring_add(&c->order);
    s->under_way++;
    if (s->reads_first && job.tag != WRITE_JOB)
        for (; place > 1; place--) {
            const struct job *before = job_at(c, place - 1);
            if (before->tag != WRITE_JOB || before->bucket == job.bucket)
                break;
            *job_at(c, place) = *before;
        }
    *job_at(c, place) = job;
}

static struct load *load_of(struct streamscheduler *s, uint32_t tag)
{
    return &s->clients[tag / LOADS].load[tag % LOADS];
}

/* Another sector of a bucket has come from memory. */
static void arrive(struct streamscheduler *s, uint32_t tag)
{
    struct load *l = load_of(s, tag);
    l->sectors++;
    s->due[tag / LOADS / 64] |= 1ull << tag / LOADS % 64;
}

static void send_sector(struct streamscheduler *s, uint32_t channel,
                        const struct job *job, uint32_t sector)
{
    bool write = job->tag == WRITE_JOB;
    struct msg m = {.op = write ? MEM_WRITEBACK : MEM_FILL,
                    .addr = address_of(s, &s->buckets[job->bucket]) +
                            sector * SECTOR,
                    .size = SECTOR,
                    .from = s->kernel,
                    .tag = job->tag,
                    .aux = CLIENT_RAYS};
    if (!write)
        trip_begin(&m, TRIP_bucket, unit_now(&s->unit));
    link_push(&s->unit.out[MEM][channel], &m);
}

static void finish_job(struct streamscheduler *s, struct channel *c)
{
    c->sent = 0;
    ring_drop(&c->order);
    s->under_way--;
}

static void run_channel(struct streamscheduler *s, uint32_t channel)
{
    struct channel *c = &s->channels[channel];
    const struct job *job = &c->jobs[c->order.head];
    uint32_t end = c->sent + BEAT / SECTOR, all = s->bucket_bytes / SECTOR;
    if (end > all)
        end = all;
    for (; c->sent < end; c->sent++) {
        if (!s->on_chip && !link_ready(&s->unit.out[MEM][channel]))
            return;
        s->stats.on_chip_writes += s->on_chip && job->tag == WRITE_JOB;
        s->stats.on_chip_reads += s->on_chip && job->tag != WRITE_JOB;
        if (!s->on_chip)
            send_sector(s, channel, job, c->sent);
        else if (job->tag != WRITE_JOB)
            arrive(s, job->tag);
        s->moved = true;
    }
    if (c->sent == all)
        finish_job(s, c);
}

void channels_run(struct streamscheduler *s)
{
    for (uint32_t i = 0; i < s->channel_count; i++)
        if (s->channels[i].order.count)
            run_channel(s, i);
}

/* ---- returns ---- */

static void take_data(struct streamscheduler *s, const struct msg *m)
{
    s->moved = true;
    TRIP_END(&s->unit, &s->stats, m, unit_now(&s->unit));
    if (m->from != s->kernel)
        return;
    if (m->op == MEM_FAULT)
        streamscheduler_pass_refusal(s, m);
    else
        arrive(s, m->tag);
}

void channels_take_data(struct streamscheduler *s)
{
    uint32_t words = (s->unit.links[DATA] + 63u) / 64; /* none: on chip */
    const uint64_t *pending = unit_pending(&s->unit, DATA);
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = pending[w]; left; left &= left - 1) {
            uint32_t bit = (uint32_t)mask_first(left);
            while (pending[w] >> bit & 1)
                take_data(s, link_read(&s->unit.in[DATA][64 * w + bit]));
        }
}

/* Items that end within the first `beats`. The last one counts as ending with
 * the last beat: it says that the bucket is there. */
static uint32_t items_within(const struct streamscheduler *s, uint32_t beats,
                             uint32_t items)
{
    uint32_t end = (beats * BEAT - HEAD_BYTES) / ITEM_BYTES;
    if (beats == s->beats)
        return items;
    return end < items ? end : items - 1;
}

static void send_head(struct streamscheduler *s, uint32_t tm,
                      const struct bucket *b)
{
    const struct msg m = {.op = STREAM_BUCKET,
                          .addr = s->records,
                          .tag = b->segment,
                          .size = s->kernel,
                          .value = b->items};
    link_push(&s->unit.out[BUCKET][tm], &m);
}

static void send_item(struct streamscheduler *s, uint32_t tm, uint32_t bucket,
                      uint32_t i)
{
    const struct item *item = &s->items[(size_t)bucket * s->capacity + i];
    const struct msg m = {.op = STREAM_ITEM,
                          .addr = item->number,
                          .tag = s->buckets[bucket].segment,
                          .size = s->kernel};
    struct payload payload;
    memcpy(payload.bytes, &item->ray, sizeof payload.bytes);
    link_push_full(&s->unit.out[BUCKET][tm], &m, &payload);
}

static void send_beat(struct streamscheduler *s, uint32_t tm, struct load *l)
{
    const struct bucket *b = &s->buckets[l->bucket];
    if (!l->beats++)
        send_head(s, tm, b);
    uint32_t end = items_within(s, l->beats, b->items);
    for (; l->items < end; l->items++)
        send_item(s, tm, l->bucket, l->items);
}

/* False: its next beat has not come. */
static bool deliver(struct streamscheduler *s, uint32_t tm)
{
    struct client *c = &s->clients[tm];
    struct load *l = &c->load[c->order.head];
    if (!c->order.count || l->beats == l->sectors * SECTOR / BEAT)
        return false;
    send_beat(s, tm, l);
    s->moved = true;
    if (l->beats == s->beats) {
        release(s, l->bucket);
        s->under_way--;
        ring_drop(&c->order);
    }
    return true;
}

void channels_deliver(struct streamscheduler *s)
{
    for (uint32_t w = 0; w < TM_WORDS; w++)
        for (uint64_t left = s->due[w]; left; left &= left - 1) {
            uint32_t bit = (uint32_t)mask_first(left);
            if (!deliver(s, 64 * w + bit))
                s->due[w] &= ~(1ull << bit);
        }
}
