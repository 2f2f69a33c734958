/*
 * Programs for several kinds of core in one machine: which file is for which
 * cores, what a kind that loads its programs itself is given, and when the run
 * ends.
 */
#include "runtime/include/corbel/abi.h"
#include "runtime/include/corbel/linux.h"
#include "sim/core/heap.h"
#include "sim/host/run/programs.h"
#include "sim/host/run/toy_core.h"
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

/* A third kind, whose programs lie in memory as well. */
enum { MACHINE_SPARE = 0x1236, SPARE_CODE = CODE + 0x2000 };
static const struct core_kind spare_core = {.name = "spare",
                                            .elf_machine = MACHINE_SPARE,
                                            .elf_bits = 64,
                                            .reset = toy_reset,
                                            TOY_FUNCTIONS};
static const struct unit_kind spare_kind = TOY_KIND("spare", &spare_core);

static const struct unit_kind *const kinds[] = {&toy_kind, &loader_kind,
                                                &spare_kind, NULL};

/* ---- ELF files of one segment ---- */

static char directory[] = "/tmp/programs_test.XXXXXX";

static const char *path_in(const char *name)
{
    static char paths[8][64];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static void write_file(const char *path, const void *header, size_t bytes,
                       const void *segment, size_t segment_bytes,
                       const char *code)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fwrite(header, bytes, 1, f);
    fwrite(segment, segment_bytes, 1, f);
    fwrite(code, strlen(code), 1, f);
    assert_int_equal(fclose(f), 0);
}

static void write_in_memory(const char *path, unsigned machine,
                            uint64_t address, const char *code)
{
    Elf64_Ehdr h = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = (Elf64_Half)machine,
        .e_version = EV_CURRENT,
        .e_entry = address,
        .e_phoff = sizeof h,
        .e_ehsize = sizeof h,
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 1};
    Elf64_Phdr s = {.p_type = PT_LOAD,
                    .p_flags = PF_R | PF_X,
                    .p_offset = sizeof h + sizeof s,
                    .p_paddr = address,
                    .p_filesz = strlen(code),
                    .p_memsz = strlen(code)};
    write_file(path, &h, sizeof h, &s, sizeof s, code);
}

static void write_toy(const char *path, const char *code)
{
    write_in_memory(path, MACHINE_TOY, CODE, code);
}

static void write_loader(const char *path, unsigned machine, const char *code)
{
    Elf32_Ehdr h = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = (Elf32_Half)machine,
        .e_version = EV_CURRENT,
        .e_phoff = sizeof h,
        .e_ehsize = sizeof h,
        .e_phentsize = sizeof(Elf32_Phdr),
        .e_phnum = 1};
    Elf32_Phdr s = {.p_type = PT_LOAD,
                    .p_flags = PF_R | PF_X,
                    .p_offset = sizeof h + sizeof s,
                    .p_filesz = (Elf32_Word)strlen(code),
                    .p_memsz = (Elf32_Word)strlen(code)};
    write_file(path, &h, sizeof h, &s, sizeof s, code);
}

/* ---- the host around it ---- */

struct fixture {
    struct host host;
    struct options options;
    char *argv[8];
    struct hart harts[3];
    unsigned first_hart[3];
    struct error error;
};

/* The command line: a file and what follows it. */
static void command(struct fixture *f, const char *const *argv)
{
    *f = (struct fixture){.options = {.quiet = true, .max_cycles = 10000}};
    f->options.engine.threads = 1;
    f->host.options = &f->options;
    f->host.clock_mhz = 1000;
    snprintf(f->host.arch.path, sizeof f->host.arch.path, "chip.lua");
    while (argv[f->options.program_argc]) {
        int i = f->options.program_argc++;
        f->argv[i] = (char *)argv[i];
    }
    f->options.program = f->argv;
}

#define COMMAND(...)                                                           \
    (const char *const[])                                                      \
    {                                                                          \
        __VA_ARGS__, NULL                                                      \
    }

/* The name of a unit of that kind: the kind's, and how many are before it. */
static void name_unit(const struct chip *chip, const char *kind, char *name,
                      size_t size)
{
    unsigned number = 0;
    for (unsigned i = 0; i < chip_unit_count(chip); i++)
        number += !strcmp(chip_unit_at(chip, i)->kind->name, kind);
    snprintf(name, size, "%s%u", kind, number);
}

