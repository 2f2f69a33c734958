/*
 * Changes small mesh files at random and reads them: every one is read as a
 * mesh that is sound, or refused in one line. What sanitizers find, failed
 * checks, and requests for more memory than a small file justifies end the run.
 *
 *   fuzz SEED INPUTS [FIRST]
 *
 * Input i depends on SEED and i alone; FIRST (0) is the first of INPUTS, so
 * that one that failed can be repeated. Refused files leave memory behind, so
 * inputs are read in batches by processes of their own.
 */
#include "catch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BATCH 2000
#define ROOM 4096

/* A file that is being changed. */
struct file {
    char data[ROOM];
    size_t bytes;
};

/* Files from which others are made, each with its reader. */
static const struct seed {
    const char *path;
    reader *read;
    const char *text;
    size_t bytes;
} seeds[] = {
#define SEED(path, read, text) {path, read, text, sizeof text - 1},
#include "fuzz_seeds.def"
#undef SEED
};
#define SEEDS (sizeof seeds / sizeof *seeds)

/* What is put into files: words and numbers at which readers stumble. */
static const char *const words[] = {
    "-1",
    "0",
    "3",
    "255",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "-9223372036854775808",
    "99999999999999999999",
    "1e400",
    "-1e-400",
    "nan",
    "inf",
    ".5",
    "1.",
    "+.5e-3",
    "0.1234567890123456789012345",
    "\\\n",
    "\r",
    "\r\n",
    "#",
    "f 1 2 3 4 5 6\n",
    "f -1 -2 -3 -4 -5\n",
    "v 1 2 3\n",
    "l 1 2\n",
    "/",
    "//",
    "list uchar int vertex_indices",
    "property char a\n",
    "element face 4000000000\n",
    "element x 7\n",
    "end_header\n",
    "float64",
    "uint8",
    "ascii",
    "binary_big_endian",
    "[",
    "]",
    "{",
    "}",
    ",",
    "null",
    "true",
    "\"",
    "\"sparse\":{",
    "\"byteStride\":",
    "\"indices\":",
    "\"children\":[0,1]",
    "\"matrix\":[",
    "%20",
    "%",
    "data:;base64,",
    "\0",
};
#define WORDS (sizeof words / sizeof *words)

/* ---- random numbers ---- */

static uint64_t state;

/* splitmix64: good enough, and the same on all hosts. */
static uint64_t random_word(void)
{
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* 0 if there is nothing below the limit. */
static size_t below(size_t limit)
{
    return limit > 0 ? (size_t)(random_word() % limit) : 0;
}

/* ---- changes ---- */

/* Puts `bytes` bytes in the place of `gone` bytes at `at`, if there is room. */
static void replace(struct file *file, size_t at, size_t gone, const char *with,
                    size_t bytes)
{
    char copy[ROOM];
    if (file->bytes - gone + bytes > ROOM)
        return;
    memcpy(copy, with, bytes);
    memmove(file->data + at + bytes, file->data + at + gone,
            file->bytes - at - gone);
    memcpy(file->data + at, copy, bytes);
    file->bytes += bytes - gone;
}

/* A number in text, wherever one is next, becomes another word. */
static void change_number(struct file *file)
{
    size_t at = below(file->bytes), end;
    while (at < file->bytes && !strchr("0123456789", file->data[at]))
        at++;
    end = at;
    while (end < file->bytes && file->data[end] != 0 &&
           strchr("0123456789.", file->data[end]))
        end++;
    char number[24];
    const char *word = words[below(20)];
    if (below(2) == 0) {
        snprintf(number, sizeof number, "%zu", below(9));
        word = number;
    }
    replace(file, at, end - at, word, strlen(word));
}

/*
 * One change: a bit, a byte, a piece removed, copied or replaced, the rest cut
 * off, or a number in text. Numbers are what most is decided by, so they are
 * changed most.
 */
static void change(struct file *file)
{
    const size_t at = below(file->bytes), left = file->bytes - at;
    const size_t some = below(left < 40 ? left : 40);
    const char *word = words[below(WORDS)];
    const size_t length = *word ? strlen(word) : 1;
    switch (below(9)) {
    case 0:
        if (left > 0)
            file->data[at] = (char)(file->data[at] ^ 1 << below(8));
        break;
    case 1:
        if (left > 0)
            file->data[at] = (char)random_word();
        break;
    case 2:
        replace(file, at, some, "", 0);
        break;
    case 3:
        replace(file, below(file->bytes), 0, file->data + at, some);
        break;
    case 4:
        replace(file, at, 0, word, length);
        break;
    case 5:
        replace(file, at, length < left ? length : left, word, length);
        break;
    case 6:
        if (below(8) == 0)
            file->bytes = at;
        break;
    default:
        change_number(file);
    }
}

/* ---- checks ---- */

/* The process ends by a signal, which the parent reports with the input's
 * number. */
_Noreturn static void wrong(const char *what)
{
    fprintf(stderr, "fuzz: %s (message: '%s')\n", what, caught);
    abort();
}

/* What every mesh must keep that a reader has taken. */
static void check_mesh(const struct mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertices; i++)
        if (!mesh_vertex_valid(mesh->vertex[i]))
            wrong("a vertex that is not finite or too far");
    for (uint32_t i = 0; i < mesh->triangles; i++)
        for (int k = 0; k < 3; k++)
            if (mesh->face[i][k] >= mesh->vertices)
                wrong("a triangle of a vertex that does not exist");
}

