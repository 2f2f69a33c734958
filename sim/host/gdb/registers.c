/*
 * Registers of a RISC-V hart as gdb numbers them, in features of its own names,
 * and those that are ours alone. Values are those that the hart itself would
 * read. (gdb manual, "RISC-V Features".)
 */
#include "sim/core/heap.h"
#include "sim/host/gdb/gdb.h"
#include "sim/isa/isa.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum group { GROUP_CPU, GROUP_FPU, GROUP_CSR, GROUP_HART, GROUPS };
enum { PC = 32, FIRST_FPU = 33, FIRST_CSR = 65, CSRS = 4096, FIRST_OWN = 8192 };

static const char *const features[GROUPS] = {
    "org.gnu.gdb.riscv.cpu", "org.gnu.gdb.riscv.fpu", "org.gnu.gdb.riscv.csr",
    "org.corbel.hart"};

/* What is known of a hart beside its registers: X(name, value). */
#define OWN(X)                                                                 \
    X(hart_cycle, g->host->now)                                                \
    X(hart_instret, core_of(h)->instructions(h->core, h->slot))                \
    X(hart_state, h->state)                                                    \
    X(hart_id, hart_number(g->host, h))

static const char *const own[] = {
#define OWN_NAME(name, value) #name,
    OWN(OWN_NAME)
#undef OWN_NAME
};
enum { OWN_COUNT = sizeof own / sizeof *own };

static uint64_t own_value(const struct gdb *g, const struct hart *h,
                          unsigned number)
{
    const uint64_t values[] = {
#define OWN_VALUE(name, value) value,
        OWN(OWN_VALUE)
#undef OWN_VALUE
    };
    return values[number];
}

/* ---- which there are ---- */

static void add(struct gdb *g, enum group group, unsigned bits, unsigned number,
                unsigned of, const char *name)
{
    struct gdb_register *r = &g->registers[g->register_count++];
    *r = (struct gdb_register){.group = (uint8_t)group,
                               .bits = (uint8_t)bits,
                               .number = number,
                               .of = of};
    snprintf(r->name, sizeof r->name, "%s", name);
}

/* Names of registers of a core begin with the pc. */
static void add_general(struct gdb *g, const struct core_kind *core)
{
    const struct isa_profile *p = &g->host->machine.profile;
    const bool wide = isa_has(p->extensions, ISA_EXT_d);
    for (unsigned i = 0; i < 32; i++)
        add(g, GROUP_CPU, p->xlen, i, 1 + i, core->registers[1 + i]);
    add(g, GROUP_CPU, p->xlen, PC, CORE_PC, "pc");
    for (unsigned i = 0; i < 32 && isa_has(p->extensions, ISA_EXT_f); i++)
        add(g, GROUP_FPU, wide ? 64 : 32, FIRST_FPU + i, 33 + i,
            core->registers[33 + i]);
    g->general = g->register_count;
}

/* Those that can be read. */
static void add_csrs(struct gdb *g)
{
    const struct isa_hart *h = &g->host->machine.harts[0].isa;
    const unsigned bits = g->host->machine.profile.xlen;
    uint64_t value;
    char name[24];
    for (unsigned i = 0; i < CSRS; i++)
        if (isa_csr_read(h, i, name, sizeof name, &value))
            add(g, i < 4 ? GROUP_FPU : GROUP_CSR, i < 4 ? 32 : bits,
                FIRST_CSR + i, i, name);
}

void registers_find(struct gdb *g)
{
    g->registers =
        heap_new(66 + CSRS + OWN_COUNT, sizeof *g->registers, "--gdb");
    add_general(g, core_of(gdb_hart(g, 0)));
    add_csrs(g);
    for (unsigned i = 0; i < OWN_COUNT; i++)
        add(g, GROUP_HART, 64, FIRST_OWN + i, i, own[i]);
}

unsigned register_place(const struct gdb *g, unsigned number)
{
    unsigned i = 0;
    while (i < g->register_count && g->registers[i].number != number)
        i++;
    return i;
}

/* ---- what is in them ---- */

static uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits < 64 ? value & ((1ull << bits) - 1) : value;
}

static uint64_t csr_value(const struct hart *h, unsigned number)
{
    char name[24];
    uint64_t value = 0;
    isa_csr_read(&h->isa, number, name, sizeof name, &value);
    return value;
}

static bool is_csr(const struct gdb_register *r)
{
    return r->number >= FIRST_CSR && r->number < FIRST_OWN;
}

uint64_t register_value(const struct gdb *g, unsigned hart, unsigned place)
{
    const struct gdb_register *r = &g->registers[place];
    const struct hart *h = gdb_hart(g, hart);
    uint64_t value;
    if (is_csr(r))
        value = csr_value(h, r->of);
    else if (r->group == GROUP_HART)
        value = own_value(g, h, r->of);
    else if (r->of == CORE_PC)
        value = hart_pc(h);
    else
        value = core_of(h)->read(h->core, h->slot, r->of);
    return low_bits(value, r->bits);
}

/* A float of 32 bits is NaN-boxed in a register of 64. */
bool register_write(struct gdb *g, unsigned hart, unsigned place,
                    uint64_t value)
{
    const struct gdb_register *r = &g->registers[place];
    struct hart *h = gdb_hart(g, hart);
    if (r->group == GROUP_HART)
        return false;
    if (is_csr(r))
        return isa_csr_write(&h->isa, r->of, value);
    if (r->group == GROUP_FPU && r->bits == 32)
        value |= 0xffffffffull << 32;
    if (r->of == CORE_PC && hart_pc(h) != h->isa.pc)
        return false; /* the hart is a lane of a warp, which has the pc */
    return core_of(h)->write(h->core, h->slot, r->of, value);
}

/* ---- the description ---- */

static const char *type_of(const struct gdb_register *r)
{
    if (r->group == GROUP_FPU && !is_csr(r))
        return r->bits == 64 ? "ieee_double" : "ieee_single";
    if (r->number == PC || r->number == 1)
        return "code_ptr";
    return r->number == 2 ? "data_ptr" : "int";
}

static void describe_group(const struct gdb *g, enum group group, FILE *to)
{
    unsigned count = 0;
    for (unsigned i = 0; i < g->register_count; i++) {
        const struct gdb_register *r = &g->registers[i];
        if (r->group != group)
            continue;
        if (!count++)
            fprintf(to, "<feature name=\"%s\">", features[group]);
        fprintf(to,
                "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" "
                "regnum=\"%u\"/>",
                r->name, r->bits, type_of(r), r->number);
    }
    if (count)
        fprintf(to, "</feature>");
}

/* Without osabi none gdb takes the program for one of an operating system, and
 * puts breakpoints behind each instruction that it steps, for all harts. */
char *registers_description(const struct gdb *g)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        heap_lacks(1, BUFSIZ, "--gdb");
    fprintf(to,
            "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM "
            "\"gdb-target.dtd\"><target><architecture>riscv:rv%u"
            "</architecture><osabi>none</osabi>",
            g->host->machine.profile.xlen);
    for (unsigned i = 0; i < GROUPS; i++)
        describe_group(g, (enum group)i, to);
    fprintf(to, "</target>");
    fclose(to);
    return text;
}
