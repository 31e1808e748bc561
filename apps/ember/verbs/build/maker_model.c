/* SPDX-License-Identifier: MIT */
/* Models that artists make, exported as `ember export` does it: read with the skeleton that belongs to them,
   once for each rate that their clips want. */
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "files/ff7_options.h"
#include "verbs/build/maker.h"

static bool maker_match(maker *m, input *in)
{
    ember_error  err = EMBER_ERROR_INIT;
    say_listener listener = {.say = &m->say, .file = NULL, .one_clip = false};
    ember_notes  notes = say_notes(&listener);
    if (ember_model_match(&in->model, &in->model, &m->skeleton.model.skeleton, &notes, &in->arena, &err) ==
        EMBER_OK)
        return true;
    say_library(&m->say, NULL, &err);
    return false;
}

static bool maker_parse(maker *m, maker_reading *reading)
{
    input              *in = &reading->in;
    const build_choice *choice = &m->file->choice;
    ember_error         err = EMBER_ERROR_INIT;
    ember_read_options  options = {.scale = choice->scale,
                                   .skin = choice->skin,
                                   .loop = reading->loop,
                                   .space = choice->space,
                                   .memory_limit = m->job->memory_limit};
    in->path = in->name = m->file->full;
    in->bytes = *m->bytes; /* lent */
    in->arena = ember_arena_growing(ember_heap(), 0);
    if (!input_tell(in, &options, &err))
        return say_library(&m->say, NULL, &err), false;
    options.fps = in->info->curves ? reading->rate : 0.0;
    /* Without names there is nothing to match: their bones are the skeleton's, by number. */
    bool              numbered = !in->info->stores.names;
    ember_ff7_options ff7 = {.skeleton = m->ff7.bone_count != 0 ? &m->ff7 : NULL};
    options.ff7 = &ff7;
    ember_fbx_options fbx = {.take = choice->take};
    options.fbx = &fbx;
    if (!input_takes_take(in, &options, &m->say))
        return false;
    if (numbered && m->skeleton.info != NULL)
        options.skeleton = &m->skeleton.model.skeleton;
    /* What the first reading had to say need not be said again. */
    app_say silent = {.quiet = true};
    if (!input_parse(in, &options, m->reading_count == 1 ? &m->say : &silent, &err))
        return say_library(&m->say, NULL, &err), false;
    if (!numbered && m->skeleton.info != NULL)
        return maker_match(m, in);
    return true;
}

const input *maker_read(maker *m, double rate, bool loop)
{
    for (size_t i = 0; i < m->reading_count; i++)
        if (m->readings[i].rate == rate && m->readings[i].loop == loop)
            return &m->readings[i].in;
    m->readings = must_grow(m->readings, m->reading_count, sizeof(*m->readings));
    maker_reading *reading = &m->readings[m->reading_count++];
    *reading = (maker_reading){.rate = rate, .loop = loop};
    return maker_parse(m, reading) ? &reading->in : NULL;
}

/* What the reader says of a skeleton's file goes with that file's name, not with the clip's. */
static void maker_skeleton_note(void *user, const ember_note *note)
{
    maker *m = user;
    if (note->kind == EMBER_NOTE_WARNING)
        say_warning(&m->say, maker_nowhere, "its skeleton %s: %s", m->file->choice.skeleton, note->text);
}

bool maker_open_skeleton(maker *m)
{
    const char        *path = m->file->choice.skeleton;
    ember_read_options plain = {.memory_limit = m->job->memory_limit,
                                .skip_meshes = true,
                                .skip_clips = true};
    ember_error        err = EMBER_ERROR_INIT;
    if (path == NULL)
        return true;
    app_say silent = {.quiet = true};
    char   *full = text_make("%s/%s", m->job->folder, path);
    plain.notes = (ember_notes){maker_skeleton_note, m};
    bool good = input_read(&m->skeleton, full, &plain, &silent, &err);
    if (!good)
        say_error(&m->say, maker_nowhere, "its skeleton %s: %s", path, emberi_error_line_of(&err).text);
    else if (m->skeleton.model.skeleton.bone_count == 0)
        good =
            say_error(&m->say, maker_nowhere, "its skeleton %s: there are no bones in it", path) == EXIT_DONE;
    else if (!ff7_skeleton_of(&m->ff7, &m->skeleton, &m->arena, &err))
        good = say_error(&m->say, maker_nowhere, "its skeleton %s: %s", path,
                         emberi_error_line_of(&err).text) == EXIT_DONE;
    m->skeleton.path = m->skeleton.name = NULL;
    free(full);
    return good;
}

/* Whether nothing in the file needs a skeleton: all meshes follow single bones or stand still, which takes no
   inverse binds, and no clip has to be composed by the game. Parents, names and rest are with the clips. */
static bool maker_is_rigid(const maker *m, const ember_model *model)
{
    bool rigid = false, skinned = false;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        skinned = skinned || model->meshes[i].joints != NULL;
        rigid = rigid || model->meshes[i].bone >= 0;
    }
    return rigid && !skinned && !m->local && model->clip_count != 0 && !m->file->choice.no_clips &&
           !m->file->choice.no_meshes && !m->file->choice.wants_skeleton;
}

static void maker_skeleton(maker *m, const ember_model *model)
{
    ember_model     bones = {.format = model->format, .skeleton = model->skeleton};
    ember_rom_asset asset = {.kind = EMBER_ROM_SKELETON, .id = m->id};
    /* A file that lies beside becomes assets itself, its bones among them; Final Fantasy VII's does not. */
    if (m->file->beside != NULL && m->ff7.bone_count == 0)
        return;
    if (m->file->choice.no_skeleton || model->skeleton.bone_count == 0 ||
        !ember_skeleton_is_known(&model->skeleton) || maker_is_rigid(m, model))
        return;
    if (maker_write(m, &asset, &bones, EMBER_FIT_CLOSED, NULL))
        maker_add(m, asset, NULL, 0);
}

void maker_model(maker *m)
{
    const build_choice *choice = &m->file->choice;
    const input        *in = maker_open_skeleton(m) ? maker_read(m, choice->rate, choice->loop == 1) : NULL;
    if (in == NULL)
        return;
    input base = *in; /* further readings may move it */
    if (base.model.skeleton.bone_count > EMBER_MAX_BONES) {
        say_error(&m->say, maker_nowhere, "%u bones, at most %u are possible",
                  (unsigned)base.model.skeleton.bone_count, EMBER_MAX_BONES);
        return;
    }
    maker_meshes(m, &base.model);
    maker_clips(m, &base);
    maker_skeleton(m, &base.model);
    if (m->count == 0 && !m->file->failed)
        say_warning(&m->say, maker_nowhere, "there is nothing in it for a ROM");
}
