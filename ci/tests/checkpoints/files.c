#include <corbel/corbel.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static unsigned sums[4096];

static void kernel(void *unused)
{
    for (unsigned i; (i = corbel_next()) < 4096;)
        for (unsigned n = 0; n < 20; n++)
            sums[i] += i * n;
}

/* Reads, writes, appends, lists, sleeps and computes, a bit of each in turn. */
int main(int argc, char **argv)
{
    char line[100];
    FILE *in = fopen(argv[1], "r");
    FILE *out = fopen("out.txt", "w+");
    int log = open("log.txt", O_WRONLY | O_CREAT | O_APPEND, 0666);
    DIR *folder = opendir("folder");
    if (!in || !out || log < 0 || !folder)
        return perror("files"), 1;
    for (int round = 0; round < 5; round++) {
        struct timespec pause = {0, 3000};
        struct dirent *d = readdir(folder);
        corbel_roi_begin();
        corbel_launch(kernel, 0);
        corbel_roi_end();
        if (!fgets(line, sizeof line, in))
            return 1;
        fprintf(out, "%d %s %u %s", round, d ? d->d_name : "-",
                sums[100 + round], line);
        fflush(out);
        printf("round %d\n", round);
        fflush(stdout);
        nanosleep(&pause, 0);
        if (write(log, line, 3) != 3)
            return 1;
        if (round == 3)
            rewind(out);
    }
    return 0;
}
