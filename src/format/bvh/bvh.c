/* SPDX-License-Identifier: MIT */
/* BVH motion capture: a hierarchy of joints with offsets and channels, then one line of numbers per frame.
   Read only. Text from anywhere is taken: counts are believed only as far as the file has the numbers for
   them, and errors say line and column. */
#include "format/bvh/bvh.h"

#include <string.h>

#include "base/maths.h"
#include "base/real.h"
#include "base/sizes.h"
#include "ember/format_options.h"
#include "ember/pose.h"

#define BVH_MAX_DEGREES 1e12 /* what remains of a larger one after whole turns is noise */

/* ---- the rate ---- */

/* 1 / time, or the rate that was meant: a whole number, or one of television's thousandths less, where the
   time is that rate's as far as its digits go. `digits` is how many follow the point; .0083333 is 120,
   0.033367 is 30/1.001, 0.033 is 30. */
double emberi_bvh_rate(double time_s, int digits)
{
    static const double thousands[] = {24.0, 30.0, 48.0, 60.0, 120.0};
    double              last = 1.0, fps = 1.0 / time_s;
    if (!(fps < 1e6))
        return fps;
    for (int i = 0; i < digits && i < 20; i++)
        last /= 10.0;
    if (last > 0.011 * time_s)
        last = 0.011 * time_s;
    double tolerance = last > 1e-6 * time_s ? last : 1e-6 * time_s;
    double whole = (double)(uint32_t)(fps + 0.5);
    if (whole >= 1.0 && 1.0 / whole - time_s <= tolerance && time_s - 1.0 / whole <= tolerance)
        return whole;
    for (size_t i = 0; i < sizeof(thousands) / sizeof(thousands[0]); i++) {
        double rate = thousands[i] / 1.001;
        if (1.0 / rate - time_s <= tolerance && time_s - 1.0 / rate <= tolerance)
            return rate;
    }
    return fps;
}

/* ---- the motion ---- */

static ember_status bvh_frame_time(bvh_file *file)
{
    emberi_scan       *scan = &file->scan;
    const ember_notes *notes = &file->source->options->notes;
    double             time_s;
    int                digits;
    ember_status       status = emberi_bvh_expect(scan, "Frame");
    if (status == EMBER_OK)
        status = emberi_bvh_label(scan, "Time", "Frame Time:");
    if (status != EMBER_OK)
        return status;
    emberi_scan_space(scan);
    if (!emberi_scan_number(scan, &time_s, &digits))
        return emberi_bvh_fail_word(scan, emberi_bvh_word(scan), "the seconds of a frame");
    double fps = time_s > 0.0 ? emberi_bvh_rate(time_s, digits) : 0.0;
    if (!(fps > 0.0) || fps - fps != 0.0) {
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL, "Frame Time is %g: the rate is not known",
                     time_s);
        fps = 0.0;
    } else if (fps * time_s > 1.0005 || fps * time_s < 0.9995) {
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "Frame Time %g is taken to mean %g frames per second", time_s, fps);
    }
    file->fps = fps;
    return EMBER_OK;
}

static uint64_t bvh_count_words(emberi_scan scan)
{
    uint64_t count = 0;
    for (emberi_scan_space(&scan); !emberi_scan_at_end(&scan); emberi_scan_space(&scan)) {
        emberi_scan_word(&scan);
        count++;
    }
    return count;
}

