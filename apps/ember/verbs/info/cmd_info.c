/* SPDX-License-Identifier: MIT */
/* `ember info`: what is in a file. One bad file does not stop the others. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/json_text.h"
#include "cli/table.h"
#include "cli/text.h"
#include "ember/ember.h"
#include "files/input.h"
#include "files/rom_input.h"
#include "verbs/info/info.h"
#include "verbs/verbs.h"

/* A clamped clip ends with its last frame; a looping one runs from it into the first again. */
double info_seconds(const ember_clip *clip)
{
    uint32_t steps = clip->loop || clip->frame_count == 0 ? clip->frame_count : clip->frame_count - 1;
    return (double)steps / ember_clip_fps(clip);
}

/* Bytes of the file by bones and frames of all clips; 0 if there are none. */
static double info_density(const input *in)
{
    double records = 0.0;
    for (uint32_t i = 0; i < in->model.clip_count; i++)
        records += (double)in->model.clips[i].bone_count * (double)in->model.clips[i].frame_count;
    return records > 0.0 ? (double)in->bytes.size / records : 0.0;
}

const char *info_space(const ember_clip *clip)
{
    return clip->space == EMBER_SPACE_LOCAL ? "local" : "model";
}

/* ---- text ---- */

char *info_markers(const ember_clip *clip)
{
    enum { SHOWN = 8 };
    char *list = text_make("%s", clip->marker_count == 0 ? "-" : "");
    for (uint32_t i = 0; i < clip->marker_count && i <= SHOWN; i++) {
        char *longer = i < SHOWN ? text_make("%s%s%s@%u", list, i > 0 ? " " : "", clip->markers[i].name,
                                             (unsigned)clip->markers[i].frame)
                                 : text_make("%s and %u more", list, (unsigned)(clip->marker_count - SHOWN));
        free(list);
        list = longer;
    }
    return list;
}

/* Whether some clip's file states how far it is from its source. */
static bool info_has_errors(const ember_model *model)
{
    bool found = false;
    for (uint32_t i = 0; i < model->clip_count; i++)
        found = found || model->clips[i].error > 0.0f;
    return found;
}

static void info_print_clips(const ember_model *model)
{
    static const char *const heads[] = {"#",       "clip", "frames", "bones", "fps",
                                        "seconds", "loop", "space",  "error", "markers"};
    const bool               errors = info_has_errors(model);
    app_table                table = {errors ? "rlrrrrllrl" : "rlrrrrlll", NULL, 0, 0};
    char                     length[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        if (i != 8 || errors)
            table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const ember_clip *clip = &model->clips[i];
        char             *markers = info_markers(clip);
        table_cell(&table, "%u", (unsigned)i);
        table_cell(&table, "%s", clip->name[0] != '\0' ? clip->name : "(unnamed)");
        table_cell(&table, "%u", (unsigned)clip->frame_count);
        table_cell(&table, "%u", (unsigned)clip->bone_count);
        table_cell(&table, clip->fps > 0.0 ? "%g" : "(%g)", ember_clip_fps(clip));
        table_cell(&table, clip->fps > 0.0 ? "%.2f" : "(%.2f)", info_seconds(clip));
        table_cell(&table, "%s", clip->loop ? "yes" : "no");
        table_cell(&table, "%s", info_space(clip));
        if (errors)
            table_cell(&table, "%s", text_length(length, (double)clip->error));
        table_cell(&table, "%s", markers);
        free(markers);
    }
    table_print(&table, "  ");
}

static void info_print_layers(const input *in)
{
    for (uint32_t i = 0; i < in->model.clip_count; i++) {
        char *list = input_layers_of(in, i), *shown = list != NULL ? text_escape(list) : NULL;
        if (shown != NULL)
            printf("  layers of %u: %s\n", (unsigned)i, shown);
        free(shown);
        free(list);
    }
}

void info_print_bones(const ember_skeleton *skeleton)
{
    static const char *const heads[] = {"#",  "bone", "parent", "px", "py", "pz", "qx",
                                        "qy", "qz",   "qw",     "sx", "sy", "sz"};
    app_table                table = {skeleton->rest != NULL ? "rllrrrrrrrrrr" : "rll", NULL, 0, 0};
    for (size_t i = 0; i < (skeleton->rest != NULL ? 13u : 3u); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        int16_t     parent = skeleton->parents[i];
        const char *parent_name = parent >= 0 ? ember_skeleton_name(skeleton, (uint32_t)parent) : NULL;
        table_cell(&table, "%u", (unsigned)i);
        table_cell(&table, "%s", name != NULL ? name : "-");
        if (parent < 0)
            table_cell(&table, "-");
        else
            table_cell(&table, "%d %s", (int)parent, parent_name != NULL ? parent_name : "");
        if (skeleton->rest == NULL)
            continue;
        const ember_transform *t = &skeleton->rest[i];
        const float values[10] = {t->position.x, t->position.y, t->position.z, t->rotation.x, t->rotation.y,
                                  t->rotation.z, t->rotation.w, t->scale.x,    t->scale.y,    t->scale.z};
        for (size_t k = 0; k < 10; k++)
            table_cell(&table, "%.4g", (double)values[k] + 0.0); /* no minus before a zero */
    }
    table_print(&table, "  ");
}

