/*
 * The words that have a history: a hash table by address. Mostly it is the
 * newest write that is looked for, so lists are in order and short.
 */
#include "sim/core/heap.h"
#include "sim/host/memcheck/memory_model_private.h"
#include <stdlib.h>
#include <string.h>

void word_free(struct word *w)
{
    free(w->done.writes);
    free(w->waiting.writes);
}

/* Where the word with this number is in the table, or the free place where it
 * would be. The table is never more than half full, so the search ends. */
static uint64_t place_of(const struct memory_model *m, uint64_t number)
{
    uint64_t at = number * 0x9e3779b97f4a7c15u >> 20 & (m->room - 1);
    while (m->words[at].number && m->words[at].number != number)
        at = (at + 1) & (m->room - 1);
    return at;
}

static uint64_t *memory_word(const struct memory_model *m, uint64_t number)
{
    return (uint64_t *)(void *)(m->config.memory + (number - 1) * WORD);
}

struct word *word_find(const struct memory_model *m, uint64_t address)
{
    struct word *w = &m->words[place_of(m, address / WORD + 1)];
    return w->number ? w : NULL;
}

/* Words whose history was forgotten are left out; memory has their value. */
void words_rehash(struct memory_model *m, uint64_t room)
{
    struct word *old = m->words;
    uint64_t old_room = m->room;
    m->words = model_zeroed(room, sizeof *m->words);
    m->room = room;
    m->used = 0;
    for (uint64_t i = 0; i < old_room; i++) {
        if (old[i].done.count || old[i].waiting.count) {
            m->words[place_of(m, old[i].number)] = old[i];
            m->used++;
        } else {
            word_free(&old[i]);
        }
    }
    free(old);
}

/* A new word begins with the value that memory has now. */
struct word *word_make(struct memory_model *m, uint64_t address)
{
    uint64_t number = address / WORD + 1;
    struct word *w = &m->words[place_of(m, number)];
    if (w->number)
        return w;
    if (2 * ++m->used > m->room) {
        words_rehash(m, 2 * m->room);
        w = &m->words[place_of(m, number)];
        m->used++;
    }
    *w = (struct word){.number = number, .base = *memory_word(m, number)};
    return w;
}

void write_add(struct memory_model *m, struct list *l,
               const struct write *write)
{
    if (l->count == l->room)
        l->writes = model_grown(l->writes, &l->room, sizeof *l->writes);
    m->writes++;
    l->writes[l->count++] = *write;
}

void write_remove(struct memory_model *m, struct list *l, uint32_t i)
{
    m->writes--;
    memmove(&l->writes[i], &l->writes[i + 1],
            (--l->count - i) * sizeof *l->writes);
}

void word_perform(struct memory_model *m, struct word *w,
                  const struct write *write)
{
    uint64_t *memory = memory_word(m, w->number), bytes = bytes_of(write->mask);
    write_add(m, &w->done, write);
    *memory = (*memory & ~bytes) | (write->value & bytes);
}

unsigned shares_of(const struct check_record *r, struct share shares[2])
{
    unsigned first = r->addr % WORD, all = (1u << r->size) - 1;
    shares[0] =
        (struct share){r->addr, r->value << 8 * first, (uint8_t)(all << first)};
    if (first + r->size <= WORD)
        return 1;
    unsigned done = WORD - first;
    shares[1] = (struct share){r->addr + done, r->value >> 8 * done,
                               (uint8_t)(all >> done)};
    return 2;
}
