/*
 * Writes rules as JSON Schema. Members that no rule has are let pass there,
 * too, as later versions may add to a file.
 */
#include "sim/report/json_schema.h"
#include "sim/core/heap.h"
#include "sim/report/shape_rules.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static void add_type(cJSON *to, const char *type)
{
    cJSON_AddStringToObject(to, "type", type);
}

static cJSON *of_type(const char *type)
{
    cJSON *json = cJSON_CreateObject();
    add_type(json, type);
    return json;
}

static cJSON *count(void)
{
    cJSON *json = of_type("integer");
    cJSON_AddNumberToObject(json, "minimum", 0);
    return json;
}

/* The words between | as a list. */
static void add_choices(cJSON *to, const char *choices)
{
    cJSON *list = cJSON_AddArrayToObject(to, "enum");
    for (const char *c = choices; *c; c += strcspn(c, "|"), c += *c == '|') {
        char *word = heap_text_part(c, strcspn(c, "|"));
        cJSON_AddItemToArray(list, cJSON_CreateString(word));
        free(word);
    }
}

static void add_members(cJSON *to, const struct rule *rules);

static cJSON *object(const struct rule *rules)
{
    cJSON *json = cJSON_CreateObject();
    add_members(json, rules);
    return json;
}

/* each: what every member of an object, or element of a list, is. */
static void add_each(cJSON *to, bool list, cJSON *each)
{
    add_type(to, list ? "array" : "object");
    cJSON_AddItemToObject(to, list ? "items" : "additionalProperties", each);
}

/* What a rule says of its member. */
static void add_rule(cJSON *to, const struct rule *r)
{
    switch (r->type) {
    case TEXT:
        add_type(to, "string");
        break;
    case COUNT:
        add_type(to, "integer");
        cJSON_AddNumberToObject(to, "minimum", 0);
        break;
    case REAL:
        add_type(to, "number");
        break;
    case BOOL:
        add_type(to, "boolean");
        break;
    case EACH_COUNT:
    case COUNTS:
        add_each(to, r->type == COUNTS, count());
        break;
    case EACH_REAL:
        add_each(to, false, of_type("number"));
        break;
    case EACH_TEXT:
    case TERMS:
        add_each(to, r->type == TERMS, of_type("string"));
        break;
    case OBJECT:
        add_members(to, r->below);
        break;
    case EACH:
        add_each(to, false, object(r->below));
        break;
    case LIST:
        add_each(to, true, r->below ? object(r->below) : cJSON_CreateObject());
        break;
    }
    if (r->choices)
        add_choices(to, r->choices);
}

static void add_members(cJSON *to, const struct rule *rules)
{
    add_type(to, "object");
    cJSON *needed = cJSON_AddArrayToObject(to, "required");
    cJSON *members = cJSON_AddObjectToObject(to, "properties");
    for (const struct rule *r = rules; r->name; r++) {
        cJSON *member = cJSON_AddObjectToObject(members, r->name);
        cJSON_AddStringToObject(member, "description", r->meaning);
        add_rule(member, r);
        if (!r->optional)
            cJSON_AddItemToArray(needed, cJSON_CreateString(r->name));
    }
}

static void write_schema(FILE *out, const struct shape_file *f)
{
    char title[80];
    snprintf(title, sizeof title, "%s.json of sim-run --outdir, format %d",
             f->name, f->format);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "$schema",
                            "http://json-schema.org/draft-07/schema#");
    cJSON_AddStringToObject(json, "title", title);
    add_members(json, f->rules);
    cJSON *members = cJSON_GetObjectItemCaseSensitive(json, "properties");
    cJSON_AddNumberToObject(cJSON_GetObjectItemCaseSensitive(members, "format"),
                            "const", f->format);
    char *text = cJSON_Print(json);
    if (!text)
        heap_lacks(1, BUFSIZ, "a schema");
    fprintf(out, "%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
}

bool json_schema_write(FILE *out, const char *of, struct error *error)
{
    for (const struct shape_file *f = shape_files; f->name; f++)
        if (!strcmp(f->name, of)) {
            write_schema(out, f);
            return true;
        }
    return error_set(error, "--schema %.60s: expected stats, profile or pixels",
                     of);
}
