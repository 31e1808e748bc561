/* SPDX-License-Identifier: MIT */
/* Files as documents: read, given a skeleton where they lack one, one clip of them chosen. */
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ember/ff7.h"
#include "files/rom_input.h"
#include "files/rom_model.h"
#include "viewer.h"

static bool document_failed(const document *d, viewer *v, const ember_error *err)
{
    return say_library(&v->say, d->in.name, err), false;
}

void input_of_file(input *in, const viewer_file *file)
{
    memset(in, 0, sizeof(*in));
    in->path = in->name = file->name;
    in->bytes = (ember_buffer){.data = file->data, .size = file->size};
    in->arena = ember_arena_growing(ember_heap(), 0);
}

void document_close(document *d)
{
    actor_close(&d->actor);
    ember_rom_close(d->rom);
    ember_arena_free(&d->clip_arena);
    ember_buffer_free(&d->rom_bytes);
    bones_let_go(&d->in);
    bones_let_go(&d->helper);
    memset(d, 0, sizeof(*d));
}

/* ---- reading ---- */

static bool document_tell(document *d, viewer *v, const ember_read_options *reading)
{
    ember_error err = EMBER_ERROR_INIT;
    return input_tell(&d->in, reading, &err) || document_failed(d, v, &err);
}

/* A pack's skeleton has its name with other letters at the end: rtda and rtaa. */
static bool is_skeleton_of(const char *skeleton, const char *pack)
{
    return strlen(skeleton) == 4 && strlen(pack) == 4 && (skeleton[2] | 32) == 'a' &&
           (skeleton[3] | 32) == 'a' && (skeleton[0] | 32) == (pack[0] | 32) &&
           (skeleton[1] | 32) == (pack[1] | 32);
}

/* FF7's pack needs its skeleton before it is read. */
static void document_find_ff7(document *d, viewer *v, ember_read_options *reading)
{
    ember_ff7_skeleton *skeleton = EMBER_PUSH(&d->in.arena, ember_ff7_skeleton, 1);
    for (uint32_t i = 0; skeleton != NULL && i < v->file_count; i++) {
        const viewer_file *file = &v->files[i];
        if (!is_skeleton_of(file->name, d->in.path) ||
            ember_ff7_skeleton_read(skeleton, file->data, file->size, &d->in.arena, NULL) != EMBER_OK ||
            !bones_read(&d->helper, v, i))
            continue;
        reading->skeleton = &d->helper.model.skeleton;
        d->ff7.skeleton = skeleton;
        return;
    }
}

static bool document_read(document *d, viewer *v)
{
    ember_read_options reading = {.ff7 = &d->ff7};
    ember_error        err = EMBER_ERROR_INIT;
    if (!document_tell(d, v, &reading))
        return false;
    if (d->in.info->format == EMBER_FORMAT_FF7)
        document_find_ff7(d, v, &reading);
    if (!input_parse(&d->in, &reading, &v->say, &err))
        return document_failed(d, v, &err);
    d->poor_bones = d->in.model.skeleton.bone_count;
    d->poor = d->helper.info == NULL && d->poor_bones != 0 && !ember_skeleton_is_known(&d->in.model.skeleton);
    bones_take(d, v);
    d->clip_count = d->in.model.clip_count;
    if (d->in.model.skeleton.bone_count == 0 && d->in.model.mesh_count == 0)
        return say_error(&v->say, (place){d->in.name, NULL, NULL},
                         "there is nothing to see in it: no bones, no meshes"),
               false;
    return true;
}

static bool document_read_rom(document *d, viewer *v)
{
    ember_error err = EMBER_ERROR_INIT;
    if (ember_rom_open_memory(&d->rom, d->in.bytes.data, d->in.bytes.size, ember_heap(), &err) != EMBER_OK)
        return document_failed(d, v, &err);
    if (!rom_model_list(&d->names, &d->entries, &d->clip_count, d->rom, &d->in.arena))
        return say_error(&v->say, (place){d->in.name, NULL, NULL}, "out of memory"), false;
    if (d->clip_count == 0)
        return say_error(&v->say, (place){d->in.name, NULL, NULL}, "there are no clips in this ROM"), false;
    return true;
}

bool document_open(document *d, viewer *v, uint32_t file)
{
    document_close(d);
    d->file = file;
    input_of_file(&d->in, &v->files[file]);
    d->clip_arena = ember_arena_growing(ember_heap(), 0);
    d->rom_bytes.allocator = ember_heap();
    viewer_offer_files(v);
    d->open = rom_input_is(&d->in) ? document_read_rom(d, v) : document_read(d, v);
    if (d->open)
        d->open = document_select(d, v, 0);
    if (!d->open)
        document_close(d);
    return d->open;
}

/* ---- choosing ---- */

const char *document_clip_name(const document *d, uint32_t clip)
{
    return d->rom != NULL ? d->names[clip].name : d->in.model.clips[clip].name;
}

uint32_t document_chosen(const document *d)
{
    for (uint32_t i = 0; d->clip != NULL && i < d->clip_count; i++)
        if (document_clip_name(d, i) == d->clip->name)
            return i;
    return UINT32_MAX;
}

/* Meshes of the document itself, or of the one whose bones it has. */
static const ember_model *document_bodies(const document *d)
{
    if (d->model->mesh_count != 0)
        return d->model;
    if (d->helper.info != NULL && d->helper.model.mesh_count != 0 &&
        d->helper.model.skeleton.bone_count == d->model->skeleton.bone_count)
        return &d->helper.model;
    return NULL;
}

static bool document_take_rom_clip(document *d, viewer *v, uint32_t clip)
{
    ember_error     err = EMBER_ERROR_INIT;
    ember_rom_entry entry;
    ember_rom_clip  opened;
    ember_arena_free(&d->clip_arena);
    d->rom_bytes.size = 0;
    if (!rom_model_open(&d->rom_model, d->rom, d->entries[clip], 0, d->in.name, &v->say, &d->clip_arena,
                        &err) ||
        !ember_rom_entry_at(&entry, d->rom, d->entries[clip]) ||
        ember_rom_clip_open(&opened, d->rom, &entry, &err) != EMBER_OK ||
        ember_rom_clip_file(&d->rom_bytes, &opened, &err) != EMBER_OK)
        return document_failed(d, v, &err);
    return true;
}

bool document_select(document *d, viewer *v, uint32_t clip)
{
    actor_close(&d->actor);
    d->model = &d->in.model;
    d->clip = clip < d->clip_count && d->rom == NULL ? &d->in.model.clips[clip] : NULL;
    if (d->rom != NULL && clip < d->clip_count) {
        if (!document_take_rom_clip(d, v, clip))
            return false;
        d->model = &d->rom_model;
        d->clip = &d->rom_model.clips[0];
    }
    actor_open(&d->actor, d->model, d->clip, document_bodies(d));
    return true;
}
