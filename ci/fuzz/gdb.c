/*
 * What a client of --gdb sends, at a run without timing: lines of the input
 * are packets, or, if it begins with byte 0xff, all of it is as it comes.
 */
#include "ci/fuzz/fuzz.h"
#include "sim/host/gdb/packet.h"
#include "sim/host/host.h"
#include "sim/host/run/programs.h"
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define INSTRUCTIONS 2000u

/* Of 64 bits, one segment at 0x10000: a loop that loads, adds and stores. */
static const uint32_t loop[] = {
    0x464c457f, 0x00010102, 0,          0, 0x00f30002, 1,
    0x00010000, 0,          64,         0, 0,          0,
    0,          0x00380040, 1,          0, 1,          7,
    120,        0,          0x00010000, 0, 0x00010000, 0,
    24,         0,          4096,       0, 4,          0,
    0x00000517, 0x10052583, 0x00158593, /* auipc a0; lw a1,256(a0); addi */
    0x10b52023, 0xff5ff06f, 0x00000013, /* sw a1,256(a0); j 0x10004; nop */
};

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
    struct host host;
    struct error error = {""};
    int status;
    snprintf(name, sizeof name, "%s", fuzz_path(loop, sizeof loop));
    options = (struct options){.mode = MODE_FUNCTIONAL,
                               .arch = "tiny",
                               .fs = fuzz_folder(),
                               .memory = 64 << 20,
                               .max_cycles = INSTRUCTIONS,
                               .engine.threads = 1,
                               .quiet = true,
                               .program = argv,
                               .program_argc = 1,
                               .argv = argv,
                               .argc = 1};
    options.texts[option_number(option_named("gdb"))] = "-";
    if (!host_prepare(&host, &options, &status, &error) ||
        !functional_run(&host, &error))
        fuzz_check_error(&error);
    regions_free(&host.regions);
    host_free(&host);
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
