/*
 * Runs a script in a Lua state of its own: what it finds there is in sandbox.c,
 * what builds the chip in binding.c, its budget in budget.c.
 */
#include "sim/arch/private.h"
#include "sim/core/heap.h"
#include <string.h>

int arch_raise(lua_State *L, const struct error *error)
{
    if (!strncmp(error->text, "--", 2)) {
        lua_pushstring(L, error->text);
        return lua_error(L);
    }
    return luaL_error(L, "%s", error->text);
}

/* Lua has no room for a message of its own where memory is short. */
static bool over_budget(const struct arch *arch, struct error *error)
{
    const char *where = *arch->where ? arch->where : arch->path;
    return error_set(error, "%s%s%s", where, *arch->where ? "" : ": ",
                     arch_end_text(arch));
}

bool arch_told(const char *script, const char *message, struct error *error)
{
    if (!message)
        return error_set(error, "%s: the script raised no message", script);
    bool placed = strchr(message, ':') || !strncmp(message, "--", 2);
    return placed ? error_set(error, "%s", message)
                  : error_set(error, "%s: %s", script, message);
}

static bool failed(lua_State *L, int status, struct error *error)
{
    if (status == LUA_ERRMEM || arch_of(L)->stopped)
        return over_budget(arch_of(L), error);
    return arch_told(arch_of(L)->path, lua_tostring(L, -1), error);
}

/*
 * Handles errors' messages: those that the prelude's functions raise name a
 * line of the prelude, in the place of which comes the script's.
 */
static int place_error(lua_State *L)
{
    static const char begin[] = ARCH_PRELUDE ":";
    char where[200];
    const char *text = lua_tostring(L, 1);
    if (!text || strncmp(text, begin, sizeof begin - 1) != 0)
        return 1;
    text += strcspn(text, " ");
    arch_where(L, 1, where, sizeof where);
    lua_pushfstring(L, "%s%s", where, text + (*text == ' '));
    return 1;
}

static bool run_script(lua_State *L, const char *path, struct error *error)
{
    lua_pushcfunction(L, arch_set_up);
    int status = lua_pcall(L, 0, 0, 0);
    if (status)
        return failed(L, status, error);
    lua_pushcfunction(L, place_error);
    if (!arch_read(L, path, error))
        return false;
    arch_begin(L);
    status = lua_pcall(L, 0, 0, -2);
    arch_end();
    return !status || failed(L, status, error);
}

bool arch_load(struct chip *chip, const char *path, const char *presets,
               struct arch_facts *facts, struct error *error)
{
    struct arch arch = {.path = path,
                        .script = path,
                        .presets = presets,
                        .chip = chip,
                        .facts = facts};
    *facts = (struct arch_facts){.note = facts->note,
                                 .context = facts->context,
                                 .status = facts->status,
                                 .clock_mhz = 1000};
    lua_State *L = lua_newstate(arch_allocate, &arch);
    if (!L)
        heap_lacks(1, sizeof arch, path);
    *(struct arch **)lua_getextraspace(L) = &arch;
    arch.L = L;
    bool good = run_script(L, path, error);
    lua_close(L);
    return good;
}
