/* SPDX-License-Identifier: MIT */
/* Clips: every animation sampled at a fixed rate. Each curve keeps its place from frame to frame, so that a
   clip costs its frames and its keys and nothing more. */
#include "format/gltf/gltf_carry.h"

#include <string.h>

/* An animation on its way to being a clip. */
typedef struct clip_job {
    gltf_doc       *doc;
    const gltf_rig *rig;
    uint32_t        animation;
    const char     *name;
    gltf_curve     *curves; /* only those that move the rig */
    uint32_t        curve_count;
    uint32_t (*by_node)[GLTF_PATH_COUNT]; /* the rig's node to its curves, or GLTF_NONE */
    uint8_t    *moves;                    /* the rig's node: its place changes with time */
    gltf_place *places;
    double      start, end; /* seconds */
    double      fps;
    uint32_t    frame_count;
    gltf_extras extras;
    double      shear; /* the worst that was left out, and where */
    uint32_t    shear_bone, shear_frame;
} clip_job;

/* ---- which curves ---- */

static ember_status clip_add_channel(clip_job *job, const gltf_list *samplers, const gltf_channel *channel,
                                     uint32_t index)
{
    gltf_doc  *doc = job->doc;
    gltf_where where = {GLTF_ANIMATIONS, job->animation, "channels", index};
    uint32_t  *slot = &job->by_node[job->rig->of_node[channel->node]][channel->path];
    if (channel->sampler >= samplers->count)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "sampler", "sampler %u of %u",
                                channel->sampler, samplers->count);
    if (*slot != GLTF_NONE)
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, job->name,
                     doc->nodes[channel->node].name, "two channels move the same: the later one counts");
    ember_status status =
        emberi_gltf_curve_make(doc, &job->curves[job->curve_count], job->animation, channel->sampler,
                               json_array_get(samplers->items, channel->sampler), channel->path);
    *slot = job->curve_count++;
    return status;
}

static ember_status clip_find_curves(clip_job *job)
{
    gltf_doc       *doc = job->doc;
    const gltf_rig *rig = job->rig;
    gltf_where      where = {GLTF_ANIMATIONS, job->animation, NULL, 0};
    const json_t   *object = emberi_gltf_item(doc, GLTF_ANIMATIONS, job->animation);
    gltf_list       channels, samplers;
    uint32_t        others = 0, elsewhere = 0;
    ember_status    status = emberi_gltf_get_list(doc, &channels, object, "channels", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_list(doc, &samplers, object, "samplers", where);
    if (status == EMBER_OK)
        status = GLTF_PUSH_PASS(doc, &job->curves, gltf_curve, channels.count);
    for (uint32_t i = 0; status == EMBER_OK && i < channels.count; i++) {
        gltf_channel channel;
        status =
            emberi_gltf_channel_read(doc, &channel, json_array_get(channels.items, i), job->animation, i);
        if (status != EMBER_OK)
            break;
        if (channel.path == GLTF_PATH_COUNT || channel.node == GLTF_NONE)
            others++;
        else if (rig->of_node[channel.node] == GLTF_NONE)
            elsewhere++;
        else
            status = clip_add_channel(job, &samplers, &channel, i);
    }
    if (others != 0)
        emberi_notef(&doc->source->options->notes, emberi_gltf_note_kind(doc), job->name, NULL,
                     "%u channel%s no node (weights, pointers) and %s ignored", others,
                     others == 1 ? " moves" : "s move", others == 1 ? "is" : "are");
    if (elsewhere != 0)
        emberi_notef(&doc->source->options->notes, emberi_gltf_note_kind(doc), job->name, NULL,
                     "%u channel%s that are neither bones nor above one, and %s ignored", elsewhere,
                     elsewhere == 1 ? " moves nodes" : "s move nodes", elsewhere == 1 ? "is" : "are");
    return status;
}

/* A curve that a later channel replaced is left out of everything. */
static bool curve_counts(const clip_job *job, uint32_t node, int path)
{
    return job->by_node[node][path] != GLTF_NONE;
}

/* ---- when ---- */

static bool shares_times(const clip_job *job, uint32_t curve)
{
    return curve != 0 && job->curves[curve].times.data == job->curves[curve - 1].times.data;
}

/* The times of all curves in one list; curves that share theirs in a row give them once. */
static ember_status clip_source_rate(clip_job *job)
{
    gltf_doc *doc = job->doc;
    size_t    count = 0, used = 0;
    double   *times;
    for (uint32_t i = 0; i < job->curve_count; i++)
        count += shares_times(job, i) ? 0 : job->curves[i].times.count;
    ember_status status = GLTF_PUSH_PASS(doc, &times, double, count);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; i < job->curve_count; i++) {
        for (uint32_t k = 0; !shares_times(job, i) && k < job->curves[i].times.count; k++)
            emberi_gltf_fetch(&times[used++], &job->curves[i].times, k);
    }
    job->fps = emberi_gltf_key_rate(times, count);
    bool curved = false;
    for (uint32_t i = 0; i < job->curve_count; i++)
        curved = curved || job->curves[i].mode == GLTF_CUBICSPLINE;
    if (job->fps > 0.0) {
        /* Straight lines between keys are kept by the keys alone; curves are not. */
        emberi_notef(&doc->source->options->notes, curved ? EMBER_NOTE_WARNING : EMBER_NOTE_DETAIL, job->name,
                     NULL, "keys at %.6g frames a second%s", job->fps,
                     curved ? ", with curves between them that this rate does not keep" : "");
    } else {
        job->fps = EMBER_DEFAULT_FPS;
        if (job->start < job->end)
            emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, job->name, NULL,
                         "its keys have no regular rate: sampled at %g frames a second", job->fps);
    }
    return EMBER_OK;
}

