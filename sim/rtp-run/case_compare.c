/*
 * A chip's run against its case. Cycle 0 of a case is the start of the first
 * patch; that of the chip is the host's start, the load comes in between.
 */
#include "sim/core/heap.h"
#include "sim/rtp-run/case_chip.h"
#include <inttypes.h>
#include <stdlib.h>

#define RTP_EVENT(id, meaning) #id,
static const char *const kinds[] = {
#include "sim/units/rtp/rtp_events.def"
};
#undef RTP_EVENT

/* ---- events ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_cycle(const void *a, const void *b)
{
    const struct rtp_event *x = a, *y = b;
    int order = compare_numbers(x->cycle, y->cycle);
    order = order ? order : compare_numbers(x->kind, y->kind);
    return order ? order : compare_numbers(x->core, y->core);
}

static uint32_t field(const char *text, int base)
{
    return *text ? (uint32_t)strtoul(text, NULL, base) : RTP_NO_FIELD;
}

/* program, event, cycle, core, thread, patch, pc */
#define CELLS 7
static bool parse_event(char **cells, struct rtp_event *e)
{
    uint32_t kind = 0;
    while (kind < RTP_EVENT_KINDS && strcmp(cells[1], kinds[kind]))
        kind++;
    *e = (struct rtp_event){strtoull(cells[2], NULL, 10), kind,
                            field(cells[3], 10),          field(cells[4], 10),
                            field(cells[5], 10),          field(cells[6], 16)};
    return kind < RTP_EVENT_KINDS;
}

/* Those of the program with this name, sorted. The text stays as it is. */
static struct rtp_event *read_events(const char *text, const char *name,
                                     uint32_t *count, struct error *error)
{
    struct rtp_event *list = NULL;
    uint32_t room = 0;
    char row[256], *cells[CELLS];
    size_t length = strlen(name);
    *count = 0;
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        if (strncmp(text, name, length) || text[length] != ',')
            continue;
        snprintf(row, sizeof row, "%.*s", (int)(end - text), text);
        row[strcspn(row, "\r")] = '\0';
        if (*count == room)
            list = heap_resize(list, room = room ? 2 * room : 256, sizeof *list,
                               "events");
        if (input_cells(row, cells, CELLS) != CELLS ||
            !parse_event(cells, &list[(*count)++])) {
            error_set(error, "events: '%.*s' is not one", (int)(end - text),
                      text);
            break;
        }
    }
    qsort(list, *count, sizeof *list, by_cycle);
    return list;
}

static void print_field(char *out, size_t size, const char *name, uint32_t v)
{
    size_t at = strlen(out);
    if (v != RTP_NO_FIELD)
        snprintf(out + at, size - at,
                 *name == 'p' && name[1] == 'c' ? ", %s 0x%x" : ", %s %u", name,
                 v);
}

static const char *describe(char *text, size_t size, const struct rtp_event *e)
{
    snprintf(text, size, "%s in cycle %" PRIu64, kinds[e->kind], e->cycle);
    print_field(text, size, "core", e->core);
    print_field(text, size, "thread", e->thread);
    print_field(text, size, "patch", e->patch);
    print_field(text, size, "pc", e->pc);
    return text;
}

static bool same_event(const struct rtp_event *a, const struct rtp_event *b)
{
    return a->cycle == b->cycle && a->kind == b->kind && a->core == b->core &&
           a->thread == b->thread && a->patch == b->patch && a->pc == b->pc;
}

static bool same_lists(const struct run *r, const char *name,
                       const struct rtp_event *expected, uint32_t count)
{
    char a[160], b[160];
    for (uint32_t i = 0; i < count || i < r->event_count; i++) {
        if (i < count && i < r->event_count &&
            same_event(&r->events[i], &expected[i]))
            continue;
        return differs(
            name, "event %u: %s; expected %s", i,
            i < r->event_count ? describe(a, sizeof a, &r->events[i]) : "none",
            i < count ? describe(b, sizeof b, &expected[i]) : "none");
    }
    return true;
}

static bool same_events(struct run *r, const char *name, const char *text)
{
    struct error error = {""};
    uint32_t count;
    struct rtp_event *expected = read_events(text, name, &count, &error);
    bool same;
    if (*error.text)
        same = differs(name, "%s", error.text);
    else if (!count)
        same = differs(name, "the file of events has none of it");
    else
        same = same_lists(r, name, expected, count);
    free(expected);
    return same;
}

static uint64_t cycle_of(const struct run *r, unsigned kind)
{
    uint64_t cycle = 0;
    for (uint32_t i = 0; i < r->event_count; i++)
        if (r->events[i].kind == kind)
            cycle = r->events[i].cycle;
    return cycle;
}

