/*
 * A chip of toys that is saved and loaded into another one goes on as if
 * nothing had been, wherever that is and however both run.
 */
#include "sim/core/covered.h"
#include "sim/core/heap.h"
#include "sim/core/toys.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

/* A checkpoint in memory. */
struct memory {
    struct state state;
    char *bytes;
    size_t count, room, at;
};

static bool move(struct state *s, void *bytes, size_t count)
{
    struct memory *m = (struct memory *)s;
    if (s->loading) {
        if (count > m->count - m->at)
            return state_fail(s, "it ends early");
        memcpy(bytes, m->bytes + m->at, count);
        m->at += count;
        return true;
    }
    while (m->count + count > m->room) {
        m->room = m->room ? 2 * m->room : 4096;
        m->bytes = realloc(m->bytes, m->room);
        assert_non_null(m->bytes);
    }
    memcpy(m->bytes + m->count, bytes, count);
    m->count += count;
    return true;
}

/* What a host would have to keep of its own. */
struct server {
    struct toy_server toys;
    struct engine *engine;
    struct memory *to;
    unsigned saves;
};

static void save(void *context, uint64_t now)
{
    struct server *s = context;
    assert_int_equal(now, engine_cycle(s->engine));
    if (s->saves++)
        return;
    state_cover(&s->to->state);
    state_bytes(&s->to->state, &s->toys, sizeof s->toys);
    engine_state(s->engine, &s->to->state);
    state_covered(&s->to->state);
}

static const struct engine_hooks hooks = {.service = toy_serve, .save = save};

/* Runs a chip from where `from` has it, NULL: from cycle 0, up to the limit;
 * saves into `to` in the first multiple of `every`, or, if that is 0, at the
 * end. */
static struct outcome run(const struct toys *toys,
                          struct engine_options options, struct memory *from,
                          struct memory *to, uint64_t every, uint64_t limit)
{
    struct server server = {.to = to};
    struct engine_hooks h = hooks;
    struct chip *chip = toy_chip(toys);
    h.context = &server;
    server.engine = engine_new(chip, &options, &h);
    if (from) {
        from->state = (struct state){.loading = true, .move = move};
        from->at = 0;
        state_bytes(&from->state, &server.toys, sizeof server.toys);
        engine_state(server.engine, &from->state);
        assert_false(from->state.failed);
        assert_int_equal(from->at, from->count);
    }
    engine_save_every(server.engine, every);
    enum engine_stop stop = engine_run(server.engine, limit, 0);
    if (to && !every)
        save(&server, engine_cycle(server.engine));
    assert_int_equal(to != NULL, server.saves > 0);
    struct outcome o =
        toy_outcome(chip, engine_cycle(server.engine), &server.toys, stop);
    engine_free(server.engine);
    chip_free(chip);
    return o;
}

/* All eight ways to run, by number; none of them shows in results. */
static struct engine_options options_of(unsigned i)
{
    return (struct engine_options){
        .threads = 1 + i % 2, .no_skip = i / 2 % 2, .reverse_order = i / 4 % 2};
}

static void compare(const struct toys *toys)
{
    struct outcome whole = run(toys, options_of(0), NULL, NULL, 0, CYCLE_NEVER);
    assert_int_equal(whole.stop, ENGINE_DEADLOCK);
    for (unsigned i = 0; i < 64; i++) {
        uint64_t at = 1 + whole.cycle * i / 65 + i % 7;
        struct memory m = {.state.move = move};
        bool stops = i / 8 % 2;
        struct outcome o = run(toys, options_of(i), NULL, &m, stops ? 0 : at,
                               stops ? at : CYCLE_NEVER);
        if (m.state.failed)
            fail_msg("%s", m.state.error.text);
        if (!stops)
            assert_int_equal(o.hash, whole.hash);
        o = run(toys, options_of(i / 8 + i), &m, NULL, 0, CYCLE_NEVER);
        assert_int_equal(o.hash, whole.hash);
        assert_int_equal(o.cycle, whole.cycle);
        assert_int_equal(o.stop, whole.stop);
        free(m.bytes);
    }
}

static void a_loaded_chip_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    compare(&toys_usual);
    compare(&toys_two_sides);
}

