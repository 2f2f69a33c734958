/* Checks the JSON files of a run before anything reads them (shape_rules.h). */
#include "sim/report/shape.h"
#include "sim/core/formats.h"
#include "sim/report/shape_rules.h"
#include <math.h>
#include <string.h>

#define PIXELS_MOST 8192 /* width and height */

/* Whole numbers up to here are exact in a double, as all readers have them. */
#define EXACT 9007199254740992.0

static const char *const type_names[] = {
    [TEXT] = "a text",
    [COUNT] = "a whole number of at least 0",
    [REAL] = "a number",
    [BOOL] = "true or false",
    [EACH_COUNT] = "an object of whole numbers of at least 0",
    [EACH_REAL] = "an object of numbers",
    [EACH_TEXT] = "an object of texts",
    [TERMS] = "a list of texts",
    [COUNTS] = "a list of whole numbers of at least 0",
    [OBJECT] = "an object",
    [EACH] = "an object",
    [LIST] = "a list",
};

static bool is_count(const cJSON *json)
{
    double n = json->valuedouble;
    return cJSON_IsNumber(json) && n >= 0 && n <= EXACT && n == floor(n);
}

static bool is_real(const cJSON *json)
{
    return cJSON_IsNumber(json) && isfinite(json->valuedouble);
}

static bool all_below(const cJSON *json, bool (*good)(const cJSON *))
{
    for (const cJSON *j = json->child; j; j = j->next)
        if (!good(j))
            return false;
    return true;
}

static bool is_text(const cJSON *json)
{
    return cJSON_IsString(json);
}

static bool of_type(const cJSON *json, enum type type)
{
    switch (type) {
    case TEXT:
        return cJSON_IsString(json);
    case COUNT:
        return is_count(json);
    case REAL:
        return is_real(json);
    case BOOL:
        return cJSON_IsBool(json);
    case EACH_COUNT:
        return cJSON_IsObject(json) && all_below(json, is_count);
    case EACH_REAL:
        return cJSON_IsObject(json) && all_below(json, is_real);
    case EACH_TEXT:
        return cJSON_IsObject(json) && all_below(json, is_text);
    case TERMS:
        return cJSON_IsArray(json) && all_below(json, is_text);
    case COUNTS:
        return cJSON_IsArray(json) && all_below(json, is_count);
    case LIST:
        return cJSON_IsArray(json);
    default:
        return cJSON_IsObject(json);
    }
}

/* Is it one of the words between |? */
static bool is_choice(const char *text, const char *choices)
{
    size_t length = strlen(text);
    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|')
        if (strcspn(c, "|") == length && !memcmp(c, text, length))
            return true;
    return false;
}

static bool obeys_all(const cJSON *json, const struct rule *rules,
                      const char *where, struct error *error);

/* where: what the error says before the member's name. */
static bool obeys(const cJSON *json, const struct rule *rule, const char *where,
                  struct error *error)
{
    char place[CORBEL_LINE_SIZE];
    if (!json)
        return rule->optional ||
               error_set(error, "%s: no %s, expected %s", where, rule->name,
                         type_names[rule->type]);
    if (!of_type(json, rule->type))
        return error_set(error, "%s: %s has to be %s", where, rule->name,
                         type_names[rule->type]);
    if (rule->choices && !is_choice(json->valuestring, rule->choices))
        return error_set(error, "%s: %s has to be one of %s", where, rule->name,
                         rule->choices);
    if (rule->type == OBJECT) {
        snprintf(place, sizeof place, "%s: %s", where, rule->name);
        return obeys_all(json, rule->below, place, error);
    }
    for (const cJSON *j = rule->below ? json->child : NULL; j; j = j->next) {
        snprintf(place, sizeof place, "%s: %s %s", where, rule->name,
                 j->string ? j->string : "");
        if (!obeys_all(j, rule->below, place, error))
            return false;
    }
    return true;
}

static bool obeys_all(const cJSON *json, const struct rule *rules,
                      const char *where, struct error *error)
{
    if (!cJSON_IsObject(json))
        return error_set(error, "%s: expected an object", where);
    for (const struct rule *r = rules; r->name; r++)
        if (!obeys(json_member(json, r->name), r, where, error))
            return false;
    return true;
}