static ember_status bvh_motion_header(bvh_file *file)
{
    emberi_scan *scan = &file->scan;
    int64_t      frames;
    ember_status status = emberi_bvh_label(scan, "Frames", "Frames:");
    if (status != EMBER_OK)
        return status;
    emberi_scan_space(scan);
    const char *start = scan->cursor;
    if (!emberi_scan_integer(scan, &frames, ""))
        return emberi_bvh_fail_word(scan, emberi_bvh_word(scan), "the number of frames");
    if (frames < 0 || frames > (int64_t)UINT32_MAX || (frames != 0 && file->channel_count == 0)) {
        scan->cursor = start;
        return emberi_scan_fail(scan, EMBER_E_MALFORMED, "%lld frames%s", (long long)frames,
                                file->channel_count == 0 ? ", but no joint has channels" : "");
    }
    file->frame_count = (uint32_t)frames;
    status = bvh_frame_time(file);
    if (status != EMBER_OK)
        return status;
    /* A number and what parts it from the next take two bytes, so that what follows here never
       believes a count. */
    uint64_t most = ((uint64_t)(scan->end - scan->cursor) + 1) / 2;
    if (file->channel_count != 0 && file->frame_count > most / file->channel_count)
        return emberi_scan_fail(scan, EMBER_E_TRUNCATED, "the motion has %llu of %u frames",
                                (unsigned long long)(bvh_count_words(*scan) / file->channel_count),
                                (unsigned)file->frame_count);
    return EMBER_OK;
}

static ember_quat bvh_turn(uint8_t axis, double degrees)
{
    double     turns = degrees / 360.0;
    double     rest = degrees - 360.0 * (double)(int64_t)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
    float      half = (float)(rest * (EMBERI_REAL_PI / 360.0));
    float      sine = emberi_sin(half);
    ember_quat q = {axis == 0 ? sine : 0.0f, axis == 1 ? sine : 0.0f, axis == 2 ? sine : 0.0f,
                    emberi_cos(half)};
    return q;
}

/* q or -q, whichever is nearer to `to`: neighbouring frames then mix without a detour. */
static ember_quat bvh_near(ember_quat q, ember_quat to)
{
    ember_quat other = {-q.x, -q.y, -q.z, -q.w};
    return q.x * to.x + q.y * to.y + q.z * to.z + q.w * to.w < 0.0f ? other : q;
}

static ember_status bvh_value(bvh_file *file, double *out, uint32_t frame, size_t at)
{
    emberi_scan *scan = &file->scan;
    emberi_scan_space(scan);
    if (emberi_scan_number(scan, out, NULL))
        return EMBER_OK;
    if (emberi_scan_at_end(scan))
        return emberi_scan_fail(scan, EMBER_E_TRUNCATED,
                                "the motion has %u of %u frames, and %zu of %zu numbers of the next",
                                (unsigned)frame, (unsigned)file->frame_count, at, file->channel_count);
    emberi_word word = emberi_bvh_word(scan);
    scan->cursor = word.text;
    return emberi_scan_fail(scan, EMBER_E_MALFORMED, "%s is not a number: value %zu of %zu in frame %u",
                            emberi_bvh_quote(word).text, at + 1, file->channel_count, (unsigned)frame);
}

static ember_vec3 bvh_place(const bvh_file *file, const double position[3])
{
    ember_vec3 place = {(float)(position[0] * file->scale), (float)(position[1] * file->scale),
                        (float)(position[2] * file->scale)};
    return place;
}

static bool bvh_place_fits(ember_vec3 place)
{
    return emberi_is_finite(place.x) && emberi_is_finite(place.y) && emberi_is_finite(place.z);
}

/* One joint of one frame. Position channels stand for the offset, rotations are done in the order
   they are listed. */
static ember_status bvh_pose(bvh_file *file, ember_transform *out, const bvh_joint *joint, uint32_t frame,
                             size_t *at)
{
    double     position[3] = {joint->offset[0], joint->offset[1], joint->offset[2]};
    ember_quat rotation = ember_transform_identity.rotation;
    for (uint8_t i = 0; i < joint->channel_count; i++) {
        double       value;
        ember_status status = bvh_value(file, &value, frame, (*at)++);
        if (status != EMBER_OK)
            return status;
        if (joint->channels[i] < 3) {
            position[joint->channels[i]] = value;
            continue;
        }
        if (!(value <= BVH_MAX_DEGREES && value >= -BVH_MAX_DEGREES))
            return emberi_scan_fail(&file->scan, EMBER_E_RANGE, "a rotation by %g degrees", value);
        rotation = ember_quat_mul(rotation, bvh_turn((uint8_t)(joint->channels[i] - 3), value));
    }
    *out = ember_transform_identity;
    out->rotation = ember_quat_normalize(rotation);
    out->position = bvh_place(file, position);
    if (!bvh_place_fits(out->position))
        return emberi_scan_fail(&file->scan, EMBER_E_RANGE, "a position that is too far away");
    return EMBER_OK;
}

