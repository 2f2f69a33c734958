/*
 * --check-memory: every load's value is compared with what a functional memory
 * allows (memory_model.h); the first that differs ends the run and is told
 * with its unit, cycle and path through the chip.
 *
 * The units leave records in logs of their tiles
 * (sim/units/common/check_log.h), which are taken whenever all tiles stand
 * still at a multiple of the chip's grid: what is found, and when the run ends,
 * depends on the run alone. Here they are put in order, by the caches that
 * there are and how they hang together; at the end both memories are compared.
 */
#include "sim/core/heap.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/host/host.h"
#include "sim/host/memcheck/access_path.h"
#include "sim/host/memcheck/memory_difference.h"
#include "sim/host/memcheck/memory_model.h"
#include "sim/host/run/program_memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * All arrays by unit have an entry for each unit of the chip, by its number
 * (id). The records in sorted point into logs and are taken once, before the
 * logs are emptied.
 */
struct check {
    struct memory_model *model;
    struct machine functional; /* as the program's, but its own memory */
    unsigned tiles;
    struct check_log *logs;             /* [tile] */
    const struct check_record **sorted; /* of all logs */
    size_t room;
    uint32_t *cache_of_unit; /* by unit: number in the model */
    unsigned *level; /* by unit: caches with copies from here to the owner */
    uint32_t *first_cache; /* by hart */
    /* [cache * caches + cache]: the first fetches from the second. */
    uint8_t *below;
    bool over; /* a difference was found */
};

/* Room for one more than count, as count may be 0. */
static void *zeroed(size_t count, size_t size)
{
    return heap_new(count + 1, size, "the memory check");
}

/* NULL: memory is not checked. */
static struct check *check_of(const struct host *host)
{
    return *observer_of(host, &check_observer);
}

/* ---- construction ---- */

static bool check_arrive(struct host *host, struct error *error)
{
    host->machine.check_memory = host->options->check_memory;
    return true;
}

/* The logs come before the units. */
static void check_build(struct host *host)
{
    struct check *c;
    if (!host->options->check_memory)
        return;
    *observer_of(host, &check_observer) = c = zeroed(1, sizeof *c);
    c->tiles = chip_tile_count(host->chip);
    c->logs = zeroed(c->tiles, sizeof *c->logs);
    host->machine.check_logs = c->logs;
}

/* Numbers the caches that keep copies. */
static uint32_t number_caches(struct check *c, const struct chip *chip)
{
    uint32_t count = 0;
    c->cache_of_unit = zeroed(chip_unit_count(chip), sizeof *c->cache_of_unit);
    for (unsigned i = 0; i < chip_unit_count(chip); i++)
        c->cache_of_unit[i] =
            memory_holds(chip_unit_at(chip, i)) == MEMORY_COPIES
                ? count++
                : MODEL_NO_CACHE;
    return count;
}

/* Which cache fetches from which, for the model: by the links of the units'
 * memory role, the owners left out. */
static void find_below(struct check *c, const struct chip *chip, uint32_t count)
{
    c->below = zeroed((size_t)count * count, 1);
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        struct unit *u = chip_unit_at(chip, i);
        uint32_t from = c->cache_of_unit[i];
        for (unsigned l = 0; from != MODEL_NO_CACHE && l < memory_links(u);
             l++) {
            uint32_t to = c->cache_of_unit[memory_behind(u, l)->id];
            if (to != MODEL_NO_CACHE)
                c->below[(size_t)from * count + to] = 1;
        }
    }
}

/* How far each unit is from the owner; see shown_level. */
static void find_levels(struct check *c, const struct chip *chip)
{
    c->level = zeroed(chip_unit_count(chip), sizeof *c->level);
    for (unsigned i = 0; i < chip_unit_count(chip); i++)
        c->level[i] = memory_level(chip_unit_at(chip, i));
}

/* The cache that a hart's core asks first, by the core's first memory link. */
static void find_first_caches(struct check *c, const struct machine *m)
{
    c->first_cache = zeroed(m->hart_count, sizeof *c->first_cache);
    for (unsigned i = 0; i < m->hart_count; i++)
        c->first_cache[i] =
            c->cache_of_unit[memory_behind(m->harts[i].core, 0)->id];
}

