#include "sim/rtp/integer.h"

uint32_t rtp_divide(uint32_t a, uint32_t b)
{
    if (!b)
        return UINT32_MAX;
    if (a == 0x80000000u && b == UINT32_MAX)
        return a;
    return (uint32_t)((int32_t)a / (int32_t)b);
}

unsigned rtp_compare(const struct rtp_rules *rules, uint32_t a, uint32_t b)
{
    int64_t x = (int64_t)(int32_t)a - (int32_t)b;
    /* The hardware adds the negated b, which -2^31 has none of in 32 bits. */
    if (rtp_has_quirk(rules, RTP_QUIRK_cmp_min) && b == 0x80000000u)
        x = (int64_t)(int32_t)a + (int32_t)b;
    if (!x)
        return RTP_ZERO;
    return x < 0 ? RTP_NEGATIVE : RTP_POSITIVE;
}

uint32_t rtp_to_integer(float x)
{
    if (x != x || x >= 0x1p31f)
        return 0x7fffffff;
    return x < -0x1p31f ? 0x80000000u : (uint32_t)(int32_t)x;
}
