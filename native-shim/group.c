/*
 * Groups natively. With a thread for each member (CORBEL_THREADS) every member
 * is a thread, which a debugger and ThreadSanitizer see as such; else a thread
 * runs whole groups, whose members take turns on stacks of their own.
 *
 * Turns are begun by makecontext and taken by _setjmp and _longjmp, which make
 * no system calls. Sanitizers are told of stacks instead, by swapcontext and
 * what each of them has for it.
 */
#undef _FORTIFY_SOURCE /* it refuses to jump to another stack */
#include "runtime/common/group.h"
#include "native-shim/native.h"

#include <corbel/corbel.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#if defined __has_feature
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined __SANITIZE_THREAD__ || HAS_FEATURE(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define WITH_TSAN 1
#endif
#if defined __SANITIZE_ADDRESS__ || HAS_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define WITH_ASAN 1
#endif

enum { STACK = 64 << 10, MEMORY_MOST = 1 << 30 };

/* Barriers are short: one lock for all. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t passed = PTHREAD_COND_INITIALIZER;

unsigned group_machine_harts(void)
{
    return corbel_harts();
}

unsigned group_machine_team(unsigned size)
{
    return size <= corbel_harts() ? size : 1;
}

unsigned group_machine_step(unsigned harts)
{
    return harts;
}

unsigned group_machine_teams(unsigned harts, size_t memory)
{
    return corbel_harts() / harts;
}

void group_machine_window(void *start, size_t bytes, unsigned count)
{
}

void group_machine_seats(unsigned harts, unsigned teams)
{
}

size_t group_machine_memory(void)
{
    return (size_t)native_number("CORBEL_GROUP_MEMORY", CORBEL_GROUP_MEMORY, 0,
                                 MEMORY_MOST);
}

bool group_machine_stacks_alike(void)
{
    return false;
}

bool group_machine_in_kernel(void)
{
    return native_in_kernel();
}

bool group_machine_wait(struct group_barrier *b, unsigned first, unsigned harts,
                        enum group_stop stop)
{
    pthread_mutex_lock(&lock);
    bool agreed = !b->arrived[!stop];
    uint32_t round = b->passed;
    if (agreed && ++b->arrived[stop] == harts) {
        b->arrived[stop] = 0;
        b->passed++;
        pthread_cond_broadcast(&passed);
    }
    while (agreed && b->passed == round)
        pthread_cond_wait(&passed, &lock);
    pthread_mutex_unlock(&lock);
    return agreed;
}

/* ---- contexts ---- */

struct group_context {
    ucontext_t place; /* where it begins; with a sanitizer, goes on */
    jmp_buf at;       /* where it goes on, if it has begun */
    bool begun;
    void *stack, *fake, *fiber; /* for sanitizers */
    size_t bytes;
};

size_t group_context_bytes(void)
{
    return sizeof(struct group_context);
}

size_t group_stack_bytes(void)
{
    return STACK;
}

#if defined WITH_TSAN || defined WITH_ASAN

static _Thread_local struct group_context *home, *begins;
static _Thread_local void (*first_call)(void);

void group_context_home(struct group_context *c)
{
    home = c;
#ifdef WITH_TSAN
    c->fiber = __tsan_get_current_fiber();
#endif
}

/* A context is only entered from the one at home, whose stack is told so. */
static void arrived(struct group_context *c)
{
#ifdef WITH_ASAN
    const void *stack;
    size_t bytes;
    __sanitizer_finish_switch_fiber(c->fake, &stack, &bytes);
    if (c != home) {
        home->stack = (void *)stack;
        home->bytes = bytes;
    }
#endif
}

static void enter(void)
{
    arrived(begins);
    first_call();
}

void group_context_start(struct group_context *c, void *stack, size_t bytes,
                         void (*entry)(void))
{
    *c = (struct group_context){.stack = stack, .bytes = bytes};
    getcontext(&c->place);
    c->place.uc_stack.ss_sp = stack;
    c->place.uc_stack.ss_size = bytes;
    makecontext(&c->place, enter, 0);
    first_call = entry;
#ifdef WITH_TSAN
    c->fiber = __tsan_create_fiber(0);
#endif
}

void group_context_end(struct group_context *c)
{
#ifdef WITH_TSAN
    __tsan_destroy_fiber(c->fiber);
#endif
}

void group_context_switch(struct group_context *from, struct group_context *to)
{
    begins = to;
#ifdef WITH_TSAN
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(&from->fake, to->stack, to->bytes);
#endif
    swapcontext(&from->place, &to->place);
    arrived(from);
}

#else

void group_context_home(struct group_context *c)
{
}

void group_context_start(struct group_context *c, void *stack, size_t bytes,
                         void (*entry)(void))
{
    c->begun = false;
    getcontext(&c->place);
    c->place.uc_stack.ss_sp = stack;
    c->place.uc_stack.ss_size = bytes;
    makecontext(&c->place, entry, 0);
}

void group_context_end(struct group_context *c)
{
}

/* No variable is used behind a jump. */
void group_context_switch(struct group_context *from, struct group_context *to)
{
    from->begun = true;
    if (_setjmp(from->at))
        return;
    if (to->begun)
        _longjmp(to->at, 1);
    setcontext(&to->place);
}

#endif

/* ---- the end ---- */

void group_machine_last(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;

    while (atomic_flag_test_and_set(&ending))
        pause();
}

void group_machine_end(const char *line)
{
    native_say("%s", line);
    exit(1);
}
