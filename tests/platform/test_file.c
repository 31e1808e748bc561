/* SPDX-License-Identifier: MIT */
/* Files: all of the new bytes or all of the old ones, permissions and links kept, nothing left behind.
   Covers: file_read.c, file_write.c. */
#define _GNU_SOURCE /* O_TMPFILE */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "format/fixture.h"

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[4][512];
    static int  next;
    char       *out = path[next++ % 4];
    snprintf(out, sizeof(path[0]), "%s/%s", folder, name);
    return out;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/ember-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int count_files(void)
{
    DIR *dir = opendir(folder);
    int  count = 0;
    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static int drop_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    chmod(folder, 0700);
    for (struct dirent *entry = dir != NULL ? readdir(dir) : NULL; entry != NULL; entry = readdir(dir))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlink(in_folder(entry->d_name)) != 0)
            rmdir(in_folder(entry->d_name));
    if (dir != NULL)
        closedir(dir);
    return rmdir(folder);
}

static void put(const char *path, const char *text)
{
    ember_error err = EMBER_ERROR_INIT;
    if (ember_file_write(path, text, strlen(text), &err) != EMBER_OK)
        print_error("%s\n", err.text);
    assert_int_equal(err.status, EMBER_OK);
}

static void holds(const char *path, const char *text)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    assert_int_equal(ember_file_read(&buffer, path, 0, NULL), EMBER_OK);
    assert_int_equal(buffer.size, strlen(text));
    assert_memory_equal(buffer.data, text, buffer.size);
    ember_buffer_free(&buffer);
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static ino_t inode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_ino;
}

static void refuses(const char *path, const char *text)
{
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_file_write(path, "new", 3, &err), EMBER_E_IO);
    assert_says(err.text, text);
}

TEST_WITH(file_write_makes_and_replaces, make_folder, drop_folder)
{
    put(in_folder("a"), "one");
    holds(in_folder("a"), "one");
    put(in_folder("a"), "two and more");
    holds(in_folder("a"), "two and more");
    put(in_folder("a"), "");
    holds(in_folder("a"), "");
    assert_int_equal(count_files(), 1);
}

TEST_WITH(file_write_takes_the_longest_name, make_folder, drop_folder)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    put(in_folder(name), "x");
    holds(in_folder(name), "x");
    assert_int_equal(count_files(), 1);
}

TEST_WITH(file_write_keeps_permissions_and_obeys_the_umask, make_folder, drop_folder)
{
    mode_t old = umask(027);
    put(in_folder("a"), "x");
    assert_int_equal(mode_of(in_folder("a")), 0640);
    assert_int_equal(chmod(in_folder("a"), 0606), 0);
    put(in_folder("a"), "y");
    assert_int_equal(mode_of(in_folder("a")), 0606);
    umask(old);
}

