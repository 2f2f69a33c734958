/* What saved_kinds.c and saved_read.c share: how members are read, and what is
 * made of them. */
#ifndef SIM_VERDICT_SAVED_READ_H
#define SIM_VERDICT_SAVED_READ_H

#include "sim/core/heap.h"
#include "sim/verdict/saved.h"

struct saved {
    struct measured is;
    struct group *groups;
    struct group_unit *units;
    struct unit_kind *kinds;
    struct link_class *links;
    const cJSON *schema;
    void **owned;
    unsigned kind_count, owned_count;
    const char *file;
    struct error *error;
};

static inline void *own(struct saved *s, void *memory)
{
    s->owned = heap_resize(s->owned, s->owned_count + 1u, sizeof *s->owned,
                           "what was saved");
    return s->owned[s->owned_count++] = memory;
}

/* At least one, all 0. */
static inline void *make(struct saved *s, int count, size_t size)
{
    return own(s, heap_new((size_t)count + 1, size, "what was saved"));
}

static inline const cJSON *member(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

static inline const cJSON *first_of(const cJSON *json, const char *name)
{
    const cJSON *list = member(json, name);
    return list ? list->child : NULL;
}

static inline const char *text_of(const cJSON *json, const char *name)
{
    return cJSON_GetStringValue(member(json, name));
}

static inline bool is_true(const cJSON *json, const char *name)
{
    return cJSON_IsTrue(member(json, name));
}

/* A number of things, or as many as a chip can have. */
static inline unsigned limited(const cJSON *number)
{
    double n = number ? number->valuedouble : 0;
    return n < INT32_MAX ? (unsigned)n : INT32_MAX;
}

static inline unsigned count_of(const cJSON *json, const char *name)
{
    return limited(member(json, name));
}

static inline bool lacks(struct saved *s, const char *where, const char *what)
{
    return error_set(s->error, "%s: %.60s: there is no '%.60s'", s->file, where,
                     what);
}

/* ---- saved_kinds.c ---- */
bool saved_read_kinds(struct saved *s);

#endif
