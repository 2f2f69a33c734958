/*
 * Main memory of rtp: each port takes an access in a cycle and answers reads.
 */
#include "sim/units/rtp/rtp_memory.h"
#include "sim/units/units.h"
#include <assert.h>

enum { PORT, DATA };

static const struct port_row ports[] = {
    [PORT] = {"port", false, 64, "accesses"},
    [DATA] = {"data", true, 64, "what was read, in port's order",
              .answers = true},
};

struct memory {
    struct unit unit;
    struct memory_stats {
        RTP_MEMORY_STATS(STAT_FIELD)
    } stats;
    uint32_t *words;
    uint64_t reads; /* ports with one in this cycle */
    struct payload data[64];
    uint32_t tags[64]; /* of the reads, for the answers */
};

static bool build(struct unit *u, struct error *error)
{
    struct memory *m = (struct memory *)u;
    if (u->links[PORT] != u->links[DATA])
        return error_set(error, "%u port links but %u data links",
                         u->links[PORT], u->links[DATA]);
    m->words = chip_alloc(u->chip, RTP_THREADS, RTP_LOCAL_BYTES);
    rtp_machine_build(u)->local = m->words;
    return true;
}

static void access_words(struct memory *m, uint32_t port)
{
    struct msg a = link_pop(&m->unit.in[PORT][port]);
    uint32_t words[4] = {0}, address = (uint32_t)a.addr;
    uint32_t *local =
        m->words + (size_t)(address / RTP_LOCAL_BYTES) * RTP_LOCAL_BYTES / 4;
    assert(address / RTP_LOCAL_BYTES < RTP_THREADS && a.size <= 16);
    if (a.op == RTP_MEM_READ) {
        rtp_local_read(local, address, a.size / 4, words);
        memcpy(m->data[port].bytes, words, sizeof words);
        m->tags[port] = a.tag;
        m->reads |= 1ull << port;
        m->stats.reads++;
        m->stats.read_bytes += a.size;
        return;
    }
    struct payload p = msg_payload(&m->unit, &a);
    memcpy(words, p.bytes, sizeof words);
    rtp_local_write(local, address, a.size / 4, words);
    m->stats.writes++;
    m->stats.written_bytes += a.size;
}

static void rtp_memory_receive(struct unit *u, uint64_t now)
{
    struct memory *m = (struct memory *)u;
    for (uint64_t p = *unit_pending(u, PORT); p; p &= p - 1)
        access_words(m, (uint32_t)__builtin_ctzll(p));
}

static uint64_t rtp_memory_send(struct unit *u, uint64_t now)
{
    struct memory *m = (struct memory *)u;
    for (uint64_t p = m->reads; p; p &= p - 1) {
        unsigned port = (unsigned)__builtin_ctzll(p);
        const struct msg answer = {.tag = m->tags[port]};
        link_push_full(&u->out[DATA][port], &answer, &m->data[port]);
    }
    m->reads = 0;
    return CYCLE_NEVER;
}

#define STAT_STRUCT struct memory_stats
static const struct stat_row stat_rows[] = {RTP_MEMORY_STATS(STAT_ROW)};

#define STATE_STRUCT struct memory
static const struct state_row state_rows[] = {
    STATE_POINTER(words),
};

const struct unit_kind rtp_memory_kind = {
    .name = "rtp_memory",
    .meaning = "main memory of the small ray-tracing processor",
    .size = sizeof(struct memory),
    .stats = offsetof(struct memory, stats),
    .stat_rows = stat_rows,
    .stat_count = TABLE_COUNT(stat_rows),
    .port_rows = ports,
    .port_count = TABLE_COUNT(ports),
    UNIT_STATE,
    .build = build,
    .receive = rtp_memory_receive,
    .send = rtp_memory_send,
};
