/* SPDX-License-Identifier: MIT */
/* Modes and constants of a squeezed clip: which tracks of a bone move, and what the others are where they are
   not as in the rig. Modes that contradict themselves and constants beyond the block's end are errors. */
#include "squeeze/squeeze_parts.h"

/* Bytes of constants that a mode asks for. */
static uint32_t tracks_constant_size(uint32_t mode)
{
    uint32_t size = (mode & MODE_OWN_ROTATION) != 0 ? 4u : 0u;
    if ((mode & MODE_OWN_POSITION) != 0)
        for (uint32_t axis = 0; axis < 3; axis++)
            size += (mode & (uint32_t)MODE_X << axis) == 0 ? 2u : 0u;
    return size + ((mode & MODE_OWN_SCALE) != 0 ? 6u : 0u);
}

/* A constant is not stored for what moves. */
static bool tracks_mode_valid(uint32_t mode)
{
    return (mode & (MODE_ROTATION | MODE_OWN_ROTATION)) != (MODE_ROTATION | MODE_OWN_ROTATION) &&
           (mode & (MODE_POSITION | MODE_OWN_POSITION)) != (MODE_POSITION | MODE_OWN_POSITION) &&
           (mode & (MODE_SCALE | MODE_OWN_SCALE)) != (MODE_SCALE | MODE_OWN_SCALE);
}

static uint32_t tracks_scalars(uint32_t mode)
{
    return (mode >> 1 & 1u) + (mode >> 2 & 1u) + (mode >> 3 & 1u) + 3u * (mode >> 4 & 1u);
}

ember_status emberi_squeeze_tracks_open(squeeze_tracks *out, const ember_squeezed *block, size_t offset,
                                        ember_error *err)
{
    const uint8_t *modes = block->data + offset;
    squeeze_tracks tracks = {.modes = modes,
                             .constants = modes + block->bone_count,
                             .end = offset + block->bone_count};
    if (block->size < tracks.end)
        return ember_fail(err, EMBER_E_TRUNCATED, block->size, "squeezed clip ends inside of its modes");
    for (uint32_t bone = 0; bone < block->bone_count; bone++) {
        if (!tracks_mode_valid(modes[bone]))
            return ember_fail(err, EMBER_E_MALFORMED, offset + bone,
                              "squeezed clip has a mode that contradicts itself");
        tracks.rotation_count += modes[bone] & MODE_ROTATION;
        tracks.scalar_count += tracks_scalars(modes[bone]);
        tracks.end += tracks_constant_size(modes[bone]);
    }
    if (block->size < tracks.end)
        return ember_fail(err, EMBER_E_TRUNCATED, block->size, "squeezed clip ends inside of its constants");
    *out = tracks;
    return EMBER_OK;
}

void emberi_squeeze_constants(uint8_t *out, const ember_squeezed *block, const squeeze_tracks *tracks)
{
    const uint8_t *constant = tracks->constants;
    emberi_copy(out, block->rig.rest, (size_t)block->bone_count * EMBER_KEYFRAME_SIZE);
    for (uint32_t bone = 0; bone < block->bone_count; bone++, out += EMBER_KEYFRAME_SIZE) {
        const uint32_t mode = tracks->modes[bone];
        if ((mode & MODE_OWN) == 0)
            continue;
        if ((mode & MODE_OWN_ROTATION) != 0) {
            emberi_copy(out, constant, 4);
            constant += 4;
        }
        if ((mode & MODE_OWN_POSITION) != 0)
            for (uint32_t axis = 0; axis < 3; axis++)
                if ((mode & (uint32_t)MODE_X << axis) == 0) {
                    emberi_copy(out + 4 + 2 * axis, constant, 2);
                    constant += 2;
                }
        if ((mode & MODE_OWN_SCALE) != 0) {
            emberi_copy(out + 10, constant, 6);
            constant += 6;
        }
    }
}

/* ---- the encoder's side ---- */

static bool tracks_differ(const uint8_t *a, const uint8_t *b, uint32_t size)
{
    uint32_t different = 0;
    for (uint32_t i = 0; i < size; i++)
        different |= (uint32_t)(a[i] ^ b[i]);
    return different != 0;
}

static uint32_t tracks_moving(const ember_squeeze_job *job, uint32_t bone)
{
    const size_t   stride = (size_t)job->rig->bone_count * EMBER_KEYFRAME_SIZE;
    const uint8_t *first = job->frames + (size_t)bone * EMBER_KEYFRAME_SIZE;
    uint32_t       mode = 0;
    for (uint32_t frame = 1; frame < job->frame_count; frame++) {
        const uint8_t *record = first + frame * stride;
        if (!tracks_differ(record, first, EMBER_KEYFRAME_SIZE))
            continue;
        mode |= tracks_differ(record, first, 4) ? MODE_ROTATION : 0u;
        for (uint32_t axis = 0; axis < 3; axis++)
            mode |=
                tracks_differ(record + 4 + 2 * axis, first + 4 + 2 * axis, 2) ? (uint32_t)MODE_X << axis : 0u;
        mode |= tracks_differ(record + 10, first + 10, 6) ? MODE_SCALE : 0u;
    }
    return mode;
}

size_t emberi_squeeze_tracks_write(uint8_t *out, const ember_squeeze_job *job)
{
    uint8_t *constant = out + job->rig->bone_count;
    for (uint32_t bone = 0; bone < job->rig->bone_count; bone++) {
        const uint8_t *first = job->frames + (size_t)bone * EMBER_KEYFRAME_SIZE;
        const uint8_t *rest = job->rig->rest + (size_t)bone * EMBER_KEYFRAME_SIZE;
        uint32_t       mode = tracks_moving(job, bone);
        if ((mode & MODE_ROTATION) == 0 && tracks_differ(first, rest, 4)) {
            mode |= MODE_OWN_ROTATION;
            emberi_copy(constant, first, 4);
            constant += 4;
        }
        for (uint32_t axis = 0; axis < 3; axis++)
            if ((mode & (uint32_t)MODE_X << axis) == 0 &&
                tracks_differ(first + 4 + 2 * axis, rest + 4 + 2 * axis, 2))
                mode |= MODE_OWN_POSITION;
        if ((mode & MODE_OWN_POSITION) != 0)
            for (uint32_t axis = 0; axis < 3; axis++)
                if ((mode & (uint32_t)MODE_X << axis) == 0) {
                    emberi_copy(constant, first + 4 + 2 * axis, 2);
                    constant += 2;
                }
        if ((mode & MODE_SCALE) == 0 && tracks_differ(first + 10, rest + 10, 6)) {
            mode |= MODE_OWN_SCALE;
            emberi_copy(constant, first + 10, 6);
            constant += 6;
        }
        out[bone] = (uint8_t)mode;
    }
    return (size_t)(constant - out);
}
