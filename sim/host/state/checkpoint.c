/*
 * What a checkpoint consists of, in this order: whether the run had no timing,
 * the command line, what must be the same in the run that goes on, the host's
 * own state, the engine's with the chip, or without timing the harts', the
 * pages of memory that are not zero, the decoded text where programs may change
 * it.
 */
#include "sim/host/state/checkpoint.h"
#include "runtime/include/corbel/hash.h"
#include "runtime/include/corbel/line.h"
#include "sdk/version/version.h"
#include "sdk/whole/folder.h"
#include "sdk/whole/reads.h"
#include "sim/core/heap.h"
#include "sim/core/tool.h"
#include "sim/host/observer.h"
#include "sim/host/results/results.h"
#include "sim/host/run/program_memory.h"
#include "sim/host/state/checkpoint_file.h"
#include "sim/host/state/undo.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the command line ---- */

#define COMMAND_MOST (1u << 16)
#define COMMAND_BYTES (6u << 20) /* of all words, as in Linux */

/* Saves or loads a word, of *room bytes for all words. */
static void move_word(char **word, uint32_t *room, struct state *s)
{
    uint32_t bytes = s->loading ? 0 : (uint32_t)strlen(*word);
    state_number(s, &bytes, *room, "the length of a word");
    *room -= bytes;
    if (s->loading)
        *word = heap_new(bytes + 1u, 1, "the command line");
    state_bytes(s, *word, bytes);
}

/* All words that have been loaded are there, also if it fails. */
static void move_words(struct words *w, struct state *s)
{
    uint32_t count = w->count, room = COMMAND_BYTES;
    state_number(s, &count, COMMAND_MOST, "the words of the command line");
    state_number(s, &w->options, count, "the words of options");
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        if (s->loading)
            words_add(w, NULL);
        move_word(&w->list[i], &room, s);
    }
}

static void words_free(struct words *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        free(w->list[i]);
    free(w->list);
}

/* They are what the run was begun with; that it is the same run is seen by its
 * description. */
static void move_command(const struct host *host, struct state *s)
{
    struct words words = {.list = NULL};
    if (!s->loading)
        words = host->options->lasting;
    move_words(&words, s);
    if (s->loading)
        words_free(&words);
}

bool checkpoint_command(const char *path, struct words *words, bool *untimed,
                        struct error *error)
{
    struct checkpoint_file file;
    if (!checkpoint_open(&file, path, error))
        return false;
    state_flag(&file.state, untimed);
    move_words(words, &file.state);
    if (!file.state.failed && words->options == words->count)
        state_fail(&file.state, "it names no program");
    return checkpoint_leave(&file, error);
}

/* ---- what must be the same ---- */

/* The hash of the executable, read once: in another one structs and tables may
 * lie elsewhere. */
static uint64_t build_hash(void)
{
    static uint64_t hash;
    char piece[1 << 14];
    FILE *f = hash ? NULL : fopen("/proc/self/exe", "rb");
    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;)
        hash = corbel_hash(piece, n, hash);
    if (f)
        fclose(f);
    return hash;
}

/* Whatever a word holds, it ends its own line, and two words that differ are
 * told apart: a newline becomes \n, a backslash two. */
static void tell_word(FILE *to, const char *word)
{
    while (*word) {
        size_t plain = strcspn(word, "\\");
        corbel_line_put_part(to, word, plain, false);
        word += plain;
        if (*word && *word++)
            fputs("\\\\", to);
    }
    putc('\n', to);
}

static void tell_words(FILE *to, const char *option, unsigned count,
                       const char *const *words)
{
    for (unsigned i = 0; i < count; i++) {
        fprintf(to, "%s ", option);
        tell_word(to, words[i]);
    }
}

/* All that decides what the program does, a fact a line. */
static void tell_programs(const struct host *host, FILE *to)
{
    const struct options *o = host->options;
    for (unsigned i = 0; i < host->programs.count; i++) {
        const struct program *p = &host->programs.all[i];
        fprintf(to, "program %u: xxh64 %016" PRIx64 "\n", i,
                corbel_hash(p->file, p->file_bytes, 0));
    }
    for (int i = 0; i < o->program_argc; i++) {
        fprintf(to, "argument %d: ", i);
        tell_word(to, o->program[i]);
    }
    tell_words(to, "--program", o->further_count, o->further);
    tell_words(to, "--env", o->env_count, o->env);
}

/* What the program sees of the machine, whatever it is made of. */
static void tell_machine(const struct host *host, FILE *to)
{
    const struct machine *m = &host->machine;
    char isa[256];
    isa_profile_text(&m->profile, isa, sizeof isa);
    fprintf(to, "--isa %s\n", isa);
    fprintf(to, "--memory %" PRIu64 "\n", m->ram_end);
    fprintf(to, "--managed %u\n", host->managed.kinds);
    fprintf(to, "--harts %u\n", host->harts);
    fprintf(to, "scratch memory of a hart: %" PRIu64 " bytes\n",
            m->scratch_bytes);
    if (!m->scratch_bytes)
        fprintf(to, "stacks in memory: %u\n", m->hart_count);
}

