/* SPDX-License-Identifier: MIT */
/* Poses out of lean clips: from nothing, or with a cursor that keeps a block unpacked. The clip was opened,
   and every block is checked before it is read. */
#include "squeeze/lean/lean_kernels.h"
#include "squeeze/squeeze_parts.h"

#define LEAN_NO_FRAME UINT32_MAX

bool emberi_lean_locate(lean_place *out, const ember_lean_clip *clip, uint32_t frame, uint32_t fraction)
{
    const lean_opened *opened = clip->parts;
    const uint32_t     blocks = opened->block_count, last = clip->frame_count - 1;
    if (frame == last && fraction != 0) {
        const uint8_t *first = emberi_lean_block(opened, 0), *block = emberi_lean_block(opened, blocks - 1);
        *out = (lean_place){.key_a = opened->keys + (size_t)blocks * opened->key_size,
                            .key_b = opened->keys,
                            .steps = 1,
                            .wraps = true};
        return first != NULL && block != NULL;
    }
    /* below 2^32: at most 65535 * 65534 */
    const uint32_t index = frame == last ? blocks - 1 : ((frame + 1) * blocks - 1) / last;
    const uint32_t start = index * last / blocks, end = (index + 1) * last / blocks;
    *out = (lean_place){.key_a = opened->keys + (size_t)index * opened->key_size,
                        .key_b = opened->keys + ((size_t)index + 1) * opened->key_size,
                        .block = emberi_lean_block(opened, index),
                        .index = index,
                        .steps = end - start,
                        .at = frame - start};
    return out->block != NULL;
}

static bool lean_sample_rules(const ember_transform *out, size_t out_count, const ember_lean_clip *clip,
                              uint32_t frame, uint32_t fraction)
{
    return out != NULL && clip != NULL && clip->parts != NULL && out_count >= clip->bone_count &&
           frame < clip->frame_count && fraction < 65536u;
}

static void lean_copy_still(ember_transform *out, const ember_lean_clip *clip)
{
    const lean_opened *opened = clip->parts;
    emberi_copy(out, opened->still, clip->bone_count * sizeof(*out));
}

ember_status ember_lean_sample(ember_transform *out, size_t out_count, const ember_lean_clip *clip,
                               uint32_t frame, uint32_t fraction)
{
    lean_place place;
    if (!lean_sample_rules(out, out_count, clip, frame, fraction))
        return EMBER_E_ARG;
    if (clip->frame_count == 1) {
        lean_copy_still(out, clip);
        return EMBER_OK;
    }
    if (!emberi_lean_locate(&place, clip, frame, fraction))
        return EMBER_E_MALFORMED;
    emberi_lean_kernels_used()->pose(out, clip->parts, &place, (float)fraction / 65536.0f, clip->bone_count);
    return EMBER_OK;
}

/* ---- cursors ---- */

/* What a cursor's memory begins with; the rest lies behind it. */
typedef struct lean_cursor {
    uint32_t block;    /* that is unpacked */
    uint32_t frame[2]; /* that are decoded */
    float   *values[2];
    float   *keys;
    int16_t *series;
} lean_cursor;

/* Sets where the parts are, if there is a cursor. */
static size_t lean_cursor_layout(lean_cursor *cursor, const lean_opened *opened)
{
    size_t       at = (sizeof(lean_cursor) + 31) & ~(size_t)31;
    const size_t frame_size = (size_t)opened->group_count * LEAN_GROUP_FRAME * sizeof(float);
    const size_t first = squeeze_piece(&at, frame_size), second = squeeze_piece(&at, frame_size);
    const size_t keys = squeeze_piece(&at, (size_t)opened->group_count * LEAN_GROUP_KEYS * sizeof(float));
    const size_t series = squeeze_piece(&at, (size_t)opened->slot_count * 16 * sizeof(int16_t));
    if (cursor != NULL) {
        uint8_t *memory = (uint8_t *)(void *)cursor;
        *cursor =
            (lean_cursor){.block = LEAN_NO_FRAME,
                          .frame = {LEAN_NO_FRAME, LEAN_NO_FRAME},
                          .values = {(float *)(void *)(memory + first), (float *)(void *)(memory + second)},
                          .keys = (float *)(void *)(memory + keys),
                          .series = (int16_t *)(void *)(memory + series)};
    }
    return at;
}

size_t ember_lean_cursor_size(const ember_lean_clip *clip) { return lean_cursor_layout(NULL, clip->parts); }

ember_status ember_lean_cursor_init(ember_lean_cursor *cursor, const ember_lean_clip *clip, void *memory,
                                    size_t memory_size)
{
    if (cursor == NULL || clip == NULL || clip->parts == NULL)
        return EMBER_E_ARG;
    if (memory == NULL || memory_size < ember_lean_cursor_size(clip) || ((uintptr_t)memory & 31u) != 0)
        return EMBER_E_SPACE;
    (void)lean_cursor_layout(memory, clip->parts);
    *cursor = (ember_lean_cursor){clip, memory};
    return EMBER_OK;
}

/* Brings a frame into one of the two places. */
static bool lean_cursor_frame(lean_cursor *cursor, uint32_t which, const ember_lean_clip *clip,
                              uint32_t frame, const lean_kernels *kernels)
{
    const lean_opened *opened = clip->parts;
    lean_place         place;
    if (cursor->frame[which] == frame)
        return true;
    cursor->frame[which] = LEAN_NO_FRAME;
    if (!emberi_lean_locate(&place, clip, frame, 0))
        return false;
    if (cursor->block != place.index) {
        kernels->unpack(cursor->series, cursor->keys, opened, &place);
        cursor->block = place.index;
    }
    kernels->frame(cursor->values[which], opened, cursor->series, cursor->keys, &place);
    cursor->frame[which] = frame;
    return true;
}

ember_status ember_lean_cursor_sample(ember_transform *out, size_t out_count, ember_lean_cursor *cursor,
                                      uint32_t frame, uint32_t fraction)
{
    if (cursor == NULL || !lean_sample_rules(out, out_count, cursor->clip, frame, fraction))
        return EMBER_E_ARG;
    const ember_lean_clip *clip = cursor->clip;
    if (clip->frame_count == 1) {
        lean_copy_still(out, clip);
        return EMBER_OK;
    }
    const lean_kernels *kernels = emberi_lean_kernels_used();
    lean_cursor        *state = cursor->memory;
    const uint32_t      next = fraction == 0 ? frame : frame + 1 < clip->frame_count ? frame + 1 : 0;
    /* the frame that was next is first now, or the other way round */
    if (state->frame[0] != frame && (state->frame[1] == frame || state->frame[0] == next)) {
        float *values = state->values[0];
        state->values[0] = state->values[1];
        state->values[1] = values;
        const uint32_t number = state->frame[0];
        state->frame[0] = state->frame[1];
        state->frame[1] = number;
    }
    if (!lean_cursor_frame(state, 0, clip, frame, kernels) ||
        (next != frame && !lean_cursor_frame(state, 1, clip, next, kernels)))
        return EMBER_E_MALFORMED;
    kernels->mix(out, clip->parts, state->values[0], state->values[next != frame ? 1 : 0],
                 (float)fraction / 65536.0f, next < frame, clip->bone_count);
    return EMBER_OK;
}
