/* OBJ files are read as the format says, or refused with the line. */
#include "catch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define V3 "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static bool read_text(const char *text, struct mesh *mesh)
{
    return catch_read(obj_read, "t.obj", text, strlen(text), mesh);
}

/* The faces of a file that is read, as digits counted from 1. */
static void check_faces(const char *text, const char *faces)
{
    struct mesh mesh;
    char got[64] = "";
    if (!read_text(text, &mesh))
        fail_msg("refused: %s", caught);
    for (uint32_t i = 0; i < mesh.triangles * 3 && i < 60; i++)
        snprintf(got + i, 4, "%u", (mesh.face[i / 3][i % 3] + 1) % 10);
    assert_string_equal(got, faces);
    mesh_free(&mesh);
}

static void corners_are_numbers_with_or_without_others(void **state)
{
    check_faces(V3 "f 1 2 3\nf 3/1 2/1 1/1\nf 1//9 2//9 3//9\nf 2/7/7 3/8/8 "
                   "1/9/9\nf +1 +2 +3\nf -3 -2 -1\nf 1/ 2/ 3/\nf 1/-1/-2 2 3\n",
                "123321123231123123123123");
}

static void faces_come_in_the_order_of_the_file(void **state)
{
    check_faces(V3 "o A\nusemtl m\nf 1 2 3\no B\ng x y\nusemtl n\nf 3 2 1\n"
                   "o A\nusemtl m\ns off\nf 2 3 1\n",
                "123321231");
    check_faces("f 1 2 3\nv 0 0 0\nv 1 0 0\nf -1 3 -2\n" V3, "123231");
}

static void vertices_are_shared_as_in_the_file(void **state)
{
    struct mesh mesh;
    assert_true(read_text(V3 "v 5 5 5\nf 1 2 3\nf 3 2 1\n", &mesh));
    assert_int_equal(mesh.vertices, 4);
    mesh_free(&mesh);
}

static void concave_polygons_are_cut_within_their_outline(void **state)
{
    check_faces("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nf 1 2 3 4\n", "234241");
}

static void blanks_comments_and_continued_lines_are_read(void **state)
{
    check_faces("\xef\xbb\xbf# c:\\dir\\\nv 0 0 0\n  v\t1 0 0 \nv 0 1 0#x\n"
                "\tf 1 2 3 # 4 5\n#f 3 2 1\n   \nf 3 \\\n 2\\\n 1\nf 2 3 1",
                "123321231");
    check_faces("v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 \\\r\n3\r\n", "123");
    check_faces("v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r", "123");
}

static void vertices_may_have_weights_and_colours(void **state)
{
    struct mesh mesh;
    assert_true(read_text("v .5 +.5e1 -5. 1\nv 1.3049999 0 0 .1 .2 .3\n"
                          "v 0 1 0 1 .1 .2 .3\nf 1 2 3\n",
                          &mesh));
    assert_true(mesh.vertex[0][0] == 0.5f && mesh.vertex[0][1] == 5 &&
                mesh.vertex[0][2] == -5);
    assert_true(mesh.vertex[1][0] == 1.3049999f);
    assert_true(mesh.vertex[2][1] == 1);
    mesh_free(&mesh);
}

static void faces_have_materials_by_the_order_of_their_names(void **state)
{
    static const uint32_t expected[] = {0, 1, 1, 2, 1, 3};
    struct mesh mesh;
    assert_true(read_text(V3 "f 1 2 3\nusemtl stone\nf 1 2 3\nf 1 2 3\n"
                             "usemtl red wood # oak\nf 1 2 3\nusemtl stone\n"
                             "f 1 2 3\nusemtl red\nusemap stone\nf 1 2 3\n",
                          &mesh));
    assert_int_equal(mesh.triangles, 6);
    assert_memory_equal(mesh.face_material, expected, sizeof expected);
    assert_int_equal(mesh.materials, 3);
    mesh_free(&mesh);
}

