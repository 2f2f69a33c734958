/* Buffers of a glTF file, read when they are first needed. */
#include "gltf.h"

#include "input.h"

#include "sdk/common/file.h"
#include "sdk/common/report.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The value of a digit, -1: it is none. */
static int digit_of(char c, const char *digits)
{
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/*
 * Six bits for each digit (RFC 4648). The = at the end say nothing that the
 * length does not. A byte is complete with the second, third and fourth digit
 * of four.
 */
static struct gltf_bytes decode_base64(struct gltf_item buffer,
                                       const char *text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t length = strlen(text), bytes = 0;
    unsigned char *data = allocate(length / 4 * 3 + 3, 1);
    int value[256];
    uint32_t bits = 0;
    for (int c = 0; c < 256; c++)
        value[c] = digit_of((char)c, digits);
    while (length > 0 && text[length - 1] == '=')
        length--;
    for (size_t i = 0; i < length; i++) {
        const int digit = value[(unsigned char)text[i]];
        if (digit < 0)
            gltf_fail(buffer, "uri: no digit of base64 at its byte %zu", i);
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 > 0)
            data[bytes++] = (unsigned char)(bits >> (6 - i % 4 * 2));
    }
    return (struct gltf_bytes){data, bytes, data};
}

/* In place: %20 becomes a space. */
static void decode_percent(struct gltf_item buffer, char *uri)
{
    static const char digits[] = "0123456789abcdef";
    char *to = uri;
    for (const char *from = uri; *from; to++) {
        *to = *from++;
        if (*to != '%')
            continue;
        const int high = digit_of(*from ? (char)(*from | 0x20) : 0, digits);
        const int low =
            high < 0 ? -1
                     : digit_of(from[1] ? (char)(from[1] | 0x20) : 0, digits);
        if (low < 0 || high + low == 0)
            gltf_fail(buffer, "uri: expected two hexadecimal digits, not 00, "
                              "after each %%");
        *to = (char)(high * 16 + low);
        from += 2;
    }
    *to = 0;
}

/* The path of a file that is named relative to the glTF file. */
static char *path_beside(struct gltf_item buffer, const char *uri)
{
    const char *path = buffer.gltf->path, *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    const size_t colon = strcspn(uri, ":/");
    if (uri[0] == '/' || uri[colon] == ':')
        gltf_fail(buffer, "uri: expected a data: URI in base64 or a relative "
                          "path");
    char *beside = allocate(folder + strlen(uri) + 1, 1);
    memcpy(beside, path, folder);
    strcpy(beside + folder, uri);
    decode_percent(buffer, beside + folder);
    return beside;
}

/* Only regular files: a name in a file from elsewhere must not make the reader
 * wait for a pipe or read a device. */
static struct gltf_bytes read_beside(struct gltf *gltf, struct gltf_item buffer,
                                     const char *uri)
{
    struct stat status;
    size_t bytes;
    char *path = path_beside(buffer, uri);
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        gltf_fail(buffer, "uri: there is no file '%s'",
                  excerpt_of_text(path).text);
    void *data = file_read(path, &bytes);
    free(path);
    gltf->bytes += bytes;
    return (struct gltf_bytes){data, bytes, data};
}

/* The extension that says the buffer's bytes are compressed, NULL: none. */
static const char *compression_of(const cJSON *buffer)
{
    static const char *const name[] = {"EXT_meshopt_compression",
                                       "KHR_meshopt_compression"};
    for (int i = 0; i < 2; i++)
        if (gltf_extension(buffer, name[i]) != NULL)
            return name[i];
    return NULL;
}

/* Where a buffer's bytes are: in the binary chunk, in the text, or in another
 * file. */
static struct gltf_bytes find_bytes(struct gltf *gltf, struct gltf_item buffer)
{
    const cJSON *uri = gltf_member(buffer.json, "uri");
    if (uri == NULL && compression_of(buffer.json) != NULL)
        gltf_fail(buffer, "compressed by %s, which is not read",
                  compression_of(buffer.json));
    if (uri == NULL && buffer.index == 0 && gltf->chunk.data != NULL)
        return gltf->chunk;
    if (!cJSON_IsString(uri))
        gltf_fail(buffer, "no uri, expected one, as it is not the binary chunk "
                          "of a .glb");
    const char *text = uri->valuestring, *comma = strchr(text, ',');
    if (strncasecmp(text, "data:", 5) != 0)
        return read_beside(gltf, buffer, text);
    if (comma == NULL || comma - text < 12 ||
        strncasecmp(comma - 7, ";base64", 7) != 0)
        gltf_fail(buffer, "uri: expected ';base64,' in a data: URI");
    return decode_base64(buffer, comma + 1);
}

/* Read once, then kept. A buffer may have more bytes than it says: a chunk is
 * padded. */
struct gltf_bytes gltf_buffer(struct gltf *gltf, struct gltf_item buffer)
{
    struct gltf_bytes *bytes = &gltf->buffer[buffer.index];
    if (bytes->data != NULL)
        return *bytes;
    *bytes = find_bytes(gltf, buffer);
    const uint64_t length = gltf_whole(buffer, buffer.json, "byteLength",
                                       GLTF_REQUIRED, UINT64_C(1) << 53);
    if (length > bytes->bytes)
        gltf_fail(buffer, "has %zu bytes, byteLength says %llu", bytes->bytes,
                  (unsigned long long)length);
    bytes->bytes = (size_t)length;
    return *bytes;
}
