/* SPDX-License-Identifier: MIT */
/* Folders: what a path is, folders made with those above them, and every name in one exactly once. */
#define _GNU_SOURCE /* mkdtemp, mkfifo, symlink */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"

#include "platform/folders.h"

static char top[64], path[256];

static const char *below(const char *name)
{
    snprintf(path, sizeof(path), "%s/%s", top, name);
    return path;
}

static int set_up(void **state)
{
    (void)state;
    strcpy(top, "/tmp/ember-folders-XXXXXX");
    return mkdtemp(top) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    static const char *const left[] = {"a/b/c", "a/b",   "a",    "secret/inner", "secret",
                                       "file",  "other", "pipe", "link",         "lost"};
    (void)state;
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
        (void)remove(below(left[i]));
    return rmdir(top);
}

static void make_file(const char *name)
{
    FILE *file = fopen(below(name), "w");
    assert_non_null(file);
    fclose(file);
}

TEST_WITH(a_path_is_what_its_link_leads_to, set_up, tear_down)
{
    make_file("file");
    assert_int_equal(symlink("file", below("link")), 0);
    assert_int_equal(symlink("nowhere", below("lost")), 0);
    assert_int_equal(mkfifo(below("pipe"), 0600), 0);
    assert_int_equal(emberi_path_is(top), EMBERI_PATH_FOLDER);
    assert_int_equal(emberi_path_is(below("file")), EMBERI_PATH_FILE);
    assert_int_equal(emberi_path_is(below("link")), EMBERI_PATH_FILE);
    assert_int_equal(emberi_path_is(below("pipe")), EMBERI_PATH_OTHER);
    assert_int_equal(emberi_path_is(below("lost")), EMBERI_PATH_NOTHING);
    assert_int_equal(emberi_path_is(below("none")), EMBERI_PATH_NOTHING);
    assert_int_equal(emberi_path_is(""), EMBERI_PATH_NOTHING);
}

TEST_WITH(folders_above_are_made_too, set_up, tear_down)
{
    assert_int_equal(emberi_folder_make(below("a/b/c"), false), 0);
    assert_int_equal(emberi_path_is(below("a/b/c")), EMBERI_PATH_FOLDER);
    assert_int_equal(emberi_folder_make(below("a/b/c"), false), 0);
    assert_int_equal(emberi_folder_make(below("a/b/c/"), false), 0);
    assert_int_equal(emberi_folder_make("/", false), 0);
}

TEST_WITH(secret_folders_are_the_users_alone, set_up, tear_down)
{
    struct stat info;
    assert_int_equal(emberi_folder_make(below("secret/inner"), true), 0);
    assert_int_equal(stat(below("secret"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_int_equal(stat(below("secret/inner"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
}

TEST_WITH(a_folder_below_a_file_cannot_be_made, set_up, tear_down)
{
    make_file("file");
    assert_int_equal(emberi_folder_make(below("file/a"), false), ENOTDIR);
    assert_int_equal(emberi_folder_make("", false), ENOENT);
}

TEST_WITH(every_name_comes_once_without_the_dots, set_up, tear_down)
{
    int            files = 0, others = 0;
    emberi_folder *folder;
    make_file("file");
    make_file("other");
    folder = emberi_folder_open(top);
    assert_non_null(folder);
    for (const char *name; (name = emberi_folder_next(folder)) != NULL;) {
        files += strcmp(name, "file") == 0;
        others += strcmp(name, "other") == 0;
        assert_true(strcmp(name, "file") == 0 || strcmp(name, "other") == 0);
    }
    assert_int_equal(errno, 0);
    assert_int_equal(files, 1);
    assert_int_equal(others, 1);
    emberi_folder_close(folder);
}

TEST_WITH(what_is_no_folder_does_not_open, set_up, tear_down)
{
    make_file("file");
    assert_null(emberi_folder_open(below("none")));
    assert_int_equal(errno, ENOENT);
    assert_null(emberi_folder_open(below("file")));
    assert_int_equal(errno, ENOTDIR);
    emberi_folder_close(NULL);
}
