/* PLY files are read as the format says, or refused with what is missing. */
#include "catch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES                                                               \
    "element vertex 4\nproperty float x\nproperty float y\n"                   \
    "property float z\n"
#define FACES(n) "element face " #n "\nproperty list uchar int vertex_indices\n"
#define ASCII "ply\nformat ascii 1.0\n"
#define SQUARE "0 0 0\n1 0 0\n0 1 0\n1 1 0\n"

static bool read_text(const char *text, struct mesh *mesh)
{
    return catch_read(ply_read, "t.ply", text, strlen(text), mesh);
}

/* The faces of a file that is read, as digits. */
static void check_faces(const char *text, const char *faces)
{
    struct mesh mesh;
    char got[64] = "";
    if (!read_text(text, &mesh))
        fail_msg("refused: %s", caught);
    for (uint32_t i = 0; i < mesh.triangles * 3 && i < 60; i++)
        snprintf(got + i, 4, "%u", mesh.face[i / 3][i % 3] % 10);
    assert_string_equal(got, faces);
    mesh_free(&mesh);
}

static void check_refused(const char *text, const char *why)
{
    struct mesh mesh;
    assert_false(read_text(text, &mesh));
    if (strstr(caught, why) == NULL)
        fail_msg("'%s' lacks '%s'", caught, why);
}

static void polygons_and_strips_come_in_the_order_of_the_file(void **state)
{
    check_faces(ASCII VERTICES FACES(2) "end_header\n" SQUARE
                                        "3 2 1 0\n4 0 1 3 2\n",
                "210013032");
    check_faces(ASCII VERTICES "element tristrips 1\nproperty list int int "
                               "vertex_indices\nend_header\n" SQUARE
                               "9 0 1 2 3 -1 3 2 1 0\n",
                "012132321201");
}

static void faces_may_come_before_vertices(void **state)
{
    check_faces(ASCII FACES(2) VERTICES
                "end_header\n4 0 1 3 2\n3 2 1 0\n" SQUARE,
                "013032210");
}

static void other_properties_and_elements_are_passed_over(void **state)
{
    struct mesh mesh;
    check_faces(ASCII
                "comment end_header\nobj_info x\nelement vertex 3\n"
                "property list uint8 float32 weights\nproperty double z\n"
                "property uchar red\nproperty int16 y\nproperty float64 x\n"
                "element edge 1\nproperty int v1\nproperty int v2\n"
                "element face 1\nproperty uchar flags\n"
                "property list ushort uint vertex_index\n"
                "property list uchar float texcoord\nend_header\n"
                "0 0 255 0 0\n2 9 9 0 255 0 1\n1 5 0 255 1 0\n0 1\n"
                "7 3 0 1 2 2 0.5 0.5\n",
                "012");
    assert_true(read_text(ASCII VERTICES FACES(2) "element edge 1\nproperty "
                                                  "int v1\nend_header\n" SQUARE
                                                  "2 0 1\n3 0 1 2\n7\nrest\n",
                          &mesh));
    assert_int_equal(mesh.note[MESH_NOTE_short_faces], 1);
    assert_int_equal(mesh.note[MESH_NOTE_elements], 1);
    assert_int_equal(mesh.note[MESH_NOTE_trailing], 5);
    mesh_free(&mesh);
}

static void what_is_passed_over_may_have_names_twice(void **state)
{
    struct mesh mesh;
    assert_true(read_text(
        ASCII "element a 1\nproperty int v\nelement vertex 3\n"
              "property float x\nproperty float y\nproperty float z\n"
              "property uchar red\nproperty float s\nproperty float s\n"
              "element a 2\nproperty int v\n" FACES(
                  1) "property uchar red\nend_header\n1\n0 0 0 9 1 1\n"
                     "1 0 0 9 1 1\n0 1 0 9 1 1\n2\n3\n3 0 1 2 9\n",
        &mesh));
    assert_int_equal(mesh.triangles, 1);
    assert_int_equal(mesh.note[MESH_NOTE_elements], 3);
    assert_int_equal(mesh.note[MESH_NOTE_colours], 4);
    mesh_free(&mesh);
}

