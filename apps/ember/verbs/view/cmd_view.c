/* SPDX-License-Identifier: MIT */
/* `ember view`: files in the browser, by the viewer that is compiled into the command. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/args.h"
#include "cli/text.h"
#include "files/input.h"
#include "verbs/verbs.h"
#include "verbs/view/serve.h"

extern char **environ;

typedef struct view {
    const app_args *args;
    app_say        *say;
    ember_arena     arena;
    served_file    *files;
    uint32_t        count;
} view;

static void view_add(view *v, const served_file *file)
{
    for (uint32_t i = 0; i < v->count; i++)
        if (strcmp(v->files[i].path, file->path) == 0) {
            /* Named by hand it may lie anywhere. */
            v->files[i].folder = file->folder == NULL ? NULL : v->files[i].folder;
            return;
        }
    v->files = must_grow(v->files, v->count, sizeof(*v->files));
    v->files[v->count++] = *file;
}

/* Whether it can be served; the reason, where not, in `why`. */
static bool view_can(const served_file *file, char why[SERVED_FILE_WHY])
{
    size_t size;
    int    fd = served_file_open(file, &size, why);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* The folder that a path is in. NULL if there is no room. */
static const char *view_folder(view *v, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t      size = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char       *folder = EMBER_PUSH(&v->arena, char, size + 2);
    if (folder == NULL)
        return NULL;
    memcpy(folder, size != 0 ? path : ".", size != 0 ? size : 1);
    folder[size != 0 ? size : 1] = '\0';
    return folder;
}

/* What lies beside a glTF document, as far as it is there. A link that leads elsewhere is said: who sent the
   document may have sent the link. */
static void view_add_other(view *v, const served_file *other)
{
    char why[SERVED_FILE_WHY];
    if (access(other->path, R_OK) != 0)
        return;
    if (view_can(other, why))
        view_add(v, other);
    else
        say_warning(v->say, (place){other->path, NULL, NULL}, "not served: %s", why);
}

/* The file, and those that a glTF document says its bytes are in. That they can be opened is seen now, what
   is in them by the page. */
static bool view_add_file(view *v, const char *path)
{
    ember_error        err = EMBER_ERROR_INIT;
    ember_buffer       bytes = {.allocator = ember_heap()};
    const char *const *others = NULL;
    uint32_t           count = 0;
    char               why[SERVED_FILE_WHY];
    served_file        file = {path, NULL};
    if (!view_can(&file, why))
        return say_error(v->say, (place){path, NULL, NULL}, "%s", why), false;
    bool        done = ember_file_read(&bytes, path, 0, &err) == EMBER_OK;
    const char *folder = view_folder(v, path);
    if (!done)
        say_library(v->say, path, &err);
    else
        view_add(v, &file);
    if (done && folder != NULL &&
        ember_model_references(&others, &count, bytes.data, bytes.size, path, &v->arena))
        for (uint32_t i = 0; i < count; i++)
            view_add_other(v, &(served_file){others[i], folder});
    ember_buffer_free(&bytes);
    return done;
}

/* Without a screen there is nothing to open; the address is printed anyway. */
static void view_browse(view *v, const char *address)
{
    char                      *words[] = {"xdg-open", (char *)(uintptr_t)address, NULL};
    posix_spawn_file_actions_t actions;
    pid_t                      child;
    if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) {
        say_note(v->say, (place){NULL, NULL, NULL}, "there is no display: open the address in a browser");
        return;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, "xdg-open", &actions, NULL, words, environ) != 0)
        say_note(v->say, (place){NULL, NULL, NULL}, "no browser was opened: xdg-open is missing (xdg-utils)");
    posix_spawn_file_actions_destroy(&actions);
}

static void view_ready(void *user, const char *address)
{
    view *v = user;
    printf("%s\n", address);
    fflush(stdout);
    say_note(v->say, (place){NULL, NULL, NULL}, "showing %u %s; Ctrl+C ends it", (unsigned)v->count,
             v->count == 1 ? "file" : "files");
    if (!args_has(v->args, "no-open"))
        view_browse(v, address);
}

static int view_run(const app_args *args, app_say *say)
{
    view        v = {.args = args, .say = say, .arena = ember_arena_growing(ember_heap(), 0)};
    const char *given = args_value(args, "port");
    uint32_t    port = 0;
    if (given != NULL && (!text_read_u32(&port, given) || port > 65535))
        return args_usage(args, say, "--port is a number from 0 (any that is free) to 65535, not '%s'",
                          given);
    bool done = true;
    for (size_t i = 0; i < args->file_count; i++) {
        if (strcmp(args->files[i], "-") == 0)
            return args_usage(
                args, say,
                "files are read as often as the page asks for them, so standard input cannot be one");
        done = view_add_file(&v, args->files[i]) && done;
    }
    serve_job job = {.say = say,
                     .files = v.files,
                     .count = v.count,
                     .port = (uint16_t)port,
                     .ready = view_ready,
                     .user = &v};
    done = done && serve_run(&job);
    free(v.files);
    ember_arena_free(&v.arena);
    return done ? EXIT_DONE : EXIT_FAILED;
}

static const app_option view_options[] = {
    {"port", 0, "N", "listen on this port; else on any that is free"},
    {"no-open", 0, NULL, "only print the address, open no browser"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_view = {
    .name = "view",
    .summary = "files in the browser: play, look at bones, compare, convert",
    .usage = "FILE... [options]",
    .about = "Serves the viewer's page and the named files, with what glTF files refer to, on 127.0.0.1 "
             "alone until Ctrl+C. The\n"
             "address, with a token that nobody else knows, is printed on standard output. Nothing leaves "
             "the machine.",
    .options = view_options,
    .example = "ember view walk.ewzanim hero.glb",
    .least_files = 1,
    .most_files = ARGS_ANY_COUNT,
    .files = "a file",
    .run = view_run,
};
