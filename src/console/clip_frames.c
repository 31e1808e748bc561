/* SPDX-License-Identifier: MIT */
/* The frames of clips: where a form of storage becomes bones. Nothing is decoded before a game asks for it,
   so that clips take no more memory than they do in the ROM. A frame that is damaged, or holds a number that
   is not finite, is refused before anything of it reaches the game or the draw list. */
#include <string.h>

#include "base/check.h"
#include "console/host.h"
#include "model/space.h"

/* ---- records of 16 bytes ---- */

static ember_status frames_decode(ember_transform *out, const uint8_t *records, uint32_t bone_count)
{
    ember_decode_job job = {.out = out,
                            .out_count = bone_count,
                            .frame = records,
                            .frame_size = (size_t)bone_count * EMBER_KEYFRAME_SIZE,
                            .bone_count = bone_count};
    return ember_decode_run(&job); /* its rules hold: counts and sizes were checked at the load */
}

static const uint8_t *frames_at(const host_clip *clip, uint32_t frame)
{
    return clip->records + (size_t)frame * clip->bone_count * clip->record_size;
}

static ember_status frames_records_pose(ember_transform *out, ember_console *c, host_clip *clip,
                                        uint32_t frame)
{
    (void)c;
    return frames_decode(out, frames_at(clip, frame), clip->bone_count);
}

static ember_status frames_records(uint8_t *out, ember_console *c, host_clip *clip, uint32_t frame)
{
    (void)c;
    memcpy(out, frames_at(clip, frame), (size_t)clip->bone_count * clip->record_size);
    return EMBER_OK;
}

const host_form emberi_host_form_records = {frames_records_pose, NULL, frames_records};

/* ---- the draft's records ---- */

static ember_status frames_draft_pose(ember_transform *out, ember_console *c, host_clip *clip, uint32_t frame)
{
    const uint8_t *records = frames_at(clip, frame);
    (void)c;
    for (uint32_t i = 0; i < clip->bone_count; i++, records += clip->record_size)
        out[i] =
            ember_record_decode(records, clip->record, i < clip->rest_count ? &clip->rest[i].position : NULL);
    return EMBER_OK;
}

const host_form emberi_host_form_draft = {frames_draft_pose, NULL, frames_records};

/* ---- squeezed clips ---- */

/* The clip's own cursor, or the shared one, which then forgets the clip that it was at. */
static ember_squeeze_cursor *frames_cursor(ember_console *c, host_clip *clip)
{
    struct host_shared_cursor *shared = &c->shared_cursor;
    if (clip->cursor.memory != NULL)
        return &clip->cursor;
    if (shared->cursor.block != clip->cursor.block) {
        ember_status status =
            ember_squeeze_cursor_init(&shared->cursor, clip->cursor.block, shared->memory, shared->size);
        EMBERI_ASSERT(status == EMBER_OK); /* its memory was made for the largest of them */
        (void)status;
    }
    return &shared->cursor;
}

static ember_status frames_squeezed(uint8_t *out, ember_console *c, host_clip *clip, uint32_t frame)
{
    uint8_t      records[EMBER_MAX_BONES * EMBER_KEYFRAME_SIZE];
    size_t       size = (size_t)clip->bone_count * EMBER_KEYFRAME_SIZE;
    ember_status status = ember_squeeze_read(records, sizeof(records), frames_cursor(c, clip), frame);
    if (status == EMBER_OK)
        memcpy(out, records, size);
    return status;
}

static ember_status frames_squeezed_pose(ember_transform *out, ember_console *c, host_clip *clip,
                                         uint32_t frame)
{
    uint8_t      records[EMBER_MAX_BONES * EMBER_KEYFRAME_SIZE];
    ember_status status = ember_squeeze_read(records, sizeof(records), frames_cursor(c, clip), frame);
    return status == EMBER_OK ? frames_decode(out, records, clip->bone_count) : status;
}

const host_form emberi_host_form_squeezed = {frames_squeezed_pose, NULL, frames_squeezed};

/* ---- lean clips ---- */

static ember_status frames_lean_between(ember_transform *out, ember_console *c, host_clip *clip,
                                        uint32_t frame, uint32_t fraction)
{
    (void)c;
    return clip->lean_cursor.memory != NULL
               ? ember_lean_cursor_sample(out, clip->bone_count, &clip->lean_cursor, frame, fraction)
               : ember_lean_sample(out, clip->bone_count, clip->lean, frame, fraction);
}

static ember_status frames_lean_pose(ember_transform *out, ember_console *c, host_clip *clip, uint32_t frame)
{
    return frames_lean_between(out, c, clip, frame, 0);
}

static void frames_compose(ember_transform *pose, const host_clip *clip)
{
    if (clip->composed)
        emberi_pose_to_model(pose, clip->parents, clip->bone_count);
}

