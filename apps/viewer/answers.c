/* SPDX-License-Identifier: MIT */
/* Answers to the page's questions: a bone's values, errors, conversions. */
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ember/ff7.h"
#include "exports.h"
#include "files/deliver.h"
#include "files/rom_input.h"
#include "files/rom_model.h"
#include "files/values.h"

static void put_numbers(emberi_json_out *json, const char *key, const double *values, int count, int digits)
{
    char number[VALUES_NUMBER_SIZE];
    emberi_json_key(json, key);
    emberi_json_array(json);
    for (int i = 0; i < count; i++)
        emberi_json_string(json, values_number(number, values[i], digits));
    emberi_json_array_end(json);
}

/* ---- a bone ---- */

static bool clip_bone(uint32_t *out, const ember_clip *clip, uint32_t bone)
{
    for (uint32_t i = 0; i < clip->bone_count; i++)
        if (ember_clip_bone(clip, i) == bone) {
            *out = i;
            return true;
        }
    return false;
}

static void put_transform(emberi_json_out *json, const ember_transform *t, const double degrees[3])
{
    const double rotation[4] = {(double)t->rotation.x, (double)t->rotation.y, (double)t->rotation.z,
                                (double)t->rotation.w};
    const double position[3] = {(double)t->position.x, (double)t->position.y, (double)t->position.z};
    const double scale[3] = {(double)t->scale.x, (double)t->scale.y, (double)t->scale.z};
    put_numbers(json, "degrees", degrees, 3, 2);
    put_numbers(json, "quaternion", rotation, 4, 4);
    put_numbers(json, "position", position, 3, 4);
    put_numbers(json, "scale", scale, 3, 4);
}

/* A file without clips has only where its bones are at rest. */
static bool put_rest(emberi_json_out *json, const ember_skeleton *skeleton, uint32_t bone)
{
    ember_clip    clip = {.name = "",
                          .space = EMBER_SPACE_LOCAL,
                          .bone_count = skeleton->bone_count,
                          .frame_count = 1,
                          .frames = skeleton->rest};
    ember_model   model = {.clip_count = 1, .clips = &clip};
    values_source source = {.model = &model, .clip = &clip};
    values        value;
    if (skeleton->rest == NULL || bone >= skeleton->bone_count)
        return false;
    values_get(&value, &source, 0, bone);
    emberi_json_put_string(json, "stored", "at rest, in its parent's axes");
    put_transform(json, &value.transform, value.degrees);
    return true;
}

/* False where the clip does not move it. `bone` is the skeleton's. */
EXPORT(viewer_bone) bool viewer_bone(viewer *v, uint32_t frame, uint32_t bone)
{
    const document *d = &v->shown;
    uint32_t        index = 0;
    emberi_json_out json = viewer_answer(v);
    emberi_json_object(&json);
    bool moved =
        d->open && d->clip != NULL && frame < d->clip->frame_count && clip_bone(&index, d->clip, bone);
    if (moved) {
        values_source source = {d->model, d->clip, d->rom != NULL ? d->rom_bytes.data : d->in.bytes.data,
                                d->rom != NULL ? d->rom_bytes.size : d->in.bytes.size};
        values        value;
        values_get(&value, &source, frame, index);
        emberi_json_put_string(&json, "stored", value.stored);
        put_transform(&json, &value.transform, value.degrees);
    } else if (d->open && d->clip_count == 0) {
        moved = put_rest(&json, &d->model->skeleton, bone);
    }
    emberi_json_object_end(&json);
    return moved;
}

/* ---- errors ---- */

static void put_series(emberi_json_out *json, const char *key, const double *values, size_t count,
                       size_t stride)
{
    emberi_json_key(json, key);
    emberi_json_array(json);
    for (size_t i = 0; i < count; i++)
        emberi_json_number(json, values[i * stride]);
    emberi_json_array_end(json);
}

static double largest(const double *values, size_t count, size_t stride)
{
    double most = -1.0;
    for (size_t i = 0; i < count; i++)
        most = values[i * stride] > most ? values[i * stride] : most;
    return most;
}

/* Each frame's largest error, each bone's, and the marked bone's over time; metres. */
EXPORT(viewer_errors) void viewer_errors(viewer *v)
{
    const errors   *e = &v->errors;
    emberi_json_out json = viewer_answer(v);
    uint32_t        bones = v->shown.actor.bone_count;
    char            length[TEXT_NUMBER_SIZE];
    emberi_json_object(&json);
    if (e->by_bone != NULL) {
        double *frames = must_alloc(e->frame_count, sizeof(*frames)),
               *each = must_alloc(bones, sizeof(*each));
        for (uint32_t i = 0; i < e->frame_count; i++)
            frames[i] = largest(e->by_bone + (size_t)i * bones, bones, 1);
        for (uint32_t i = 0; i < bones; i++)
            each[i] = largest(e->by_bone + i, e->frame_count, bones);
        emberi_json_put_string(&json, "worst", text_length(length, e->worst));
        emberi_json_put_string(&json, "mean", text_length(length, e->mean));
        emberi_json_put_integer(&json, "worst_bone", e->worst_bone);
        emberi_json_put_integer(&json, "worst_frame", e->worst_frame);
        put_series(&json, "frames", frames, e->frame_count, 1);
        put_series(&json, "bones", each, bones, 1);
        if (v->marked >= 0 && (uint32_t)v->marked < bones) {
            emberi_json_put_string(&json, "marked_worst", text_length(length, each[v->marked]));
            put_series(&json, "marked", e->by_bone + v->marked, e->frame_count, bones);
        }
        free(frames);
        free(each);
    }
    emberi_json_object_end(&json);
}

