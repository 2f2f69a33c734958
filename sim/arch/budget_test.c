/* A script whose call of Lua's libraries does not return, or whose calls take
 * long in all, ends in one line with its place and the caller's status. */
#include "sim/arch/private.h"
#include "sim/core/heap.h"
#include "sim/units/common/machine.h"
#include "sim/units/units.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { STATUS = 97, PATIENCE = 2 };

static void run_script(const char *path)
{
    static struct machine machine;
    struct arch_facts facts = {.status = STATUS};
    struct error error;
    struct chip *chip = chip_new(unit_kinds, &machine);
    heap_program("test", 1);
    arch_patience = PATIENCE;
    if (arch_load(chip, path, NULL, &facts, &error))
        _exit(0);
    heap_end_as(STATUS, error.text);
}

/* What a process says that runs the script; its status. */
static int said_by(const char *script, char *said, size_t size)
{
    char path[] = "/tmp/corbel-budget-XXXXXX";
    int file = mkstemp(path), status, out[2];
    assert_int_equal(write(file, script, strlen(script)), strlen(script));
    close(file);
    assert_int_equal(pipe(out), 0);
    pid_t child = fork();
    if (!child) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = 20, .rlim_max = 20});
        dup2(out[1], STDERR_FILENO);
        run_script(path);
    }
    close(out[1]);
    ssize_t bytes = read(out[0], said, size - 1);
    said[bytes > 0 ? bytes : 0] = 0;
    close(out[0]);
    waitpid(child, &status, 0);
    unlink(path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void is_stopped(const char *script, const char *line)
{
    char said[1000], place[40];
    int status = said_by(script, said, sizeof said);
    const char *end = strchr(said, '\n');
    snprintf(place, sizeof place, ":%s: the script is stopped after 10 s",
             line);
    if (status != STATUS || !end || end[1] || !strstr(said, place))
        fail_msg("%s: status %d, '%s'; expected line %s", script, status, said,
                 line);
}

static void calls_that_do_not_return_end_the_process(void **state)
{
    is_stopped("\nlocal s = ('a'):rep(1e5)\ns:find('.-.-.-.-.-b')", "3");
    is_stopped("local s = ('a'):rep(60)\n"
               "local function f() return s:gsub(('a?'):rep(60) .. s .. 'b', "
               "'') end\nlocal t = f()",
               "2");
    is_stopped("local t = setmetatable({}, {__index = rawlen,\n"
               "  __len = function() return 1 << 60 end})\ntable.remove(t, 1)",
               "3");
    is_stopped("local t = string.rep('', 1e18)", "1");
    is_stopped("table.sort({2, 1}, function(a, b)\n"
               "return string.rep('', 1e18) end)",
               "2");
}

static void calls_that_take_long_in_all_are_stopped(void **state)
{
    is_stopped("local a = {}\nfor i = 1, 1e6 do a[i] = i end\nwhile true do\n"
               "table.insert(a, 1, 0) table.remove(a, 1) end",
               "4");
    is_stopped("local a, b = ('x'):rep(1e7) .. 'a', ('x'):rep(1e7) .. 'b'\n"
               "while true do if a < b then b = b end end",
               "2");
    is_stopped("local t = {} for i = 1, 1e5 do t['k' .. i] = i end\n"
               "for i = 1, 1e5 do t['k' .. i] = nil end\n"
               "while true do for k in pairs(t) do end end",
               "3");
}

static void what_runs_after_the_end_is_stopped(void **state)
{
    is_stopped("local a <close> = setmetatable({}, {__close = function()\n"
               "string.rep('', 1e18) end})\n"
               "string.rep('', 1e18)",
               "3");
}

static void instructions_have_time_enough(void **state)
{
    char said[1000];
    assert_int_equal(said_by("local n = 0 for i = 1, 4e7 do n = n + i end",
                             said, sizeof said),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_do_not_return_end_the_process),
        cmocka_unit_test(calls_that_take_long_in_all_are_stopped),
        cmocka_unit_test(what_runs_after_the_end_is_stopped),
        cmocka_unit_test(instructions_have_time_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
