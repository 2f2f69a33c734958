/* POSIX: files and directories, time, the environment. Runs in an empty folder.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static void show(const char *what, int result)
{
    printf("%s %d %s\n", what, result, result < 0 ? strerror(errno) : "");
}

static void make(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

static void files(void)
{
    struct stat st;

    make("one", "some text");
    show("rename", rename("one", "two"));
    show("rename", rename("one", "three"));
    show("access", access("one", F_OK));
    show("access", access("two", R_OK | W_OK));
    show("access", access("two", X_OK));
    show("truncate", truncate("two", 4));
    show("stat", stat("two", &st));
    printf("%d %d\n", (int)st.st_size, S_ISREG(st.st_mode));
    int fd = open("two", O_RDWR);
    show("ftruncate", ftruncate(fd, 100));
    show("fstat", fstat(fd, &st));
    printf("%d %d\n", (int)st.st_size, (int)lseek(fd, 0, SEEK_END));
    close(fd);
    struct utimbuf dates = {1000000000, 1000000000};
    show("utime", utime("two", &dates));
    show("utime", utime("none", NULL));
    show("utimes", utimes("two", NULL));
    show("open", open("two", O_CREAT | O_EXCL | O_WRONLY, 0666));
    show("remove", remove("two"));
    show("remove", remove("two"));
    show("fopen", fopen("folder/none", "w") ? 0 : -1);
}

static void directories(void)
{
    struct dirent **list, *entry;
    struct stat st;
    char name[8192];
    DIR *d;

    show("mkdir", mkdir("folder", 0777));
    show("mkdir", mkdir("folder", 0777));
    show("mkdir", mkdir("none/folder", 0777));
    show("stat", stat("folder", &st));
    printf("%d\n", S_ISDIR(st.st_mode));
    for (int i = 0; i < 100; i++) {
        sprintf(name, "folder/file-with-a-long-name-%d", i);
        make(name, "x");
    }
    int count = scandir("folder", &list, NULL, alphasort);
    printf("%d %s %s\n", count, list[2]->d_name, list[count - 1]->d_name);
    d = opendir("folder");
    count = 0;
    while ((entry = readdir(d)))
        count += entry->d_type == DT_REG;
    printf("%d\n", count);
    rewinddir(d);
    for (int i = 0; i < 50; i++)
        readdir(d);
    long at = telldir(d);
    strcpy(name, readdir(d)->d_name);
    while (readdir(d))
        ;
    seekdir(d, at);
    printf("seekdir %d\n", strcmp(name, readdir(d)->d_name));
    show("closedir", closedir(d));
    show("opendir", opendir("none") ? 0 : -1);
    show("opendir", opendir("folder/file-with-a-long-name-1") ? 0 : -1);
    glob_t found;
    printf("glob %d", glob("folder/*-1?", 0, NULL, &found));
    printf(" %d %s\n", (int)found.gl_pathc, found.gl_pathv[0]);
    show("rmdir", rmdir("folder"));
    show("unlink", unlink("folder"));
    for (int i = 0; i < 100; i++) {
        sprintf(name, "folder/file-with-a-long-name-%d", i);
        remove(name);
    }
    show("rmdir", rmdir("folder"));
    printf("getcwd %d\n", getcwd(name, sizeof name) == name && name[0] == '/');
    strcat(name, "/by-its-whole-name");
    make(name, "x");
    show("access", access("by-its-whole-name", F_OK));
    show("remove", remove(name));
    printf("getcwd %d", getcwd(name, 2) == NULL);
    printf(" %d\n", errno == ERANGE);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void clocks(void)
{
    struct timespec time, wait = {0, 20000000};
    double start = now();

    printf("nanosleep %d", nanosleep(&wait, NULL));
    printf(" %d\n", now() - start >= 0.02);
    start = now();
    printf("usleep %d", usleep(5000));
    printf(" %d\n", now() - start >= 0.005);
    wait.tv_nsec = -1;
    show("nanosleep", nanosleep(&wait, NULL));
    printf("timespec_get %d\n", timespec_get(&time, TIME_UTC) == TIME_UTC);
    printf("timespec_get %d\n", timespec_get(&time, 77));
    printf("clock_getres %d\n", clock_getres(CLOCK_REALTIME, &time));
    printf("clock_gettime %d\n", clock_gettime(CLOCK_REALTIME, &time));
    show("clock_gettime", clock_gettime((clockid_t)99, &time));
}

static void environment(char **variables)
{
    printf("%s %s\n", getenv("CORBEL_TEST"), getenv("EMPTY"));
    printf("%d\n", getenv("NOT_SET") == NULL);
    show("setenv", setenv("CORBEL_TEST", "changed", 1));
    show("setenv", setenv("NEW", "new", 0));
    show("unsetenv", unsetenv("EMPTY"));
    printf("%s %s %d\n", getenv("CORBEL_TEST"), getenv("NEW"),
           getenv("EMPTY") == NULL);
    for (; *variables; variables++)
        if (!strncmp(*variables, "CORBEL_TEST=", 12))
            puts(*variables);
}

int main(int argc, char **argv, char **variables)
{
    files();
    directories();
    clocks();
    environment(variables);
    return 0;
}
