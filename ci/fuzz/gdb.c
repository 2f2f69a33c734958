/*
 * What a client of --gdb sends, at a run without timing: lines of the input
 * are packets, or, if it begins with byte 0xff, all of it is as it comes.
 */
#include "ci/fuzz/program_run.h"
#include "sim/host/gdb/packet.h"
#include "sim/host/run/programs.h"
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define INSTRUCTIONS 2000u

static void put(int fd, const void *bytes, size_t count)
{
    if (write(fd, bytes, count) != (ssize_t)count)
        abort();
}

/* The bytes become what is read from standard input. */
static void feed(const uint8_t *data, size_t size)
{
    static char packet[PACKET_ROOM(PACKET_BYTES)];
    int fd = memfd_create("gdb", 0);
    char *text = fuzz_text(data, size), *rest = text, *line;
    if (size && *data == 0xff)
        put(fd, data, size);
    else
        while ((line = strsep(&rest, "\n")))
            if (strlen(line) < PACKET_BYTES)
                put(fd, packet, packet_put(packet, line, strlen(line)));
    lseek(fd, 0, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    close(fd);
    free(text);
}

static void run(void)
{
    static struct options options;
    static char name[4096];
    static char *argv[] = {name, NULL};
    snprintf(name, sizeof name, "%s", fuzz_loop_path());
    options = fuzz_options(MODE_FUNCTIONAL, argv, 1, INSTRUCTIONS);
    options.arch = "tiny";
    options.texts[option_number(option_named("gdb"))] = "-";
    fuzz_functional(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int out = -1;
    if (out < 0)
        out = open("/dev/null", O_WRONLY);
    dup2(out, STDOUT_FILENO);
    feed(data, size);
    run();
    return 0;
}