/* A chip of the units named, and the programs on it. False: f->error. */
static bool begin(struct fixture *f, const char *const *units)
{
    struct host *host = &f->host;
    struct error *e = &f->error;
    host->machine.profile.xlen = 64;
    if (!programs_open(host, kinds, e))
        return false;
    assert_true(memory_reserve(&host->machine, MEMORY_END, e));
    host->chip = chip_new(kinds, &host->machine);
    struct tile *tile = chip_tile(host->chip, "t");
    for (; *units; units++) {
        char name[32];
        name_unit(host->chip, *units, name, sizeof name);
        assert_non_null(chip_unit(host->chip, tile, *units, name, NULL, e));
    }
    if (!programs_place(host, e))
        return false;
    if (!chip_finish(host->chip, e))
        fail_msg("%s", e->text);
    host->harts = host->machine.hart_count;
    host->machine.harts = f->harts;
    host->first_hart = f->first_hart;
    cores_assign(host);
    if (!programs_check(host, e) || !programs_load(host, e))
        return false;
    cores_reset(host);
    return true;
}

static void expect(struct fixture *f, const char *const *units)
{
    if (!begin(f, units))
        fail_msg("%s", f->error.text);
}

static void expect_error(struct fixture *f, const char *const *units,
                         const char *text)
{
    assert_false(begin(f, units));
    if (!strstr(f->error.text, text))
        fail_msg("\"%s\" is not \"...%s...\"", f->error.text, text);
}

static void run(struct fixture *f)
{
    if (!timing_run(&f->host, &f->error))
        fail_msg("%s", f->error.text);
}

static void end(struct fixture *f)
{
    engine_free(f->host.engine);
    chip_free(f->host.chip);
    programs_close(&f->host);
    memory_release(&f->host.machine);
}

static struct toy *toy_at(struct fixture *f, unsigned index)
{
    return (struct toy *)chip_unit_at(f->host.chip, index);
}

#define UNITS(...) COMMAND(__VA_ARGS__)
#define ADD_TWO "\x01\x01\x04" /* increment, increment, done */

static void a_kind_that_loads_gets_its_segments_and_options(void **state)
{
    struct fixture f;
    char text[20] = "";
    const char *result = path_in("result");
    write_loader(path_in("l.elf"), MACHINE_LOADER, ADD_TWO);
    command(&f, COMMAND(path_in("l.elf"), "--times", "40", "--result", result));
    expect(&f, UNITS("loader"));
    assert_null(f.host.programs.first->path); /* nothing of it lies in memory */
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(f.host.ended.status, 0);
    assert_int_equal(f.harts[0].state, HART_STOPPED);
    assert_true(programs_finish(&f.host, &f.error));
    FILE *file = fopen(result, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_string_equal(text, "42");
    end(&f);
}

static void it_runs_without_timing_by_its_own_model(void **state)
{
    struct fixture f;
    write_loader(path_in("l.elf"), MACHINE_LOADER, ADD_TWO);
    command(&f, COMMAND(path_in("l.elf"), "--times=5"));
    f.options.mode = MODE_FUNCTIONAL;
    expect(&f, UNITS("loader"));
    assert_true(functional_run(&f.host, &f.error));
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(toy_at(&f, 0)->r0, 7);
    assert_int_equal(f.host.now, 2);
    end(&f);
}

static void its_limit_and_faults_end_a_run_without_timing(void **state)
{
    struct fixture f;
    write_loader(path_in("l.elf"), MACHINE_LOADER, "\x01\x01\x09");
    command(&f, COMMAND(path_in("l.elf")));
    f.options.mode = MODE_FUNCTIONAL;
    expect(&f, UNITS("loader"));
    assert_true(functional_run(&f.host, &f.error));
    assert_int_equal(f.host.ended.status, STATUS_FAULT);
    assert_string_equal(f.host.ended.why,
                        "fault: pc 0x2: a loader has no instruction 9");
    end(&f);
    command(&f, COMMAND(path_in("l.elf")));
    f.options.mode = MODE_FUNCTIONAL;
    f.options.max_cycles = 2;
    expect(&f, UNITS("loader"));
    assert_true(functional_run(&f.host, &f.error));
    assert_int_equal(f.host.ended.status, STATUS_LIMIT);
    end(&f);
}

static void wrong_options_of_a_kind_are_told(void **state)
{
    static const char *const cases[][4] = {
        {"--times", "0", "--times 0: expected a number 1..1000"},
        {"--times", NULL, "--times needs a value, N"},
        {"--time", "3", "no such option, did you mean --times?"},
        {"64", NULL, "--OPTION VALUE expected behind"},
    };
    write_loader(path_in("l.elf"), MACHINE_LOADER, ADD_TWO);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        command(&f, COMMAND(path_in("l.elf"), cases[i][0], cases[i][1]));
        expect_error(&f, UNITS("loader"), cases[i][2]);
        assert_int_equal(strncmp(f.error.text, "--", 2), 0); /* usage */
        end(&f);
    }
}

