/* SPDX-License-Identifier: MIT */
/* Saved games: a file holds a snapshot as docs/formats/snapshot.md describes it. A file may be hostile: the
   library checks it, and a machine that refuses it is as before. */
#include "verbs/run/run_saved.h"

#include <stdlib.h>

#include "ember/file.h"

#define SAVED_MAX_SIZE ((size_t)256 << 20)

/* NULL: out of memory, with one line said. */
static ember_snapshot *saved_make(app_say *say, const char *name)
{
    ember_snapshot *snapshot = NULL;
    if (ember_snapshot_create(&snapshot, ember_heap()) != EMBER_OK)
        (void)say_error(say, (place){name, NULL, NULL}, "out of memory");
    return snapshot;
}

int run_saved_load(ember_machine *machine, const app_args *args, app_say *say)
{
    const char  *path = args_value(args, "load");
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    if (path == NULL)
        return EXIT_DONE;
    ember_snapshot *snapshot = saved_make(say, say_input_name(path));
    if (snapshot == NULL)
        return EXIT_FAILED;
    ember_status status = ember_file_read(&bytes, path, SAVED_MAX_SIZE, &err);
    if (status == EMBER_OK)
        status = ember_snapshot_read(snapshot, bytes.data, bytes.size, &err);
    if (status == EMBER_OK) {
        status = ember_machine_restore(machine, snapshot);
        if (status != EMBER_OK)
            (void)ember_fail(&err, status, EMBER_NO_OFFSET,
                             status == EMBER_E_NOMEM
                                 ? "out of memory"
                                 : "saved from another game, or from another version of it or of its assets");
    }
    ember_buffer_free(&bytes);
    ember_snapshot_destroy(snapshot);
    return status == EMBER_OK ? EXIT_DONE : say_library(say, say_input_name(path), &err);
}

int run_saved_write(const ember_machine *machine, const app_args *args, app_say *say)
{
    const char *path = args_value(args, "save");
    if (path == NULL)
        return EXIT_DONE;
    const char     *name = say_output_name(path);
    ember_snapshot *snapshot = saved_make(say, name);
    if (snapshot == NULL)
        return EXIT_FAILED;
    ember_error  err = EMBER_ERROR_INIT;
    ember_status status = ember_machine_save(snapshot, machine);
    size_t       size = ember_snapshot_file_size(snapshot);
    uint8_t     *file = status == EMBER_OK ? malloc(size) : NULL;
    if (file == NULL) {
        status = ember_fail(&err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    } else {
        ember_snapshot_write(file, snapshot);
        status = ember_file_write(path, file, size, &err);
    }
    free(file);
    ember_snapshot_destroy(snapshot);
    return status == EMBER_OK ? EXIT_DONE : say_library(say, name, &err);
}
