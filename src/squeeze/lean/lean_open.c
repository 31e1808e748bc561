/* SPDX-License-Identifier: MIT */
/* Opening lean clips: everything but the blocks is checked here, in time that depends on the bones alone; a
   block is checked when it is first asked for. What passed can be read without another look. */
#include "base/fail.h"
#include "squeeze/lean/lean_kernels.h"
#include "squeeze/squeeze_parts.h"

#define LEAN_ALIGN 32u

/* ---- bits of the header ---- */

typedef struct lean_bits {
    const uint8_t *data;
    uint64_t       at, end; /* bits */
    bool           short_of;
} lean_bits;

static uint32_t lean_take(lean_bits *bits, uint32_t count)
{
    uint32_t value = 0;
    if (bits->end - bits->at < count) {
        bits->short_of = true;
        return 0;
    }
    for (uint32_t i = 0; i < count; i++, bits->at++)
        value |= ((uint32_t)bits->data[bits->at >> 3] >> (bits->at & 7u) & 1u) << i;
    return value;
}

static int32_t lean_take_signed(lean_bits *bits, uint32_t count)
{
    const uint32_t value = lean_take(bits, count), half = count != 0 ? 1u << (count - 1) : 0;
    return (int32_t)(value ^ half) - (int32_t)half;
}

/* True if the bits behind `at`, up to the end of its byte, are 0. */
static bool lean_spare_clear(const uint8_t *data, uint64_t at)
{
    return (at & 7u) == 0 || data[at >> 3] >> (at & 7u) == 0;
}

/* ---- tracks ---- */

typedef struct lean_track {
    uint32_t step;
    int32_t  min[4];
    uint8_t  key_bits[4];
    bool     active[4];
} lean_track;

/* Bits of two's complement that hold a number; none for 0. */
static uint32_t lean_signed_bits(int32_t value)
{
    const uint32_t size = (uint32_t)(value < 0 ? ~value : value);
    return value == 0 ? 0 : size == 0 ? 1 : 33u - emberi_leading_zeros32(size);
}

static bool lean_take_track(lean_track *out, lean_bits *bits, uint32_t components, bool moves)
{
    *out = (lean_track){.step = lean_take(bits, 7)};
    const uint32_t width = lean_take(bits, 5);
    uint32_t       needed = 0;
    if (width > LEAN_MOST_MIN)
        return false;
    for (uint32_t k = 0; k < components; k++) {
        out->min[k] = lean_take_signed(bits, width);
        const uint32_t own = lean_signed_bits(out->min[k]);
        needed = own > needed ? own : needed;
        if (moves) {
            out->key_bits[k] = (uint8_t)lean_take(bits, 5);
            out->active[k] = lean_take(bits, 1) != 0;
        }
        /* keys are whole numbers that a float holds exactly */
        if (out->key_bits[k] > LEAN_MOST_KEY ||
            out->min[k] + (1 << out->key_bits[k]) - 1 > 1 << LEAN_MOST_KEY)
            return false;
    }
    return !bits->short_of && width == needed;
}

/* The part of a bone that a class is about. */
static void lean_group_bone(lean_group *g, uint32_t lane, const lean_bone *bone, uint32_t which)
{
    for (uint32_t k = 0; k < 4; k++) {
        g->base[k][lane] = which <= LEAN_ROTATION4  ? bone->base[k]
                           : k == 3                 ? 0.0f
                           : which == LEAN_POSITION ? bone->position[k]
                                                    : bone->scale[k];
        g->turn[k][lane] = which <= LEAN_ROTATION4 ? bone->turn[k] : 0.0f;
    }
}

static void lean_group_begin(lean_group *g, uint32_t which, uint32_t bone, uint32_t active_first)
{
    emberi_fill(g, 0, sizeof(*g));
    for (uint32_t lane = 0; lane < LEAN_LANES; lane++)
        g->bone[lane] = (uint16_t)bone;
    g->which = which;
    g->active_first = active_first;
}

/* ---- the pose at rest ---- */

/* What stands still: rest, or the track's own constant. `stills` has a track for each constant,
   class by class. */
