/* Packets about what a hart has, and where the run stops. */
#include "sim/core/heap.h"
#include "sim/host/gdb/back.h"
#include "sim/host/gdb/commands_private.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* In gdb's words, and then ours (gdb manual, "Packet Acknowledgment" has E.).
 */
static enum command_end refuse(struct gdb *g, const char *why)
{
    char text[300];
    snprintf(text, sizeof text, "E.%s", why);
    reply_text(g, text);
    return COMMAND_DONE;
}

/* ---- registers ---- */

static size_t bytes_of(const struct gdb *g, unsigned place)
{
    return g->registers[place].bits / 8;
}

enum command_end command_read_all(struct gdb *g, const char *at)
{
    uint64_t *values = heap_new(g->register_count, sizeof *values, "--gdb");
    char *to = g->reply;
    (void)at;
    view_registers(g, g->looked_at, values);
    for (unsigned i = 0; i < g->general; i++) {
        hex_put(to, &values[i], bytes_of(g, i));
        to += 2 * bytes_of(g, i);
    }
    free(values);
    reply_text(g, g->reply);
    return COMMAND_DONE;
}

enum command_end command_read_one(struct gdb *g, const char *at)
{
    unsigned long long n;
    char text[20];
    unsigned place = command_number(&at, 0, &n) && n <= UINT_MAX
                         ? register_place(g, (unsigned)n)
                         : g->register_count;
    if (place == g->register_count)
        return command_wrong(g);
    uint64_t *values = heap_new(g->register_count, sizeof *values, "--gdb");
    view_registers(g, g->looked_at, values);
    hex_put(text, &values[place], bytes_of(g, place));
    free(values);
    reply_text(g, text);
    return COMMAND_DONE;
}

static bool may_change(struct gdb *g)
{
    if (back_may_change(g))
        return true;
    refuse(g, "what is past cannot be changed: continue to where the run was");
    return false;
}

/* A register that an access will still write would lose what is written now. */
static bool may_write(struct gdb *g)
{
    if (!may_change(g))
        return false;
    if (view_settled(g, g->looked_at))
        return true;
    refuse(g, "the hart has accesses under way that may write its registers: "
              "step it until it has none");
    return false;
}

static bool write_place(struct gdb *g, unsigned place, const char *digits)
{
    uint64_t value = 0;
    if (!hex_get(digits, &value, bytes_of(g, place)) ||
        !register_write(g, g->looked_at, place, value))
        return false;
    g->host->altered = true;
    back_changed(g);
    return true;
}

enum command_end command_write_one(struct gdb *g, const char *at)
{
    unsigned long long n;
    if (!command_number(&at, '=', &n) || n > UINT_MAX)
        return command_wrong(g);
    unsigned place = register_place(g, (unsigned)n);
    if (place == g->register_count || strlen(at) != 2 * bytes_of(g, place))
        return command_wrong(g);
    if (!may_write(g))
        return COMMAND_DONE;
    return write_place(g, place, at) ? command_ok(g) : command_wrong(g);
}

/* Of all, only those that differ are written. */
enum command_end command_write_all(struct gdb *g, const char *at)
{
    size_t left = strlen(at);
    if (!may_write(g))
        return COMMAND_DONE;
    for (unsigned i = 0; i < g->general; i++) {
        uint64_t value = 0;
        size_t digits = 2 * bytes_of(g, i);
        if (left < digits || !hex_get(at, &value, bytes_of(g, i)))
            return command_wrong(g);
        if (value != register_value(g, g->looked_at, i))
            write_place(g, i, at);
        at += digits;
        left -= digits;
    }
    return command_ok(g);
}

/* ---- memory ---- */

enum command_end command_read_memory(struct gdb *g, const char *at)
{
    static char bytes[PACKET_BYTES / 2];
    unsigned long long address, count;
    if (!command_number(&at, ',', &address) || !command_number(&at, 0, &count))
        return command_wrong(g);
    if (count > sizeof bytes)
        count = sizeof bytes;
    size_t got = view_memory(g, g->looked_at, address, bytes, count);
    if (count && !got)
        return command_wrong(g);
    hex_put(g->reply, bytes, got);
    reply_text(g, g->reply);
    return COMMAND_DONE;
}

static enum command_end put_memory(struct gdb *g, uint64_t address,
                                   const char *bytes, size_t count)
{
    if (!count)
        return command_ok(g);
    if (!may_change(g))
        return COMMAND_DONE;
    view_drop(g);
    g->host->altered = true;
    back_changed(g);
    return memory_poke(g, g->looked_at, address, bytes, count) == count
               ? command_ok(g)
               : command_wrong(g);
}

enum command_end command_write_memory(struct gdb *g, const char *at)
{
    static char bytes[PACKET_BYTES / 2];
    unsigned long long address, count;
    if (!command_number(&at, ',', &address) ||
        !command_number(&at, ':', &count) || count > sizeof bytes ||
        strlen(at) != 2 * count || !hex_get(at, bytes, count))
        return command_wrong(g);
    return put_memory(g, address, bytes, count);
}

/* Bytes as they are; the packet's end is known. */
enum command_end command_write_bytes(struct gdb *g, const char *at)
{
    unsigned long long address, count;
    const struct packet_reader *r = &g->link.reader;
    if (!command_number(&at, ',', &address) ||
        !command_number(&at, ':', &count) ||
        count != (size_t)(r->data + r->size - at))
        return command_wrong(g);
    return put_memory(g, address, at, count);
}

/* ---- breakpoints ---- */

static bool parse_break(const char *at, struct breakpoint *b)
{
    unsigned long long address, length;
    int kind = hex_digit(*at);
    at++;
    if (kind < BREAK_SOFT || kind > BREAK_BOTH || *at++ != ',' ||
        !command_number(&at, ',', &address) || !hex_number(&at, &length))
        return false;
    *b = (struct breakpoint){
        .address = address, .length = length, .kind = (uint8_t)kind};
    if (kind < BREAK_WRITE ? conditions_read(b, at)
                           : !*at && length && length <= UINT_MAX)
        return true;
    free(b->conditions);
    return false;
}

enum command_end command_set_break(struct gdb *g, const char *at)
{
    struct breakpoint b;
    return parse_break(at, &b) && breaks_set(g, &b) ? command_ok(g)
                                                    : command_wrong(g);
}

enum command_end command_drop_break(struct gdb *g, const char *at)
{
    struct breakpoint b;
    if (!parse_break(at, &b))
        return command_wrong(g);
    free(b.conditions);
    return breaks_drop(g, &b) ? command_ok(g) : command_wrong(g);
}
