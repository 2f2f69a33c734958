/*
 * harts.pftrace and rays.pftrace: the protobuf of Perfetto's TrackEvents, as
 * far as slices need it. A track for each core, below it one for each hart, or
 * warp, on which a slice is the time in a bucket; instructions that follow each
 * other make one slice of "issued". Of an RT core, one for each slot, on which
 * a slice is a ray, and within it one is the time in a state. A nanosecond of
 * the trace is a cycle. Numbers of fields are those of
 * perfetto/protos/perfetto/trace/.
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/observe/traces.h"
#include "sim/host/run/cores.h"
#include <stdlib.h>
#include <string.h>

/* Wire types of protobuf. */
enum { VARINT = 0, BYTES = 2 };

enum field {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10, /* trusted_packet_sequence_id */
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13, /* sequence_flags */
    PACKET_TRACK = 60, /* track_descriptor */
    EVENT_TYPE = 9,
    EVENT_NAME = 10, /* name_iid */
    EVENT_TRACK = 11,
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PARENT = 5,
    INTERNED_NAMES = 2,
    NAME_IID = 1,
    NAME_TEXT = 2,
};
enum { SLICE_BEGIN = 1, SLICE_END = 2 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };

/* A message that is being made; larger ones than this does not exist. */
struct message {
    size_t used;
    uint8_t bytes[4096];
};

static void put_varint(struct message *m, uint64_t value)
{
    for (; value > 127; value >>= 7)
        m->bytes[m->used++] = (uint8_t)(value | 128);
    m->bytes[m->used++] = (uint8_t)value;
}

static void put_number(struct message *m, enum field field, uint64_t value)
{
    put_varint(m, (uint64_t)field << 3 | VARINT);
    put_varint(m, value);
}

static void put_bytes(struct message *m, enum field field, const void *bytes,
                      size_t count)
{
    put_varint(m, (uint64_t)field << 3 | BYTES);
    put_varint(m, count);
    memcpy(m->bytes + m->used, bytes, count);
    m->used += count;
}

static void put_message(struct message *m, enum field field,
                        const struct message *of)
{
    put_bytes(m, field, of->bytes, of->used);
}

/* Names may be long; what is shown of them need not be. */
static void put_text(struct message *m, enum field field, const char *text)
{
    enum { SHOWN = 200 };
    put_bytes(m, field, text, strnlen(text, SHOWN));
}

/* A packet of the one sequence that there is. */
static void write_packet(FILE *out, struct message *packet, unsigned flags)
{
    struct message head = {0};
    put_number(packet, PACKET_SEQUENCE, 1);
    put_number(packet, PACKET_FLAGS, flags);
    put_varint(&head, (uint64_t)TRACE_PACKET << 3 | BYTES);
    put_varint(&head, packet->used);
    fwrite(head.bytes, 1, head.used, out);
    fwrite(packet->bytes, 1, packet->used, out);
}

static void add_name(struct message *interned, unsigned number,
                     const char *text)
{
    struct message name = {0};
    put_number(&name, NAME_IID, number);
    put_text(&name, NAME_TEXT, text);
    put_message(interned, INTERNED_NAMES, &name);
}

/* Events name buckets by number + 1, and what has a name as a whole by the
 * number behind those. */
static void write_names(FILE *out, const struct hart_trace *t)
{
    struct message packet = {0}, interned = {0};
    for (unsigned b = 0; b < t->bucket_count; b++)
        add_name(&interned, b + 1, t->buckets[b].name);
    if (t->whole)
        add_name(&interned, t->bucket_count + 1, t->whole);
    put_message(&packet, PACKET_INTERNED, &interned);
    write_packet(out, &packet, STATE_CLEARED | NEEDS_STATE);
}

/* parent 0: none. */
static void write_track(FILE *out, uint64_t uuid, uint64_t parent,
                        const char *name)
{
    struct message packet = {0}, track = {0};
    put_number(&track, TRACK_UUID, uuid);
    put_text(&track, TRACK_NAME, name);
    if (parent)
        put_number(&track, TRACK_PARENT, parent);
    put_message(&packet, PACKET_TRACK, &track);
    write_packet(out, &packet, NEEDS_STATE);
}

static void write_event(FILE *out, uint64_t track, uint64_t cycle,
                        unsigned type, unsigned bucket)
{
    struct message packet = {0}, event = {0};
    put_number(&event, EVENT_TYPE, type);
    put_number(&event, EVENT_TRACK, track);
    if (type == SLICE_BEGIN)
        put_number(&event, EVENT_NAME, bucket + 1);
    put_number(&packet, PACKET_TIMESTAMP, cycle);
    put_message(&packet, PACKET_TRACK_EVENT, &event);
    write_packet(out, &packet, NEEDS_STATE);
}