/* A histogram has a count between any two edges, which rise. */
static bool histograms_good(const cJSON *rows, const cJSON *one,
                            const char *file, struct error *error)
{
    const cJSON *list = json_member(one, "histograms");
    for (const cJSON *h = list ? list->child : NULL; h; h = h->next) {
        const cJSON *edges = json_member(h, "edges");
        if (!json_member(rows, h->string) ||
            cJSON_GetArraySize(edges) !=
                cJSON_GetArraySize(json_member(h, "counts")) + 1)
            return error_set(error,
                             "%s: histogram '%s': expected one of the schema, "
                             "with one more edge than counts",
                             file, h->string);
        for (const cJSON *e = edges->child; e->next; e = e->next)
            if (e->valuedouble >= e->next->valuedouble)
                return error_set(error,
                                 "%s: histogram '%s': edges have to rise", file,
                                 h->string);
    }
    return true;
}

/* Each statistic of a group is in the schema of its kind, which readers take
 * unit and meaning from. */
static bool explained(const cJSON *schema, const cJSON *one, const char *name,
                      const char *file, struct error *error)
{
    static const char *const parts[] = {"counters", "buckets"};
    const char *kind_name = json_member(one, "kind")->valuestring;
    const cJSON *kind = json_member(schema, kind_name);
    if (!kind)
        return error_set(error, "%s: the schema has no kind '%s' of group '%s'",
                         file, kind_name, name);
    for (unsigned p = 0; p < 2; p++) {
        const cJSON *rows = json_member(kind, parts[p]);
        for (const cJSON *v = json_member(one, parts[p])->child; v; v = v->next)
            if (!json_member(rows, v->string))
                return error_set(error,
                                 "%s: the schema of '%s' does not have '%s' of "
                                 "its %s",
                                 file, kind_name, v->string, parts[p]);
    }
    return histograms_good(json_member(kind, "histograms"), one, file, error);
}

/* All of a list of groups or units; at least one, as there is no chip without.
 * Those of units and regions are of a group that the run has. */
static bool all_explained(const cJSON *stats, const cJSON *list,
                          const char *file, struct error *error)
{
    const cJSON *groups = json_member(stats, "groups");
    if (!list->child)
        return error_set(error, "%s: %s is empty", file, list->string);
    for (const cJSON *one = list->child; one; one = one->next) {
        const char *name = cJSON_IsArray(list)
                               ? json_member(one, "group")->valuestring
                               : one->string;
        const cJSON *group = json_member(groups, name);
        if (!group || strcmp(json_member(group, "kind")->valuestring,
                             json_member(one, "kind")->valuestring) != 0)
            return error_set(error, "%s: %s: groups have no '%s' of that kind",
                             file, list->string, name);
        if (!explained(json_member(stats, "schema"), one, name, file, error))
            return false;
    }
    return true;
}

/* Of the run, its regions, or a window. section NULL: there is none. */
static bool section_explained(const cJSON *stats, const cJSON *section,
                              const char *file, struct error *error)
{
    const cJSON *units = json_member(section, "units");
    return !section ||
           (all_explained(stats, json_member(section, "groups"), file, error) &&
            (!units || all_explained(stats, units, file, error)));
}

/* older: what files of lower numbers lack, from a colon on. */
static bool of_format(const cJSON *json, int expected, const char *older,
                      const char *file, struct error *error)
{
    const cJSON *format = json_member(json, "format");
    if (!cJSON_IsObject(json))
        return error_set(error, "%s: expected an object", file);
    if (!cJSON_IsNumber(format))
        return error_set(error, "%s: no format, expected %d", file, expected);
    return format->valuedouble == expected ||
           error_set(error, "%s: format %g, expected %d%s", file,
                     format->valuedouble, expected,
                     format->valuedouble < expected ? older : "");
}

/* Has it the format and the members of one of the files? */
static bool is_file(const cJSON *json, const struct shape_file *of,
                    const char *file, struct error *error)
{
    return of_format(json, of->format, of->older, file, error) &&
           obeys_all(json, of->rules, file, error);
}

bool shape_stats(const cJSON *stats, const char *file, struct error *error)
{
    if (cJSON_IsObject(stats) && !json_member(stats, "cycles") &&
        of_format(stats, STATS_FORMAT, shape_files[FILE_STATS].older, file,
                  error))
        return error_set(error,
                         "%s: no cycles, expected a run with timing, not one "
                         "with --functional",
                         file);
    if (!is_file(stats, &shape_files[FILE_STATS], file, error))
        return false;
    const cJSON *windows = json_member(stats, "windows");
    if (!section_explained(stats, stats, file, error) ||
        !section_explained(stats, json_member(stats, "region_of_interest"),
                           file, error))
        return false;
    for (const cJSON *w = windows ? windows->child : NULL; w; w = w->next)
        if (!section_explained(stats, w, file, error))
            return false;
    return true;
}

bool shape_manifest(const cJSON *manifest, const char *file,
                    struct error *error)
{
    if (!cJSON_IsObject(manifest))
        return error_set(error, "%s: expected an object", file);
    return !json_member(manifest, "format") ||
           of_format(manifest, MANIFEST_FORMAT, "", file, error);
}

