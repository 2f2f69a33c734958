/* The first signal is noted while a run attends to it, and a second one ends
 * the process, as any does before and after; SIGHUP, say, ends it by itself
 * only. */
#include "sim/host/run/signals.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* In a process of its own: the signals one after the other, attended or not.
 * Returns the one that killed it; else what was noted, negative. */
static int outcome(bool attend, const int *numbers)
{
    pid_t child = fork();
    if (!child) {
        signals_catch();
        signals_attend(attend);
        for (; *numbers; numbers++)
            raise(*numbers);
        _exit(signals_noted);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static void the_first_is_noted(void **state)
{
    assert_int_equal(outcome(true, (int[]){SIGINT, 0}), -SIGINT);
    assert_int_equal(outcome(true, (int[]){SIGTERM, 0}), -SIGTERM);
    assert_int_equal(outcome(true, (int[]){SIGHUP, 0}), -SIGHUP);
    assert_int_equal(outcome(true, (int[]){0}), 0);
}

/* As Linux's list of signals has it. */
static void so_are_all_that_would_end_the_process(void **state)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        const int both[] = {number, 0};
        switch (number) {
        case SIGCHLD: /* these end none */
        case SIGURG:
        case SIGWINCH:
        case SIGCONT:
        case SIGSTOP:
        case SIGTSTP:
        case SIGTTIN:
        case SIGTTOU:
        case SIGILL: /* nor can a run go on behind these */
        case SIGABRT:
        case SIGFPE:
        case SIGSEGV:
        case SIGBUS:
        case SIGSYS:
        case SIGTRAP:
        case SIGKILL:
        case SIGPIPE: /* sim-run ignores it, and SIGXFSZ; SIGUSR1 asks */
        case SIGXFSZ:
        case SIGUSR1:
        case 32: /* the C library's own */
        case 33:
            continue;
        default:
            assert_int_equal(outcome(true, both), -number);
            assert_int_equal(outcome(false, both), number);
        }
    }
}

static void a_second_one_ends_the_process(void **state)
{
    assert_int_equal(outcome(true, (int[]){SIGINT, SIGINT, 0}), SIGINT);
    assert_int_equal(outcome(true, (int[]){SIGHUP, SIGTERM, 0}), SIGTERM);
}

static void terminals_that_close_may_say_so_twice(void **state)
{
    assert_int_equal(outcome(true, (int[]){SIGHUP, SIGHUP, 0}), -SIGHUP);
    assert_int_equal(outcome(true, (int[]){SIGINT, SIGHUP, 0}), -SIGINT);
}

static void without_a_run_any_ends_the_process(void **state)
{
    assert_int_equal(outcome(false, (int[]){SIGINT, 0}), SIGINT);
    assert_int_equal(outcome(false, (int[]){SIGTERM, 0}), SIGTERM);
    assert_int_equal(outcome(false, (int[]){SIGHUP, 0}), SIGHUP);
}

static void what_is_ignored_stays_ignored(void **state)
{
    signal(SIGHUP, SIG_IGN);
    int ignored = outcome(true, (int[]){SIGHUP, 0});
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(ignored, 0);
}

static void an_alarm_is_noted_also_where_it_is_ignored(void **state)
{
    signal(SIGALRM, SIG_IGN);
    pid_t child = fork();
    if (!child) {
        signals_catch();
        signals_attend(true);
        signals_alarm(100);
        raise(SIGALRM);
        _exit(signals_noted);
    }
    int status;
    signal(SIGALRM, SIG_DFL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGALRM);
}

static void they_have_names(void **state)
{
    assert_string_equal(signals_name(SIGINT), "SIGINT");
    assert_string_equal(signals_name(SIGTERM), "SIGTERM");
    assert_string_equal(signals_name(SIGHUP), "SIGHUP");
    assert_int_equal(signals_status(SIGINT), 128 + SIGINT);
    assert_int_equal(signals_status(SIGTERM), 128 + SIGTERM);
    assert_int_equal(signals_status(SIGHUP), 128 + SIGHUP);
    assert_string_equal(signals_name(SIGQUIT), "SIGQUIT");
    assert_string_equal(signals_name(SIGRTMIN + 3), "SIGRTMIN+3");
    assert_int_equal(signals_status(SIGXCPU), 152);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_noted),
        cmocka_unit_test(so_are_all_that_would_end_the_process),
        cmocka_unit_test(a_second_one_ends_the_process),
        cmocka_unit_test(terminals_that_close_may_say_so_twice),
        cmocka_unit_test(without_a_run_any_ends_the_process),
        cmocka_unit_test(what_is_ignored_stays_ignored),
        cmocka_unit_test(an_alarm_is_noted_also_where_it_is_ignored),
        cmocka_unit_test(they_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
