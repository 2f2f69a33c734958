/*
 * The dram unit against a plain computation: the same requests, taken and
 * answered cycle by cycle as docs/reference/dram.md says.
 */
#include "sim/units/memory/dram_partition_bench.h"

/* ---- against a plain computation, cycle by cycle ---- */

#define MOST 4000u

/* Bursts and pauses, reads and some writes, some of them to the same rows. */
static void build_mixed(struct bench *b)
{
    const struct trial *t = b->scenario->with;
    memory(b, t->settings, 1);
    uint32_t seed = 7;
    uint64_t at = 0, written = 0;
    for (unsigned i = 0; i < t->requests; i++) {
        at += noise(&seed) % 16 ? noise(&seed) % 3 : noise(&seed) % 900;
        uint64_t addr = noise(&seed) % 4 ? SECTOR * (uint64_t)i
                                         : noise(&seed) % 0x400000 & ~31u;
        if (noise(&seed) % 8 == 0)
            fill(b->drivers[0], at, written);
        else if (noise(&seed) % 4)
            fill(b->drivers[0], at, addr);
        else
            write_back(b->drivers[0], at, written = addr);
    }
}

/* The unit, with everything looked after in every cycle. Requests have numbers,
 * client after client. */
struct reference {
    struct dram *dram;
    struct clock_ratio clock;
    uint64_t back;
    unsigned accepts, answers, room;
    const struct ask *ask[MOST];
    unsigned clients, next[BENCH_UNITS], end[BENCH_UNITS], turn;
    unsigned front[MOST], taken, offered; /* in order of taking */
    uint64_t due[MOST];                   /* at the controllers */
    uint64_t there[MOST];                 /* clock of the data */
    unsigned known[MOST];                 /* number of its completion */
    uint64_t answer[MOST];
    unsigned count, completions, left;
};

static struct dram *reference_dram(struct unit *u, const struct dram_device *d)
{
    struct error e;
    struct dram_policy policy =
        dram_policy_of((enum dram_rules)bench_param(u, "rules"));
    policy.scheduler = (uint8_t)bench_param(u, "scheduler");
    policy.refresh = (uint8_t)bench_param(u, "refresh");
    policy.read_queue = (uint32_t)bench_param(u, "read_queue");
    policy.write_queue = (uint32_t)bench_param(u, "write_queue");
    policy.active_queue = (uint32_t)bench_param(u, "active_queue");
    policy.write_high = (uint32_t)bench_param(u, "write_high");
    policy.write_low = (uint32_t)bench_param(u, "write_low");
    struct dram_options options = {.device = d,
                                   .policy = policy,
                                   .channels =
                                       (uint32_t)bench_param(u, "channels")};
    struct dram *dram = dram_new(&options, &e);
    if (!dram)
        fail_msg("%s", e.text);
    return dram;
}

/* Requests go in the order of due cycles, then of getting known. */
static bool before(const struct reference *r, unsigned i, unsigned j)
{
    uint64_t a = cycle_of(&r->clock, r->there[i]);
    uint64_t b = cycle_of(&r->clock, r->there[j]);
    return a != b ? a < b : r->known[i] < r->known[j];
}

static bool is_read(const struct reference *r, unsigned i)
{
    return r->ask[i]->msg.op == MEM_FILL;
}

/* False: nothing is due. */
static bool answer_one(struct reference *r, uint64_t cycle)
{
    unsigned best = r->count;
    for (unsigned i = 0; i < r->count; i++)
        if (is_read(r, i) && r->there[i] && !r->answer[i] &&
            cycle_of(&r->clock, r->there[i]) + r->back <= cycle &&
            (best == r->count || before(r, i, best)))
            best = i;
    if (best == r->count)
        return false;
    r->answer[best] = cycle;
    r->left--;
    return true;
}

/* Takes from the first client in turn that has one; false: none has. */
static bool take_one(struct reference *r, uint64_t cycle)
{
    for (unsigned n = 0; n < r->clients; n++) {
        unsigned client = (r->turn + n) % r->clients, i = r->next[client];
        if (i == r->end[client] || r->ask[i]->sent + LINK > cycle)
            continue;
        r->due[i] = cycle + FRONT;
        r->front[r->taken++] = i;
        r->next[client]++;
        r->turn = client + 1;
        return true;
    }
    return false;
}

/* False: it is not due, or its queue is full, or there is none. */
static bool offer_one(struct reference *r, uint64_t cycle)
{
    unsigned i = r->front[r->offered];
    if (r->offered == r->taken || r->due[i] > cycle ||
        !dram_offer(r->dram, tick_of(&r->clock, cycle), !is_read(r, i),
                    r->ask[i]->msg.addr, i))
        return false;
    r->offered++;
    return true;
}

static void compute(struct reference *r)
{
    struct dram_done done;
    for (uint64_t cycle = 0; r->left && cycle < 1000000; cycle++) {
        for (unsigned n = 0; n < r->accepts; n++)
            if (r->taken - r->offered == r->room || !take_one(r, cycle))
                break;
        dram_run(r->dram, tick_of(&r->clock, cycle));
        for (unsigned n = 0; n < r->accepts; n++)
            if (!offer_one(r, cycle))
                break;
        while (dram_pop(r->dram, &done)) {
            r->there[done.tag] = done.done;
            r->known[done.tag] = ++r->completions;
        }
        for (unsigned n = 0; n < r->answers; n++)
            if (!answer_one(r, cycle))
                break;
    }
}