static bool same_number(const char *name, const cJSON *object, const char *key,
                        uint64_t is)
{
    uint64_t expected = input_number(object, key);
    return is == expected || differs(name, "%s %" PRIu64 ", expected %" PRIu64,
                                     key, is, expected);
}

/* Sorts the events; their cycles count from the first load on. */
static bool same_cycles(struct run *r, const char *name, const cJSON *object)
{
    qsort(r->events, r->event_count, sizeof *r->events, by_cycle);
    uint64_t load = r->event_count ? r->events[0].cycle : 0;
    for (uint32_t i = 0; i < r->event_count; i++)
        r->events[i].cycle -= load;
    for (uint32_t i = 0; i < r->finish_count; i++)
        r->finishes[i].cycle -= load;
    return same_number(name, object, "load_cycles", load);
}

/* ---- registers ---- */

static int by_end(const void *a, const void *b)
{
    const struct rtp_finish *x = a, *y = b;
    int order = compare_numbers(x->cycle, y->cycle);
    return order ? order : compare_numbers(x->core, y->core);
}

static bool same_state(const struct rtp_finish *f, const cJSON *expected,
                       const char *name)
{
    char what[96];
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(expected, "v");
    snprintf(what, sizeof what,
             "registers at the end of thread %u in cycle %" PRIu64 ": s",
             f->thread, f->cycle);
    bool same = f->core == input_number(expected, "core") &&
                f->thread == input_number(expected, "thread") &&
                f->cycle == input_number(expected, "cycle");
    if (!same)
        return differs(name,
                       "a thread's end: %u on core %u in cycle %" PRIu64
                       ", expected %" PRIu64,
                       f->thread, f->core, f->cycle,
                       input_number(expected, "cycle"));
    same = same_words(name, what, f->state.s,
                      cJSON_GetObjectItemCaseSensitive(expected, "s"), 31);
    for (int i = 0; same && i < RTP_VECTORS; i++) {
        snprintf(what, sizeof what, "thread %u in cycle %" PRIu64 ": v[%d]",
                 f->thread, f->cycle, i);
        same =
            same_words(name, what, f->state.v[i], cJSON_GetArrayItem(v, i), 4);
    }
    return same;
}

static bool same_states(struct run *r, const char *name, const cJSON *object)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "fin_state");
    uint32_t i = 0;
    const cJSON *item;
    qsort(r->finishes, r->finish_count, sizeof *r->finishes, by_end);
    cJSON_ArrayForEach(item, list)
    {
        if (i == r->finish_count)
            return differs(name, "%u threads ended, expected more", i);
        if (!same_state(&r->finishes[i++], item, name))
            return false;
    }
    return i == r->finish_count ||
           differs(name, "%u threads ended, expected %u", r->finish_count, i);
}

/* ---- memory ---- */

static bool same_results(const struct run *r, const char *name,
                         const cJSON *object)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "results");
    char what[64];
    int i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        int patch = i / RTP_THREADS, slot = i % RTP_THREADS;
        snprintf(what, sizeof what, "result of patch %d, slot %d: ", patch,
                 slot);
        if ((uint32_t)patch >= rtp_patches(&r->rtp))
            return differs(name, "%d patches, expected more", patch);
        if (!same_words(name, what, r->rtp.results[patch][slot], item, 4))
            return false;
        i++;
    }
    return true;
}

static bool same_memory(const struct run *r, const char *name,
                        const cJSON *object)
{
    const cJSON *threads = cJSON_GetObjectItemCaseSensitive(object, "mem");
    for (unsigned t = 0; t < RTP_THREADS; t++) {
        char key[12];
        snprintf(key, sizeof key, "%u", t);
        if (!same_local(name, t, r->rtp.local + (size_t)t * RTP_LOCAL_BYTES / 4,
                        cJSON_GetObjectItemCaseSensitive(threads, key)))
            return false;
    }
    return true;
}

bool replay_chip(const cJSON *object, char *events,
                 const struct replay_options *options)
{
    const char *name = input_text(object, "name");
    struct run *r = heap_new(1, sizeof *r, "a run");
    struct error error;
    bool same;
    if (!run_chip(r, object, options, &error))
        same = differs(name, "%s", error.text);
    else
        same = same_cycles(r, name, object) &&
               (!events || same_events(r, name, events)) &&
               same_number(name, object, "last_patch_done",
                           cycle_of(r, RTP_patch_done)) &&
               same_number(name, object, "cycles", cycle_of(r, RTP_all_done)) &&
               same_states(r, name, object) && same_memory(r, name, object) &&
               same_results(r, name, object);
    run_free(r);
    return same;
}
