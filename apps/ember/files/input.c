/* SPDX-License-Identifier: MIT */
/* Reading files for the verbs. Everything that is read may be hostile; the library does the checking, and
   this only says which file it was. */
#include "files/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ember/rom.h"
#include "files/animbin_options.h"

ember_status input_resample(ember_clip *out, const input *in, const ember_clip *clip, double fps,
                            ember_arena *arena, ember_error *err)
{
    double budget = (double)(in->memory_limit != 0 ? in->memory_limit : ember_memory_limit(in->bytes.size));
    double steps =
        clip->loop || clip->frame_count == 0 ? (double)clip->frame_count : (double)(clip->frame_count - 1);
    double frames = clip->fps > 0.0 ? steps / clip->fps * fps + (clip->loop ? 0.0 : 1.0) : 0.0;
    char   text[sizeof(err->text)];
    if (frames * (double)clip->bone_count * (double)sizeof(ember_transform) > budget) {
        snprintf(text, sizeof(text), "%.0f frames at %g a second, too many for a file of %zu bytes", frames,
                 fps, in->bytes.size);
        return ember_fail(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, text);
    }
    ember_status status = ember_clip_resample(out, clip, fps, arena);
    if (status == EMBER_OK)
        return EMBER_OK;
    snprintf(text, sizeof(text), "cannot be brought to %g frames a second: %s", fps,
             ember_status_name(status));
    return ember_fail(err, status, EMBER_NO_OFFSET, text);
}

int input_options_memory(size_t *out, const app_args *args, app_say *say)
{
    enum { MOST_MIB = 1 << 20 }; /* no machine has more */
    double mib = 0.0;
    int    code = args_positive(args, say, "max-memory", &mib);
    if (code == EXIT_DONE && mib > MOST_MIB)
        return args_usage(args, say, "--max-memory is at most %d MiB", MOST_MIB);
    *out = (size_t)(mib * 1048576.0);
    return code;
}

int input_options_read(ember_read_options *out, input_formats *formats, const app_args *args, app_say *say)
{
    const ember_format_info *from = NULL;
    memset(formats, 0, sizeof(*formats));
    *out = (ember_read_options){.animbin = &formats->animbin,
                                .bvh = &formats->bvh,
                                .fbx = &formats->fbx,
                                .ff7 = &formats->ff7,
                                .leave_bad_meshes = true};
    int code = args_format(args, say, "from", &from);
    if (code == EXIT_DONE)
        code = args_space(args, say, "source-space", &out->space);
    if (code == EXIT_DONE)
        code = args_positive(args, say, "fps", &out->fps);
    if (code == EXIT_DONE)
        code = args_positive(args, say, "scale", &out->scale);
    out->skin = args_value(args, "skin");
    formats->fbx.take = args_value(args, "take");
    if (code == EXIT_DONE) {
        static const char *const choices[] = {"keep", "drop", NULL};
        size_t                   which = 0;
        code = args_choice(args, say, "tpose", choices, &which);
        formats->bvh.drop_tpose = which == 1;
    }
    if (code == EXIT_DONE)
        code = animbin_options_view(&formats->animbin, args, say);
    if (code == EXIT_DONE)
        code = input_options_memory(&out->memory_limit, args, say);
    if (code == EXIT_DONE && from != NULL && !from->reads)
        code = args_usage(args, say, "%s can be written, but not read", from->name);
    if (from != NULL)
        out->format = from->format;
    return code;
}

bool input_load(input *in, const char *path, ember_error *err)
{
    memset(in, 0, sizeof(*in));
    in->path = path;
    in->name = say_input_name(path);
    in->bytes.allocator = ember_heap();
    in->arena = ember_arena_growing(ember_heap(), SIZE_MAX); /* the readers have a limit of their own */
    return ember_file_read(&in->bytes, path, 0, err) == EMBER_OK;
}

static const char *input_real_path(const input *in) { return strcmp(in->path, "-") == 0 ? NULL : in->path; }

bool input_tell(input *in, const ember_read_options *options, ember_error *err)
{
    in->info = ember_format_get(options->format);
    if (in->info == NULL)
        in->info = ember_format_sniff(in->bytes.data, in->bytes.size, input_real_path(in));
    if (in->info != NULL && in->info->reads)
        return true;

    char text[sizeof(err->text)];
    if (in->info != NULL)
        snprintf(text, sizeof(text), "%s files can be written, but not read", in->info->name);
    else if (ember_rom_sniff(in->bytes.data, in->bytes.size))
        snprintf(text, sizeof(text), "it is a ROM: ember convert takes single files out of it");
    else if (ember_rom_foreign(in->bytes.data, in->bytes.size) != NULL)
        snprintf(text, sizeof(text), "%s, which is not read: ember build makes a ROM from the same assets",
                 ember_rom_foreign(in->bytes.data, in->bytes.size));
    else if (in->bytes.size == 0)
        snprintf(text, sizeof(text), "the file is empty");
    else
        snprintf(text, sizeof(text),
                 "not a kind of file that ember knows (ember formats lists them, --from says which it is)");
    ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, text);
    return false;
}

