/* Values of options that several of them take. */
#include "sim/core/heap.h"
#include "sim/host/options.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * strtoull takes 0x and a leading 0 for octal, and turns a negative number into
 * a large one, so a sign is refused here. The suffix must not shift bits out.
 */
bool options_number(const char *option, const char *text, uint64_t least,
                    uint64_t greatest, uint64_t *value, struct error *error)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    unsigned shift = *end == 'k' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    end += shift > 0;
    if (end == text || *end || *text == '-' || errno ||
        n > UINT64_MAX >> shift || n << shift < least || n << shift > greatest)
        return error_set(error,
                         "--%s %.80s: expected a number %llu..%llu, "
                         "optionally with k, M or G",
                         option, text, (unsigned long long)least,
                         (unsigned long long)greatest);
    *value = n << shift;
    return true;
}

static const char *const range_words[] = {
    [RANGE_OF_REGION] = "roi", [RANGE_OF_LAUNCH] = "launch"};

/* Is it one of these words, with :N or without? *value: N, "1" without. */
static bool is_named(const char *text, enum range_of *of, const char **value)
{
    const size_t length = strcspn(text, ":");
    for (unsigned i = RANGE_OF_REGION; i <= RANGE_OF_LAUNCH; i++)
        if (length == strlen(range_words[i]) &&
            !memcmp(text, range_words[i], length)) {
            *of = i;
            *value = text[length] ? text + length + 1 : "1";
            return true;
        }
    return false;
}

bool options_same_range(const struct cycle_range *a,
                        const struct cycle_range *b)
{
    return a->from == b->from && a->to == b->to && a->of == b->of &&
           a->number == b->number;
}

const char *options_range_text(const struct cycle_range *range,
                               char text[RANGE_TEXT])
{
    if (range->of != RANGE_OF_CYCLES)
        snprintf(text, RANGE_TEXT, "%s:%" PRIu32, range_words[range->of],
                 range->number);
    else if (range->to == CYCLE_NEVER)
        snprintf(text, RANGE_TEXT, "%" PRIu64 ":", range->from);
    else
        snprintf(text, RANGE_TEXT, "%" PRIu64 ":%" PRIu64, range->from,
                 range->to);
    return text;
}

bool options_range(const char *option, const char *text,
                   struct cycle_range *range, struct error *error)
{
    char from[32];
    const char *value;
    const size_t length = strcspn(text, ":");
    struct cycle_range r = *range;
    if (is_named(text, &r.of, &value)) {
        uint64_t number;
        if (!options_number(option, value, 1, UINT32_MAX, &number, error))
            return false;
        *range = (struct cycle_range){CYCLE_NEVER, CYCLE_NEVER, r.of,
                                      (uint32_t)number};
        return true;
    }
    if (!text[length] || length >= sizeof from)
        return error_set(error,
                         "--%s %.80s: expected FROM:TO, two cycles, or roi, "
                         "roi:N, launch, launch:N",
                         option, text);
    memcpy(from, text, length);
    from[length] = '\0';
    const char *to = text + length + 1;
    if ((*from &&
         !options_number(option, from, 0, CYCLE_NEVER - 1, &r.from, error)) ||
        (*to && !options_number(option, to, 1, CYCLE_NEVER - 1, &r.to, error)))
        return false;
    if (r.from >= r.to)
        return error_set(error, "--%s %.80s: FROM has to be less than TO",
                         option, text);
    *range = r;
    return true;
}

/* The last value of a name is the one that counts. */
bool options_add_variable(struct options *o, const char *text,
                          struct error *error)
{
    size_t name = strcspn(text, "=");
    if (!name || !text[name])
        return error_set(error, "--env %.80s: expected NAME=VALUE", text);
    unsigned i = 0;
    while (i < o->env_count && strncmp(o->env[i], text, name + 1))
        i++;
    if (i == OPTIONS_ENV_MAX)
        return error_set(error, "--env: more than %d of them", OPTIONS_ENV_MAX);
    o->env[i] = text;
    o->env_count += i == o->env_count;
    return true;
}

/* The text is kept as it is: programs_open divides it into file and options,
 * when the kinds of core that know these options have been asked for. */
bool options_add_program(struct options *o, const char *text,
                         struct error *error)
{
    if (o->further_count == OPTIONS_PROGRAMS_MAX)
        return error_set(error, "--program: more than %d of them",
                         OPTIONS_PROGRAMS_MAX);
    o->further[o->further_count++] = text;
    return true;
}

bool options_timing(struct options *o, const char *text, struct error *error)
{
    o->roi = !strcmp(text, "roi");
    return o->roi || !strcmp(text, "full") ||
           error_set(error, "--timing %.80s: expected full or roi", text);
}

bool options_roi_caches(struct options *o, const char *text,
                        struct error *error)
{
    o->roi_cold = !strcmp(text, "cold");
    return o->roi_cold || !strcmp(text, "warm") ||
           error_set(error, "--roi-caches %.80s: expected warm or cold", text);
}

/*
 * The ISA string has RISC-V's form, e.g. rv64imac_zicsr. Whether the program's
 * register width agrees is found out once the program has been read (setup.c).
 */
bool options_isa(struct options *o, const char *text, struct error *error)
{
    char problem[160];
    return isa_profile_parse(text, &o->isa, problem, sizeof problem) ||
           error_set(error, "--isa %.80s: %s", text, problem);
}

const char *const placed_names[] = {
    [PLACED_FILE] = "file", [PLACED_RAYS] = "rays", [PLACED_SCENE] = "scene"};

const char managed_expected[] =
    "expected scene, rays or file, or several with commas between them";

bool options_managed(const char *text, unsigned *kinds)
{
    for (const char *word = text;; word++) {
        const size_t length = strcspn(word, ",");
        unsigned kind = 0;
        while (kind < PLACED_KINDS &&
               (strlen(placed_names[kind]) != length ||
                memcmp(placed_names[kind], word, length)))
            kind++;
        if (kind == PLACED_KINDS)
            return false;
        *kinds |= 1u << kind;
        word += length;
        if (!*word)
            return true;
    }
}

bool options_cycles_or_seconds(const char *option, const char *text,
                               uint64_t *cycles, uint64_t *seconds,
                               struct error *error)
{
    size_t length = strlen(text);
    char *number = heap_text(text);
    bool is_time = length && text[length - 1] == 's';
    if (is_time)
        number[length - 1] = '\0';
    bool good = options_number(option, number, 1, UINT64_MAX / 2,
                               is_time ? seconds : cycles, error);
    free(number);
    *(is_time ? cycles : seconds) = 0;
    return good || error_set(error,
                             "--%s %.80s: expected a number of cycles, at "
                             "least 1, optionally with k, M or G, or Ns, "
                             "seconds",
                             option, text);
}

void words_add(struct words *w, char *word)
{
    w->list =
        heap_resize(w->list, w->count + 1, sizeof *w->list, "the command line");
    w->list[w->count++] = word;
}

const char *const schedule_names[] = {
    [SCHEDULE_MEASURED] = "static",
    [SCHEDULE_FIXED] = "fixed",
    [SCHEDULE_DYNAMIC] = "dynamic",
};
enum { SCHEDULES = sizeof schedule_names / sizeof *schedule_names };

bool options_schedule(const char *text, enum engine_schedule *schedule,
                      struct error *error)
{
    for (unsigned i = 0; i < SCHEDULES; i++)
        if (!strcmp(text, schedule_names[i])) {
            *schedule = i;
            return true;
        }
    return error_set(
        error, "--schedule %.80s: expected static, fixed or dynamic", text);
}
