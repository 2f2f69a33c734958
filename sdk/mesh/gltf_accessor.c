/*
 * Accessors: elements of some components of a type, in a bufferView at an
 * offset with a stride; a sparse one then has some elements replaced.
 */
#include "gltf.h"

#include "sdk/common/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Offsets up to which a double of JSON is exact, and counts that 32 bits hold
 * with one to spare. */
#define OFFSET_MAX (UINT64_C(1) << 53)
#define COUNT_MAX (UINT32_MAX - 1)

/*
 * A type of numbers, by its number in glTF (3.6.2.2), which is that of OpenGL.
 */
struct component {
    unsigned type, bytes;
    double largest; /* what is 1 when normalised; 0: a float */
    bool is_signed;
};

static const struct component components_known[] = {
    {5120, 1, 127, true},           {5121, 1, 255, false},
    {5122, 2, 32767, true},         {5123, 2, 65535, false},
    {5125, 4, 4294967295.0, false}, {5126, 4, 0, true},
};

/* Where elements are. */
struct span {
    const unsigned char *data;
    uint64_t stride;
    struct component component;
    bool normalized;
    uint32_t components, count;
};

/* The type that the member componentType names. */
static struct component component_of(struct gltf_item accessor,
                                     const cJSON *json)
{
    const uint64_t type =
        gltf_whole(accessor, json, "componentType", GLTF_REQUIRED, UINT32_MAX);
    for (size_t i = 0; i < sizeof components_known / sizeof *components_known;
         i++)
        if (components_known[i].type == type)
            return components_known[i];
    gltf_fail(accessor,
              "componentType %llu, expected 5120 to 5123, 5125 or "
              "5126",
              (unsigned long long)type);
}

/*
 * The bytes of a bufferView. A compressed one can be read if its buffer has
 * bytes of its own, uncompressed, for readers that do not know the extension.
 */
static struct gltf_bytes view_bytes(struct gltf *gltf, struct gltf_item view)
{
    static const char *const packed[] = {"EXT_meshopt_compression",
                                         "KHR_meshopt_compression"};
    const struct gltf_item buffer =
        gltf_refer(view, gltf_member(view.json, "buffer"), GLTF_buffers);
    for (int i = 0; i < 2; i++)
        if (gltf_extension(view.json, packed[i]) != NULL &&
            gltf_member(buffer.json, "uri") == NULL)
            gltf_fail(view, "compressed by %s, which is not read", packed[i]);
    const struct gltf_bytes all = gltf_buffer(gltf, buffer);
    const uint64_t offset =
        gltf_whole(view, view.json, "byteOffset", 0, OFFSET_MAX);
    const uint64_t bytes =
        gltf_whole(view, view.json, "byteLength", GLTF_REQUIRED, OFFSET_MAX);
    if (offset > all.bytes || bytes > all.bytes - offset)
        gltf_fail(view, "bytes %llu to %llu of buffer %u, which has %zu",
                  (unsigned long long)offset,
                  (unsigned long long)offset + bytes, buffer.index, all.bytes);
    return (struct gltf_bytes){all.data + offset, (size_t)bytes, NULL};
}

/* Sets data and stride of a span whose place json (a part of user) says. */
static void locate(struct gltf *gltf, struct gltf_item user, const cJSON *json,
                   struct span *span)
{
    const struct gltf_item view =
        gltf_refer(user, gltf_member(json, "bufferView"), GLTF_bufferViews);
    const struct gltf_bytes bytes = view_bytes(gltf, view);
    const uint64_t size = span->component.bytes * span->components;
    const uint64_t offset = gltf_whole(user, json, "byteOffset", 0, OFFSET_MAX);
    span->stride = gltf_whole(view, view.json, "byteStride", size, 255);
    if (span->stride < size)
        gltf_fail(view, "byteStride %llu, expected %llu or more",
                  (unsigned long long)span->stride, (unsigned long long)size);
    const uint64_t needed = offset + (span->count - 1) * span->stride + size;
    if (needed > bytes.bytes)
        gltf_fail(user, "needs %llu bytes of bufferView %u, which has %zu",
                  (unsigned long long)needed, view.index, bytes.bytes);
    span->data = bytes.data + offset;
}

/*
 * A number as it is, or normalised: an integer's range becomes 0..1 or -1..1.
 */
static double load(const struct span *span, const unsigned char *from)
{
    const struct component c = span->component;
    uint32_t bits = 0;
    float single;
    memcpy(&bits, from, c.bytes);
    if (c.largest == 0) {
        memcpy(&single, &bits, sizeof single);
        return single;
    }
    double value = bits;
    if (c.is_signed && value > c.largest)
        value -= 2 * c.largest + 2;
    if (!span->normalized)
        return value;
    return fmax(value / c.largest, -1);
}

