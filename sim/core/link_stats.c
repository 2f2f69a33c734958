/*
 * A sender knows by its credits how much of a link's room is taken, so all is
 * counted at its port: whenever credits are about to change, the cycles since
 * they last did are booked.
 */
#include "sim/core/link_stats.h"
#include "sim/core/chip_private.h"
#include "sim/core/tile.h"
#include "sim/core/unit.h"

void chip_watch_links(struct chip *chip)
{
    chip->watches_links = true;
}

unsigned chip_link_count(const struct chip *chip)
{
    return chip->link_count;
}

static struct link_count *count_of(const struct outport *o)
{
    const struct tile *t = o->unit->tile;
    return &t->link_counts[o - t->outports];
}

static void book(struct link_count *c, const struct outport *o, uint64_t now)
{
    uint64_t cycles = now > c->since ? now - c->since : 0;
    if (o->credits <= 0)
        c->full += cycles;
    c->occupied += cycles * (uint64_t)(o->depth - o->credits);
    c->since = now > c->since ? now : c->since;
}

void link_note_message(struct outport *o)
{
    struct link_count *c = count_of(o);
    book(c, o, o->unit->tile->now);
    c->messages++;
}

void link_note_room(struct outport *o)
{
    book(count_of(o), o, o->unit->tile->now);
}

struct link_report chip_link_report(const struct chip *chip, unsigned link,
                                    uint64_t now)
{
    const struct link *l = &chip->links[link];
    const struct outport *out = &l->from->out[l->from_row][l->from_number];
    struct link_count c = {0};
    if (out->watched) {
        c = *count_of(out);
        book(&c, out, now);
    }
    return (struct link_report){
        .from = l->from,
        .to = l->to,
        .output = l->from->kind->port_rows[l->from_row].name,
        .input = l->to->kind->port_rows[l->to_row].name,
        .from_number = l->from_number,
        .to_number = l->to_number,
        .latency = l->latency,
        .room = l->depth ? (unsigned)out->depth : 0,
        .messages = c.messages,
        .full = c.full,
        .occupied = c.occupied,
        .waited =
            out->watched
                ? TRIP_WAITED(l->to->tile, &l->to->in[l->to_row][l->to_number])
                : 0,
    };
}
