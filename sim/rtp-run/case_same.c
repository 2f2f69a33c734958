#include "sim/rtp-run/case_input.h"
#include <string.h>

bool same_words(const char *name, const char *what, const uint32_t *is,
                const cJSON *array, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t expected = input_word(cJSON_GetArrayItem(array, (int)i));
        if (is[i] != expected)
            return differs(name, "%s[%u] is %08x, expected %08x", what, i,
                           is[i], expected);
    }
    return true;
}

bool same_local(const char *name, uint32_t thread, const uint32_t *local,
                const cJSON *object)
{
    static uint32_t expected[RTP_LOCAL_BYTES / 4];
    const cJSON *item;
    memset(expected, 0, sizeof expected);
    cJSON_ArrayForEach(item, object)
        expected[input_key(item, 16) % RTP_LOCAL_BYTES / 4] = input_word(item);
    for (uint32_t i = 0; i < RTP_LOCAL_BYTES / 4; i++)
        if (local[i] != expected[i])
            return differs(name,
                           "memory of thread %u at %04x is %08x, expected %08x",
                           thread, 4 * i, local[i], expected[i]);
    return true;
}
