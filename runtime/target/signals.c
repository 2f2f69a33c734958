/*
 * Signals that the program sends to itself; nothing else sends any. Actions and
 * the mask are those of the process, so of all harts: a blocked signal waits
 * until a hart takes it out of the mask.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static struct sigaction actions[NSIG];
static sigset_t blocked, waiting;

static int no_signal(int number)
{
    if (number > 0 && number < NSIG)
        return 0;
    errno = EINVAL;
    return -1;
}

static sigset_t bit(int number)
{
    return (sigset_t)1 << number;
}

static int ignored(int number, const struct sigaction *action)
{
    if (action->sa_handler == SIG_IGN)
        return 1;
    return action->sa_handler == SIG_DFL &&
           (number == SIGCHLD || number == SIGURG || number == SIGWINCH ||
            number == SIGCONT);
}

static void deliver(int number)
{
    struct sigaction action = actions[number];
    sigset_t before = blocked;

    if (ignored(number, &action))
        return;
    if (action.sa_handler == SIG_DFL)
        kill(getpid(), number);
    if (action.sa_flags & SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    blocked |=
        action.sa_mask | (action.sa_flags & SA_NODEFER ? 0 : bit(number));
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_code = SI_USER};
        action.sa_sigaction(number, &info, NULL);
    } else {
        action.sa_handler(number);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

int raise(int number)
{
    if (no_signal(number))
        return -1;
    if (blocked & bit(number))
        waiting |= bit(number);
    else
        deliver(number);
    return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t never = bit(SIGKILL) | bit(SIGSTOP);

    if (old)
        *old = blocked;
    if (!set)
        return 0;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) {
        errno = EINVAL;
        return -1;
    }
    blocked = (how == SIG_BLOCK     ? blocked | *set
               : how == SIG_UNBLOCK ? blocked & ~*set
                                    : *set) &
              ~never;
    for (int i = 1; i < NSIG; i++)
        if (waiting & ~blocked & bit(i)) {
            waiting &= ~bit(i);
            deliver(i);
        }
    return 0;
}

int sigpending(sigset_t *set)
{
    *set = waiting;
    return 0;
}

int sigaction(int number, const struct sigaction *restrict action,
              struct sigaction *restrict old)
{
    if (no_signal(number))
        return -1;
    if (action && (number == SIGKILL || number == SIGSTOP)) {
        errno = EINVAL;
        return -1;
    }
    if (old)
        *old = actions[number];
    if (action)
        actions[number] = *action;
    return 0;
}

/* The handler stays, as on Linux. */
_sig_func_ptr signal(int number, _sig_func_ptr handler)
{
    struct sigaction action = {.sa_flags = SA_RESTART}, old;

    action.sa_handler = handler;
    return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

void siglongjmp(sigjmp_buf env, int value)
{
    if (env->__saved)
        sigprocmask(SIG_SETMASK, &env->__mask, NULL);
    longjmp(env->__registers, value);
}
