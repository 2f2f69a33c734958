/*
 * Links between ports. They are checked by the tables of both kinds when they
 * are asked for; when all are known, the ports of each tile get their numbers,
 * side by side, and each link connects two of them.
 */
#include "sdk/whole/meant.h"
#include "sim/core/chip_private.h"
#include <inttypes.h>

static bool ports_fit(const struct unit_kind *k, struct error *error)
{
    return k->port_count <= UNIT_PORTS_MAX ||
           error_set(error, "kind '%s' has %u rows of ports, at most %d fit",
                     k->name, k->port_count, UNIT_PORTS_MAX);
}

int chip_port_row(const struct unit_kind *kind, const char *port, bool output)
{
    for (unsigned row = 0; row < kind->port_count; row++)
        if (kind->port_rows[row].output == output &&
            same_name(kind->port_rows[row].name, port))
            return (int)row;
    return -1;
}

static int port_row(const struct unit *u, const char *port, bool output,
                    struct error *error)
{
    const char *names[UNIT_PORTS_MAX];
    unsigned count = 0;
    if (!ports_fit(u->kind, error))
        return -1;
    int found = chip_port_row(u->kind, port, output);
    if (found >= 0)
        return found;
    for (unsigned row = 0; row < u->kind->port_count; row++)
        if (u->kind->port_rows[row].output == output)
            names[count++] = u->kind->port_rows[row].name;
    error_set(error, "%s (%s) has no %s port '%s'%s", u->name, u->kind->name,
              output ? "output" : "input", port,
              meant("", port, names, count).text);
    return -1;
}

static bool port_has_room(struct unit *u, int row, struct error *error)
{
    const struct port_row *p = &u->kind->port_rows[row];
    return u->links[row] < p->most ||
           error_set(error, "%s.%s: more than %u links", u->name, p->name,
                     p->most);
}

bool chip_link(struct chip *chip, struct unit *from, const char *output,
               struct unit *to, const char *input, int64_t latency,
               int64_t depth, struct error *error)
{
    int out = port_row(from, output, true, error);
    int in = out < 0 ? -1 : port_row(to, input, false, error);
    if (in < 0 || !port_has_room(from, out, error) ||
        !port_has_room(to, in, error))
        return false;
    if (latency < 1 || latency > LINK_LATENCY_MAX)
        return error_set(
            error,
            "link %s.%s to %s.%s: latency %" PRId64 " is outside 1..%d cycles",
            from->name, output, to->name, input, latency, LINK_LATENCY_MAX);
    if (depth < 0 || depth > LINK_DEPTH_MAX)
        return error_set(
            error,
            "link %s.%s to %s.%s: depth %" PRId64 " is outside 0..%d messages",
            from->name, output, to->name, input, depth, LINK_DEPTH_MAX);
    chip->links =
        array_grow(chip->links, chip->link_count, sizeof *chip->links);
    chip->links[chip->link_count++] = (struct link){
        .from = from,
        .to = to,
        .from_row = (uint8_t)out,
        .to_row = (uint8_t)in,
        .from_number = from->links[out]++,
        .to_number = to->links[in]++,
        .latency = (uint8_t)latency,
        .depth = (uint32_t)depth,
    };
    return true;
}

/* Input rows without links share one word of pending, in which no bit is ever
 * set: what asks for their messages finds none. */
bool chip_number_ports(struct unit *u, struct error *error)
{
    struct tile *t = u->tile;
    unsigned word = 0;
    if (!ports_fit(u->kind, error))
        return false;
    for (unsigned row = 0; row < u->kind->port_count; row++) {
        if (u->kind->port_rows[row].output) {
            t->outport_count += u->links[row];
        } else {
            t->inport_count += u->links[row];
            u->first_word[row] = (uint8_t)word;
            word += (u->links[row] + 63u) / 64;
        }
    }
    for (unsigned row = 0; row < u->kind->port_count; row++)
        if (!u->links[row])
            u->first_word[row] = (uint8_t)word;
    return word < UNIT_WORDS_MAX ||
           error_set(error, "%s: too many input links", u->name);
}

/* Ports of a tile lie side by side, and so do those of each of its units. */
void chip_new_ports(struct tile *t)
{
    struct inport *in = chip_alloc_own(t->chip, t->inport_count, sizeof *in);
    struct outport *out =
        chip_alloc_own(t->chip, t->outport_count, sizeof *out);
    t->inports = in;
    t->outports = out;
    if (t->chip->watches_links)
        t->link_counts = chip_alloc_own(t->chip, t->outport_count + 1u,
                                        sizeof *t->link_counts);
    TRIP_WATCH(t);
    answers_build(t);
    for (uint32_t i = 0; i < t->unit_count; i++) {
        struct unit *u = t->units[i];
        for (unsigned row = 0; row < u->kind->port_count; row++) {
            bool unused = CHECKED && !u->links[row]; /* not another row's */
            if (u->kind->port_rows[row].output) {
                u->out[row] = unused ? NULL : out;
                out += u->links[row];
            } else {
                u->in[row] = unused ? NULL : in;
                in += u->links[row];
            }
        }
    }
}

/*
 * Credits: the modelled depth and what is on its way. Within a tile the
 * credit is back at once, between tiles after the link's latency.
 */
static int16_t link_credits(const struct link *l, bool remote)
{
    if (!l->depth)
        return 1;
    return (int16_t)(l->depth + (remote ? 2u * l->latency : l->latency - 1u));
}

void chip_connect(const struct link *l)
{
    bool remote = l->from->tile != l->to->tile;
    struct inport *in = &l->to->in[l->to_row][l->to_number];
    struct outport *out = &l->from->out[l->from_row][l->from_number];
    uint32_t in_number = (uint32_t)(in - l->to->tile->inports);
    uint32_t out_number = (uint32_t)(out - l->from->tile->outports);
    *in = (struct inport){
        .head = NONE,
        .tail = NONE,
        .word = (uint8_t)(l->to->first_word[l->to_row] + l->to_number / 64),
        .bit = l->to_number % 64,
        .latency = remote ? l->latency : 0,
        .credited = l->depth > 0,
        .unit = l->to,
    };
    if (remote) {
        in->source = out_number;
        in->origin = l->from->tile->id;
    } else {
        in->peer = out;
    }
    *out = (struct outport){
        .credits = link_credits(l, remote),
        .depth = link_credits(l, remote),
        .latency = l->latency,
        .remote = remote,
        .price = l->depth > 0,
        .watched = l->from->tile->link_counts != NULL,
        .port = in_number,
        .tile = l->to->tile->id,
        .target = l->to,
        .unit = l->from,
    };
}
