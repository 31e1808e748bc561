/* SPDX-License-Identifier: MIT */
/* Clips: every take that moves something, sampled at a fixed rate at whole ticks. Curves are read for one
   clip at a time; angles are evaluated as curves and become quaternions afterwards. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

/* A take on its way to being a clip. */
typedef struct clip_job {
    fbx_scene      *scene;
    const fbx_take *take;
    const char     *name;
    uint32_t        index;
    fbx_curve      *curves;  /* three for each channel */
    fbx_curve      *weights; /* one for each layer */
    fbx_known       known;
    uint32_t        damaged;
    bool            goes_on;     /* some curve does, beyond its keys */
    bool            any;         /* has keys */
    int64_t         first, last; /* keys */
    int64_t         start, end;  /* ticks */
    double          fps;
    uint32_t        frame_count;
    fbx_place      *places;
    double          shear; /* the worst that was left out, and where */
    uint32_t        shear_bone, shear_frame;
    uint32_t        lost, lost_bone;
} clip_job;

static emberi_place clip_place(const clip_job *job)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.clip = (int32_t)job->index;
    place.clip_name = job->name;
    return place;
}

/* ---- curves ---- */

static void clip_see_keys(clip_job *job, const fbx_curve *curve)
{
    if (curve->key_count == 0)
        return;
    int64_t first = curve->times[0], last = curve->times[curve->key_count - 1];
    job->first = !job->any || first < job->first ? first : job->first;
    job->last = !job->any || last > job->last ? last : job->last;
    job->any = true;
    job->goes_on = job->goes_on || emberi_fbx_curve_goes_on(curve);
}

/* Keys of nodes that are no bones count for the length only. */
static ember_status clip_read_curve(clip_job *job, fbx_curve *out, uint32_t record, bool keep)
{
    fbx_file        *file = &job->scene->doc->file;
    ember_arena_mark mark = ember_arena_save(&file->pass);
    bool             damaged = false;
    ember_status status = keep ? emberi_fbx_curve_read(job->scene->doc, out, record, &job->known, &damaged)
                               : emberi_fbx_curve_times(job->scene->doc, out, record, &damaged);
    if (status != EMBER_OK)
        return status;
    job->damaged += damaged ? 1u : 0u;
    clip_see_keys(job, out);
    if (!keep) {
        ember_arena_restore(&file->pass, mark);
        out->key_count = 0;
    }
    return EMBER_OK;
}

static ember_status clip_read_curves(clip_job *job)
{
    const fbx_take *take = job->take;
    fbx_file       *file = &job->scene->doc->file;
    EMBERI_TRY(FBX_PUSH(file, &job->curves, &file->pass, fbx_curve, (size_t)take->channel_count * 3));
    EMBERI_TRY(FBX_PUSH(file, &job->weights, &file->pass, fbx_curve, take->layer_count));
    for (uint32_t i = 0; i < take->channel_count; i++) {
        const fbx_channel *channel = &take->channels[i];
        for (uint32_t k = 0; k < 3; k++)
            if (channel->curves[k] != FBX_NONE)
                EMBERI_TRY(clip_read_curve(job, &job->curves[3 * i + k], channel->curves[k],
                                           job->scene->nodes[channel->node].counts));
    }
    for (uint32_t i = 0; i < take->layer_count; i++) {
        bool damaged;
        if (take->layers[i].weight_curve != FBX_NONE)
            EMBERI_TRY(emberi_fbx_curve_read(job->scene->doc, &job->weights[i], take->layers[i].weight_curve,
                                             NULL, &damaged));
    }
    return EMBER_OK;
}

/* ---- when ---- */

/* Keys outside of the span bend the curves inside and are no frames. That is usual where the span is a
   part of the keys; where both go beyond each other somebody may miss something. Some exporters end a
   hair too early. */
static void clip_note_cut(const clip_job *job)
{
    double ticks = (double)job->scene->doc->ticks;
    double early = (double)(job->start - job->first) / ticks, late = (double)(job->last - job->end) / ticks;
    bool   within = job->take->start >= job->first && job->take->stop <= job->last;
    if (early > 0.01 || late > 0.01)
        emberi_notef(emberi_fbx_notes(job->scene->doc), within ? EMBER_NOTE_DETAIL : EMBER_NOTE_WARNING,
                     job->name, NULL,
                     "the take is %g to %g s, its keys are %g to %g s: those outside of it are left out",
                     (double)job->start / ticks, (double)job->end / ticks, (double)job->first / ticks,
                     (double)job->last / ticks);
}

