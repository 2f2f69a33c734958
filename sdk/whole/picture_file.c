/* A PNG file (RFC 2083) of stored blocks: as large as its pixels. */
#include "sdk/whole/picture_file.h"
#include <string.h>

/* A chunk is written field by field, and its checksum on the way. */
struct chunk {
    FILE *out;
    uint32_t crc, a, b; /* CRC-32 of the chunk; Adler-32 of the pixels */
};

static uint32_t crc_byte(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    return crc;
}

static void put(struct chunk *c, const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        c->crc = crc_byte(c->crc, p[i]);
    fwrite(bytes, 1, size, c->out);
}

static void put_word(struct chunk *c, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 8), (uint8_t)value};
    put(c, bytes, 4);
}

static void begin(struct chunk *c, const char *type, uint32_t size)
{
    put_word(c, size);
    c->crc = UINT32_MAX;
    put(c, type, 4);
}

static void end(struct chunk *c)
{
    put_word(c, ~c->crc);
}

static void put_pixels(struct chunk *c, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        c->a = (c->a + bytes[i]) % 65521;
        c->b = (c->b + c->a) % 65521;
    }
    put(c, bytes, size);
}

#define BLOCK 65535u /* bytes of a stored block */

static void begin_block(struct chunk *c, uint32_t length, bool last)
{
    const uint8_t head[5] = {last, (uint8_t)length, (uint8_t)(length >> 8),
                             (uint8_t)~length, (uint8_t)(~length >> 8)};
    put(c, head, sizeof head);
}

static uint32_t blocks_of(uint32_t bytes)
{
    return (bytes + BLOCK - 1) / BLOCK;
}

/* A line has blocks of its own: a filter byte of 0, then its pixels. */
static void put_line(struct chunk *c, const uint8_t *pixels, uint32_t size,
                     bool last)
{
    static const uint8_t filter;
    for (uint32_t at = 0, length; at <= size; at += length) {
        length = size + 1 - at < BLOCK ? size + 1 - at : BLOCK;
        begin_block(c, length, last && at + length > size);
        if (!at)
            put_pixels(c, &filter, 1);
        put_pixels(c, pixels + at - (at > 0), length - (at == 0));
    }
}

static void write_png(FILE *out, const uint8_t *rgb, uint32_t width,
                      uint32_t height)
{
    static const uint8_t rest[5] = {8, 2, 0, 0, 0}; /* 8 bits, RGB */
    struct chunk c = {.out = out, .a = 1};
    put(&c, "\x89PNG\r\n\x1a\n", 8);
    begin(&c, "IHDR", 13);
    put_word(&c, width);
    put_word(&c, height);
    put(&c, rest, sizeof rest);
    end(&c);
    uint32_t line = 1 + 3 * width;
    begin(&c, "IDAT", 2 + height * (5 * blocks_of(line) + line) + 4);
    put(&c, "\x78\x01", 2);
    for (uint32_t y = 0; y < height; y++)
        put_line(&c, rgb + (size_t)y * 3 * width, 3 * width, y + 1 == height);
    put_word(&c, c.b << 16 | c.a);
    end(&c);
    begin(&c, "IEND", 0);
    end(&c);
}

void picture_file_write(FILE *out, bool png, const uint8_t *rgb, uint32_t width,
                        uint32_t height)
{
    if (png) {
        write_png(out, rgb, width, height);
        return;
    }
    fprintf(out, "P6\n%u %u\n255\n", width, height);
    fwrite(rgb, 3, (size_t)width * height, out);
}
