/* What the benchmarks share: memory, launches, digest, comparison. */
#include "uvm.h"

#include "../common/say.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void no_memory(size_t count, size_t size)
{
    say("uvm", "no memory for %lu x %lu bytes", (unsigned long)count,
        (unsigned long)size);
    exit(1);
}

void *uvm_array(struct uvm *uvm, size_t count, size_t size)
{
    size_t bytes;
    void *start = __builtin_mul_overflow(count, size, &bytes)
                      ? NULL
                      : corbel_managed_alloc(bytes);
    if (!start)
        no_memory(count, size);
    uvm->arrays[uvm->array_count].start = start;
    uvm->arrays[uvm->array_count++].bytes = bytes;
    return start;
}

void *uvm_plain(size_t count, size_t size)
{
    void *start = calloc(count, size);
    if (!start)
        no_memory(count, size);
    return start;
}

void uvm_need_local(struct uvm *uvm)
{
    size_t bytes = LOCAL_WORDS * sizeof(uint32_t);
    uvm->local = malloc(corbel_harts() * bytes);
    if (!uvm->local)
        no_memory(corbel_harts(), bytes);
}

void uvm_launch(void (*kernel)(void *), void *arg, uint32_t indices)
{
    corbel_work(indices);
    corbel_launch(kernel, arg);
}

void uvm_phase(void (*kernel)(void *), void *arg, uint32_t items)
{
    uvm_launch(kernel, arg, (items + CHUNK - 1) / CHUNK);
}

void uvm_begin(struct uvm *uvm)
{
    corbel_managed_sync();
    corbel_roi_begin();
    for (unsigned i = 0; uvm->prefetch && i < uvm->array_count; i++)
        corbel_managed_prefetch(uvm->arrays[i].start, uvm->arrays[i].bytes);
}

void uvm_end(struct uvm *uvm)
{
    corbel_roi_end();
    corbel_managed_sync();
}

/* ---- digest: a sum, so that its order does not matter ---- */

struct sum {
    const uint32_t *words;
    uint32_t count, seed;
    _Atomic uint32_t low, high;
};

static void sum_kernel(void *arg)
{
    struct sum *sum = arg;
    const uint32_t *words = sum->words;
    const uint32_t count = sum->count, seed = sum->seed;
    uint32_t low = 0, high = 0;
    EACH_CHUNK(index, count)
    EACH_ITEM(i, index, count)
    {
        uint32_t mixed = uvm_random(words[i], uvm_random(seed, i));
        low += mixed;
        high += uvm_random(mixed, 0);
    }
    atomic_fetch_add_explicit(&sum->low, low, memory_order_relaxed);
    atomic_fetch_add_explicit(&sum->high, high, memory_order_relaxed);
}

void uvm_digest(struct uvm *uvm, const void *words, uint32_t count)
{
    struct sum sum = {.words = words, .count = count, .seed = uvm->digest[0]};
    uvm_phase(sum_kernel, &sum, count);
    uvm->digest[0] = uvm_random(uvm->digest[0], sum.low);
    uvm->digest[1] = uvm_random(uvm->digest[1], sum.high);
}

void uvm_compare(struct uvm *uvm, const char *what, const void *words,
                 const void *expected, uint32_t count)
{
    const uint32_t *a = words, *b = expected;
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i]) {
            say("uvm", "%s: %s %lu is 0x%08lx, expected 0x%08lx",
                uvm->benchmark->name, what, (unsigned long)i,
                (unsigned long)a[i], (unsigned long)b[i]);
            uvm->wrong = true;
            return;
        }
}
