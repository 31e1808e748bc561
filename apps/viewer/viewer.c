/* SPDX-License-Identifier: MIT */
/* The viewer's life, the files it was handed, and what it says of them. */
#include "viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "exports.h"

/* ---- words ---- */

/* As the command prints it, without its name in front. */
static void viewer_take(void *user, say_level level, place where, const char *text)
{
    static const char *const levels[] = {"error", "warning", "note", "detail"};
    viewer                  *v = user;
    emberi_json_out          json = {.buffer = &v->messages, .compact = true};
    const char              *parts[3] = {where.file, where.clip, where.bone};
    char                    *line = text_make("%s", "");
    for (int i = 0; i < 3; i++) {
        if (parts[i] == NULL || parts[i][0] == '\0')
            continue;
        char *escaped = text_escape(parts[i]),
             *longer = text_make("%s%s%s", line, line[0] != '\0' ? ":" : "", escaped);
        free(escaped);
        free(line);
        line = longer;
    }
    char *whole = text_make("%s%s%s%s", line, line[0] != '\0' ? ": " : "",
                            level == SAY_WARNING ? "warning: " : "", text);
    emberi_json_object(&json);
    emberi_json_put_string(&json, "level", levels[level]);
    emberi_json_put_string(&json, "text", whole);
    emberi_json_object_end(&json);
    (void)ember_buffer_append(&v->messages, ",", 1);
    free(whole);
    free(line);
}

emberi_json_out viewer_answer(viewer *v)
{
    v->out.size = 0;
    return (emberi_json_out){.buffer = &v->out, .compact = true};
}

EXPORT(viewer_messages) void viewer_messages(viewer *v)
{
    v->out.size = 0;
    (void)ember_buffer_append(&v->out, "[", 1);
    if (v->messages.size != 0)
        (void)ember_buffer_append(&v->out, v->messages.data, v->messages.size - 1);
    (void)ember_buffer_append(&v->out, "]", 1);
    v->messages.size = 0;
}

EXPORT(viewer_out_data) const uint8_t *viewer_out_data(const viewer *v) { return v->out.data; }
EXPORT(viewer_out_size) uint32_t viewer_out_size(const viewer *v) { return (uint32_t)v->out.size; }

/* ---- life ---- */

EXPORT(viewer_alloc) void *viewer_alloc(uint32_t size)
{
    return size < UINT32_MAX - 32 ? aligned_alloc(16, (size + 31u) / 16u * 16u) : NULL;
}

EXPORT(viewer_free) void viewer_free(void *memory) { free(memory); }

EXPORT(viewer_create) viewer *viewer_create(uint32_t width, uint32_t height)
{
    viewer *v = must_alloc(1, sizeof(*v));
    v->say = (app_say){.take = viewer_take, .user = v};
    v->messages.allocator = v->out.allocator = ember_heap();
    v->width = width;
    v->height = height;
    v->background = STAGE_BACKGROUND;
    v->flags = SHOW_MESH;
    v->marked = -1;
    v->camera =
        (camera){.turn = 30.0 * 0.017453292519943295, .pitch = 14.0 * 0.017453292519943295, .margin = 0.05};
    return v;
}

/* Both are from viewer_alloc, and are the viewer's then. A file of the same name is replaced. Those of one
   batch were opened together. Gives its number. */
EXPORT(viewer_add_file)
uint32_t viewer_add_file(viewer *v, char *name, uint8_t *data, uint32_t size, uint32_t batch)
{
    const viewer_file file = {.name = name,
                              .data = data,
                              .size = size,
                              .batch = batch,
                              .order = v->file_order++,
                              .bones = BONES_AUTO,
                              .lent = UINT32_MAX};
    for (uint32_t i = 0; i < v->file_count; i++)
        if (strcmp(v->files[i].name, name) == 0) {
            /* Whatever points into the old bytes goes with them. */
            if (v->reference.open && (v->reference.file == i || v->reference.helper.path == v->files[i].name))
                document_close(&v->reference);
            if (v->shown.open && (v->shown.file == i || v->shown.helper.path == v->files[i].name))
                viewer_close(v);
            free(v->files[i].name);
            free(v->files[i].data);
            v->files[i] = file;
            return i;
        }
    v->files = must_resize(v->files, v->file_count + 1, sizeof(*v->files));
    v->files[v->file_count] = file;
    return v->file_count++;
}

