/* SPDX-License-Identifier: MIT */
/* The bytes of a lean clip, from tracks that are coded. docs/formats/lean.md has their order. */
#include "squeeze/lean/lean_encode.h"

/* Bits from the bottom of each byte up; once the memory is full nothing more is written. */
typedef struct lean_writer {
    uint8_t *data;
    size_t   size, capacity;
    uint64_t pending;
    uint32_t pending_bits;
    bool     full;
} lean_writer;

static void lean_put_byte(lean_writer *w, uint8_t byte)
{
    if (w->size < w->capacity)
        w->data[w->size++] = byte;
    else
        w->full = true;
}

static void lean_put(lean_writer *w, uint32_t value, uint32_t count)
{
    w->pending |= ((uint64_t)value & (((uint64_t)1 << count) - 1u)) << w->pending_bits;
    w->pending_bits += count;
    for (; w->pending_bits >= 8; w->pending_bits -= 8, w->pending >>= 8)
        lean_put_byte(w, (uint8_t)w->pending);
}

static void lean_put_end(lean_writer *w)
{
    if (w->pending_bits != 0)
        lean_put(w, 0, 8 - w->pending_bits);
}

/* ---- tracks in their order ---- */

static const lean_kind lean_class_kind[LEAN_CLASSES] = {LEAN_KIND_ROTATION, LEAN_KIND_ROTATION,
                                                        LEAN_KIND_POSITION, LEAN_KIND_SCALE,
                                                        LEAN_KIND_ROTATION, LEAN_KIND_POSITION,
                                                        LEAN_KIND_SCALE};

static uint8_t lean_mode_of(const lean_encoder *e, uint32_t bone)
{
    const lean_coded *tracks = &e->coded[(size_t)bone * LEAN_KINDS];
    return (uint8_t)(tracks[0].mode | tracks[1].mode << 2 | tracks[2].mode << 4);
}

/* What to do with each channel that moves. */
typedef void (*lean_channel_call)(lean_writer *w, const lean_encoder *e, const lean_channel *c,
                                  uint32_t index);

static void lean_each_channel(lean_writer *w, const lean_encoder *e, lean_channel_call call, uint32_t index)
{
    for (uint32_t which = 0; which < LEAN_MOVING; which++)
        for (uint32_t bone = 0; bone < e->bone_count; bone++)
            if (lean_class_has((lean_class)which, lean_mode_of(e, bone)))
                for (uint32_t k = 0; k < (which == LEAN_ROTATION4 ? 4u : 3u); k++)
                    call(w, e, &e->coded[(size_t)bone * LEAN_KINDS + lean_class_kind[which]].channels[k],
                         index);
}

static void lean_put_key(lean_writer *w, const lean_encoder *e, const lean_channel *c, uint32_t index)
{
    (void)e;
    lean_put(w, (uint32_t)(c->keys[index] - c->min), c->key_bits);
}

static void lean_put_id(lean_writer *w, const lean_encoder *e, const lean_channel *c, uint32_t index)
{
    (void)e;
    if (c->active)
        lean_put_byte(w, c->ids[index]);
}

static void lean_put_series(lean_writer *w, const lean_encoder *e, const lean_channel *c, uint32_t index)
{
    if (!c->active)
        return;
    const lean_template *t = &e->templates[c->ids[index]];
    for (uint32_t j = 0; j < LEAN_SERIES; j++) {
        const uint32_t width = LEAN_WIDTH(t->code[j]), shift = t->code[j] >> 5;
        if (width != 0) {
            const int32_t z = c->series[16 * (size_t)index + j] / (1 << shift);
            lean_put(w, (uint32_t)(z + (1 << (width - 1)) - 1), width);
        }
    }
}

/* ---- the header ---- */

/* Bits of two's complement; none for 0. */
static uint32_t lean_signed_width(int32_t value)
{
    const uint32_t size = (uint32_t)(value < 0 ? ~value : value);
    return value == 0 ? 0 : size == 0 ? 1 : 33u - emberi_leading_zeros32(size);
}

static void lean_put_track(lean_writer *w, const lean_coded *track, uint32_t components)
{
    const bool moves = track->mode >= LEAN_MOVES;
    uint32_t   width = 0;
    for (uint32_t k = 0; k < components; k++) {
        const uint32_t own = lean_signed_width(moves ? track->channels[k].min : track->constant[k]);
        width = own > width ? own : width;
    }
    lean_put(w, track->step, 7);
    lean_put(w, width, 5);
    for (uint32_t k = 0; k < components; k++) {
        lean_put(w, (uint32_t)(moves ? track->channels[k].min : track->constant[k]), width);
        if (moves) {
            lean_put(w, track->channels[k].key_bits, 5);
            lean_put(w, track->channels[k].active ? 1 : 0, 1);
        }
    }
}

static void lean_put_header(lean_writer *w, const lean_encoder *e)
{
    lean_put(w, e->frame_count, 16);
    lean_put(w, 0, 16);
    lean_put_byte(w, (uint8_t)e->longest);
    lean_put_byte(w, 0);
    for (uint32_t bone = 0; bone < e->bone_count; bone++)
        lean_put_byte(w, lean_mode_of(e, bone));
    for (uint32_t which = 0; which < LEAN_CLASSES; which++)
        for (uint32_t bone = 0; bone < e->bone_count; bone++)
            if (lean_class_has((lean_class)which, lean_mode_of(e, bone)))
                lean_put_track(w, &e->coded[(size_t)bone * LEAN_KINDS + lean_class_kind[which]],
                               which == LEAN_ROTATION4 ? 4 : 3);
    lean_put_end(w);
}

ember_status emberi_lean_write(lean_encoder *e)
{
    lean_writer writer = {.data = e->job->out, .capacity = e->job->out_capacity}, *w = &writer;
    lean_put_header(w, e);
    for (uint32_t i = 0; e->block_count != 0 && i <= e->block_count; i++) {
        lean_each_channel(w, e, lean_put_key, i);
        lean_put_end(w);
    }
    const size_t offsets = w->size;
    for (uint32_t i = 0; i < e->block_count; i++)
        lean_put(w, 0, 32);
    for (uint32_t i = 0; i < e->block_count && !w->full; i++) {
        emberi_put_u32(w->data + offsets + 4 * (size_t)i, (uint32_t)w->size);
        lean_each_channel(w, e, lean_put_id, i);
        lean_each_channel(w, e, lean_put_series, i);
        lean_put_end(w);
    }
    for (uint32_t i = 0; i < LEAN_PADDING; i++)
        lean_put_byte(w, 0);
    e->job->out_size = w->size;
    return w->full ? EMBER_E_SPACE : EMBER_OK;
}

/* Blocks of one step, which always do: they have keys alone. Longer ones are only written where
   they take less. */
size_t ember_lean_bound(uint32_t bone_count, uint32_t frame_count)
{
    const size_t channels = 10u * (size_t)bone_count, header = LEAN_CLIP_HEADER + (size_t)bone_count * 53u;
    return header + (size_t)frame_count * (4u + (LEAN_MOST_KEY * channels + 7u) / 8u) + LEAN_PADDING;
}