static void options_of_programs_in_memory_are_refused(void **state)
{
    struct fixture f;
    write_loader(path_in("l.elf"), MACHINE_LOADER, ADD_TWO);
    command(&f, COMMAND(path_in("l.elf")));
    f.options.texts[option_number(option_named("check-memory"))] = "";
    expect_error(&f, UNITS("loader"), "--check-memory: not for ");
    end(&f);
}

/* ---- two kinds ---- */

static void two_kinds_run_their_own_programs(void **state)
{
    struct fixture f;
    char further[80];
    write_toy(path_in("t.elf"), "\x01\x04"); /* increment, done */
    write_loader(path_in("l.elf"), MACHINE_LOADER, ADD_TWO);
    snprintf(further, sizeof further, "%s,times=8", path_in("l.elf"));
    command(&f, COMMAND(path_in("t.elf"), "argument"));
    f.options.further[f.options.further_count++] = further;
    expect(&f, UNITS("toy", "loader"));
    assert_string_equal(f.host.programs.first->path,
                        f.host.programs.all[0].path);
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(toy_at(&f, 0)->executed, 1);
    assert_int_equal(toy_at(&f, 1)->executed, 2);
    assert_int_equal(toy_at(&f, 1)->r0, 10);
    end(&f);
}

static void a_program_ends_once_though_two_harts_say_so(void **state)
{
    enum { STEPS = CODE_BYTES - 1 }; /* of the loader: far more than an epoch */
    struct fixture f;
    char code[CODE_BYTES + 1] = "";
    memset(code, '\x01', STEPS);
    code[STEPS] = '\x04';
    write_toy(path_in("t.elf"), "\x04\x04");
    write_loader(path_in("l.elf"), MACHINE_LOADER, code);
    command(&f, COMMAND(path_in("t.elf")));
    f.options.further[f.options.further_count++] = path_in("l.elf");
    expect(&f, UNITS("toy", "toy", "loader"));
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(f.host.programs.done, 2);
    assert_int_equal(toy_at(&f, 2)->executed, STEPS); /* all of it */
    end(&f);
}

/* Kernels are for the first program in memory. */
static void harts_of_other_programs_are_not_parked(void **state)
{
    struct fixture f;
    write_toy(path_in("t.elf"), "\x01\x04");
    write_in_memory(path_in("x.elf"), MACHINE_SPARE, SPARE_CODE,
                    "\x03\x04"); /* call, done */
    command(&f, COMMAND(path_in("t.elf")));
    f.options.further[f.options.further_count++] = path_in("x.elf");
    expect(&f, UNITS("toy", "spare"));
    toy_at(&f, 1)->r1 = CORBEL_SYS_PARK;
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(f.host.kernels.parked, 0);
    assert_int_equal((int64_t)toy_at(&f, 1)->r0, -ENOSYS);
    end(&f);
}

static void a_call_of_exit_ends_the_run_for_all(void **state)
{
    struct fixture f;
    write_toy(path_in("t.elf"), "\x02\x03"); /* copy, call */
    write_loader(path_in("l.elf"), MACHINE_LOADER, "\x04");
    command(&f, COMMAND(path_in("l.elf")));
    f.options.further[f.options.further_count++] = path_in("t.elf");
    expect(&f, UNITS("toy", "loader"));
    toy_at(&f, 0)->r0 = LINUX_exit;
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(f.host.ended.status, LINUX_exit);
    end(&f);
}