static void copy_page(void *context, uint64_t address, const uint8_t *page)
{
    const struct machine *to = context;
    memcpy(machine_at(to, address), page, PAGE);
}

/* The functional memory begins as a copy of the program's, with the program in
 * place. Pages that are all 0 need no copy, as the new memory is 0, too. */
static bool copy_memory(struct check *c, const struct machine *m,
                        struct error *error)
{
    c->functional = *m;
    c->functional.memory = NULL;
    if (!memory_reserve(&c->functional, m->ram_end, error))
        return false;
    memory_pages(m, copy_page, &c->functional);
    return true;
}

static bool check_open(struct host *host, struct error *error)
{
    struct check *c = check_of(host);
    if (!c)
        return true;
    uint32_t caches = number_caches(c, host->chip);
    find_below(c, host->chip, caches);
    find_levels(c, host->chip);
    find_first_caches(c, &host->machine);
    if (!copy_memory(c, &host->machine, error))
        return false;
    struct model_config config = {.memory = c->functional.memory,
                                  .harts = host->machine.hart_count,
                                  .caches = caches,
                                  .first_cache = c->first_cache,
                                  .below = c->below};
    c->model = model_new(&config);
    return true;
}

static void check_free(struct host *host)
{
    struct check *c = check_of(host);
    if (!c)
        return;
    for (unsigned i = 0; i < c->tiles; i++)
        free(c->logs[i].records);
    model_free(c->model);
    memory_release(&c->functional);
    free(c->logs);
    free(c->sorted);
    free(c->cache_of_unit);
    free(c->level);
    free(c->first_cache);
    free(c->below);
    free(c);
}

/* ---- what is told ---- */

/* A record of less than 8 bytes may have others in the rest of its value. */
static uint64_t value_of(const struct check_record *r, uint64_t value)
{
    return r->size < 8 ? value & ((1ull << 8 * r->size) - 1) : value;
}

/* "not written lately": the byte has no history, so the image or a write that
 * was forgotten is all that is known. */
static void describe_writer(uint32_t writer, uint64_t cycle, char *text,
                            size_t size)
{
    if (writer != MODEL_HOST)
        snprintf(text, size, "last written by hart %u in cycle %" PRIu64,
                 writer, cycle);
    else if (cycle)
        snprintf(text, size, "last written by a system call in cycle %" PRIu64,
                 cycle);
    else
        snprintf(text, size, "not written lately");
}

/* "4 bytes at 0x20000 <counter+0x0>" */
static void describe_bytes(const struct host *host,
                           const struct check_record *r, char *text,
                           size_t size)
{
    char where[300];
    program_where(host->programs.first, r->addr, where, sizeof where);
    where[strcspn(where, "(")] = '\0';
    size_t length = strlen(where);
    if (length && where[length - 1] == ' ')
        where[length - 1] = '\0';
    snprintf(text, size, "%u byte%s at %s", r->size, r->size > 1 ? "s" : "",
             where);
}

/* Empty if the pc of the load is not known. */
static void describe_pc(const struct host *host, const struct check_record *r,
                        char *text, size_t size)
{
    char where[400];
    *text = '\0';
    if (!r->pc)
        return;
    program_where(host->programs.first, r->pc, where, sizeof where);
    snprintf(text, size, ", pc %s,", where);
}

/* A load returned a value that it could not have: told with the path that the
 * answer took through the caches. */
static void tell_load(struct host *host, const struct model_difference *d,
                      const char *bytes, const char *writer)
{
    const struct check_record *r = &d->record;
    char pc[420], path[300];
    describe_pc(host, r, pc, sizeof pc);
    path_text(host->machine.harts[r->hart].core, r->addr, r->served, path,
              sizeof path);
    host_end(host, ENDING_CHECK, STATUS_INTERNAL,
             "memory check: %s hart %u%s loaded 0x%" PRIx64 " (%s) in cycle "
             "%" PRIu64 ", answered in %" PRIu64 "; expected 0x%" PRIx64
             " (%s); path %s",
             unit_name(host->machine.harts[r->hart].core), r->hart, pc,
             value_of(r, r->value), bytes, r->issued, r->cycle, d->expected,
             writer, path);
}