/* Saved at each step of the way, from what was loaded. */
static void it_may_be_saved_again_and_again(void **state)
{
    (void)state;
    struct outcome whole =
        run(&toys_two_sides, options_of(0), NULL, NULL, 0, CYCLE_NEVER);
    struct memory m = {.state.move = move};
    struct outcome o = run(&toys_two_sides, options_of(0), NULL, &m, 0, 100);
    for (uint64_t limit = 200; o.stop == ENGINE_LIMIT; limit += 100) {
        struct memory next = {.state.move = move};
        o = run(&toys_two_sides, options_of(limit / 100 % 8), &m, &next, 0,
                limit);
        free(m.bytes);
        m = next;
    }
    assert_int_equal(o.hash, whole.hash);
    assert_int_equal(o.cycle, whole.cycle);
    free(m.bytes);
}

static void another_chip_is_refused(void **state)
{
    (void)state;
    struct memory m = {.state.move = move};
    run(&toys_usual, options_of(0), NULL, &m, 0, 500);
    struct engine_options options = options_of(0);
    struct chip *chip = toy_chip(&toys_two_sides);
    struct engine *e = engine_new(chip, &options, &hooks);
    m.state = (struct state){.loading = true, .move = move};
    m.at = sizeof(struct toy_server);
    engine_state(e, &m.state);
    assert_true(m.state.failed);
    assert_non_null(strstr(m.state.error.text, "here it is"));
    engine_free(e);
    chip_free(chip);
    free(m.bytes);
}

static void a_cut_checkpoint_is_refused(void **state)
{
    (void)state;
    struct memory m = {.state.move = move};
    run(&toys_usual, options_of(0), NULL, &m, 0, 500);
    size_t all = m.count;
    for (m.count = 0; m.count < all; m.count += 1 + all / 50) {
        struct engine_options options = options_of(0);
        struct chip *chip = toy_chip(&toys_usual);
        struct engine *e = engine_new(chip, &options, &hooks);
        m.state = (struct state){.loading = true, .move = move};
        m.at = 0;
        engine_state(e, &m.state);
        assert_true(m.state.failed);
        engine_free(e);
        chip_free(chip);
    }
    free(m.bytes);
}

/* Loads a checkpoint in which four bytes at a place are others. */
static struct error load_changed(struct memory *m, size_t at, uint32_t word)
{
    struct engine_options options = options_of(0);
    struct chip *chip = toy_chip(&toys_usual);
    struct engine *e = engine_new(chip, &options, &hooks);
    uint32_t was;
    memcpy(&was, m->bytes + at, sizeof was);
    memcpy(m->bytes + at, &word, sizeof word);
    m->state = (struct state){.loading = true, .move = move};
    m->at = sizeof(struct toy_server);
    engine_state(e, &m->state);
    memcpy(m->bytes + at, &was, sizeof was);
    engine_free(e);
    chip_free(chip);
    return m->state.error;
}

/* Whatever is changed, it is loaded or refused, in bounds (sanitizers look). */
static void lists_that_lead_nowhere_are_refused(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "free messages of a tile lead",     "what comes of a tile lead",
        "messages at ports of a tile lead", "more under way than",
        "a pointer leads nowhere",          "wake-up is of no unit"};
    unsigned seen = 0;
    struct memory m = {.state.move = move};
    run(&toys_usual, options_of(0), NULL, &m, 0, 500);
    size_t all = m.count - sizeof(uint32_t), first = sizeof(struct toy_server);
    for (unsigned i = 0; i < 6000; i++) {
        size_t at = first + (size_t)i * 2654435761u % (all - first) / 4 * 4;
        struct error e = load_changed(&m, at, i % 3 ? i % 70 : UINT32_MAX - i);
        for (unsigned k = 0; k < TABLE_COUNT(refused); k++)
            seen |= (unsigned)(m.state.failed && strstr(e.text, refused[k]))
                    << k;
    }
    free(m.bytes);
    assert_int_equal(seen, (1u << TABLE_COUNT(refused)) - 1);
}

/* The disk is full: the run that was to be saved goes on. */
static bool move_some(struct state *s, void *bytes, size_t count)
{
    struct memory *m = (struct memory *)s;
    m->count += count;
    return m->count < m->room || state_fail(s, "no room");
}

