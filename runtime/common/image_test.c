/* The image writer against libpng, and its errors. */
#include <corbel/corbel.h>

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static int make_name(void **state)
{
    snprintf(path, sizeof path, "image_test.%ld.png", (long)getpid());
    return 0;
}

static int remove_file(void **state)
{
    unlink(path);
    return 0;
}

static uint8_t *noise(size_t size)
{
    uint8_t *bytes = malloc(size);
    uint32_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = state >> 24;
    }
    return bytes;
}

static void assert_decodes(unsigned width, unsigned height)
{
    const size_t size = (size_t)3 * width * height;
    uint8_t *rgb = noise(size), *decoded = malloc(size);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_int_equal(corbel_image_write(path, rgb, width, height), 0);
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.format, PNG_FORMAT_RGB);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_true(png_image_finish_read(&image, NULL, decoded, 0, NULL));
    assert_int_equal(image.warning_or_error, 0);
    assert_memory_equal(decoded, rgb, size);
    free(decoded);
    free(rgb);
}

/* 21844 x 1 and 5461 x 4 end within bytes of a stored block's end. */
static void png_decodes(void **state)
{
    assert_decodes(1, 1);
    assert_decodes(7, 5);
    assert_decodes(21844, 1);
    assert_decodes(21845, 1);
    assert_decodes(5461, 4);
    assert_decodes(300, 200);
}

/* All bytes 255 drive the sums of Adler-32 highest. */
static void png_of_white_decodes(void **state)
{
    static uint8_t rgb[3 * 256 * 256];
    png_image image = {.version = PNG_IMAGE_VERSION};
    memset(rgb, 255, sizeof rgb);
    assert_int_equal(corbel_image_write(path, rgb, 256, 256), 0);
    assert_true(png_image_begin_read_from_file(&image, path));
    memset(rgb, 0, sizeof rgb);
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    for (size_t i = 0; i < sizeof rgb; i++)
        assert_int_equal(rgb[i], 255);
}

static void ppm_is_header_and_pixels(void **state)
{
    const uint8_t rgb[6] = {1, 2, 3, 250, 251, 252};
    char bytes[32];
    memcpy(strrchr(path, '.'), ".ppm", 4);
    assert_int_equal(corbel_image_write(path, rgb, 2, 1), 0);
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), 17);
    fclose(file);
    assert_memory_equal(bytes, "P6\n2 1\n255\n\x01\x02\x03\xfa\xfb\xfc", 17);
}

static void bad_requests_fail(void **state)
{
    const uint8_t rgb[3] = {0};
    assert_int_equal(corbel_image_write("a.jpg", rgb, 1, 1), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(corbel_image_write(path, rgb, 0, 1), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(corbel_image_write(path, rgb, 1 << 30, 1 << 30), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(corbel_image_write("no/such/folder.png", rgb, 1, 1), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(access(path, F_OK), -1);
}

/* The name links to a full device: the error arrives, the device stays. */
static void full_device_is_reported(void **state)
{
    struct stat status;
    const uint8_t rgb[3] = {0};
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_int_equal(corbel_image_write(path, rgb, 1, 1), -1);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(stat("/dev/full", &status), 0);
    assert_int_equal(lstat(path, &status), 0);
}

int main(void)
{
#define FILE_TEST(name)                                                        \
    cmocka_unit_test_setup_teardown(name, make_name, remove_file)
    const struct CMUnitTest tests[] = {
        FILE_TEST(png_decodes),
        FILE_TEST(png_of_white_decodes),
        FILE_TEST(ppm_is_header_and_pixels),
        FILE_TEST(bad_requests_fail),
        FILE_TEST(full_device_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
