/*
 * table.sort, as a heap sort: it ends whatever the order is, and compares the
 * same elements every time. (Lua's own chooses where to divide a large table by
 * the host's clock, so elements that are equal may come in any order.)
 */
#include "sim/arch/private.h"
#include <limits.h>

enum { TABLE = 1, ORDER = 2 };
/* Work of one, with moving an element. */
enum { COMPARISON = 16 };

/* Is the element at the one place of the stack before that at the other? */
static bool before(lua_State *L, int a, int b)
{
    arch_work(L, COMPARISON);
    if (lua_isnil(L, ORDER))
        return lua_compare(L, a, b, LUA_OPLT);
    lua_pushvalue(L, ORDER);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    bool result = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return result;
}

/* Pushes the greater child of a place, which has one; returns where it is. */
static int64_t push_greater_child(lua_State *L, int64_t at, int64_t count)
{
    int64_t child = 2 * at;
    lua_geti(L, TABLE, child);
    if (child == count)
        return child;
    lua_geti(L, TABLE, child + 1);
    int left = lua_gettop(L) - 1;
    if (!before(L, left, left + 1)) {
        lua_pop(L, 1);
        return child;
    }
    lua_remove(L, left);
    return child + 1;
}

/* The element on top of the stack goes into the heap of `count` from a place
 * on, below all that are greater. */
static void sift(lua_State *L, int64_t at, int64_t count)
{
    int element = lua_gettop(L);
    while (2 * at <= count) {
        int64_t child = push_greater_child(L, at, count);
        if (!before(L, element, element + 1)) {
            lua_pop(L, 1);
            break;
        }
        lua_seti(L, TABLE, at);
        at = child;
    }
    lua_seti(L, TABLE, at);
}

static int sort(lua_State *L)
{
    luaL_checktype(L, TABLE, LUA_TTABLE);
    if (!lua_isnoneornil(L, ORDER))
        luaL_checktype(L, ORDER, LUA_TFUNCTION);
    lua_settop(L, ORDER);
    int64_t count = luaL_len(L, TABLE);
    luaL_argcheck(L, count < INT_MAX, TABLE, "array too big");
    for (int64_t at = count / 2; at > 0; at--) {
        lua_geti(L, TABLE, at);
        sift(L, at, count);
    }
    for (int64_t last = count; last > 1; last--) {
        lua_geti(L, TABLE, last);
        lua_geti(L, TABLE, 1);
        lua_seti(L, TABLE, last);
        sift(L, 1, last - 1);
    }
    return 0;
}

void arch_add_sort(lua_State *L)
{
    lua_pushcfunction(L, sort);
    lua_setfield(L, -2, "sort");
}
