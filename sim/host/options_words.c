/* Values of options that are lists of words. */
#include "sim/host/options.h"
#include <string.h>

const char *const placed_names[] = {
    [PLACED_FILE] = "file", [PLACED_RAYS] = "rays", [PLACED_SCENE] = "scene"};

const char managed_expected[] =
    "expected scene, rays or file, or several with commas between them";

bool options_managed(const char *text, unsigned *kinds)
{
    for (const char *word = text;; word++) {
        const size_t length = strcspn(word, ",");
        unsigned kind = 0;
        while (kind < PLACED_KINDS &&
               (strlen(placed_names[kind]) != length ||
                memcmp(placed_names[kind], word, length)))
            kind++;
        if (kind == PLACED_KINDS)
            return false;
        *kinds |= 1u << kind;
        word += length;
        if (!*word)
            return true;
    }
}