EXPORT(viewer_close) void viewer_close(viewer *v)
{
    if (v->stage.renderer != NULL)
        (void)stage_clear(&v->stage);
    v->staged = v->framed = false;
    memset(&v->body, 0, sizeof(v->body));
    actor_close(&v->rest);
    document_close(&v->shown);
    free(v->errors.by_bone);
    memset(&v->errors, 0, sizeof(v->errors));
}

/* ---- what is open ---- */

static void describe_clip(emberi_json_out *json, const ember_clip *clip)
{
    emberi_json_key(json, "clip");
    emberi_json_object(json);
    emberi_json_put_string(json, "name", clip->name);
    emberi_json_put_number(json, "frames", clip->frame_count);
    emberi_json_put_number(json, "bones", clip->bone_count);
    emberi_json_put_number(json, "fps", ember_clip_fps(clip));
    emberi_json_put_bool(json, "rated", clip->fps > 0.0);
    emberi_json_put_bool(json, "loop", clip->loop);
    emberi_json_put_string(json, "space", clip->space == EMBER_SPACE_LOCAL ? "local" : "model");
    emberi_json_key(json, "markers");
    emberi_json_array(json);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        emberi_json_object(json);
        emberi_json_put_string(json, "name", clip->markers[i].name);
        emberi_json_put_number(json, "frame", clip->markers[i].frame);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
    emberi_json_object_end(json);
}

