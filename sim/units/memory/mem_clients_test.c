/* Main memory of either kind counts for whom it carries bytes, in kernels that
 * run while a scene with treelets is bound, and else nothing. */
#include "sim/units/common/bench.h"
#include <corbel/scene.h>

#define SCENE 0x10000u
#define SCENE_BYTES 0x8000u
/* Its ends are within sectors. */
#define FRAME 0x20008u
#define FRAME_BYTES (2 * SECTOR)

static const struct corbel_scene scene = {.bytes = SCENE_BYTES};

struct trial {
    const char *kind;
    bool treelets;
};

static void ask(struct driver *d, uint8_t op, uint8_t client, uint64_t addr)
{
    struct msg m = {.op = op, .addr = addr, .size = SECTOR, .aux = client};
    driver_ask(d, d->count ? 5000 : 0, m, NULL);
}

static void bind(struct machine *m, bool treelets)
{
    m->scene = &scene;
    m->scene_address = SCENE;
    m->set_aside = 2 * SECTOR; /* one of three sectors lies before it */
    m->frame = (struct range){FRAME, FRAME + FRAME_BYTES};
    if (treelets)
        m->treelets = (struct range){SCENE + 0x2000, SCENE + 0x6000};
}

/* The first request comes before the kernel. */
static void build(struct bench *b)
{
    const struct trial *t = b->scenario->with;
    struct driver *d =
        bench_driver(b, bench_unit(b, t->kind, t->kind), "cpu", "reply");
    bind(&b->machine, t->treelets);
    ask(d, MEM_FILL, CLIENT_RAYS, 0);
    driver_service(d, 1000);
    for (unsigned i = 0; i < 2; i++)
        ask(d, MEM_FILL, CLIENT_RAYS, 0x1000 + SECTOR * i);
    for (unsigned i = 0; i < 3; i++)
        ask(d, MEM_WRITEBACK, CLIENT_RAYS, 0x2000 + SECTOR * i);
    ask(d, MEM_FILL, CLIENT_SCENE, SCENE + 0x2000);
    ask(d, MEM_FILL, CLIENT_CACHE, SCENE);
    ask(d, MEM_FILL, CLIENT_CACHE, SCENE + SCENE_BYTES - SECTOR);
    ask(d, MEM_FILL, CLIENT_CACHE, SCENE + SCENE_BYTES);
    ask(d, MEM_FILL, CLIENT_HITS, 0x3000);
    for (unsigned i = 0; i < 4; i++)
        ask(d, MEM_WRITEBACK, CLIENT_HITS, 0x3000 + SECTOR * i);
    for (unsigned i = 0; i < 5; i++)
        ask(d, MEM_WRITEBACK, CLIENT_CACHE, SCENE + SECTOR * i);
    /* Of these 5 sectors 3 have bytes of the frame buffer. */
    for (unsigned i = 0; i < 5; i++) {
        ask(d, MEM_WRITEBACK, CLIENT_CACHE, 0x20000 + SECTOR * (i - 1));
        ask(d, MEM_FILL, CLIENT_CACHE, 0x20000 + SECTOR * (i - 1));
    }
    for (unsigned i = 0; i < 3; i++)
        ask(d, MEM_WRITEBACK, CLIENT_CACHE, BENCH_MEMORY - SECTOR * (i + 1));
    ask(d, MEM_FILL, CLIENT_CACHE, BENCH_MEMORY - SECTOR);
    ask(d, MEM_WRITEBACK, CLIENT_HITS, FRAME - 8);
    for (unsigned i = 0; i < 6; i++)
        ask(d, MEM_WRITEBACK, CLIENT_PAGES, SCENE + SECTOR * i);
    ask(d, MEM_FILL, CLIENT_PAGES, SCENE);
}

static void check(struct bench *b)
{
    const struct trial *t = b->scenario->with;
    static const struct setting counts[] = {
        {"rays_read", 2},      {"rays_written", 3},  {"scene_read", 3},
        {"kernel_read", 3},    {"hits_read", 1},     {"hits_written", 5},
        {"kernel_written", 8}, {"frame_read", 3},    {"frame_written", 3},
        {"pages_read", 1},     {"pages_written", 6}, {"stacks_read", 1},
        {"stacks_written", 2}};
    for (unsigned i = 0; i < TABLE_COUNT(counts); i++)
        assert_stat(b->units[0], counts[i].name,
                    t->treelets ? SECTOR * (uint64_t)counts[i].value : 0);
    assert_stat(b->units[0], "reads", 15);
    assert_stat(b->units[0], "writes", 27);
}

static bool launch(struct bench *b, uint64_t now,
                   const struct service_request *request)
{
    engine_launch(b->engine);
    return true;
}

static void play(const char *kind, bool treelets)
{
    const struct trial t = {kind, treelets};
    bench_play(&(struct scenario){
        .build = build, .check = check, .serve = launch, .with = &t});
}

static void bytes_are_counted_by_client(void **state)
{
    play("dram", true);
    play("memory", true);
}

static void not_without_treelets(void **state)
{
    play("dram", false);
    play("memory", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_counted_by_client),
        cmocka_unit_test(not_without_treelets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
