/*
 * Post-dominators by Cooper, Harvey and Kennedy's "A simple, fast dominance
 * algorithm", on the graph whose edges go back from what leaves a function.
 * Nodes are instructions, one a halfword of the text, so that nothing has to be
 * known of where functions and blocks begin; node `count` is the leaving.
 */
#include "sim/units/simt/simt_postdom.h"
#include "sim/core/heap.h"
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct postdom {
    uint64_t start;
    uint32_t count;
    uint32_t *of; /* by node: a node, count: leaves, NONE: never does */
};

struct graph {
    const struct isa_insn *text;
    uint32_t count;
    uint32_t *first;  /* by node: its first predecessor in `before` */
    uint32_t *before; /* all predecessors, and callers */
    uint8_t *needs;   /* how much of what it depends on must still leave */
    uint32_t *order;  /* nodes that leave, in postorder from the leaving on */
    uint32_t *number; /* by node: its place in order, NONE: it never leaves */
    uint32_t reached;
};

/* ---- ways on ---- */

#define LINKS (1u << 1 | 1u << 5) /* ra, t0: as simt_paths.c counts calls */

static bool links(const struct isa_insn *insn)
{
    return insn->cls == ISA_CLASS_jump && LINKS >> insn->rd & 1;
}

/* jal, not jalr: its target is known. */
static bool is_direct(const struct isa_insn *insn)
{
    enum { JAL = 0x6f, COMPRESSED_JUMP = 1 };
    return insn->len == 4 ? (insn->raw & 0x7f) == JAL
                          : (insn->raw & 3) == COMPRESSED_JUMP;
}

static bool is_mret(const struct isa_insn *insn)
{
    enum { MRET = 0x30200073 };
    return insn->cls == ISA_CLASS_system && insn->raw == MRET;
}

/* The node that lies `bytes` behind another one; outside of the text it is the
 * node of leaving. */
static uint32_t node_at(const struct graph *g, uint32_t node, int64_t bytes)
{
    int64_t to = (int64_t)node + bytes / 2;
    return to < 0 || to >= g->count ? g->count : (uint32_t)to;
}

/* Where it goes on, and how many of these there are. A call goes on behind
 * itself, if what it calls returns. op 0: no instruction. */
static unsigned ways_on(const struct graph *g, uint32_t node, uint32_t on[2])
{
    const struct isa_insn *insn = &g->text[node];
    if (!insn->len || !insn->op)
        return 0;
    on[0] = node_at(g, node, is_mret(insn) ? INT32_MIN : insn->len);
    if (insn->cls == ISA_CLASS_branch) {
        on[1] = node_at(g, node, insn->imm);
        return 2;
    }
    if (insn->cls == ISA_CLASS_jump && !links(insn))
        on[0] = is_direct(insn) ? node_at(g, node, insn->imm) : g->count;
    return 1;
}

/* What a call with a known target calls, else NONE. */
static uint32_t called(const struct graph *g, uint32_t node)
{
    const struct isa_insn *insn = &g->text[node];
    return insn->len && links(insn) && is_direct(insn)
               ? node_at(g, node, insn->imm)
               : NONE;
}

/* ---- edges back ---- */

/* Nodes on which it depends whether a node leaves: its ways on, and what it
 * calls. */
static unsigned depends_on(const struct graph *g, uint32_t node, uint32_t on[3])
{
    unsigned n = ways_on(g, node, on);
    uint32_t call = called(g, node);
    if (n && call != NONE)
        on[n++] = call;
    return n;
}

static void link_back(struct graph *g)
{
    uint32_t on[3], sum = 0;
    for (uint32_t i = 0; i < g->count; i++)
        for (unsigned n = depends_on(g, i, on); n-- > 0;)
            g->first[on[n]]++;
    for (uint32_t i = 0; i <= g->count; i++) {
        sum += g->first[i];
        g->first[i] = sum; /* its end, which goes down to its first */
    }
    g->first[g->count + 1] = sum;
    g->before = heap_new(sum, sizeof *g->before, "post-dominators");
    for (uint32_t i = 0; i < g->count; i++) {
        g->needs[i] = called(g, i) == NONE ? 1 : 2;
        for (unsigned n = depends_on(g, i, on); n-- > 0;)
            g->before[--g->first[on[n]]] = i;
    }
}

