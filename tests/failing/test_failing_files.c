/* SPDX-License-Identifier: MIT */
/* Files, when a call of the system fails: a path holds what it held before or all of the new bytes, and
   nothing else is left in the folder. */
#define _GNU_SOURCE
#include "failing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char before[] = "what was there before", after[] = "the new bytes, some more of them";

typedef struct place {
    char folder[64], file[80], link[80];
} place;

static void place_make(place *p)
{
    snprintf(p->folder, sizeof(p->folder), "/tmp/ember-failing-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->file, sizeof(p->file), "%s/file", p->folder);
    snprintf(p->link, sizeof(p->link), "%s/link", p->folder);
    assert_int_equal(symlink("file", p->link), 0);
}

static void place_put(const place *p, const char *text)
{
    FILE *file = fopen(p->file, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* How much is in the file, and that it is the beginning of one of the two; SIZE_MAX where there is none. */
static size_t place_get(const place *p, char *out, size_t size)
{
    FILE *file = fopen(p->file, "rb");
    if (file == NULL)
        return SIZE_MAX;
    size_t got = fread(out, 1, size - 1, file);
    out[got] = '\0';
    fclose(file);
    return got;
}

static int place_count(const place *p)
{
    DIR *folder = opendir(p->folder);
    int  count = 0;
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2 ? 1 : 0;
    closedir(folder);
    return count;
}

static void place_remove(const place *p)
{
    (void)unlink(p->file);
    (void)unlink(p->link);
    assert_int_equal(rmdir(p->folder), 0); /* or something was left in it */
}

/* Writes while the nth call fails; true if it came to that. */
static bool write_once(const place *p, bool existing, bool through_link, unsigned kinds, size_t nth)
{
    ember_error err = EMBER_ERROR_INIT;
    char        text[128] = "";
    if (existing)
        place_put(p, before);
    else
        (void)unlink(p->file);
    failing_start(kinds, nth);
    ember_status status = ember_file_write(through_link ? p->link : p->file, after, sizeof(after) - 1, &err);
    bool         came = failing_stop();
    size_t       size = place_get(p, text, sizeof(text));
    if (status == EMBER_OK)
        assert_string_equal(text, after);
    else if (size == SIZE_MAX)
        assert_false(existing);
    else
        assert_true(strcmp(text, after) == 0 || (existing && strcmp(text, before) == 0));
    assert_true(status == EMBER_OK || came);
    assert_true(status == EMBER_OK ? err.text[0] == '\0' : err.text[0] != '\0' && err.status == status);
    assert_int_equal(place_count(p), size != SIZE_MAX ? 2 : 1);
    return came;
}

TEST(a_failing_write_leaves_the_old_file_or_the_new)
{
    static const int      errors[] = {EIO, ENOSPC, EINTR, EINVAL};
    static const unsigned ways[] = {0, FAILING_NAMELESS, FAILING_SHORT};
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
        for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); k++)
            for (int round = 0; round < 4; round++) {
                place  p;
                size_t nth = 1;
                place_make(&p);
                failing_set_errno(errors[i]);
                while (write_once(&p, round % 2 == 0, round / 2 == 0, ways[k] | FAILING_SYSTEM, nth))
                    nth++;
                assert_in_range(nth, 5, 50);
                place_remove(&p);
            }
}

TEST(a_write_without_memory_leaves_the_old_file_or_the_new)
{
    for (int round = 0; round < 8; round++) {
        place  p;
        size_t nth = 1;
        place_make(&p);
        while (write_once(&p, round % 2 == 0, round / 2 % 2 == 0,
                          FAILING_PUSH | (round < 4 ? 0u : (unsigned)FAILING_NAMELESS), nth))
            nth++;
        assert_in_range(nth, 2, 20);
        place_remove(&p);
    }
}

TEST(an_interrupted_write_goes_on)
{
    place  p;
    char   text[128];
    size_t written = 0;
    place_make(&p);
    failing_set_errno(EINTR);
    for (size_t nth = 1; nth < 30; nth++) {
        place_put(&p, before);
        failing_start(FAILING_SYSTEM | FAILING_SHORT, nth);
        written += ember_file_write(p.file, after, sizeof(after) - 1, NULL) == EMBER_OK ? 1 : 0;
        (void)failing_stop();
    }
    /* Eleven of the calls are writes of three bytes, after opening, and closing may be interrupted too. */
    assert_true(written >= 12);
    assert_int_equal(place_get(&p, text, sizeof(text)), sizeof(after) - 1);
    place_remove(&p);
}

TEST(a_failing_read_gives_nothing)
{
    static const int errors[] = {EIO, EINTR};
    place            p;
    place_make(&p);
    place_put(&p, before);
    for (size_t i = 0; i < 2; i++) {
        bool came = true;
        failing_set_errno(errors[i]);
        for (size_t nth = 1; came; nth++) {
            ember_buffer out = {.allocator = ember_heap()};
            ember_error  err = EMBER_ERROR_INIT;
            assert_true(ember_buffer_append(&out, "x", 1));
            failing_start(FAILING_SYSTEM, nth);
            ember_status status = ember_file_read(&out, p.file, 0, &err);
            came = failing_stop();
            assert_in_range(nth, 1, 10);
            assert_int_equal(out.size, status == EMBER_OK ? sizeof(before) : 1);
            assert_true(status == EMBER_OK || err.status == EMBER_E_IO);
            ember_buffer_free(&out);
        }
        for (size_t nth = 1, done = 0; done == 0; nth++) {
            ember_buffer out = {.allocator = ember_heap()};
            failing_start(FAILING_BUFFER, nth);
            ember_status status = ember_file_read(&out, p.file, 0, NULL);
            done = failing_stop() ? 0 : 1;
            assert_int_equal(status, done != 0 ? EMBER_OK : EMBER_E_NOMEM);
            ember_buffer_free(&out);
        }
    }
    place_remove(&p);
}

/* ---- descriptors by name ---- */

TEST(open_descriptors_are_written_as_they_are)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    place                    p;
    char                     path[64], text[128];
    place_make(&p);
    for (size_t i = 0; i < 2; i++) {
        place_put(&p, "head ");
        int fd = open(p.file, O_WRONLY | O_APPEND);
        assert_true(fd >= 0);
        snprintf(path, sizeof(path), "%s%d", folders[i], fd);
        assert_int_equal(ember_file_write(path, "tail", 4, NULL), EMBER_OK);
        close(fd);
        assert_int_equal(place_get(&p, text, sizeof(text)), 9);
        assert_string_equal(text, "head tail");
    }
    for (int number = 1; number <= 2; number++) {
        place_put(&p, "head ");
        fflush(NULL);
        int fd = open(p.file, O_WRONLY | O_APPEND), kept = dup(number);
        assert_true(dup2(fd, number) == number);
        ember_status status = ember_file_write(number == 1 ? "/dev/stdout" : "/dev/stderr", "tail", 4, NULL);
        assert_true(dup2(kept, number) == number);
        close(kept);
        close(fd);
        assert_int_equal(status, EMBER_OK);
        assert_int_equal(place_get(&p, text, sizeof(text)), 9);
    }
    /* What only looks like one is a path, and there is none. */
    static const char *const others[] = {"/dev/fd/", "/dev/fd/3x", "/dev/fd/1234567", "/proc/self/fd/x"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        ember_error err = EMBER_ERROR_INIT;
        assert_int_equal(ember_file_write(others[i], "tail", 4, &err), EMBER_E_IO);
        assert_true(err.text[0] != '\0');
    }
    place_remove(&p);
}
