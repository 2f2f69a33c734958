#include "sim/report/convert.h"
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum plot_format convert_format(const char *path)
{
    const char *end = strrchr(path, '.');
    if (end && !strcmp(end, ".pdf"))
        return PLOT_PDF;
    return end && !strcmp(end, ".png") ? PLOT_PNG : PLOT_SVG;
}

/* An error number, 0: it runs. */
static int start(pid_t *process, int in, int out, const char *format)
{
    char *const arguments[] = {"rsvg-convert", "-f", (char *)format, "-d",
                               "300",          "-p", "300",          NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    int failed =
        posix_spawnp(process, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

bool convert_svg(FILE *svg, FILE *out, enum plot_format format,
                 struct error *error)
{
    pid_t process;
    int status;
    fflush(svg);
    fflush(out);
    lseek(fileno(svg), 0, SEEK_SET);
    int failed = start(&process, fileno(svg), fileno(out),
                       format == PLOT_PDF ? "pdf" : "png");
    if (failed)
        return error_set(error,
                         "rsvg-convert: %s: it makes PDF and PNG files of "
                         "plots (package librsvg2-bin); .svg needs nothing",
                         strerror(failed));
    if (waitpid(process, &status, 0) != process || !WIFEXITED(status) ||
        WEXITSTATUS(status))
        return error_set(error, "rsvg-convert has failed");
    return true;
}
