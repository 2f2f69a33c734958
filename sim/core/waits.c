/* Follows links from a unit that waits to the unit that it waits for, and on;
 * counts what stuck links have. */
#include "sim/core/waits.h"
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which unit waits for which ---- */

/* The first of the unit's links on which something waits for room; NULL: there
 * is none. */
static const struct outport *full_port(const struct unit *u)
{
    for (unsigned row = 0; row < u->kind->port_count; row++)
        for (unsigned i = 0;
             u->kind->port_rows[row].output && i < u->links[row]; i++)
            if (u->out[row][i].starved && u->out[row][i].credits <= 0)
                return &u->out[row][i];
    return NULL;
}

/* The unit that has to do something first, and why; NULL: no other has. */
static const struct unit *next_of(const struct unit *u, const char **why)
{
    const struct outport *port = full_port(u);
    *why = "room at";
    if (!port && u->kind->waits_for) {
        port = u->kind->waits_for(u);
        *why = "an answer of";
    }
    return port ? port->target : NULL;
}

/* Messages that wait at the unit's inputs. */
static uint32_t untaken(const struct unit *u)
{
    uint32_t count = 0;
    for (unsigned row = 0; row < u->kind->port_count; row++)
        for (unsigned i = 0;
             !u->kind->port_rows[row].output && i < u->links[row]; i++)
            count += u->in[row][i].count;
    return count;
}

/* What is known of a chip while its chains are told. */
struct chains {
    const struct unit **ends; /* of those that were told */
    unsigned told, most, more;
    bool *seen; /* [unit] on this chain */
};

static void tell_end(const struct unit *u, bool round, FILE *out)
{
    const uint32_t count = untaken(u);
    if (round)
        fputs(", which is on the way already: they wait in a ring", out);
    else if (count)
        fprintf(out,
                ", which waits for no other, and has %" PRIu32
                " message%s that it does not take",
                count, count > 1 ? "s" : "");
    else
        fputs(", which waits for no other", out);
}

/* The unit with the least number in the ring that u is in. */
static const struct unit *first_of_ring(const struct unit *u)
{
    const char *why;
    const struct unit *first = u;
    for (const struct unit *n = next_of(u, &why); n != u; n = next_of(n, &why))
        if (n->id < first->id)
            first = n;
    return first;
}

/* Returns the unit that the chain ends at, NULL: the core waits for none. */
static const struct unit *tell_chain(struct chains *c, const struct chip *chip,
                                     const struct unit *u, FILE *out)
{
    const char *why;
    const struct unit *next = next_of(u, &why);
    bool first = true;
    memset(c->seen, 0, chip->unit_count * sizeof *c->seen);
    if (!next)
        return NULL;
    fputs(u->name, out);
    for (; next && !c->seen[u->id]; next = next_of(u, &why)) {
        fprintf(out, "%s waits for %s %s", first ? "" : ", which", why,
                next->name);
        first = false;
        c->seen[u->id] = true;
        u = next;
    }
    tell_end(u, next != NULL, out);
    return next ? first_of_ring(next) : u;
}

static bool is_told(const struct chains *c, const struct unit *end)
{
    for (unsigned i = 0; i < c->told; i++)
        if (c->ends[i] == end)
            return true;
    return false;
}

static void chain_of(struct chains *c, const struct chip *chip,
                     const struct unit *first, waits_say *say, void *context)
{
    char line[WAITS_LINE] = "";
    FILE *out = fmemopen(line, sizeof line - 1, "w");
    if (!out)
        return;
    const struct unit *end = tell_chain(c, chip, first, out);
    fclose(out);
    if (!end || is_told(c, end))
        return;
    if (c->told == c->most) {
        c->more++;
        return;
    }
    c->ends[c->told++] = end;
    say(context, line);
}

void waits_chains(const struct chip *chip, unsigned most, waits_say *say,
                  void *context)
{
    struct chains c = {.most = most};
    c.ends = heap_new(most + 1u, sizeof(struct unit *), "the diagnosis");
    c.seen = heap_new(chip->unit_count + 1u, sizeof *c.seen, "the diagnosis");
    for (unsigned i = 0; i < 2 * chip->unit_count; i++) {
        const struct unit *u = chip->units[i % chip->unit_count];
        if ((u->kind->core == NULL) == (i >= chip->unit_count))
            chain_of(&c, chip, u, say, context);
    }
    if (c.more) {
        char line[64];
        snprintf(line, sizeof line, "and %u more that wait for others", c.more);
        say(context, line);
    }
    free(c.ends);
    free(c.seen);
}

/* ---- links ---- */

static const struct outport *output_of(const struct link *l)
{
    return &l->from->out[l->from_row][l->from_number];
}

static uint32_t waiting_in(const struct link *l)
{
    return l->to->in[l->to_row][l->to_number].count;
}

/* Credits that neither the sender has nor a message stands for. */
static int lost_credits(const struct link *l)
{
    const struct outport *out = output_of(l);
    return l->depth ? out->depth - out->credits - (int)waiting_in(l) : 0;
}

void waits_links(const struct chip *chip, unsigned most, waits_say *say,
                 void *context)
{
    for (unsigned i = 0; i < chip->link_count && most; i++) {
        const struct link *l = &chip->links[i];
        const int lost = lost_credits(l);
        const uint32_t count = waiting_in(l);
        char line[WAITS_LINE];
        if (!lost && !count)
            continue;
        int at =
            snprintf(line, sizeof line, "link %s.%s to %s.%s: ", l->from->name,
                     l->from->kind->port_rows[l->from_row].name, l->to->name,
                     l->to->kind->port_rows[l->to_row].name);
        if (lost)
            snprintf(line + at, sizeof line - (size_t)at,
                     "%d of %d credits are lost", lost, output_of(l)->depth);
        else
            snprintf(line + at, sizeof line - (size_t)at,
                     "%" PRIu32 " message%s not taken", count,
                     count > 1 ? "s are" : " is");
        say(context, line);
        most--;
    }
}
