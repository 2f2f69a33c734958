/*
 * glTF files are read as the format says, or refused with the object at fault.
 * All files here are made from one buffer, whose views are:
 * 0 positions, a square of 4; 1 indices 0 1 2 2 1 3; 2 normalised bytes in
 * steps of 4; 3 indices 0 1 65535; 4 translations of 2 instances;
 * 5 index 3 and 6 the position (5, 5, 5) for a sparse accessor.
 */
#include "catch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    float position[12];
    uint16_t index[6];
    int8_t small[12];
    uint16_t restart[3], padding;
    float translation[6];
    uint8_t changed[4];
    float value[3];
} buffer = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0},
            {0, 1, 2, 2, 1, 3},
            {127, 0, 0, 99, -128, 0, 0, 99, 0, -127, 0, 99},
            {0, 1, 65535},
            0,
            {10, 0, 0, 0, 20, 0},
            {3, 0, 0, 0},
            {5, 5, 5}};

#define VIEWS                                                                  \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"                       \
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12},"                      \
    "{\"buffer\":0,\"byteOffset\":60,\"byteLength\":12,\"byteStride\":4},"     \
    "{\"buffer\":0,\"byteOffset\":72,\"byteLength\":6},"                       \
    "{\"buffer\":0,\"byteOffset\":80,\"byteLength\":24},"                      \
    "{\"buffer\":0,\"byteOffset\":104,\"byteLength\":1},"                      \
    "{\"buffer\":0,\"byteOffset\":108,\"byteLength\":12}]"
#define ACCESSOR(view, type, count, shape)                                     \
    "{\"bufferView\":" #view ",\"componentType\":" #type ",\"count\":" #count  \
    ",\"type\":\"" shape "\"}"
#define POSITIONS ACCESSOR(0, 5126, 4, "VEC3")
#define INDICES ACCESSOR(1, 5123, 6, "SCALAR")
#define SPARSE                                                                 \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","  \
    "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":5,\"componentType\":" \
    "5121},\"values\":{\"bufferView\":6}}}"
#define ZERO_BUT_ONE                                                           \
    "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{"       \
    "\"count\":1,\"indices\":{\"bufferView\":5,\"componentType\":5121},"       \
    "\"values\":{\"bufferView\":6}}}"
#define ONE_NODE "\"nodes\":[{\"mesh\":0}]"
#define MESH(primitive) "\"meshes\":[{\"primitives\":[" primitive "]}]"
#define INDEXED "{\"attributes\":{\"POSITION\":0},\"indices\":1}"
#define SQUARE "\"accessors\":[" POSITIONS "," INDICES "]," MESH(INDEXED)

static void encode(char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *byte = (const unsigned char *)&buffer;
    for (size_t i = 0; i < sizeof buffer; i += 3) {
        const uint32_t bits =
            (uint32_t)byte[i] << 16 | (uint32_t)byte[i + 1] << 8 | byte[i + 2];
        for (int k = 18; k >= 0; k -= 6)
            *text++ = digits[bits >> k & 63];
    }
    *text = 0;
}
_Static_assert(sizeof buffer == 120, "no padding in base64");

static bool read_parts(const char *parts, struct mesh *mesh)
{
    char *text, data[sizeof buffer * 2];
    encode(data);
    assert_true(asprintf(&text,
                         "{\"asset\":{\"version\":\"2.0\"}," VIEWS
                         ",\"buffers\":[{\"byteLength\":120,\"uri\":\"data:"
                         "application/octet-stream;base64,%s\"}],%s}",
                         data, parts) > 0);
    const bool good = catch_read(gltf_read, "t.gltf", text, strlen(text), mesh);
    free(text);
    return good;
}

static struct mesh read_good(const char *parts)
{
    struct mesh mesh;
    if (!read_parts(parts, &mesh))
        fail_msg("refused: %s", caught);
    return mesh;
}

static void check_refused(const char *parts, const char *why)
{
    struct mesh mesh;
    assert_false(read_parts(parts, &mesh));
    if (strstr(caught, why) == NULL)
        fail_msg("'%s' lacks '%s'", caught, why);
}

static void check_vertex(const struct mesh *mesh, uint32_t i, float x, float y,
                         float z)
{
    const float *v = mesh->vertex[i];
    assert_true(i < mesh->vertices);
    if (v[0] != x || v[1] != y || v[2] != z)
        fail_msg("vertex %u is (%g, %g, %g)", i, (double)v[0], (double)v[1],
                 (double)v[2]);
}

static void check_face(const struct mesh *mesh, uint32_t i, uint32_t a,
                       uint32_t b, uint32_t c)
{
    assert_true(i < mesh->triangles);
    assert_memory_equal(mesh->face[i], ((uint32_t[]){a, b, c}),
                        sizeof mesh->face[i]);
}

static void triangles_strips_and_fans_are_read(void **state)
{
#define MODE(m) "{\"attributes\":{\"POSITION\":0},\"mode\":" #m "}"
    struct mesh mesh =
        read_good(ONE_NODE ",\"accessors\":[" POSITIONS "," INDICES "]," MESH(
            MODE(5) "," MODE(6) "," INDEXED "," MODE(0) "," MODE(1)));
    assert_int_equal(mesh.vertices, 4); /* shared by all */
    assert_int_equal(mesh.triangles, 6);
    check_face(&mesh, 0, 0, 1, 2);
    check_face(&mesh, 1, 1, 3, 2);
    check_face(&mesh, 2, 1, 2, 0);
    check_face(&mesh, 3, 2, 3, 0);
    check_face(&mesh, 4, 0, 1, 2);
    check_face(&mesh, 5, 2, 1, 3);
    assert_int_equal(mesh.note[MESH_NOTE_points], 1);
    assert_int_equal(mesh.note[MESH_NOTE_lines], 1);
    mesh_free(&mesh);
}

static void faces_have_the_material_of_their_primitive(void **state)
{
    static const uint32_t expected[] = {4, 4, 0, 0, 1, 1};
#define MADE_OF(m) "{\"attributes\":{\"POSITION\":0},\"mode\":5" m "}"
    struct mesh mesh =
        read_good(ONE_NODE ",\"accessors\":[" POSITIONS "]," MESH(MADE_OF(
            ",\"material\":3") "," MADE_OF("") "," MADE_OF(",\"material\":0")));
    assert_int_equal(mesh.triangles, 6);
    assert_memory_equal(mesh.face_material, expected, sizeof expected);
    assert_int_equal(mesh.materials, 4);
    mesh_free(&mesh);
    check_refused(ONE_NODE ",\"accessors\":[" POSITIONS
                           "]," MESH(MADE_OF(",\"material\":-1")),
                  "meshes[0]: material: expected a whole number");
}

static void nodes_are_placed_by_all_above_them(void **state)
{
    struct mesh mesh = read_good(
        "\"nodes\":[{\"translation\":[0,0,7],\"scale\":[2,2,2],\"children\":[2,"
        "1]},{\"mesh\":0},{\"mesh\":0,\"rotation\":[0,0,1,0]},"
        "{\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,3,4,5,1]}],"
        "\"scenes\":[{\"nodes\":[1]},{\"nodes\":[0,3]}],\"scene\":1," SQUARE);
    assert_int_equal(mesh.vertices, 12);
    check_vertex(&mesh, 3, -2, -2, 7);
    check_vertex(&mesh, 7, 2, 2, 7);
    check_vertex(&mesh, 11, 4, 5, 5);
    check_face(&mesh, 5, 10, 9, 11);
    assert_int_equal(mesh.note[MESH_NOTE_scenes], 1);
    mesh_free(&mesh);
}

static void a_mirrored_mesh_keeps_its_front(void **state)
{
    struct mesh mesh =
        read_good("\"nodes\":[{\"mesh\":0,\"scale\":[-1,1,1]}]," SQUARE);
    check_vertex(&mesh, 3, -1, 1, 0);
    check_face(&mesh, 0, 0, 2, 1);
    mesh_free(&mesh);
}

static void nodes_nest_to_any_depth(void **state)
{
    enum { NODES = 20000 };
    char *text = malloc(NODES * 64 + 4096), *to = text;
    to += sprintf(to, "\"nodes\":[");
    for (int i = 1; i < NODES; i++)
        to += sprintf(to, "{\"translation\":[1,0,0],\"children\":[%d]},", i);
    sprintf(to, "{\"mesh\":0}]," SQUARE);
    struct mesh mesh = read_good(text);
    check_vertex(&mesh, 1, NODES, 0, 0);
    assert_int_equal(mesh.triangles, 2);
    mesh_free(&mesh);
    free(text);
}

static void integers_are_read_and_normalised(void **state)
{
    struct mesh mesh = read_good(
        "\"extensionsRequired\":[\"KHR_mesh_quantization\"]," ONE_NODE
        ",\"accessors\":[{\"bufferView\":2,\"componentType\":5120,\"count\":3,"
        "\"type\":\"VEC3\",\"normalized\":true}," ACCESSOR(
            2, 5120, 3, "VEC3") "]," MESH("{\"attributes\":{\"POSITION\":0}},"
                                          "{\"attributes\":{\"POSITION\":1}}"));
    check_vertex(&mesh, 0, 1, 0, 0);
    check_vertex(&mesh, 1, -1, 0, 0);
    check_vertex(&mesh, 2, 0, -1, 0);
    check_vertex(&mesh, 4, -128, 0, 0);
    mesh_free(&mesh);
}

static void sparse_elements_and_default_weights_are_applied(void **state)
{
    struct mesh mesh = read_good(
        "\"nodes\":[{\"mesh\":0},{\"mesh\":1},{\"mesh\":1,\"weights\":[2]}],"
        "\"accessors\":[" SPARSE "," INDICES "," POSITIONS "," ZERO_BUT_ONE
        "],\"meshes\":[{\"primitives\":[" INDEXED "]},"
        "{\"primitives\":[{\"attributes\":{\"POSITION\":2},\"indices\":1,"
        "\"targets\":[{\"POSITION\":3}]}],\"weights\":[0.5]}]");
    check_vertex(&mesh, 2, 0, 1, 0);
    check_vertex(&mesh, 3, 5, 5, 5);
    check_vertex(&mesh, 4 + 3, 3.5f, 3.5f, 2.5f);
    check_vertex(&mesh, 8 + 3, 11, 11, 10);
    mesh_free(&mesh);
}

static void instances_are_placed(void **state)
{
    struct mesh mesh = read_good(
        "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],\"nodes\":[{"
        "\"mesh\":0,\"scale\":[2,2,2],\"extensions\":{"
        "\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":2}}}}],"
        "\"accessors\":[" POSITIONS "," INDICES
        "," ACCESSOR(4, 5126, 2, "VEC3") "]," MESH(INDEXED));
    assert_int_equal(mesh.triangles, 4);
    check_vertex(&mesh, 1, 22, 0, 0);
    check_vertex(&mesh, 5, 2, 40, 0);
    mesh_free(&mesh);
}

