/*
 * Locks among harts: the first to come is the first to get it, however many
 * harts wait, because every hart gets on with one atomic addition; a loop of
 * lr and sc may starve. Who waits asks the less often the more harts are ahead.
 *
 * Taking a lock drops the L1's copies, giving it back makes stores visible: an
 * acquire and a release of the memory model (docs/reference/isa.md).
 */
#include <corbel/corbel.h>

#include "runtime/target/gthr.h"
#include "runtime/target/target.h"

volatile int corbel_kernel_running;

unsigned corbel_look(unsigned *word)
{
    return __atomic_fetch_add(word, 0, __ATOMIC_RELAXED);
}

void corbel_pause(unsigned rounds)
{
    enum { ROUND = 16 };

    for (unsigned i = 0; i < rounds * ROUND; i++)
        __asm__ volatile("");
}

int __gthread_mutex_lock(__gthread_mutex_t *mutex)
{
    unsigned ticket = __atomic_fetch_add(&mutex->next, 1, __ATOMIC_RELAXED);

    for (unsigned ahead; (ahead = ticket - corbel_look(&mutex->serving));)
        corbel_pause(ahead);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return 0;
}

int __gthread_mutex_trylock(__gthread_mutex_t *mutex)
{
    unsigned ticket = corbel_look(&mutex->serving);

    return __atomic_compare_exchange_n(&mutex->next, &ticket, ticket + 1, 0,
                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
               ? 0
               : EBUSY;
}

int __gthread_mutex_unlock(__gthread_mutex_t *mutex)
{
    __atomic_fetch_add(&mutex->serving, 1, __ATOMIC_RELEASE);
    return 0;
}

/* A hart knows what it wrote itself, and others never write its number. */
static int enter_again(__gthread_recursive_mutex_t *mutex)
{
    if (mutex->owner != __gthread_self())
        return 0;
    mutex->depth++;
    return 1;
}

static int enter_first(__gthread_recursive_mutex_t *mutex, int why)
{
    if (!why)
        mutex->owner = __gthread_self();
    return why;
}

int __gthread_recursive_mutex_lock(__gthread_recursive_mutex_t *mutex)
{
    return enter_again(mutex)
               ? 0
               : enter_first(mutex, __gthread_mutex_lock(&mutex->mutex));
}

int __gthread_recursive_mutex_trylock(__gthread_recursive_mutex_t *mutex)
{
    return enter_again(mutex)
               ? 0
               : enter_first(mutex, __gthread_mutex_trylock(&mutex->mutex));
}

int __gthread_recursive_mutex_unlock(__gthread_recursive_mutex_t *mutex)
{
    if (mutex->depth > 0) {
        mutex->depth--;
        return 0;
    }
    mutex->owner = 0;
    return __gthread_mutex_unlock(&mutex->mutex);
}

__gthread_t __gthread_self(void)
{
    return corbel_hart() + 1;
}