static void lean_still_pose(ember_transform *out, const ember_lean_rig *rig, const uint8_t *modes,
                            lean_bits *bits)
{
    static const lean_class moving[3] = {LEAN_ROTATION3, LEAN_POSITION, LEAN_SCALE};
    const lean_kernels     *kernels = emberi_lean_kernels_used();
    for (uint32_t kind = 0; kind < 3; kind++)
        for (uint32_t first = 0; first < rig->bone_count; first += LEAN_LANES) {
            lean_group g;
            lean_group_begin(&g, moving[kind], first, 0);
            for (uint32_t bone = first; bone < rig->bone_count && bone < first + LEAN_LANES; bone++) {
                const uint32_t lane = g.count++;
                lean_bone      parts;
                emberi_lean_bone(&parts, rig, bone);
                lean_group_bone(&g, lane, &parts, moving[kind]);
                g.bone[lane] = (uint16_t)bone;
                if (!lean_class_has((lean_class)(LEAN_STILL_ROTATION + kind), modes[bone]))
                    continue;
                lean_track track;
                (void)lean_take_track(&track, bits, 3, false);
                g.step[lane] = lean_step(track.step, kind == 1 ? rig->unit : 0);
                for (uint32_t k = 0; k < 3; k++)
                    g.min[k][lane] = track.min[k];
            }
            kernels->still(out, &g);
        }
}

ember_transform ember_lean_rig_rest(const ember_lean_rig *rig, uint32_t bone)
{
    static const lean_class moving[3] = {LEAN_ROTATION3, LEAN_POSITION, LEAN_SCALE};
    ember_transform         out = EMBER_TRANSFORM_IDENTITY;
    lean_bone               parts;
    emberi_lean_bone(&parts, rig, bone);
    for (uint32_t kind = 0; kind < 3; kind++) {
        lean_group g;
        lean_group_begin(&g, moving[kind], 0, 0);
        lean_group_bone(&g, 0, &parts, moving[kind]);
        g.count = 1;
        emberi_lean_kernels_used()->still(&out, &g);
    }
    return out;
}

/* ---- the caller's memory ---- */

/* Where the parts lie; all but the counts are filled by a first look. */
typedef struct lean_layout {
    uint32_t tracks[LEAN_CLASSES];
    uint32_t block_count;
    size_t   groups, still, slots, checked, size;
} lean_layout;

static uint32_t lean_block_count(const uint8_t *data)
{
    const uint32_t longest = data[4] != 0 ? data[4] : 1;
    return squeeze_span_count(emberi_get_u16(data), longest);
}

/* The clip has its header and modes. */
static lean_layout lean_layout_of(const uint8_t *data, uint32_t bone_count)
{
    lean_layout out = {.block_count = lean_block_count(data)};
    size_t      groups = 0, components = 0;
    for (uint32_t which = 0; which < LEAN_CLASSES; which++) {
        for (uint32_t bone = 0; bone < bone_count; bone++)
            out.tracks[which] += lean_class_has((lean_class)which, data[LEAN_CLIP_HEADER + bone]) ? 1u : 0u;
        if (which < LEAN_MOVING) {
            groups += (out.tracks[which] + LEAN_LANES - 1) / LEAN_LANES;
            components += (size_t)out.tracks[which] * (which == LEAN_ROTATION4 ? 4u : 3u);
        }
    }
    size_t at = (sizeof(lean_opened) + LEAN_ALIGN - 1) & ~(size_t)(LEAN_ALIGN - 1);
    out.groups = squeeze_piece(&at, groups * sizeof(lean_group));
    out.still = squeeze_piece(&at, bone_count * sizeof(ember_transform));
    out.slots = squeeze_piece(&at, components + 3 * groups);
    out.checked = squeeze_piece(&at, out.block_count / 8u + 1u);
    out.size = at;
    return out;
}

bool ember_lean_peek(uint32_t *frame_count, float *error, const void *data, size_t size)
{
    if (data == NULL || size < LEAN_CLIP_HEADER)
        return false;
    *frame_count = emberi_get_u16(data);
    *error = lean_error_value(emberi_get_u16((const uint8_t *)data + 2));
    return *frame_count != 0;
}