static void a_run_that_cannot_be_saved_goes_on(void **state)
{
    (void)state;
    struct outcome whole =
        run(&toys_two_sides, options_of(0), NULL, NULL, 0, CYCLE_NEVER);
    for (unsigned i = 0; i < 200; i++) {
        struct memory m = {.state.move = move_some, .room = i % 2 ? 1 : 20000};
        struct outcome o = run(&toys_two_sides, options_of(i), NULL, &m,
                               1 + i * (whole.cycle - 50) / 200, CYCLE_NEVER);
        assert_true(m.state.failed);
        assert_int_equal(o.hash, whole.hash);
        assert_int_equal(o.cycle, whole.cycle);
    }
}

/* ---- kinds that have not named all of their pointers ---- */

/* A toy with a pointer more, into its own block. */
struct holder {
    struct toy toy;
    uint64_t *own;
};

static bool build_heap_holder(struct unit *u, struct error *error)
{
    struct holder *h = (struct holder *)u;
    h->own = heap_new(4, sizeof *h->own, "a holder");
    return toy_kinds[0]->build(u, error);
}

static void free_own(struct unit *u)
{
    free(((struct holder *)u)->own);
}

static void keep_own(struct unit *u, struct state *s)
{
    state_bytes(s, ((struct holder *)u)->own, 4 * sizeof(uint64_t));
}

static bool build_holder(struct unit *u, struct error *error)
{
    struct holder *h = (struct holder *)u;
    h->own = chip_alloc(u->chip, 4, sizeof *h->own);
    return toy_kinds[0]->build(u, error);
}

/* A chip of one unit of such a kind. */
static struct chip *holder_chip(const struct unit_kind *kind)
{
    struct error e;
    const struct unit_kind *kinds[] = {kind, NULL};
    struct chip *chip = chip_new(kinds, NULL);
    struct tile *tile = chip_tile(chip, "tile");
    struct unit *u = chip_unit(chip, tile, "toy", "holder", NULL, &e);
    assert_true(u && chip_set(chip, u, "messages", 0, &e));
    assert_true(chip_link(chip, u, "out", u, "in", 1, 1, &e));
    assert_true(chip_finish(chip, &e));
    return chip;
}

static void save_or_load(struct chip *chip, struct memory *m)
{
    struct engine_options options = options_of(0);
    struct engine *engine = engine_new(chip, &options, &hooks);
    state_cover(&m->state);
    engine_state(engine, &m->state);
    state_covered(&m->state);
    engine_free(engine);
}

/* Saves a chip of one unit of such a kind. */
static void save_kind(const struct unit_kind *kind, struct memory *m)
{
    struct chip *chip = holder_chip(kind);
    *m = (struct memory){.state.move = move};
    save_or_load(chip, m);
    chip_free(chip);
    free(m->bytes);
}

/* Whose kind has these rows. */
static void save_holder(const struct state_row *rows, unsigned count,
                        struct memory *m)
{
    struct unit_kind kind = *toy_kinds[0];
    kind.size = sizeof(struct holder);
    kind.build = build_holder;
    kind.state_rows = rows;
    kind.state_count = count;
    save_kind(&kind, m);
}

#define STATE_STRUCT struct holder
static const struct state_row all[] = {STATE_POINTER(toy.account.bucket),
                                       STATE_POINTER(own)};

static void a_kind_without_a_table_is_refused_by_name(void **state)
{
    (void)state;
    struct memory m;
    save_holder(NULL, 0, &m);
    assert_string_equal(m.state.error.text,
                        "holder cannot be saved: kind toy declares no state");
    save_holder(all, 2, &m);
    if (m.state.failed)
        fail_msg("%s", m.state.error.text);
}

/* Only a checked build finds it. */
static void a_pointer_that_no_table_has_is_found(void **state)
{
    (void)state;
    struct memory m;
    char expected[100];
    snprintf(expected, sizeof expected,
             "holder (toy) has an address in byte %zu of its struct",
             offsetof(struct holder, own));
    if (!CHECKED)
        skip();
    save_holder(all, 1, &m);
    assert_true(m.state.failed);
    assert_non_null(strstr(m.state.error.text, expected));
}

