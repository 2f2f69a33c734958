/*
 * Packets that gdb sends while the run stands: a row for each. A packet that
 * has no row gets an empty reply, which is how the protocol says "unknown".
 */
#include "sim/core/heap.h"
#include "sim/core/unit.h"
#include "sim/host/gdb/commands_private.h"
#include "sim/host/run/programs.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- replies ---- */

void reply_text(struct gdb *g, const char *text)
{
    link_send(&g->link, text, strlen(text));
}

enum command_end command_ok(struct gdb *g)
{
    reply_text(g, "OK");
    return COMMAND_DONE;
}

enum command_end command_wrong(struct gdb *g)
{
    reply_text(g, "E01");
    return COMMAND_DONE;
}

/* As packets O, or, within qRcmd, likewise. */
void reply_console(struct gdb *g, const char *text)
{
    enum { PIECE = 1000 };
    char packet[2 * PIECE + 2] = "O";
    size_t left = strlen(text);
    while (left) {
        size_t now = left < PIECE ? left : PIECE;
        hex_put(packet + 1, text, now);
        reply_text(g, packet);
        text += now;
        left -= now;
    }
}

bool command_number(const char **at, char behind, unsigned long long *value)
{
    if (!hex_number(at, value) || **at != behind)
        return false;
    *at += behind != 0;
    return true;
}

/* The hart of a thread's number; those that stand for any are the hart `any`.
 * False: there is no such thread. */
static bool hart_of_thread(const struct gdb *g, const char **at, unsigned any,
                           unsigned *hart)
{
    unsigned long long id;
    *hart = any;
    if (!strncmp(*at, "-1", 2)) {
        *at += 2;
        return true;
    }
    if (!hex_number(at, &id) || id > g->host->machine.hart_count)
        return false;
    if (id)
        *hart = (unsigned)id - 1;
    return true;
}

/* ---- threads ---- */

static enum command_end choose_thread(struct gdb *g, const char *at)
{
    char of = *at;
    at += of != 0;
    const char *id = at;
    unsigned hart;
    if ((of != 'c' && of != 'g') ||
        !hart_of_thread(g, &at, g->current, &hart) || *at)
        return command_wrong(g);
    if (of == 'g') {
        g->looked_at = hart;
    } else {
        g->current = hart;
        g->names_hart = strcmp(id, "0") && strcmp(id, "-1");
    }
    return command_ok(g);
}

static enum command_end is_alive(struct gdb *g, const char *at)
{
    unsigned hart;
    return hart_of_thread(g, &at, 0, &hart) ? command_ok(g) : command_wrong(g);
}

static enum command_end current_thread(struct gdb *g, const char *at)
{
    char text[32] = "";
    if (!*at)
        snprintf(text, sizeof text, "QC%x", g->current + 1);
    reply_text(g, text);
    return COMMAND_DONE;
}

static enum command_end extra_info(struct gdb *g, const char *at)
{
    char state[200], text[2 * sizeof state + 1];
    unsigned hart;
    if (!hart_of_thread(g, &at, 0, &hart))
        return command_wrong(g);
    thread_state(g, hart, state, sizeof state);
    hex_put(text, state, strlen(state));
    reply_text(g, text);
    return COMMAND_DONE;
}

static enum command_end first_threads(struct gdb *g, const char *at)
{
    char *to = g->reply;
    (void)at;
    for (unsigned i = 0; i < g->focus_count; i++)
        to += sprintf(to, "%c%x", i ? ',' : 'm', g->focus[i] + 1);
    reply_text(g, g->reply);
    return COMMAND_DONE;
}

static enum command_end more_threads(struct gdb *g, const char *at)
{
    (void)at;
    reply_text(g, "l");
    return COMMAND_DONE;
}

/* ---- what is known ---- */