/* Options that results depend on; of others a run may have any. */
static void tell_options(const struct host *host, FILE *to)
{
    const struct options *o = host->options;
    fprintf(to, "--timing %s\n", o->roi ? "roi" : "full");
    fprintf(to, "--roi-caches %s\n", o->roi_cold ? "cold" : "warm");
    fprintf(to, "--stalls %d\n", o->stalls);
    fprintf(to, "--permute %u\n", o->permute);
    observers_identity(o, to);
    fprintf(to, "clock %" PRId64 " MHz\n", host->clock_mhz);
}

/* A text, for free(), whose lines are compared: what differs is told as it was
 * given. */
char *checkpoint_identity(const struct host *host, bool untimed)
{
    char *text;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        heap_lacks(1, BUFSIZ, "a checkpoint");
    tell_programs(host, to);
    tell_machine(host, to);
    fprintf(to, "sim-run %s, revision %s, build %016" PRIx64 "\n",
            CORBEL_VERSION, corbel_revision, build_hash());
    if (!untimed)
        tell_options(host, to);
    if (!untimed)
        chip_describe_fixed(host->chip, to);
    fclose(to);
    return text;
}

/* The first line in which they differ. */
static void tell_difference(struct state *s, const char *theirs,
                            const char *ours)
{
    size_t line = 0;
    for (size_t i = 0; theirs[i] == ours[i]; i++)
        if (theirs[i] == '\n')
            line = i + 1;
    theirs += line;
    ours += line;
    state_fail(s, "made with '%.*s', here it is '%.*s'",
               (int)strcspn(theirs, "\n"), theirs, (int)strcspn(ours, "\n"),
               ours);
}

/*
 * Text is compared rather than a hash of it, so that the first line that
 * differs can be shown. The file's may hold anything: it gets an end of its
 * own.
 */
static void move_identity(const struct host *host, bool untimed,
                          struct state *s)
{
    char *ours = checkpoint_identity(host, untimed), *theirs = ours;
    uint32_t bytes = (uint32_t)strlen(ours) + 1;
    state_number(s, &bytes, 1u << 28, "the description of the run");
    if (s->loading)
        theirs = heap_new(bytes + 1u, 1, "a checkpoint");
    state_bytes(s, theirs, bytes);
    if (s->loading && !s->failed && strcmp(theirs, ours))
        tell_difference(s, theirs, ours);
    if (theirs != ours)
        free(theirs);
    free(ours);
}

/* ---- memory ---- */

#define NO_PAGE UINT64_MAX

static void save_page(void *context, uint64_t address, const uint8_t *page)
{
    struct state *s = context;
    STATE_VALUE(s, address);
    state_bytes(s, (uint8_t *)page, PAGE);
}

static void clear_page(void *context, uint64_t address, const uint8_t *page)
{
    (void)context;
    (void)address;
    memset((uint8_t *)page, 0, PAGE);
}

/* What the program's loading has put into memory goes first: in the run that
 * was saved it may have been overwritten by zeroes. */
static void load_pages(struct machine *m, struct state *s)
{
    uint64_t address = 0, next = 0;
    memory_pages(m, clear_page, NULL);
    for (;;) {
        STATE_VALUE(s, address);
        if (s->failed || address == NO_PAGE)
            return;
        if (address % PAGE || address >= m->ram_end || address < next) {
            state_fail(s,
                       "a page at 0x%" PRIx64 " is outside of memory, or "
                       "one behind it has come before",
                       address);
            return;
        }
        state_bytes(s, machine_at(m, address), PAGE);
        next = address + PAGE;
    }
}

static void move_memory(struct machine *m, struct state *s)
{
    uint64_t end = NO_PAGE;
    if (s->loading) {
        load_pages(m, s);
        return;
    }
    memory_pages(m, save_page, s);
    STATE_VALUE(s, end);
}

/* ---- all of it ---- */

/*
 * Text that has been decoded comes behind memory, as it is decoded from there.
 * A checked build looks at the structs of this process, and not at the guest's
 * memory. The mark shows that writer and reader have the same list.
 */
void checkpoint_state(struct host *host, struct state *s)
{
    uint64_t end = 0x436f7262656c; /* a mark */
    bool untimed = !host->engine;
    state_flag(s, &untimed);
    move_command(host, s);
    if (!s->failed)
        move_identity(host, untimed, s);
    if (!untimed)
        state_cover(s);
    if (!s->failed)
        host_state(host, s);
    if (!s->failed && untimed)
        host_state_harts(host, s);
    if (!s->failed && !untimed)
        host_state_timed(host, s);
    if (!s->failed && !untimed)
        engine_state(host->engine, s);
    state_covered(s);
    if (!s->failed)
        move_memory(&host->machine, s);
    if (!s->failed)
        machine_shared_state(&host->machine, s);
    host_state_scene(host, s);
    state_same(s, end, "the mark at the end");
}

