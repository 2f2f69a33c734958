/* The shape of a case, before anything of it is used. */
#include "sim/rtp-run/case_input.h"
#include "sim/units/rtp/rtp_machine.h"
#include <inttypes.h>

struct limit {
    const char *name;
    uint64_t most;
};

/* A member's name, or that of an element of a list. */
static const char *name_of(const cJSON *item)
{
    return item->string ? item->string : "an element of a list";
}

/* All numbers of a case are counts, cycles or names. */
static bool check_numbers(const cJSON *item, struct error *error)
{
    const cJSON *child;
    if (cJSON_IsNumber(item) &&
        !(item->valuedouble >= 0 && item->valuedouble < 0x1p53))
        return error_set(error,
                         "%.40s is %g, expected a number from 0 on, less than "
                         "2^53",
                         name_of(item), item->valuedouble);
    cJSON_ArrayForEach(child, item)
    {
        if (!check_numbers(child, error))
            return false;
    }
    return true;
}

static bool check_limits(const cJSON *object, struct error *error)
{
    static const struct limit limits[] = {
        {"npix", RTP_PIXELS_MAX},
        {"thread", RTP_THREADS - 1},
        {"pixel", UINT32_MAX},
    };
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        uint64_t is = input_number(object, limits[i].name);
        if (is > limits[i].most)
            return error_set(error,
                             "%s is %" PRIu64 ", expected %" PRIu64 " at most",
                             limits[i].name, is, limits[i].most);
    }
    return true;
}

static bool check_lists(const cJSON *object, struct error *error)
{
    static const struct limit lists[] = {
        {"words", RTP_CODE_WORDS},
        {"const", RTP_CONSTANTS_MAX},
        {"triangles", RTP_TRIANGLES_ROOM},
    };
    for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++) {
        int count = cJSON_GetArraySize(
            cJSON_GetObjectItemCaseSensitive(object, lists[i].name));
        if ((uint64_t)count > lists[i].most)
            return error_set(error, "%d %s, expected %" PRIu64 " at most",
                             count, lists[i].name, lists[i].most);
    }
    return true;
}

/* `mem` of a chip has an object for each thread. */
static bool check_objects(const cJSON *object, struct error *error)
{
    static const char *const names[] = {"init_s", "init_v", "init_mem", "mem"};
    const cJSON *threads, *thread;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const cJSON *o = cJSON_GetObjectItemCaseSensitive(object, names[i]);
        if (o && !cJSON_IsObject(o))
            return error_set(error, "%s: expected an object", names[i]);
    }
    threads = cJSON_GetObjectItemCaseSensitive(object, "mem");
    cJSON_ArrayForEach(thread, threads)
    {
        if (cJSON_IsArray(thread))
            return error_set(error,
                             "mem of %.40s: expected an object or a word",
                             name_of(thread));
    }
    return true;
}

bool input_check(const cJSON *object, struct error *error)
{
    return check_numbers(object, error) && check_limits(object, error) &&
           check_lists(object, error) && check_objects(object, error);
}