static enum command_end supported(struct gdb *g, const char *at)
{
    char text[300];
    (void)at;
    snprintf(text, sizeof text,
             "PacketSize=%x;QStartNoAckMode+;vContSupported+;swbreak+;"
             "hwbreak+;qXfer:features:read+;qXfer:threads:read+;"
             "qXfer:memory-map:read+;qXfer:exec-file:read+;"
             "ConditionalBreakpoints+%s",
             PACKET_BYTES, g->past ? ";ReverseStep+;ReverseContinue+" : "");
    reply_text(g, text);
    return COMMAND_DONE;
}

static enum command_end no_acks(struct gdb *g, const char *at)
{
    command_ok(g);
    (void)at;
    g->link.no_acks = true;
    return COMMAND_DONE;
}

/* The program's file, as gdb, which may be elsewhere, finds it. */
static char *exec_file(const struct gdb *g)
{
    char *path = realpath(g->host->programs.first->path, NULL);
    return path ? path : heap_text(g->host->programs.first->path);
}

static const struct {
    const char *object;
    char *(*text)(const struct gdb *g);
} objects[] = {
    {"features:read:target.xml:", registers_description},
    {"threads:read::", threads_list},
    {"memory-map:read::", memory_map},
    {"exec-file:read:", exec_file},
};

/* Answers with a part of a text: l if it is the last one, m if not. */
static void send_part(struct gdb *g, const char *text, uint64_t from,
                      uint64_t most)
{
    size_t size = strlen(text);
    from = from < size ? from : size;
    size_t left = size - from;
    size_t now = left < most ? left : most;
    now = now < PACKET_BYTES - 1 ? now : PACKET_BYTES - 1;
    g->reply[0] = now < left ? 'm' : 'l';
    memcpy(g->reply + 1, text + from, now);
    link_send(&g->link, g->reply, now + 1);
}

static enum command_end transfer(struct gdb *g, const char *at)
{
    unsigned long long from, most;
    for (unsigned i = 0; i < sizeof objects / sizeof *objects; i++) {
        const size_t length = strlen(objects[i].object);
        const char *range = at + length;
        if (strncmp(at, objects[i].object, length))
            continue;
        if (objects[i].text == exec_file && (range = strchr(range, ':')))
            range++; /* behind the process's number */
        if (!range || !command_number(&range, ',', &from) ||
            !command_number(&range, 0, &most))
            return command_wrong(g);
        char *text = objects[i].text(g);
        send_part(g, text, from, most);
        free(text);
        return COMMAND_DONE;
    }
    reply_text(g, "");
    return COMMAND_DONE;
}

static enum command_end why(struct gdb *g, const char *at)
{
    (void)at;
    reply_text(g, g->stop);
    return COMMAND_DONE;
}

static enum command_end attached(struct gdb *g, const char *at)
{
    (void)at;
    reply_text(g, "1");
    return COMMAND_DONE;
}

static enum command_end monitor(struct gdb *g, const char *at)
{
    char line[1000], *text;
    size_t size, bytes = strlen(at) / 2;
    if (strlen(at) % 2 || bytes >= sizeof line || !hex_get(at, line, bytes))
        return command_wrong(g);
    line[bytes] = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        heap_lacks(1, BUFSIZ, "--gdb");
    monitor_run(g, line, to);
    fclose(to);
    reply_console(g, text);
    free(text);
    return command_ok(g);
}

/* ---- going on ---- */

static enum command_end can_go(struct gdb *g, const char *at)
{
    (void)at;
    reply_text(g, "vCont;c;C;s;S;r");
    return COMMAND_DONE;
}

