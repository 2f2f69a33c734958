/* The checks of the rules; in other builds only the line that tells of one. */
#include "sim/core/checked.h"
#include "sim/core/chip_private.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void rule_broken(const struct unit *u, const char *rule)
{
    if (u)
        fprintf(stderr, "%s (%s), cycle %" PRIu64 ": %s\n", u->name,
                u->kind->name, u->tile->now, rule);
    else
        fprintf(stderr, "a unit: %s\n", rule);
    abort();
}

#if CHECKED

#define POISON 0xa5
#define POISON_WORD 0xa5a5a5a5u
#define READ_MOST 1024 /* messages that a call of receive reads */

static _Thread_local struct unit *running;
static _Thread_local uint32_t read_count, read_at[READ_MOST];
/* Handles of the payloads of these messages, or NONE. */
static _Thread_local uint32_t read_payload[READ_MOST];

const struct unit *checked_unit(void)
{
    return running;
}

/* Of what is the unit's own: its struct without the head, which others change
 * when they send to it. */
static uint64_t sum_of(const struct unit *u)
{
    const uint64_t *at = (const uint64_t *)(u + 1);
    uint64_t sum = 1;
    for (size_t i = 0; i < (u->kind->size - sizeof *u) / sizeof *at; i++)
        sum = (sum ^ at[i]) * 0x9e3779b97f4a7c15u;
    return sum | 1; /* 0: not known */
}

void checked_begin(struct unit *u)
{
    RULE(u, !u->sum || u->sum == sum_of(u), RULE_OWNER);
    running = u;
}

void checked_end(struct unit *u)
{
    struct tile *t = u->tile;
    for (uint32_t i = 0; i < read_count; i++) {
        RULE(u,
             read_payload[i] == NONE ||
                 t->payload_next[read_payload[i]] != PAYLOAD_READ,
             RULE_LEFT);
        if (read_at[i] != NONE)
            memset(&t->pool[read_at[i]], POISON, sizeof *t->pool);
    }
    read_count = 0;
    u->sum = sum_of(u);
    running = NULL;
}

void checked_forget(struct tile *t)
{
    for (uint32_t i = 0; i < t->unit_count; i++)
        t->units[i]->sum = 0;
}

void checked_read(struct tile *t, uint32_t index)
{
    const struct msg *m = &t->pool[index];
    uint32_t handle = m->flags & MSG_PAYLOAD ? (uint32_t)m->value : NONE;
    if (read_count == READ_MOST)
        return;
    if (handle != NONE)
        t->payload_next[handle] = PAYLOAD_READ;
    read_at[read_count] = index;
    read_payload[read_count++] = handle;
}

void checked_reuse(struct tile *t, uint32_t index)
{
    for (uint32_t i = 0; i < read_count; i++)
        if (read_at[i] == index)
            read_at[i] = NONE;
}

bool checked_is_gone(const struct msg *m)
{
    return m->tag == POISON_WORD && m->op == POISON && m->size == POISON;
}

void checked_buckets(const struct unit *u, uint64_t now)
{
    const struct unit_kind *k = u->kind;
    uint64_t sum = 0, each = k->accounts ? k->accounts(u) : 1;
    for (unsigned i = 0; i < k->bucket_count; i++)
        sum += stat_value(unit_stats(u), &k->bucket_rows[i]);
    RULE(u, !k->close || !k->bucket_count || sum == now * each, RULE_BUCKETS);
}

#endif
