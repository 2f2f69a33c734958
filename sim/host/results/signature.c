/*
 * --signature: what compliance tests leave in memory between two symbols, as
 * RISCOF compares it: 4 bytes a line, the last one filled up with 0s.
 */
#include "sdk/whole/whole.h"
#include "sim/host/host.h"
#include "sim/host/observer.h"
#include "sim/host/run/program_memory.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { LINE_BYTES = 4 };

static const struct option_row options[] = {
    {"signature", 0, "FILE", "write begin_signature to end_signature into FILE",
     OPTION_OBSERVE, OPTION_WRITES | OPTION_REPEATED | OPTION_IN_MEMORY,
     .more = "4 bytes a line in hexadecimal, as compliance tests want it."},
    {NULL}};

static const char *path_of(const struct host *host)
{
    return option_text(host->options, &options[0]);
}

static bool find(const struct host *host, const char *name, uint64_t *address,
                 struct error *error)
{
    *address = program_symbol(host->programs.first, name);
    return *address || error_set(error, "--signature: %s has no symbol %s",
                                 host->programs.first->path, name);
}

static bool signature_find(struct host *host, struct error *error)
{
    struct range *r = &host->signature;
    if (!path_of(host))
        return true;
    if (!find(host, "begin_signature", &r->start, error) ||
        !find(host, "end_signature", &r->end, error))
        return false;
    return (r->start <= r->end &&
            machine_in_ram(&host->machine, r->start, r->end - r->start)) ||
           error_set(error,
                     "--signature: begin_signature 0x%" PRIx64
                     " and end_signature 0x%" PRIx64 " enclose no memory",
                     r->start, r->end);
}

static void write_lines(const struct host *host, FILE *file)
{
    struct range r = host->signature;
    for (uint64_t at = r.start; at < r.end; at += LINE_BYTES) {
        uint32_t word = 0;
        uint64_t left = r.end - at;
        memcpy(&word, machine_at(&host->machine, at),
               left < LINE_BYTES ? left : LINE_BYTES);
        fprintf(file, "%08" PRIx32 "\n", word);
    }
}

static bool signature_write(struct host *host, const struct outcome *outcome,
                            struct error *error)
{
    if (!path_of(host))
        return true;
    const char *name = path_of(host);
    struct whole w;
    bool good = whole_open(&w, NULL, name);
    if (good) {
        write_lines(host, w.file);
        good = whole_finish(&w);
    }
    return good || error_set(error, "--signature %s: %s", name, whole_why());
}

static bool signature_possible(struct host *host, struct error *error)
{
    const char *path = path_of(host);
    return !path || whole_try(NULL, path) ||
           error_set(error, "%s: cannot write the file of --signature: %s",
                     path, whole_why());
}

const struct observer signature_observer = {
    .options = options,
    .name = "signature",
    .placed = signature_find,
    .open = signature_possible,
    .write = signature_write,
};