static void info_print(info_job *job, const input *in)
{
    const ember_model *model = &in->model;
    char               size[TEXT_NUMBER_SIZE];
    char              *name = text_escape(in->name);

    if (job->shown++ > 0)
        putchar('\n');
    printf("%s%s%s: %s (%s), %s B, %u %s, %u %s", job->say->colour_data ? "\033[1m" : "", name,
           job->say->colour_data ? "\033[0m" : "", in->info->title, in->info->name,
           text_count(size, in->bytes.size), (unsigned)model->skeleton.bone_count,
           model->skeleton.bone_count == 1 ? "bone" : "bones", (unsigned)model->clip_count,
           model->clip_count == 1 ? "clip" : "clips");
    if (model->mesh_count != 0)
        printf(", %u %s", (unsigned)model->mesh_count, model->mesh_count == 1 ? "mesh" : "meshes");
    if (info_density(in) > 0.0)
        printf(", %.1f B per bone and frame", info_density(in));
    putchar('\n');
    if (model->clip_count != 0)
        info_print_clips(model);
    info_print_layers(in);
    if (job->bones && model->skeleton.bone_count != 0)
        info_print_bones(&model->skeleton);
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (info_wants_frame(job, model, i))
            (void)info_print_frame(job, in->name, model, i, in->bytes.data, in->bytes.size);
    free(name);
}

/* ---- json ---- */

json_t *info_clip_json(const ember_clip *clip, uint32_t index)
{
    json_t *object = json_object(), *markers = json_array();
    json_put(object, "index", json_count(index));
    json_put(object, "name", json_text(clip->name));
    json_put(object, "frame_count", json_count(clip->frame_count));
    json_put(object, "bone_count", json_count(clip->bone_count));
    json_put(object, "fps", clip->fps > 0.0 ? json_number(clip->fps) : json_null());
    json_put(object, "seconds", json_number(info_seconds(clip)));
    json_put(object, "loop", json_boolean(clip->loop));
    json_put(object, "space", json_text(info_space(clip)));
    if (clip->error > 0.0f)
        json_put(object, "error", json_number((double)clip->error));
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        json_t *marker = json_object();
        json_put(marker, "name", json_text(clip->markers[i].name));
        json_put(marker, "frame", json_count(clip->markers[i].frame));
        json_add(markers, marker);
    }
    json_put(object, "markers", markers);
    return object;
}

json_t *info_bones_json(const ember_skeleton *skeleton)
{
    json_t *bones = json_array();
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        json_t *bone = json_object();
        json_put(bone, "index", json_count(i));
        json_put(bone, "name", json_text(ember_skeleton_name(skeleton, i)));
        json_put(bone, "parent", json_integer(skeleton->parents[i]));
        json_put(bone, "rest", skeleton->rest != NULL ? json_transform(&skeleton->rest[i]) : json_null());
        json_add(bones, bone);
    }
    return bones;
}

/* Where there are several. */
static void info_put_layers(json_t *object, const input *in, uint32_t clip)
{
    json_t *layers = json_array();
    for (size_t i = 0; i < in->layer_count; i++)
        if (in->layers[i].clip == clip)
            json_add(layers, json_text(in->layers[i].name));
    if (json_array_size(layers) > 1)
        json_put(object, "layers", layers);
    else
        json_free(layers);
}

static void info_add(info_job *job, const input *in)
{
    json_t *file = json_object(), *clips = json_array();
    json_put(file, "path", json_text(in->path));
    json_put(file, "format", json_text(in->info->name));
    json_put(file, "title", json_text(in->info->title));
    json_put(file, "size", json_count(in->bytes.size));
    json_put(file, "bytes_per_bone_frame",
             info_density(in) > 0.0 ? json_number(info_density(in)) : json_null());
    json_put(file, "bone_count", json_count(in->model.skeleton.bone_count));
    json_put(file, "clip_count", json_count(in->model.clip_count));
    json_put(file, "mesh_count", json_count(in->model.mesh_count));
    for (uint32_t i = 0; i < in->model.clip_count; i++) {
        json_t *clip = info_clip_json(&in->model.clips[i], i);
        info_put_layers(clip, in, i);
        if (info_wants_frame(job, &in->model, i))
            json_put(clip, "frame",
                     info_frame_json(job, in->name, &in->model, i, in->bytes.data, in->bytes.size));
        json_add(clips, clip);
    }
    json_put(file, "clips", clips);
    if (job->bones)
        json_put(file, "bones", info_bones_json(&in->model.skeleton));
    json_add(job->files, file);
}

