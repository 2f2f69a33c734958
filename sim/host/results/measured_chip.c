/* Writes down what verdicts have to know of a chip's units. */
#include "sim/host/results/measured_chip.h"
#include "sim/core/heap.h"
#include "sim/core/memory_role.h"
#include "sim/core/unit.h"
#include "sim/dram/mapping.h"
#include "sim/host/observe/link_totals.h"
#include <stdlib.h>

static const char what[] = "what is known of groups";

/* The first of a group, for all: units of a group have the same parameters. */
static const struct unit *unit_of(const struct chip *chip,
                                  const struct totals *t, unsigned group)
{
    unsigned i = 0;
    while (t->group_of[i] != group)
        i++;
    return chip_unit_at(chip, i);
}

/* Does the unit belong to a TM? With twice the TMs there is twice of it. */
static bool beside_cores(const struct chip *chip, const struct unit *u)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct unit *core = chip_unit_at(chip, i);
        if (core->kind->core && core->tile == u->tile)
            return true;
    }
    return false;
}

static struct way way_of(const struct totals *t, const struct unit *u)
{
    struct way way = {.end = NOWHERE};
    unsigned level = 0;
    for (unsigned i = 0; i <= TRIP_THIRD; i++)
        way.cache[i] = NOWHERE;
    for (unsigned s = 0; s < 2 * MEMORY_LEVELS_MAX && memory_links(u); s++) {
        u = memory_link(u, 0);
        if (memory_holds(u) != MEMORY_NOTHING && level < TRIP_THIRD)
            way.cache[++level] = t->group_of[u->id];
        else if (memory_ends(u))
            way.end = t->group_of[u->id];
    }
    return way;
}

/* ---- parameters ---- */

/* The number of a choice of "16|32|64"; of other choices 0, 1, ... */
static int64_t number_of(const char *choices, int64_t index)
{
    const char *at = choices;
    for (int64_t i = 0; i < index && at; i++)
        at = (at = strchr(at, '|')) ? at + 1 : NULL;
    int64_t number = at ? strtoll(at, NULL, 10) : 0;
    return number ? number : index;
}

static struct group_param param_of(const struct param *p, const void *values)
{
    int64_t value = *(const int64_t *)((const char *)values + p->offset);
    bool choice = p->unit[0] == '=';
    return (struct group_param){
        .name = p->name,
        .value = choice ? number_of(p->unit + 1, value) : value,
        .least = p->least,
        .greatest = choice ? number_of(p->unit + 1, p->greatest) : p->greatest};
}

/* NULL: it has none, or none for twice its channels. */
static const char *widened(const char *mapping)
{
    char text[2 * PARAM_TEXT_MAX];
    return dram_mapping_of_channels(mapping, text, sizeof text)
               ? heap_text(text)
               : NULL;
}

static void add_params(struct group_unit *g, const struct unit *u)
{
    const struct unit_kind *kind = u->kind;
    const char *values = (const char *)u + kind->params;
    struct group_param *params =
        heap_new(kind->param_count + 1u, sizeof *params, what);
    for (unsigned i = 0; i < kind->param_count; i++) {
        const struct param *p = &kind->param_rows[i];
        if (!p->text)
            params[g->param_count++] = param_of(p, values);
        else if (!strcmp(p->name, "mapping"))
            g->widened = widened(values + p->offset);
    }
    g->params = params;
}

/* ---- links ---- */

/* Adds the group of what is at the other end, once. */
static void add_lead(struct group_unit *g, unsigned *list, unsigned group)
{
    for (unsigned i = 0; i < g->leads; i++)
        if (list[i] == group)
            return;
    list[g->leads++] = group;
}

static void add_links(struct group_unit *g, const struct totals *t,
                      const struct unit *u)
{
    unsigned rows = u->kind->port_count;
    unsigned *links = heap_new(rows + 1u, sizeof *links, what);
    unsigned *leads = heap_new(t->group_count, sizeof *leads, what);
    for (unsigned row = 0; row < rows; row++) {
        links[row] = u->links[row];
        for (unsigned i = 0;
             u->kind->port_rows[row].output && i < u->links[row]; i++)
            add_lead(g, leads, t->group_of[link_target(&u->out[row][i])->id]);
    }
    g->links = links;
    g->leads_to = leads;
}

/* ---- all ---- */

static struct group_unit describe(const struct chip *chip,
                                  const struct totals *t, unsigned group)
{
    const struct unit *u = unit_of(chip, t, group);
    const struct memory_role *memory = u->kind->memory;
    struct group_unit g = {.of_cores = beside_cores(chip, u),
                           .ends = memory_ends(u),
                           .onwards = memory_links(u),
                           .way = way_of(t, u)};
    if (memory && memory->next != MEMORY_END)
        g.onward = u->kind->port_rows[memory->next].name;
    add_params(&g, u);
    add_links(&g, t, u);
    return g;
}

struct measured *measured_new(const struct chip *chip, const struct totals *t)
{
    unsigned classes = links_classes(t->links);
    struct measured *m = heap_new(1, sizeof *m, what);
    struct group_unit *units =
        heap_new(t->group_count + 1u, sizeof *units, what);
    struct link_class *links = heap_new(classes + 1u, sizeof *links, what);
    for (unsigned i = 0; i < t->group_count; i++)
        units[i] = describe(chip, t, i);
    for (unsigned i = 0; i < classes; i++)
        links[i] = *links_class(t->links, i);
    *m = (struct measured){.groups = t->groups,
                           .units = units,
                           .group_count = t->group_count,
                           .value_count = t->value_count,
                           .links = links,
                           .link_count = classes,
                           .watched = links_watched(t->links)};
    return m;
}

void measured_free(struct measured *m)
{
    for (unsigned i = 0; m && i < m->group_count; i++) {
        free((void *)m->units[i].params);
        free((void *)m->units[i].links);
        free((void *)m->units[i].leads_to);
        free((void *)m->units[i].widened);
    }
    if (m) {
        free((void *)m->units);
        free((void *)m->links);
    }
    free(m);
}
