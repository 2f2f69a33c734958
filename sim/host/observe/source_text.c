/* Lines of the source that a program was compiled from, where these can be
 * read. */
#include "sim/core/heap.h"
#include "sim/host/observe/costs.h"
#include <stdlib.h>

struct source_text {
    const struct host *host;
    const struct source *source;
    struct source_file {
        bool read;
        char *text; /* NULL: it cannot be read */
        size_t bytes;
        size_t *lines; /* where each begins; the last one is the end */
        int line_count;
    } * files;
};

struct source_text *source_text_new(const struct host *host)
{
    const struct source *s = costs_of_run(host)->source;
    struct source_text *t = heap_new(1, sizeof *t, "the source");
    t->host = host;
    t->source = s;
    t->files = heap_new(s->file_count, sizeof *t->files, "the source");
    return t;
}

void source_text_free(struct source_text *t)
{
    for (unsigned i = 0; i < t->source->file_count; i++) {
        free(t->files[i].text);
        free(t->files[i].lines);
    }
    free(t->files);
    free(t);
}

/* A larger file is not written by hand: what is behind is left out. */
enum { SOURCE_BYTES_MAX = 1 << 24 };

static void find_lines(struct source_file *f)
{
    int room = 2;
    for (size_t i = 0; i < f->bytes; i++)
        room += f->text[i] == '\n';
    f->lines = heap_new((size_t)room, sizeof *f->lines, "the source");
    for (size_t i = 0; i < f->bytes; i++)
        if (f->text[i] == '\n')
            f->lines[++f->line_count] = i + 1;
    if (f->bytes && f->text[f->bytes - 1] != '\n')
        f->lines[++f->line_count] = f->bytes + 1;
}

static void read_source(const struct host *host, struct source_file *f,
                        const char *path)
{
    int fd = reach_file(host, path);
    FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
    f->read = true;
    if (!in)
        return;
    f->text = heap_new(SOURCE_BYTES_MAX, 1, "the source");
    f->bytes = fread(f->text, 1, SOURCE_BYTES_MAX, in);
    fclose(in);
    f->text = heap_resize(f->text, f->bytes + 1, 1, "the source");
    find_lines(f);
}

const char *source_text_line(struct source_text *t, unsigned file, int line,
                             int *bytes)
{
    struct source_file *f = &t->files[file];
    if (!f->read && file)
        read_source(t->host, f, t->source->files[file]);
    *bytes = 0;
    if (line < 1 || line > f->line_count)
        return "";
    *bytes = (int)(f->lines[line] - f->lines[line - 1] - 1);
    return f->text + f->lines[line - 1];
}