static emberi_place clip_place(const clip_job *job)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.clip = (int32_t)job->animation;
    place.clip_name = job->name;
    return place;
}

static ember_status clip_find_times(clip_job *job)
{
    const ember_read_options *options = job->doc->source->options;
    bool                      any = false;
    for (uint32_t i = 0; i < job->rig->node_count; i++) {
        for (int path = 0; path < GLTF_PATH_COUNT; path++) {
            if (!curve_counts(job, i, path))
                continue;
            const gltf_curve *curve = &job->curves[job->by_node[i][path]];
            job->start = !any || curve->first < job->start ? curve->first : job->start;
            job->end = !any || curve->last > job->end ? curve->last : job->end;
            any = true;
        }
    }
    double otherwise = options->fps_else > 0.0 ? options->fps_else : EMBER_DEFAULT_FPS;
    job->fps = options->fps > 0.0 ? options->fps : job->extras.fps > 0.0 ? job->extras.fps : otherwise;
    if (!any) {
        emberi_notef(&options->notes, EMBER_NOTE_WARNING, job->name, NULL,
                     "moves none of the bones: one frame of the rest pose");
        job->frame_count = 1;
        return EMBER_OK;
    }
    if (options->fps < 0.0 && job->extras.fps == 0.0) {
        ember_status status = clip_source_rate(job);
        if (status != EMBER_OK)
            return status;
    }
    ember_status cut = emberi_sampling_cut(job->doc->source, &job->start, &job->end, clip_place(job));
    if (cut != EMBER_OK)
        return cut;
    job->doc->starts[job->animation] = job->start;
    double frames = (job->end - job->start) * job->fps + 0.5;
    if (!(frames < EMBERI_FRAME_LIMIT))
        return emberi_fail_at(job->doc->source->err, EMBER_E_LIMIT, clip_place(job),
                              "%.10g frames (%g s), at most %u", __builtin_floor(frames + 0.5),
                              job->end - job->start, EMBERI_FRAME_LIMIT);
    job->frame_count = (uint32_t)frames + 1;
    return EMBER_OK;
}

/* Nodes above the bones take no room in the model, but time. */
static ember_status clip_pay(clip_job *job)
{
    size_t helpers = job->rig->node_count - job->rig->bone_count;
    bool   paid =
        emberi_source_take(job->doc->source, (size_t)job->frame_count * helpers, sizeof(ember_transform));
    return paid ? EMBER_OK : job->doc->source->err->status;
}

