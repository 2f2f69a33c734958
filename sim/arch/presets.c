/*
 * Finds the preset chips beside the running program, and says which there are
 * when a name is not one of them.
 */
#include "sim/arch/presets.h"
#include "sdk/whole/meant.h"
#include "sim/core/heap.h"
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRESETS_MAX 64

/* sim-run lies in bin/ of an installation, the presets in share/ beside it. */
bool presets_directory(char path[PATH_MAX], struct error *error)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    for (int up = 0; length > 0 && up < 2; up++) {
        self[length] = '\0';
        char *slash = strrchr(self, '/');
        length = slash ? slash - self : 0;
    }
    if (length <= 0)
        return error_set(error, "cannot tell where sim-run is installed");
    self[length] = '\0';
    return snprintf(path, PATH_MAX, "%s/share/corbel/arch", self) < PATH_MAX ||
           error_set(error, "the path of sim-run is too long");
}

static bool is_script(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && !strcmp(name + length - 4, ".lua");
}

static int script_filter(const struct dirent *entry)
{
    return is_script(entry->d_name);
}

/*
 * A chip's file begins with "-- NAME: what it is"; others are included by
 * these. True if it is one; line: what it is.
 */
static bool read_title(const char *directory, const char *name, char *line,
                       size_t size)
{
    char path[PATH_MAX + 300], start[300];
    snprintf(path, sizeof path, "%s/%s.lua", directory, name);
    snprintf(start, sizeof start, "-- %s: ", name);
    FILE *f = fopen(path, "r");
    bool chip =
        f && fgets(line, (int)size, f) && !strncmp(line, start, strlen(start));
    if (f)
        fclose(f);
    if (chip) {
        memmove(line, line + strlen(start), strlen(line + strlen(start)) + 1);
        line[strcspn(line, "\n")] = '\0';
    }
    return chip;
}

/* Names without .lua, sorted; the caller frees them. */
static unsigned preset_names(const char *directory, char **names)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, script_filter, alphasort);
    unsigned kept = 0;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char title[256];
        char *bare = heap_text_part(name, strlen(name) - 4);
        if (kept < PRESETS_MAX &&
            read_title(directory, bare, title, sizeof title))
            names[kept++] = bare;
        else
            free(bare);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return kept;
}

static void free_names(char **names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(names[i]);
}

/* Always false. The name is compared with those of all presets. */
static bool unknown_preset(const char *arch, const char *directory,
                           struct error *error)
{
    char *names[PRESETS_MAX];
    unsigned count = preset_names(directory, names);
    error_set(error,
              "--arch %.80s: no such chip%s (see --list-archs; a file's name "
              "ends in .lua)",
              arch, meant("", arch, (const char *const *)names, count).text);
    free_names(names, count);
    return false;
}

bool presets_find(const char *arch, char *path, size_t size,
                  struct error *error)
{
    char directory[PATH_MAX];
    if (strchr(arch, '/') || is_script(arch))
        return (size_t)snprintf(path, size, "%s", arch) < size ||
               error_set(error, "--arch: path too long");
    if (!presets_directory(directory, error))
        return false;
    if ((size_t)snprintf(path, size, "%s/%s.lua", directory, arch) >= size)
        return error_set(error, "--arch: path too long");
    return !access(path, F_OK) || unknown_preset(arch, directory, error);
}

bool presets_list(FILE *out, struct error *error)
{
    char directory[PATH_MAX];
    char *names[PRESETS_MAX];
    if (!presets_directory(directory, error))
        return false;
    unsigned count = preset_names(directory, names);
    size_t width = 0;
    for (unsigned i = 0; i < count; i++)
        width = strlen(names[i]) > width ? strlen(names[i]) : width;
    for (unsigned i = 0; i < count; i++) {
        char title[256];
        if (read_title(directory, names[i], title, sizeof title))
            fprintf(out, "%-*s  %s\n", (int)width, names[i], title);
    }
    free_names(names, count);
    return count > 0 ||
           error_set(error, "no chip descriptions in %.400s", directory);
}
