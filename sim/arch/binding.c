/*
 * The functions of which a script builds a chip: the Lua face of
 * sim/core/chip.h. Knows no hardware.
 */
#include "sim/arch/private.h"
#include <string.h>

#define TILE "tile"
#define UNIT "unit"

static void no_more_than(lua_State *L, const char *function, int count)
{
    if (lua_gettop(L) > count)
        luaL_error(L, "%s: %d arguments, expected at most %d", function,
                   lua_gettop(L), count);
}

/* ---- fields of the table that every function takes ---- */

static const char *text_field(lua_State *L, const char *function,
                              const char *field, bool optional)
{
    int type = lua_getfield(L, 1, field);
    if (type == LUA_TNIL && optional)
        return NULL;
    if (type != LUA_TSTRING)
        luaL_error(L, "%s: %s must be a string, not %s", function, field,
                   luaL_typename(L, -1));
    return lua_tostring(L, -1); /* the table keeps it alive */
}

static int64_t number_field(lua_State *L, const char *function,
                            const char *field, const int64_t *otherwise)
{
    int whole;
    int type = lua_getfield(L, 1, field);
    if (type == LUA_TNIL && otherwise)
        return *otherwise;
    int64_t value = lua_tointegerx(L, -1, &whole);
    if (type != LUA_TNUMBER || !whole)
        luaL_error(L, "%s: %s must be a whole number", function, field);
    return value;
}

static void *object_field(lua_State *L, const char *function, const char *field,
                          const char *type)
{
    lua_getfield(L, 1, field);
    void **object = luaL_testudata(L, -1, type);
    if (!object)
        luaL_error(L, "%s: %s must be a %s, not %s", function, field, type,
                   luaL_typename(L, -1));
    return *object;
}

static bool is_one_of(const char *key, const char *const *names)
{
    for (; *names; names++)
        if (same_name(key, *names))
            return true;
    return false;
}

static void check_fields(lua_State *L, const char *function,
                         const char *const *names)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "%s: fields have names", function);
        if (!is_one_of(lua_tostring(L, -2), names))
            luaL_error(L, "%s: unknown field '%s'", function,
                       lua_tostring(L, -2));
    }
}

static void push_object(lua_State *L, void *object, const char *type)
{
    *(void **)lua_newuserdatauv(L, sizeof object, 0) = object;
    luaL_setmetatable(L, type);
}

/* ---- names ---- */

#define NAME_LENGTH_MAX 63
/* Units and tiles, of up to 5 KB each; a chip of 4,000 cores has 5,000. */
#define UNITS_MAX 200000
/* Work of making one of them, or a link. */
#define MAKING 20

/* Names go into error lines, CSV files and --set: letters, digits, _ . - */
static const char *check_name(lua_State *L, const char *what, const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t length = name ? strlen(name) : 1;
    if (!length || length > NAME_LENGTH_MAX ||
        (name && strspn(name, allowed) != length))
        luaL_error(L, "%s: a name has 1 to %d letters, digits, '_', '.' or '-'",
                   what, NAME_LENGTH_MAX);
    return name;
}

/* Enters the name of a new unit; the registry holds all of them. */
static void take_name(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "corbel names");
    if (lua_getfield(L, -1, name) != LUA_TNIL)
        luaL_error(L, "unit: there is a unit '%s' already", name);
    lua_pushboolean(L, true);
    lua_setfield(L, -3, name);
    lua_pop(L, 2);
}

static void count_unit(lua_State *L)
{
    if (++arch_of(L)->units > UNITS_MAX)
        luaL_error(L, "the chip has more than %d units and tiles", UNITS_MAX);
    arch_work(L, MAKING);
}

/* ---- the functions ---- */

/* What a chip keeps of an option besides its texts, about. */
#define OPTION_BYTES 200