/* ---- other formats ---- */

EXPORT(viewer_formats) void viewer_formats(viewer *v)
{
    emberi_json_out json = viewer_answer(v);
    emberi_json_array(&json);
    for (size_t i = 0; i < ember_format_count(); i++) {
        const ember_format_info *info = ember_format_at(i);
        emberi_json_object(&json);
        emberi_json_put_string(&json, "name", info->name);
        emberi_json_put_string(&json, "title", info->title);
        emberi_json_put_string(&json, "extensions", info->extensions);
        emberi_json_put_bool(&json, "reads", info->reads);
        emberi_json_put_bool(&json, "writes", info->writes);
        emberi_json_put_bool(&json, "one_clip", info->one_clip);
        emberi_json_object_end(&json);
    }
    emberi_json_array_end(&json);
}

/* The model that is written: of a ROM's clip only what the command takes out of it, which is its meshes and
   inverse binds only for a format with meshes. */
static ember_model convert_model(const document *d, const ember_format_info *to)
{
    ember_model model = *d->model;
    if (d->rom != NULL && !to->stores.meshes) {
        model.meshes = NULL;
        model.mesh_count = 0;
        model.skeleton.inverse_binds = NULL;
    }
    return model;
}

/* Curves have a rate of their own only once it is known where they go, FF7's clips are paired for glTF, and
   only glTF takes the rest of a document along: so the file is read once more. What is odd was said when it
   was opened, but a document that goes along has its own lines. */
static bool convert_read_again(const document *d, viewer *v, const ember_format_info *to, input *again)
{
    ember_ff7_options  ff7 = {.skeleton = d->ff7.skeleton, .pair = to->curves};
    ember_read_options reading = {.fps_else = to->default_fps, .ff7 = &ff7};
    ember_error        err = EMBER_ERROR_INIT;
    app_say            silent = {.quiet = true};
    if (d->helper.info != NULL)
        reading.skeleton = &d->helper.model.skeleton;
    else
        reading.carry = to->carries;
    *again = d->in;
    again->arena = ember_arena_growing(ember_heap(), 0);
    if (input_parse(again, &reading, reading.carry && d->in.info->carries ? &v->say : &silent, &err))
        return true;
    say_library(&v->say, d->in.name, &err);
    return false;
}

static bool convert_run(viewer *v, const ember_format_info *to, const ember_model *model, uint32_t clip,
                        const char *name)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    deliver      job = {.say = &v->say, .to = to};
    deliver_part part = {v->shown.in.name, model, must_alloc(model->clip_count, sizeof(*part.clips)), 0};
    for (uint32_t i = 0; i < model->clip_count; i++)
        if ((clip == UINT32_MAX || clip == i) && !deliver_is_slot(&model->clips[i], to))
            part.clips[part.count++] = i;
    bool done = deliver_make(&job, name, &part, &arena, &v->out);
    free(part.clips);
    ember_arena_free(&arena);
    return done;
}

/* All of a ROM's clips, where they are of one rig. */
static bool convert_rom(viewer *v, const ember_format_info *to, const char *name)
{
    const document  *d = &v->shown;
    ember_arena      arena = ember_arena_growing(ember_heap(), SIZE_MAX / 2);
    ember_rom_entry *entries = must_alloc(d->clip_count, sizeof(*entries));
    size_t           left = rom_input_limit(d->rom, 0);
    ember_model      model;
    bool             done = true;
    for (uint32_t i = 0; done && i < d->clip_count; i++)
        done = ember_rom_entry_at(&entries[i], d->rom, d->entries[i]);
    done = done &&
           rom_model_clips(&model, d->rom, entries, d->clip_count, &left, d->in.name, &v->say, &arena) &&
           (!to->stores.meshes ||
            rom_model_companions(&model, d->rom, entries[0].id, d->in.name, &v->say, &arena)) &&
           convert_run(v, to, &model, UINT32_MAX, name);
    free(entries);
    ember_arena_free(&arena);
    return done;
}

/* The clip (UINT32_MAX: all of them) as a file of the format, in `out`: the bytes that `ember convert`
   writes. `name` is the file's, for messages. */
EXPORT(viewer_convert) bool viewer_convert(viewer *v, const char *format, uint32_t clip, const char *name)
{
    const document          *d = &v->shown;
    const ember_format_info *to = ember_format_by_name(format);
    v->out.size = 0;
    if (!d->open || to == NULL || !to->writes)
        return false;
    if (d->rom != NULL && clip == UINT32_MAX && d->clip_count > 1)
        return convert_rom(v, to, name);
    if (d->rom != NULL) {
        /* What a ROM stores of a clip is a file of this format already. */
        if (to->format == d->model->format)
            return ember_buffer_append(&v->out, d->rom_bytes.data, d->rom_bytes.size);
        ember_model model = convert_model(d, to);
        return convert_run(v, to, &model, 0, name);
    }
    input again;
    bool  done = convert_read_again(d, v, to, &again);
    if (done) {
        ember_model model = again.model;
        const char *wanted = clip < d->clip_count ? d->in.model.clips[clip].name : NULL;
        for (uint32_t i = 0; wanted != NULL && i < model.clip_count; i++) /* pairing may have moved it */
            if (strcmp(model.clips[i].name, wanted) == 0) {
                clip = model.clip_count == d->clip_count ? clip : i;
                break;
            }
        deliver_note_left_out(&v->say, d->in.name, &model, to);
        done = convert_run(v, to, &model, clip, name);
    }
    ember_arena_free(&again.arena);
    return done;
}
