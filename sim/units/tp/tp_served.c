/*
 * The instructions that other units serve (sdk/isa/served.def): what leaves the
 * core for them, and what comes back. Which units these are is not known here;
 * how the words travel is said in served_words.h.
 */
#include "sim/isa/served.h"
#include "sim/units/common/served_words.h"
#include "sim/units/tp/tp_slot.h"

/* The columns request and answer of a row are a pair of the core's ports, and
 * one that is for units. */
enum { USE_MEMORY, USE_UNITS };
#define PAIR(request, out, answer, in, use, ...)                               \
    ANSWER_TO_##request = answer, USE_OF_##request = USE_##use,
enum { TP_PAIRS(PAIR) };
#undef PAIR

#define XTRAV_SERVED(id, state, unit, request, answer, ...)                    \
    _Static_assert(ANSWER_TO_##request == (answer) + 0,                        \
                   "sdk/isa/served.def, " #id ": port " #request               \
                   " is not answered at " #answer);                            \
    _Static_assert(ANSWER_TO_##request != (answer) + 0 ||                      \
                       USE_OF_##request == USE_UNITS + 0,                      \
                   "sdk/isa/served.def, " #id ": port " #request               \
                   " leads to memory, not to a unit that serves");
#include "sdk/isa/served.def"
#undef XTRAV_SERVED

_Static_assert((int)TAG_SLOT == (int)WORDS_HART, "units know harts by tags");

/* What a register waits for, by the column bucket. */
#define BLAMES(X, id, name, ...) BLAMES_wait_##name = id,
enum { TP_PRODUCERS(BLAMES, ) };
#undef BLAMES

static const uint8_t blames[ISA_CLASS_COUNT] = {
#define XTRAV_SERVED(id, state, unit, request, answer, sends, receives, flow,  \
                     bucket, when, needs)                                      \
    [ISA_CLASS_##id] = BLAMES_##bucket,
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
};

/* The port of their requests: its row, and its links as enum needed_port. */
static const struct {
    uint8_t row, first, last;
} ports[ISA_CLASS_COUNT] = {
#define XTRAV_SERVED(id, state, unit, request, ...)                            \
    [ISA_CLASS_##id] = {request, TO_##request, TO_##request##_LAST},
#include "sdk/isa/served.def"
#undef XTRAV_SERVED
};

enum producer tp_served_by(unsigned cls)
{
    return blames[cls];
}

unsigned tp_served_row(unsigned cls)
{
    return ports[cls].row;
}

unsigned tp_served_port(const struct tp *t, const struct tp_common *c,
                        unsigned cls)
{
    unsigned first = ports[cls].first;
    if (ports[cls].last == first)
        return t->unit.links[ports[cls].row] ? first : NO_PORT;
    return c->unit_of[cls] ? first + c->unit_of[cls] - 1u : NO_PORT;
}

struct unit *tp_server(const struct unit *u, const struct isa_insn *insn)
{
    const struct tp *t = (const struct tp *)u;
    unsigned port = t->common->port_of[insn->cls];
    if (!isa_served(insn->cls) || port == NO_PORT)
        return NULL;
    return link_target(outport_of(t, port));
}

bool tp_lacks(const struct unit *u, const struct isa_insn *insn)
{
    const struct tp_common *c = ((const struct tp *)u)->common;
    const struct isa_served *row = isa_served(insn->cls);
    return row && (c->port_of[insn->cls] == NO_PORT ||
                   (row->needs_scene && !c->machine->scene));
}

/* ---- what is lacking ---- */

/* Is there an RT core: a unit that takes rays and is handed none by itself? */
static bool has_rtcore(const struct chip *chip)
{
    for (unsigned i = 0; i < chip_unit_count(chip); i++) {
        const struct unit_kind *kind = unit_kind_of(chip_unit_at(chip, i));
        if (kind->told[TOLD_RAYS] && !kind->feeds_rays)
            return true;
    }
    return false;
}

/* Does the unit serve the core, with other instructions? */
static bool serves_others(const struct tp_common *c,
                          const struct isa_served *row)
{
    for (unsigned cls = 0; cls < ISA_CLASS_COUNT; cls++) {
        const struct isa_served *other = isa_served(cls);
        if (other && !strcmp(other->unit, row->unit) &&
            c->port_of[cls] != NO_PORT)
            return true;
    }
    return false;
}

/* Where the rays of the chip's RT cores come from, if not from cores. */
static const char *rays_come_from(const struct chip *chip)
{
    for (unsigned i = 0; has_rtcore(chip) && i < chip_unit_count(chip); i++) {
        const struct unit_kind *kind = unit_kind_of(chip_unit_at(chip, i));
        if (kind->feeds_rays)
            return kind->feeds_rays;
    }
    return NULL;
}

bool tp_lacks_text(const struct unit *u, const struct isa_insn *insn,
                   char *text, size_t size)
{
    const struct tp_common *c = ((const struct tp *)u)->common;
    const struct isa_served *row = isa_served(insn->cls);
    const char *from;
    if (!row)
        return false;
    if (c->port_of[insn->cls] != NO_PORT)
        snprintf(text, size, "no scene has been opened");
    else if (tp_any_linked(c->machine, insn->cls))
        snprintf(text, size, "this core has no %s, others of the chip have",
                 row->unit);
    else if (serves_others(c, row))
        snprintf(text, size, "the chip's %s does not serve it%s", row->unit,
                 has_rtcore(u->chip) ? ", RT cores take the rays" : "");
    else if (insn->cls == ISA_CLASS_traceray &&
             (from = rays_come_from(u->chip)))
        snprintf(text, size, "the chip's RT cores take rays from %s", from);
    else
        snprintf(text, size, "the chip has no %s", row->unit);
    return true;
}

bool tp_served_room(const struct tp *t, const struct isa_insn *insn)
{
    struct outport *o = outport_of(t, t->common->port_of[insn->cls]);
    return link_ready_for(o, words_messages(isa_served(insn->cls)->sent));
}

/* The hart waits for the registers that the answer writes. An answer without
 * words ends the request and nothing else: only fences wait for it. */
static void expect_answer(struct slot *s, const struct isa_insn *insn,
                          const struct isa_served *row)
{
    add_pending(s, blames[insn->cls],
                insn->writes | (row->blocks ? BLOCKED : 0));
    s->accesses += !row->received;
}

/* Makes the message of a request and puts its words into `words`. From now on
 * the hart waits for the answer. */
static struct msg begin_request(struct tp *t, struct slot *s,
                                const struct isa_insn *insn,
                                uint32_t words[ISA_SERVED_WORDS])
{
    const struct isa_served *row = isa_served(insn->cls);
    isa_served_send(row, &hart_of(t, s)->isa, insn, words);
    expect_answer(s, insn, row);
    struct msg m = {.tag = make_tag(t, s, insn),
                    .addr = (uint32_t)insn->imm,
                    .op = insn->cls};
    WORK_FOR(&m, t->works[slot_number(t, s)].work);
    return m;
}

struct msg tp_served_request(struct tp *t, struct slot *s,
                             const struct isa_insn *insn)
{
    uint32_t words[ISA_SERVED_WORDS];
    struct msg m = begin_request(t, s, insn, words);
    m.value = words_value(words, isa_served(insn->cls)->sent);
    return m;
}

void tp_serve(struct tp *t, struct slot *s, const struct isa_insn *insn)
{
    const struct isa_served *row = isa_served(insn->cls);
    unsigned port = t->common->port_of[insn->cls];
    uint32_t words[ISA_SERVED_WORDS];
    struct msg m = begin_request(t, s, insn, words);
    t->counts.rays = (uint16_t)(t->counts.rays + (port == TO_RAY));
    words_push(outport_of(t, port), &m, words, row->sent);
    if (row->blocks) {
        enter(t, s, WAIT_REGS);
        s->awaits = BLOCKED;
    }
}

/* Puts the words of an answer in their registers. False: more words come. */
static bool take_words(struct tp *t, struct slot *s, const struct msg *m,
                       const struct isa_served *row)
{
    struct isa_hart *hart = &hart_of(t, s)->isa;
    uint32_t words[ISA_SERVED_WORDS];
    unsigned first;
    unsigned count = words_take(&t->unit, m, words, row->received, &first);
    isa_served_receive(row, hart, m->tag >> TAG_RD & 31, words + first, first,
                       count);
    return first + count == row->received;
}

static void log_end(struct tp *t, const struct slot *s, uint32_t tag)
{
    struct isa_insn insn = insn_of(tag);
    if (logs(t))
        commit_queue_finish(t->commits, &hart_of(t, s)->isa, &insn, 0, 0);
}

/* The answer is there, and the hart does not wait for it any longer. */
static void end_waiting(struct slot *s, uint32_t tag,
                        const struct isa_served *row)
{
    CHECKED_ASSERT(row->received || s->accesses);
    s->accesses -= !row->received;
    end_pending(s, blames[row->cls],
                writes_of(tag) | (row->blocks ? BLOCKED : 0));
}

/* The last word of an answer has come. */
static void end_served(struct tp *t, struct slot *s, uint32_t tag,
                       const struct isa_served *row, uint64_t now)
{
    log_end(t, s, tag);
    end_waiting(s, tag, row);
    if (row->blocks && s->state == WAIT_REGS)
        tp_assess_now(t, s, now); /* its next instruction was not looked at */
    else
        advance(t, s, now);
}

void tp_use_answer(struct tp *t, const struct msg *m, uint64_t now)
{
    const struct isa_served *row = isa_served_op((uint16_t)m->tag);
    struct slot *s = slot_of(t, m->tag);
    uint32_t tag = m->tag;
    if (!row) {
        end_pending(s, SFU, writes_of(tag));
        advance(t, s, now);
    } else if (m->op == MEM_FAULT) {
        end_waiting(s, tag, row);
        tp_refused(t, s, m,
                   m->aux == MEM_WRITE ? ISA_CAUSE_STORE_FAULT
                                       : ISA_CAUSE_LOAD_FAULT,
                   now);
    } else if (take_words(t, s, m, row)) {
        if (row->cls == ISA_CLASS_fchthrd)
            work_goes_on(t->common->machine, &t->unit,
                         &t->works[tag >> TAG_SLOT], (uint32_t)m->value + 1,
                         now);
        end_served(t, s, tag, row, now);
    }
}