size_t ember_lean_open_size(const void *data, size_t size, const ember_lean_rig *rig)
{
    if (data == NULL || rig == NULL || size < LEAN_CLIP_HEADER + rig->bone_count)
        return sizeof(lean_opened);
    return lean_layout_of(data, rig->bone_count).size;
}

/* ---- opening ---- */

static ember_status lean_check_header(const uint8_t *data, size_t size, uint32_t bone_count, ember_error *err)
{
    if (size < LEAN_CLIP_HEADER + bone_count + LEAN_PADDING)
        return ember_fail(err, EMBER_E_TRUNCATED, size, "the lean clip ends inside its header");
    if (data[5] != 0)
        return ember_fail(err, EMBER_E_VERSION, 5, "unknown method of a lean clip");
    if (emberi_get_u16(data) == 0)
        return ember_fail(err, EMBER_E_MALFORMED, 0, "the lean clip has no frames");
    if (data[4] == 0 || data[4] > LEAN_LONGEST)
        return ember_fail(err, EMBER_E_MALFORMED, 4, "the blocks of the lean clip have an invalid length");
    if (emberi_get_u64(data + size - LEAN_PADDING) != 0)
        return ember_fail(err, EMBER_E_MALFORMED, size - LEAN_PADDING,
                          "the lean clip does not end with zeros");
    for (uint32_t bone = 0; bone < bone_count; bone++) {
        const uint8_t mode = data[LEAN_CLIP_HEADER + bone];
        const bool    moves = (mode & 3) >= LEAN_MOVES || (mode & 0x28) != 0;
        if (mode >> 6 != 0 || (mode >> 2 & 3) == 3 || (mode >> 4 & 3) == 3 ||
            (moves && emberi_get_u16(data) == 1))
            return ember_fail(err, EMBER_E_MALFORMED, LEAN_CLIP_HEADER + bone,
                              "a bone of the lean clip has an invalid mode");
    }
    return EMBER_OK;
}

/* Groups and slots of one class that moves. */
static bool lean_open_class(lean_opened *opened, const lean_layout *layout, const ember_lean_rig *rig,
                            lean_class which, lean_bits *bits)
{
    const uint32_t components = which == LEAN_ROTATION4 ? 4 : 3;
    const uint8_t *modes = opened->data + LEAN_CLIP_HEADER;
    uint32_t       in_group = LEAN_LANES;
    if (layout->tracks[which] == 0)
        return true;
    for (uint32_t bone = 0; bone < rig->bone_count; bone++) {
        lean_track track;
        lean_bone  parts;
        if (!lean_class_has(which, modes[bone]))
            continue;
        if (!lean_take_track(&track, bits, components, true))
            return false;
        if (in_group == LEAN_LANES) {
            while (opened->slot_count % 4 != 0)
                opened->slots[opened->slot_count++] = LEAN_NO_SLOT;
            lean_group_begin(&opened->groups[opened->group_count++], which, bone, opened->active_count);
            in_group = 0;
        }
        lean_group    *g = &opened->groups[opened->group_count - 1];
        const uint32_t lane = in_group++;
        emberi_lean_bone(&parts, rig, bone);
        lean_group_bone(g, lane, &parts, which);
        g->count = in_group;
        g->bone[lane] = (uint16_t)bone;
        g->step[lane] = lean_step(track.step, which == LEAN_POSITION ? rig->unit : 0);
        for (uint32_t k = 0; k < components; k++) {
            g->min[k][lane] = track.min[k];
            g->mask[k][lane] = (1u << track.key_bits[k]) - 1u;
            g->byte[k][lane] = opened->key_bits >> 3;
            g->shift[k][lane] = opened->key_bits & 7u;
            g->lift[k][lane] = 256u >> g->shift[k][lane];
            opened->key_bits += track.key_bits[k];
            if (track.active[k]) {
                opened->slots[opened->slot_count++] = (uint8_t)(LEAN_LANES * k + lane);
                opened->active_count++;
                g->active_count++;
            }
        }
    }
    while (opened->slot_count % 4 != 0)
        opened->slots[opened->slot_count++] = LEAN_NO_SLOT;
    return true;
}