static void info_add_failure(info_job *job, const char *path, const ember_error *err)
{
    json_t *file = json_object();
    json_put(file, "path", json_text(path));
    json_put(file, "error", json_text(emberi_error_line_of(err).text));
    json_add(job->files, file);
}

/* ---- the verb ---- */

static bool info_file(info_job *job, const char *path)
{
    input       in;
    ember_error err = EMBER_ERROR_INIT;
    bool        loaded = input_load(&in, path, &err), read = false,
         rom = loaded && !job->from_set && rom_input_is(&in);
    if (rom)
        read = info_rom(job, &in, &err);
    else
        read =
            loaded && input_tell(&in, &job->reading, &err) && input_parse(&in, &job->reading, job->say, &err);
    if (!read && err.status != EMBER_OK) {
        say_library(job->say, in.name, &err);
        if (job->json)
            info_add_failure(job, path, &err);
    } else if (rom) {
        /* It has printed itself. */
    } else if (!input_takes_take(&in, &job->reading, job->say)) {
        read = false;
    } else if (job->json) {
        info_add(job, &in);
    } else {
        info_print(job, &in);
    }
    input_close(&in);
    return read;
}

static int info_read_frame(info_job *job, const app_args *args, app_say *say)
{
    const char *given = args_value(args, "frame");
    job->clip = args_value(args, "clip");
    job->framed = given != NULL;
    if (job->framed && !text_read_u32(&job->frame, given))
        return args_usage(args, say, "--frame is a number from 0, not '%s'", given);
    return job->clip == NULL || job->framed
               ? EXIT_DONE
               : args_usage(args, say, "--clip says which clip's --frame is shown");
}

static int info_run(const app_args *args, app_say *say)
{
    info_job job = {.say = say, .bones = args_has(args, "bones"), .from_set = args_has(args, "from")};
    int      code = input_options_read(&job.reading, &job.formats, args, say);
    if (code == EXIT_DONE)
        code = args_space(args, say, "space", &job.reading.space);
    if (code == EXIT_DONE)
        code = args_report(args, say, &job.json);
    if (code == EXIT_DONE)
        code = info_read_frame(&job, args, say);
    if (code != EXIT_DONE)
        return code;

    job.files = job.json ? json_array() : NULL;
    for (size_t i = 0; i < args->file_count; i++)
        if (!info_file(&job, args->files[i]))
            code = EXIT_FAILED;
    if (job.failed)
        code = EXIT_FAILED;
    if (job.json) {
        json_t *root = json_object();
        json_put(root, "format", json_text("ember-info"));
        json_put(root, "version", json_count(1));
        json_put(root, "files", job.files);
        json_print(root);
    }
    return code;
}

static const app_option info_options[] = {
    {"format", 0, "text|json", "how to print it; text is the default"},
    {"bones", 0, NULL, "list the bones: number, name, parent, rest pose"},
    {"frame", 0, "N", "the bones' values in that frame, from 0: as stored, degrees, position, scale"},
    {"clip", 0, "NAME|N|GLOB", "with --frame: of that clip alone"},
    {"from", 0, "FMT", "the files' format; else by content, then by extension"},
    {"source-space", 0, "model|local", "the space of files that do not say (.ewzanim, .eza); else model"},
    {"space", 0, "model|local", NULL},
    {"fps", 0, "N", "the rate, in place of the files'"},
    INPUT_TAKE,
    {"skin", 0, "N|NAME", "glTF, FBX: whose joints are the bones"},
    INPUT_MAX_MEMORY,
    {NULL, 0, NULL, NULL},
};

const app_verb verb_info = {
    .name = "info",
    .summary = "what is in a file: kind, clips, bones, frames, bytes, rate",
    .usage = "FILE... [options]",
    .about = "A rate in brackets is not the file's: it says none, and 30 is assumed. With --bones, the "
             "columns of the rest\n"
             "pose are position (px py pz), rotation (qx qy qz qw) and scale (sx sy sz). With --frame the "
             "rotation is in degrees\n"
             "about x, then y, then z (Blender's XYZ), all in the clip's own space. Of a ROM, all entries "
             "are listed.",
    .options = info_options,
    .example = "ember info --bones hero.json walk.ewzanim",
    .least_files = 1,
    .most_files = ARGS_ANY_COUNT,
    .files = "a file",
    .run = info_run,
};
