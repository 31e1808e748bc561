/* SPDX-License-Identifier: MIT */
/* The cache of compiled games: found again, never trusted blindly, shared by many processes, and nobody
   else's.
   Covers: object_build.c, object_plan.c. */
#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <utime.h>

#include "engine/games.h"

static const char       counter[] =
    "(module " GAME_ENV GAME_MEMORY
    "(func (export \"update\") (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))))";

typedef struct fixture {
    char    *folder;
    uint8_t *wasm;
    size_t   size;
} fixture;

static int set_up(void **state)
{
    fixture *f = test_alloc(sizeof(*f));
    f->folder = game_temporary_name("");
    assert_non_null(mkdtemp(f->folder));
    f->wasm = game_assemble(counter, &f->size);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    char     command[300];
    snprintf(command, sizeof(command), "rm -rf %s", f->folder);
    assert_int_equal(system(command), 0);
    free(f->folder);
    free(f->wasm);
    free(f);
    return 0;
}

static ember_status load_and_run(const fixture *f, const char *folder, ember_error *err)
{
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT, .cache_folder = folder};
    ember_machine        *machine;
    ember_status          status = ember_machine_load_wasm(&machine, f->wasm, f->size, &options, err);
    if (status != EMBER_OK)
        return status;
    status = ember_machine_update(machine, game_no_inputs, err);
    ember_machine_unload(machine);
    return status;
}

static void must_run(const fixture *f, const char *folder)
{
    ember_error err = EMBER_ERROR_INIT;
    if (load_and_run(f, folder, &err) != EMBER_OK)
        fail_msg("%s", err.text);
}

/* How many entries the folder has; the path of the first. */
static int entries(const char *folder, char *path, size_t room)
{
    int  count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d))
        if (e->d_name[0] != '.') {
            count++;
            if (path != NULL)
                snprintf(path, room, "%s/%s", folder, e->d_name);
        }
    closedir(d);
    return count;
}

static struct stat stat_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info;
}

TEST_WITH(a_game_is_compiled_once, set_up, tear_down)
{
    const fixture *f = *state;
    char           path[400];
    must_run(f, f->folder);
    assert_int_equal(entries(f->folder, path, sizeof(path)), 1); /* and no folder was left */
    struct stat first = stat_of(path);
    assert_int_equal(first.st_mode & 0777, 0700);
    must_run(f, f->folder);
    assert_int_equal(entries(f->folder, path, sizeof(path)), 1);
    assert_true(first.st_ino == stat_of(path).st_ino);
}

TEST_WITH(a_game_that_only_changed_its_data_is_not_compiled_again, set_up, tear_down)
{
    fixture *f = *state;
    uint8_t *first = f->wasm;
    char     wat[300];
    for (int i = 0; i < 3; i++) { /* the data is there nevertheless: anything else traps */
        snprintf(wat, sizeof(wat),
                 "(module " GAME_MEMORY
                 "(data (i32.const 8) \"%c\") (func (export \"update\") (i32.store (i32.const 0) "
                 "(i32.div_u (i32.const 1) (i32.load8_u (i32.const 8))))))",
                 'a' + i);
        f->wasm = game_assemble(wat, &f->size);
        must_run(f, f->folder);
        assert_int_equal(entries(f->folder, NULL, 0), 1);
        free(f->wasm);
    }
    f->wasm = first;
}

TEST_WITH(what_was_not_used_for_long_is_removed, set_up, tear_down)
{
    fixture       *f = *state;
    char           path[400], work[200], inside[240];
    ember_error    err = EMBER_ERROR_INIT;
    struct utimbuf old = {time(NULL) - 100 * 24 * 3600, time(NULL) - 100 * 24 * 3600};
    must_run(f, f->folder);
    entries(f->folder, path, sizeof(path));
    snprintf(work, sizeof(work), "%s/work-killed", f->folder);
    snprintf(inside, sizeof(inside), "%s/game.c", work);
    assert_int_equal(mkdir(work, 0700), 0);
    assert_int_equal(ember_file_write(inside, "x", 1, &err), EMBER_OK);
    assert_int_equal(utime(work, &old), 0);
    assert_int_equal(utime(path, &old), 0);
    must_run(f, f->folder); /* used, so it stays */
    assert_true(stat_of(path).st_mtim.tv_sec > old.modtime);
    assert_int_equal(utime(path, &old), 0);
    uint8_t *first = f->wasm;
    f->wasm = game_assemble("(module " GAME_MEMORY "(func (export \"update\") nop nop))", &f->size);
    must_run(f, f->folder);
    assert_int_equal(entries(f->folder, NULL, 0), 1);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(work, F_OK), 0);
    free(first);
}