/* All tracks, twice over the constants: first to find out whether they are sound. */
static bool lean_open_tracks(lean_opened *opened, const lean_layout *layout, const ember_lean_rig *rig,
                             lean_bits *bits)
{
    for (uint32_t which = 0; which < LEAN_MOVING; which++)
        if (!lean_open_class(opened, layout, rig, (lean_class)which, bits))
            return false;
    lean_bits again = *bits;
    for (uint32_t which = LEAN_MOVING; which < LEAN_CLASSES; which++)
        for (uint32_t i = 0; i < layout->tracks[which]; i++) {
            lean_track track;
            if (!lean_take_track(&track, bits, 3, false))
                return false;
        }
    lean_still_pose(opened->still, rig, opened->data + LEAN_CLIP_HEADER, &again);
    return lean_spare_clear(bits->data, bits->at);
}

/* Where the keys of four lanes lie in 16 bytes of a row; false if they are further apart. Behind a clip's
   last row there are an offset and the padding at least, 12 bytes. */
static bool lean_group_window(lean_group *g, uint32_t k, uint32_t half, uint32_t row_size)
{
    const uint32_t from = half * 4, count = g->count < from + 4 ? g->count : from + 4;
    if (from >= g->count)
        return true;
    const uint32_t first = g->byte[k][from] + 4 <= row_size ? g->byte[k][from] : row_size - 4;
    g->first[k][half] = (uint16_t)first;
    for (uint32_t lane = from; lane < count; lane++) {
        const uint32_t at = g->byte[k][lane] - first;
        const uint32_t bits = g->shift[k][lane] + 32u - emberi_leading_zeros32(g->mask[k][lane] | 1u);
        if (8 * at + bits > 128)
            return false;
        /* bytes beyond the 16 hold nothing of the key, so that any others will do */
        for (uint32_t i = 0; i < 4; i++)
            g->window[k][4 * lane + i] = (uint8_t)((at + i) & 15u);
    }
    return true;
}

static void lean_open_windows(lean_opened *opened)
{
    for (uint32_t i = 0; i < opened->group_count; i++) {
        lean_group *g = &opened->groups[i];
        bool        near = opened->key_size >= 4;
        for (uint32_t k = 0; near && k < (g->which == LEAN_ROTATION4 ? 4u : 3u); k++)
            near =
                lean_group_window(g, k, 0, opened->key_size) && lean_group_window(g, k, 1, opened->key_size);
        g->near = near ? 1u : 0u;
    }
}

/* Keys and offsets behind the header, and blocks behind those. */
static bool lean_open_rows(lean_opened *opened, size_t at)
{
    const uint64_t rows = opened->block_count != 0 ? opened->block_count + 1u : 0;
    opened->key_size = (opened->key_bits + 7) / 8;
    const uint64_t offsets = at + rows * opened->key_size, blocks = offsets + 4ull * opened->block_count;
    if (blocks > opened->end)
        return false;
    opened->keys = opened->data + at;
    opened->offsets = opened->data + offsets;
    lean_open_windows(opened);
    return opened->block_count != 0 ? emberi_get_u32(opened->offsets) == blocks : blocks == opened->end;
}

