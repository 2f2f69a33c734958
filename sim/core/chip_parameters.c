/*
 * Settings by name: what --set says of units and of the chip's options. They
 * are remembered before there are any units, and applied when all are there;
 * one that fits nothing is an error that says what was meant, maybe.
 */
#include "sdk/whole/meant.h"
#include "sim/core/chip_private.h"
#include "sim/core/heap.h"
#include <stdlib.h>
#include <string.h>

bool chip_override(struct chip *chip, const char *setting, struct error *error)
{
    return chip_override_from(chip, setting, "--set ", error);
}

bool chip_override_from(struct chip *chip, const char *setting,
                        const char *place, struct error *error)
{
    const char *equals = strchr(setting, '=');
    const char *dot = NULL;
    for (const char *p = setting; equals && p < equals; p++)
        if (*p == '.')
            dot = p;
    if (!equals || !dot || dot == setting || dot + 1 == equals)
        return error_set(error, "%s%s: expected PATH.PARAMETER=VALUE", place,
                         setting);
    chip->overrides = array_grow(chip->overrides, chip->override_count,
                                 sizeof *chip->overrides);
    struct override *o = &chip->overrides[chip->override_count++];
    *o = (struct override){
        .place = place,
        .path = heap_text_part(setting, (size_t)(dot - setting)),
        .param = heap_text_part(dot + 1, (size_t)(equals - dot - 1)),
        .text = heap_text(equals + 1),
    };
    return true;
}

bool chip_option(struct chip *chip, const struct param *row, int64_t *value,
                 struct error *error)
{
    if (!param_set(row, value, row->initial, error))
        return false;
    for (unsigned i = 0; i < chip->override_count; i++) {
        struct override *o = &chip->overrides[i];
        if (strcmp(o->path, "chip") || strcmp(o->param, row->name))
            continue;
        o->used = true;
        struct error e;
        if (!param_set_text(row, value, o->text, &e))
            return error_set(error, "%schip.%s", o->place, e.text);
    }
    chip->options =
        array_grow(chip->options, chip->option_count, sizeof *chip->options);
    struct option *option = &chip->options[chip->option_count++];
    *option = (struct option){*row, *value};
    option->row.name = heap_text(row->name);
    option->row.unit = heap_text(row->unit);
    option->row.meaning = heap_text(row->meaning);
    return true;
}

static bool names_unit(const struct override *o, const struct unit *u)
{
    return !strcmp(o->path, u->name) || !strcmp(o->path, u->group) ||
           !strcmp(o->path, u->kind->name);
}

static bool apply_override(struct chip *chip, struct override *o,
                           struct error *error)
{
    for (unsigned i = 0; i < chip->unit_count; i++) {
        struct unit *u = chip->units[i];
        if (!names_unit(o, u))
            continue;
        o->known_path = true;
        const struct param *p =
            param_find(u->kind->param_rows, u->kind->param_count, o->param);
        if (!p)
            continue;
        o->used = true;
        struct error e;
        if (!param_set_text(p, unit_params(u), o->text, &e))
            return error_set(error, "%s%s.%s", o->place, o->path, e.text);
    }
    return true;
}

bool chip_unknown_param(const struct unit_kind *kind, const char *where,
                        const char *param, struct error *error)
{
    const char *names[256];
    for (unsigned i = 0; i < kind->param_count; i++)
        names[i] = kind->param_rows[i].name;
    return error_set(error, "%s (%s) has no parameter '%s'%s", where,
                     kind->name, param,
                     meant("", param, names, kind->param_count).text);
}

static bool unknown_option(const struct chip *chip, const char *place,
                           const char *name, struct error *error)
{
    const char *names[256];
    unsigned count = chip->option_count < 256 ? chip->option_count : 256;
    for (unsigned i = 0; i < count; i++)
        names[i] = chip->options[i].row.name;
    return error_set(error, "%schip.%s: the chip has no option '%s'%s", place,
                     name, name, meant("", name, names, count).text);
}

static bool unknown_path(const struct chip *chip, const struct override *o,
                         struct error *error)
{
    const char **names =
        heap_new(3 * (size_t)chip->unit_count, sizeof *names, "names");
    unsigned count = 0;
    for (unsigned i = 0; i < chip->unit_count; i++) {
        names[count++] = chip->units[i]->group;
        names[count++] = chip->units[i]->kind->name;
        names[count++] = chip->units[i]->name;
    }
    error_set(error, "%s%s.%s: no unit, group or kind is called '%s'%s",
              o->place, o->path, o->param, o->path,
              meant("", o->path, names, count).text);
    free(names);
    return false;
}

static bool report_unused(const struct chip *chip, const struct override *o,
                          struct error *error)
{
    if (!strcmp(o->path, "chip"))
        return unknown_option(chip, o->place, o->param, error);
    for (unsigned i = 0; o->known_path && i < chip->unit_count; i++)
        if (names_unit(o, chip->units[i])) {
            struct error where;
            error_set(&where, "%s%s.%s: %s", o->place, o->path, o->param,
                      o->path);
            return chip_unknown_param(chip->units[i]->kind, where.text,
                                      o->param, error);
        }
    return unknown_path(chip, o, error);
}

bool chip_apply_overrides(struct chip *chip, struct error *error)
{
    for (unsigned i = 0; i < chip->override_count; i++) {
        struct override *o = &chip->overrides[i];
        if (!o->used && !apply_override(chip, o, error))
            return false;
        if (!o->used)
            return report_unused(chip, o, error);
    }
    return true;
}
