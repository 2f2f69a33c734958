/* Tells a verdict in words, from what harts wait for down to what would help.
 */
#include "sim/core/heap.h"
#include "sim/verdict/measured.h"
#include "sim/verdict/verdict_words.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = VERDICT_LINES, NAMED = 5 };

/* What is told of parts, limits and gains has to be this much at least. */
#define WORTH 0.01

/* A queue that is worth a word. */
#define WAITING 0.05

static void begin(struct verdict_lines *l)
{
    l->text[l->count < LINES ? l->count : LINES - 1][0] = '\0';
}

__attribute__((format(printf, 2, 3))) static void say(struct verdict_lines *l,
                                                      const char *format, ...)
{
    char *text = l->text[l->count < LINES ? l->count : LINES - 1];
    size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + used, sizeof l->text[0] - used, format, list);
    va_end(list);
}

static void end(struct verdict_lines *l)
{
    l->count += l->count < LINES;
    if (l->count < LINES)
        begin(l);
}

/* ---- parts, added up by what they have in common ---- */

/* The words by which a part is added to others: none, if it is left out. */
typedef const char *key_fn(const struct verdict *v, const struct part *p);

struct share {
    const char *name;
    double cycles;
};

/* Sums by key, the largest first; returns their number. total: of all. */
static unsigned add_up(const struct verdict *v, key_fn *key, struct share *list,
                       double *total)
{
    unsigned count = 0;
    *total = 0;
    for (unsigned i = 0; i < v->part_count; i++) {
        const char *name = key(v, &v->parts[i]);
        unsigned at = 0;
        if (!name)
            continue;
        while (at < count && strcmp(list[at].name, name) != 0)
            at++;
        if (at == count)
            list[count++] = (struct share){.name = name};
        list[at].cycles += v->parts[i].cycles;
        *total += v->parts[i].cycles;
    }
    for (unsigned i = 1; i < count; i++)
        for (unsigned j = i; j && list[j].cycles > list[j - 1].cycles; j--) {
            struct share swap = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swap;
        }
    return count;
}

/* The largest of them as shares of what they sum to. Returns the sum. */
static double say_shares(struct verdict_lines *l, const struct verdict *v,
                         key_fn *key)
{
    struct share *list =
        heap_new(v->part_count, sizeof *list, "for the verdict");
    double total;
    unsigned count = add_up(v, key, list, &total);
    for (unsigned i = 0; i < count && i < NAMED; i++)
        if (list[i].cycles >= WORTH * total)
            say(l, "%s%.0f %% %s", i ? ", " : "", 100 * list[i].cycles / total,
                list[i].name);
    free(list);
    return total;
}

static const char *key_of_hart(const struct verdict *v, const struct part *p)
{
    return part_of_rays(v, p) ? p->group : p->request ? "memory" : p->name;
}

static const char *key_of_ray(const struct verdict *v, const struct part *p)
{
    return p->slots != VERDICT_NONE && !p->coming ? p->name : NULL;
}

static const char *key_of_coming(const struct verdict *v, const struct part *p)
{
    return p->coming ? p->name : NULL;
}

static const char *key_of_request(const struct verdict *v, const struct part *p)
{
    return p->request && p->slots == VERDICT_NONE ? p->name : NULL;
}

static double sum_by(const struct verdict *v, key_fn *key)
{
    double sum = 0;
    for (unsigned i = 0; i < v->part_count; i++)
        sum += key(v, &v->parts[i]) ? v->parts[i].cycles : 0;
    return sum;
}

/* ---- the chain, from harts down ---- */

/* Without a region of interest all that main does counts. */
static void say_whole(struct verdict_lines *l, const struct verdict *v)
{
    if (!v->whole)
        return;
    say(l, "this is about the whole run, main included: put "
           "corbel_roi_begin() and corbel_roi_end() around what counts "
           "(corbel/corbel.h)");
    end(l);
}

/* What harts do or wait for, and how much of their time they have work. */
static void say_harts(struct verdict_lines *l, const struct verdict *v)
{
    say(l, "harts run or wait in %.0f %% of their cycles; of these ",
        100 * v->busy / v->all);
    say_shares(l, v, key_of_hart);
    end(l);
}

/* Rays in the slots of one group of units, whose parts are those inside. */
static void say_slots(struct verdict_lines *l, const struct verdict *v,
                      unsigned slots, const struct verdict *inside)
{
    const struct lever *of = &v->levers[slots];
    say(l,
        "%s: %.1f rays in flight, %.0f %% of the %s (%s=%" PRId64
        "), %.0f cycles a ray; of these ",
        of->group, of->in_flight, 100 * of->used, of->row->name, of->row->param,
        of->value, of->stay);
    say_shares(l, inside, key_of_ray);
    end(l);
    if (sum_by(inside, key_of_coming) < WORTH * v->busy)
        return;
    say(l, "%s: empty %s wait for rays: ", of->group, of->row->name);
    say_shares(l, inside, key_of_coming);
    end(l);
}