static void what_is_left_out_is_counted(void **state)
{
    struct mesh mesh;
    assert_true(read_text(V3 "vn 0 0 1\nvt 0 0\nl 1 2\nl 2 3 1\np 1\n"
                             "mtllib a b.mtl\nmtllib no such file \\\n.mtl\n"
                             "mtllib .\nv 1 1 1 .5 .5 .5\nv 1 1 1 1 .5 .5 .5\n"
                             "usemtl m\ncurv 0 1 1 2\n"
                             "frobnicate 1\nf 1 2 3\n",
                          &mesh));
    assert_int_equal(mesh.triangles, 1);
    assert_int_equal(mesh.note[MESH_NOTE_lines], 2);
    assert_int_equal(mesh.note[MESH_NOTE_points], 1);
    assert_int_equal(mesh.note[MESH_NOTE_materials], 1);
    assert_int_equal(mesh.note[MESH_NOTE_curves], 1);
    assert_int_equal(mesh.note[MESH_NOTE_statements], 1);
    char *notes = mesh_notes(&mesh);
    assert_string_equal(notes, "2 lines, 1 sets of points, 1 free-form curves "
                               "and surfaces, 1 statements of unknown words, "
                               "1 uses of materials, 6 material libraries that "
                               "are not there, 2 colours of vertices or faces");
    free(notes);
    mesh_free(&mesh);
}

static void a_line_that_is_none_is_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } row[] = {
        {"v 0 0\n", "t.obj:1: a vertex of 2 numbers"},
        {"v 0 0 0 0 0\n", "a vertex of 5 numbers"},
        {"v 0 0 0 1 0 0 0 0\n", "'0', expected no more than x y z w r g b"},
        {V3 "v 1 x 0\n", "t.obj:4: 'x', expected a number"},
        {"v 1,0 0 0\n", "'1,0', expected a number"},
        {"\n\nv 0 nan 0\n", "t.obj:3: vertex 0 is (0, nan, 0)"},
        {"v 0 0 1e400\n", "vertex 0 is (0, 0, inf)"},
        {V3 "f 1 2\n", "t.obj:4: a face of 2 corners"},
        {V3 "f\n", "a face of 0 corners"},
        {V3 "f 1 2 4\n", "t.obj:4: a face uses vertex 4, there are 3"},
        {V3 "f 1 2 0\n", "a face uses vertex 0"},
        {V3 "f 1 2 -4\n", "a face uses vertex -4"},
        {"v 0 0 0\nf -1 -2 1\nv 1 1 1\n", "t.obj:2: a face uses vertex -2"},
        {V3 "f 1 2 99999999999999999999\n", "a face uses vertex 1000"},
        {V3 "f 1 2 3x\n", "'3x', expected a corner"},
        {V3 "f 1/1/1/1 2 3\n", "'1/1/1/1', expected a corner"},
        {V3 "f 1 2 /3\n", "'/3', expected a corner"},
        {V3 "f 1 2 3.0\n", "'3.0', expected a corner"},
        {V3 "f 1 2\n3\n", "t.obj:5: '3', expected a statement"},
        {"\x01\x02\n", "'\?\?', expected a statement"},
        {V3 "f 1 2 \\ 3\n", "'\\', expected a corner"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct mesh mesh;
        assert_false(read_text(row[i].text, &mesh));
        if (strstr(caught, row[i].why) == NULL)
            fail_msg("'%s' lacks '%s'", caught, row[i].why);
    }
}

static void a_word_with_a_zero_byte_is_unknown(void **state)
{
    static const char text[] = "v\0 1\n" V3 "f\0\nf 1 2 3\n";
    struct mesh mesh;
    assert_true(catch_read(obj_read, "t.obj", text, sizeof text - 1, &mesh));
    assert_int_equal(mesh.vertices, 3);
    assert_int_equal(mesh.note[MESH_NOTE_statements], 2);
    mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_are_numbers_with_or_without_others),
        cmocka_unit_test(faces_come_in_the_order_of_the_file),
        cmocka_unit_test(vertices_are_shared_as_in_the_file),
        cmocka_unit_test(concave_polygons_are_cut_within_their_outline),
        cmocka_unit_test(blanks_comments_and_continued_lines_are_read),
        cmocka_unit_test(vertices_may_have_weights_and_colours),
        cmocka_unit_test(faces_have_materials_by_the_order_of_their_names),
        cmocka_unit_test(what_is_left_out_is_counted),
        cmocka_unit_test(a_line_that_is_none_is_refused),
        cmocka_unit_test(a_word_with_a_zero_byte_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
