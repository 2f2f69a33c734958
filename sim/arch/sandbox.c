/*
 * The sandbox: what a script finds of Lua. Nothing here depends on the host's
 * time, on random numbers or on addresses, and nothing lets a script live on
 * when its budget is spent: no pcall, no finalizers, and what it wants done
 * when a block is left (__close) is stopped at its first instruction.
 */
#include "sim/arch/private.h"
#include <lualib.h>

/*
 * Lua's own order of keys differs from run to run, and its sort chooses where
 * to divide a large table by the host's clock, so that equal elements may come
 * in any order; this one merges, and keeps them in theirs.
 */
static const char prelude[] =
    "local next, type, error, format = next, type, error, string.format\n"
    "local rawget, setmetatable, text = rawget, setmetatable, tostring\n"
    "local find, gsub, min = string.find, string.gsub, math.min\n"
    "local pack, unpack = table.pack, table.unpack\n"
    "local function less(a, b) return a < b end\n"
    "local function sort(t, before)\n"
    "  if type(t) ~= 'table' then error('sort: expected a table', 2) end\n"
    "  before = before or less\n"
    "  local from, to, n, width = {}, {}, #t, 1\n"
    "  for i = 1, n do from[i] = t[i] end\n"
    "  while width < n do\n"
    "    for first = 1, n, 2 * width do\n"
    "      local a, b = first, min(first + width, n + 1)\n"
    "      local middle, last = b, min(first + 2 * width, n + 1)\n"
    "      for i = first, last - 1 do\n"
    "        if a < middle and\n"
    "           (b >= last or not before(from[b], from[a])) then\n"
    "          to[i], a = from[a], a + 1\n"
    "        else\n"
    "          to[i], b = from[b], b + 1\n"
    "        end\n"
    "      end\n"
    "    end\n"
    "    from, to, width = to, from, 2 * width\n"
    "  end\n"
    "  for i = 1, n do t[i] = from[i] end\n"
    "end\n"
    "table.sort = sort\n"
    "local function before(a, b)\n"
    "  if type(a) == type(b) then return a < b end\n"
    "  return type(a) == 'number'\n"
    "end\n"
    "function pairs(t)\n"
    "  local keys, i = {}, 0\n"
    "  for k in next, t do\n"
    "    if type(k) ~= 'number' and type(k) ~= 'string' then\n"
    "      error('pairs: keys must be numbers or strings', 2)\n"
    "    end\n"
    "    keys[#keys + 1] = k\n"
    "  end\n"
    "  sort(keys, before)\n"
    "  return function()\n"
    "    i = i + 1\n"
    "    if keys[i] ~= nil then return keys[i], t[keys[i]] end\n"
    "  end\n"
    "end\n"
    "_G.next = nil\n"
    /* What runs when memory is collected runs uncounted, and at times of its
     * own. */
    "function _G.setmetatable(t, methods)\n"
    "  if type(methods) == 'table' and rawget(methods, '__gc') ~= nil then\n"
    "    error('setmetatable: there are no finalizers (__gc) here', 2)\n"
    "  end\n"
    "  return setmetatable(t, methods)\n"
    "end\n"
    /* Addresses differ from run to run. */
    "function tostring(v)\n"
    "  local t = type(v)\n"
    "  if t == 'table' or t == 'function' or t == 'thread' then return t end\n"
    "  return t == 'userdata' and 'unit or tile' or text(v)\n"
    "end\n"
    "function string.format(f, ...)\n"
    "  if type(f) == 'string' and\n"
    "     find(gsub(f, '%%%%', ''), '%%[^%a]*p') then\n"
    "    error('string.format: %p would differ from run to run', 2)\n"
    "  end\n"
    "  local values = pack(...)\n"
    "  for i = 1, values.n do\n"
    "    local t = type(values[i])\n"
    "    if t ~= 'number' and t ~= 'string' then\n"
    "      values[i] = tostring(values[i])\n"
    "    end\n"
    "  end\n"
    "  return format(f, unpack(values, 1, values.n))\n"
    "end\n";

/* ---- what there is of Lua ---- */

static void remove_names(lua_State *L, const char *const *names)
{
    for (; *names; names++) {
        lua_pushnil(L);
        lua_setfield(L, -2, *names);
    }
}

/* A fuzzer would spend its time on calls that do not return. */
static void leave_out_slow(lua_State *L)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    static const char *const strings[] = {"find", "match", "gmatch",
                                          "gsub", "rep",   NULL};
    static const char *const tables[] = {"concat", "insert", "move", "remove",
                                         NULL};
    lua_getglobal(L, LUA_STRLIBNAME);
    remove_names(L, strings);
    lua_getglobal(L, LUA_TABLIBNAME);
    remove_names(L, tables);
    lua_settop(L, 0);
#else
    (void)L;
#endif
}

int arch_set_up(lua_State *L)
{
    /* pcall would let a script live on after its time is over. */
    static const char *const unsafe[] = {"dofile",         "loadfile", "load",
                                         "pcall",          "xpcall",   "warn",
                                         "collectgarbage", NULL};
    static const char *const random[] = {"random", "randomseed", NULL};
    static const char *const dump[] = {"dump", NULL};
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
    remove_names(L, random);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
    remove_names(L, dump);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    luaL_requiref(L, LUA_UTF8LIBNAME, luaopen_utf8, 1);
    luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
    remove_names(L, unsafe);
    arch_add_functions(L);
    arch_add_reading(L);
    lua_settop(L, 0);
    if (luaL_loadbufferx(L, prelude, sizeof prelude - 1, "=" ARCH_PRELUDE,
                         "t") ||
        lua_pcall(L, 0, 0, 0))
        return lua_error(L);
    leave_out_slow(L);
    return 0;
}