/* Leaves "=a|b|c" on the stack for {"a", "b", "c"}, which is on top of it. */
static int64_t join_choices(lua_State *L, const char *name, const char *initial)
{
    int64_t found = -1, count = luaL_len(L, -1);
    int choices = lua_gettop(L);
    lua_pushliteral(L, "=");
    for (int64_t i = 1; i <= count; i++) {
        if (i > 1)
            lua_pushliteral(L, "|");
        lua_geti(L, choices, i);
        const char *choice = check_name(L, "option", lua_tostring(L, -1));
        if (!choice)
            luaL_error(L, "option '%s': choices are names", name);
        if (!strcmp(choice, initial))
            found = i - 1;
        lua_concat(L, i > 1 ? 3 : 2);
    }
    if (found < 0)
        luaL_error(L, "option '%s': default '%s' is none of its choices", name,
                   initial);
    return found;
}

static void push_choice(lua_State *L, const struct param *row, int64_t value)
{
    char text[NAME_LENGTH_MAX + 1];
    param_text(row, &value, text, sizeof text);
    lua_pushstring(L, text);
}

/* One of several names: the script gets the name. */
static int choice_option(lua_State *L, struct param *row)
{
    static const char *const fields[] = {"name", "default", "choices", "doc",
                                         NULL};
    struct error error;
    int64_t value;
    check_fields(L, "option", fields);
    const char *initial = text_field(L, "option", "default", false);
    lua_getfield(L, 1, "choices");
    row->initial = join_choices(L, row->name, initial);
    row->greatest = luaL_len(L, -2) - 1;
    row->unit = lua_tostring(L, -1);
    arch_keep(L, strlen(row->unit));
    if (!chip_option(arch_of(L)->chip, row, &value, &error))
        return arch_raise(L, &error);
    push_choice(L, row, value);
    return 1;
}

static int number_option(lua_State *L, struct param *row)
{
    static const char *const fields[] = {"name", "default", "min",
                                         "max",  "doc",     NULL};
    static const int64_t least = 0, greatest = INT64_MAX;
    struct arch *arch = arch_of(L);
    struct error error;
    int64_t value;
    check_fields(L, "option", fields);
    row->initial = number_field(L, "option", "default", NULL);
    row->least = number_field(L, "option", "min", &least);
    row->greatest = number_field(L, "option", "max", &greatest);
    row->unit = "chip option";
    if (!chip_option(arch->chip, row, &value, &error))
        return arch_raise(L, &error);
    if (!strcmp(row->name, "clock") && value > 0)
        arch->facts->clock_mhz = value;
    lua_pushinteger(L, value);
    return 1;
}

static int option(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    struct param row = {
        .name = check_name(L, "option", text_field(L, "option", "name", false)),
        .meaning = text_field(L, "option", "doc", true),
    };
    if (!row.meaning)
        row.meaning = "";
    arch_work(L, MAKING);
    arch_keep(L, OPTION_BYTES + strlen(row.name) + strlen(row.meaning));
    return lua_getfield(L, 1, "choices") == LUA_TNIL ? number_option(L, &row)
                                                     : choice_option(L, &row);
}

static int tile(lua_State *L)
{
    const char *name = check_name(L, "tile", luaL_checkstring(L, 1));
    count_unit(L);
    push_object(L, chip_tile(arch_of(L)->chip, name), TILE);
    return 1;
}

static bool set_parameter(lua_State *L, struct unit *u, const char *name,
                          struct error *error)
{
    struct chip *chip = arch_of(L)->chip;
    switch (lua_type(L, -1)) {
    case LUA_TSTRING:
        return chip_set_text(chip, u, name, lua_tostring(L, -1), error);
    case LUA_TBOOLEAN:
        return chip_set(chip, u, name, lua_toboolean(L, -1), error);
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1) ||
            lua_tonumber(L, -1) == (lua_Number)lua_tointeger(L, -1))
            return chip_set(chip, u, name, lua_tointeger(L, -1), error);
        return error_set(error, "%s.%s: %g is no whole number", unit_name(u),
                         name, lua_tonumber(L, -1));
    default:
        return error_set(error, "%s.%s: a %s is no value", unit_name(u), name,
                         luaL_typename(L, -1));
    }
}

/* From the table at that place of the stack: unit's first or second one. */
static void set_parameters(lua_State *L, int table, struct unit *u)
{
    static const char *const fields[] = {"tile", "kind", "name", "group", NULL};
    struct error error;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING)
            luaL_error(L, "unit '%s': parameters have names", unit_name(u));
        const char *key = lua_tostring(L, -2);
        bool field = is_one_of(key, fields);
        if (field && table != 1)
            luaL_error(L, "unit '%s': %s belongs in the first table",
                       unit_name(u), key);
        if (!field && !set_parameter(L, u, key, &error))
            arch_raise(L, &error);
    }
}

