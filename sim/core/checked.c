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

/* 0 is none: not known */
static uint64_t sum_of_bytes(const void *memory, size_t bytes)
{
    const uint64_t *at = memory;
    uint64_t sum = 1;
    for (size_t i = 0; i < bytes / sizeof *at; i++)
        sum = (sum ^ at[i]) * 0x9e3779b97f4a7c15u;
    return sum | 1;
}

/* Of the unit's struct without the head, which others change when they send to
 * it. */
static uint64_t sum_of(const struct unit *u)
{
    return sum_of_bytes(u + 1, u->kind->size - sizeof *u);
}

/* A cache has megabytes: between two calls only this many bytes of what is not
 * in the struct are looked at, later the next ones. */
#define WINDOW 1024

struct checked_block {
    struct checked_block *next; /* of the unit, in a ring */
    const char *memory;
    size_t bytes;
};

void checked_owns(struct unit *u, void *memory, size_t bytes)
{
    struct checked_block *b = arena_take(&u->chip->small, sizeof *b, NULL);
    b->memory = memory;
    b->bytes = bytes;
    b->next = u->blocks ? u->blocks->next : b;
    if (u->blocks)
        u->blocks->next = b;
    u->blocks = u->block = b;
}

static uint64_t sum_of_window(const struct unit *u)
{
    const struct checked_block *b = u->block;
    size_t rest = b->bytes - u->window;
    return sum_of_bytes(b->memory + u->window, rest < WINDOW ? rest : WINDOW);
}

/* It stays for three calls: so it is there both from receive to send and from
 * send to receive, whatever the number of windows. */
static void move_window(struct unit *u)
{
    if (++u->calls % 3)
        return;
    u->window += WINDOW;
    if (u->window < u->block->bytes)
        return;
    u->window = 0;
    u->block = u->block->next;
}

void checked_begin(struct unit *u)
{
    RULE(u, !u->sum || u->sum == sum_of(u), RULE_OWNER);
    RULE(u, !u->window_sum || u->window_sum == sum_of_window(u), RULE_OWNER);
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
    if (u->blocks) {
        move_window(u);
        u->window_sum = sum_of_window(u);
    }
    running = NULL;
}

void checked_forget(struct tile *t)
{
    for (uint32_t i = 0; i < t->unit_count; i++)
        t->units[i]->sum = t->units[i]->window_sum = 0;
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

/* ---- addresses ---- */

/* In gigabytes of address space, as a guest's memory takes, lie many numbers
 * that are no addresses. */
#define HUGE (UINT64_C(1) << 30)

struct range {
    uint64_t from, to;
};
static struct range written[4096];
static unsigned written_count;

void checked_addresses(void)
{
    char line[512], access[8];
    FILE *maps = fopen("/proc/self/maps", "r");
    written_count = 0;
    while (maps && written_count < sizeof written / sizeof *written &&
           fgets(line, sizeof line, maps)) {
        struct range *r = &written[written_count];
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &r->from, &r->to,
                   access) == 3 &&
            access[1] == 'w' && r->to - r->from < HUGE)
            written_count++;
    }
    if (maps)
        fclose(maps);
}

bool checked_is_address(uint64_t word)
{
    if (checked_is_pair(word))
        return false;
    for (unsigned i = 0; i < written_count; i++)
        if (word >= written[i].from && word < written[i].to)
            return true;
    return false;
}

#endif
