/*
 * A backtracking matcher: here() matches the items of a pattern one after the
 * other, and calls itself for the rest where an item may match in several ways.
 */
#include "sim/arch/pattern.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define ESCAPE '%'
#define DEPTH 200 /* of calls of here() */

static const char *here(struct pattern *m, const char *s, const char *p);

static int at(const char *s)
{
    return (unsigned char)*s;
}

/* ---- single characters ---- */

/* What follows a set that begins at p ('['). */
static const char *set_end(struct pattern *m, const char *p)
{
    p++;
    if (p < m->end && *p == '^')
        p++;
    for (const char *first = p; p == first || p >= m->end || *p != ']'; p++) {
        if (p < m->end && *p == ESCAPE)
            p++;
        if (p >= m->end)
            m->fail(m->context, "malformed pattern (missing ']')");
    }
    return p + 1;
}

/* What follows the single character, class or set at p. */
static const char *item_end(struct pattern *m, const char *p)
{
    if (*p == '[')
        return set_end(m, p);
    if (*p != ESCAPE)
        return p + 1;
    if (p + 1 == m->end)
        m->fail(m->context, "malformed pattern (ends with '%')");
    return p + 2;
}

/* %z: what older scripts have for a 0, which may stand in patterns now. */
static int is_zero(int c)
{
    return c == 0;
}

