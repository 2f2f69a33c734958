/*
 * Checkpoints, as they come out of their file: their checksum says nothing,
 * as the author of a bad one can have it right. The input is a list of
 * changes of the checkpoint of a program that runs, 5 bytes each and as many
 * bytes as the fifth says: where, and what is there instead; every other one
 * is behind the description of the run, where the host and tiles are. Then it
 * is loaded into a machine at reset.
 */
#include "sim/host/state/checkpoint.h"
#include "ci/fuzz/program_run.h"
#include "sim/core/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES 2000
#define NEAR (1u << 15)

struct bytes {
    struct state state;
    uint8_t *list;
    size_t count, room, at;
    size_t described; /* bytes of the command line and the description */
};

static bool move_out(struct state *s, void *bytes, size_t count)
{
    struct bytes *b = (struct bytes *)s;
    while (b->count + count > b->room) {
        b->room = b->room ? 2 * b->room : 1 << 20;
        b->list = realloc(b->list, b->room);
        if (!b->list)
            abort();
    }
    memcpy(b->list + b->count, bytes, count);
    b->count += count;
    return true;
}

static bool move_in(struct state *s, void *bytes, size_t count)
{
    struct bytes *b = (struct bytes *)s;
    if (count > b->count - b->at)
        return state_fail(s, "it ends early");
    memcpy(bytes, b->list + b->at, count);
    b->at += count;
    return true;
}

static bool serve(void *context, uint64_t now, const struct service_request *r)
{
    return false;
}

static bool alarm_at(void *context, uint64_t now)
{
    return false;
}

/* A machine at reset. */
static void begin(struct host *host)
{
    static struct options options;
    static const struct engine_hooks hooks = {.service = serve,
                                              .alarm = alarm_at};
    static char name[4096];
    static char *argv[] = {name, NULL};
    struct error error;
    int status;
    snprintf(name, sizeof name, "%s", fuzz_loop_path());
    options = fuzz_options(MODE_TIMING, argv, 1, CYCLE_NEVER);
    options.arch = "tiny";
    if (!host_prepare(host, &options, &status, &error)) {
        fprintf(stderr, "fuzz: %s\n", error.text);
        abort();
    }
    host->engine = engine_new(host->chip, &options.engine, &hooks);
}

static void end(struct host *host)
{
    engine_free(host->engine);
    host_free(host);
}

/* The checkpoint that is changed. */
static const struct bytes *saved(void)
{
    static struct bytes b = {.state.move = move_out};
    struct host host;
    if (b.count)
        return &b;
    begin(&host);
    engine_run(host.engine, CYCLES, 0);
    checkpoint_state(&host, &b.state);
    if (b.state.failed)
        abort();
    char *text = checkpoint_identity(&host, false);
    b.described = sizeof(bool) + 3 * sizeof(uint32_t) + strlen(text) + 1;
    free(text);
    end(&host);
    return &b;
}

static void change(struct bytes *b, const uint8_t *data, size_t size)
{
    while (size > 5) {
        uint32_t where;
        size_t count = data[4] % 9u;
        memcpy(&where, data, sizeof where);
        if (data[4] & 128)
            where %= b->count;
        else
            where = (uint32_t)b->described + where % NEAR;
        data += 5;
        size -= 5;
        count = count < size ? count : size;
        where = where < b->count ? where : 0;
        count = count < b->count - where ? count : b->count - where;
        memcpy(b->list + where, data, count);
        data += count;
        size -= count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = *saved();
    struct host host;
    b.state = (struct state){.loading = true, .move = move_in};
    b.list = malloc(b.count);
    if (!b.list)
        abort();
    memcpy(b.list, saved()->list, b.count);
    change(&b, data, size);
    begin(&host);
    checkpoint_state(&host, &b.state);
    if (b.state.failed)
        fuzz_check_error(&b.state.error);
    end(&host);
    free(b.list);
    return 0;
}