/* ---- what leaves, in postorder from the leaving on ---- */

/* needs is 0 of what leaves; a call does when the last of what it depends on
 * does. */
static void find_leaving(struct graph *g)
{
    uint32_t left = 0;
    g->order[left++] = g->count;
    while (left) {
        uint32_t node = g->order[--left];
        for (uint32_t i = g->first[node]; i < g->first[node + 1]; i++) {
            uint32_t before = g->before[i];
            if (g->needs[before] && !--g->needs[before])
                g->order[left++] = before;
        }
    }
}

struct walk {
    uint32_t node, next; /* of before */
};

/* Has the node not been seen, leaves it, and by a way on that is `to`? */
static bool is_next(const struct graph *g, uint32_t node, uint32_t to)
{
    uint32_t on[2];
    if (g->needs[node] || g->number[node] != NONE)
        return false;
    for (unsigned n = ways_on(g, node, on); n-- > 0;)
        if (on[n] == to)
            return true;
    return false;
}

static void number_nodes(struct graph *g)
{
    const uint32_t seen = UINT32_MAX - 1;
    struct walk *stack =
        heap_new((size_t)g->count + 1, sizeof *stack, "post-dominators");
    uint32_t depth = 0;
    stack[depth++] = (struct walk){g->count, g->first[g->count]};
    while (depth) {
        struct walk *top = &stack[depth - 1];
        if (top->next == g->first[top->node + 1]) {
            g->number[top->node] = g->reached;
            g->order[g->reached++] = top->node;
            depth--;
            continue;
        }
        uint32_t node = g->before[top->next++];
        if (!is_next(g, node, top->node))
            continue;
        g->number[node] = seen;
        stack[depth++] = (struct walk){node, g->first[node]};
    }
    free(stack);
}

/* ---- post-dominators ---- */

/* Where the ways from two nodes meet. */
static uint32_t meet(const struct graph *g, const uint32_t *of, uint32_t a,
                     uint32_t b)
{
    while (a != b)
        if (g->number[a] < g->number[b])
            a = of[a];
        else
            b = of[b];
    return a;
}

/* Of a node, by those of its ways on that are known so far. */
static uint32_t one(const struct graph *g, const uint32_t *of, uint32_t node)
{
    uint32_t on[2], found = NONE;
    for (unsigned n = ways_on(g, node, on); n-- > 0;) {
        if (on[n] != g->count && of[on[n]] == NONE)
            continue;
        found = found == NONE ? on[n] : meet(g, of, found, on[n]);
    }
    return found;
}

static void find_all(const struct graph *g, uint32_t *of)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = g->reached - 1; i-- > 0;) {
            uint32_t node = g->order[i], found = one(g, of, node);
            changed |= found != of[node];
            of[node] = found;
        }
    }
}

struct postdom *postdom_new(const struct isa_insn *text, uint64_t start,
                            uint64_t bytes)
{
    static const char what[] = "post-dominators";
    struct postdom *p = heap_new(1, sizeof *p, what);
    struct graph g = {.text = text, .count = (uint32_t)(bytes / 2)};
    const size_t nodes = (size_t)g.count + 1;
    g.first = heap_new(nodes + 1, sizeof *g.first, what);
    g.needs = heap_new(nodes, sizeof *g.needs, what);
    g.order = heap_new(nodes, sizeof *g.order, what);
    g.number = heap_new(nodes, sizeof *g.number, what);
    p->start = start;
    p->count = g.count;
    p->of = heap_new(nodes, sizeof *p->of, what);
    memset(p->of, 0xff, nodes * sizeof *p->of);
    memset(g.number, 0xff, nodes * sizeof *g.number);
    link_back(&g);
    find_leaving(&g);
    number_nodes(&g);
    p->of[g.count] = g.count;
    find_all(&g, p->of);
    free(g.first);
    free(g.before);
    free(g.needs);
    free(g.order);
    free(g.number);
    return p;
}

void postdom_free(struct postdom *p)
{
    free(p->of);
    free(p);
}

uint64_t postdom_of(const struct postdom *p, uint64_t pc)
{
    uint64_t node = (pc - p->start) / 2;
    if (node >= p->count || p->of[node] >= p->count)
        return POSTDOM_RETURNS;
    return p->start + 2ull * p->of[node];
}