static void describe_clips(emberi_json_out *json, const document *d)
{
    emberi_json_key(json, "clips");
    emberi_json_array(json);
    for (uint32_t i = 0; i < d->clip_count; i++) {
        emberi_json_object(json);
        emberi_json_put_string(json, "name", document_clip_name(d, i));
        uint32_t        frames = d->rom == NULL ? d->in.model.clips[i].frame_count : 0;
        ember_rom_entry entry;
        ember_rom_clip  clip;
        if (d->rom != NULL && ember_rom_entry_at(&entry, d->rom, d->entries[i]) &&
            ember_rom_clip_open(&clip, d->rom, &entry, NULL) == EMBER_OK)
            frames = clip.frame_count;
        emberi_json_put_number(json, "frames", frames);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

static void describe_bones(emberi_json_out *json, const document *d)
{
    const ember_skeleton *skeleton = &d->model->skeleton;
    emberi_json_key(json, "bones");
    emberi_json_array(json);
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        emberi_json_object(json);
        if (name != NULL)
            emberi_json_put_string(json, "name", name);
        emberi_json_put_number(json, "parent", skeleton->parents[i]);
        emberi_json_object_end(json);
    }
    emberi_json_array_end(json);
}

/* Where its bones come from, and where else they could. */
static void describe_lenders(emberi_json_out *json, viewer *v)
{
    const document *d = &v->shown;
    uint32_t        chosen = v->files[d->file].bones;
    if (d->helper.info != NULL)
        emberi_json_put_string(json, "helper", d->helper.name);
    if (!d->poor)
        return;
    emberi_json_key(json, "lenders");
    emberi_json_object(json);
    emberi_json_put_string(json, "chosen",
                           chosen == BONES_AUTO   ? "auto"
                           : chosen == BONES_NONE ? "none"
                                                  : v->files[chosen].name);
    emberi_json_key(json, "files");
    emberi_json_array(json);
    for (uint32_t i = 0; i < v->file_count; i++)
        if (bones_offered(d, v, i))
            emberi_json_integer(json, i);
    emberi_json_array_end(json);
    emberi_json_object_end(json);
}

static double describe_records(const document *d)
{
    double records = 0.0;
    for (uint32_t i = 0; i < d->in.model.clip_count; i++)
        records += (double)d->in.model.clips[i].bone_count * (double)d->in.model.clips[i].frame_count;
    return records;
}

EXPORT(viewer_describe) void viewer_describe(viewer *v)
{
    const document *d = &v->shown;
    emberi_json_out json = viewer_answer(v);
    emberi_json_object(&json);
    emberi_json_put_bool(&json, "open", d->open);
    if (d->open) {
        emberi_json_put_string(&json, "name", d->in.name);
        emberi_json_put_string(&json, "format", d->rom != NULL ? "ewz" : d->in.info->name);
        emberi_json_put_string(&json, "title", d->rom != NULL ? "Emberware Z ROM" : d->in.info->title);
        emberi_json_put_number(&json, "size", (double)d->in.bytes.size);
        emberi_json_put_number(&json, "records", describe_records(d));
        emberi_json_put_number(&json, "meshes", d->actor.bodies != NULL ? d->actor.bodies->mesh_count : 0);
        emberi_json_put_bool(&json, "rest",
                             d->model->skeleton.rest != NULL || d->model->skeleton.inverse_binds != NULL);
        describe_lenders(&json, v);
        emberi_json_put_number(&json, "chosen", document_chosen(d) == UINT32_MAX ? -1.0 : document_chosen(d));
        if (d->clip != NULL)
            describe_clip(&json, d->clip);
        describe_clips(&json, d);
        describe_bones(&json, d);
    }
    if (v->reference.open)
        emberi_json_put_string(&json, "reference", v->reference.in.name);
    emberi_json_object_end(&json);
}

/* ---- the reference ---- */

/* Its clip of the shown one's name, or of its number, or the first. */
EXPORT(viewer_compare) bool viewer_compare(viewer *v)
{
    ember_error err = EMBER_ERROR_INIT;
    free(v->errors.by_bone);
    memset(&v->errors, 0, sizeof(v->errors));
    if (!v->reference.open || !v->shown.open || v->shown.clip == NULL || v->shown.clip->frame_count == 0)
        return false;
    uint32_t match = 0;
    for (uint32_t i = v->reference.clip_count; i-- > 0;)
        if (strcmp(document_clip_name(&v->reference, i), v->shown.clip->name) == 0)
            match = i;
    if (!document_select(&v->reference, v, match))
        return false;
    if (v->reference.clip == NULL || v->reference.clip->frame_count == 0)
        return say_error(&v->say, (place){v->reference.in.name, NULL, NULL}, "there are no clips in it"),
               false;
    bool done = errors_make(&v->errors, &v->reference.actor, &v->shown.actor, &err);
    if (!done) {
        say_error(&v->say, (place){v->shown.in.name, v->shown.clip->name, NULL},
                  "cannot be compared with %s: %s", v->reference.in.name, emberi_error_line_of(&err).text);
        free(v->errors.by_bone);
        memset(&v->errors, 0, sizeof(v->errors));
    }
    return done;
}

/* With other bones, the same clip of it and the same bone. */
static bool viewer_open_again(viewer *v)
{
    uint32_t chosen = document_chosen(&v->shown);
    int32_t  marked = v->marked;
    if (!viewer_open(v, v->shown.file))
        return false;
    v->marked = marked >= 0 && (uint32_t)marked < v->shown.actor.bone_count ? marked : -1;
    return chosen == UINT32_MAX || chosen == 0 || viewer_select(v, chosen);
}

/* UINT32_MAX: none any more. */
EXPORT(viewer_set_reference) bool viewer_set_reference(viewer *v, uint32_t file)
{
    document_close(&v->reference);
    free(v->errors.by_bone);
    memset(&v->errors, 0, sizeof(v->errors));
    if (file >= v->file_count)
        return true;
    if (!document_open(&v->reference, v, file))
        return false;
    /* What is held against a file is most likely of its bones. */
    if (v->shown.open && v->shown.poor) {
        v->files[v->shown.file].lent = file;
        if (bones_wanted(&v->shown, v) != v->shown.helper_file)
            return viewer_open_again(v) && v->errors.by_bone != NULL;
    }
    return viewer_compare(v);
}

/* The file whose bones the shown one is to have; BONES_AUTO, BONES_NONE. */
EXPORT(viewer_set_bones) bool viewer_set_bones(viewer *v, uint32_t file)
{
    if (!v->shown.open || !v->shown.poor || (file < BONES_AUTO && !bones_offered(&v->shown, v, file)))
        return false;
    v->files[v->shown.file].bones = file;
    return viewer_open_again(v);
}
