/*
 * The parts of which lists of state consist. Whatever fails is told once, in
 * s->error, and from then on nothing is moved: lists go on to their ends, and
 * what they load is zero, which all of them have to bear.
 */
#include "sim/core/state.h"
#include "sim/core/covered.h"
#include "sim/core/heap.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool state_fail(struct state *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!s->failed)
        corbel_line_format(s->error.text, sizeof s->error.text, format, args);
    va_end(args);
    s->failed = true;
    return false;
}

/* ---- what a checked build looks at ---- */

void state_rest(const struct state *s, const void *memory, size_t bytes)
{
    if (CHECKED && s->covers)
        covered_add(memory, bytes);
}

void state_fixed(const struct state *s, const void *memory)
{
    if (CHECKED && s->covers)
        covered_fixed(memory);
}

static void look_at(struct state *s, const void *bytes, size_t count)
{
    size_t at = covered_address(bytes, count);
    covered_add(bytes, count);
    if (at < count)
        state_fail(s, "byte %zu of %zu that are saved is an address", at,
                   count);
}

void state_cover(struct state *s)
{
    if (!CHECKED || s->loading)
        return;
    covered_begin();
    s->covers = true;
}

void state_covered(struct state *s)
{
    char text[200];
    if (CHECKED && s->covers && !s->failed &&
        !covered_structs(text, sizeof text))
        state_fail(s, "%s", text);
    s->covers = false;
}

/* ---- moving ---- */

void state_bytes(struct state *s, void *bytes, size_t count)
{
    if (!count)
        return;
    if (CHECKED && s->covers)
        look_at(s, bytes, count);
    if (!s->failed && !s->move(s, bytes, count))
        s->failed = true;
    if (s->failed && s->loading)
        memset(bytes, 0, count);
}

void state_flag(struct state *s, bool *flag)
{
    uint8_t byte = s->loading ? 0 : *flag;
    STATE_VALUE(s, byte);
    state_rest(s, flag, sizeof *flag);
    if (byte > 1)
        state_fail(s, "a flag is %u, 0 or 1 expected", byte);
    if (s->loading)
        *flag = byte == 1;
}

void state_number(struct state *s, uint32_t *value, uint64_t most,
                  const char *name)
{
    STATE_VALUE(s, *value);
    if (!s->loading || *value <= most)
        return;
    state_fail(s, "%s is %" PRIu32 ", at most %" PRIu64 " expected", name,
               *value, most);
    *value = 0;
}

void state_same(struct state *s, uint64_t value, const char *name)
{
    uint64_t had = value;
    STATE_VALUE(s, had);
    if (had != value && !s->failed)
        state_fail(s, "%s is %" PRIu64 ", here it is %" PRIu64, name, had,
                   value);
}

/* Room is made for what has come: a file that says that there is more than it
 * has ends before that takes memory. */
void *state_array(struct state *s, void *array, uint32_t *count, uint32_t *room,
                  size_t size, const char *name)
{
    const uint32_t piece = (uint32_t)((1u << 20) / size + 1);
    state_number(s, count, (UINT32_MAX >> 1) / size, name);
    for (uint32_t at = 0, n; at < *count && !s->failed; at += n) {
        n = *count - at < piece ? *count - at : piece;
        if (at + n > *room) {
            *room = at + n;
            array = heap_resize(array, *room, size, name);
        }
        state_bytes(s, (char *)array + at * size, n * size);
    }
    if (s->failed && s->loading)
        *count = 0;
    state_fixed(s, array);
    return array;
}

void state_struct(struct state *s, void *object, size_t bytes,
                  void (*take)(void *to, const void *from))
{
    char *copy = heap_new(2, bytes, "a checkpoint"), *none = copy + bytes;
    memcpy(copy, object, bytes);
    take(copy, none);
    state_bytes(s, copy, bytes);
    state_rest(s, object, bytes);
    take(copy, object);
    if (s->loading)
        memcpy(object, copy, bytes);
    free(copy);
}

void state_text(struct state *s, char **text, const char *name)
{
    uint32_t length = s->loading || !*text ? 0 : (uint32_t)strlen(*text) + 1;
    state_number(s, &length, UINT16_MAX, name);
    if (s->loading)
        *text = length ? heap_new(length, 1, name) : NULL;
    if (!length)
        return;
    state_bytes(s, *text, length);
    (*text)[length - 1] = '\0';
}