/* Reads a file. A refusal must be one line that begins with the file's name. */
static bool try(const struct seed *seed, const struct file *file)
{
    struct mesh mesh;
    if (catch_read(seed->read, seed->path, file->data, file->bytes, &mesh)) {
        check_mesh(&mesh);
        mesh_free(&mesh);
        return true;
    }
    if (strncmp(caught, seed->path, strlen(seed->path)) != 0)
        wrong("a message that does not name the file");
    for (const char *c = caught; *c; c++)
        if (*c == '\n')
            wrong("a message of more than one line");
    return false;
}

/* Makes input i and tries it. False: it was refused. */
static bool try_input(uint64_t seed, uint64_t i)
{
    struct file file;
    state = seed * 0x2545f4914f6cdd1du + i;
    const struct seed *from = &seeds[below(SEEDS)];
    memcpy(file.data, from->text, from->bytes);
    file.bytes = from->bytes;
    for (size_t changes = 1 + below(5); changes > 0; changes--)
        change(&file);
    return try(from, &file);
}

/* ---- batches ---- */

/* Shared with the processes of batches. */
struct progress {
    uint64_t input, read;
};

/* Inputs up to end; p->input stays at the one that ends the process. */
static void run_batch(struct progress *p, uint64_t seed, uint64_t end)
{
    for (; p->input < end; p->input++)
        p->read += try_input(seed, p->input);
}

/* Seeds as they are must be read; then batches, each in a process whose failure
 * names its input. */
int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: fuzz SEED INPUTS [FIRST]\n");
        return 2;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10);
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    const uint64_t end = first + strtoull(argv[2], NULL, 10);
    struct progress *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    p->input = first;
    for (size_t i = 0; i < SEEDS; i++) {
        struct file file = {.bytes = seeds[i].bytes};
        memcpy(file.data, seeds[i].text, seeds[i].bytes);
        if (!try(&seeds[i], &file))
            wrong("a file that was not changed is refused");
    }
    while (p->input < end) {
        int status;
        const uint64_t stop = p->input + BATCH < end ? p->input + BATCH : end;
        const pid_t child = fork();
        if (child == 0) {
            run_batch(p, seed, stop);
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "fuzz: failed: fuzz %llu 1 %llu\n",
                    (unsigned long long)seed, (unsigned long long)p->input);
            return 1;
        }
    }
    printf("%llu inputs, %llu read, the others refused\n",
           (unsigned long long)(end - first), (unsigned long long)p->read);
    return 0;
}
