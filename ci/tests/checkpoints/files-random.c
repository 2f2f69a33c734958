/*
 * What a program may do with files while it runs, as a seed says: reads its
 * standard input, makes, appends to, truncates, renames and removes files and
 * folders, also while they are open, lists folders, and prints. All that it
 * finds out goes into a sum, which is printed at the end.
 *
 * usage: files-random SEED STEPS WORK
 */
#include <corbel/corbel.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN = 8, NAMES = 6 };
static uint32_t state, sum;
static int fds[OPEN];
static char bytes[256];
static volatile uint32_t sink;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 4) * below >> 28);
}

static void add(long value)
{
    sum = sum * 31 + (uint32_t)value;
}

static void add_bytes(long count)
{
    add(count);
    for (long i = 0; i < count; i++)
        add(bytes[i]);
}

/* One of a few names, in the folder or in one of two below it. */
static const char *name(void)
{
    static char text[4][32];
    static unsigned next;
    char *to = text[next++ % 4];
    static const char *const folders[] = {"", "", "d0/", "d1/"};
    sprintf(to, "%sf%u", folders[draw(4)], (unsigned)draw(NAMES));
    return to;
}

static const char *folder(void)
{
    static const char *const names[] = {"d0", "d1", "d2"};
    return names[draw(3)];
}

static void open_one(void)
{
    static const int flags[] = {O_RDONLY,
                                O_RDWR,
                                O_WRONLY | O_CREAT | O_TRUNC,
                                O_RDWR | O_CREAT,
                                O_WRONLY | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_EXCL,
                                O_RDWR | O_APPEND,
                                O_RDONLY | O_CREAT | O_TRUNC};
    unsigned i = draw(OPEN);
    if (fds[i] >= 0)
        add(close(fds[i]));
    fds[i] = open(name(), flags[draw(8)], 0644);
    add(fds[i]);
}

static void write_one(void)
{
    int fd = fds[draw(OPEN)];
    unsigned count = draw(60) + 1;
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (char)('a' + draw(26));
    if (fd >= 0)
        add(write(fd, bytes, count));
}

static void read_one(void)
{
    int fd = fds[draw(OPEN)];
    if (fd >= 0)
        add_bytes(read(fd, bytes, draw(100) + 1));
}

static void move_one(void)
{
    int fd = fds[draw(OPEN)];
    long to = draw(200);
    if (fd >= 0 && draw(3))
        add(lseek(fd, to, SEEK_SET));
    else if (fd >= 0)
        add(ftruncate(fd, to));
}

/* Appended by one that is opened for that alone, as logs are. */
static void append_one(void)
{
    int fd = open(name(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    add(fd);
    if (fd >= 0) {
        add(write(fd, "line\n", 5));
        close(fd);
    }
}

static void list_one(void)
{
    DIR *d = opendir(draw(2) ? "." : folder());
    add(d != NULL);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] == 'f' || e->d_name[0] == 'd')
            for (const char *c = e->d_name; *c; c++)
                add(*c);
    if (d)
        closedir(d);
}

static void stat_one(void)
{
    struct stat st;
    add(stat(name(), &st));
    add((long)st.st_size);
}

static void step(void)
{
    static char line[64];
    switch (draw(14)) {
    case 0:
        open_one();
        open_one();
        break;
    case 1:
    case 2:
        write_one();
        write_one();
        break;
    case 3:
        read_one();
        break;
    case 4:
        move_one();
        break;
    case 5:
        append_one();
        break;
    case 6:
        add(rename(name(), name()));
        break;
    case 7:
        add(unlink(name()));
        break;
    case 8:
        add(draw(2) ? mkdir(folder(), 0755) : rmdir(folder()));
        break;
    case 9:
        add(rename(folder(), folder()));
        break;
    case 10:
        list_one();
        break;
    case 11:
        add_bytes(read(0, bytes, draw(40) + 1));
        break;
    case 12:
        stat_one();
        break;
    default:
        sprintf(line, "%u\n", (unsigned)sum);
        if (write(1, line, strlen(line)) < 0)
            abort();
    }
}

int main(int argc, char **argv)
{
    unsigned steps = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
    unsigned work = argc > 3 ? (unsigned)atoi(argv[3]) : 100;
    char last[32];
    state = (unsigned)atoi(argv[1]) * 2654435761u + 12345;
    for (int i = 0; i < OPEN; i++)
        fds[i] = -1;
    mkdir("d0", 0755);
    for (unsigned i = 0; i < steps; i++) {
        step();
        for (unsigned k = 0; k < work; k++)
            sink += k;
    }
    for (int i = 0; i < OPEN; i++)
        if (fds[i] >= 0) {
            lseek(fds[i], 0, SEEK_SET);
            add_bytes(read(fds[i], bytes, sizeof bytes));
        }
    sprintf(last, "sum %08x\n", (unsigned)sum);
    return write(1, last, strlen(last)) < 0;
}
