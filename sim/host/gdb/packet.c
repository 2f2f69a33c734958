/* A machine of four states reads packets byte by byte. */
#include "sim/host/gdb/packet.h"
#include <stdint.h>
#include <string.h>

enum { ESCAPE = '}', FLIPPED = 0x20, CTRL_C = 0x03 };

static enum packet_event between(struct packet_reader *r, unsigned char byte)
{
    switch (byte) {
    case '$':
        *r = (struct packet_reader){.state = PACKET_DATA};
        return PACKET_NONE;
    case CTRL_C:
        return PACKET_BREAK;
    case '+':
        return PACKET_GOOD;
    case '-':
        return PACKET_AGAIN;
    default:
        return PACKET_NONE;
    }
}

static void take_data(struct packet_reader *r, unsigned char byte)
{
    r->sum = (unsigned char)(r->sum + byte);
    if (byte == ESCAPE && !r->escaped) {
        r->escaped = true;
        return;
    }
    if (r->size == PACKET_BYTES)
        r->too_long = true;
    else
        r->data[r->size++] = (char)(r->escaped ? byte ^ FLIPPED : byte);
    r->escaped = false;
}

static enum packet_event end(struct packet_reader *r, int low)
{
    bool good = r->told >= 0 && low >= 0 && r->told * 16 + low == r->sum &&
                !r->escaped && !r->too_long;
    r->state = PACKET_BETWEEN;
    r->data[r->size] = 0;
    return good ? PACKET_WHOLE : PACKET_BAD;
}

enum packet_event packet_take(struct packet_reader *r, unsigned char byte)
{
    if (byte == '$') /* if within a packet, the end of that was lost */
        return between(r, byte);
    switch (r->state) {
    case PACKET_BETWEEN:
        return between(r, byte);
    case PACKET_DATA:
        if (byte == '#')
            r->state = PACKET_SUM_HIGH;
        else
            take_data(r, byte);
        return PACKET_NONE;
    case PACKET_SUM_HIGH:
        r->told = hex_digit((char)byte);
        r->state = PACKET_SUM_LOW;
        return PACKET_NONE;
    case PACKET_SUM_LOW:
        return end(r, hex_digit((char)byte));
    }
    return PACKET_NONE;
}

size_t packet_put(char *to, const char *data, size_t bytes)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char sum = 0;
    char *at = to;
    *at++ = '$';
    for (size_t i = 0; i < bytes; i++) {
        char c = data[i];
        if (c == '$' || c == '#' || c == ESCAPE || c == '*') {
            *at++ = ESCAPE;
            c = (char)(c ^ FLIPPED);
        }
        *at++ = c;
    }
    for (const char *p = to + 1; p < at; p++)
        sum = (unsigned char)(sum + (unsigned char)*p);
    *at++ = '#';
    *at++ = digits[sum >> 4];
    *at++ = digits[sum & 15];
    return (size_t)(at - to);
}

/* ---- what is in packets ---- */

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool hex_number(const char **text, unsigned long long *value)
{
    const char *at = *text;
    *value = 0;
    for (; hex_digit(*at) >= 0; at++) {
        if (*value >> 60)
            return false;
        *value = *value << 4 | (unsigned)hex_digit(*at);
    }
    bool any = at > *text;
    *text = at;
    return any;
}

void hex_put(char *to, const void *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *from = bytes;
    for (size_t i = 0; i < count; i++) {
        *to++ = digits[from[i] >> 4];
        *to++ = digits[from[i] & 15];
    }
    *to = 0;
}

bool hex_get(const char *text, void *bytes, size_t count)
{
    uint8_t *to = bytes;
    for (size_t i = 0; i < count; i++) {
        int high = hex_digit(text[2 * i]);
        int low = high < 0 ? -1 : hex_digit(text[2 * i + 1]);
        if (low < 0)
            return false;
        to[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}
