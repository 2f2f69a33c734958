#include "sim/report/image.h"
#include "sdk/whole/reads.h"
#include <errno.h>
#include <string.h>

/* Three bytes become four letters; what is missing of the last three is =. */
static void put_base64(FILE *out, const unsigned char *bytes, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        unsigned word = 0;
        for (size_t j = 0; j < 3; j++)
            word = word << 8 | (i + j < count ? bytes[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            fputc(i + j <= count ? letters[word >> (18 - 6 * j) & 63] : '=',
                  out);
    }
}

static bool put_bytes(FILE *out, FILE *file, const char *path,
                      struct error *error)
{
    static const unsigned char png[] = {0x89, 'P',  'N',  'G',
                                        '\r', '\n', 0x1a, '\n'};
    unsigned char bytes[3 * 1024]; /* no = before the last */
    bool first = true;
    fputs("\"data:image/png;base64,", out);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        if (first && (n < sizeof png || memcmp(bytes, png, sizeof png)))
            return error_set(error, "%s: expected a PNG file", path);
        put_base64(out, bytes, n);
        first = false;
    }
    fputc('"', out);
    if (ferror(file))
        return error_set(error, "%s: %s", path, strerror(errno));
    return !first || error_set(error, "%s: expected a PNG file", path);
}

bool image_put(FILE *out, const char *path, struct error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(error, "%s: %s", path, strerror(errno));
    reads_note_open(fileno(file), "an image of the run");
    bool good = put_bytes(out, file, path, error);
    fclose(file);
    return good;
}
