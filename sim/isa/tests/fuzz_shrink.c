/*
 * Makes a failing program small: leaves out items, then words, then makes
 * values zero, as long as it still fails. Pieces are tried from large to
 * small; what can go, goes at once.
 */
#include "sim/isa/tests/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Flags `kept` of what can still be left out. */
struct flags {
    bool **at; /* of those that are set */
    size_t count;
};

static void collect(struct flags *flags, bool *flag)
{
    if (*flag)
        flags->at[flags->count++] = flag;
}

static void set(struct flags *flags, size_t first, size_t count, bool value)
{
    for (size_t i = first; i < first + count; i++)
        *flags->at[i] = value;
}

/* Forgets flags that were cleared. */
static void compact(struct flags *flags)
{
    size_t kept = 0;
    for (size_t i = 0; i < flags->count; i++)
        if (*flags->at[i])
            flags->at[kept++] = flags->at[i];
    flags->count = kept;
}

/* One pass over all pieces of a size. Has anything gone? */
static bool clear_pieces(struct flags *flags, size_t size,
                         struct program *program, shrink_test *fails,
                         void *context)
{
    bool any = false;
    for (size_t first = 0; first < flags->count; first += size) {
        size_t left = flags->count - first;
        size_t count = size < left ? size : left;
        set(flags, first, count, false);
        if (fails(context, program))
            any = true;
        else
            set(flags, first, count, true);
    }
    compact(flags);
    return any;
}

/* Tries pieces of half the size again and again; single ones until a pass
 * clears none. */
static void clear(struct flags *flags, struct program *program,
                  shrink_test *fails, void *context)
{
    size_t size = flags->count;
    while (size > 0 && flags->count > 0) {
        bool any = clear_pieces(flags, size, program, fails, context);
        if (size > flags->count)
            size = flags->count;
        else if (size > 1 || !any)
            size /= 2;
    }
}

static void collect_items(struct flags *flags, struct program *p)
{
    for (size_t i = 0; i < p->item_count; i++)
        if (item_present(p, i))
            collect(flags, &p->items[i].kept);
}

static void collect_slots(struct flags *flags, struct program *p)
{
    for (size_t i = 0; i < p->item_count; i++) {
        const struct item *item = &p->items[i];
        if (item_present(p, i) && !item->whole)
            for (uint32_t k = item->first; k < item->first + item->count; k++)
                collect(flags, &p->slots[k].kept);
    }
}

static void collect_values(struct flags *flags, struct program *p)
{
    for (size_t i = 0; i < p->literal_count; i++)
        collect(flags, &p->literals[i].kept);
    for (unsigned i = 0; i < DATA_SIZE / DATA_BLOCK; i++)
        collect(flags, &p->data_kept[i]);
    for (unsigned i = 0; i < 32; i++) {
        collect(flags, &p->x_kept[i]);
        collect(flags, &p->f_kept[i]);
    }
}

void program_shrink(struct program *program, shrink_test *fails, void *context)
{
    typedef void collector(struct flags *, struct program *);
    static collector *const collectors[] = {collect_items, collect_slots,
                                            collect_values, collect_items,
                                            collect_slots};
    size_t most = program->item_count + program->slot_count +
                  program->literal_count + DATA_SIZE / DATA_BLOCK + 64;
    struct flags flags = {calloc(most, sizeof *flags.at), 0};
    if (!flags.at)
        return;
    for (size_t i = 0; i < sizeof collectors / sizeof *collectors; i++) {
        flags.count = 0;
        collectors[i](&flags, program);
        clear(&flags, program, fails, context);
    }
    free(flags.at);
}
