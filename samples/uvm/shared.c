/* What the benchmarks share: memory, launches, digest, comparison. */
#include "uvm.h"

#include "../common/say.h"

#include <stdlib.h>

uint32_t uvm_items = CHUNK;

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
    uvm_launch(kernel, arg, ceil_div(items, CHUNK_ITEMS));
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

void uvm_digest(struct uvm *uvm, const void *words, uint32_t count)
{
    digest_add(&uvm->digest, words, count);
}

void uvm_compare(struct uvm *uvm, const char *what, const void *words,
                 const void *expected, uint32_t count)
{
    if (!words_differ("uvm", uvm->benchmark->name, what, words, expected,
                      count))
        return;
    uvm->wrong = true;
}