/* Some programs count their frames one short: whole frames too many are left out, with a word; anything else
   is an error. */
static ember_status bvh_after_frames(bvh_file *file)
{
    emberi_scan *scan = &file->scan;
    uint64_t     count = 0;
    double       value;
    emberi_scan_space(scan);
    const char *start = scan->cursor;
    for (; emberi_scan_number(scan, &value, NULL); count++)
        emberi_scan_space(scan);
    if (!emberi_scan_at_end(scan))
        return emberi_bvh_fail_word(scan, emberi_bvh_word(scan), "the end of the file");
    if (count != 0 && (file->channel_count == 0 || count % file->channel_count != 0)) {
        scan->cursor = start;
        return emberi_scan_fail(scan, EMBER_E_MALFORMED,
                                "the motion goes on after its %u frames: by %llu numbers, a frame has %zu",
                                (unsigned)file->frame_count, (unsigned long long)count, file->channel_count);
    }
    if (count != 0)
        emberi_notef(&file->source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "the header says %u frame%s, there %s %llu more, not read", (unsigned)file->frame_count,
                     file->frame_count == 1 ? "" : "s", count == file->channel_count ? "is" : "are",
                     (unsigned long long)(count / file->channel_count));
    return EMBER_OK;
}

static ember_status bvh_frames(bvh_file *file, ember_transform *frames)
{
    for (uint32_t frame = 0; frame < file->frame_count; frame++) {
        size_t at = 0;
        for (uint32_t i = 0; i < file->joint_count; i++) {
            ember_transform *pose = &frames[(size_t)frame * file->joint_count + i];
            ember_status     status = bvh_pose(file, pose, &file->joints[i], frame, &at);
            if (status != EMBER_OK)
                return status;
            if (frame != 0)
                pose->rotation = bvh_near(pose->rotation, (pose - file->joint_count)->rotation);
        }
    }
    return bvh_after_frames(file);
}

/* ---- the model ---- */

static emberi_place bvh_joint_place(const bvh_file *file, uint32_t joint)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.bone = (int32_t)joint;
    place.bone_name = file->names[joint];
    return place;
}

static ember_status bvh_skeleton(bvh_file *file, ember_skeleton *out)
{
    ember_transform *rest = EMBER_PUSH(file->source->arena, ember_transform, file->joint_count);
    if (rest == NULL)
        return emberi_fail_memory(file->source->err);
    for (uint32_t i = 0; i < file->joint_count; i++) {
        rest[i] = ember_transform_identity;
        rest[i].position = bvh_place(file, file->joints[i].offset);
        if (!bvh_place_fits(rest[i].position))
            return emberi_fail_at(file->source->err, EMBER_E_RANGE, bvh_joint_place(file, i),
                                  "bvh: its OFFSET is too far away");
    }
    out->bone_count = file->joint_count;
    out->parents = file->parents;
    out->names = file->names;
    out->rest = rest;
    return EMBER_OK;
}

static bool bvh_same_pose(const ember_transform *a, const ember_transform *b, uint32_t joint_count)
{
    for (uint32_t i = 0; i < joint_count; i++) {
        ember_quat near = bvh_near(b[i].rotation, a[i].rotation);
        if (memcmp(&a[i].position, &b[i].position, sizeof(ember_vec3)) != 0 ||
            memcmp(&a[i].rotation, &near, sizeof(ember_quat)) != 0)
            return false;
    }
    return true;
}

/* Rotations of all joints but the roots, which face wherever the capture began, are nothing but noise. */
static bool bvh_is_tpose(const bvh_file *file, const ember_transform *frame)
{
    const float still = 0.999962f; /* w of a turn by one degree */
    for (uint32_t i = 0; i < file->joint_count; i++)
        if (file->parents[i] >= 0 && emberi_abs(frame[i].rotation.w) < still)
            return false;
    return true;
}