static void cores_without_a_program_take_no_part(void **state)
{
    struct fixture f;
    write_toy(path_in("t.elf"), "\x04\x04");
    command(&f, COMMAND(path_in("t.elf")));
    expect(&f, UNITS("toy", "loader"));
    assert_int_equal(f.harts[0].state, HART_RUNNING);
    assert_int_equal(f.harts[1].state, HART_UNUSED);
    run(&f);
    assert_int_equal(f.host.ended.how, ENDING_EXIT);
    assert_int_equal(toy_at(&f, 1)->executed, 0);
    end(&f);
}

static void one_kind_runs_one_program(void **state)
{
    struct fixture f;
    write_toy(path_in("t.elf"), "\x04\x04");
    command(&f, COMMAND(path_in("t.elf")));
    f.options.further[f.options.further_count++] = path_in("t.elf");
    expect_error(&f, UNITS("toy"), "t.elf is for toy as well");
    end(&f);
}

static void the_harts_of_a_program_in_memory_are_the_first(void **state)
{
    struct fixture f;
    write_toy(path_in("t.elf"), "\x04\x04");
    command(&f, COMMAND(path_in("t.elf")));
    expect_error(&f, UNITS("loader", "toy"), "harts are not the chip's first");
    end(&f);
}

/* ---- the wrong file ---- */

static void a_file_for_no_kind_is_refused_with_all_that_there_are(void **state)
{
    struct fixture f;
    write_loader(path_in("x.elf"), 62, ADD_TWO);
    command(&f, COMMAND(path_in("x.elf")));
    expect_error(&f, UNITS("toy"),
                 "x.elf: for machine 62, expected toy (machine 4660) or loader "
                 "(machine 4661)");
    end(&f);
}

static void a_file_for_no_core_of_the_chip_is_refused_by_name(void **state)
{
    struct fixture f;
    write_loader(path_in("l.elf"), MACHINE_LOADER, ADD_TWO);
    command(&f, COMMAND(path_in("l.elf")));
    expect_error(&f, UNITS("toy"),
                 "l.elf: for loader (machine 4661), the cores of chip.lua are "
                 "toy (machine 4660)");
    end(&f);
}

static void kinds_of_core_are_named_once_in_whatever_order(void **state)
{
    struct fixture f;
    write_loader(path_in("l.elf"), MACHINE_LOADER, ADD_TWO);
    command(&f, COMMAND(path_in("l.elf")));
    expect_error(&f, UNITS("toy", "spare", "toy"),
                 "are toy (machine 4660) and spare (machine 4662)");
    assert_null(strstr(strstr(f.error.text, "spare"), "toy"));
    end(&f);
}

static void a_file_of_the_wrong_class_is_refused(void **state)
{
    struct fixture f;
    write_loader(path_in("x.elf"), MACHINE_TOY, ADD_TWO);
    command(&f, COMMAND(path_in("x.elf")));
    expect_error(&f, UNITS("toy"),
                 "x.elf: ELF class of 32 bits, expected 64 for toy");
    end(&f);
}

static int make_directory(void **state)
{
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    static const char *const names[] = {"l.elf", "t.elf", "x.elf", "result"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_in(names[i]));
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_that_loads_gets_its_segments_and_options),
        cmocka_unit_test(it_runs_without_timing_by_its_own_model),
        cmocka_unit_test(its_limit_and_faults_end_a_run_without_timing),
        cmocka_unit_test(wrong_options_of_a_kind_are_told),
        cmocka_unit_test(options_of_programs_in_memory_are_refused),
        cmocka_unit_test(two_kinds_run_their_own_programs),
        cmocka_unit_test(a_program_ends_once_though_two_harts_say_so),
        cmocka_unit_test(harts_of_other_programs_are_not_parked),
        cmocka_unit_test(a_call_of_exit_ends_the_run_for_all),
        cmocka_unit_test(cores_without_a_program_take_no_part),
        cmocka_unit_test(one_kind_runs_one_program),
        cmocka_unit_test(the_harts_of_a_program_in_memory_are_the_first),
        cmocka_unit_test(a_file_for_no_kind_is_refused_with_all_that_there_are),
        cmocka_unit_test(a_file_for_no_core_of_the_chip_is_refused_by_name),
        cmocka_unit_test(kinds_of_core_are_named_once_in_whatever_order),
        cmocka_unit_test(a_file_of_the_wrong_class_is_refused),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