TEST_WITH(a_folder_is_made_for_the_user_alone, set_up, tear_down)
{
    const fixture *f = *state;
    char           folder[128];
    snprintf(folder, sizeof(folder), "%s/a/b", f->folder);
    must_run(f, folder);
    assert_int_equal(stat_of(folder).st_mode & 0777, 0700);
    assert_int_equal(entries(folder, NULL, 0), 1);
}

TEST_WITH(another_module_or_compiler_is_another_entry, set_up, tear_down)
{
    fixture *f = *state;
    must_run(f, f->folder);
    uint8_t *first = f->wasm;
    f->wasm = game_assemble("(module " GAME_ENV GAME_MEMORY
                            "(func (export \"update\") (i32.store (i32.const 8) (i32.add "
                            "(i32.load (i32.const 8)) (i32.const 2)))))",
                            &f->size); /* one number is different */
    must_run(f, f->folder);
    assert_int_equal(entries(f->folder, NULL, 0), 2);
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT,
                                     .cache_folder = f->folder,
                                     /* a name of its own, even if it is the same program */
                                     .compiler = "/usr/bin/gcc"};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    if (access(options.compiler, X_OK) == 0) {
        assert_int_equal(ember_machine_load_wasm(&machine, f->wasm, f->size, &options, &err), EMBER_OK);
        ember_machine_unload(machine);
        assert_int_equal(entries(f->folder, NULL, 0), 3);
    }
    free(first);
}

/* Cut off, changed, empty, something else: each is made anew and works. */
TEST_WITH(a_damaged_file_is_made_anew, set_up, tear_down)
{
    const fixture *f = *state;
    char           path[400];
    must_run(f, f->folder);
    entries(f->folder, path, sizeof(path));
    ember_buffer whole = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    assert_int_equal(ember_file_read(&whole, path, 0, &err), EMBER_OK);
    const size_t cuts[] = {0, 1, 16, 64, whole.size / 2, whole.size - 33, whole.size - 1};
    for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]) + 6; i++) {
        size_t  size = i < 7 ? cuts[i] : whole.size;
        size_t  flipped = whole.size * (i < 7 ? 0 : i - 7) / 6 + 8;
        uint8_t kept = whole.data[flipped];
        if (i >= 7)
            whole.data[flipped] ^= 1;
        assert_int_equal(ember_file_write(path, whole.data, size, &err), EMBER_OK);
        assert_int_equal(chmod(path, 0700), 0);
        whole.data[flipped] = kept;
        ino_t damaged = stat_of(path).st_ino;
        must_run(f, f->folder);
        assert_true(stat_of(path).st_ino != damaged);
        assert_true(stat_of(path).st_size == (off_t)whole.size);
    }
    ember_buffer_free(&whole);
}

TEST_WITH(a_folder_that_others_may_write_to_is_not_used, set_up, tear_down)
{
    const fixture *f = *state;
    assert_int_equal(chmod(f->folder, 0777), 0);
    must_run(f, f->folder);
    assert_int_equal(entries(f->folder, NULL, 0), 0);
}

TEST_WITH(a_file_that_others_may_write_to_is_not_used, set_up, tear_down)
{
    const fixture *f = *state;
    char           path[400];
    must_run(f, f->folder);
    entries(f->folder, path, sizeof(path));
    struct stat first = stat_of(path);
    assert_int_equal(chmod(path, 0777), 0);
    must_run(f, f->folder);
    struct stat second = stat_of(path);
    assert_true(second.st_ino != first.st_ino && (second.st_mode & 0777) == 0700);
}

