/*
 * The sandbox: what a script finds of Lua, and its limits. Nothing here depends
 * on the host's time, on random numbers or on addresses, and nothing lets a
 * script live on when its budget is spent: no pcall, no finalizers, and what it
 * wants done when a block is left (__close) is stopped at its first
 * instruction.
 */
#include "sim/arch/private.h"
#include "sim/core/heap.h"
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

/* Instructions between two looks at the budget. Each may go through as much as
 * the longest string, so they weigh more the longer that is. */
enum { STEP = 100, STRING = 1 << 10 };
/* Bytes of a block for each instruction of work. */
enum { BLOCK_BYTES = 16, SCAN_BYTES = 16 };

#define PRELUDE "=prelude"

/* Lua's own order of keys differs from run to run. */
static const char prelude[] =
    "local next, type, sort, error = next, type, table.sort, error\n"
    "local scan, rawget, setmetatable = scan, rawget, setmetatable\n"
    "_G.scan = nil\n"
    "local function before(a, b)\n"
    "  if type(a) == type(b) then return a < b end\n"
    "  return type(a) == 'number'\n"
    "end\n"
    "function pairs(t)\n"
    "  local keys, i = {}, 0\n"
    "  scan()\n"
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
    "local text, format = tostring, string.format\n"
    "function tostring(v)\n"
    "  local t = type(v)\n"
    "  if t == 'table' or t == 'function' or t == 'thread' then return t end\n"
    "  return t == 'userdata' and 'unit or tile' or text(v)\n"
    "end\n"
    "function string.format(f, ...)\n"
    "  if f:gsub('%%%%', ''):find('%%[^%a]*p') then\n"
    "    error('string.format: %p would differ from run to run', 2)\n"
    "  end\n"
    "  local values = table.pack(...)\n"
    "  for i = 1, values.n do\n"
    "    local t = type(values[i])\n"
    "    if t ~= 'number' and t ~= 'string' then\n"
    "      values[i] = tostring(values[i])\n"
    "    end\n"
    "  end\n"
    "  return format(f, table.unpack(values, 1, values.n))\n"
    "end\n";

/* ---- the budget ---- */

static void count_step(lua_State *L, lua_Debug *where);

/* The line that runs. Raises nothing, and needs no memory. */
static void note_where(struct arch *arch)
{
    lua_Debug d;
    if (arch->stopped)
        return;
    for (int level = 0; arch->L && lua_getstack(arch->L, level, &d); level++) {
        lua_getinfo(arch->L, "Sl", &d);
        if (d.currentline <= 0 || !strcmp(d.source, PRELUDE))
            continue;
        snprintf(arch->where, sizeof arch->where, "%s:%d: ", d.short_src,
                 d.currentline);
        return;
    }
}

/* Whatever runs from now on is stopped at its first instruction. */
static void stop(lua_State *L)
{
    note_where(arch_of(L));
    arch_of(L)->stopped = true;
    lua_sethook(L, count_step, LUA_MASKCALL | LUA_MASKCOUNT, 1);
    lua_pushnil(L);
    lua_error(L);
}

void arch_work(lua_State *L, uint64_t work)
{
    struct arch *arch = arch_of(L);
    bool spent = work > ARCH_WORK_MAX / ARCH_WORK_WEIGHT ||
                 arch->work > ARCH_WORK_MAX - work * ARCH_WORK_WEIGHT;
    arch->work = spent ? ARCH_WORK_MAX : arch->work + work * ARCH_WORK_WEIGHT;
    if (spent)
        stop(L);
}

/* A call may have many arguments, and many calls be under way, and each return
 * may then copy all of it: so neither is without bound. */
static void check_call(lua_State *L, lua_Debug *call)
{
    lua_Debug outer;
    if (lua_getlocal(L, call, -ARCH_VALUES_MAX - 1))
        luaL_error(L, "a call has more than %d arguments", ARCH_VALUES_MAX);
    if (lua_getstack(L, ARCH_DEPTH_MAX, &outer))
        luaL_error(L, "more than %d calls within calls: endless recursion?",
                   ARCH_DEPTH_MAX);
}

