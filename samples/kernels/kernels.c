/*
 * Four kernels of embedded programs, one after the other in each round, over
 * data made from the round's number:
 *
 *   list     a linked list is sorted by merging, searched, turned round
 *   matrix   16-bit integer matrices are multiplied
 *   scan     a state machine tells the words, integers, decimals and
 *            hexadecimals of a text apart
 *   crc      a cyclic redundancy check, bit by bit, over the text
 *
 * Each checks a property of its own result, whatever the data: the order of
 * the list, (A B) v = A (B v), the tokens that were written into the text, the
 * residue that a text followed by its own check leaves.
 */
#include "../common/rounds.h"

#include <stdbool.h>

enum {
    ROUNDS = 1000,
    NODES = 128,
    SEARCHES = 32,
    SIDE = 16,
    TOKENS = 64,
    TOKEN_LENGTH = 8, /* at most, the space behind it included */
    TEXT = TOKENS * TOKEN_LENGTH + 4,
};

enum token { WORD, INTEGER, DECIMAL, HEXADECIMAL, JUNK, TOKEN_KINDS };

struct node {
    struct node *next;
    uint32_t key;
    uint32_t place; /* before sorting */
};

struct work {
    struct node nodes[NODES];
    int16_t a[SIDE][SIDE], b[SIDE][SIDE], v[SIDE];
    int32_t product[SIDE][SIDE];
    unsigned char text[TEXT];
    uint32_t length;
    uint32_t written[TOKEN_KINDS]; /* tokens of each kind in the text */
    uint32_t seed;
    bool wrong;
};

#define PART static __attribute__((noinline))

/* ---- list ---- */

static struct node *make_list(struct work *w)
{
    struct node *list = NULL;
    for (uint32_t i = 0; i < NODES; i++) {
        w->nodes[i].key = rounds_random(&w->seed) % 1000;
        w->nodes[i].place = i;
        w->nodes[i].next = list;
        list = &w->nodes[i];
    }
    return list;
}

static bool comes_first(const struct node *a, const struct node *b)
{
    return a->key < b->key || (a->key == b->key && a->place < b->place);
}

/* Takes up to count nodes off *rest, which are linked to nothing more. */
static struct node *cut(struct node **rest, uint32_t count)
{
    struct node **link = rest;
    while (*link && count--)
        link = &(*link)->next;
    struct node *behind = *link;
    *link = NULL;
    struct node *taken = *rest;
    *rest = behind;
    return taken;
}

/* Merges a and b behind *link; returns where the next node is to be linked. */
static struct node **merge(struct node **link, struct node *a, struct node *b)
{
    while (a && b) {
        struct node **first = comes_first(a, b) ? &a : &b;
        *link = *first;
        *first = (*first)->next;
        link = &(*link)->next;
    }
    *link = a ? a : b;
    while (*link)
        link = &(*link)->next;
    return link;
}

/* From the shortest runs upwards: no recursion, kernels have small stacks. */
PART struct node *sort(struct node *list)
{
    for (uint32_t run = 1; run < NODES; run *= 2) {
        struct node *rest = list, **link = &list;
        while (rest) {
            struct node *a = cut(&rest, run);
            struct node *b = cut(&rest, run);
            link = merge(link, a, b);
        }
    }
    return list;
}

PART struct node *reverse(struct node *list)
{
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

PART const struct node *search(const struct node *list, uint32_t key)
{
    while (list && list->key != key)
        list = list->next;
    return list;
}

static uint32_t use_list(struct work *w)
{
    uint32_t sum = 0, nodes = 0;
    struct node *list = sort(make_list(w));
    for (const struct node *n = list; n; n = n->next, nodes++) {
        w->wrong |= n->next && comes_first(n->next, n);
        sum = rounds_mix(sum, n->key << 8 | n->place);
    }
    w->wrong |= nodes != NODES;
    list = reverse(list);
    for (uint32_t i = 0; i < SEARCHES; i++) {
        const struct node *found = search(list, rounds_random(&w->seed) % 1000);
        sum = rounds_mix(sum, found ? found->place : NODES);
    }
    return sum;
}

/* ---- matrix: all sums modulo 2^32 ---- */

static void fill_matrices(struct work *w)
{
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            w->a[i][j] = (int16_t)rounds_random(&w->seed);
            w->b[i][j] = (int16_t)rounds_random(&w->seed);
        }
        w->v[i] = (int16_t)rounds_random(&w->seed);
    }
}

PART void multiply(struct work *w)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += (uint32_t)(w->a[i][k] * w->b[k][j]);
            w->product[i][j] = (int32_t)sum;
        }
}

static uint32_t use_matrices(struct work *w)
{
    uint32_t bv[SIDE], check = 0;
    fill_matrices(w);
    multiply(w);
    for (int i = 0; i < SIDE; i++) {
        bv[i] = 0;
        for (int k = 0; k < SIDE; k++)
            bv[i] += (uint32_t)(w->b[i][k] * w->v[k]);
    }
    for (int i = 0; i < SIDE; i++) {
        uint32_t left = 0, right = 0;
        for (int k = 0; k < SIDE; k++) {
            left += (uint32_t)w->product[i][k] * (uint32_t)w->v[k];
            right += (uint32_t)w->a[i][k] * bv[k];
        }
        w->wrong |= left != right;
        check = rounds_mix(check, left);
    }
    return check;
}

/* ---- scan ---- */

