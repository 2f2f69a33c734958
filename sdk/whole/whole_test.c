/* Files appear whole or not at all, and nothing is left of those that do not.
 */
#include "sdk/whole/folder.h"
#include "sdk/whole/reads.h"
#include "sdk/whole/whole.h"
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* cmocka wants the headers above first */
#include <cmocka.h>

static char folder[] = "/tmp/whole_test.XXXXXX";

static int make_folder(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    return rmdir(folder);
}

static unsigned files_there(void)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        count += e->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* In the folder. */
static const char *path_of(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fclose(file);
}

/* The file's text is this; the file goes. */
static void check_text(const char *path, const char *text)
{
    char found[32] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    assert_int_equal(size, strlen(text));
    assert_string_equal(found, text);
    assert_int_equal(unlink(path), 0);
}

static void a_file_has_its_name_when_it_is_finished(void **state)
{
    struct whole w;
    assert_true(whole_open(&w, folder, "a"));
    fputs("whole\n", w.file);
    assert_int_equal(access(w.path, F_OK), -1);
    assert_true(whole_finish(&w));
    assert_null(w.file);
    assert_int_equal(files_there(), 1);
    check_text(w.path, "whole\n");
}

static void what_is_shown_can_be_read_while_it_grows(void **state)
{
    struct whole w;
    assert_true(whole_open(&w, folder, "b"));
    fputs("one\n", w.file);
    assert_true(whole_show(&w));
    assert_int_equal(access(w.path, F_OK), 0);
    fputs("two\n", w.file);
    assert_true(whole_show(&w)); /* once more changes nothing */
    assert_true(whole_finish(&w));
    assert_int_equal(files_there(), 1);
    check_text(w.path, "one\ntwo\n");
}

/* Files in the folder, of which a and b may have no name yet. */
static unsigned first_and(const struct whole *a, const struct whole *b)
{
    return 1 + !a->unnamed + (b && !b->unnamed);
}

static void what_is_shown_may_be_removed_by_others(void **state)
{
    struct whole w;
    assert_true(whole_open(&w, folder, "a"));
    assert_true(whole_show(&w));
    assert_int_equal(unlink(w.path), 0);
    assert_false(whole_finish(&w));
    assert_int_equal(errno, ENOENT);
    assert_true(whole_open(&w, folder, "a"));
    assert_true(whole_show(&w));
    assert_int_equal(unlink(w.path), 0);
    put("a");
    assert_false(whole_finish(&w)); /* that is not ours */
    assert_int_equal(errno, ENOENT);
    assert_int_equal(unlink(path_of("a")), 0);
}

static void nothing_is_left_of_what_is_dropped(void **state)
{
    struct whole first, second, third;
    assert_true(whole_open(&first, folder, "c"));
    assert_true(whole_open(&second, folder, "d"));
    assert_true(whole_open(&third, folder, "e"));
    assert_true(whole_show(&first));
    assert_int_equal(files_there(), first_and(&second, &third));
    whole_drop(&second);
    assert_int_equal(files_there(), first_and(&third, NULL));
    whole_drop_all();
    assert_int_equal(files_there(), 0);
    whole_drop(&first);
    whole_drop(&third);
}

/* No process has so large a number; the first one is always there. */
static void what_a_killed_process_left_goes(void **state)
{
    static const char *const others[] = {"a.1.part",          "a.77777777",
                                         "a.77777777.partly", "b.77777777.part",
                                         "a.-1.part",         "a.0.part"};
    const unsigned count = sizeof others / sizeof *others;
    struct whole w;
    put("a.77777777.part");
    for (unsigned i = 0; i < count; i++)
        put(others[i]);
    assert_true(whole_open(&w, folder, "a"));
    whole_drop(&w);
    assert_int_equal(access(path_of("a.77777777.part"), F_OK), -1);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(unlink(path_of(others[i])), 0);
}

/* What is there stays, where a run would replace it. */
static void trying_leaves_nothing_and_takes_nothing_away(void **state)
{
    struct whole w;
    assert_true(whole_try(folder, "f"));
    assert_int_equal(files_there(), 0);
    assert_true(whole_open(&w, folder, "f"));
    fputs("kept", w.file);
    assert_true(whole_finish(&w));
    assert_true(whole_try(NULL, w.path));
    check_text(w.path, "kept");
    assert_false(whole_try(folder, "none/f"));
    assert_int_equal(errno, ENOENT);
}