/* The take's span cut to its keys; all of it where curves go on beyond them. */
static void clip_span(clip_job *job)
{
    const fbx_take *take = job->take;
    job->start = job->first;
    job->end = job->last;
    if (!take->has_span)
        return;
    if (job->goes_on) {
        job->start = take->start;
        job->end = take->stop;
    } else if (take->start <= job->last && take->stop >= job->first) {
        job->start = take->start > job->first ? take->start : job->first;
        job->end = take->stop < job->last ? take->stop : job->last;
        clip_note_cut(job);
    } else {
        emberi_notef(emberi_fbx_notes(job->scene->doc), EMBER_NOTE_WARNING, job->name, NULL,
                     "none of its keys is inside of the take's span: the keys count");
    }
}

static ember_status clip_find_times(clip_job *job)
{
    const fbx_document       *doc = job->scene->doc;
    const ember_read_options *options = doc->file.source->options;
    double                    ticks = (double)doc->ticks, otherwise = EMBER_DEFAULT_FPS;
    clip_span(job);
    double start = (double)job->start / ticks, end = (double)job->end / ticks, first = start, last = end;
    if (options->fps_else > 0.0)
        otherwise = options->fps_else;
    job->fps = options->fps > 0.0 ? options->fps : options->fps < 0.0 ? job->scene->settings.fps : otherwise;
    EMBERI_TRY(emberi_sampling_cut(doc->file.source, &start, &end, clip_place(job)));
    double frames = (end - start) * job->fps + 0.5;
    if (!(frames < EMBERI_FRAME_LIMIT))
        return emberi_fail_at(doc->file.source->err, EMBER_E_LIMIT, clip_place(job),
                              "%.10g frames (%g s), at most %u", __builtin_floor(frames + 0.5), end - start,
                              EMBERI_FRAME_LIMIT);
    job->frame_count = (uint32_t)frames + 1;
    job->start += emberi_fbx_to_whole((start - first) * ticks + 0.5);
    job->end -= emberi_fbx_to_whole((last - end) * ticks + 0.5);
    return EMBER_OK;
}

/* ---- sampling ---- */

static double layer_weight(clip_job *job, uint32_t layer, int64_t time)
{
    double weight = job->take->layers[layer].weight;
    if (job->weights[layer].key_count != 0)
        weight = emberi_fbx_curve_sample(&job->weights[layer], time) / 100.0;
    return weight < 0.0 ? 0.0 : weight > 0.99999 ? 1.0 : weight;
}

/* A node's three values; *channel is the first one that may be the node's, and goes on. */
static void clip_sample_node(clip_job *job, double own[FBX_PATH_COUNT][3], uint32_t node, uint32_t *channel,
                             int64_t time)
{
    const fbx_take *take = job->take;
    memcpy(own, job->scene->nodes[node].own, sizeof(job->scene->nodes[node].own));
    while (*channel < take->channel_count && take->channels[*channel].node < node)
        ++*channel;
    for (; *channel < take->channel_count && take->channels[*channel].node == node; ++*channel) {
        const fbx_channel *c = &take->channels[*channel];
        double             value[3];
        for (uint32_t k = 0; k < 3; k++) {
            fbx_curve *curve = &job->curves[3 * *channel + k];
            value[k] = curve->key_count != 0 ? emberi_fbx_curve_sample(curve, time) : c->defaults[k];
        }
        if (c->layer == 0)
            memcpy(own[c->path], value, sizeof(value));
        else
            emberi_fbx_layer_blend(own[c->path], value, &take->layers[c->layer],
                                   layer_weight(job, c->layer, time), c->path, job->scene->nodes[node].order);
    }
}

static void clip_note_bone(clip_job *job, const fbx_place *place, uint32_t bone, uint32_t frame)
{
    if (place->shear > job->shear) {
        job->shear = place->shear;
        job->shear_bone = bone;
        job->shear_frame = frame;
    }
    if (place->lost && job->lost++ == 0)
        job->lost_bone = bone;
}

/* q or -q, whichever is nearer to the frame before. */
static void keep_sign(ember_transform *pose, const ember_transform *before)
{
    ember_quat *q = &pose->rotation;
    ember_quat  p = before->rotation;
    if (q->x * p.x + q->y * p.y + q->z * p.z + q->w * p.w < 0.0f)
        *q = (ember_quat){-q->x, -q->y, -q->z, -q->w};
}

