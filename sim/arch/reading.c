/* Reads scripts, and prints what a script tells its author. */
#include "runtime/include/corbel/hash.h"
#include "sdk/whole/reads.h"
#include "sim/arch/private.h"
#include "sim/core/heap.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SCRIPT_MAX (16 << 20)
enum { PATH_SIZE = 4096 };

/* Of which there are 1 + ARCH_INCLUDES_MAX at most. */
static char *read_script(const char *path, size_t *bytes,
                         const struct arch_facts *facts, struct error *error)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        error_set(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    reads_note_open(fileno(f), "a script of the chip");
    if (facts->note)
        facts->note(facts->context, path);
    char *text = heap_resize(NULL, SCRIPT_MAX, 1, path);
    errno = 0;
    *bytes = fread(text, 1, SCRIPT_MAX, f);
    bool good = !ferror(f) && *bytes < SCRIPT_MAX;
    if (!good)
        error_set(error, "%s: %s", path,
                  ferror(f) ? strerror(errno) : "longer than 16 MiB");
    fclose(f);
    if (good)
        return text;
    free(text);
    return NULL;
}

bool arch_read(lua_State *L, const char *path, struct error *error)
{
    char name[PATH_SIZE + 1];
    size_t bytes;
    struct arch *arch = arch_of(L);
    char *text = read_script(path, &bytes, arch->facts, error);
    if (!text)
        return false;
    arch->facts->hash = corbel_hash(text, bytes, arch->facts->hash);
    snprintf(name, sizeof name, "@%s", path);
    int failed = luaL_loadbufferx(L, text, bytes, name, "t");
    free(text);
    if (failed == LUA_ERRMEM)
        return error_set(error, "%s: %s", path, arch_end_text(arch));
    return !failed || arch_told(path, lua_tostring(L, -1), error);
}

/* Nothing but files: a script from elsewhere must not make the reader wait for
 * a pipe. */
static bool is_there(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

/*
 * A name without .lua is a preset's. A file is looked for from the folder of
 * the script that includes it, one without a folder then among the presets'
 * files.
 */
static bool find_script(const struct arch *arch, const char *name,
                        char path[PATH_SIZE])
{
    const char *presets = arch->presets;
    const char *slash = *name == '/' ? NULL : strrchr(arch->script, '/');
    size_t length = strlen(name);
    bool file = length > 4 && !strcmp(name + length - 4, ".lua");
    int bytes = snprintf(path, PATH_SIZE, "%.*s%s",
                         slash ? (int)(slash + 1 - arch->script) : 0,
                         arch->script, name);
    if (file && bytes < PATH_SIZE && is_there(path))
        return true;
    if (strchr(name, '/') || !presets)
        return false;
    bytes =
        snprintf(path, PATH_SIZE, "%s/%s%s", presets, name, file ? "" : ".lua");
    return bytes < PATH_SIZE && is_there(path);
}

static int no_script(lua_State *L, const char *name)
{
    char shown[100];
    snprintf(shown, sizeof shown, "%s", name);
    return luaL_error(L,
                      "include: there is no '%s'%s, neither as a file from "
                      "this one's folder nor among the presets",
                      shown, strlen(name) < sizeof shown ? "" : "...");
}

/* Another script: what several chips have in common, or a chip that this one
 * begins with. */
static int include(lua_State *L)
{
    char path[PATH_SIZE];
    struct arch *arch = arch_of(L);
    struct error error;
    const char *name = luaL_checkstring(L, 1);
    if (++arch->includes > ARCH_INCLUDES_MAX)
        return luaL_error(L,
                          "include: more than %d, do they include each "
                          "other?",
                          ARCH_INCLUDES_MAX);
    if (!find_script(arch, name, path))
        return no_script(L, name);
    if (!arch_read(L, path, &error))
        return arch_raise(L, &error);
    const char *includer = arch->script;
    arch->script = path;
    lua_call(L, 0, 0);
    arch->script = includer;
    return 0;
}

/* For debugging scripts: a line to stderr, as stdout is the program's. */
static int print(lua_State *L)
{
    enum { WORK = 1000 }; /* so that lines are bounded, too */
    int count = lua_gettop(L);
    arch_work(L, (1 + (int64_t)count) * WORK);
    for (int i = 1; i <= count; i++) {
        char line[CORBEL_LINE_SIZE];
        bool plain =
            lua_isstring(L, i) || lua_isnoneornil(L, i) || lua_isboolean(L, i);
        corbel_line(line, sizeof line,
                    plain ? luaL_tolstring(L, i, NULL)
                          : lua_pushstring(L, luaL_typename(L, i)));
        fprintf(stderr, "%s%s", i > 1 ? "\t" : "", line);
        lua_pop(L, 1);
    }
    fputc('\n', stderr);
    return 0;
}

void arch_add_reading(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"include", include}, {"print", print}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