/* A store was never performed, although its hart's accesses have all ended. */
static void tell_lost(struct host *host, const struct model_difference *d,
                      const char *bytes)
{
    const struct check_record *r = &d->record;
    struct unit *core = host->machine.harts[r->hart].core;
    char path[300];
    path_text(core, r->addr, PATH_UNKNOWN, path, sizeof path);
    host_end(host, ENDING_CHECK, STATUS_INTERNAL,
             "memory check: %s hart %u stored 0x%" PRIx64 " (%s) in cycle "
             "%" PRIu64 ", which has not reached memory; path %s",
             unit_name(core), r->hart, value_of(r, r->value), bytes, r->cycle,
             path);
}

/* The owner of the bytes found or wrote a value that no store explains. */
static void tell_owner(struct host *host, const struct model_difference *d,
                       const struct unit *unit, const char *bytes,
                       const char *writer)
{
    const struct check_record *r = &d->record;
    host_end(host, ENDING_CHECK, STATUS_INTERNAL,
             "memory check: %s %s 0x%" PRIx64 " (%s) in cycle %" PRIu64
             " for hart %u%s0x%" PRIx64 " (%s)",
             unit_name(unit), d->fault == MODEL_OLD ? "found" : "wrote",
             value_of(r, r->value), bytes, r->cycle, r->hart,
             d->fault == MODEL_OLD ? "'s atomic; expected "
                                   : ", which no hart stored; before: ",
             d->expected, writer);
}

/*
 * Ends the run with a line about the first difference; later ones may follow
 * from it and are not looked for. unit: the one that noted the record, NULL for
 * a lost store. Always false.
 */
static bool tell(struct host *host, const struct model_difference *d,
                 const struct unit *unit)
{
    char bytes[400], writer[100];
    check_of(host)->over = true;
    describe_bytes(host, &d->record, bytes, sizeof bytes);
    describe_writer(d->writer, d->written, writer, sizeof writer);
    if (d->fault == MODEL_LOADED)
        tell_load(host, d, bytes, writer);
    else if (d->fault == MODEL_LOST_STORE)
        tell_lost(host, d, bytes);
    else
        tell_owner(host, d, unit, bytes, writer);
    return false;
}

/* ---- records ---- */

/*
 * Among the records of a cycle: 0 for what was done in it; otherwise the record
 * is of a cache that shows the host what it keeps dirty, after the cycle. Those
 * next to the owner come first, as caches above have newer values.
 */
static unsigned shown_level(const struct check *c, const struct check_record *r)
{
    return r->kind == CHECK_UPDATED ? c->level[r->unit] : 0;
}

/* The order of records, for qsort_r. It is total: two records of one unit stand
 * in the log of its tile, so their addresses decide. */
static int earlier(const void *a, const void *b, void *context)
{
    const struct check *c = context;
    const struct check_record *x = *(const struct check_record *const *)a;
    const struct check_record *y = *(const struct check_record *const *)b;
    unsigned shown_x = shown_level(c, x), shown_y = shown_level(c, y);
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (shown_x != shown_y)
        return shown_x < shown_y ? -1 : 1;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return (x > y) - (x < y); /* of one unit: in one log */
}

/* Sorts the records of all logs by cycle, then unit, so that the result does
 * not depend on the order in which a tile runs its units. */
static size_t sort_records(struct check *c)
{
    size_t count = 0;
    for (unsigned t = 0; t < c->tiles; t++)
        count += c->logs[t].count;
    if (count > c->room) {
        c->room = 2 * count;
        free(c->sorted);
        c->sorted = zeroed(c->room, sizeof *c->sorted);
    }
    count = 0;
    for (unsigned t = 0; t < c->tiles; t++)
        for (uint32_t i = 0; i < c->logs[t].count; i++)
            c->sorted[count++] = &c->logs[t].records[i];
    if (count)
        qsort_r(c->sorted, count, sizeof *c->sorted, earlier, c);
    return count;
}

/* Hands a record to the model, which knows caches by their own numbers. */
static bool take(struct host *host, const struct check_record *record)
{
    struct check *c = check_of(host);
    struct model_difference d;
    struct check_record r = *record;
    r.unit = c->cache_of_unit[record->unit];
    return model_take(c->model, &r, &d) ||
           tell(host, &d, chip_unit_at(host->chip, record->unit));
}

