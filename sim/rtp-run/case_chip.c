#include "sim/rtp-run/case_chip.h"
#include "sim/arch/arch.h"
#include "sim/arch/presets.h"
#include "sim/core/engine.h"
#include "sim/core/heap.h"
#include "sim/rtp/rtp_decode.h"
#include "sim/rtp/rtp_float.h"
#include "sim/units/units.h"
#include <inttypes.h>
#include <stdlib.h>

#define LIMIT 1000000000ull /* cycles: no case takes so long */

/* ---- the program ---- */

void run_program(struct rtp_machine *m, const cJSON *object)
{
    m->code_words =
        input_words(cJSON_GetObjectItemCaseSensitive(object, "words"), m->words,
                    RTP_CODE_WORDS);
    m->const_words =
        input_words(cJSON_GetObjectItemCaseSensitive(object, "const"),
                    m->constants, RTP_CONSTANTS_MAX);
    for (uint32_t i = 0; i < RTP_CODE_WORDS; i++)
        m->code[i] = rtp_decode(m->words[i]);
}

static void read_triangle(struct rtp_triangle *t, const cJSON *array)
{
    for (int k = 0; k < 3; k++) {
        uint32_t words[3] = {0};
        input_words(cJSON_GetArrayItem(array, k), words, 3);
        t->v[k] = (struct rtp_vec){rtp_float(words[0]), rtp_float(words[1]),
                                   rtp_float(words[2])};
    }
    t->shader = input_word(cJSON_GetArrayItem(array, 3));
}

/* Each triangle has three vertices of its own. */
static void read_scene(struct rtp_scene *scene, const cJSON *object)
{
    const cJSON *item;
    cJSON_ArrayForEach(item,
                       cJSON_GetObjectItemCaseSensitive(object, "triangles"))
        read_triangle(&scene->triangles[scene->count++], item);
    scene->vertices = 3 * scene->count;
}

/* ---- the chip ---- */

static bool set_number(struct chip *chip, const char *name, uint64_t value,
                       struct error *error)
{
    char text[80];
    snprintf(text, sizeof text, "chip.%s=%" PRIu64, name, value);
    return chip_override(chip, text, error);
}

bool run_settings(struct chip *chip, const cJSON *object,
                  const struct replay_options *o, struct error *error)
{
    bool good = chip_override(chip, "core.memory_map=rtl", error) &&
                chip_override(chip, "core.const_words=512", error) &&
                (!input_flag(object, "quirk") ||
                 chip_override(chip, "core.rtl_quirks=all", error));
    for (unsigned i = 0; good && i < o->setting_count; i++)
        good = chip_override(chip, o->settings[i], error);
    return good;
}

static bool set_up(struct run *r, const cJSON *object,
                   const struct replay_options *o, struct error *error)
{
    return set_number(r->chip, "n_rt", input_number(object, "n_rt"), error) &&
           set_number(r->chip, "n_ic", input_number(object, "n_ic"), error) &&
           (!input_flag(object, "quirk") ||
            chip_override(r->chip, "triangles.rtl_quirks=all", error)) &&
           run_settings(r->chip, object, o, error);
}

static bool build(struct run *r, const cJSON *object,
                  const struct replay_options *options, struct error *error)
{
    char path[PATH_MAX], presets[PATH_MAX];
    struct arch_facts facts = {.status = STATUS_INPUT};
    rtp_machine_use(&r->machine, &r->rtp);
    r->chip = chip_new(unit_kinds, &r->machine);
    return set_up(r, object, options, error) &&
           presets_find("rtp-4x4", path, sizeof path, error) &&
           presets_directory(presets, error) &&
           arch_load(r->chip, path, presets, &facts, error) &&
           chip_finish(r->chip, error);
}

/* ---- the run ---- */

static void keep_events(struct run *r, struct rtp_record *from)
{
    uint32_t needed = r->event_count + from->count;
    if (needed > r->event_room) {
        r->event_room = 2 * needed;
        r->events =
            heap_resize(r->events, r->event_room, sizeof *r->events, "events");
    }
    memcpy(r->events + r->event_count, from->events,
           from->count * sizeof *from->events);
    r->event_count = needed;
    from->count = 0;
}

static void keep_finishes(struct run *r, struct rtp_record *from)
{
    uint32_t needed = r->finish_count + from->finish_count;
    if (needed > r->finish_room) {
        r->finish_room = 2 * needed;
        r->finishes = heap_resize(r->finishes, r->finish_room,
                                  sizeof *r->finishes, "registers");
    }
    memcpy(r->finishes + r->finish_count, from->finishes,
           from->finish_count * sizeof *from->finishes);
    r->finish_count = needed;
    from->finish_count = 0;
}

static bool still(void *context, uint64_t now)
{
    struct run *r = context;
    for (uint32_t i = 0; i < r->rtp.record_count; i++) {
        keep_events(r, r->rtp.records[i]);
        keep_finishes(r, r->rtp.records[i]);
    }
    return true;
}

static bool serve(void *context, uint64_t now,
                  const struct service_request *request)
{
    struct run *r = context;
    for (unsigned i = 0; i < r->machine.hart_count; i++) {
        r->complete |= r->machine.harts[i].event == HART_DONE;
        r->fault |= r->machine.harts[i].event == HART_FAULT;
    }
    return false;
}

static bool run_engine(struct run *r, const struct replay_options *o,
                       struct error *error)
{
    const struct engine_options options = {
        .threads = 1, .no_skip = o->no_skip, .reverse_order = o->reverse_units};
    const struct engine_hooks hooks = {
        .context = r, .service = serve, .still = still};
    r->engine = engine_new(r->chip, &options, &hooks);
    engine_run(r->engine, LIMIT, 0);
    still(r, 0);
    if (r->fault)
        return error_set(error, "an illegal instruction");
    return r->complete || error_set(error, "not complete in cycle %" PRIu64,
                                    engine_cycle(r->engine));
}

bool run_chip(struct run *r, const cJSON *object,
              const struct replay_options *options, struct error *error)
{
    r->rtp.recording = true;
    run_program(&r->rtp, object);
    read_scene(&r->rtp.scene, object);
    if (!build(r, object, options, error))
        return false;
    r->machine.harts =
        chip_alloc(r->chip, r->machine.hart_count, sizeof *r->machine.harts);
    rtp_set_pixels(r->chip, &r->rtp, (uint32_t)input_number(object, "npix"));
    return run_engine(r, options, error);
}

void run_free(struct run *r)
{
    engine_free(r->engine);
    if (r->chip)
        chip_free(r->chip);
    free(r->events);
    free(r->finishes);
    free(r);
}