/* All elements of a span, one behind the other. */
static void decode(const struct span *span, double *to)
{
    for (uint32_t i = 0; i < span->count; i++)
        for (uint32_t k = 0; k < span->components; k++)
            *to++ = load(span, span->data + i * span->stride +
                                   k * span->component.bytes);
}

/* The elements that a sparse accessor has other values of. */
static void replace(struct gltf *gltf, struct gltf_item accessor,
                    const cJSON *sparse, const struct span *all, double *to)
{
    const cJSON *indices = gltf_member(sparse, "indices");
    const uint32_t count = (uint32_t)gltf_whole(accessor, sparse, "count",
                                                GLTF_REQUIRED, all->count);
    if (count == 0)
        return;
    struct span where = {.component = component_of(accessor, indices),
                         .components = 1,
                         .count = count};
    struct span what = *all;
    what.count = count;
    locate(gltf, accessor, indices, &where);
    locate(gltf, accessor, gltf_member(sparse, "values"), &what);
    for (uint32_t i = 0; i < count; i++) {
        const double index = load(&where, where.data + i * where.stride);
        if (!(index >= 0 && index < all->count && index == floor(index)))
            gltf_fail(accessor, "sparse: element %g of %u", index, all->count);
        struct span one = what;
        one.count = 1;
        one.data += i * what.stride;
        decode(&one, to + (size_t)index * all->components);
    }
}

/* Numbers of an element; 0: a type that nothing here has, e.g. a matrix. */
static uint32_t components_of(struct gltf_item accessor)
{
    static const char *const name[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const cJSON *type = gltf_member(accessor.json, "type");
    for (uint32_t i = 0; i < 4; i++)
        if (cJSON_IsString(type) && strcmp(type->valuestring, name[i]) == 0)
            return i + 1;
    return 0;
}

/* What an accessor says of itself, but for where its elements are. */
static struct span describe(struct gltf_item accessor, uint32_t components)
{
    if (components_of(accessor) != components)
        gltf_fail(accessor, "type: expected %s",
                  components == 1   ? "SCALAR"
                  : components == 3 ? "VEC3"
                                    : "VEC4");
    return (struct span){
        .component = component_of(accessor, accessor.json),
        .normalized = cJSON_IsTrue(gltf_member(accessor.json, "normalized")),
        .components = components,
        .count = (uint32_t)gltf_whole(accessor, accessor.json, "count",
                                      GLTF_REQUIRED, COUNT_MAX),
    };
}

/* Without a bufferView all elements are 0 until a sparse part replaces some. */
double *gltf_accessor(struct gltf *gltf, struct gltf_item accessor,
                      uint32_t components, uint32_t zeros, uint32_t *count)
{
    const cJSON *sparse = gltf_member(accessor.json, "sparse");
    const bool empty = gltf_member(accessor.json, "bufferView") == NULL;
    struct span span = describe(accessor, components);
    *count = span.count;
    if (span.count == 0)
        gltf_fail(accessor, "count is 0, expected 1 or more");
    if (empty && span.count > zeros)
        gltf_fail(accessor,
                  "count is %u without a bufferView, expected %u or less",
                  span.count, zeros);
    if (!empty)
        locate(gltf, accessor, accessor.json, &span);
    gltf->elements += span.count;
    if (gltf->elements > GLTF_ELEMENTS_MAX(gltf->bytes))
        gltf_fail(accessor,
                  "elements of accessors are used more than %llu times, which "
                  "is the bound for files of %llu bytes",
                  (unsigned long long)GLTF_ELEMENTS_MAX(gltf->bytes),
                  (unsigned long long)gltf->bytes);
    double *values = allocate(span.count, components * sizeof *values);
    if (!empty)
        decode(&span, values);
    if (sparse != NULL)
        replace(gltf, accessor, sparse, &span, values);
    return values;
}

/*
 * The greatest value of a type restarts a strip, which glTF forbids (3.7.2.1).
 */
uint32_t *gltf_indices(struct gltf *gltf, struct gltf_item accessor,
                       uint32_t vertices, uint32_t *count)
{
    const struct component c = component_of(accessor, accessor.json);
    if (c.is_signed)
        gltf_fail(accessor,
                  "componentType %u of indices, expected 5121, 5123 "
                  "or 5125",
                  c.type);
    double *values = gltf_accessor(gltf, accessor, 1, GLTF_ZEROS, count);
    uint32_t *index = allocate(*count, sizeof *index);
    for (uint32_t i = 0; i < *count; i++) {
        if (values[i] >= vertices || values[i] == c.largest)
            gltf_fail(accessor,
                      "element %u is vertex %.0f of %u, expected "
                      "less, and not %.0f",
                      i, values[i], vertices, c.largest);
        index[i] = (uint32_t)values[i];
    }
    free(values);
    return index;
}