/* Before the run, so that a long one does not learn at its end that it cannot
 * be saved. */
bool checkpoint_possible(struct host *host, struct error *error)
{
    const char *path = host->options->checkpoint;
    struct stat file;
    struct error why;
    if (host->options->mode == MODE_TIMING &&
        !chip_declares_state(host->chip, &why))
        return error_set(error, "--checkpoint: %s", why.text);
    if (!stat(path, &file) &&
        (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode)))
        return error_set(error,
                         "%s: cannot write a checkpoint: it is a pipe, whose "
                         "reader sees one file only",
                         path);
    if (!whole_try(NULL, path))
        return error_set(error, "%s: cannot write a checkpoint: %s", path,
                         whole_why());
    if (!stat(path, &file) && !S_ISREG(file.st_mode))
        return true; /* no run owns a device */
    host->saving.undo[0] = undo_lock(path, error);
    return host->saving.undo[0];
}

/* ---- the files beside it ---- */

void checkpoint_take_back(struct host *host)
{
    const struct options *o = host->options;
    struct error why;
    if (!o->resume)
        return;
    bool same = o->checkpoint && reads_same(o->resume, o->checkpoint);
    struct undo **u = &host->saving.undo[!same];
    if (!*u && !(*u = undo_lock(o->resume, &why)))
        return; /* another run goes on from there, or nothing can be noted */
    unsigned count = undo_take_back(*u, host);
    if (count)
        host_tell(host,
                  "%s: what the program changed below --fs %s after it was "
                  "saved is taken back: %u files and names",
                  o->resume, o->fs, count);
}

void checkpoint_begin(struct host *host)
{
    const struct options *o = host->options;
    if (!o->resume)
        return;
    bool same = o->checkpoint && reads_same(o->resume, o->checkpoint);
    struct undo *u = host->saving.undo[!same];
    if (u)
        undo_start(u, host);
    if (!o->checkpoint)
        host_tell(host,
                  "without --checkpoint FILE nothing more is saved: --resume "
                  "%s begins again from there",
                  o->resume);
}

/*
 * What an earlier run has left under the name, which may not have ended, stays
 * beside it, as `old`, when this one saves its state for the first time.
 * False: there is nothing of that kind.
 */
static bool keep_old(const struct host *host, char old[PATH_MAX])
{
    const struct options *o = host->options;
    const char *name, *old_name;
    struct stat st;
    if (host->saving.kept ||
        (o->resume && reads_same(o->resume, o->checkpoint)))
        return false;
    int folder = folder_of(o->checkpoint, &name);
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(st.st_mode) || !st.st_size ||
        snprintf(old, PATH_MAX, "%s.old", o->checkpoint) >= PATH_MAX)
        return false;
    folder_of(old, &old_name);
    unlinkat(folder, old_name, 0);
    return !linkat(folder, name, folder, old_name, 0) ||
           !renameat(folder, name, folder, old_name);
}

/* Nothing has taken its place: it has its name again, and that alone. */
static void give_back(const struct host *host, const char *old)
{
    const char *name, *old_name;
    int folder = folder_of(host->options->checkpoint, &name);
    folder_of(old, &old_name);
    renameat(folder, old_name, folder, name);
    unlinkat(folder, old_name, 0); /* two names of one file are not renamed */
}

/* Nothing has the file's name before all of it is there. */
static bool save(struct host *host, const char *path, struct error *error)
{
    struct checkpoint_file file;
    char old[PATH_MAX];
    if (!checkpoint_create(&file, path, error))
        return false;
    checkpoint_state(host, &file.state);
    bool kept = !file.state.failed && keep_old(host, old);
    if (!checkpoint_finish(&file, error)) {
        if (kept)
            give_back(host, old);
        return false;
    }
    host->saving.kept = true;
    if (kept)
        host_tell(host, "%s: what an earlier run had left there is kept as %s",
                  host->options->checkpoint, old);
    if (host->saving.undo[0])
        undo_start(host->saving.undo[0], host);
    return true;
}

void checkpoint_complain(struct host *host, const struct error *error)
{
    status_clear(host);
    host->saving.failed = tool_complain(STATUS_HOST, error);
}

/* The time is taken before, so that --checkpoint-every counts from begin to
 * begin. */
void checkpoint_write(struct host *host)
{
    struct error error;
    host->saving.time = clock_seconds(CLOCK_MONOTONIC);
    observers_save(host);
    if (!save(host, host->options->checkpoint, &error))
        checkpoint_complain(host, &error);
}

/* The file has been looked at as a whole before, so that what fails here is
 * that it is of another run, or was made to be wrong. */
bool checkpoint_load(struct host *host, const char *path, struct error *error)
{
    struct checkpoint_file file;
    if (!checkpoint_open(&file, path, error))
        return false;
    checkpoint_state(host, &file.state);
    return checkpoint_close(&file, error);
}
