/*
 * string.find, match, gmatch and gsub with the matcher of pattern.c. What they
 * take and give is what the Lua 5.4 reference manual says (6.4).
 */
#include "sim/arch/pattern.h"
#include "sim/arch/private.h"
#include <ctype.h>
#include <string.h>

/* Of a step of the matcher. */
enum { STEP_WORK = 4 };

/* Bytes that memmem goes through in the time of an instruction, at worst. */
enum { PLAIN_BYTES = 2 };

static void step(void *context)
{
    arch_work(context, STEP_WORK);
}

static void fail(void *context, const char *what)
{
    luaL_error(context, "%s", what);
}

/* Of the strings at those places of the stack. */
static const char *begin(lua_State *L, struct pattern *m, int text, int pattern)
{
    size_t bytes, pattern_bytes;
    m->text = luaL_checklstring(L, text, &bytes);
    m->text_end = m->text + bytes;
    const char *p = luaL_checklstring(L, pattern, &pattern_bytes);
    m->end = p + pattern_bytes;
    m->context = L;
    m->step = step;
    m->fail = fail;
    return p;
}

/* Where a search begins, of the argument at that place; NULL: behind the end.
 */
static const char *start_of(lua_State *L, const struct pattern *m, int argument)
{
    int64_t bytes = m->text_end - m->text;
    int64_t from = luaL_optinteger(L, argument, 1);
    if (from < 0)
        from = from < -bytes ? 1 : bytes + from + 1;
    if (from > bytes + 1)
        return NULL;
    return m->text + (from > 0 ? from - 1 : 0);
}

/* The first match from *s on, which becomes its begin; NULL: there is none. */
static const char *search(struct pattern *m, const char **s, const char *p)
{
    bool anchored = p < m->end && *p == '^';
    for (;; ++*s) {
        const char *end = pattern_match(m, *s, p + anchored);
        if (end || anchored || *s >= m->text_end)
            return end;
    }
}

/* ---- captures ---- */

/* [s, end): the match, which is the first capture where there is none. */
static void push_capture(lua_State *L, const struct pattern *m, unsigned i,
                         const char *s, const char *end)
{
    const struct capture *c = &m->captures[i];
    if (i >= m->count && i > 0)
        luaL_error(L, "invalid capture index %%%d", (int)i + 1);
    if (i >= m->count)
        lua_pushlstring(L, s, (size_t)(end - s));
    else if (c->length == CAPTURE_POSITION)
        lua_pushinteger(L, c->at - m->text + 1);
    else if (c->length == CAPTURE_OPEN)
        luaL_error(L, "unfinished capture");
    else
        lua_pushlstring(L, c->at, (size_t)c->length);
}

/* All; whole: the match if there are none. Returns how many. */
static int push_captures(lua_State *L, const struct pattern *m, bool whole,
                         const char *s, const char *end)
{
    unsigned count = !m->count && whole ? 1 : m->count;
    luaL_checkstack(L, (int)count, "too many captures");
    for (unsigned i = 0; i < count; i++)
        push_capture(L, m, i, s, end);
    return (int)count;
}

/* ---- find and match ---- */

static bool is_plain(const char *p, const char *end)
{
    for (; p < end; p++)
        if (strchr("^$*+?.([%-", *p) && *p)
            return false;
    return true;
}

static int find_plain(lua_State *L, const struct pattern *m, const char *from,
                      const char *p)
{
    size_t bytes = (size_t)(m->end - p), room = (size_t)(m->text_end - from);
    arch_work(L, 1 + room / PLAIN_BYTES);
    const char *at = memmem(from, room, p, bytes);
    if (!at) {
        luaL_pushfail(L);
        return 1;
    }
    lua_pushinteger(L, at - m->text + 1);
    lua_pushinteger(L, at - m->text + (int64_t)bytes);
    return 2;
}

static int find_or_match(lua_State *L, bool find)
{
    struct pattern m;
    const char *p = begin(L, &m, 1, 2), *s = start_of(L, &m, 3);
    if (find && s && (lua_toboolean(L, 4) || is_plain(p, m.end)))
        return find_plain(L, &m, s, p);
    const char *end = s ? search(&m, &s, p) : NULL;
    if (!end) {
        luaL_pushfail(L);
        return 1;
    }
    if (!find)
        return push_captures(L, &m, true, s, end);
    lua_pushinteger(L, s - m.text + 1);
    lua_pushinteger(L, end - m.text);
    return 2 + push_captures(L, &m, false, s, end);
}