static void memory_elsewhere_that_is_not_kept_is_found(void **state)
{
    (void)state;
    struct memory m;
    struct unit_kind kind = *toy_kinds[0];
    if (!CHECKED)
        skip();
    kind.size = sizeof(struct holder);
    kind.build = build_heap_holder;
    kind.destroy = free_own;
    kind.state_rows = all;
    kind.state_count = 2;
    save_kind(&kind, &m);
    assert_string_equal(m.state.error.text, "holder (toy): nothing is saved "
                                            "of 32 bytes for a holder");
    kind.keep = keep_own;
    save_kind(&kind, &m);
    if (m.state.failed)
        fail_msg("%s", m.state.error.text);
}

/* What a unit has got for itself it keeps, whatever a file says, and frees. */
static void memory_elsewhere_cannot_be_lost(void **state)
{
    (void)state;
    struct unit_kind kind = *toy_kinds[0];
    struct memory m = {.state.move = move};
    const uint64_t as_built = 1, nowhere = 0;
    unsigned refused = 0;
    kind.size = sizeof(struct holder);
    kind.build = build_heap_holder;
    kind.destroy = free_own;
    kind.keep = keep_own;
    kind.state_rows = all;
    kind.state_count = 2;
    struct chip *chip = holder_chip(&kind);
    struct holder *h = (struct holder *)chip_unit_at(chip, 0);
    const uint64_t *own = h->own;
    save_or_load(chip, &m);
    assert_false(m.state.failed);
    for (size_t at = 0; at + sizeof as_built <= m.count; at++) {
        if (memcmp(m.bytes + at, &as_built, sizeof as_built))
            continue;
        memcpy(m.bytes + at, &nowhere, sizeof nowhere);
        m.state = (struct state){.loading = true, .move = move};
        m.at = 0;
        save_or_load(chip, &m);
        refused += m.state.failed &&
                   !strcmp(m.state.error.text, "a pointer leads nowhere");
        assert_ptr_equal(h->own, own);
        memcpy(m.bytes + at, &as_built, sizeof as_built);
    }
    assert_int_equal(refused, 1);
    chip_free(chip);
    free(m.bytes);
}

/* The engine saves the heads of units' structs one by one. */
static void a_member_that_is_not_saved_is_found(void **state)
{
    (void)state;
#if !CHECKED
    skip();
#else
    char text[200];
    uint64_t members[4] = {0};
    covered_watch(members, sizeof members, "members");
    members[2] = 7;
    covered_begin();
    covered_add(members, 2 * sizeof *members);
    assert_false(covered_structs(text, sizeof text));
    assert_string_equal(
        text, "byte 16 of 32 of members has changed, and is not saved");
    covered_add(&members[2], sizeof *members);
    assert_true(covered_structs(text, sizeof text));
    members[3] = (uintptr_t)text;
    covered_begin();
    assert_int_equal(covered_address(members, sizeof members), 24);
    covered_forget();
#endif
}

/* An index of a message and a cycle, say, in a process whose memory lies just
 * there. */
static void two_numbers_are_no_address(void **state)
{
    (void)state;
#if !CHECKED
    skip();
#else
    const uint64_t cycle = 0x6abd, middle = cycle << 32, half = 64 << 20;
    char *memory =
        mmap((void *)(middle - half), 2 * half, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    checked_addresses();
    assert_false(checked_is_address(middle + 10));
    assert_false(checked_is_address(middle - 1));
    assert_true(checked_is_address(middle + half / 2));
    assert_true(checked_is_address(middle - half / 2));
    munmap(memory, 2 * half);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_chip_goes_on_as_the_saved_one),
        cmocka_unit_test(it_may_be_saved_again_and_again),
        cmocka_unit_test(another_chip_is_refused),
        cmocka_unit_test(a_cut_checkpoint_is_refused),
        cmocka_unit_test(lists_that_lead_nowhere_are_refused),
        cmocka_unit_test(a_run_that_cannot_be_saved_goes_on),
        cmocka_unit_test(a_kind_without_a_table_is_refused_by_name),
        cmocka_unit_test(a_pointer_that_no_table_has_is_found),
        cmocka_unit_test(memory_elsewhere_that_is_not_kept_is_found),
        cmocka_unit_test(memory_elsewhere_cannot_be_lost),
        cmocka_unit_test(a_member_that_is_not_saved_is_found),
        cmocka_unit_test(two_numbers_are_no_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
