/* SPDX-License-Identifier: MIT */
/* Makes an object out of a module that was checked: wasm2c translates, the C compiler compiles, each in a
   process of its own with limits. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "ember/file.h"
#include "engine/object/object.h"
#include "engine/object/object_edit.h"
#include "engine/object/object_parts.h"
#include "platform/child.h"

#define BUILD_VERSION "1.0.32"
#define BUILD_PATH 1200
#define BUILD_MEMORY ((size_t)4 << 30)
#define BUILD_FILE ((size_t)256 << 20)

static ember_status build_write(const char *folder, const char *name, const void *data, size_t size,
                                ember_error *err)
{
    char path[BUILD_PATH];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return ember_file_write(path, data, size, err);
}

/* What to say of a program that did not do its work. */
static ember_status build_failed(const emberi_child_end *end, const char *what, const emberi_object_job *job,
                                 ember_error *err)
{
    int  signal_number = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
    bool long_time = end->timed_out || signal_number == SIGXCPU ||
                     (signal_number == SIGKILL && end->first_line[0] == '\0');
    if (long_time || strstr(end->first_line, "CPU time limit") != NULL)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "the game takes more than %g s to %s, which is not allowed", job->build_s, what);
    if (strstr(end->first_line, "No space left") != NULL ||
        strstr(end->first_line, "Read-only file") != NULL ||
        strstr(end->first_line, "quota exceeded") != NULL)
        return emberi_failf(err, EMBER_E_IO, EMBER_NO_OFFSET, "the game could not be made to %s: %s", what,
                            end->first_line);
    if (strstr(end->first_line, "frame size") != NULL)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "a function of the game keeps more than %d bytes of values at once",
                            EMBERI_GUEST_FRAME);
    if (end->first_line[0] == '\0')
        return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                            "the game could not be made to %s (status %d)", what, end->status);
    return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "the game could not be made to %s: %s", what,
                        end->first_line);
}

static ember_status build_translate(const char *folder, const emberi_object_recipe *recipe,
                                    const emberi_object_job *job, ember_error *err)
{
    const char *const version[] = {recipe->translator, "--version", NULL};
    const char *const translate[] =
        {recipe->translator, "--no-debug-names", "-n", "game", "game.wasm", "-o", "game.c", NULL};
    emberi_child     child = {version, folder, job->build_s, BUILD_MEMORY, BUILD_FILE, job->cancelled};
    emberi_child_end end;
    ember_status     status = emberi_child_run(&end, &child, err);
    if (status != EMBER_OK)
        return status;
    if (!end.done || strncmp(end.first_line, BUILD_VERSION, strlen(BUILD_VERSION)) != 0 ||
        (end.first_line[strlen(BUILD_VERSION)] >= '0' && end.first_line[strlen(BUILD_VERSION)] <= '9'))
        return emberi_failf(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                            "%s says it is version '%.20s', games need " BUILD_VERSION " (Debian 12's wabt)",
                            recipe->translator, end.first_line);
    child.arguments = translate;
    status = emberi_child_run(&end, &child, err);
    if (status != EMBER_OK)
        return status;
    return end.done ? EMBER_OK : build_failed(&end, "translate", job, err);
}

static ember_status build_edit_file(const char *folder, const char *name,
                                    bool (*edit)(ember_buffer *out, const char *text, size_t size),
                                    const emberi_object_job *job, ember_error *err)
{
    char         path[BUILD_PATH];
    ember_buffer text = {.allocator = job->allocator}, edited = {.allocator = job->allocator};
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    ember_status status = ember_file_read(&text, path, BUILD_FILE, err);
    if (status == EMBER_OK && !edit(&edited, (const char *)text.data, text.size))
        status = emberi_fail_memory(err);
    if (status == EMBER_OK)
        status = ember_file_write(path, edited.data, edited.size, err);
    ember_buffer_free(&text);
    ember_buffer_free(&edited);
    return status;
}

static ember_status build_edit(const char *folder, const emberi_object_job *job, ember_error *err)
{
    ember_status status = build_edit_file(folder, "game.h", emberi_object_edit_header, job, err);
    return status == EMBER_OK ? build_edit_file(folder, "game.c", emberi_object_edit_code, job, err) : status;
}

static ember_status build_compile(const char *folder, const emberi_object_recipe *recipe,
                                  const emberi_object_job *job, ember_error *err)
{
    const char      *arguments[40];
    size_t           count = 0;
    char             error[64], limit[64];
    emberi_child     child = {arguments, folder, job->build_s, BUILD_MEMORY, BUILD_FILE, job->cancelled};
    emberi_child_end end;
    /* gcc takes the error and its limit as one; clang takes the limit, and the error is in shim.c. */
    snprintf(error, sizeof(error), "-Werror=frame-larger-than=%d", EMBERI_GUEST_FRAME);
    snprintf(limit, sizeof(limit), "-Wframe-larger-than=%d", EMBERI_GUEST_FRAME);
    arguments[count++] = recipe->compiler;
    for (size_t i = 0; emberi_object_flags[i] != NULL; i++)
        arguments[count++] = emberi_object_flags[i];
    arguments[count++] = "-Wno-unknown-warning-option";
    arguments[count++] = error;
    arguments[count++] = limit;
    arguments[count++] = "shim.c";
    arguments[count++] = "-o";
    arguments[count++] = "game.so";
    arguments[count++] = "-lm";
    arguments[count] = NULL;
    ember_status status = emberi_child_run(&end, &child, err);
    if (status != EMBER_OK)
        return status;
    return end.done ? EMBER_OK : build_failed(&end, "compile", job, err);
}

ember_status emberi_object_build(const char *folder, const emberi_object_recipe *recipe,
                                 const emberi_object_job *job, ember_error *err)
{
    ember_status status = build_write(folder, "game.wasm", job->stripped->data, job->stripped->size, err);
    if (status == EMBER_OK)
        status = build_write(folder, "wasm-rt.h", recipe->runtime.data, recipe->runtime.size, err);
    if (status == EMBER_OK)
        status = build_write(folder, "shim.c", emberi_guest_shim_text, emberi_guest_shim_size, err);
    if (status == EMBER_OK)
        status = build_translate(folder, recipe, job, err);
    if (status == EMBER_OK)
        status = build_edit(folder, job, err);
    return status == EMBER_OK ? build_compile(folder, recipe, job, err) : status;
}