/* ---- profile.json ---- */

/* Lists of counts have one for each event, as readers go by its place. */
static bool as_many(const cJSON *list, int events, const char *file,
                    const char *of, struct error *error)
{
    return cJSON_GetArraySize(list) == events ||
           error_set(error, "%s: %s: expected %d counts, one for each event",
                     file, of, events);
}

static bool names_event(const cJSON *profile, const cJSON *in, const char *role,
                        const char *file, struct error *error)
{
    const char *name = json_member(in, role)->valuestring;
    for (const cJSON *e = json_member(profile, "events")->child; e; e = e->next)
        if (!strcmp(json_member(e, "name")->valuestring, name))
            return true;
    return error_set(error, "%s: %s: there is no event '%s'", file, role, name);
}

/* The members but the width name events that there are. */
static bool lanes_good(const cJSON *profile, const char *file,
                       struct error *error)
{
    const cJSON *lanes = json_member(profile, "lanes");
    for (const cJSON *l = lanes ? lanes->child : NULL; l; l = l->next)
        if (cJSON_IsString(l) &&
            !names_event(profile, lanes, l->string, file, error))
            return false;
    return true;
}

/* [parent, function, cost]: a parent comes before its children; 0 is none. */
static bool stacks_good(const cJSON *profile, const char *file,
                        struct error *error)
{
    int functions = cJSON_GetArraySize(json_member(profile, "functions")),
        number = 1;
    for (const cJSON *s = json_member(profile, "stacks")->child; s;
         s = s->next) {
        if (!of_type(s, COUNTS) || cJSON_GetArraySize(s) != 3 ||
            s->child->valuedouble >= number ||
            s->child->next->valuedouble >= functions)
            return error_set(error,
                             "%s: stacks: entry %d: expected an earlier entry, "
                             "a function and a cost",
                             file, number);
        number++;
    }
    return true;
}

bool shape_profile(const cJSON *profile, const char *file, struct error *error)
{
    if (!is_file(profile, &shape_files[FILE_PROFILE], file, error))
        return false;
    const cJSON *functions = json_member(profile, "functions");
    int events = cJSON_GetArraySize(json_member(profile, "events"));
    if (json_member(profile, "buckets")->valuedouble > events)
        return error_set(error, "%s: more buckets than events", file);
    for (const cJSON *f = functions->child; f; f = f->next)
        if (!as_many(json_member(f, "counts"), events, file, "functions",
                     error))
            return false;
    for (const cJSON *l = json_member(profile, "lines")->child; l;
         l = l->next) {
        if (!as_many(json_member(l, "counts"), events, file, "lines", error))
            return false;
        if (json_member(l, "function")->valuedouble >=
            cJSON_GetArraySize(functions))
            return error_set(error, "%s: lines: there is no such function",
                             file);
    }
    return as_many(json_member(profile, "totals"), events, file, "totals",
                   error) &&
           names_event(profile, profile, "instructions", file, error) &&
           names_event(profile, profile, "idle", file, error) &&
           names_event(profile, profile, "hits", file, error) &&
           lanes_good(profile, file, error) &&
           stacks_good(profile, file, error);
}

/* ---- pixels.json ---- */

/* Names are parts of names of files, and colours come into the page as such. */
static bool made_of(const cJSON *text, const char *characters)
{
    const char *t = text->valuestring;
    return *t && !t[strspn(t, characters)];
}

bool shape_pixels(const cJSON *pixels, const char *file, struct error *error)
{
    if (!is_file(pixels, &shape_files[FILE_PIXELS], file, error))
        return false;
    double width = json_member(pixels, "width")->valuedouble;
    double height = json_member(pixels, "height")->valuedouble;
    if (width < 1 || height < 1 || width > PIXELS_MOST || height > PIXELS_MOST)
        return error_set(error, "%s: width and height have to be 1 to %d", file,
                         PIXELS_MOST);
    for (const cJSON *c = json_member(pixels, "costs")->child; c; c = c->next)
        if (!made_of(json_member(c, "name"), "abcdefghijklmnopqrstuvwxyz_"))
            return error_set(error, "%s: costs: expected a name of a-z and _",
                             file);
    if (cJSON_GetArraySize(json_member(pixels, "colours")) < 2)
        return error_set(error, "%s: expected at least 2 colours", file);
    for (const cJSON *c = json_member(pixels, "colours")->child; c; c = c->next)
        if (strlen(c->valuestring) != 7 || !made_of(c, "#0123456789abcdef"))
            return error_set(error, "%s: colours: expected #rrggbb", file);
    return true;
}