static ember_status clip_sample_frame(clip_job *job, ember_transform *frame, const ember_transform *before,
                                      uint32_t index)
{
    fbx_scene *scene = job->scene;
    double     ticks = (double)scene->doc->ticks;
    int64_t    time = job->start + emberi_fbx_to_whole((double)index / job->fps * ticks + 0.5);
    uint32_t   channel = 0;
    if (time > job->end)
        time = job->end;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        double   own[FBX_PATH_COUNT][3];
        uint32_t bone = scene->nodes[i].bone;
        if (!scene->nodes[i].counts)
            continue;
        clip_sample_node(job, own, i, &channel, time);
        emberi_fbx_place(job->places, scene, i, own);
        if (bone == FBX_NONE)
            continue;
        if (!emberi_fbx_store(&frame[bone], &job->places[i].trs)) {
            emberi_place where = clip_place(job);
            where.bone = (int32_t)bone;
            where.bone_name = ember_skeleton_name(&scene->skeleton, bone);
            where.frame = (int32_t)index;
            return emberi_fail_at(scene->doc->file.source->err, EMBER_E_RANGE, where,
                                  "fbx: a number is not finite or too large for a float");
        }
        clip_note_bone(job, &job->places[i], bone, index);
        keep_sign(&frame[bone], &before[bone]);
    }
    return EMBER_OK;
}

/* ---- clips ---- */

static void clip_notes(const clip_job *job)
{
    const ember_notes    *notes = emberi_fbx_notes(job->scene->doc);
    const ember_skeleton *skeleton = &job->scene->skeleton;
    if (job->shear > 1e-3)
        emberi_notef(notes, EMBER_NOTE_WARNING, job->name, ember_skeleton_name(skeleton, job->shear_bone),
                     "sheared by %.1f %% in frame %u: the nearest rotation and scale are taken",
                     job->shear * 100.0, job->shear_frame);
    if (job->lost != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, job->name, ember_skeleton_name(skeleton, job->lost_bone),
                     "a bone above has a scale of zero: it cannot be placed below that");
    if (job->damaged != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, job->name, NULL, "%u curve%s damaged and left out",
                     job->damaged, job->damaged == 1 ? " is" : "s are");
    if (job->take->others != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, job->name, NULL,
                     "%u animated propert%s no translation, rotation or scaling and left out",
                     job->take->others, job->take->others == 1 ? "y is" : "ies are");
}

static ember_status clip_read(fbx_scene *scene, const fbx_take *take, ember_clip *clip, uint32_t index)
{
    clip_job         job = {.scene = scene, .take = take, .name = clip->name, .index = index};
    fbx_file        *file = &scene->doc->file;
    uint32_t         bones = scene->bone_count, helpers = 0;
    ember_transform *frames;
    EMBERI_TRY(clip_read_curves(&job));
    EMBERI_TRY(FBX_PUSH(file, &job.places, &file->pass, fbx_place, scene->node_count));
    EMBERI_TRY(clip_find_times(&job));
    /* Nodes above the bones take no room in the model, but time. */
    for (uint32_t i = 0; i < scene->node_count; i++)
        helpers += scene->nodes[i].counts && scene->nodes[i].bone == FBX_NONE ? 1u : 0u;
    if (!emberi_source_take(file->source, (size_t)job.frame_count * helpers, sizeof(ember_transform)))
        return file->source->err->status;
    EMBERI_TRY(
        FBX_PUSH(file, &frames, file->source->arena, ember_transform, (size_t)job.frame_count * bones));
    for (uint32_t i = 0; i < job.frame_count; i++) {
        ember_transform *frame = frames + (size_t)i * bones;
        EMBERI_TRY(clip_sample_frame(&job, frame, i != 0 ? frame - bones : scene->skeleton.rest, i));
    }
    emberi_source_give_back(file->source, (size_t)job.frame_count * helpers * sizeof(ember_transform));
    clip_notes(&job);
    clip->fps = job.fps;
    clip->loop = file->source->options->loop;
    clip->frame_count = emberi_sampling_close_loop(file->source, clip->name, frames, job.frame_count, bones);
    clip->frames = frames;
    return EMBER_OK;
}

