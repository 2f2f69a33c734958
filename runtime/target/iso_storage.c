/*
 * tss_ of <threads.h>: values that each hart has of its own. Harts do not end,
 * so nothing is destroyed.
 */
#include <threads.h>

enum { KEYS = 64 };

static unsigned taken[KEYS];
static _Thread_local struct {
    void *value;
    unsigned made; /* which key of this number it belongs to */
} values[KEYS];
static unsigned made[KEYS];

int tss_create(tss_t *key, tss_dtor_t at_end)
{
    for (unsigned i = 0; i < KEYS; i++)
        if (!__atomic_exchange_n(&taken[i], 1, __ATOMIC_ACQ_REL)) {
            __atomic_fetch_add(&made[i], 1, __ATOMIC_ACQ_REL);
            *key = i;
            return thrd_success;
        }
    return thrd_error;
}

void tss_delete(tss_t key)
{
    __atomic_store_n(&taken[key], 0, __ATOMIC_RELEASE);
}

static unsigned now(tss_t key)
{
    return __atomic_load_n(&made[key], __ATOMIC_ACQUIRE);
}

void *tss_get(tss_t key)
{
    return values[key].made == now(key) ? values[key].value : NULL;
}

int tss_set(tss_t key, void *value)
{
    values[key].made = now(key);
    values[key].value = value;
    return thrd_success;
}