static void text_is_rounded_to_the_nearest_float(void **state)
{
    struct mesh mesh;
    assert_true(read_text(ASCII
                          "element vertex 3\nproperty double x\nproperty "
                          "double y\nproperty double z\n" FACES(
                              1) "end_header\n1.3049999 .5 "
                                 "1.00000005960464477539062501\n1 0 0\n0 1 "
                                 "0\n3 0 1 2\n",
                          &mesh));
    assert_true(mesh.vertex[0][0] == 1.3049999f);
    assert_true(mesh.vertex[0][1] == 0.5f);
    assert_true(mesh.vertex[0][2] == nextafterf(1, 2));
    mesh_free(&mesh);
}

/* ---- binary ---- */

struct bytes {
    char data[4096];
    size_t count;
    bool big;
};

static void put(struct bytes *b, const void *value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        b->data[b->count + i] =
            ((const char *)value)[b->big ? size - 1 - i : i];
    b->count += size;
}

/* A number in the form of a type of the header. */
static void put_as(struct bytes *b, const char *type, double number)
{
    if (strcmp(type, "double") == 0)
        put(b, &number, 8);
    else if (strcmp(type, "float") == 0)
        put(b, &(float){(float)number}, 4);
    else if (strstr(type, "char"))
        put(b, &(int8_t){(int8_t)(int)number}, 1);
    else if (strstr(type, "short"))
        put(b, &(int16_t){(int16_t)(int)number}, 2);
    else
        put(b, &(int32_t){(int32_t)number}, 4);
}

/* Two faces of four vertices. */
static void make_binary(struct bytes *b, const char *ending,
                        const char *position, const char *count,
                        const char *index)
{
    b->count = (size_t)snprintf(
        b->data, sizeof b->data,
        "ply%sformat binary_%s_endian 1.0%selement vertex 4%sproperty %s x%s"
        "property uchar red%sproperty %s y%sproperty %s z%selement face 2%s"
        "property list %s %s vertex_indices%send_header%s",
        ending, b->big ? "big" : "little", ending, ending, position, ending,
        ending, position, ending, position, ending, ending, count, index,
        ending, ending);
    for (int i = 0; i < 4; i++) {
        put_as(b, position, 10 + i % 2); /* the first byte may be LF */
        put_as(b, "uchar", 200);
        put_as(b, position, i / 2);
        put_as(b, position, -i);
    }
    put_as(b, count, 3);
    for (int i = 0; i < 3; i++)
        put_as(b, index, 2 - i);
    put_as(b, count, 4);
    for (int i = 0; i < 4; i++)
        put_as(b, index, i ^ i >> 1);
}

static void check_binary(const struct bytes *b)
{
    struct mesh mesh;
    if (!catch_read(ply_read, "b.ply", b->data, b->count, &mesh))
        fail_msg("refused: %s", caught);
    assert_int_equal(mesh.vertices, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(mesh.vertex[i][0] == (float)(10 + i % 2));
        assert_true(mesh.vertex[i][1] == (float)(i / 2));
        assert_true(mesh.vertex[i][2] == -(float)i);
    }
    assert_int_equal(mesh.triangles, 3);
    assert_memory_equal(mesh.face,
                        ((uint32_t[3][3]){{2, 1, 0}, {0, 1, 3}, {0, 3, 2}}),
                        sizeof(uint32_t[3][3]));
    assert_int_equal(mesh.note[MESH_NOTE_trailing], 0);
    mesh_free(&mesh);
}

static void every_type_order_and_line_ending_is_read(void **state)
{
    static const char *const ending[] = {"\n", "\r\n", "\r", " \t\n"};
    static const char *const position[] = {"float", "double", "int", "short",
                                           "char"};
    static const char *const whole[] = {"char",   "uchar", "short",
                                        "ushort", "int",   "uint"};
    for (int i = 0; i < 4 * 5 * 6 * 6 * 2; i++) {
        struct bytes b = {.big = i % 2};
        make_binary(&b, ending[i / 2 % 4], position[i / 8 % 5],
                    whole[i / 40 % 6], whole[i / 240]);
        check_binary(&b);
    }
}

static void a_binary_file_cut_anywhere_is_refused(void **state)
{
    struct bytes b = {.big = true};
    struct mesh mesh;
    make_binary(&b, "\n", "float", "uchar", "int");
    for (size_t bytes = 0; bytes < b.count; bytes++) {
        assert_false(catch_read(ply_read, "b.ply", b.data, bytes, &mesh));
        if (strstr(caught, "ends within") == NULL &&
            strstr(caught, "not a PLY") == NULL)
            fail_msg("%zu bytes: %s", bytes, caught);
    }
}

/* ---- refusals ---- */

