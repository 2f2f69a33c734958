/*
 * What is told while the program runs: log.txt, and notes on stderr. Both have
 * a limit, after which lines are only counted, as a program may cause them as
 * often as it likes.
 */
#include "runtime/include/corbel/tell.h"
#include "sim/core/tool.h"
#include "sim/host/host.h"
#include <inttypes.h>
#include <stdarg.h>

#define NOTE "note: "

enum { LOG_LINES_MAX = 100000, NOTES_MAX = 100 };

/* How the run ended is logged in any case. */
static void log_line(struct host *host, const char *text)
{
    if (!host->log.stream)
        return;
    if (host->ended.how == ENDING_NONE && host->log.lines >= LOG_LINES_MAX) {
        host->log.lost++;
        return;
    }
    host->log.lines++;
    fprintf(host->log.stream, "%12" PRIu64 "  %s\n", host->now, text);
}

void host_log(struct host *host, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    corbel_line_format(text, sizeof text, format, args);
    va_end(args);
    log_line(host, text);
}

void host_note(struct host *host, const char *format, ...)
{
    char text[sizeof NOTE + 1024] = NOTE;
    va_list args;
    va_start(args, format);
    corbel_line_format(text + sizeof NOTE - 1, 1024, format, args);
    va_end(args);
    log_line(host, text + sizeof NOTE - 1);
    if (host->log.notes == NOTES_MAX) {
        host->log.notes_lost++;
        return;
    }
    host->log.notes++;
    status_clear(host);
    if (!host->options->quiet)
        corbel_tell("sim-run", CORBEL_NOTE, text);
}

void host_tell(struct host *host, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    corbel_line_format(text, sizeof text, format, args);
    va_end(args);
    status_clear(host);
    if (!host->options->quiet)
        fprintf(stderr, "sim-run: %s\n", text);
}

void host_log_end(struct host *host)
{
    if (host->log.lost)
        host_log(host, "%" PRIu64 " lines were left out before the end",
                 host->log.lost);
    if (host->log.notes_lost && !host->options->quiet)
        tool_note("%" PRIu64 " further notes%s", host->log.notes_lost,
                  host->log.lost || !host->options->outdir ? ""
                                                           : " are in log.txt");
}
