/* The triangles of the processor rtp, word by word, and how materials become
 * shader words. */
#include "rtp_export.h"
#include "sdk/mesh/mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A square of two triangles. */
static void square(struct mesh *mesh, uint32_t material1, uint32_t material2)
{
    static const float corner[4][3] = {
        {0, 0, 5}, {1, 0, 5}, {1, 1, 5}, {-0.5f, 1, 5}};
    for (int i = 0; i < 4; i++)
        mesh_add_vertex(mesh, corner[i]);
    mesh_set_material(mesh, material1);
    mesh_add_face(mesh, 0, 1, 2);
    mesh_set_material(mesh, material2);
    mesh_add_face(mesh, 0, 2, 3);
}

static void records_are_triangles_then_vertices(void **state)
{
    static const uint32_t expected[] = {
        0,          1,          2,          0xf0, /* triangles */
        0,          2,          3,          0xf0, /**/
        0,          0,          0,          0,    /* their end */
        0,          0,          0x40a00000, 1,    /* vertices */
        0x3f800000, 0,          0x40a00000, 1,    /**/
        0x3f800000, 0x3f800000, 0x40a00000, 1,    /**/
        0xbf000000, 0x3f800000, 0x40a00000, 1,    /**/
        0,          0,          0,          0,    /* their end */
    };
    struct mesh mesh = {0};
    size_t words;
    square(&mesh, 0, 0);
    uint32_t *record = rtp_encode(&mesh, "square", 0xf0, &words);
    assert_int_equal(words * sizeof *record, sizeof expected);
    assert_memory_equal(record, expected, sizeof expected);
    free(record);
    mesh_free(&mesh);
}

/* The shader words of the square's triangles with these materials. */
static void check_shaders(uint32_t material1, uint32_t material2,
                          uint32_t shader, uint32_t word1, uint32_t word2)
{
    struct mesh mesh = {0};
    size_t words;
    square(&mesh, material1, material2);
    uint32_t *record = rtp_encode(&mesh, "square", shader, &words);
    assert_int_equal(record[3], word1);
    assert_int_equal(record[7], word2);
    free(record);
    mesh_free(&mesh);
}

static void a_shader_word_is_the_number_of_the_material(void **state)
{
    check_shaders(1, 2, 0, 1, 2);
    check_shaders(7, 3, 0, 7, 3);
}

static void without_a_material_the_word_is_the_next_number(void **state)
{
    check_shaders(0, 0, 0, 1, 1);
    check_shaders(0, 4, 0, 5, 4);
}

static void one_word_can_be_given_to_all(void **state)
{
    check_shaders(0, 4, 0xffffffff, 0xffffffff, 0xffffffff);
}

static void as_much_as_fits_is_encoded(void **state)
{
    struct mesh mesh = {0};
    size_t words;
    for (uint32_t i = 0; i < RTP_VERTICES_MAX; i++)
        mesh_add_vertex(&mesh, (float[]){(float)i, 0, 0});
    for (uint32_t i = 0; i < RTP_TRIANGLES_MAX; i++)
        mesh_add_face(&mesh, i, i + 1, RTP_VERTICES_MAX - 1);
    uint32_t *record = rtp_encode(&mesh, "most", 0, &words);
    assert_int_equal(words, 4 * (511 + 1 + 2048 + 1));
    assert_int_equal(record[4 * 510 + 2], 2047);
    assert_int_equal(record[4 * 511 + 3], 0);
    free(record);
    mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_triangles_then_vertices),
        cmocka_unit_test(a_shader_word_is_the_number_of_the_material),
        cmocka_unit_test(without_a_material_the_word_is_the_next_number),
        cmocka_unit_test(one_word_can_be_given_to_all),
        cmocka_unit_test(as_much_as_fits_is_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
