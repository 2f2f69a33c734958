#include "sim/rtp/quirks.h"
#include <stdio.h>
#include <string.h>

#define RTP_QUIRK(id, meaning) #id,
static const char *const names[] = {
#include "sim/rtp/quirks.def"
};
#undef RTP_QUIRK

static bool unknown(const char *name, size_t length, struct error *error)
{
    char list[256] = "all";
    for (unsigned q = 0; q < RTP_QUIRKS; q++) {
        size_t at = strlen(list);
        snprintf(list + at, sizeof list - at, ", %s", names[q]);
    }
    return error_set(error, "no quirk is called '%.*s'; there are %s",
                     (int)length, name, list);
}

static bool one(const char *name, size_t length, uint32_t *quirks,
                struct error *error)
{
    if (length == strlen("all") && !memcmp(name, "all", length)) {
        *quirks = (1u << RTP_QUIRKS) - 1;
        return true;
    }
    for (unsigned q = 0; q < RTP_QUIRKS; q++)
        if (length == strlen(names[q]) && !memcmp(name, names[q], length)) {
            *quirks |= 1u << q;
            return true;
        }
    return unknown(name, length, error);
}

bool rtp_quirks(const char *text, uint32_t *quirks, struct error *error)
{
    *quirks = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        if (!one(text, length, quirks, error))
            return false;
        text += length + (text[length] == ',');
    }
    return true;
}