static void say_rays(struct verdict_lines *l, const struct verdict *v)
{
    struct verdict *inside = heap_new(1, sizeof *inside, "for the verdict");
    for (unsigned slots = 0; slots < v->lever_count; slots++) {
        inside->part_count = 0;
        for (unsigned i = 0; i < v->part_count; i++)
            if (v->parts[i].slots == slots)
                inside->parts[inside->part_count++] = v->parts[i];
        if (inside->part_count)
            say_slots(l, v, slots, inside);
    }
    free(inside);
}

/* The harts' own requests; those of rays are in the line before. */
static void say_requests(struct verdict_lines *l, const struct verdict *v)
{
    if (sum_by(v, key_of_request) < WORTH * v->busy)
        return;
    say(l, "harts wait for memory: ");
    say_shares(l, v, key_of_request);
    end(l);
}

/* Share of the cycles in which a place is all taken, or used. */
double verdict_load(const struct lever *l)
{
    double load = l->used > l->full ? l->used : l->full;
    return l->crowded > load ? l->crowded : load;
}

/* The place with the largest load that is not told yet. */
static const struct lever *fullest(const struct verdict *v,
                                   const struct lever *after)
{
    const struct lever *best = NULL;
    for (unsigned i = 0; i < v->lever_count; i++) {
        const struct lever *l = &v->levers[i];
        bool counts = l->row->sort <= LIMIT_PLACES && l != after &&
                      verdict_load(l) >= WORTH &&
                      (l->used >= 0 || l->queue >= WAITING);
        if (counts && after)
            counts = verdict_load(l) < verdict_load(after) ||
                     (verdict_load(l) == verdict_load(after) && l > after);
        if (counts && (!best || verdict_load(l) > verdict_load(best)))
            best = l;
    }
    return best;
}

/* How much a place is used, and how many wait. */
static void say_place(struct verdict_lines *l, const struct lever *at)
{
    say(l, "%s %s", at->group, at->row->name);
    if (at->links)
        say(l, " (%s.%s to %s.%s)", at->links->from, at->links->output,
            at->links->to, at->links->input);
    if (at->row->sort > LIMIT_PLACES)
        return;
    if (at->full >= WORTH)
        say(l, " all taken in %.0f %% of the cycles", 100 * at->full);
    else if (at->used >= 0 && at->crowded > at->used)
        say(l, " used %.0f %%, with a queue in %.0f %% of the cycles",
            100 * at->used, 100 * at->crowded);
    else if (at->used >= 0)
        say(l, " used %.0f %%", 100 * at->used);
    if (at->queue >= WAITING)
        say(l, ", on average %.1f wait for %s", at->queue,
            at->row->sort == LIMIT_PLACES ? "one" : "each");
}

/* The fullest places, whether they bind or not: what would be next. */
static void say_limits(struct verdict_lines *l, const struct verdict *v)
{
    const struct lever *at = fullest(v, NULL);
    say(l, "places used most: ");
    for (unsigned n = 0; at && n < NAMED; n++, at = fullest(v, at)) {
        say(l, n ? "; " : "");
        say_place(l, at);
    }
    end(l);
}

/* Names a change as -s takes it, where a parameter does it; else in words. */
void verdict_name_change(const struct verdict *v, const struct change *c,
                         char *text, size_t size)
{
    if (c->lever == VERDICT_NONE) {
        snprintf(text, size, "twice the %s", c->tms ? "TMs" : "harts");
        return;
    }
    const struct lever *l = &v->levers[c->lever];
    const struct limit_row *r = l->row;
    if (r->sort == LIMIT_PROGRAM)
        snprintf(text, size, "%s", r->change);
    else if (!r->param && r->sort == LIMIT_LATENCY)
        snprintf(text, size, "half the latency of %s to %s", r->name, l->group);
    else if (!r->param)
        snprintf(text, size, "twice the %s of %s", r->name, l->group);
    else
        snprintf(text, size, "%s.%s=%" PRId64 "%s%s", l->group, r->param,
                 r->sort == LIMIT_LATENCY || r->inverse ? l->value / 2
                                                        : l->value * 2,
                 l->with[0] ? " with " : "", l->with);
}

/* Share of the time of rays, or without any of harts, that a lever takes, or
 * makes wait. */
