/* Which signals end a run, and what a second one does. */
#include "sim/host/run/signals.h"
#include "sdk/whole/whole.h"
#include "sim/host/run/exit_status.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All that end a process which knows nothing of them, beside those that tell of
 * a fault of its own, SIGKILL, and what sim-run has another use for. */
static const struct ending {
    int number;
    bool hastens; /* a second one ends the process */
} endings[] = {
    {SIGINT, true},     {SIGTERM, true},  {SIGQUIT, true},
    {SIGHUP, false},  /* a terminal that closes may send several */
    {SIGXCPU, false}, /* comes each second beyond the limit */
    {SIGUSR2, false},   {SIGALRM, false}, {SIGVTALRM, false},
    {SIGPROF, false},   {SIGIO, false},   {SIGPWR, false},
    {SIGSTKFLT, false},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

volatile sig_atomic_t signals_noted, signals_asked;
static volatile sig_atomic_t attended;

static bool hastens(int number)
{
    for (size_t i = 0; i < ENDINGS; i++)
        if (endings[i].number == number)
            return endings[i].hastens;
    return false; /* of real time */
}

static void end_at_once(int number)
{
    whole_drop_all();
    signal(number, SIG_DFL);
    raise(number); /* comes when the handler returns */
}

static void on_signal(int number)
{
    if (attended && !signals_noted)
        signals_noted = number;
    else if (!attended || hastens(number))
        end_at_once(number);
}

static void on_question(int number)
{
    (void)number;
    signals_asked = attended;
}

static void catch_one(int number, const struct sigaction *action)
{
    struct sigaction before;
    if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
        sigaction(number, action, NULL);
}

void signals_catch(void)
{
    struct sigaction question = {.sa_handler = on_question,
                                 .sa_flags = SA_RESTART};
    sigemptyset(&question.sa_mask);
    sigaction(SIGUSR1, &question, NULL);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDINGS; i++)
        catch_one(endings[i].number, &action);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        catch_one(number, &action);
}

void signals_attend(bool attend)
{
    attended = attend;
    if (!attend)
        alarm(0);
}

void signals_note(int number)
{
    if (attended && !signals_noted)
        signals_noted = number;
}

void signals_alarm(unsigned seconds)
{
    struct sigaction action = {.sa_handler = signals_note,
                               .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
}

/* The wait is cut into pieces, as the signal may come before one begins, or to
 * another thread. */
bool signals_await(int fd, short events)
{
    enum { PIECE = 100 }; /* ms */
    struct pollfd p = {.fd = fd, .events = events};
    do {
        int ready = poll(&p, 1, PIECE);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
    } while (!signals_noted);
    return false;
}

/* Another process or a user reads what is written to it. */
static bool has_reader(int fd)
{
    struct stat s;
    return !fstat(fd, &s) && (S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode) ||
                              (S_ISCHR(s.st_mode) && isatty(fd)));
}

ssize_t signals_write(int fd, const void *bytes, size_t count)
{
    if (!has_reader(fd))
        return write(fd, bytes, count);
    while (signals_await(fd, POLLOUT)) {
        ssize_t n = write(fd, bytes, count < PIPE_BUF ? count : PIPE_BUF);
        if (n >= 0 || errno != EINTR)
            return n;
    }
    errno = EINTR;
    return -1;
}

const char *signals_name(int number)
{
    static char name[32];
    const char *known = sigabbrev_np(number);
    if (known)
        snprintf(name, sizeof name, "SIG%s", known);
    else
        snprintf(name, sizeof name, "SIGRTMIN+%d", number - SIGRTMIN);
    return name;
}

int signals_status(int number)
{
    return STATUS_SIGNAL + number;
}
