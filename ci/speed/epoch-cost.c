/*
 * What an epoch costs the host when next to nothing happens in it: the barrier,
 * the plan of the next one, and a look at each tile.
 *
 *     epoch-cost [--stretch] THREADS EPOCHS [TILES]
 *
 * prints ns of the median epoch. TILES (2 a thread) of one unit each, that runs
 * once an epoch. The median does not see the epochs in which a thread waited
 * for a processor. --stretch: threads do not meet after each, but wait for each
 * other's epochs; the median of means of a stretch.
 */
#include "sim/core/engine_private.h"
#include "sim/core/unit.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EPOCH 16
#define NOTHING(X)

struct clock {
    struct unit unit;
};

static uint64_t clock_send(struct unit *u, uint64_t now)
{
    (void)u;
    return now + EPOCH;
}

static const struct port_row ports[] = {{"in", false, 1, ""},
                                        {"out", true, 1, ""}};
static const struct unit_kind clock_kind = {
    .name = "clock",
    .meaning = "runs once an epoch",
    .size = sizeof(struct clock),
    .port_rows = ports,
    .port_count = 2,
    .send = clock_send,
};
static const struct unit_kind *const kinds[] = {&clock_kind, NULL};

/* A ring, whose latency is that between tiles. */
static bool build(struct chip *chip, unsigned tiles, struct error *error)
{
    struct unit **units = calloc(tiles, sizeof(struct unit *));
    char name[16];
    bool good = units;
    for (unsigned i = 0; good && i < tiles; i++) {
        snprintf(name, sizeof name, "clock%u", i);
        units[i] =
            chip_unit(chip, chip_tile(chip, name), "clock", name, NULL, error);
        good = units[i];
    }
    for (unsigned i = 0; good && i < tiles; i++)
        good = chip_link(chip, units[i], "out", units[(i + 1) % tiles], "in",
                         EPOCH, 1, error);
    free(units);
    return good && chip_finish(chip, error);
}

struct times {
    uint64_t *ns;
    uint64_t count, last, room;
    uint64_t epochs; /* between two notes */
};

/* After each epoch or stretch. */
static bool note(void *context, uint64_t cycle)
{
    struct times *t = context;
    struct timespec now;
    (void)cycle;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    if (t->count < t->room)
        t->ns[t->count++] = (ns - t->last) / t->epochs;
    t->last = ns;
    return true;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
    struct engine_options options = {.schedule = SCHEDULE_FIXED};
    struct error error = {
        .text = "[--stretch] THREADS EPOCHS [TILES]: expected numbers"};
    bool stretch = argc > 1 && !strcmp(argv[1], "--stretch");
    argc -= stretch;
    argv += stretch;
    uint64_t epochs = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    options.threads = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    unsigned tiles =
        argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 2 * options.threads;
    struct chip *chip = chip_new(kinds, NULL);
    if (!options.threads || !epochs || tiles < 2 ||
        !build(chip, tiles, &error)) {
        fprintf(stderr, "epoch-cost: %s\n", error.text);
        return 2;
    }
    struct times times = {calloc(epochs, sizeof(uint64_t)), 0, 0, epochs, 1};
    struct engine_hooks hooks = {.context = &times};
    if (stretch) {
        times.epochs = STRETCH;
        options.watch = STRETCH * EPOCH;
        hooks.watch = note;
    } else {
        hooks.still = note;
    }
    struct engine *engine = engine_new(chip, &options, &hooks);
    engine_run(engine, epochs * EPOCH, 0);
    qsort(times.ns, times.count, sizeof *times.ns, compare);
    printf("%llu\n", (unsigned long long)times.ns[times.count / 2]);
    free(times.ns);
    engine_free(engine);
    chip_free(chip);
    return 0;
}