/* ---- sampling ---- */

static void clip_mark_moving(clip_job *job)
{
    for (uint32_t i = 0; i < job->rig->node_count; i++) {
        uint32_t parent = job->rig->nodes[i].parent;
        bool     carried = emberi_gltf_rig_above(job->rig, job->places, i) != NULL && job->moves[parent];
        job->moves[i] =
            carried || curve_counts(job, i, 0) || curve_counts(job, i, 1) || curve_counts(job, i, 2);
        job->places[i] = job->rig->rest[i];
    }
}

/* A node's own transform at a time: what its curves say, and its rest where it has none. */
static ember_status clip_sample_node(clip_job *job, gltf_place *own, uint32_t node, double time)
{
    const gltf_node *source = &job->doc->nodes[job->rig->nodes[node].node];
    double          *parts[GLTF_PATH_COUNT] = {own->trs.t, own->trs.r, own->trs.s};
    own->trs = source->trs;
    own->mat = source->mat;
    own->exact = source->exact;
    for (int path = 0; path < GLTF_PATH_COUNT; path++) {
        if (!curve_counts(job, node, path))
            continue;
        gltf_curve *curve = &job->curves[job->by_node[node][path]];
        own->exact = true;
        if (!emberi_gltf_curve_sample(parts[path], curve, time)) {
            gltf_where where = {GLTF_ANIMATIONS, job->animation, "samplers", curve->sampler};
            return emberi_gltf_fail(job->doc, EMBER_E_RANGE, where, "output",
                                    "the rotation of key %u or the next has no length", curve->key);
        }
    }
    return EMBER_OK;
}

static void place_keep_sign(real_trs *trs, const ember_transform *before)
{
    double last[4];
    emberi_real_quat_from(last, before->rotation);
    if (emberi_real_quat_dot(last, trs->r) >= 0.0)
        return;
    for (int i = 0; i < 4; i++)
        trs->r[i] = -trs->r[i];
}

/* `before` is the frame before this one, the rest pose for the first. */
static ember_status clip_sample_frame(clip_job *job, ember_transform *frame, const ember_transform *before,
                                      uint32_t index)
{
    const gltf_rig *rig = job->rig;
    double          time = job->start + index / job->fps, scale = emberi_gltf_scale(job->doc);
    if (time > job->end)
        time = job->end;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        uint32_t   bone = rig->nodes[i].bone;
        gltf_place own;
        if (!job->moves[i]) {
            if (bone != GLTF_NONE)
                frame[bone] = rig->skeleton.rest[bone];
            continue;
        }
        ember_status status = clip_sample_node(job, &own, i, time);
        if (status != EMBER_OK)
            return status;
        double shear = emberi_gltf_rig_place(&job->places[i], emberi_gltf_rig_above(rig, job->places, i),
                                             &own, bone != GLTF_NONE);
        if (bone == GLTF_NONE)
            continue;
        if (shear > job->shear) {
            job->shear = shear;
            job->shear_bone = bone;
            job->shear_frame = index;
        }
        place_keep_sign(&job->places[i].trs, &before[bone]);
        if (!emberi_gltf_store(&frame[bone], &job->places[i].trs, scale)) {
            emberi_place where = clip_place(job);
            where.bone = (int32_t)bone;
            where.bone_name = ember_skeleton_name(&rig->skeleton, bone);
            where.frame = (int32_t)index;
            return emberi_fail_at(job->doc->source->err, EMBER_E_RANGE, where,
                                  "a number is not finite or too large for a float");
        }
    }
    return EMBER_OK;
}

/* ---- clips ---- */

