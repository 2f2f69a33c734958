/* Packets of gdb's protocol, byte by byte. */
#include "sim/host/gdb/packet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

/* What the last of the bytes makes of it; no one before says anything. */
static enum packet_event take(struct packet_reader *r, const char *bytes)
{
    enum packet_event e = PACKET_NONE;
    for (size_t i = 0; i < strlen(bytes); i++) {
        assert_int_equal(e, PACKET_NONE);
        e = packet_take(r, (unsigned char)bytes[i]);
    }
    return e;
}

static void a_packet_is_taken_when_its_sum_is_right(void **state)
{
    static struct packet_reader r;
    (void)state;
    assert_int_equal(take(&r, "$OK#9a"), PACKET_WHOLE);
    assert_string_equal(r.data, "OK");
    assert_int_equal(take(&r, "$OK#9A"), PACKET_WHOLE);
    assert_int_equal(take(&r, "$OK#9b"), PACKET_BAD);
    assert_int_equal(take(&r, "$OK#x9"), PACKET_BAD);
    assert_int_equal(take(&r, "$#00"), PACKET_WHOLE);
    assert_int_equal(r.size, 0);
}

static void bytes_between_packets_are_orders_or_noise(void **state)
{
    static struct packet_reader r;
    (void)state;
    assert_int_equal(take(&r, "+"), PACKET_GOOD);
    assert_int_equal(take(&r, "-"), PACKET_AGAIN);
    assert_int_equal(take(&r, "\x03"), PACKET_BREAK);
    assert_int_equal(take(&r, "noise"), PACKET_NONE);
    assert_int_equal(take(&r, "$g#67"), PACKET_WHOLE);
    assert_int_equal(take(&r, "$lost$g#67"), PACKET_WHOLE);
    assert_int_equal(take(&r, "$lost#$g#67"), PACKET_WHOLE);
    assert_int_equal(take(&r, "$lost#6$g#67"), PACKET_WHOLE);
    assert_string_equal(r.data, "g");
}

static void a_packet_that_is_too_long_is_bad(void **state)
{
    static struct packet_reader r;
    (void)state;
    assert_int_equal(packet_take(&r, '$'), PACKET_NONE);
    for (unsigned i = 0; i < PACKET_BYTES + 256; i++)
        assert_int_equal(packet_take(&r, 0x01), PACKET_NONE);
    assert_int_equal(take(&r, "#00"), PACKET_BAD);
    assert_int_equal(take(&r, "$g#67"), PACKET_WHOLE);
}

static void all_bytes_come_through(void **state)
{
    static struct packet_reader r;
    char data[256], packet[PACKET_ROOM(sizeof data)];
    enum packet_event e = PACKET_NONE;
    (void)state;
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (char)i;
    size_t bytes = packet_put(packet, data, sizeof data);
    for (size_t i = 0; i < bytes; i++) {
        assert_int_equal(e, PACKET_NONE);
        e = packet_take(&r, (unsigned char)packet[i]);
    }
    assert_int_equal(e, PACKET_WHOLE);
    assert_int_equal(r.size, sizeof data);
    assert_memory_equal(r.data, data, sizeof data);
}

static void numbers_end_where_digits_do(void **state)
{
    const char *text = "1fF,2";
    unsigned long long n;
    (void)state;
    assert_true(hex_number(&text, &n));
    assert_int_equal(n, 0x1ff);
    assert_string_equal(text, ",2");
    assert_false(hex_number(&text, &n));
    text = "ffffffffffffffff";
    assert_true(hex_number(&text, &n));
    assert_true(n == UINT64_MAX);
    text = "10000000000000000";
    assert_false(hex_number(&text, &n));
}

static void bytes_are_pairs_of_digits(void **state)
{
    uint8_t bytes[3];
    char text[7];
    (void)state;
    assert_true(hex_get("00fFa5", bytes, 3));
    hex_put(text, bytes, 3);
    assert_string_equal(text, "00ffa5");
    assert_false(hex_get("0", bytes, 1));
    assert_false(hex_get("0g", bytes, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_is_taken_when_its_sum_is_right),
        cmocka_unit_test(bytes_between_packets_are_orders_or_noise),
        cmocka_unit_test(a_packet_that_is_too_long_is_bad),
        cmocka_unit_test(all_bytes_come_through),
        cmocka_unit_test(numbers_end_where_digits_do),
        cmocka_unit_test(bytes_are_pairs_of_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