TEST_WITH(without_a_cache_nothing_is_left_behind, set_up, tear_down)
{
    const fixture *f = *state;
    setenv("TMPDIR", f->folder, 1);
    must_run(f, "");
    assert_int_equal(entries(f->folder, NULL, 0), 0);
    /* Nor where a folder cannot be made. */
    must_run(f, "/proc/no/such/folder");
    assert_int_equal(entries(f->folder, NULL, 0), 0);
    unsetenv("TMPDIR");
}

TEST_WITH(many_processes_share_the_folder, set_up, tear_down)
{
    const fixture *f = *state;
    pid_t          children[6];
    for (int i = 0; i < 6; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            ember_error err = EMBER_ERROR_INIT;
            bool        ok = true;
            for (int round = 0; round < 3; round++)
                ok = ok && load_and_run(f, f->folder, &err) == EMBER_OK;
            _exit(ok ? 0 : 1);
        }
    }
    for (int i = 0; i < 6; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(entries(f->folder, NULL, 0), 1);
}

TEST_WITH(a_missing_tool_is_named_with_its_package, set_up, tear_down)
{
    const fixture *f = *state;
    ember_error    err = EMBER_ERROR_INIT;
    char          *path = strdup(getenv("PATH"));
    setenv("PATH", f->folder, 1);
    assert_int_equal(load_and_run(f, f->folder, &err), EMBER_E_UNSUPPORTED);
    assert_says(err.text, "apt-get install wabt");
    setenv("PATH", path, 1);
    free(path);
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT,
                                     .cache_folder = f->folder,
                                     .compiler = "no-such-compiler"};
    ember_machine        *machine;
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_load_wasm(&machine, f->wasm, f->size, &options, &err),
                     EMBER_E_UNSUPPORTED);
    assert_says(err.text, "there is no compiler no-such-compiler");
}

TEST_WITH(a_compiler_that_fails_is_quoted, set_up, tear_down)
{
    const fixture        *f = *state;
    char                  compiler[128];
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT,
                                     .cache_folder = f->folder,
                                     .compiler = compiler};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    snprintf(compiler, sizeof(compiler), "%s/bad-cc", f->folder);
    static const char script[] =
        "#!/bin/sh\necho 'warming up'; echo 'bad-cc: error: out of luck' >&2; exit 3\n";
    assert_int_equal(ember_file_write(compiler, script, sizeof(script) - 1, &err), EMBER_OK);
    assert_int_equal(chmod(compiler, 0700), 0);
    assert_int_equal(ember_machine_load_wasm(&machine, f->wasm, f->size, &options, &err), EMBER_E_MALFORMED);
    assert_says(err.text, "compile: bad-cc: error: out of luck");
    assert_int_equal(entries(f->folder, NULL, 0), 1); /* the compiler alone */
}

/* A real one takes a compiler half a minute: this one only looks at what it is told. */
TEST_WITH(a_frame_that_is_too_large_is_refused_by_the_compiler, set_up, tear_down)
{
    const fixture        *f = *state;
    char                  compiler[128];
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT,
                                     .cache_folder = f->folder,
                                     .compiler = compiler};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    snprintf(compiler, sizeof(compiler), "%s/frame-cc", f->folder);
    static const char script[] =
        "#!/bin/sh\ncase \" $* \" in *' -w '*) exit 0 ;; *' -Werror=frame-larger-than=65536 '*)\n"
        "case \" $* \" in *' -Wframe-larger-than=65536 '*) ;; *) exit 0 ;; esac\n"
        "echo 'game.c:9: error: the frame size of 76272 bytes is larger than 65536 bytes'; exit 1 ;; esac\n";
    assert_int_equal(ember_file_write(compiler, script, sizeof(script) - 1, &err), EMBER_OK);
    assert_int_equal(chmod(compiler, 0700), 0);
    assert_int_equal(ember_machine_load_wasm(&machine, f->wasm, f->size, &options, &err), EMBER_E_LIMIT);
    assert_says(err.text, "keeps more than 65536 bytes of values at once");
}

/* One that sleeps uses no processor time, and is stopped after twenty times what it may use; what it started
   dies with it. */
