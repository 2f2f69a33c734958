/*
 * What a TLB between the SM and its L1 looks up for a warp instruction: a table
 * of rules. Its sectors go there one by one; those that share the look-up of
 * one before them say so (sim/units/common/mem.h).
 */
#include "sim/units/simt/simt_private.h"

enum { PAGE_SECTORS = 4096 / SECTOR };

/* A look-up for each page that the instruction touches. */
static bool page_follows(const struct simt_op *op, unsigned n)
{
    uint64_t page = op->request[n].sector / PAGE_SECTORS;
    while (n-- > 0)
        if (op->request[n].sector / PAGE_SECTORS == page)
            return true;
    return false;
}
static const struct simt_translation simt_translate_page = {page_follows};

/* One for each request that the coalescer makes. */
static bool request_follows(const struct simt_op *op, unsigned n)
{
    return !op->request[n].begins;
}
static const struct simt_translation simt_translate_request = {request_follows};

#define ROW(name) &simt_translate_##name,
const struct simt_translation *const simt_translations[] = {
    SIMT_TRANSLATIONS(ROW, ROW)};
#undef ROW

void simt_build_translation(struct simt *t)
{
    const struct unit *to = link_target(t->unit.out[MEM]);
    t->translates = !strcmp(to->kind->name, "tlb")
                        ? simt_translations[t->params.translation]
                        : NULL;
}

uint8_t simt_translation_flags(const struct simt *t, const struct simt_op *op,
                               unsigned n)
{
    if (!t->translates || op->requests == 1)
        return 0;
    return t->translates->follows(op, n) ? MEM_GROUPED | MEM_FOLLOWS
                                         : MEM_GROUPED;
}