static void input_add_layer(void *user, uint32_t clip, const char *name)
{
    input *in = user;
    in->layers = must_grow(in->layers, in->layer_count, sizeof(*in->layers));
    in->layers[in->layer_count++] = (input_layer){clip, text_make("%s", name)};
}

static void input_drop_layers(input *in)
{
    for (size_t i = 0; i < in->layer_count; i++)
        free(in->layers[i].name);
    free(in->layers);
    in->layers = NULL;
    in->layer_count = 0;
}

char *input_layers_of(const input *in, uint32_t clip)
{
    char  *list = NULL;
    size_t count = 0;
    for (size_t i = 0; i < in->layer_count; i++) {
        if (in->layers[i].clip != clip)
            continue;
        char *longer =
            text_make("%s%s%s", count != 0 ? list : "", count != 0 ? ", " : "", in->layers[i].name);
        count++;
        free(list);
        list = longer;
    }
    if (count < 2) {
        free(list);
        list = NULL;
    }
    return list;
}

bool input_parse(input *in, const ember_read_options *options, app_say *say, ember_error *err)
{
    say_listener       listener = {.say = say, .file = in->name, .one_clip = in->info->one_clip};
    ember_read_options reading = *options;
    ember_fbx_options  fbx = {.take = options->fbx != NULL ? options->fbx->take : NULL,
                              .layer = input_add_layer,
                              .layer_user = in};
    input_drop_layers(in);
    reading.fbx = &fbx;
    in->memory_limit = options->memory_limit;
    reading.path = input_real_path(in);
    reading.format = in->info->format;
    reading.space = in->info->stores.space ? EMBER_SPACE_UNSTATED : options->space;
    reading.notes = options->notes.take != NULL ? options->notes : say_notes_together(&listener);
    bool good =
        ember_model_read(&in->model, in->bytes.data, in->bytes.size, &reading, &in->arena, err) == EMBER_OK;
    say_notes_end(&listener);
    return good;
}

bool input_read(input *in, const char *path, const ember_read_options *options, app_say *say,
                ember_error *err)
{
    return input_load(in, path, err) && input_tell(in, options, err) && input_parse(in, options, say, err);
}

bool input_open(input *in, const char *path, const ember_read_options *options, app_say *say)
{
    ember_error err = EMBER_ERROR_INIT;
    bool        good = input_load(in, path, &err) && input_tell(in, options, &err);
    if (good && input_parse(in, options, say, &err))
        return true;
    say_library(say, in->name, &err);
    return false;
}

bool input_takes_space(const input *in, const ember_read_options *options, app_say *say)
{
    if (options->space == EMBER_SPACE_UNSTATED || !in->info->stores.space)
        return true;
    say_error(say, (place){in->name, NULL, NULL},
              "the file says which space its clips are in: --source-space is for files that do not");
    return false;
}

bool input_takes_take(const input *in, const ember_read_options *options, app_say *say)
{
    if (options->fbx == NULL || options->fbx->take == NULL || (in->info->takes & EMBER_TAKES_FBX) != 0)
        return true;
    say_error(say, (place){in->name, NULL, NULL}, "--take is for FBX files; --clip chooses among clips");
    return false;
}

void input_close(input *in)
{
    input_drop_layers(in);
    ember_buffer_free(&in->bytes);
    ember_arena_free(&in->arena);
    memset(in, 0, sizeof(*in));
}

void input_share_skeleton(input *poor, const input *rich, const ember_read_options *reading,
                          const app_say *say)
{
    const ember_skeleton *given = &rich->model.skeleton;
    uint32_t              bones = poor->model.skeleton.bone_count;
    if (ember_skeleton_is_known(&poor->model.skeleton) || !ember_skeleton_is_known(given))
        return;
    if (poor->info->rest_from_skeleton && bones <= given->bone_count) {
        /* What it does not move is where the skeleton has it, so it is read once more; what was odd
           has been said. */
        ember_read_options again = *reading;
        app_say            silent = *say;
        ember_error        err = EMBER_ERROR_INIT;
        ember_model        before = poor->model;
        again.skeleton = given;
        silent.quiet = true;
        if (!input_parse(poor, &again, &silent, &err))
            poor->model = before;
    } else if (given->bone_count == bones) {
        poor->model.skeleton = *given;
    }
}