static ember_status clip_sample(clip_job *job, ember_clip *clip)
{
    uint32_t         bones = job->rig->bone_count;
    ember_transform *frames;
    ember_status     status =
        GLTF_PUSH_MODEL(job->doc, &frames, ember_transform, (size_t)job->frame_count * bones);
    if (status != EMBER_OK)
        return status;
    clip_mark_moving(job);
    for (uint32_t i = 0; status == EMBER_OK && i < job->frame_count; i++) {
        ember_transform *frame = frames + (size_t)i * bones;
        status = clip_sample_frame(job, frame, i != 0 ? frame - bones : job->rig->skeleton.rest, i);
    }
    if (status != EMBER_OK)
        return status;
    if (job->shear > 0.01)
        emberi_notef(&job->doc->source->options->notes, EMBER_NOTE_WARNING, job->name,
                     ember_skeleton_name(&job->rig->skeleton, job->shear_bone),
                     "sheared by %.1f %% in frame %u: the nearest rotation and scale are taken",
                     job->shear * 100.0, job->shear_frame);
    /* A clip that was written as a loop lacks that frame already. */
    if (!job->extras.loop)
        job->frame_count =
            emberi_sampling_close_loop(job->doc->source, job->name, frames, job->frame_count, bones);
    clip->fps = job->fps;
    clip->loop = job->doc->source->options->loop;
    clip->frame_count = job->frame_count;
    clip->frames = frames;
    return emberi_gltf_extras_apply(job->doc, clip, &job->extras, job->rig, frames);
}

/* The animation's name; the file's where there is but one animation and it has none. */
static ember_status clip_read_name(gltf_doc *doc, ember_clip *clip, uint32_t animation)
{
    const char  *name;
    gltf_where   where = {GLTF_ANIMATIONS, animation, NULL, 0};
    ember_status status =
        emberi_gltf_get_text(doc, &name, emberi_gltf_item(doc, GLTF_ANIMATIONS, animation), "name", where);
    if (status != EMBER_OK)
        return status;
    if (name == NULL && doc->lists[GLTF_ANIMATIONS].count == 1)
        clip->name = emberi_name_from_path(doc->source->arena, doc->source->options->path);
    else
        clip->name =
            emberi_copy_name(doc->source->arena, name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    return clip->name != NULL ? EMBER_OK : emberi_fail_memory(doc->source->err);
}

static ember_status clip_read(gltf_doc *doc, const gltf_rig *rig, ember_clip *clip, uint32_t animation)
{
    clip_job job = {.doc = doc, .rig = rig, .animation = animation, .name = clip->name};
    emberi_gltf_extras_read(&job.extras, doc, animation);
    ember_status status = GLTF_PUSH_PASS(doc, &job.by_node, uint32_t[GLTF_PATH_COUNT], rig->node_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_PASS(doc, &job.moves, uint8_t, rig->node_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_PASS(doc, &job.places, gltf_place, rig->node_count);
    if (status != EMBER_OK)
        return status;
    memset(job.by_node, 0xff, rig->node_count * sizeof(job.by_node[0]));
    status = clip_find_curves(&job);
    if (status == EMBER_OK)
        status = clip_find_times(&job);
    if (status == EMBER_OK)
        status = clip_pay(&job);
    return status == EMBER_OK ? clip_sample(&job, clip) : status;
}

ember_status emberi_gltf_clips_read(gltf_doc *doc, ember_model *model, const gltf_rig *rig)
{
    const ember_read_options *options = doc->source->options;
    uint32_t                  count = doc->lists[GLTF_ANIMATIONS].count;
    ember_clip               *clips;
    ember_status              status = emberi_sampling_check(doc->source);
    if (count != 0 && rig->bone_count == 0) {
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "no animation moves a node: there are no clips");
        count = 0;
    }
    if (status == EMBER_OK)
        status = GLTF_PUSH_MODEL(doc, &clips, ember_clip, count);
    for (uint32_t i = 0; status == EMBER_OK && i < count; i++) {
        clips[i].space = EMBER_SPACE_LOCAL;
        clips[i].bone_count = rig->bone_count;
        status = clip_read_name(doc, &clips[i], i);
    }
    if (status != EMBER_OK)
        return status;
    model->clips = clips;
    model->clip_count = count;
    for (uint32_t i = 0; status == EMBER_OK && i < count; i++) {
        ember_arena_mark mark = ember_arena_save(&doc->pass);
        if (options->wants == NULL || options->wants(options->wants_user, model, i))
            status = clip_read(doc, rig, &clips[i], i);
        ember_arena_restore(&doc->pass, mark);
    }
    return status;
}