static unsigned char *put_digits(unsigned char *at, uint32_t random, int count,
                                 uint32_t base)
{
    while (count--) {
        *at++ = (unsigned char)"0123456789abcdef"[random % base];
        random /= base;
    }
    return at;
}

static unsigned char *put_token(unsigned char *at, enum token kind,
                                uint32_t random)
{
    int count = 1 + (int)(random % 3);
    switch (kind) {
    case WORD:
        for (; count >= 0; count--)
            *at++ = (unsigned char)('a' + (random >> 2 * count & 15));
        return at;
    case INTEGER:
        return put_digits(at, random, count, 10);
    case DECIMAL:
        at = put_digits(at, random, count, 10);
        *at++ = '.';
        return put_digits(at, random >> 8, count, 10);
    case HEXADECIMAL:
        *at++ = '0';
        *at++ = 'x';
        return put_digits(at, random, count, 16);
    default: /* a digit that a word ends with, a comma in a number */
        *at++ = random & 1 ? 'q' : '7';
        *at++ = random & 1 ? '3' : ',';
        return at;
    }
}

static void write_text(struct work *w)
{
    unsigned char *at = w->text;
    for (int kind = 0; kind < TOKEN_KINDS; kind++)
        w->written[kind] = 0;
    for (int i = 0; i < TOKENS; i++) {
        uint32_t random = rounds_random(&w->seed);
        enum token kind = (enum token)(random % TOKEN_KINDS);
        at = put_token(at, kind, random / TOKEN_KINDS);
        *at++ = i % 8 == 7 ? '\n' : ' ';
        w->written[kind]++;
    }
    w->length = (uint32_t)(at - w->text);
}

enum state { START, IN_WORD, ZERO, DIGITS, POINT, FRACTION, X, HEX, LOST };

static bool is_digit(unsigned c)
{
    return c - '0' < 10;
}

static bool is_letter(unsigned c)
{
    return c - 'a' < 26;
}

/* The state after c, which is no white space. */
static enum state step(enum state state, unsigned c)
{
    switch (state) {
    case START:
        if (is_letter(c))
            return IN_WORD;
        return c == '0' ? ZERO : is_digit(c) ? DIGITS : LOST;
    case IN_WORD:
        return is_letter(c) ? IN_WORD : LOST;
    case ZERO:
        if (c == 'x')
            return X;
        /* fall through */
    case DIGITS:
        return is_digit(c) ? DIGITS : c == '.' ? POINT : LOST;
    case POINT:
    case FRACTION:
        return is_digit(c) ? FRACTION : LOST;
    case X:
    case HEX:
        return is_digit(c) || c - 'a' < 6 ? HEX : LOST;
    default:
        return LOST;
    }
}

static enum token ended_in(enum state state)
{
    switch (state) {
    case IN_WORD:
        return WORD;
    case ZERO:
    case DIGITS:
        return INTEGER;
    case FRACTION:
        return DECIMAL;
    case HEX:
        return HEXADECIMAL;
    default:
        return JUNK;
    }
}

PART void scan(const struct work *w, uint32_t found[TOKEN_KINDS])
{
    enum state state = START;
    for (uint32_t i = 0; i < w->length; i++) {
        unsigned c = w->text[i];
        if (c > ' ') {
            state = step(state, c);
        } else if (state != START) {
            found[ended_in(state)]++;
            state = START;
        }
    }
}

static uint32_t use_scanner(struct work *w)
{
    uint32_t found[TOKEN_KINDS] = {0}, sum = 0;
    write_text(w);
    scan(w, found);
    for (int kind = 0; kind < TOKEN_KINDS; kind++) {
        w->wrong |= found[kind] != w->written[kind];
        sum = rounds_mix(sum, found[kind]);
    }
    return sum;
}

/* ---- crc: that of Ethernet, least significant bit first ---- */

PART uint32_t crc(const unsigned char *bytes, uint32_t count)
{
    uint32_t rest = 0xffffffff;
    for (uint32_t i = 0; i < count; i++) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? 0xedb88320 : 0);
    }
    return ~rest;
}

static uint32_t use_crc(struct work *w)
{
    const uint32_t residue = 0x2144df1c;
    uint32_t check = crc(w->text, w->length);
    for (int i = 0; i < 4; i++)
        w->text[w->length + (uint32_t)i] = (unsigned char)(check >> 8 * i);
    w->wrong |= crc(w->text, w->length + 4) != residue;
    return check;
}

static uint32_t one_round(struct work *w, uint32_t round)
{
    w->seed = round;
    w->wrong = false;
    uint32_t sum = use_list(w);
    sum = rounds_mix(sum, use_matrices(w));
    sum = rounds_mix(sum, use_scanner(w));
    return rounds_mix(sum, use_crc(w));
}

static void kernel(void *arg)
{
    struct rounds *rounds = arg;
    struct work *work = rounds_state(rounds);
    uint32_t sum = 0;
    for (uint32_t i; (i = corbel_next()) < rounds->count;) {
        sum += one_round(work, i);
        if (work->wrong)
            rounds_wrong(rounds);
    }
    rounds_add(rounds, sum);
}

int main(int argc, char **argv)
{
    struct rounds rounds = {.program = "kernels",
                            .count = ROUNDS,
                            .state_size = sizeof(struct work)};
    rounds_parse(&rounds, argc, argv, "kernels [ROUNDS]");
    return rounds_run(&rounds, kernel);
}
