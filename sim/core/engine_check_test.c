/*
 * What is loaded of answers that wait is refused where their lists lead out of
 * the tile's arrays, or where two of them have what one can have.
 */
#include "sim/core/engine_private.h"
#include "sim/core/toys.h"
#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

enum { PORT = 1 };

/* A chip that has run for a while, in which two answers wait at a port. */
struct holding {
    struct toy_server host;
    struct chip *chip;
    struct engine *engine;
    struct tile *tile;
    struct held_answers *held;
};

static void hold(struct tile *t)
{
    struct held_answers *h = &t->held[PORT];
    uint32_t index = tile_new_msg(t);
    t->pool[index] = (struct msg){
        .next = NONE, .flags = MSG_PAYLOAD, .value = tile_new_payload(t)};
    if (h->first == NONE)
        h->first = index;
    else
        t->pool[h->last].next = index;
    h->last = index;
    t->held_count++;
}

static void begin(struct holding *h)
{
    struct engine_options options = {.threads = 1};
    struct engine_hooks hooks = {.context = &h->host, .service = toy_serve};
    h->chip = toy_chip(&toys_usual);
    h->engine = engine_new(h->chip, &options, &hooks);
    engine_run(h->engine, 500, 0);
    h->tile = chip_unit_at(h->chip, 0)->tile;
    h->held = &h->tile->held[PORT];
    hold(h->tile);
    hold(h->tile);
}

/* "": it can be. */
static void check(struct holding *h, const char *expected)
{
    struct state s = {.loading = true};
    engine_check(h->engine, &s);
    assert_string_equal(s.failed ? s.error.text : "", expected);
}

static void end(struct holding *h)
{
    engine_free(h->engine);
    chip_free(h->chip);
}

static const char nowhere[] = "the lists of answers of a tile lead nowhere";

static void answers_that_wait_are_possible(void **state)
{
    struct holding h = {0};
    begin(&h);
    check(&h, "");
    end(&h);
}

/* The next answer would be appended at the last message. */
static void the_last_one_is_the_end_of_the_list(void **state)
{
    struct holding h = {0};
    begin(&h);
    h.held->last = h.tile->pool_size;
    check(&h, nowhere);
    h.held->last = h.held->first;
    check(&h, nowhere);
    end(&h);
}

static void a_message_or_payload_is_in_one_list(void **state)
{
    struct holding h = {0};
    begin(&h);
    struct msg *pool = h.tile->pool, *last = &pool[h.held->last];
    uint64_t own = last->value;
    last->value = pool[h.held->first].value;
    check(&h, nowhere);
    last->value = own;
    last->next = h.held->first;
    check(&h, nowhere);
    last->next = h.tile->pool_size;
    check(&h, nowhere);
    end(&h);
}

static void there_are_as_many_as_are_counted(void **state)
{
    struct holding h = {0};
    begin(&h);
    h.tile->held_count++;
    check(&h, nowhere);
    end(&h);
}

static void ports_that_may_send_are_in_one_list(void **state)
{
    struct holding h = {0};
    begin(&h);
    h.tile->released = PORT;
    h.held->next = NONE;
    check(&h, "");
    h.held->next = PORT;
    check(&h, nowhere);
    h.held->next = h.tile->outport_count;
    check(&h, nowhere);
    end(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_that_wait_are_possible),
        cmocka_unit_test(the_last_one_is_the_end_of_the_list),
        cmocka_unit_test(a_message_or_payload_is_in_one_list),
        cmocka_unit_test(there_are_as_many_as_are_counted),
        cmocka_unit_test(ports_that_may_send_are_in_one_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
