/*
 * What each cycle of a data bus is booked as: data, a refresh that requests
 * wait for, waiting, or idle. The controllers say when bursts and refreshes
 * begin, some time before they are over.
 */
#include "sim/units/memory/dram_private.h"

static uint64_t overlap(const struct span *s, uint64_t from, uint64_t to)
{
    uint64_t begin = s->from > from ? s->from : from;
    uint64_t end = s->to < to ? s->to : to;
    return end > begin ? end - begin : 0;
}

static void book_gap(struct dram_unit *d, const struct bus *b, uint64_t to)
{
    uint64_t cycles = to - b->booked;
    if (!d->busy) {
        d->stats.idle += cycles;
        return;
    }
    uint64_t refresh = overlap(&b->refresh, b->booked, to);
    d->stats.refresh += refresh;
    d->stats.waiting += cycles - refresh;
}

/* Books the bus's cycles before `to`. */
static void book_bus(struct dram_unit *d, struct bus *b, uint64_t to)
{
    if (to <= b->booked)
        return;
    while (b->order.count && b->data[b->order.head].from < to) {
        struct span *s = &b->data[b->order.head];
        uint64_t end = s->to < to ? s->to : to;
        if (s->from > b->booked) {
            book_gap(d, b, s->from);
            b->booked = s->from;
        }
        d->stats.busy += end - b->booked;
        b->booked = end;
        if (s->to > to)
            return;
        ring_drop(&b->order);
    }
    book_gap(d, b, to);
    b->booked = to;
}

void dram_book_buses(struct dram_unit *d, uint64_t to)
{
    for (uint32_t i = 0; i < d->bus_count; i++)
        book_bus(d, &d->buses[i], to);
}

/*
 * Adds data in the cycles from `from` to before `to`; bursts that touch are
 * one.
 */
static void add_data(struct dram_unit *d, struct bus *b, uint64_t from,
                     uint64_t to)
{
    if (b->order.count) {
        struct span *s = &b->data[ring_place(&b->order, b->order.count - 1)];
        if (from <= s->to) {
            s->to = to > s->to ? to : s->to;
            return;
        }
    }
    b->data[ring_add(&b->order)] = (struct span){from, to};
}

/* Adds a burst; those of the past are booked when there are many. */
static void note_data(struct dram_unit *d, struct bus *b, uint64_t clock,
                      uint32_t latency)
{
    uint64_t end = clock + latency;
    if (ring_full(&b->order))
        book_bus(d, b, cycle_with(d, clock));
    add_data(d, b, cycle_with(d, end - d->device->burst + 1),
             cycle_with(d, end) + 1);
}

/* A refresh of all banks takes the buses below its scope. */
static void note_refresh(struct dram_unit *d, struct bus *buses, uint32_t of,
                         uint64_t clock)
{
    struct span s = {cycle_with(d, clock),
                     cycle_with(d, clock + d->device->refresh_cycles)};
    for (uint32_t pseudo = 0; pseudo < d->pseudos; pseudo++) {
        if (of != UINT32_MAX && of != pseudo)
            continue;
        book_bus(d, &buses[pseudo], s.from);
        buses[pseudo].refresh = s;
    }
}

void dram_note_bus(void *context, uint64_t clock, enum dram_command command,
                   uint32_t channel, uint32_t pseudo)
{
    struct dram_unit *d = context;
    struct bus *buses = &d->buses[channel * d->pseudos];
    if (command == DRAM_REFAB)
        note_refresh(d, buses, pseudo, clock);
    else if (command == DRAM_RD || command == DRAM_RDA)
        note_data(d, &buses[pseudo], clock, d->device->read_latency);
    else
        note_data(d, &buses[pseudo], clock, d->device->write_latency);
}
