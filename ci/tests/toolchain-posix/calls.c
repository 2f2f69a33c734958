/* Functions of Linux that newlib lacks: what they answer, also to bad input. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define SAY(...) (printf(__VA_ARGS__), putchar('\n'))
/* The second is asked for after the first. */
#define ASK(first, second)                                                     \
    do {                                                                       \
        long long is = (long long)(first);                                     \
        SAY("%lld %lld", is, (long long)(second));                             \
    } while (0)

/* ---- signals ---- */

static int calls, depth, deepest;
static sigjmp_buf back;

static void count(int number)
{
    calls++;
    deepest = ++depth > deepest ? depth : deepest;
    if (calls % 2 == 1)
        raise(number); /* comes when this one has ended */
    depth--;
}

static void inform(int number, siginfo_t *info, void *context)
{
    SAY("informed %d %d", number == SIGUSR2, info->si_signo == SIGUSR2);
}

static void leave(int number)
{
    siglongjmp(back, 7);
}

static void signals(void)
{
    struct sigaction action = {.sa_handler = count}, old;
    sigset_t set, was;

    sigemptyset(&action.sa_mask);
    SAY("%d", sigaction(SIGUSR1, &action, &old) || old.sa_handler != SIG_DFL);
    raise(SIGUSR1);
    raise(SIGUSR1); /* the handler is still there */
    SAY("calls %d, deepest %d", calls, deepest);
    action.sa_flags = SA_NODEFER | SA_RESETHAND;
    action.sa_handler = SIG_IGN;
    sigaction(SIGUSR1, &action, &old);
    ASK(raise(SIGUSR1), old.sa_handler == count);
    action = (struct sigaction){.sa_flags = SA_SIGINFO};
    action.sa_sigaction = inform;
    sigaction(SIGUSR2, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, &was);
    raise(SIGUSR2);
    sigpending(&set);
    SAY("pending %d", sigismember(&set, SIGUSR2));
    sigprocmask(SIG_SETMASK, &was, NULL);
    ASK(signal(SIGTERM, leave) == SIG_DFL, raise(SIGCHLD));
    if (sigsetjmp(back, 1) == 0)
        raise(SIGTERM);
    sigprocmask(SIG_BLOCK, NULL, &set);
    SAY("back, blocked %d", sigismember(&set, SIGTERM));
    ASK(sigaction(0, NULL, NULL), errno == EINVAL);
    ASK(sigaction(SIGKILL, &action, NULL), errno == EINVAL);
    ASK(sigaction(SIGKILL, NULL, &old), old.sa_handler == SIG_DFL);
    ASK(raise(-1), errno == EINVAL);
}

/* ---- pieces ---- */

static void pieces(void)
{
    int file = open("pieces", O_RDWR | O_CREAT | O_TRUNC, 0666);
    char a[4] = "", b[8] = "", c[32] = "";
    struct iovec out[] = {{"one ", 4}, {"", 0}, {"two three", 9}};
    struct iovec in[] = {{a, 3}, {b, 7}, {c, 31}};

    SAY("%zd", writev(file, out, 3));
    ASK(pread(file, c, 5, 8), lseek(file, 0, SEEK_CUR));
    SAY("%.5s", c);
    SAY("%zd", pwrite(file, "2", 1, 4));
    lseek(file, 0, SEEK_SET);
    memset(c, 0, sizeof c);
    SAY("%zd", readv(file, in, 3));
    SAY("%s|%s|%s", a, b, c);
    SAY("%zd", readv(file, in, 3));
    ASK(pread(file, c, 1, -1), errno == EINVAL);
    SAY("%zd", pread(file, c, 1, 100));
    ASK(writev(file, out, -1), errno == EINVAL);
    ASK(writev(99, out, 3), errno == EBADF);
    ASK(pread(99, c, 1, 0), errno == EBADF);
    ASK(fsync(file), fdatasync(file));
    close(file);
    ASK(fsync(file), errno == EBADF);
    unlink("pieces");
}

/* ---- paths ---- */

static char seen[32][64];
static int count_seen;

static int note(const char *path, const struct stat *st, int kind,
                struct FTW *where)
{
    snprintf(seen[count_seen++], sizeof *seen, "%s %d %d %s", path, kind,
             where->level, path + where->base);
    return !strcmp(path + where->base, "stop") ? 5 : 0;
}

static int note_simply(const char *path, const struct stat *st, int kind)
{
    snprintf(seen[count_seen++], sizeof *seen, "%s %d", path, kind);
    return 0;
}