/* An action of vCont, up to the next; signals are not handed to programs. */
static bool parse_action(const struct gdb *g, const char **at,
                         enum action *action, unsigned long long *start,
                         unsigned long long *end, unsigned *hart)
{
    unsigned long long signal;
    const char kind = *(*at)++;
    *action = kind == 's' || kind == 'S'   ? ACTION_STEP
              : kind == 'r'                ? ACTION_RANGE
              : kind == 'c' || kind == 'C' ? ACTION_GO
                                           : ACTION_GO + 3;
    if (*action > ACTION_RANGE ||
        ((kind == 'C' || kind == 'S') && !hex_number(at, &signal)) ||
        (kind == 'r' &&
         (!command_number(at, ',', start) || !hex_number(at, end))))
        return false;
    *hart = g->current;
    if (**at == ':') {
        ++*at;
        return hart_of_thread(g, at, g->current, hart);
    }
    return true;
}

/* A hart that is stepped is the one that counts: the others cannot stand still
 * while the chip's clock goes on, whether they are named or not. */
static enum command_end go(struct gdb *g, const char *at)
{
    enum action action;
    unsigned long long start = 0, end = 0;
    unsigned hart;
    g->action = ACTION_GO;
    while (*at == ';') {
        at++;
        if (!parse_action(g, &at, &action, &start, &end, &hart))
            return command_wrong(g);
        if (action == ACTION_GO || g->action != ACTION_GO)
            continue;
        g->action = action;
        g->stepped = hart;
        g->range_start = start;
        g->range_end = end;
    }
    return *at ? command_wrong(g) : COMMAND_GO;
}

/* Addresses to go on at are not taken: gdb writes the pc. */
static enum command_end go_simply(struct gdb *g, const char *at)
{
    if (*at)
        return command_wrong(g);
    g->action = ACTION_GO;
    return COMMAND_GO;
}

static enum command_end step_simply(struct gdb *g, const char *at)
{
    if (*at)
        return command_wrong(g);
    g->action = ACTION_STEP;
    g->stepped = g->current;
    return COMMAND_GO;
}

static enum command_end back(struct gdb *g, const char *at)
{
    return *at || !g->past ? command_wrong(g) : COMMAND_BACK;
}

static enum command_end back_step(struct gdb *g, const char *at)
{
    return *at || !g->past ? command_wrong(g) : COMMAND_BACK_STEP;
}

static enum command_end leave(struct gdb *g, const char *at)
{
    command_ok(g);
    (void)at;
    return COMMAND_LEAVE;
}

static enum command_end kill_quietly(struct gdb *g, const char *at)
{
    (void)g;
    (void)at;
    return COMMAND_KILL;
}

static enum command_end kill_it(struct gdb *g, const char *at)
{
    command_ok(g);
    (void)at;
    return COMMAND_KILL;
}

/* ---- all of them ---- */

/* The first that a packet begins with. */
static const struct {
    const char *begin;
    enum command_end (*run)(struct gdb *g, const char *rest);
} rows[] = {
    {"?", why},
    {"g", command_read_all},
    {"G", command_write_all},
    {"p", command_read_one},
    {"P", command_write_one},
    {"m", command_read_memory},
    {"M", command_write_memory},
    {"X", command_write_bytes},
    {"Z", command_set_break},
    {"z", command_drop_break},
    {"H", choose_thread},
    {"T", is_alive},
    {"bc", back},
    {"bs", back_step},
    {"c", go_simply},
    {"s", step_simply},
    {"D", leave},
    {"k", kill_quietly},
    {"vKill", kill_it},
    {"vCont?", can_go},
    {"vCont", go},
    {"qSupported", supported},
    {"QStartNoAckMode", no_acks},
    {"qXfer:", transfer},
    {"qAttached", attached},
    {"qC", current_thread},
    {"qfThreadInfo", first_threads},
    {"qsThreadInfo", more_threads},
    {"qThreadExtraInfo,", extra_info},
    {"qRcmd,", monitor},
};

enum command_end command_run(struct gdb *g, char *text, size_t bytes)
{
    (void)bytes;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t length = strlen(rows[i].begin);
        if (!strncmp(text, rows[i].begin, length))
            return rows[i].run(g, text + length);
    }
    reply_text(g, "");
    return COMMAND_DONE;
}
