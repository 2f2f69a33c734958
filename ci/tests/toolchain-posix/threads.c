/* <threads.h> by all harts. */
#include <corbel/corbel.h>
#include <stdio.h>
#include <threads.h>

static mtx_t plain, again, timed;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key, gone;
static unsigned sum, calls, waiting, wrong;
static thread_local int own;

static void expect(int right)
{
    if (!right)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void call(void)
{
    calls++;
}

static void kernel(void *unused)
{
    struct timespec now;

    call_once(&once, call);
    own = (int)corbel_hart();
    expect(tss_get(key) == NULL && tss_set(key, &own) == thrd_success);
    for (int i = 0; i < 10; i++) {
        expect(mtx_lock(&plain) == thrd_success);
        sum++;
        expect(mtx_unlock(&plain) == thrd_success);
    }
    mtx_lock(&again);
    expect(mtx_trylock(&again) == thrd_success);
    mtx_unlock(&again);
    mtx_unlock(&again);
    /* The last one to come wakes the others. */
    mtx_lock(&plain);
    if (++waiting == corbel_harts())
        cnd_broadcast(&changed);
    while (waiting < corbel_harts())
        cnd_wait(&changed, &plain);
    mtx_unlock(&plain);
    timespec_get(&now, TIME_UTC);
    if (corbel_hart() == 0)
        expect(mtx_timedlock(&timed, &now) == thrd_timedout);
    expect(tss_get(key) == &own && *(int *)tss_get(key) == (int)corbel_hart());
    expect(thrd_equal(thrd_current(), thrd_current()));
    thrd_yield();
    thrd_sleep(&(struct timespec){.tv_nsec = 100}, NULL);
}

int main(void)
{
    struct timespec now;

    mtx_init(&plain, mtx_plain);
    mtx_init(&again, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    cnd_init(&changed);
    tss_create(&gone, NULL);
    tss_set(gone, &sum);
    tss_delete(gone);
    tss_create(&key, NULL);
    mtx_lock(&timed);
    corbel_launch(kernel, NULL);
    printf("%d %u %u\n", sum == 10 * corbel_harts(), calls, wrong);
    timespec_get(&now, TIME_UTC);
    mtx_lock(&again);
    printf("%d\n", cnd_timedwait(&changed, &again, &now) == thrd_timedout);
    mtx_unlock(&again);
    printf("%d\n", mtx_trylock(&again) == thrd_success);
    return wrong != 0;
}