static void a_directory_is_not_replaced(void **state)
{
    struct whole w;
    char path[64];
    snprintf(path, sizeof path, "%s/g", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_false(whole_open(&w, folder, "g"));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(files_there(), 1);
    assert_int_equal(rmdir(path), 0);
}

/* Neither a folder of the same name, nor a link of it, gets the file. */
static void a_file_stays_in_the_folder_that_was_opened(void **state)
{
    struct whole w;
    struct stat at, file;
    char first[64], moved[64], path[80];
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(moved, sizeof moved, "%s/moved", folder);
    snprintf(path, sizeof path, "%s/x", moved);
    assert_int_equal(mkdir(first, 0777), 0);
    assert_true(whole_try(first, "x"));
    assert_int_equal(rename(first, moved), 0);
    assert_int_equal(symlink("/nowhere", first), 0);
    assert_true(whole_open(&w, first, "x"));
    fputs("here\n", w.file);
    assert_true(whole_finish(&w));
    assert_int_equal(stat(moved, &at), 0);
    assert_int_equal(stat(path, &file), 0);
    assert_true(folder_owns_name(&at, "x"));
    assert_true(folder_owns_name(&at, "x.77.part"));
    assert_true(folder_owns_name(&at, "x.old"));
    assert_false(folder_owns_name(&at, "x.77"));
    assert_false(folder_owns_name(&at, "y"));
    assert_true(folder_owns_file(&file));
    assert_false(folder_owns_file(&at));
    check_text(path, "here\n");
    assert_int_equal(unlink(first), 0);
    assert_int_equal(rmdir(moved), 0);
}

/* By a link, so that a fault takes the link away and not the machine's device.
 */
static void link_device(char path[64], const char *name, const char *device)
{
    snprintf(path, 64, "%s/%s", folder, name);
    assert_int_equal(symlink(device, path), 0);
}

static void check_stays(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(files_there(), 0);
}

static void a_device_stays_whether_it_is_full_or_not(void **state)
{
    struct whole w;
    char full[64], empty[64];
    link_device(full, "full", "/dev/full");
    assert_true(whole_try(NULL, full));
    assert_true(whole_open(&w, folder, "full"));
    assert_string_equal(w.temporary, full);
    fputs("lost\n", w.file);
    assert_false(whole_show(&w));
    assert_false(whole_finish(&w));
    assert_int_equal(errno, ENOSPC);
    check_stays(full);
    link_device(empty, "null", "/dev/null");
    assert_true(whole_open(&w, folder, "null"));
    whole_drop(&w);
    check_stays(empty);
}

static void a_name_may_be_too_long(void **state)
{
    struct whole w;
    char name[WHOLE_NAME + 1];
    memset(name, 'n', WHOLE_NAME);
    name[WHOLE_NAME] = 0;
    assert_false(whole_open(&w, NULL, name));
    assert_int_equal(errno, ENAMETOOLONG);
    name[WHOLE_NAME - 1] = 0; /* it fits, but not with the end */
    assert_false(whole_open(&w, NULL, name));
    assert_int_equal(errno, ENAMETOOLONG);
}

/* However it is named: also when it is noted while the file is written. */
static void what_is_read_is_not_replaced(void **state)
{
    struct whole w;
    char spelt[80], name[80];
    put("read");
    strcpy(name, path_of("other"));
    assert_false(link(path_of("read"), name));
    snprintf(spelt, sizeof spelt, "%s/.//read", folder);
    assert_true(whole_open(&w, folder, "read"));
    reads_note(spelt, "the input");
    assert_string_equal(reads_what(name), "the input");
    assert_false(whole_finish(&w));
    assert_string_equal(whole_why(),
                        "that is the input, expected another file");
    assert_false(whole_open(&w, folder, "other"));
    assert_false(whole_try(NULL, spelt));
    assert_true(whole_try(folder, "a"));
    assert_false(whole_open(&w, folder, ""));
    assert_string_equal(whole_why(), strerror(ENOENT));
    unlink(path_of("read"));
    unlink(name);
    assert_int_equal(files_there(), 0);
}

static void two_names_may_be_of_one_file(void **state)
{
    char a[80], b[80];
    snprintf(a, sizeof a, "%s/none", folder);
    snprintf(b, sizeof b, "%s/./none", folder);
    assert_true(reads_same(a, b)); /* as soon as it is made */
    assert_false(reads_same(a, NULL));
    put("none");
    assert_true(reads_same(a, b));
    assert_false(reads_same(a, "/dev/null"));
    assert_false(reads_same("/dev/null", "/dev/null"));
    unlink(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_its_name_when_it_is_finished),
        cmocka_unit_test(what_is_shown_can_be_read_while_it_grows),
        cmocka_unit_test(what_is_shown_may_be_removed_by_others),
        cmocka_unit_test(nothing_is_left_of_what_is_dropped),
        cmocka_unit_test(what_a_killed_process_left_goes),
        cmocka_unit_test(trying_leaves_nothing_and_takes_nothing_away),
        cmocka_unit_test(a_directory_is_not_replaced),
        cmocka_unit_test(a_file_stays_in_the_folder_that_was_opened),
        cmocka_unit_test(a_device_stays_whether_it_is_full_or_not),
        cmocka_unit_test(a_name_may_be_too_long),
        cmocka_unit_test(what_is_read_is_not_replaced),
        cmocka_unit_test(two_names_may_be_of_one_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
