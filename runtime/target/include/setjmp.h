/* newlib's, with the mask of signals. */
#include_next <setjmp.h>
#ifndef CORBEL_SETJMP_H
#define CORBEL_SETJMP_H

#include <sys/signal.h>

#if __POSIX_VISIBLE

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    jmp_buf __registers;
    int __saved;
    sigset_t __mask;
} sigjmp_buf[1];

#define sigsetjmp(env, save)                                                   \
    ((env)->__saved = (save), sigprocmask(SIG_BLOCK, 0, &(env)->__mask),       \
     setjmp((env)->__registers))
void siglongjmp(sigjmp_buf env, int value) __attribute__((__noreturn__));

#ifdef __cplusplus
}
#endif

#endif

#endif