static int order(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void show(int result)
{
    SAY("%d: %d", result, count_seen);
    qsort(seen, (size_t)count_seen, sizeof *seen, order);
    for (int i = 0; i < count_seen; i++)
        puts(seen[i]);
    count_seen = 0;
}

static void make(const char *path)
{
    close(open(path, O_WRONLY | O_CREAT, 0666));
}

/* Behind the working directory's name. */
static void real(const char *path)
{
    char here[4096], *is = realpath(path, NULL);

    getcwd(here, sizeof here);
    if (is && !strncmp(is, here, strlen(here)))
        SAY("%s: .%s", path, is + strlen(here));
    else
        SAY("%s: %d", path, is ? -1 : errno == ENOENT ? 2 : errno == ENOTDIR);
    free(is);
}

static void paths(void)
{
    struct stat st;

    mkdir("tree", 0777);
    mkdir("tree/b", 0777);
    mkdir("tree/b/c", 0777);
    make("tree/a");
    make("tree/b/c/d");
    show(nftw("tree", note, 8, FTW_PHYS));
    show(nftw("tree", note, 8, FTW_PHYS | FTW_DEPTH));
    show(nftw("tree/b", note, 8, 0));
    show(nftw("./tree/a", note, 8, 0));
    show(ftw("tree", note_simply, 8));
    show(nftw("nothing", note, 8, 0));
    real("tree/b/../a");
    real("./tree//b/./c/");
    real(".");
    real("tree/a/..");
    real("tree/a/");
    real("tree/x");
    real("tree/x/y");
    real("");
    umask(0);
    SAY("%o", (unsigned)umask(077));
    SAY("%o", (unsigned)umask(022));
    ASK(lstat("tree/b", &st), S_ISDIR(st.st_mode));
    unlink("tree/b/c/d");
    unlink("tree/a");
    rmdir("tree/b/c");
    rmdir("tree/b");
    rmdir("tree");
}

static void null(void)
{
    struct stat st;
    char byte;
    FILE *f = fopen("/dev/null", "w");
    int file = open("/dev/null", O_RDWR | O_CREAT | O_TRUNC, 0666);

    ASK(!!f, file >= 0);
    ASK(fprintf(f, "gone"), fclose(f));
    ASK(write(file, "gone", 4), read(file, &byte, 1));
    ASK(fstat(file, &st), S_ISCHR(st.st_mode));
    ASK(stat("/dev/null", &st), S_ISCHR(st.st_mode));
    SAY("%d", access("/dev/null", R_OK | W_OK));
    for (int i = 0; i < 2000; i++) /* more than --max-fs of the test */
        byte = write(file, seen, sizeof seen) == sizeof seen;
    ASK(byte, close(file));
}

/* ---- the rest ---- */

static void times(void)
{
    static const int cases[][6] = {
        {70, 0, 1, 0, 0, 0},       {124, 1, 29, 23, 59, 59},
        {100, 1, 29, 0, 0, 0},     {0, 0, 1, 0, 0, 0},
        {200, 2, 1, 12, 0, 0},     {69, 11, 31, 23, 59, 59},
        {124, 14, 40, 30, 80, -5}, {124, -3, 0, -1, 0, 0},
        {-500, 5, 5, 5, 5, 5},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int *c = cases[i];
        struct tm tm = {.tm_year = c[0],
                        .tm_mon = c[1],
                        .tm_mday = c[2],
                        .tm_hour = c[3],
                        .tm_min = c[4],
                        .tm_sec = c[5]};
        long long seconds = timegm(&tm);
        SAY("%lld %d-%d-%d %d:%d:%d, day %d %d", seconds, tm.tm_year, tm.tm_mon,
            tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday,
            tm.tm_yday);
    }
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void rest(void)
{
    int array[4] = {3, 1, 2}, four = 4, one = 1;
    size_t count = 3;
    struct utsname name;
    struct rusage used;

    SAY("%d",
        (int)((int *)lfind(&one, array, &count, sizeof one, compare) - array));
    SAY("%d %zu", !lfind(&four, array, &count, sizeof one, compare), count);
    SAY("%d", *(int *)lsearch(&four, array, &count, sizeof one, compare));
    SAY("%zu %d", count, array[3]);
    ASK(uname(&name), !!*name.sysname && !!*name.machine);
    ASK(getrusage(RUSAGE_SELF, &used),
        used.ru_utime.tv_usec >= 0 && used.ru_maxrss >= 0);
    ASK(getrusage(17, &used), errno == EINVAL);
    SAY("%d", sched_yield());
}

int main(void)
{
    signals();
    pieces();
    paths();
    null();
    times();
    rest();
    return 0;
}