TEST_WITH(a_compiler_that_hangs_is_stopped_with_all_it_started, set_up, tear_down)
{
    const fixture        *f = *state;
    char                  compiler[128], marker[128], script[400];
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT,
                                     .cache_folder = f->folder,
                                     .compiler = compiler,
                                     .build_s = 0.25};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    struct timespec       moment = {5, 0};
    snprintf(compiler, sizeof(compiler), "%s/slow-cc", f->folder);
    snprintf(marker, sizeof(marker), "%s/marker", f->folder);
    snprintf(script, sizeof(script), "#!/bin/sh\n(sleep 9; touch %s) &\nsleep 60\n", marker);
    assert_int_equal(ember_file_write(compiler, script, strlen(script), &err), EMBER_OK);
    assert_int_equal(chmod(compiler, 0700), 0);
    time_t start = time(NULL);
    assert_int_equal(ember_machine_load_wasm(&machine, f->wasm, f->size, &options, &err), EMBER_E_LIMIT);
    assert_true(time(NULL) - start < 20);
    assert_says(err.text, "takes more than 0.25 s to compile");
    nanosleep(&moment, NULL);
    assert_int_not_equal(access(marker, F_OK), 0);
}

/* A folder of the system's in which nobody, not even root, makes files; then, where there is one, the memory
   that is a folder. */
TEST_WITH(a_cache_that_cannot_be_written_is_no_error, set_up, tear_down)
{
    const fixture *f = *state;
    const char    *before = getenv("TMPDIR");
    char          *kept = before != NULL ? strdup(before) : NULL;
    must_run(f, "/sys/kernel");
    if (access("/dev/shm", W_OK) == 0) {
        setenv("TMPDIR", "/sys/kernel", 1);
        must_run(f, "/sys/kernel");
    }
    if (kept != NULL)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);
}

/* A disk that is full where the cache is, as a compiler tells it. */
TEST_WITH(a_cache_that_is_full_is_no_error, set_up, tear_down)
{
    const fixture        *f = *state;
    char                  compiler[200], script[400];
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT,
                                     .cache_folder = f->folder,
                                     .compiler = compiler};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    snprintf(compiler, sizeof(compiler), "%s/full-cc", f->folder);
    snprintf(script, sizeof(script),
             "#!/bin/sh\ncase \"$PWD\" in %s/*)\n"
             "echo 'fatal error: error writing to game.o: No space left on device' >&2; exit 1 ;; esac\n"
             "exec cc \"$@\"\n",
             f->folder);
    assert_int_equal(ember_file_write(compiler, script, strlen(script), &err), EMBER_OK);
    assert_int_equal(chmod(compiler, 0700), 0);
    if (ember_machine_load_wasm(&machine, f->wasm, f->size, &options, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
    ember_machine_unload(machine);
    assert_int_equal(entries(f->folder, NULL, 0), 1); /* the compiler alone: nothing was kept */
}

/* As on a file system that is mounted with noexec: the loader refuses every file of the folder. */
static const char *not_executable;
static int         refused;

void *dlopen(const char *path, int flags)
{
    static void *(*real)(const char *, int);
    if (real == NULL) {
        void *found = dlsym(RTLD_NEXT, "dlopen");
        memcpy(&real, &found, sizeof(real));
    }
    if (not_executable == NULL || path == NULL || strncmp(path, not_executable, strlen(not_executable)) != 0)
        return real(path, flags);
    refused++;
    return NULL;
}

TEST_WITH(a_cache_without_the_right_to_execute_is_no_error, set_up, tear_down)
{
    const fixture *f = *state;
    not_executable = f->folder;
    refused = 0;
    must_run(f, f->folder); /* made */
    must_run(f, f->folder); /* found */
    not_executable = NULL;
    assert_int_equal(refused, 2);
    assert_int_equal(entries(f->folder, NULL, 0), 1);
}

/* Last: it changes HOME. */
TEST_WITH(the_folder_follows_xdg, set_up, tear_down)
{
    const fixture *f = *state;
    char           folder[128];
    snprintf(folder, sizeof(folder), "%s/ember", f->folder);
    setenv("XDG_CACHE_HOME", f->folder, 1);
    must_run(f, NULL);
    assert_int_equal(entries(folder, NULL, 0), 1);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", f->folder, 1);
    must_run(f, NULL);
    snprintf(folder, sizeof(folder), "%s/.cache/ember", f->folder);
    assert_int_equal(entries(folder, NULL, 0), 1);
}
