/* The JSON text of a glTF file, and how members of its objects are read. */
#include "gltf.h"

#include "input.h"

#include "sdk/common/report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of a .glb: its first one, and the types of chunks ("JSON", "BIN"). */
#define GLB_MAGIC 0x46546c67 /* "glTF" */
#define GLB_JSON 0x4e4f534a
#define GLB_BIN 0x004e4942
#define MESSAGE_MAX 512

static const char *const kind_name[] = {
#define X(name) #name,
    GLTF_KINDS(X)
#undef X
};

_Noreturn void gltf_fail(struct gltf_item item, const char *format, ...)
{
    char message[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail(STATUS_INPUT, "%s: %s[%u]: %s", item.gltf->path, item.kind, item.index,
         message);
}

/* ---- members ---- */

const cJSON *gltf_member(const cJSON *json, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

const cJSON *gltf_extension(const cJSON *json, const char *name)
{
    return gltf_member(gltf_member(json, "extensions"), name);
}

/* Numbers of JSON are doubles here, which hold whole numbers up to 2^53
 * exactly. */
static bool is_whole(const cJSON *value, uint64_t most)
{
    return cJSON_IsNumber(value) && value->valuedouble >= 0 &&
           value->valuedouble <= (double)most &&
           value->valuedouble == floor(value->valuedouble);
}

/* A member of another type, or out of range, ends the program, as a missing one
 * does whose fallback is GLTF_REQUIRED. */
uint64_t gltf_whole(struct gltf_item item, const cJSON *json, const char *name,
                    uint64_t fallback, uint64_t most)
{
    const cJSON *value = gltf_member(json, name);
    if (value == NULL && fallback != GLTF_REQUIRED)
        return fallback;
    if (value == NULL)
        gltf_fail(item, "no %s, expected a whole number", name);
    if (!is_whole(value, most))
        gltf_fail(item, "%s: expected a whole number from 0 to %llu", name,
                  (unsigned long long)most);
    return (uint64_t)value->valuedouble;
}

/* Neither more nor fewer numbers will do, and all must be finite. */
bool gltf_numbers(struct gltf_item item, const cJSON *json, const char *name,
                  uint32_t count, double *numbers)
{
    const cJSON *array = gltf_member(json, name), *value;
    uint32_t i = 0;
    if (array == NULL)
        return false;
    cJSON_ArrayForEach(value, array)
    {
        if (i == count || !cJSON_IsNumber(value) ||
            !isfinite(value->valuedouble))
            break;
        numbers[i++] = value->valuedouble;
    }
    if (!cJSON_IsArray(array) || value != NULL || i != count)
        gltf_fail(item, "%s: expected an array of %u numbers", name, count);
    return true;
}

struct gltf_item gltf_item(const struct gltf *gltf, enum gltf_kind kind,
                           uint32_t index)
{
    return (struct gltf_item){gltf, kind_name[kind], index,
                              gltf->array[kind].item[index]};
}

/* The number must be that of an object that exists. */
struct gltf_item gltf_refer(struct gltf_item user, const cJSON *value,
                            enum gltf_kind kind)
{
    const uint32_t count = user.gltf->array[kind].count;
    if (!is_whole(value, UINT32_MAX) || value->valuedouble >= count)
        gltf_fail(user, "expected the number of one of %s, less than %u",
                  kind_name[kind], count);
    return gltf_item(user.gltf, kind, (uint32_t)value->valuedouble);
}

/* ---- the text ---- */

/* Objects by number: cJSON keeps arrays as lists, in which a look-up takes as
 * many steps as the number says. */
static void fill_array(struct gltf *gltf, enum gltf_kind kind)
{
    const cJSON *array = gltf_member(gltf->root, kind_name[kind]), *value;
    struct gltf_array *to = &gltf->array[kind];
    if (array != NULL && !cJSON_IsArray(array))
        fail(STATUS_INPUT, "%s: %s: expected an array", gltf->path,
             kind_name[kind]);
    to->item = allocate((unsigned)cJSON_GetArraySize(array), sizeof *to->item);
    cJSON_ArrayForEach(value, array)
    {
        if (!cJSON_IsObject(value))
            fail(STATUS_INPUT, "%s: %s[%u]: expected an object", gltf->path,
                 kind_name[kind], to->count);
        to->item[to->count++] = value;
    }
}

/* The JSON text must be all there is, white space apart. */
static void parse(struct gltf *gltf, const struct input *in, const char *text,
                  size_t bytes)
{
    const char *stop = text;
    gltf->root = cJSON_ParseWithLengthOpts(text, bytes, &stop, false);
    if (gltf->root == NULL)
        fail_at(in, stop, "damaged JSON text");
    while (stop < text + bytes && (is_blank(*stop) || is_line_end(*stop)))
        stop++;
    if (stop < text + bytes)
        fail_at(in, stop, "the file goes on after its JSON text");
    if (!cJSON_IsObject(gltf->root))
        fail_at(in, text, "the JSON text is not an object");
}

/* A number of 32 bits, little-endian, as in all of a .glb. */
static uint32_t word_at(const struct input *in, const char *at)
{
    uint32_t word;
    if (in->end - at < 4)
        fail_at(in, in->end, "the file ends within a number");
    memcpy(&word, at, sizeof word);
    return word;
}

/* A chunk: its length, its type, its bytes, at in->at, which is then behind. */
static struct gltf_bytes next_chunk(struct input *in, uint32_t *type)
{
    const uint32_t bytes = word_at(in, in->at);
    *type = word_at(in, in->at + 4);
    in->at += 8;
    if (bytes > in->end - in->at)
        fail_at(in, in->end, "the file ends within a chunk of %u bytes", bytes);
    struct gltf_bytes chunk = {(const unsigned char *)in->at, bytes, NULL};
    in->at += bytes;
    return chunk;
}

/*
 * A .glb: magic, version and length, then chunks, of which the first is the
 * JSON text. The first binary chunk is buffer 0; chunks of other types are
 * passed over, as the standard asks for (glTF 2.0, 4.4.3).
 */
static void open_binary(struct gltf *gltf, struct input *in)
{
    uint32_t type;
    in->binary = true;
    const uint32_t version = word_at(in, in->at + 4);
    const uint32_t length = word_at(in, in->at + 8);
    if (version != 2)
        fail_at(in, in->at + 4, "GLB version %u, expected 2", version);
    if (length != in->end - in->start)
        fail_at(in, in->at + 8, "the header says %u bytes, the file has %zu",
                length, (size_t)(in->end - in->start));
    in->at += 12;
    const struct gltf_bytes text = next_chunk(in, &type);
    if (type != GLB_JSON)
        fail_at(in, in->start + 16, "the first chunk is not JSON");
    parse(gltf, in, (const char *)text.data, text.bytes);
    while (in->at < in->end) {
        const struct gltf_bytes chunk = next_chunk(in, &type);
        if (type == GLB_BIN && gltf->chunk.data == NULL)
            gltf->chunk = chunk;
    }
}

/* A byte order mark before the JSON text is passed over. */
void gltf_open(struct gltf *gltf, const char *path, const void *data,
               size_t bytes)
{
    struct input in;
    input_open(&in, path, data, bytes);
    memset(gltf, 0, sizeof *gltf);
    gltf->path = path;
    gltf->bytes = bytes;
    if (bytes >= 4 && word_at(&in, in.at) == GLB_MAGIC) {
        open_binary(gltf, &in);
    } else {
        if (bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
            in.at += 3;
        parse(gltf, &in, in.at, (size_t)(in.end - in.at));
    }
    for (int kind = 0; kind < GLTF_KIND_COUNT; kind++)
        fill_array(gltf, (enum gltf_kind)kind);
    gltf->buffer =
        allocate(gltf->array[GLTF_buffers].count, sizeof *gltf->buffer);
}

/* Frees all but the file's bytes, which are the caller's. */
void gltf_close(struct gltf *gltf)
{
    for (uint32_t i = 0; i < gltf->array[GLTF_buffers].count; i++)
        free(gltf->buffer[i].owned);
    for (int kind = 0; kind < GLTF_KIND_COUNT; kind++)
        free(gltf->array[kind].item);
    free(gltf->buffer);
    cJSON_Delete(gltf->root);
}