/* What a hart is in: since when, and, while it issues, until when it does. */
struct span {
    FILE *out;
    uint64_t track, from;
    unsigned bucket; /* that it is in when it does not issue; TRACE_NONE */
    unsigned issued; /* and when it does */
    uint64_t issued_from, issued_to;
    unsigned whole; /* the number of its name; 0: it has none */
};

static void write_span(const struct span *s, uint64_t from, uint64_t to,
                       unsigned bucket)
{
    if (from >= to || bucket == TRACE_NONE)
        return;
    write_event(s->out, s->track, from, SLICE_BEGIN, bucket);
    write_event(s->out, s->track, to, SLICE_END, bucket);
}

/* Ends the span at a cycle up to which all is known. */
static void end_span(struct span *s, uint64_t now)
{
    if (s->from >= now)
        return;
    write_span(s, s->issued_from, s->issued_to, s->issued);
    s->issued_from = s->issued_to = now;
    write_span(s, s->from, now, s->bucket);
    s->from = now;
}

/* What has a name as a whole begins or ends. */
static void enter(struct span *s, unsigned bucket, uint64_t cycle)
{
    bool was = s->bucket != TRACE_NONE, is = bucket != TRACE_NONE;
    if (s->whole && was != is)
        write_event(s->out, s->track, cycle, is ? SLICE_BEGIN : SLICE_END,
                    s->whole - 1);
    s->bucket = bucket;
}

static void take_record(struct span *s, const struct trace_record *r)
{
    end_span(s, r->cycle);
    if (r->event == TRACE_STATE) {
        enter(s, r->bucket, r->cycle);
    } else if (r->event == TRACE_ISSUE) {
        if (s->issued_to != r->cycle)
            s->issued_from = r->cycle;
        s->issued_to = s->from = r->cycle + 1;
    }
}

static void write_hart(FILE *out, const struct hart_trace *t, uint32_t hart,
                       uint64_t track, uint64_t end)
{
    const uint64_t from = t->window->from;
    struct span s = {.out = out,
                     .track = track,
                     .from = from,
                     .bucket = t->issued,
                     .issued = t->issued,
                     .issued_from = from,
                     .issued_to = from,
                     .whole = t->whole ? t->bucket_count + 1 : 0};
    for (uint64_t i = 0; i < t->count; i++)
        if (t->records[i].hart == hart && t->records[i].cycle < end)
            take_record(&s, &t->records[i]);
    end_span(&s, end);
    write_span(&s, s.issued_from, s.issued_to < end ? s.issued_to : end,
               t->issued);
    if (s.whole)
        enter(&s, TRACE_NONE, end);
}

/* Tracks have the numbers of units, then those of harts. */
static void write_core(FILE *out, const struct host *host, struct unit *u,
                       const struct hart_trace *t, uint64_t end)
{
    uint64_t units = chip_unit_count(host->chip), core = 1 + u->id;
    uint32_t first = t->first;
    write_track(out, core, 0, u->name);
    for (uint32_t i = 0; i < t->harts; i += hart_trace_step(t)) {
        char name[80];
        hart_trace_row(t, first + i, name, sizeof name);
        write_track(out, 1 + units + first + i, core, name);
        write_hart(out, t, first + i, 1 + units + first + i, end);
    }
}

/* Slots of an RT core that were used. */
static void write_slots(FILE *out, const struct host *host, struct unit *u,
                        const struct hart_trace *t, uint64_t end)
{
    enum { SLOTS_MOST = 1 << 16 }; /* slots are numbers of 16 bits */
    uint64_t core = 1 + u->id;
    bool *used = heap_new(t->harts, sizeof *used, "a trace");
    write_track(out, core, 0, u->name);
    for (uint64_t i = 0; i < t->count; i++)
        used[t->records[i].hart] = true;
    for (uint32_t i = 0; i < t->harts; i++) {
        char name[300];
        if (!used[i])
            continue;
        uint64_t track =
            1 + chip_unit_count(host->chip) + (uint64_t)u->id * SLOTS_MOST + i;
        snprintf(name, sizeof name, "%.200s slot %u", u->name, i);
        write_track(out, track, core, name);
        write_hart(out, t, i, track, end);
    }
    free(used);
}

static void write_all(FILE *out, const struct host *host, enum trace_kind kind,
                      void (*write)(FILE *, const struct host *, struct unit *,
                                    const struct hart_trace *, uint64_t))
{
    uint64_t end = traces_end(host, kind);
    bool named = false;
    for (unsigned i = 0; i < chip_unit_count(host->chip); i++) {
        struct unit *u = chip_unit_at(host->chip, i);
        const struct hart_trace *t = traces_of(u, kind);
        if (!t)
            continue;
        if (!named)
            write_names(out, t);
        named = true;
        write(out, host, u, t, end);
    }
}

void traces_write_harts(const struct host *host, FILE *out)
{
    write_all(out, host, TRACE_HARTS, write_core);
}

void traces_write_rays(const struct host *host, FILE *out)
{
    write_all(out, host, TRACE_RAYS, write_slots);
}
