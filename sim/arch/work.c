/*
 * Functions of Lua's libraries whose time depends on their arguments: each
 * counts its work before it begins. The rest take as long as an instruction or
 * two, or make something new, which the allocator counts.
 */
#include "sim/arch/private.h"
#include <lualib.h>
#include <string.h>

/* Bytes of a string that C goes through in the time of an instruction. */
enum { BYTES = 16 };

/* Work before the arguments have been checked, which the function does. */
typedef uint64_t work_of(lua_State *L);

static uint64_t between(int64_t from, int64_t to)
{
    uint64_t count = (uint64_t)to - (uint64_t)from + 1;
    return to < from ? 0 : count ? count : UINT64_MAX;
}

static int64_t number(lua_State *L, int argument, int64_t otherwise)
{
    return lua_isnoneornil(L, argument) ? otherwise
                                        : lua_tointeger(L, argument);
}

static int64_t length(lua_State *L)
{
    return lua_istable(L, 1) ? luaL_len(L, 1) : 0;
}

static uint64_t work_of_concat(lua_State *L)
{
    return between(number(L, 3, 1), number(L, 4, length(L)));
}

static uint64_t work_of_move(lua_State *L)
{
    return between(number(L, 2, 0), number(L, 3, 0));
}

static uint64_t work_of_insert(lua_State *L)
{
    int64_t last = length(L);
    return lua_gettop(L) < 3 ? 1 : between(number(L, 2, last), last);
}

static uint64_t work_of_remove(lua_State *L)
{
    int64_t last = length(L);
    return between(number(L, 2, last), last);
}

static uint64_t few(lua_State *L, uint64_t values)
{
    if (values > ARCH_VALUES_MAX)
        luaL_error(L, "more than %d values at once", ARCH_VALUES_MAX);
    return values;
}

static uint64_t work_of_unpack(lua_State *L)
{
    return few(L, between(number(L, 2, 1), number(L, 3, length(L))));
}

static int64_t string_length(lua_State *L, int argument)
{
    return lua_type(L, argument) == LUA_TSTRING
               ? (int64_t)lua_rawlen(L, argument)
               : 0;
}

/* A place in a string, as the library understands it. */
static int64_t place(int64_t at, int64_t bytes)
{
    if (at > bytes)
        return bytes;
    if (at >= 0)
        return at;
    return at < -bytes ? 0 : bytes + at + 1;
}

static uint64_t work_of_bytes(lua_State *L)
{
    int64_t bytes = string_length(L, 1), from = number(L, 2, 1);
    int64_t first = place(from, bytes), last = place(number(L, 3, from), bytes);
    return few(L, between(first > 0 ? first : 1, last));
}

static uint64_t work_of_strings(lua_State *L)
{
    uint64_t bytes = 0;
    for (int i = 1; i <= lua_gettop(L); i++)
        bytes += (uint64_t)string_length(L, i);
    return bytes / BYTES;
}

/* Of format and binary string: results are as many as the format asks for. */
static uint64_t work_of_binary(lua_State *L)
{
    few(L, (uint64_t)string_length(L, 1));
    return work_of_strings(L);
}

/* Nothing, repeated: Lua's own goes round all the same. */
static uint64_t work_of_rep(lua_State *L)
{
    bool empty = !string_length(L, 1) && !string_length(L, 3);
    return between(1, lua_tointeger(L, 2)) / (empty ? 1 : BYTES);
}

static const struct row {
    const char *library, *name;
    work_of *work;
} rows[] = {
    {LUA_TABLIBNAME, "concat", work_of_concat},
    {LUA_TABLIBNAME, "move", work_of_move},
    {LUA_TABLIBNAME, "insert", work_of_insert},
    {LUA_TABLIBNAME, "remove", work_of_remove},
    {LUA_TABLIBNAME, "unpack", work_of_unpack},
    {LUA_STRLIBNAME, "byte", work_of_bytes},
    {LUA_STRLIBNAME, "rep", work_of_rep},
    {LUA_STRLIBNAME, "pack", work_of_strings},
    {LUA_STRLIBNAME, "packsize", work_of_strings},
    {LUA_STRLIBNAME, "unpack", work_of_binary},
    {LUA_STRLIBNAME, "format", work_of_strings},
    {LUA_UTF8LIBNAME, "codepoint", work_of_bytes},
    {LUA_UTF8LIBNAME, "len", work_of_strings},
    {LUA_UTF8LIBNAME, "offset", work_of_strings},
    {LUA_GNAME, "tonumber", work_of_strings},
};

/* The function itself runs in this call: errors then name the right line. */
static int counted(lua_State *L)
{
    const struct row *row = &rows[lua_tointeger(L, lua_upvalueindex(1))];
    arch_work(L, row->work(L));
    return lua_tocfunction(L, lua_upvalueindex(2))(L);
}

void arch_count_work(lua_State *L, const char *library)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].library, library) != 0)
            continue;
        lua_pushinteger(L, (lua_Integer)i);
        lua_getfield(L, -2, rows[i].name);
        lua_pushcclosure(L, counted, 2);
        lua_setfield(L, -2, rows[i].name);
    }
}