static void a_file_that_is_no_mesh_is_refused_with_the_place(void **state)
{
    static const struct {
        const char *text, *why;
    } row[] = {
        {"ply\rcomment a\nb\r\nformat x 1.0\r", "t.ply:4: unknown format"},
        {"", "t.ply:1: not a PLY file"},
        {"plyx\n", "t.ply:1: not a PLY file"},
        {"ply\nformat ascii 2.0\nend_header\n", "t.ply:2: unknown format"},
        {"ply\nelement vertex 0\nend_header\n", "no line 'format'"},
        {ASCII "end_header\n", "no element vertex"},
        {ASCII "element vertex -1\nend_header\n", "t.ply:3: '-1' elements"},
        {ASCII "element vertex 1e3\nend_header\n", "'1e3' elements"},
        {ASCII "element vertex 99999999999\nend_header\n", "elements"},
        {ASCII "element vertex 1\nproperty float x\nend_header\n0\n",
         "no property y"},
        {ASCII "property float x\nend_header\n", "before the first element"},
        {ASCII VERTICES VERTICES "end_header\n", "second element 'vertex'"},
        {ASCII "element vertex 1\nproperty float x\nproperty int x\n",
         "second property 'x'"},
        {ASCII VERTICES "element face 1\nproperty list uchar int vertex_index\n"
                        "property list uchar int vertex_index\n",
         "second property 'vertex_index'"},
        {ASCII VERTICES FACES(1) FACES(1), "second element 'face'"},
        {ASCII VERTICES "property half w\nend_header\n", "'half' is no type"},
        {ASCII VERTICES "property list float int v\nend_header\n",
         "length of type float32"},
        {ASCII VERTICES FACES(1) SQUARE "3 0 1 2\n", "'0' in the header"},
        {ASCII VERTICES FACES(1), "ends within the header"},
        {ASCII VERTICES "element face 1\nproperty int x\nend_header\n" SQUARE,
         "no list vertex_indices"},
        {ASCII VERTICES FACES(2) "end_header\n" SQUARE "3 0 1 2\n",
         "t.ply:15: the file ends within face 1 of 2"},
        {ASCII VERTICES FACES(1) "end_header\n" SQUARE "3 0 1 4\n",
         "t.ply:14: face 0 uses vertex 4"},
        {ASCII VERTICES FACES(1) "end_header\n" SQUARE "3 0 1 -1\n",
         "uses vertex -1"},
        {ASCII VERTICES FACES(1) "end_header\n" SQUARE "3 0 1 1.5\n",
         "uses vertex 1.5"},
        {ASCII VERTICES FACES(1) "end_header\n" SQUARE "-3 0 1 2\n",
         "of length -3"},
        {ASCII VERTICES FACES(1) "end_header\n" SQUARE "3 0 1 2 3\n",
         "'3' after face 0"},
        {ASCII VERTICES FACES(1) "end_header\n0 0 0 7\n", "'7' after vertex 0"},
        {ASCII VERTICES FACES(1) "end_header\n0 0 x\n",
         "t.ply:10: 'x' in vertex 0"},
        {ASCII VERTICES FACES(1) "end_header\n0 nan 0\n",
         "t.ply:10: vertex 0 is (0, nan, 0)"},
        {ASCII VERTICES FACES(1) "end_header\n0 1e400 0\n",
         "vertex 0 is (0, inf, 0)"},
        {ASCII VERTICES "element face 4000000000\nproperty list uchar int "
                        "vertex_indices\nend_header\n" SQUARE "3 0 1 2\n",
         "ends within face 1 of 4000000000"},
        {"ply\nformat binary_little_endian 1.0\nelement vertex 4294967295\n"
         "property float x\nproperty float y\nproperty float z\nend_header\n",
         "byte 124: the file ends within vertex 0 of 4294967295"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_refused(row[i].text, row[i].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_and_strips_come_in_the_order_of_the_file),
        cmocka_unit_test(faces_may_come_before_vertices),
        cmocka_unit_test(other_properties_and_elements_are_passed_over),
        cmocka_unit_test(what_is_passed_over_may_have_names_twice),
        cmocka_unit_test(text_is_rounded_to_the_nearest_float),
        cmocka_unit_test(every_type_order_and_line_ending_is_read),
        cmocka_unit_test(a_binary_file_cut_anywhere_is_refused),
        cmocka_unit_test(a_file_that_is_no_mesh_is_refused_with_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
