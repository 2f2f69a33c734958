/* Texts are read whole, plain or compressed, or turned down in one line. */
#include "sim/core/gz_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static char path[] = "/tmp/gz_text_test.XXXXXX";

static int make_file(void **state)
{
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    return unlink(path);
}

/* mode "wT": as it is; "wb9": compressed. */
static void write_file(const char *mode, const char *text, size_t size)
{
    gzFile file = gzopen(path, mode);
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)size), size);
    assert_int_equal(gzclose(file), Z_OK);
}

static void check_refused(const char *where, const char *what)
{
    struct error error = {""};
    assert_null(gz_text_read(where, &error));
    assert_non_null(strstr(error.text, what));
    assert_memory_equal(error.text, where, strlen(where));
    assert_null(strchr(error.text, '\n'));
}

/* More than the room that is first made. */
static void a_long_text_is_read_whole_plain_or_compressed(void **state)
{
    static const char *const modes[] = {"wT", "wb9"};
    size_t size = (5 << 20) + 3;
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + i * i / 7 % 26);
    text[size] = 0;
    for (unsigned m = 0; m < 2; m++) {
        struct error error = {""};
        write_file(modes[m], text, size);
        char *found = gz_text_read(path, &error);
        assert_non_null(found);
        assert_int_equal(strlen(found), size);
        assert_memory_equal(found, text, size);
        free(found);
    }
    free(text);
}

/* 1 GiB in as many pieces as make a file of 1 MiB. */
static void a_small_file_that_would_fill_memory_is_refused(void **state)
{
    enum { PIECE = 1 << 24, PIECES = 64 };
    char *text = malloc(PIECE);
    assert_non_null(text);
    memset(text, 'a', PIECE);
    write_file("wb9", text, PIECE);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t packed = fread(text, 1, PIECE, file);
    assert_int_equal(fclose(file), 0);
    file = fopen(path, "ab");
    assert_non_null(file);
    for (unsigned i = 1; i < PIECES; i++)
        assert_int_equal(fwrite(text, 1, packed, file), packed);
    assert_int_equal(fclose(file), 0);
    free(text);
    check_refused(path, "unpacks to more than ");
}

static void an_empty_file_is_an_empty_text(void **state)
{
    struct error error = {""};
    write_file("wT", "", 0);
    char *found = gz_text_read(path, &error);
    assert_non_null(found);
    assert_string_equal(found, "");
    free(found);
}

static void a_byte_of_0_is_refused_with_its_line(void **state)
{
    char where[64];
    write_file("wT", "one\ntwo\nth\0ree\n", 15);
    snprintf(where, sizeof where, "%s:3: ", path);
    check_refused(path, where);
    check_refused(path, "a byte of 0, expected text");
}

static void a_compressed_file_that_was_cut_is_refused(void **state)
{
    char text[4096];
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i * 7919 % 101 % 26);
    write_file("wb9", text, sizeof text);
    assert_int_equal(truncate(path, 40), 0);
    check_refused(path, "unexpected end of file");
}

static void what_is_no_file_is_refused(void **state)
{
    check_refused("/tmp", "is a directory, a file is expected");
    check_refused("/tmp/gz_text_test.none", "No such file or directory");
    check_refused("/dev/zero", "expected a file");
}

static void lines_are_one_more_than_their_ends(void **state)
{
    assert_int_equal(gz_text_lines(""), 1);
    assert_int_equal(gz_text_lines("a"), 1);
    assert_int_equal(gz_text_lines("a\nb"), 2);
    assert_int_equal(gz_text_lines("a\n\n"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_text_is_read_whole_plain_or_compressed),
        cmocka_unit_test(a_small_file_that_would_fill_memory_is_refused),
        cmocka_unit_test(an_empty_file_is_an_empty_text),
        cmocka_unit_test(a_byte_of_0_is_refused_with_its_line),
        cmocka_unit_test(a_compressed_file_that_was_cut_is_refused),
        cmocka_unit_test(what_is_no_file_is_refused),
        cmocka_unit_test(lines_are_one_more_than_their_ends),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