/* There are none: they are made of what a game gets to see, rounded. */
static ember_status frames_lean_records(uint8_t *out, ember_console *c, host_clip *clip, uint32_t frame)
{
    ember_transform pose[EMBER_MAX_BONES];
    uint8_t         records[EMBER_MAX_BONES * EMBER_KEYFRAME_SIZE];
    ember_status    status = frames_lean_pose(pose, c, clip, frame);
    if (status == EMBER_OK)
        frames_compose(pose, clip);
    for (uint32_t i = 0; i < clip->bone_count && status == EMBER_OK; i++)
        status = ember_record_encode(records + (size_t)i * EMBER_KEYFRAME_SIZE, EMBER_RECORD_EWZ, &pose[i]);
    if (status == EMBER_OK)
        memcpy(out, records, (size_t)clip->bone_count * EMBER_KEYFRAME_SIZE);
    return status;
}

const host_form emberi_host_form_lean = {frames_lean_pose, frames_lean_between, frames_lean_records};

/* ---- for the host's functions ---- */

static void frames_check(ember_console *c, const char *function, ember_status status, uint32_t frame)
{
    if (status != EMBER_OK)
        emberi_host_trap(c, function, "invalid animation data: frame %u is %s", (unsigned)frame,
                         status == EMBER_E_RANGE ? "not finite" : "damaged");
}

void emberi_host_pose(ember_transform *out, ember_console *c, const char *function, host_clip *clip,
                      uint32_t frame)
{
    ember_transform *pose = clip->finite ? out : c->scratch[2];
    frames_check(c, function, clip->form->pose(pose, c, clip, frame), frame);
    if (clip->finite)
        return;
    frames_compose(pose, clip);
    if (!emberi_host_pose_is_finite(pose, clip->bone_count))
        frames_check(c, function, EMBER_E_RANGE, frame);
    memcpy(out, pose, clip->bone_count * sizeof(*pose));
}

void emberi_host_pose_between(ember_transform *out, ember_console *c, const char *function, host_clip *clip,
                              ember_sample_point point)
{
    uint32_t fraction = emberi_lean_fraction(point.t);
    if (clip->form->between != NULL) {
        ember_transform *pose = c->scratch[2];
        frames_check(c, function, clip->form->between(pose, c, clip, point.frame, fraction), point.frame);
        frames_compose(pose, clip);
        memcpy(out, pose, clip->bone_count * sizeof(*pose));
        return;
    }
    emberi_host_pose(c->scratch[0], c, function, clip, point.frame);
    emberi_host_pose(c->scratch[1], c, function, clip, point.next);
    ember_lerp_job job = {.out = c->scratch[2],
                          .a = c->scratch[0],
                          .b = c->scratch[1],
                          .t = point.t,
                          .bone_count = clip->bone_count};
    (void)ember_lerp_run(&job);
    memcpy(out, c->scratch[2], clip->bone_count * sizeof(ember_transform));
}

void emberi_host_records(uint8_t *out, ember_console *c, const char *function, host_clip *clip,
                         uint32_t frame)
{
    ember_status status = clip->form->records(out, c, clip, frame);
    if (status == EMBER_E_RANGE)
        emberi_host_trap(c, function, "frame %u has numbers that do not fit into records", (unsigned)frame);
    frames_check(c, function, status, frame);
}

/* ---- matrices ---- */

/* A local clip's bones are composed. What overflows on the way down cannot be drawn, and its bits would not
   be the same everywhere. */
static void frames_make_matrices(ember_mat34 *out, ember_console *c, const char *function, host_clip *clip,
                                 uint32_t frame)
{
    ember_transform   *pose = c->scratch[0];
    ember_compose_job  compose = {.out = out,
                                  .pose = pose,
                                  .parents = clip->parents,
                                  .bone_count = clip->bone_count};
    ember_matrices_job plain = {.out = out, .pose = pose, .bone_count = clip->bone_count};
    frames_check(c, function, clip->form->pose(pose, c, clip, frame), frame);
    ember_status status = clip->local ? ember_compose_run(&compose) : ember_matrices_run(&plain);
    EMBERI_ASSERT(status == EMBER_OK); /* the parents were checked at the load */
    if (status != EMBER_OK ||
        ((clip->local || !clip->finite) && !emberi_host_matrices_are_finite(out, clip->bone_count)))
        frames_check(c, function, EMBER_E_RANGE, frame);
}

static uint32_t frames_set(uint32_t clip, uint32_t frame)
{
    return (frame + clip * 5u) % HOST_CACHE_SETS; /* frames in a row are beside each other */
}

const ember_mat34 *emberi_host_frame_matrices(ember_console *c, const char *function, uint32_t clip,
                                              uint32_t frame)
{
    host_cache         *cache = c->cache;
    host_clip          *clips = c->clips.items;
    uint32_t            set = frames_set(clip, frame), way = 0;
    struct host_cached *keys = cache->keys[set];
    emberi_host_work(c, clips[clip].bone_count * sizeof(ember_mat34));
    cache->clock++;
    for (uint32_t i = 0; i < HOST_CACHE_WAYS; i++) {
        if (keys[i].frame == frame && keys[i].clip == clip) {
            keys[i].used = cache->clock;
            return cache->matrices[set][i];
        }
        if (cache->clock - keys[i].used > cache->clock - keys[way].used)
            way = i;
    }
    keys[way].clip = HOST_NO_BONES; /* a trap must not leave half a frame */
    frames_make_matrices(cache->matrices[set][way], c, function, &clips[clip], frame);
    keys[way] = (struct host_cached){clip, frame, cache->clock};
    return cache->matrices[set][way];
}
