/* Reads what verdicts are made of, and has the model say it. */
#include "sim/report/verdict_text.h"
#include "sim/report/shape.h"
#include "sim/verdict/saved.h"
#include "sim/verdict/verdict_tell.h"
#include <stdlib.h>

bool verdict_text(FILE *out, const struct run *run, struct error *error)
{
    const cJSON *region = json_member(run->stats, "region_of_interest");
    const cJSON *part = region ? region : run->stats;
    char *file = run_file(run, "stats.json");
    struct saved *s = saved_new(run->stats, file, error);
    uint64_t cycles = (uint64_t)json_member(part, "cycles")->valuedouble;
    struct verdict *v = s ? saved_verdict(s, part, cycles) : NULL;
    if (v) {
        v->whole = !region;
        verdict_print(out, v);
    } else if (s)
        error_set(error, "%s: no core has run", file);
    bool good = v != NULL;
    free(v);
    saved_free(s);
    free(file);
    return good;
}