static void add_client(struct reference *r, const struct driver *d)
{
    unsigned client = r->clients++;
    r->next[client] = r->count;
    for (unsigned i = 0; i < d->count; i++) {
        r->ask[r->count] = &d->asks[i];
        r->left += is_read(r, r->count++);
    }
    r->end[client] = r->count;
}

static void compare_client(const struct reference *r, const struct driver *d,
                           unsigned first)
{
    for (unsigned i = 0; i < d->count; i++)
        if (is_read(r, first + i))
            assert_int_equal(driver_answer(d, i)->at,
                             r->answer[first + i] + LINK);
}

static void check_mixed(struct bench *b)
{
    static struct reference r;
    struct unit *u = b->units[0];
    struct dram_device *device = device_of(u);
    unsigned accepts = (unsigned)bench_param(u, "accepts"), first = 0;
    r = (struct reference){
        .dram = reference_dram(u, device),
        .clock = clock_of(u),
        .back = bench_param(u, "back"),
        .accepts = accepts,
        .answers = (unsigned)bench_param(u, "answers"),
        .room = FRONT * accepts + (unsigned)bench_param(u, "queue"),
    };
    for (unsigned n = 0; n < b->driver_count; n++)
        add_client(&r, b->drivers[n]);
    compute(&r);
    for (unsigned n = 0; n < b->driver_count; n++) {
        compare_client(&r, b->drivers[n], first);
        first += b->drivers[n]->count;
    }
    dram_free(r.dram);
    dram_device_free(device);
}

static void answers_come_when_a_plain_computation_says(void **state)
{
    static const struct trial trials[] = {
        {.settings = {{"core_clock", "1515000"}, {"queue", "4096"}},
         .requests = 600},
        {.settings = {{"core_clock", "1000003"},
                      {"channels", "1"},
                      {"queue", "4096"},
                      {"read_queue", "4"},
                      {"write_queue", "4"}},
         .requests = 400},
        {.settings = {{"core_clock", "7000000"},
                      {"refresh", "off"},
                      {"back", "0"}},
         .requests = 300},
        {.settings = {{"device", "hbm2-2000"},
                      {"core_clock", "300007"},
                      {"queue", "4096"}},
         .requests = 600},
    };
    for (unsigned i = 0; i < TABLE_COUNT(trials); i++)
        bench_test_with(build_mixed, check_mixed, &trials[i]);
}

/* All at once, with pauses in which everything empties. */
static void build_rush(struct bench *b)
{
    const struct trial *t = b->scenario->with;
    memory(b, t->settings, t->clients);
    uint32_t seed = 11;
    for (unsigned i = 0; i < t->requests; i++) {
        unsigned n = noise(&seed) % t->clients;
        uint64_t at = i / 150 * 2000;
        uint64_t addr = noise(&seed) % 0x100000 & ~31u;
        if (noise(&seed) % 4)
            fill(b->drivers[n], at, addr);
        else
            write_back(b->drivers[n], at, addr);
    }
}

static void check_rush(struct bench *b)
{
    check_mixed(b);
    assert_true(bench_stat(b->units[0], "held_cycles") > 0);
}

static void a_full_front_pipeline_keeps_its_order(void **state)
{
    static const struct trial trials[] = {
        {.settings = {{"accepts", "2"},
                      {"queue", "1"},
                      {"read_queue", "6"},
                      {"write_queue", "6"},
                      {"core_clock", "1515000"}},
         .clients = 5,
         .requests = 600},
        {.settings = {{"accepts", "3"},
                      {"answers", "2"},
                      {"queue", "1"},
                      {"rules", "arches"},
                      {"scheduler", "first_ready"},
                      {"read_queue", "5"},
                      {"write_queue", "9"},
                      {"core_clock", "700001"}},
         .clients = 7,
         .requests = 600},
    };
    for (unsigned i = 0; i < TABLE_COUNT(trials); i++)
        bench_test_with(build_rush, check_rush, &trials[i]);
}

static void build_forwarded(struct bench *b)
{
    static const struct text_setting quiet[] = {
        {"clock", "1000000"}, {"back", "0"}, {"refresh", "off"}, {NULL, NULL}};
    memory(b, quiet, 1);
    fill(b->drivers[0], 0, 0x1000000);
    write_back(b->drivers[0], 10, 0); /* another row of that bank, just open */
    fill(b->drivers[0], 20, 0);
}

static void check_forwarded(struct bench *b)
{
    assert_stat(b->units[0], "read_forwarded", 1);
    assert_int_equal(driver_took(b->drivers[0], 2), 2 * LINK + FRONT + 1);
}

static void a_read_of_a_queued_write_is_answered_in_the_next_clock(void **state)
{
    bench_test(build_forwarded, check_forwarded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_come_when_a_plain_computation_says),
        cmocka_unit_test(a_full_front_pipeline_keeps_its_order),
        cmocka_unit_test(
            a_read_of_a_queued_write_is_answered_in_the_next_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
