/* The triangle stream, the memory map, names of quirks. */
#include "sim/rtp/memory.h"
#include "sim/rtp/quirks.h"
#include "sim/rtp/scene.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static struct rtp_scene scene;

static bool read_words(const uint32_t (*records)[4], size_t count,
                       struct error *error)
{
    return rtp_scene_read(&scene, records, count * sizeof *records, 2, error);
}

static const uint32_t two[][4] = {
    {0, 1, 2, 7}, {1, 0x802, 0, 8}, {0, 0, 0, 0}, {0, 0, 0x3f800000, 1},
    {1, 2, 3, 1}, {4, 5, 6, 1},     {0, 0, 0, 0}, {9, 9, 9, 9}};

static void a_scene_is_read(void **unused)
{
    struct error error;
    assert_true(read_words(two, 8, &error));
    assert_int_equal(scene.count, 2);
    assert_int_equal(scene.vertices, 3);
    assert_int_equal(scene.triangles[1].shader, 8);
    assert_true(scene.triangles[1].v[2].z == 1);
    /* Only the low 11 bits of a vertex number count. */
    assert_memory_equal(&scene.triangles[1].v[1], two[5], 12);
}

static void lines_take_what_is_in_them(void **unused)
{
    struct error error;
    assert_true(read_words(two, 8, &error));
    assert_int_equal(rtp_scene_lines(&scene), 2);
    assert_int_equal(rtp_scene_line_cycles(&scene, 0), 3 + 2 * 4 + 0 + 1);
    assert_int_equal(rtp_scene_line_cycles(&scene, 1), 3 + 4);
}

static void no_triangle_is_a_scene(void **unused)
{
    struct error error;
    assert_true(read_words(two + 2, 6, &error));
    assert_int_equal(scene.count, 0);
}

static void refuses(const uint32_t (*records)[4], size_t count,
                    const char *text)
{
    struct error error;
    assert_false(read_words(records, count, &error));
    assert_non_null(strstr(error.text, text));
}

static void bad_scenes_are_refused(void **unused)
{
    static const uint32_t three[][4] = {
        {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0}, {0, 0, 0, 1}, {0}};
    static const uint32_t missing[][4] = {{0, 5, 0, 1}, {0}, {1, 1, 1, 1}, {0}};
    struct error error;
    refuses(two, 2, "list of triangles has no end");
    refuses(two, 5, "list of vertices has no end");
    refuses(three, 6, "3 triangles: expected 2 at most");
    refuses(missing, 4, "triangle 0: there is no vertex 5, there are 1");
    assert_false(rtp_scene_read(&scene, two, 20, 2, &error));
}

static void addresses_have_places(void **unused)
{
    struct rtp_rules r = {.const_words = 8192};
    assert_int_equal(rtp_place(&r, 0x80050000, true), RTP_LOCAL);
    assert_int_equal(rtp_place(&r, 0xf0000000, false), RTP_LOCAL);
    assert_int_equal(rtp_place(&r, 0x20007ffc, false), RTP_CONSTANT);
    assert_int_equal(rtp_place(&r, 0x20008000, false), RTP_NOWHERE);
    assert_int_equal(rtp_place(&r, 0x20000000, true), RTP_NOWHERE);
    r.rtl_map = true;
    assert_int_equal(rtp_place(&r, 4, false), RTP_CONSTANT);
    assert_int_equal(rtp_place(&r, 4, true), RTP_LOCAL);
}

static void vectors_wrap_in_local_memory(void **unused)
{
    static uint32_t local[RTP_LOCAL_BYTES / 4];
    const uint32_t data[4] = {1, 2, 3, 4};
    uint32_t back[4];
    rtp_local_write(local, 0x8003fff9, 4, data);
    assert_int_equal(local[RTP_LOCAL_BYTES / 4 - 1], 2);
    assert_int_equal(local[0], 3);
    rtp_local_read(local, 0xfff8, 4, back);
    assert_memory_equal(back, data, sizeof data);
}

static void quirks_have_names(void **unused)
{
    uint32_t quirks;
    struct error error;
    assert_true(rtp_quirks("", &quirks, &error));
    assert_int_equal(quirks, 0);
    assert_true(rtp_quirks("tri_512,cmp_min", &quirks, &error));
    assert_int_equal(quirks, 1u << RTP_QUIRK_tri_512 | 1u << RTP_QUIRK_cmp_min);
    assert_true(rtp_quirks("all", &quirks, &error));
    assert_int_equal(quirks, (1u << RTP_QUIRKS) - 1);
    assert_false(rtp_quirks("tri_5", &quirks, &error));
    assert_non_null(strstr(error.text, "'tri_5'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_read),
        cmocka_unit_test(lines_take_what_is_in_them),
        cmocka_unit_test(no_triangle_is_a_scene),
        cmocka_unit_test(bad_scenes_are_refused),
        cmocka_unit_test(addresses_have_places),
        cmocka_unit_test(vectors_wrap_in_local_memory),
        cmocka_unit_test(quirks_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
