/* mesh-seeds FOLDER: writes the mesh files of sdk/mesh/fuzz_seeds.def there. */
#include <stdio.h>

static int write_one(const char *folder, const char *name, const char *text,
                     size_t bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    if (!f)
        return 1;
    const int bad = fwrite(text, 1, bytes, f) != bytes;
    return fclose(f) || bad;
}

int main(int argc, char **argv)
{
    int bad = argc != 2;
#define SEED(path, read, text)                                                 \
    bad = bad || write_one(argv[1], path, text, sizeof text - 1);
#include "sdk/mesh/fuzz_seeds.def"
    if (bad)
        fprintf(stderr, "mesh-seeds: expected a FOLDER to write to\n");
    return bad ? 2 : 0;
}
