/*
 * The budget of a script: memory, by the allocator; instructions, by Lua's
 * count hook; and CPU time in Lua's libraries, by a watchdog. The count is the
 * bound that scripts are held to, and is the same on every host. The watchdog
 * is for what the hook does not see, such as a pattern that goes on for hours
 * within one call: it looks ten times a second of CPU time, allows a
 * microsecond for each instruction, and if that is exceeded by arch_patience
 * has the hook stop the script at its next instruction. Where there is none by
 * the next look, as a library function does not return, the process ends.
 */
#include "sim/arch/private.h"
#include "sim/core/heap.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* Instructions between two looks at the budget, and for each look of the
 * watchdog. */
enum { STEP = 1000, LOOK = 100000, LOOK_US = 100000 };

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { WEIGHT = 100 }; /* ci/fuzz: scripts end after a few ms */
#else
enum { WEIGHT = 1 };
#endif

unsigned arch_patience = 100;

static struct arch *watched;
static struct sigaction before;
static volatile sig_atomic_t looks;

const char *arch_end_text(const struct arch *arch)
{
    if (arch->work >= ARCH_WORK_MAX)
        return "the script is stopped after 200 million instructions: does it "
               "loop?";
    if (arch->late)
        return "the script is stopped after 10 s in calls of Lua's libraries: "
               "does a pattern or a table's length make one go on without end?";
    return "the script is stopped: not enough memory, it may use 1 GiB";
}
_Static_assert(ARCH_WORK_MAX == 200000000 && ARCH_MEMORY_MAX == 1u << 30,
               "in words");

void arch_where(lua_State *L, int level, char *where, size_t size)
{
    lua_Debug d;
    for (*where = 0; L && lua_getstack(L, level, &d); level++) {
        lua_getinfo(L, "Sl", &d);
        if (d.currentline <= 0 || !strcmp(d.source, "=" ARCH_PRELUDE))
            continue;
        snprintf(where, size, "%s:%d: ", d.short_src, d.currentline);
        return;
    }
}

/* ---- instructions ---- */

static void note_where(struct arch *arch)
{
    if (!arch->stopped)
        arch_where(arch->L, 0, arch->where, sizeof arch->where);
}

static void count_step(lua_State *L, lua_Debug *where);

/* Whatever runs from now on is stopped at its first instruction. */
static void stop(lua_State *L)
{
    note_where(arch_of(L));
    arch_of(L)->stopped = true;
    lua_sethook(L, count_step, LUA_MASKCOUNT, 1);
    lua_pushnil(L);
    lua_error(L);
}

void arch_work(lua_State *L, uint64_t work)
{
    struct arch *arch = arch_of(L);
    uint64_t left = ARCH_WORK_MAX - arch->work;
    bool spent = work >= left / WEIGHT;
    arch->work += spent ? left : work * WEIGHT;
    if (spent || arch->late || arch->stopped)
        stop(L);
}

static void count_step(lua_State *L, lua_Debug *where)
{
    (void)where;
    arch_work(L, arch_of(L)->late ? 0 : STEP);
}

/* ---- the watchdog ---- */

/* Comes while a library function runs: the calls below it, which are looked
 * at, stand still. */
static _Noreturn void end_process(const struct arch *arch)
{
    char place[sizeof arch->where], text[600];
    const char *where = arch->stopped ? arch->where : place;
    arch_where(arch->L, 1, place, sizeof place);
    snprintf(text, sizeof text, "%.200s%s%s", *where ? where : arch->path,
             *where ? "" : ": ", arch_end_text(arch));
    if (!arch->facts->status)
        heap_end(text);
    heap_end_as(arch->facts->status, text);
}

/* lua_sethook is one of Lua's functions that a signal's handler may call. */
static void look(int number)
{
    struct arch *arch = watched;
    (void)number;
    if ((uint64_t)++looks <= arch_patience + arch->work / LOOK)
        return;
    if (arch->late)
        end_process(arch);
    arch->late = true;
    lua_sethook(arch->L, count_step, LUA_MASKCOUNT, 1);
}

static void set_timer(int interval)
{
    struct timeval time = {.tv_usec = interval};
    struct itimerval timer = {.it_interval = time, .it_value = time};
    setitimer(ITIMER_PROF, &timer, NULL);
}

void arch_begin(lua_State *L)
{
    struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    watched = arch_of(L);
    looks = 0;
    lua_sethook(L, count_step, LUA_MASKCOUNT, STEP);
    sigaction(SIGPROF, &action, &before);
    set_timer(LOOK_US);
}

void arch_end(void)
{
    /* A signal on its way is dropped by ignoring it: it must not come when
     * nothing handles it, as under valgrind, which delivers them late. */
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    set_timer(0);
    sigaction(SIGPROF, &ignore, NULL);
    sigaction(SIGPROF, &before, NULL);
}

/* ---- memory ---- */

/* Lua collects its garbage and tries again before it gives up. */
void *arch_allocate(void *context, void *block, size_t old, size_t size)
{
    struct arch *arch = context;
    if (!block)
        old = 0; /* what it is for */
    if (!size) {
        free(block);
        arch->memory -= old;
        return NULL;
    }
    if (size > old && size - old > ARCH_MEMORY_MAX - arch->memory) {
        note_where(arch);
        return NULL;
    }
    void *result = realloc(block, size);
    if (!result)
        heap_lacks(size, 1, arch->path);
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
