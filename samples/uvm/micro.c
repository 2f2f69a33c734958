/*
 * Micro-benchmarks: hart 0 touches places of one allocation, each after the
 * last has come and a delay. What a unit that moves pages has to move for each
 * touch is known exactly if the delay is longer than a transfer.
 *
 * The allocation is never written before, so that no page of it is on the chip.
 */
#include "uvm.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    BLOCK = CORBEL_MANAGED_BLOCK,
    ROOT = CORBEL_MANAGED_ROOT,
    PAGE = 4096,
};

struct micro {
    const char *name;
    uint32_t bytes;      /* of the allocation */
    const char *touches; /* blocks, counted from their root, one after the other
                            (NULL: every page, in order) */
    uint32_t rounds;     /* roots that get these touches */
    const char *last;    /* blocks of the root behind those, NULL: none */
    const char *meaning;
};

static const struct micro table[] = {
    {"P1", ROOT, "0 1 2 4 8 16", 1, NULL, "blocks that double a filled part"},
    {"P2", ROOT, "1 3 0 4 8 16", 1, NULL, "one block in between comes early"},
    {"P3", ROOT, "1 3 5 7 0 8 16", 1, NULL, "three blocks come at once"},
    {"RU", ROOT + 3 * BLOCK, "0 1 2 4 8 16", 1, "0 1 2",
     "P1, then the smaller tree behind the root"},
    {"BND", 3 * ROOT, "0 1 2 4 8 16", 3, NULL, "P1 in each of three roots"},
    {"SCAN", 6 * ROOT, NULL, 0, NULL, "every page of 12 MiB, in order"},
};
enum { COUNT = sizeof table / sizeof *table };

/* Waits until at least `cycles` have passed. It sleeps, which costs no
 * instructions, and a system call waits for the hart's loads. */
static void pause_for(uint64_t cycles)
{
    const uint64_t begin = corbel_cycles();
    for (uint64_t spent = 0; spent < cycles; spent = corbel_cycles() - begin) {
        uint64_t left = cycles - spent;
        struct timespec time = {.tv_sec = (time_t)(left / 1000000000),
                                .tv_nsec = (long)(left % 1000000000)};
        nanosleep(&time, NULL);
    }
}

/* The address depends on the loads before, by a number that is always 0. */
static void touch(struct uvm *uvm, const volatile uint8_t *start,
                  uint32_t offset, uint32_t *zero)
{
    uint32_t byte = start[offset + *zero];
    __asm__("" : "+r"(byte)); /* the compiler does not know that it is small */
    *zero = byte >> 8;
    pause_for(uvm->delay + *zero);
    uvm->digest.word[0] = random_word(uvm->digest.word[0], offset);
    uvm->digest.word[1]++;
}

/* The next number of a list; false: it has ended. */
static bool next_block(const char **list, uint32_t *block)
{
    const char *p = *list;
    uint32_t n = 0;
    while (*p == ' ')
        p++;
    if (!*p)
        return false;
    for (; *p >= '0' && *p <= '9'; p++)
        n = 10 * n + (uint32_t)(*p - '0');
    *list = p;
    *block = n;
    return true;
}

static void touch_blocks(struct uvm *uvm, const uint8_t *start, uint32_t root,
                         const char *list, uint32_t *zero)
{
    for (uint32_t block; next_block(&list, &block);)
        touch(uvm, start, root * ROOT + block * BLOCK, zero);
}

static void run(struct uvm *uvm, const struct micro *m)
{
    const uint8_t *start = uvm_array(uvm, m->bytes, 1);
    uint32_t zero = 0;
    uvm_begin(uvm);
    for (uint32_t root = 0; root < m->rounds; root++)
        touch_blocks(uvm, start, root, m->touches, &zero);
    if (m->last)
        touch_blocks(uvm, start, m->rounds, m->last, &zero);
    for (uint32_t at = 0; !m->touches && at < m->bytes; at += PAGE)
        touch(uvm, start, at, &zero);
    uvm_end(uvm);
}

void micro_help(void)
{
    for (unsigned i = 0; i < COUNT; i++)
        printf("  %-11s %s\n", table[i].name, table[i].meaning);
}

bool micro_run(struct uvm *uvm, const char *name)
{
    for (unsigned i = 0; i < COUNT; i++)
        if (!strcmp(table[i].name, name)) {
            if (uvm)
                run(uvm, &table[i]);
            return true;
        }
    return false;
}