TEST_WITH(file_write_goes_through_symbolic_links, make_folder, drop_folder)
{
    struct stat info;
    put(in_folder("target"), "old");
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_int_equal(symlink("link", in_folder("link2")), 0);
    put(in_folder("link2"), "new");
    holds(in_folder("target"), "new");
    assert_int_equal(lstat(in_folder("link2"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    /* One that leads to a file that is still to be made, and one that leads round. */
    assert_int_equal(symlink(in_folder("later"), in_folder("link3")), 0);
    put(in_folder("link3"), "made");
    holds(in_folder("later"), "made");
    assert_int_equal(symlink("round", in_folder("round")), 0);
    refuses(in_folder("round"), "cannot follow the symbolic links");
}

TEST_WITH(file_write_refuses_folders_and_missing_ones, make_folder, drop_folder)
{
    refuses(folder, "it is a folder");
    refuses(in_folder("missing/a"), "cannot write: there is no such folder");
    refuses(in_folder("new/"), "it is the name of a folder");
    refuses("", "it is the name of a folder");
    put(in_folder("a"), "x");
    refuses(in_folder("a/b"), "Not a directory");
    assert_int_equal(count_files(), 1);
}

/* Root may write anywhere: a trial of what is forbidden needs another user, and so does one with real
   devices, which a broken build could replace by a file. Returns the child's exit code. */
static int as_nobody(int (*trial)(void))
{
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(99);
        _exit(trial());
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

static int try_devices(void)
{
    ember_error err = EMBER_ERROR_INIT;
    if (ember_file_write("/dev/full", "new", 3, &err) != EMBER_E_IO)
        return 1;
    if (strcmp(err.text, "cannot write: No space left on device") != 0)
        return 2;
    return ember_file_write("/dev/null", "gone", 4, NULL) == EMBER_OK ? 0 : 3;
}

TEST_WITH(file_write_reports_a_full_device, make_folder, drop_folder)
{
    assert_int_equal(as_nobody(try_devices), 0);
}

static int try_write(void)
{
    ember_error err = EMBER_ERROR_INIT;
    if (ember_file_write(in_folder("a"), "new", 3, &err) != EMBER_E_IO)
        return 1;
    return strstr(err.text, "Permission denied") != NULL ? 0 : 2;
}

TEST_WITH(file_write_leaves_what_it_may_not_write, make_folder, drop_folder)
{
    put(in_folder("a"), "old");
    /* A folder that may not be written, with a file that may. */
    assert_int_equal(chmod(in_folder("a"), 0666), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    assert_int_equal(as_nobody(try_write), 0);
    /* A file that may not be written, in a folder that may. */
    assert_int_equal(chmod(in_folder("a"), 0444), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(as_nobody(try_write), 0);
    holds(in_folder("a"), "old");
    assert_int_equal(count_files(), 1);
}

/* A limit on the size of files is a full disk: the write fails in the middle. */
static int try_write_too_much(void)
{
    static char         data[100000];
    const struct rlimit limit = {4096, 4096};
    ember_error         err = EMBER_ERROR_INIT;
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 3;
    if (ember_file_write(in_folder("a"), data, sizeof(data), &err) != EMBER_E_IO)
        return 1;
    return strstr(err.text, "File too large") != NULL ? 0 : 2;
}

TEST_WITH(file_write_that_fails_leaves_the_old_file_and_no_other, make_folder, drop_folder)
{
    put(in_folder("a"), "old");
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(chmod(in_folder("a"), 0666), 0);
    assert_int_equal(as_nobody(try_write_too_much), 0);
    holds(in_folder("a"), "old");
    assert_int_equal(count_files(), 1);
}

TEST_WITH(file_write_does_not_stumble_over_a_temporary_name, make_folder, drop_folder)
{
    char name[64];
    snprintf(name, sizeof(name), ".ember-%jd-0.tmp", (intmax_t)getpid());
    int fd = open(in_folder(name), O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    close(fd);
    put(in_folder("a"), "x");
    holds(in_folder("a"), "x");
    holds(in_folder(name), "");
    assert_int_equal(count_files(), 2);
}

/* A child writes the same file again and again until it is told to end: whenever that is, there is no file or
   a whole one. */
TEST_WITH(file_write_that_is_ended_leaves_nothing_behind, make_folder, drop_folder)
{
    enum { SIZE = 4 << 20, ROUNDS = 8 };
    int probe = open(folder, O_TMPFILE | O_WRONLY, 0600);
    if (probe < 0)
        skip(); /* files without names cannot be had here */
    close(probe);
    char       *bytes = test_alloc(SIZE);
    test_random random = {77};
    memset(bytes, 'x', SIZE);
    for (int round = 0; round < ROUNDS; round++) {
        ember_error err = EMBER_ERROR_INIT;
        pid_t       child = fork();
        assert_true(child >= 0);
        while (child == 0)
            if (ember_file_write(in_folder("big"), bytes, SIZE, &err) != EMBER_OK)
                _exit(1);
        struct timespec nap = {0, (long)(test_random_u32(&random) % 40) * 1000000L};
        struct stat     info;
        int             end;
        nanosleep(&nap, NULL);
        kill(child, round % 2 == 0 ? SIGTERM : SIGHUP);
        assert_int_equal(waitpid(child, &end, 0), child);
        assert_true(WIFSIGNALED(end));
        assert_in_range(count_files(), 0, 1);
        if (count_files() == 1) {
            assert_int_equal(stat(in_folder("big"), &info), 0);
            assert_int_equal(info.st_size, SIZE);
        }
    }
    free(bytes);
}

TEST_WITH(file_write_writes_pipes_in_place, make_folder, drop_folder)
{
    char text[8] = "";
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    int fd = open(in_folder("pipe"), O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    put(in_folder("pipe"), "through");
    assert_int_equal(read(fd, text, sizeof(text)), 7);
    assert_memory_equal(text, "through", 7);
    close(fd);
    assert_int_equal(count_files(), 1);
}

/* Runs with file descriptor `fd` being the file, so that "-" is it. */
static void with_descriptor(int fd, const char *path, int flags, void (*act)(void))
{
    fflush(stdout);
    int kept = dup(fd), file = open(path, flags, 0600);
    assert_true(kept >= 0 && file >= 0);
    assert_int_equal(dup2(file, fd), fd);
    close(file);
    act();
    assert_int_equal(dup2(kept, fd), fd);
    close(kept);
}

static ember_status dash_status;

static void write_dash(void)
{
    printf("first ");
    dash_status = ember_file_write("-", "second", 6, NULL);
}

static void write_dash_quietly(void) { dash_status = ember_file_write("-", "second", 6, NULL); }

/* Leads where /dev/stdout leads; a build that replaces the link instead replaces this one, and not
   the system's. */
static void write_link_to_stdout(void)
{
    dash_status = ember_file_write(in_folder("stdout"), "third", 5, NULL);
}

static void read_dash(void)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    dash_status = ember_file_read(&buffer, "-", 0, NULL);
    if (buffer.size != 5 || memcmp(buffer.data, "input", 5) != 0)
        dash_status = EMBER_E_MALFORMED;
    ember_buffer_free(&buffer);
}

TEST_WITH(dash_is_standard_input_and_output, make_folder, drop_folder)
{
    with_descriptor(STDOUT_FILENO, in_folder("out"), O_CREAT | O_WRONLY, write_dash);
    assert_int_equal(dash_status, EMBER_OK);
    holds(in_folder("out"), "first second");
    with_descriptor(STDOUT_FILENO, "/dev/full", O_WRONLY, write_dash_quietly);
    assert_int_equal(dash_status, EMBER_E_IO);
    put(in_folder("opened"), "");
    ino_t before = inode_of(in_folder("opened"));
    assert_int_equal(symlink("/proc/self/fd/1", in_folder("stdout")), 0);
    with_descriptor(STDOUT_FILENO, in_folder("opened"), O_WRONLY, write_link_to_stdout);
    assert_int_equal(dash_status, EMBER_OK);
    holds(in_folder("opened"), "third");
    assert_true(inode_of(in_folder("opened")) == before);
    put(in_folder("in"), "input");
    with_descriptor(STDIN_FILENO, in_folder("in"), O_RDONLY, read_dash);
    assert_int_equal(dash_status, EMBER_OK);
}

static void read_refuses(const char *path, size_t limit, ember_status wanted, const char *text)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    assert_true(ember_buffer_append(&buffer, "keep", 4));
    assert_int_equal(ember_file_read(&buffer, path, limit, &err), wanted);
    assert_string_equal(err.text, text);
    assert_int_equal(buffer.size, 4);
    ember_buffer_free(&buffer);
}

TEST_WITH(file_read_says_why_not, make_folder, drop_folder)
{
    put(in_folder("a"), "0123456789");
    read_refuses(in_folder("none"), 0, EMBER_E_IO, "cannot open: No such file or directory");
    read_refuses(folder, 0, EMBER_E_IO, "cannot read: it is a folder");
    read_refuses(in_folder("a"), 9, EMBER_E_LIMIT, "file has 10 bytes, at most 9 are read");
    /* A device does not say how long it is. */
    read_refuses("/dev/zero", 100000, EMBER_E_LIMIT, "file has more than 100000 bytes");
    ember_buffer buffer = {.allocator = ember_heap()};
    assert_int_equal(ember_file_read(&buffer, in_folder("a"), 10, NULL), EMBER_OK);
    assert_int_equal(buffer.size, 10);
    ember_buffer_free(&buffer);
}

static ember_status read_run(void *job, ember_allocator allocator)
{
    const size_t *size = job;
    ember_buffer  buffer = {.allocator = allocator};
    ember_status  status = ember_file_read(&buffer, in_folder("a"), 0, NULL);
    assert_true(status != EMBER_OK || buffer.size == *size);
    ember_buffer_free(&buffer);
    return status;
}

TEST_WITH(file_read_survives_every_failing_allocation, make_folder, drop_folder)
{
    static char data[300000];
    size_t      size = sizeof(data);
    assert_int_equal(ember_file_write(in_folder("a"), data, size, NULL), EMBER_OK);
    assert_in_range(fixture_every_failing_allocation(read_run, &size), 1, 100);
}

TEST(buffer_keeps_within_its_limit)
{
    ember_buffer buffer = {.allocator = ember_heap(), .limit = 10};
    assert_true(ember_buffer_append(&buffer, "12345678", 8));
    assert_false(ember_buffer_append(&buffer, "abc", 3));
    assert_null(ember_buffer_grow(&buffer, SIZE_MAX));
    assert_true(ember_buffer_append(&buffer, "ab", 2));
    assert_memory_equal(buffer.data, "12345678ab", 10);
    assert_non_null(ember_buffer_grow(&buffer, 0));
    ember_buffer_free(&buffer);
    ember_buffer_free(&buffer);
    assert_null(buffer.data);
}