/* Whether it has keys, and for bones or what is above them. */
static void take_look(const fbx_scene *scene, const fbx_take *take, bool *keyed, bool *moves)
{
    *keyed = emberi_fbx_take_is_keyed(take);
    *moves = false;
    for (uint32_t i = 0; i < take->channel_count && !*moves; i++)
        for (int k = 0; k < 3; k++)
            *moves = *moves ||
                     (take->channels[i].curves[k] != FBX_NONE && scene->nodes[take->channels[i].node].counts);
}

static ember_status clip_tell_layers(fbx_scene *scene, const fbx_take *take, uint32_t clip)
{
    const ember_fbx_options *options = scene->doc->file.source->options->fbx;
    ember_arena             *pass = &scene->doc->file.pass;
    for (uint32_t i = 0; i < take->layer_count && options != NULL && options->layer != NULL; i++) {
        ember_arena_mark mark = ember_arena_save(pass);
        uint32_t         object = take->layers[i].object;
        const char      *name =
            emberi_fbx_name(scene->doc, pass,
                            object != FBX_NONE ? scene->doc->objects[object].name : take->name);
        if (name == NULL)
            return EMBER_E_NOMEM;
        options->layer(options->layer_user, clip, name);
        ember_arena_restore(pass, mark);
    }
    return EMBER_OK;
}

static ember_status clip_name(fbx_scene *scene, const fbx_takes *takes, const fbx_take *take,
                              ember_clip *clip)
{
    const emberi_source *source = scene->doc->file.source;
    if (take->name.size == 0 && takes->count == 1) {
        clip->name = emberi_name_from_path(source->arena, source->options->path);
        return clip->name != NULL ? EMBER_OK : emberi_fail_memory(source->err);
    }
    clip->name = emberi_fbx_name(scene->doc, source->arena, take->name);
    return clip->name != NULL ? EMBER_OK : EMBER_E_NOMEM;
}

/* The takes that become clips, with their names. */
static ember_status clips_list(fbx_scene *scene, const fbx_takes *takes, ember_clip *clips, uint32_t *of_clip,
                               uint32_t *count)
{
    for (uint32_t i = 0; i < takes->count; i++) {
        bool        keyed, moves;
        ember_clip *clip = &clips[*count];
        take_look(scene, &takes->items[i], &keyed, &moves);
        if (!keyed || scene->bone_count == 0) {
            emberi_notef(emberi_fbx_notes(scene->doc), keyed ? EMBER_NOTE_WARNING : EMBER_NOTE_DETAIL, NULL,
                         NULL, "take %s has no %s and is left out",
                         emberi_fbx_quote(takes->items[i].name).text, keyed ? "bones" : "keys");
            continue;
        }
        clip->space = EMBER_SPACE_LOCAL;
        clip->bone_count = scene->bone_count;
        EMBERI_TRY(clip_name(scene, takes, &takes->items[i], clip));
        EMBERI_TRY(clip_tell_layers(scene, &takes->items[i], *count));
        if (!moves)
            emberi_notef(emberi_fbx_notes(scene->doc), EMBER_NOTE_WARNING, clip->name, NULL,
                         "moves nothing but nodes that are no bones: the bones stand still");
        of_clip[(*count)++] = i;
    }
    return EMBER_OK;
}

ember_status emberi_fbx_clips_read(fbx_scene *scene, const fbx_takes *takes, ember_model *model)
{
    fbx_file                 *file = &scene->doc->file;
    const ember_read_options *options = file->source->options;
    ember_clip               *clips;
    uint32_t                 *of_clip, count = 0;
    EMBERI_TRY(emberi_sampling_check(file->source));
    EMBERI_TRY(FBX_PUSH(file, &clips, file->source->arena, ember_clip, takes->count));
    EMBERI_TRY(FBX_PUSH(file, &of_clip, &file->scratch, uint32_t, takes->count));
    EMBERI_TRY(clips_list(scene, takes, clips, of_clip, &count));
    model->clips = clips;
    model->clip_count = count;
    for (uint32_t i = 0; i < count; i++) {
        ember_arena_mark mark = ember_arena_save(&file->pass);
        ember_status     status = EMBER_OK;
        if (options->wants == NULL || options->wants(options->wants_user, model, i))
            status = clip_read(scene, &takes->items[of_clip[i]], &clips[i], i);
        ember_arena_restore(&file->pass, mark);
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}
