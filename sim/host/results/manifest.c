/*
 * Collects what was run and on what: every file with its hash, since a path
 * alone does not say what lay there.
 */
#include "sim/host/results/manifest.h"
#include "runtime/include/corbel/hash.h"
#include "sdk/version/version.h"
#include "sim/core/formats.h"
#include "sim/host/results/json_text.h"
#include "sim/host/run/program_memory.h"

static const char *ending_name(enum ending ending)
{
    switch (ending) {
    case ENDING_EXIT:
        return "exit";
    case ENDING_FAULT:
        return "fault";
    case ENDING_DEADLOCK:
        return "deadlock";
    case ENDING_STALL:
        return "no progress";
    case ENDING_SAVED:
        return "saved";
    case ENDING_LIMIT:
        return "limit";
    case ENDING_INPUT:
        return "bad input";
    case ENDING_CHECK:
        return "memory check";
    case ENDING_SIGNAL:
        return "signal";
    default:
        return "host failure";
    }
}

/* A file by name, and by what was in it. */
static cJSON *file_entry(const char *path, uint64_t hash)
{
    cJSON *file = cJSON_CreateObject();
    cJSON_AddStringToObject(file, "path", path);
    json_hash(file, "xxh64", hash);
    return file;
}

/* The file as it lies in memory: placed files are read-only, so these are the
 * bytes that were read. */
static cJSON *placed_entry(const struct host *host, const struct placed *file)
{
    const void *bytes = machine_at(&host->machine, file->address);
    cJSON *entry = file_entry(file->path, corbel_hash(bytes, file->bytes, 0));
    json_u64(entry, "bytes", file->bytes);
    return entry;
}

static cJSON *string_array(char **strings, int count)
{
    return cJSON_CreateStringArray((const char *const *)strings, count);
}

/* The program's file as it was read, before it was placed. */
static cJSON *program_entry(const struct program *p)
{
    return file_entry(p->path, corbel_hash(p->file, p->file_bytes, 0));
}

/* Programs of --program, for other kinds of core. */
static void add_further(cJSON *manifest, const struct host *host)
{
    cJSON *programs = cJSON_AddArrayToObject(manifest, "further_programs");
    for (unsigned i = 1; i < host->programs.count; i++)
        cJSON_AddItemToArray(programs, program_entry(&host->programs.all[i]));
}

/* Everything that was read and that results depend on. */
static void add_inputs(cJSON *manifest, const struct host *host)
{
    cJSON_AddItemToObject(manifest, "program",
                          program_entry(&host->programs.all[0]));
    if (host->programs.count > 1)
        add_further(manifest, host);
    cJSON_AddItemToObject(manifest, "chip",
                          file_entry(host->arch.path, host->arch.hash));
    if (host->options->warm_caches)
        cJSON_AddItemToObject(
            manifest, "warm_caches",
            file_entry(host->options->warm_caches, host->warm_hash));
    cJSON *settings = cJSON_AddArrayToObject(manifest, "settings");
    for (unsigned i = 0; i < host->options->settings.count; i++)
        cJSON_AddItemToArray(
            settings, cJSON_CreateString(host->options->settings.list[i].text));
    cJSON *scenes = cJSON_AddArrayToObject(manifest, "scenes");
    cJSON *files = cJSON_AddArrayToObject(manifest, "files");
    for (unsigned i = 0; i < host->placed.count; i++) {
        const struct placed *file = &host->placed.files[i];
        cJSON_AddItemToArray(file->kind == PLACED_SCENE ? scenes : files,
                             placed_entry(host, file));
    }
}

/* What the program has written that is an image by its name, as it lies there
 * now. One that is gone, as it was renamed or removed, is left out. */
static void add_images(cJSON *manifest, const struct host *host)
{
    cJSON *images = cJSON_AddArrayToObject(manifest, "images");
    for (unsigned i = 0; i < host->os.files.image_count; i++) {
        uint64_t hash;
        if (files_image_hash(&host->os.files, i, &hash))
            cJSON_AddItemToArray(images,
                                 file_entry(host->os.files.images[i], hash));
    }
}

static void add_how(cJSON *manifest, const struct host *host,
                    const struct effort *effort)
{
    const struct options *o = host->options;
    cJSON *how = cJSON_AddObjectToObject(manifest, "host");
    cJSON_AddNumberToObject(how, "threads",
                            host->engine ? timing_threads(host) : 1);
    cJSON_AddNumberToObject(how, "epoch",
                            host->engine ? engine_epoch(host->engine)
                                         : o->engine.epoch);
    cJSON_AddStringToObject(how, "schedule",
                            schedule_names[o->engine.schedule]);
    cJSON_AddBoolToObject(how, "skip", !o->engine.no_skip);
    cJSON_AddNumberToObject(how, "seconds", effort->wall);
    cJSON_AddNumberToObject(how, "cpu_seconds", effort->cpu);
    json_u64(how, "chip_bytes", chip_allocated(host->chip));
    json_u64(how, "memory_bytes", results_memory(host));
}

cJSON *manifest_begun(const struct host *host)
{
    const struct options *o = host->options;
    cJSON *m = cJSON_CreateObject();
    cJSON_AddNumberToObject(m, "format", MANIFEST_FORMAT);
    cJSON_AddStringToObject(m, "tool", "sim-run");
    cJSON_AddStringToObject(m, "version", CORBEL_VERSION);
    cJSON_AddStringToObject(m, "revision", corbel_revision);
    cJSON_AddItemToObject(m, "command_line", string_array(o->argv, o->argc));
    cJSON_AddStringToObject(m, "mode", host->engine ? "timing" : "functional");
    if (o->permute)
        cJSON_AddNumberToObject(m, "permute", o->permute);
    if (roi_tells(host))
        json_u64(m, "untimed_instructions", host->roi.instructions);
    add_inputs(m, host);
    return m;
}

cJSON *manifest_json(const struct host *host, uint64_t hash,
                     const struct effort *effort)
{
    cJSON *m = manifest_begun(host);
    if (host->altered)
        cJSON_AddBoolToObject(m, "altered", true);
    add_images(m, host);
    add_how(m, host, effort);
    cJSON_AddStringToObject(m, "ending", ending_name(host->ended.how));
    cJSON_AddNumberToObject(m, "exit_status", host->ended.status);
    if (*host->ended.why)
        cJSON_AddStringToObject(m, "message", host->ended.why);
    json_hash(m, "results_hash", hash);
    return m;
}
