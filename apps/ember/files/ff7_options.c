/* SPDX-License-Identifier: MIT */
/* How Final Fantasy VII packs are read and written, from the command line. */
#include "files/ff7_options.h"

#include <string.h>

#include "verbs/ff7/ff7_pack_file.h"

int ff7_options_read(ember_ff7_options *out, const ember_format_info *to, const app_args *args, app_say *say)
{
    static const char *const keys[] = {"0", "2", "4", NULL};
    size_t                   key = SIZE_MAX;
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "base" : "key";
        if ((to->takes & EMBER_TAKES_FF7) == 0 && args_has(args, name))
            return args_usage(args, say, "--%s is for ff7, not for %s", name, to->name);
    }
    int code = args_choice(args, say, "key", keys, &key);
    out->key_set = key != SIZE_MAX;
    out->key = out->key_set ? (uint8_t)(key * 2) : 0;
    return code;
}

bool ff7_skeleton_of(ember_ff7_skeleton *out, const input *skeleton, ember_arena *arena, ember_error *err)
{
    *out = (ember_ff7_skeleton){.bone_count = 0};
    return skeleton->info == NULL || !ff7_is_skeleton(skeleton->info) ||
           ember_ff7_skeleton_read(out, skeleton->bytes.data, skeleton->bytes.size, arena, err) == EMBER_OK;
}

static bool files_open_base(ff7_files *files, const char *path, app_say *say)
{
    ember_error               err = EMBER_ERROR_INIT;
    const ember_ff7_skeleton *skeleton = files->skeleton.bone_count != 0 ? &files->skeleton : NULL;
    if (ember_file_read(&files->bytes, path, 0, &err) == EMBER_OK)
        return ff7_pack_read(&files->pack, &files->bytes, path, skeleton, &files->arena, say);
    say_library(say, say_input_name(path), &err);
    return false;
}

bool ff7_files_open(ff7_files *files, const input *skeleton, const app_args *args, app_say *say)
{
    const char *base = args_value(args, "base");
    memset(files, 0, sizeof(*files));
    files->arena = ember_arena_growing(ember_heap(), 0);
    files->bytes.allocator = ember_heap();
    ember_error err = EMBER_ERROR_INIT;
    if (!ff7_skeleton_of(&files->skeleton, skeleton, &files->arena, &err)) {
        say_library(say, skeleton->name, &err);
        return false;
    }
    return base == NULL || files_open_base(files, base, say);
}

void ff7_files_close(ff7_files *files)
{
    ember_buffer_free(&files->bytes);
    ember_arena_free(&files->arena);
}