static bool check_records(struct host *host)
{
    struct check *c = check_of(host);
    if (!c || c->over)
        return !c;
    size_t count = sort_records(c);
    for (size_t i = 0; i < count && !c->over; i++)
        take(host, c->sorted[i]);
    for (unsigned t = 0; t < c->tiles; t++)
        c->logs[t].count = 0;
    return !c->over;
}

/* ---- the host's doings ---- */

/*
 * Records are checked where services may come: when the run ends for one that
 * cannot be, and what was done by then, does not depend on --epoch.
 */
static bool check_still(struct host *host, uint64_t now)
{
    if (!check_of(host) || now % chip_grid(host->chip))
        return true;
    host->now = now;
    return check_records(host);
}

static bool check_watches(const struct host *host)
{
    return check_of(host);
}

/* All accesses of the hart have ended. */
static bool check_service(struct host *host, const struct hart *hart)
{
    struct check *c = check_of(host);
    struct model_difference d;
    return !c || (check_records(host) &&
                  (model_drained(c->model,
                                 (uint32_t)(hart - host->machine.harts), &d) ||
                   tell(host, &d, NULL)));
}

static void check_launch(struct host *host)
{
    if (check_of(host))
        model_launched(check_of(host)->model, host->now);
}

/* The pointer may be into a hart's scratch memory, which is not checked. */
static bool in_memory(const struct host *host, const uint8_t *at)
{
    const struct machine *m = &host->machine;
    return at >= m->memory && at < m->memory + m->ram_end;
}

/* What no hart has read needs no history. */
static void check_written(struct host *host, const uint8_t *at, uint64_t bytes,
                          bool fresh)
{
    struct check *c = check_of(host);
    if (!c || !in_memory(host, at))
        return;
    const uint64_t address = (uint64_t)(at - host->machine.memory);
    if (fresh)
        memcpy(c->functional.memory + address, at, bytes);
    else
        model_host_write(c->model, host->now, address, at, bytes);
}

/* ---- the end ---- */

static void compare_all(struct host *host, struct check *c)
{
    char where[400], writer[100];
    uint64_t at = memory_difference(&c->functional, &host->machine), cycle;
    uint32_t hart;
    if (at == UINT64_MAX)
        return;
    c->over = true;
    model_writer(c->model, at, &hart, &cycle);
    describe_writer(hart, cycle, writer, sizeof writer);
    program_where(host->programs.first, at, where, sizeof where);
    host_end(host, ENDING_CHECK, STATUS_INTERNAL,
             "memory check: at the end memory has 0x%02x at %s, expected "
             "0x%02x (%s)",
             host->machine.memory[at], where, c->functional.memory[at], writer);
}

/* What is left of the records, then memory as a whole. */
static bool check_end(struct host *host, struct error *error)
{
    if (check_of(host) && check_records(host))
        compare_all(host, check_of(host));
    return true;
}

static void check_summary(const struct host *host)
{
    if (!check_of(host))
        return;
    struct model_counts n = model_counts(check_of(host)->model);
    fprintf(stderr,
            "memory check  %" PRIu64 " loads, %" PRIu64 " stores, %" PRIu64
            " atomics%s",
            n.loads, n.stores, n.atomics, n.undecided ? "" : "\n");
    if (n.undecided)
        fprintf(stderr, ", %" PRIu64 " loads not decided\n", n.undecided);
}

static const struct option_row options[] = {
    {"check-memory", 0, NULL, "compare every load with a functional memory",
     OPTION_OBSERVE, OPTION_UNSAVED | OPTION_ONE_WAY | OPTION_IN_MEMORY,
     OPTION_FLAG, offsetof(struct options, check_memory),
     .untimed = "caches to check", .more = "See check-memory.md."},
    {NULL}};

const struct observer check_observer = {
    .options = options,
    .name = "check-memory",
    .arrive = check_arrive,
    .build = check_build,
    .open = check_open,
    .still = check_still,
    .watches = check_watches,
    .service = check_service,
    .launch = check_launch,
    .written = check_written,
    .end = check_end,
    .summary = check_summary,
    .free = check_free,
};