static double share_of(const struct verdict *v, unsigned lever, bool rays)
{
    double cycles = 0, all = 0;
    for (unsigned i = 0; i < v->part_count; i++) {
        const struct part *p = &v->parts[i];
        if (rays && p->slots == VERDICT_NONE)
            continue;
        all += p->cycles;
        cycles += p->lever == lever ? p->cycles : 0;
    }
    return all > 0 ? cycles / all : 0;
}

/* What gains most, of what the chip's description can change one by one. */
static void say_first(struct verdict_lines *l, const struct verdict *v,
                      const struct prediction *first)
{
    char name[200];
    unsigned lever = first->change.lever;
    if (first->of != GAIN_OF_LIMIT || first->speedup < 1 + WORTH) {
        say(l, "first limit: none that is in the chip's parameters");
        end(l);
        return;
    }
    say(l, "first limit: ");
    say_place(l, &v->levers[lever]);
    bool rays = sum_by(v, key_of_ray) > 0;
    double share = share_of(v, lever, rays);
    if (share >= WORTH)
        say(l, ", %.0f %% of the time of %s", 100 * share,
            rays ? "rays" : "harts");
    verdict_name_change(v, &first->change, name, sizeof name);
    say(l, "; %s gains %.0f %%", name, 100 * (first->speedup - 1));
    end(l);
}

/* The largest ones; then those of another program, and of a larger chip. */
static void say_gains(struct verdict_lines *l, const struct verdict *v)
{
    const struct prediction *list = v->predictions;
    unsigned count = v->prediction_count, told = 0;
    say_first(l, v, &list[0]);
    say(l, "predicted gains: ");
    for (unsigned i = 0; i < count; i++) {
        char name[200];
        static const char *const of[] = {[GAIN_OF_LIMIT] = "",
                                         [GAIN_OF_PROGRAM] =
                                             "of another program ",
                                         [GAIN_OF_SIZE] = "of a larger chip "};
        bool limit = list[i].of == GAIN_OF_LIMIT;
        if (list[i].speedup < 1 + WORTH || (limit && told > NAMED))
            continue;
        verdict_name_change(v, &list[i].change, name, sizeof name);
        say(l, "%s%s%+.0f %% %s", told ? ", " : "", of[list[i].of],
            100 * (list[i].speedup - 1), name);
        told++;
    }
    say(l, "%s", told ? "" : "none of 1 % or more, whatever is doubled");
    end(l);
}

/* Of each kind of work: what is done for a byte, and of what could be done. */
static void say_roofs(struct verdict_lines *l, const struct verdict *v)
{
    const char *before = "roofline: ";
    for (unsigned i = 0; i < v->roof_count; i++) {
        const struct roof *r = &v->roofs[i];
        if (r->bytes <= 0)
            continue;
        say(l, "%s%.3g %s a byte of DRAM and %.3g a cycle, %.0f %% of what %s",
            before, r->bytes, r->work, r->done, 100 * r->done / r->roof,
            r->roof < r->peak ? "the DRAM allows" : "the units can");
        before = "; ";
    }
    if (*before == ';')
        end(l);
}

static void say_left_out(struct verdict_lines *l, const struct verdict *v)
{
    if (v->left_out) {
        say(l, "%u limits of the last groups are left out: room is for %d",
            v->left_out, VERDICT_LEVERS);
        end(l);
    }
}

/* What the program has units do more often than it would have to. */
static void say_program(struct verdict_lines *l, const struct verdict *v)
{
    unsigned told = 0;
    for (unsigned i = 0; i < v->lever_count; i++) {
        const struct lever *of = &v->levers[i];
        if (of->row->sort != LIMIT_PROGRAM || of->used < 0 ||
            of->used > 1 - WORTH)
            continue;
        say(l, "%s%s: %.0f %% of the %s would do, with %s",
            told++ ? "; " : "the program on ", of->group, 100 * of->used,
            of->row->name, of->row->change);
    }
    if (told)
        end(l);
}

/* What is not known by legs cannot be followed further. */
void verdict_make_lines(struct verdict_lines *l, const struct verdict *v)
{
    l->count = 0;
    begin(l);
    say_whole(l, v);
    say_harts(l, v);
    say_rays(l, v);
    say_program(l, v);
    if (v->legs) {
        say_requests(l, v);
        say_limits(l, v);
        say_gains(l, v);
    }
    say_roofs(l, v);
    say_left_out(l, v);
    if (!v->legs) {
        say(l, "--stalls follows it through memory, and predicts what would "
               "help");
        end(l);
    }
}

void verdict_print(FILE *out, const struct verdict *v)
{
    struct verdict_lines lines;
    verdict_make_lines(&lines, v);
    for (unsigned i = 0; i < lines.count; i++)
        fprintf(out, "verdict       %s\n", lines.text[i]);
}