ember_status emberi_lean_open_with(ember_lean_clip *out, const void *data, size_t size,
                                   const ember_lean_rig *rig, void *memory, size_t memory_size,
                                   const lean_template *templates, ember_error *err)
{
    const uint8_t *bytes = data;
    if (out == NULL || rig == NULL || rig->bone_count == 0 || (data == NULL && size != 0))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "no clip or no rig given");
    if (bytes == NULL)
        return ember_fail(err, EMBER_E_TRUNCATED, 0, "the lean clip is empty");
    EMBERI_TRY(lean_check_header(bytes, size, rig->bone_count, err));
    const lean_layout layout = lean_layout_of(bytes, rig->bone_count);
    if (memory == NULL || memory_size < layout.size || ((uintptr_t)memory & (LEAN_ALIGN - 1)) != 0)
        return ember_fail(err, EMBER_E_SPACE, EMBER_NO_OFFSET, "too little memory for the lean clip");
    uint8_t     *place = memory;
    lean_opened *opened = memory;
    *opened = (lean_opened){.data = bytes,
                            .end = size - LEAN_PADDING,
                            .block_count = layout.block_count,
                            .templates = templates,
                            .groups = (lean_group *)(void *)(place + layout.groups),
                            .still = (ember_transform *)(void *)(place + layout.still),
                            .slots = place + layout.slots,
                            .checked = (_Atomic(uint8_t) *)(void *)(place + layout.checked)};
    emberi_fill(place + layout.checked, 0, layout.block_count / 8u + 1u);
    const size_t header = LEAN_CLIP_HEADER + rig->bone_count;
    lean_bits    bits = {bytes + header, 0, 8 * (uint64_t)(opened->end - header), false};
    if (!lean_open_tracks(opened, &layout, rig, &bits))
        return ember_fail(err, EMBER_E_MALFORMED, header + (size_t)(bits.at >> 3),
                          "a track of the lean clip is invalid");
    if (!lean_open_rows(opened, header + (size_t)((bits.at + 7) >> 3)))
        return ember_fail(err, EMBER_E_MALFORMED, header + (size_t)((bits.at + 7) >> 3),
                          "the keys of the lean clip do not fit");
    *out = (ember_lean_clip){.bone_count = rig->bone_count,
                             .frame_count = emberi_get_u16(bytes),
                             .error = lean_error_value(emberi_get_u16(bytes + 2)),
                             .parts = opened};
    return EMBER_OK;
}

ember_status ember_lean_open(ember_lean_clip *out, const void *data, size_t size, const ember_lean_rig *rig,
                             void *memory, size_t memory_size, ember_error *err)
{
    return emberi_lean_open_with(out, data, size, rig, memory, memory_size, emberi_lean_templates, err);
}

/* ---- blocks ---- */

/* The rows of keys at its ends, its templates, and an end where the next block begins. */
static bool lean_block_sound(const lean_opened *opened, uint32_t index)
{
    const uint8_t *key = opened->keys + (size_t)index * opened->key_size;
    const uint64_t start = emberi_get_u32(opened->offsets + 4 * (size_t)index);
    const uint64_t least = (uint64_t)(opened->offsets - opened->data) + 4ull * opened->block_count;
    const uint64_t next = index + 1 < opened->block_count
                              ? emberi_get_u32(opened->offsets + 4 * (size_t)index + 4)
                              : opened->end;
    uint64_t       bits = 0;
    if (!lean_spare_clear(key, opened->key_bits) ||
        !lean_spare_clear(key + opened->key_size, opened->key_bits))
        return false;
    if (start < least || start > opened->end || opened->end - start < opened->active_count)
        return false;
    for (uint32_t i = 0; i < opened->active_count; i++)
        bits += opened->templates[opened->data[start + i]].bits;
    const uint64_t body = start + opened->active_count;
    return body + (bits + 7) / 8 == next && next <= opened->end &&
           lean_spare_clear(opened->data + body, bits);
}

const uint8_t *emberi_lean_block(const lean_opened *opened, uint32_t index)
{
    const uint8_t bit = (uint8_t)(1u << (index & 7u));
    if ((opened->checked[index >> 3] & bit) == 0) {
        if (!lean_block_sound(opened, index))
            return NULL;
        opened->checked[index >> 3] |= bit;
    }
    return opened->data + emberi_get_u32(opened->offsets + 4 * (size_t)index);
}

ember_status ember_lean_check(const ember_lean_clip *clip, ember_error *err)
{
    const lean_opened *opened = clip->parts;
    for (uint32_t i = 0; i < opened->block_count; i++)
        if (emberi_lean_block(opened, i) == NULL) {
            (void)ember_fail(err, EMBER_E_MALFORMED, emberi_get_u32(opened->offsets + 4 * (size_t)i),
                             "a block of the lean clip is damaged");
            if (err != NULL && err->status == EMBER_E_MALFORMED)
                err->frame = (int32_t)squeeze_key_frame(i, clip->frame_count, opened->block_count);
            return EMBER_E_MALFORMED;
        }
    return EMBER_OK;
}