static void count_step(lua_State *L, lua_Debug *where)
{
    if (where->event == LUA_HOOKCOUNT)
        arch_work(L, STEP * (1 + (uint64_t)arch_of(L)->longest / STRING));
    else
        check_call(L, where);
}

void arch_begin(lua_State *L)
{
    lua_sethook(L, count_step, LUA_MASKCALL | LUA_MASKCOUNT, STEP);
}

/* Before pairs goes through a table: most of it may be empty. */
static int scan(lua_State *L)
{
    arch_work(L, arch_of(L)->largest / SCAN_BYTES);
    return 0;
}

/* ---- memory ---- */

const char *arch_end_text(const struct arch *arch)
{
    if (arch->work >= ARCH_WORK_MAX)
        return "the script is stopped after the work of 200 million "
               "instructions: does it loop?";
    return "the script is stopped: not enough memory, it may use 1 GiB";
}
_Static_assert(ARCH_WORK_MAX == 200000000 && ARCH_MEMORY_MAX == 1u << 30,
               "in words");

static bool may_take(struct arch *arch, size_t bytes)
{
    uint64_t work = bytes / BLOCK_BYTES;
    bool full = bytes > ARCH_MEMORY_MAX - arch->memory;
    bool worked = !full && arch->work + work > ARCH_WORK_MAX;
    if (worked)
        arch->work = ARCH_WORK_MAX;
    if (full || worked)
        note_where(arch);
    return !full && !worked;
}

static void note_block(struct arch *arch, bool string, size_t size)
{
    size_t *most = string ? &arch->longest : &arch->largest;
    *most = size > *most ? size : *most;
}

/* Lua collects its garbage and tries again before it gives up. */
void *arch_allocate(void *context, void *block, size_t old, size_t size)
{
    struct arch *arch = context;
    bool string = !block && old == LUA_TSTRING; /* else it is a size */
    if (!block)
        old = 0;
    if (!size) {
        free(block);
        arch->memory -= old;
        return NULL;
    }
    if (size > old && !may_take(arch, size - old))
        return NULL;
    void *result = realloc(block, size);
    if (!result)
        heap_lacks(size, 1, arch->path);
    if (size > old)
        arch->work += size / BLOCK_BYTES;
    note_block(arch, string, size);
    arch->memory = arch->memory - old + size;
    return result;
}

void arch_keep(lua_State *L, size_t bytes)
{
    struct arch *arch = arch_of(L);
    if (bytes > ARCH_MEMORY_MAX - arch->memory)
        stop(L);
    arch->memory += bytes;
}

/* ---- what there is of Lua ---- */

static void remove_names(lua_State *L, const char *const *names)
{
    for (; *names; names++) {
        lua_pushnil(L);
        lua_setfield(L, -2, *names);
    }
}

static void open_library(lua_State *L, const char *name, lua_CFunction open)
{
    luaL_requiref(L, name, open, 1);
    arch_count_work(L, name);
}

int arch_set_up(lua_State *L)
{
    /* pcall would let a script live on after its time is over. */
    static const char *const unsafe[] = {"dofile",         "loadfile", "load",
                                         "pcall",          "xpcall",   "warn",
                                         "collectgarbage", NULL};
    static const char *const random[] = {"random", "randomseed", NULL};
    static const char *const dump[] = {"dump", NULL};
    open_library(L, LUA_MATHLIBNAME, luaopen_math);
    remove_names(L, random);
    open_library(L, LUA_STRLIBNAME, luaopen_string);
    remove_names(L, dump);
    arch_add_patterns(L);
    open_library(L, LUA_TABLIBNAME, luaopen_table);
    arch_add_sort(L);
    open_library(L, LUA_UTF8LIBNAME, luaopen_utf8);
    open_library(L, LUA_GNAME, luaopen_base);
    remove_names(L, unsafe);
    arch_add_functions(L);
    arch_add_reading(L);
    lua_pushcfunction(L, scan);
    lua_setfield(L, -2, "scan");
    lua_settop(L, 0);
    if (luaL_loadbufferx(L, prelude, sizeof prelude - 1, PRELUDE, "t") ||
        lua_pcall(L, 0, 0, 0))
        return lua_error(L);
    return 0;
}