static void bvh_drop_tpose(bvh_file *file, ember_clip *clip)
{
    const ember_notes *notes = &file->source->options->notes;
    if (!bvh_is_tpose(file, clip->frames)) {
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL, "the first frame is no T-pose, it is kept");
    } else if (clip->frame_count == 1) {
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL, "the T-pose is its only frame, it is kept");
    } else {
        clip->frames += file->joint_count;
        clip->frame_count--;
        emberi_notef(notes, EMBER_NOTE_DETAIL, clip->name, NULL,
                     "the first frame is the T-pose and is dropped");
    }
}

static ember_status bvh_clip(bvh_file *file, ember_model *out)
{
    ember_arena     *arena = file->source->arena;
    ember_clip      *clip = EMBER_PUSH(arena, ember_clip, 1);
    char            *name = emberi_name_from_path(arena, file->source->options->path);
    size_t           count;
    ember_transform *frames = NULL;
    if (emberi_mul_size(&count, file->frame_count, file->joint_count))
        frames = EMBER_PUSH(arena, ember_transform, count);
    if (clip == NULL || name == NULL || frames == NULL)
        return emberi_fail_memory(file->source->err);
    ember_status status = bvh_frames(file, frames);
    clip->name = name;
    clip->fps = emberi_source_fps(file->source, file->fps);
    clip->loop = file->source->options->loop;
    clip->space = EMBER_SPACE_LOCAL;
    clip->bone_count = file->joint_count;
    clip->frame_count = file->frame_count;
    clip->frames = frames;
    const ember_bvh_options *asked = file->source->options->bvh;
    if (status == EMBER_OK && asked != NULL && asked->drop_tpose)
        bvh_drop_tpose(file, clip);
    if (clip->loop && clip->frame_count > 1 &&
        bvh_same_pose(clip->frames, frames + (count - file->joint_count), file->joint_count))
        clip->frame_count--;
    out->clips = clip;
    out->clip_count = 1;
    return status;
}

static ember_status bvh_read(ember_model *out, const emberi_source *source)
{
    bvh_file file = {.scan = emberi_scan_init(source->data, source->size, "bvh", source->err),
                     .source = source,
                     .scale = source->options->scale != 0.0 ? source->options->scale : 1.0};
    out->format = EMBER_FORMAT_BVH;
    ember_status status = emberi_bvh_hierarchy(&file);
    if (status == EMBER_OK)
        status = bvh_motion_header(&file);
    if (status == EMBER_OK)
        status = bvh_skeleton(&file, &out->skeleton);
    if (status != EMBER_OK)
        return status;
    if (file.end_sites != 0)
        emberi_notef(&source->options->notes, EMBER_NOTE_DETAIL, NULL, NULL,
                     "%u end sites are not taken as bones", (unsigned)file.end_sites);
    if (file.frame_count != 0)
        return bvh_clip(&file, out);
    emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL, "a skeleton without frames");
    return bvh_after_frames(&file);
}

static emberi_likeness bvh_sniff(const uint8_t *data, size_t size)
{
    ember_error unused = EMBER_ERROR_INIT;
    emberi_scan scan = emberi_scan_init(data, size, "bvh", &unused);
    emberi_scan_space(&scan);
    return emberi_word_is(emberi_scan_word(&scan), "HIERARCHY") ? EMBERI_CERTAIN : EMBERI_UNLIKE;
}

const emberi_format_ops emberi_bvh_ops = {
    .info = {.format = EMBER_FORMAT_BVH,
             .name = "bvh",
             .title = "BVH motion capture",
             .extensions = "bvh",
             .reads = true,
             .one_clip = true,
             .takes = EMBER_TAKES_BVH,
             .stores = {.clips = true,
                        .names = true,
                        .parents = true,
                        .rest = true,
                        .bones = true,
                        .rate = true,
                        .space = true}},
    .sniff = bvh_sniff,
    .read = bvh_read,
};
