/* newlib's, with Linux's struct sigaction. */
#define sigaction __newlib_sigaction
#include_next <sys/signal.h>
#undef sigaction
#ifndef CORBEL_SYS_SIGNAL_H
#define CORBEL_SYS_SIGNAL_H

#if __POSIX_VISIBLE >= 199309

#ifdef __cplusplus
extern "C" {
#endif

#undef SA_NOCLDSTOP
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND ((int)0x80000000)

struct sigaction {
    union {
        void (*__handler)(int);
        void (*__action)(int, siginfo_t *, void *);
    } __call;
    sigset_t sa_mask;
    int sa_flags;
};
#define sa_handler __call.__handler
#define sa_sigaction __call.__action

int sigaction(int, const struct sigaction *__restrict,
              struct sigaction *__restrict);

#ifdef __cplusplus
}
#endif

#endif

#endif