static bool in_class(int c, int class)
{
    static const struct {
        char name;
        int (*has)(int c);
    } rows[] = {{'a', isalpha}, {'c', iscntrl},  {'d', isdigit}, {'g', isgraph},
                {'l', islower}, {'p', ispunct},  {'s', isspace}, {'u', isupper},
                {'w', isalnum}, {'x', isxdigit}, {'z', is_zero}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (tolower(class) == rows[i].name)
            return !rows[i].has(c) == !!isupper(class);
    return class == c;
}

/* end: what follows the set. */
static bool in_set(int c, const char *p, const char *end)
{
    bool inside = true;
    if (*++p == '^') {
        inside = false;
        p++;
    }
    for (const char *last = end - 1; p < last; p++) {
        if (*p == ESCAPE) {
            if (in_class(c, at(++p)))
                return inside;
        } else if (p + 2 < last && p[1] == '-') {
            if (at(p) <= c && c <= at(p + 2))
                return inside;
            p += 2;
        } else if (at(p) == c) {
            return inside;
        }
    }
    return !inside;
}

static bool one(const struct pattern *m, const char *s, const char *p,
                const char *end)
{
    if (s >= m->text_end)
        return false;
    switch (*p) {
    case '.':
        return true;
    case ESCAPE:
        return in_class(at(s), at(p + 1));
    case '[':
        return in_set(at(s), p, end);
    default:
        return at(p) == at(s);
    }
}

/* ---- repetition ---- */

/* As often as possible, then less. end: what follows the item. */
static const char *longest(struct pattern *m, const char *s, const char *p,
                           const char *end)
{
    const char *last = s;
    while (one(m, last, p, end)) {
        m->step(m->context);
        last++;
    }
    for (; last >= s; last--) {
        const char *matched = here(m, last, end + 1);
        if (matched)
            return matched;
    }
    return NULL;
}

static const char *shortest(struct pattern *m, const char *s, const char *p,
                            const char *end)
{
    for (;;) {
        const char *matched = here(m, s, end + 1);
        if (matched)
            return matched;
        if (!one(m, s, p, end))
            return NULL;
        s++;
    }
}

/* ---- captures ---- */

static const char *open_capture(struct pattern *m, const char *s, const char *p,
                                ptrdiff_t length)
{
    if (m->count == PATTERN_CAPTURES)
        m->fail(m->context, "too many captures");
    m->captures[m->count++] = (struct capture){s, length};
    const char *matched = here(m, s, p);
    if (!matched)
        m->count--;
    return matched;
}

static const char *close_capture(struct pattern *m, const char *s,
                                 const char *p)
{
    unsigned i = m->count;
    while (i > 0 && m->captures[i - 1].length != CAPTURE_OPEN)
        i--;
    if (!i)
        m->fail(m->context, "invalid pattern capture");
    struct capture *c = &m->captures[i - 1];
    c->length = s - c->at;
    const char *matched = here(m, s, p);
    if (!matched)
        c->length = CAPTURE_OPEN;
    return matched;
}

/* The text of an earlier capture. */
static const char *same_again(struct pattern *m, const char *s, int digit)
{
    unsigned i = (unsigned)(digit - '1');
    if (digit == '0' || i >= m->count || m->captures[i].length < 0)
        m->fail(m->context, "invalid capture index in pattern");
    const struct capture *c = &m->captures[i];
    for (ptrdiff_t n = 0; n < c->length; n += 16)
        m->step(m->context);
    bool same =
        m->text_end - s >= c->length && !memcmp(c->at, s, (size_t)c->length);
    return same ? s + c->length : NULL;
}

/* ---- other items ---- */

/* %bxy at p. */
static const char *balanced(struct pattern *m, const char *s, const char *p)
{
    if (m->end - p < 4)
        m->fail(m->context, "malformed pattern (missing arguments to '%b')");
    if (s >= m->text_end || *s != p[2])
        return NULL;
    long open = 1;
    for (s++; s < m->text_end; s++) {
        m->step(m->context);
        if (*s == p[3] && !--open)
            return s + 1;
        if (*s == p[2] && p[2] != p[3])
            open++;
    }
    return NULL;
}

/* %f[set]: p is at the set. */
static bool at_frontier(struct pattern *m, const char *s, const char *p,
                        const char *end)
{
    int before = s == m->text ? 0 : at(s - 1);
    int after = s < m->text_end ? at(s) : 0;
    return !in_set(before, p, end) && in_set(after, p, end);
}

/* An item at p that is one character with what may follow it. *next: where the
 * pattern goes on if the result is to go on from; NULL: the result is final. */
static const char *repeated(struct pattern *m, const char *s, const char *p,
                            const char **next)
{
    const char *end = item_end(m, p), *matched;
    bool fits = one(m, s, p, end);
    switch (end < m->end ? *end : 0) {
    case '?':
        if (fits && (matched = here(m, s + 1, end + 1)))
            return matched;
        *next = end + 1;
        return s;
    case '+':
        return fits ? longest(m, s + 1, p, end) : NULL;
    case '*':
        return longest(m, s, p, end);
    case '-':
        return shortest(m, s, p, end);
    default:
        *next = end;
        return fits ? s + 1 : NULL;
    }
}

/* An item that begins with '%' and is no class; else like repeated(). */
static const char *escaped(struct pattern *m, const char *s, const char *p,
                           const char **next)
{
    int kind = p + 1 < m->end ? at(p + 1) : 0;
    if (kind == 'b') {
        *next = p + 4;
        return balanced(m, s, p);
    }
    if (isdigit(kind)) {
        *next = p + 2;
        return same_again(m, s, kind);
    }
    if (kind != 'f')
        return repeated(m, s, p, next);
    if (p + 2 >= m->end || p[2] != '[')
        m->fail(m->context, "missing '[' after '%f' in pattern");
    *next = set_end(m, p + 2);
    return at_frontier(m, s, p + 2, *next) ? s : NULL;
}

static const char *item(struct pattern *m, const char *s, const char *p,
                        const char **next)
{
    switch (*p) {
    case '(':
        if (p + 1 < m->end && p[1] == ')')
            return open_capture(m, s, p + 2, CAPTURE_POSITION);
        return open_capture(m, s, p + 1, CAPTURE_OPEN);
    case ')':
        return close_capture(m, s, p + 1);
    case '$':
        if (p + 1 == m->end)
            return s == m->text_end ? s : NULL;
        return repeated(m, s, p, next);
    case ESCAPE:
        return escaped(m, s, p, next);
    default:
        return repeated(m, s, p, next);
    }
}

static const char *here(struct pattern *m, const char *s, const char *p)
{
    if (!m->depth)
        m->fail(m->context, "pattern too complex");
    m->depth--;
    while (s && p < m->end) {
        const char *next = NULL;
        m->step(m->context);
        s = item(m, s, p, &next);
        if (!next)
            break;
        p = next;
    }
    m->depth++;
    return s;
}

const char *pattern_match(struct pattern *m, const char *start,
                          const char *pattern)
{
    m->count = 0;
    m->depth = DEPTH;
    m->step(m->context);
    return here(m, start, pattern);
}