static void a_file_that_is_no_mesh_is_refused_with_the_object(void **state)
{
#define ACCESSORS(a) ",\"accessors\":[" a "," INDICES "]," MESH(INDEXED)
    static const struct {
        const char *parts, *why;
    } row[] = {
        {"\"nodes\":[{\"mesh\":1}]," SQUARE, "nodes[0]: expected the number"},
        {"\"nodes\":[{\"mesh\":-1}]," SQUARE, "nodes[0]: expected the number"},
        {"\"nodes\":[{\"mesh\":0.5}]," SQUARE, "nodes[0]: expected the number"},
        {"\"nodes\":[{\"children\":[1]},{\"children\":[1],\"mesh\":0}]," SQUARE,
         "nodes[1]: has two parents"},
        {"\"nodes\":[{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]," SQUARE,
         "nodes[0]: has two parents or is its own"},
        {"\"nodes\":[{\"scale\":[1,1]}]," SQUARE,
         "nodes[0]: scale: expected an array of 3"},
        {"\"nodes\":[{\"rotation\":[0,0,0,0]}]," SQUARE, "length 0"},
        {"\"nodes\":[{\"mesh\":0,\"skin\":0}]," SQUARE, "has a skin"},
        {"\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]," ONE_NODE
         "," SQUARE,
         "KHR_draco_mesh_compression is not read"},
        {"\"extensionsRequired\":[\"ACME_x\"]," ONE_NODE "," SQUARE,
         "t.gltf: extensionsRequired: ACME_x is not read"},
        {ONE_NODE ACCESSORS(ACCESSOR(0, 5126, 5, "VEC3")),
         "accessors[0]: needs 60 bytes of bufferView 0, which has 48"},
        {ONE_NODE ACCESSORS(ACCESSOR(0, 5126, 4294967294, "VEC3")),
         "accessors[0]: needs 51539607528 bytes"},
        {ONE_NODE ACCESSORS(ACCESSOR(9, 5126, 4, "VEC3")),
         "accessors[0]: expected the number of one of bufferViews"},
        {ONE_NODE ACCESSORS(ACCESSOR(0, 5130, 4, "VEC3")),
         "accessors[0]: componentType 5130"},
        {ONE_NODE ACCESSORS(ACCESSOR(0, 5126, 4, "VEC2")),
         "accessors[0]: type: expected VEC3"},
        {ONE_NODE ACCESSORS(ACCESSOR(0, 5126, 0, "VEC3")),
         "accessors[0]: count is 0"},
        {ONE_NODE ACCESSORS(ACCESSOR(0, 5126, 2, "VEC3")),
         "accessors[1]: element 2 is vertex 2 of 2"},
        {ONE_NODE ",\"accessors\":[" POSITIONS
                  "," ACCESSOR(3, 5123, 3, "SCALAR") "]," MESH(INDEXED),
         "accessors[1]: element 2 is vertex 65535"},
        {ONE_NODE ",\"accessors\":[" POSITIONS
                  "," ACCESSOR(1, 5123, 5, "SCALAR") "]," MESH(INDEXED),
         "meshes[0]: a primitive of mode 4 with 5 corners"},
        {ONE_NODE ",\"accessors\":[" POSITIONS
                  "," ACCESSOR(1, 5122, 6, "SCALAR") "]," MESH(INDEXED),
         "componentType 5122 of indices"},
        {ONE_NODE ",\"accessors\":[" POSITIONS
                  "]," MESH("{\"attributes\":{\"POSITION\":0},\"mode\":7}"),
         "mode"},
        {ONE_NODE ",\"accessors\":[" POSITIONS "]," MESH("7"),
         "meshes[0]: primitives: expected objects"},
        {ONE_NODE
         ",\"accessors\":[{\"componentType\":5126,\"count\":1048577,\"type\""
         ":\"VEC3\"}]," MESH("{\"attributes\":{\"POSITION\":0}}"),
         "accessors[0]: count is 1048577 without a bufferView"},
        {"\"nodes\":7," SQUARE, "nodes: expected an array"},
        {"\"nodes\":[7]," SQUARE, "nodes[0]: expected an object"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        check_refused(row[i].parts, row[i].why);
}

static void the_text_must_be_whole(void **state)
{
    static const struct {
        const char *text, *why;
    } row[] = {
        {"", "t.gltf:1: damaged JSON"},
        {"{\n\n \"asset\": x}", "t.gltf:3: damaged JSON"},
        {"{}{", "goes on after"},
        {"[]", "not an object"},
        {"{}", "asset.version is missing"},
        {"{\"asset\":{\"version\":\"1.0\"}}", "asset.version is 1.0"},
        {"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":"
         "[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"accessors\":"
         "[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"
         "\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
         "\"buffers\":[{\"byteLength\":36,\"uri\":\"no%20where.bin\"}]}",
         "buffers[0]: uri: there is no file 'no where.bin'"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct mesh mesh;
        assert_false(catch_read(gltf_read, "t.gltf", row[i].text,
                                strlen(row[i].text), &mesh));
        if (strstr(caught, row[i].why) == NULL)
            fail_msg("'%s' lacks '%s'", caught, row[i].why);
    }
}

/* ---- .glb ---- */

static size_t make_glb(char *to)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"}," VIEWS ",\"buffers\":[{"
        "\"byteLength\":120}]," ONE_NODE "," SQUARE "}";
    const uint32_t length = (uint32_t)(sizeof json + 2) / 4 * 4;
    const uint32_t head[] = {0x46546c67, 2, 12 + 8 + length + 8 + sizeof buffer,
                             length, 0x4e4f534a};
    const uint32_t binary[] = {sizeof buffer, 0x004e4942};
    memcpy(to, head, sizeof head);
    memset(to + 20, ' ', length);
    memcpy(to + 20, json, sizeof json - 1);
    memcpy(to + 20 + length, binary, sizeof binary);
    memcpy(to + 28 + length, &buffer, sizeof buffer);
    return head[2];
}

static void a_binary_file_is_read_and_cut_anywhere_refused(void **state)
{
    char glb[4096];
    struct mesh mesh;
    const size_t bytes = make_glb(glb);
    if (!catch_read(gltf_read, "t.glb", glb, bytes, &mesh))
        fail_msg("refused: %s", caught);
    assert_int_equal(mesh.triangles, 2);
    check_vertex(&mesh, 3, 1, 1, 0);
    mesh_free(&mesh);
    for (size_t cut = 0; cut < bytes; cut++)
        assert_false(catch_read(gltf_read, "t.glb", glb, cut, &mesh));
    glb[8]++;
    assert_false(catch_read(gltf_read, "t.glb", glb, bytes, &mesh));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_strips_and_fans_are_read),
        cmocka_unit_test(faces_have_the_material_of_their_primitive),
        cmocka_unit_test(nodes_are_placed_by_all_above_them),
        cmocka_unit_test(a_mirrored_mesh_keeps_its_front),
        cmocka_unit_test(nodes_nest_to_any_depth),
        cmocka_unit_test(integers_are_read_and_normalised),
        cmocka_unit_test(sparse_elements_and_default_weights_are_applied),
        cmocka_unit_test(instances_are_placed),
        cmocka_unit_test(a_file_that_is_no_mesh_is_refused_with_the_object),
        cmocka_unit_test(the_text_must_be_whole),
        cmocka_unit_test(a_binary_file_is_read_and_cut_anywhere_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
