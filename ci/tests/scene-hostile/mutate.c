/*
 * Changes a scene and makes its hash right again.
 *
 *   mutate IN OUT SEED             a few words, at random
 *   mutate IN OUT OFFSET WORD ..   these 32-bit words (0x..: hexadecimal)
 *
 * Exit status: 0; 2 usage, or a file that cannot be read or written.
 */
#include "sdk/scene/mutate.h"

#include <stdio.h>
#include <stdlib.h>

static struct corbel_scene *read_whole(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    *bytes = (size_t)ftell(file);
    rewind(file);
    struct corbel_scene *scene = malloc(*bytes);
    const bool good = scene && *bytes >= sizeof *scene &&
                      fread(scene, 1, *bytes, file) == *bytes;
    fclose(file);
    return good ? scene : NULL;
}

static bool write_whole(const char *path, const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    return file && fwrite(data, 1, bytes, file) == bytes && !fclose(file);
}

static void change(struct corbel_scene *scene, size_t bytes, int count,
                   char **argument)
{
    for (int i = 0; i + 1 < count; i += 2) {
        const size_t offset = strtoull(argument[i], NULL, 0);
        const uint32_t word = (uint32_t)strtoull(argument[i + 1], NULL, 0);
        if (offset + sizeof word <= bytes)
            memcpy((char *)scene + offset, &word, sizeof word);
    }
    mutate_seal(scene, bytes);
}

int main(int argc, char **argv)
{
    size_t bytes;
    struct corbel_scene *scene = argc < 4 ? NULL : read_whole(argv[1], &bytes);
    struct corbel_scene *good = scene ? malloc(bytes) : NULL;
    if (!good) {
        fputs("mutate: expected IN OUT SEED, or IN OUT OFFSET WORD ..\n",
              stderr);
        return 2;
    }
    memcpy(good, scene, bytes);
    if (argc == 4)
        mutate(good, scene, strtoull(argv[3], NULL, 0));
    else
        change(scene, bytes, argc - 3, argv + 3);
    return write_whole(argv[2], scene, bytes) ? 0 : 2;
}