/* A second table has what many units have in common; nil, perhaps a misspelt
 * name, is none. */
static int unit(lua_State *L)
{
    struct chip *chip = arch_of(L)->chip;
    struct error error;
    bool common = lua_gettop(L) > 1;
    luaL_checktype(L, 1, LUA_TTABLE);
    if (common)
        luaL_checktype(L, 2, LUA_TTABLE);
    no_more_than(L, "unit", 2);
    struct tile *place = object_field(L, "unit", "tile", TILE);
    const char *name =
        check_name(L, "unit", text_field(L, "unit", "name", false));
    const char *group =
        check_name(L, "unit", text_field(L, "unit", "group", true));
    take_name(L, name);
    count_unit(L);
    struct unit *u = chip_unit(
        chip, place, text_field(L, "unit", "kind", false), name, group, &error);
    if (!u)
        return arch_raise(L, &error);
    if (common)
        set_parameters(L, 2, u);
    set_parameters(L, 1, u);
    push_object(L, u, UNIT);
    return 1;
}

static int link(lua_State *L)
{
    static const char *const fields[] = {"from",    "out",   "to", "inp",
                                         "latency", "depth", NULL};
    static const int64_t one = 1, none = 0;
    struct error error;
    no_more_than(L, "link", 1);
    arch_work(L, MAKING);
    check_fields(L, "link", fields);
    struct unit *from = object_field(L, "link", "from", UNIT);
    struct unit *to = object_field(L, "link", "to", UNIT);
    int64_t latency = number_field(L, "link", "latency", &one);
    int64_t depth = number_field(L, "link", "depth", &none);
    return chip_link(
               arch_of(L)->chip, from, text_field(L, "link", "out", false), to,
               text_field(L, "link", "inp", false), latency, depth, &error)
               ? 0
               : arch_raise(L, &error);
}

/*
 * The link of requests from one unit to another and that of the answers, for
 * which the asker has reserved room. No table of fields: a chip has thousands
 * of such pairs.
 */
static int both(lua_State *L)
{
    struct chip *chip = arch_of(L)->chip;
    struct error error;
    struct unit *asker = *(struct unit **)luaL_checkudata(L, 1, UNIT);
    const char *request = luaL_checkstring(L, 2);
    struct unit *server = *(struct unit **)luaL_checkudata(L, 3, UNIT);
    const char *input = luaL_checkstring(L, 4);
    const char *reply = luaL_checkstring(L, 5);
    const char *answer = luaL_checkstring(L, 6);
    int64_t latency = luaL_checkinteger(L, 7);
    int64_t depth = luaL_checkinteger(L, 8);
    no_more_than(L, "both", 8);
    arch_work(L, 2 * MAKING);
    bool linked =
        chip_link(chip, asker, request, server, input, latency, depth,
                  &error) &&
        chip_link(chip, server, reply, asker, answer, latency, 0, &error);
    return linked ? 0 : arch_raise(L, &error);
}

static int name_of(lua_State *L)
{
    struct unit **u = luaL_checkudata(L, 1, UNIT);
    const char *key = luaL_checkstring(L, 2);
    if (strcmp(key, "name") && strcmp(key, "group"))
        return luaL_error(L, "a unit has the fields name and group, not '%s'",
                          key);
    lua_pushstring(L, *key == 'n' ? unit_name(*u) : unit_group(*u));
    return 1;
}

static void protect(lua_State *L)
{
    lua_pushliteral(L, "protected");
    lua_setfield(L, -2, "__metatable");
}

void arch_add_functions(lua_State *L)
{
    static const luaL_Reg functions[] = {{"option", option}, {"tile", tile},
                                         {"unit", unit},     {"link", link},
                                         {"both", both},     {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    luaL_newmetatable(L, TILE);
    protect(L);
    luaL_newmetatable(L, UNIT);
    protect(L);
    lua_pushcfunction(L, name_of);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 2);
}