static int find(lua_State *L)
{
    return find_or_match(L, true);
}

static int match(lua_State *L)
{
    return find_or_match(L, false);
}

/* ---- gmatch ---- */

enum { TEXT = 1, PATTERN, NEXT, LAST }; /* upvalues; LAST: end of a match */

static int next_match(lua_State *L)
{
    struct pattern m;
    const char *p =
        begin(L, &m, lua_upvalueindex(TEXT), lua_upvalueindex(PATTERN));
    const char *s = m.text + lua_tointeger(L, lua_upvalueindex(NEXT));
    int64_t last = lua_tointeger(L, lua_upvalueindex(LAST));
    for (; s <= m.text_end; s++) {
        const char *end = pattern_match(&m, s, p);
        if (!end || end - m.text == last)
            continue;
        lua_pushinteger(L, end - m.text);
        lua_copy(L, -1, lua_upvalueindex(NEXT));
        lua_replace(L, lua_upvalueindex(LAST));
        return push_captures(L, &m, true, s, end);
    }
    return 0;
}

static int gmatch(lua_State *L)
{
    struct pattern m;
    begin(L, &m, 1, 2);
    const char *s = start_of(L, &m, 3);
    lua_settop(L, 2);
    lua_pushinteger(L, s ? s - m.text : m.text_end - m.text + 1);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

/* ---- gsub ---- */

enum { REPLACEMENT = 3 };

static void add_text(lua_State *L, const struct pattern *m, luaL_Buffer *b,
                     const char *s, const char *end)
{
    size_t bytes;
    const char *text = lua_tolstring(L, REPLACEMENT, &bytes);
    for (const char *p = text; p < text + bytes; p++) {
        if (*p != '%') {
            luaL_addchar(b, *p);
        } else if (*++p == '%') {
            luaL_addchar(b, '%');
        } else if (*p == '0') {
            luaL_addlstring(b, s, (size_t)(end - s));
        } else if (isdigit((unsigned char)*p)) {
            push_capture(L, m, (unsigned)(*p - '1'), s, end);
            luaL_tolstring(L, -1, NULL);
            lua_remove(L, -2);
            luaL_addvalue(b);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

/* Of the table or function. */
static void add_value(lua_State *L, const struct pattern *m, luaL_Buffer *b,
                      const char *s, const char *end)
{
    if (lua_istable(L, REPLACEMENT)) {
        push_capture(L, m, 0, s, end);
        lua_gettable(L, REPLACEMENT);
    } else {
        lua_pushvalue(L, REPLACEMENT);
        lua_call(L, push_captures(L, m, true, s, end), 1);
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, s, (size_t)(end - s));
    } else if (lua_isstring(L, -1)) {
        luaL_addvalue(b);
    } else {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
}

static void add_replacement(lua_State *L, const struct pattern *m,
                            luaL_Buffer *b, const char *s, const char *end)
{
    if (lua_type(L, REPLACEMENT) == LUA_TSTRING ||
        lua_type(L, REPLACEMENT) == LUA_TNUMBER)
        add_text(L, m, b, s, end);
    else
        add_value(L, m, b, s, end);
}

static int gsub(lua_State *L)
{
    struct pattern m;
    luaL_Buffer b;
    const char *p = begin(L, &m, 1, 2), *s = m.text, *last = NULL;
    int64_t most = luaL_optinteger(L, 4, m.text_end - m.text + 1), count = 0;
    int type = lua_type(L, REPLACEMENT);
    luaL_argexpected(L,
                     type == LUA_TNUMBER || type == LUA_TSTRING ||
                         type == LUA_TFUNCTION || type == LUA_TTABLE,
                     REPLACEMENT, "string/function/table");
    bool anchored = p < m.end && *p == '^';
    luaL_buffinit(L, &b);
    while (count < most) {
        const char *end = pattern_match(&m, s, p + anchored);
        if (end && end != last) {
            count++;
            add_replacement(L, &m, &b, s, end);
            s = last = end;
        } else if (s < m.text_end) {
            luaL_addchar(&b, *s++);
        } else {
            break;
        }
        if (anchored)
            break;
    }
    luaL_addlstring(&b, s, (size_t)(m.text_end - s));
    luaL_pushresult(&b);
    lua_pushinteger(L, count);
    return 2;
}

void arch_add_patterns(lua_State *L)
{
    static const luaL_Reg functions[] = {{"find", find},
                                         {"match", match},
                                         {"gmatch", gmatch},
                                         {"gsub", gsub},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
