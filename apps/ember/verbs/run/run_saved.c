/* SPDX-License-Identifier: MIT */
/* Saved games: a file holds a snapshot as docs/formats/snapshot.md describes it. A file may be hostile: the
   library checks it, and a machine that refuses it is as before. */
#include "verbs/run/run_saved.h"

#include "ember/file.h"

#define SAVED_MAX_SIZE ((size_t)256 << 20)

int run_saved_load(ember_machine *machine, const app_args *args, app_say *say)
{
    const char     *path = args_value(args, "load");
    ember_buffer    bytes = {.allocator = ember_heap()};
    ember_snapshot *snapshot = NULL;
    ember_error     err = EMBER_ERROR_INIT;
    if (path == NULL)
        return EXIT_DONE;
    ember_status status = ember_snapshot_create(&snapshot, ember_heap());
    if (status != EMBER_OK)
        (void)ember_fail(&err, status, EMBER_NO_OFFSET, "out of memory");
    if (status == EMBER_OK)
        status = ember_file_read(&bytes, path, SAVED_MAX_SIZE, &err);
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
    const char     *path = args_value(args, "save");
    ember_buffer    bytes = {.allocator = ember_heap()};
    ember_snapshot *snapshot = NULL;
    ember_error     err = EMBER_ERROR_INIT;
    if (path == NULL)
        return EXIT_DONE;
    ember_status status = ember_snapshot_create(&snapshot, ember_heap());
    if (status == EMBER_OK)
        status = ember_machine_save(snapshot, machine);
    size_t   size = status == EMBER_OK ? ember_snapshot_file_size(snapshot) : 0;
    uint8_t *file = size != 0 ? bytes.allocator.resize(bytes.allocator.user, NULL, 0, size) : NULL;
    if (file == NULL) {
        status = ember_fail(&err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    } else {
        ember_snapshot_write(file, snapshot);
        status = ember_file_write(path, file, size, &err);
        bytes.allocator.resize(bytes.allocator.user, file, size, 0);
    }
    ember_snapshot_destroy(snapshot);
    return status == EMBER_OK ? EXIT_DONE : say_library(say, say_output_name(path), &err);
}
