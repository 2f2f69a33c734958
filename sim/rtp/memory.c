#include "sim/rtp/memory.h"

enum rtp_place rtp_place(const struct rtp_rules *rules, uint32_t address,
                         bool store)
{
    if (address >> 31)
        return RTP_LOCAL;
    if (rules->rtl_map)
        return store ? RTP_LOCAL : RTP_CONSTANT;
    bool inside = address >= RTP_CONSTANTS &&
                  address - RTP_CONSTANTS < 4 * rules->const_words;
    return inside && !store ? RTP_CONSTANT : RTP_NOWHERE;
}

uint32_t rtp_constant(const struct rtp_rules *rules, const uint32_t *constants,
                      uint32_t address)
{
    return constants[address / 4 % rules->const_words];
}

static uint32_t word_at(uint32_t address, unsigned i)
{
    return (address % RTP_LOCAL_BYTES / 4 + i) % (RTP_LOCAL_BYTES / 4);
}

void rtp_local_read(const uint32_t *local, uint32_t address, unsigned words,
                    uint32_t data[4])
{
    for (unsigned i = 0; i < words; i++)
        data[i] = local[word_at(address, i)];
}

void rtp_local_write(uint32_t *local, uint32_t address, unsigned words,
                     const uint32_t data[4])
{
    for (unsigned i = 0; i < words; i++)
        local[word_at(address, i)] = data[i];
}
