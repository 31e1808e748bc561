/* SPDX-License-Identifier: MIT */
/* One clip between bits and integers. Decoding gives the whole frames that are there; encoding
   takes the shortest code for every value, and says where a clip does not fit. */
#include <string.h>

#include "base/bytes.h"
#include "codec/ff7_bits.h"
#include "format/ff7/ff7_parts.h"

/* ---- out of bits ---- */

_Static_assert(sizeof(ember_ff7_triple) == 3 * sizeof(int16_t), "triples are packed");

/* Triples are rows of plain values to the codec. NULL stays NULL. */
static int16_t *clip_values(ember_ff7_triple *triples) { return (int16_t *)(void *)triples; }

static const int16_t *clip_const_values(const ember_ff7_triple *triples)
{
    return (const int16_t *)(const void *)triples;
}

/* The row before, or NULL for the first. */
static const int16_t *clip_row_before(const ember_ff7_triple *row, uint32_t index, uint32_t count)
{
    return index != 0 ? clip_const_values(row - count) : NULL;
}

ember_status ember_ff7_decode(ember_ff7_clip *out, const ember_ff7_chunk *chunk, ember_arena *arena,
                              ember_error *err)
{
    uint32_t frames = chunk->frame_count, triples = chunk->triple_count;
    *out = (ember_ff7_clip){.kind = chunk->kind,
                            .index = (int32_t)chunk->index,
                            .bones_field = chunk->bones_field,
                            .frames_field = chunk->frames_field,
                            .frames_short = chunk->frames_short,
                            .size_short = chunk->size_short,
                            .key = chunk->key,
                            .odd = chunk->odd,
                            .triple_count = chunk->kind == EMBER_FF7_SPECIAL ? 0 : triples};
    /* Of a chunk that is cut off the whole frames count, not the bytes; but where there are none, bytes are
       all there is. */
    if ((chunk->odd & EMBER_FF7_ODD_CUT) == 0 || frames == 0) {
        out->bytes = chunk->payload;
        out->byte_count = chunk->payload_size;
    }
    if (frames == 0)
        return EMBER_OK;
    ember_ff7_triple *positions = EMBER_PUSH(arena, ember_ff7_triple, frames);
    ember_ff7_triple *rotations =
        ember_arena_push(arena, frames, triples * sizeof(ember_ff7_triple), _Alignof(ember_ff7_triple));
    if (positions == NULL || rotations == NULL)
        return emberi_fail_memory(err);
    emberi_ff7_reader reader = {chunk->values, chunk->values_size, 0, chunk->key, triples * 3, false};
    for (uint32_t i = 0; i < frames; i++) {
        ember_ff7_triple *row = rotations + (size_t)i * triples;
        if (!emberi_ff7_read_frame(&reader, clip_values(&positions[i]), clip_values(row),
                                   clip_row_before(&positions[i], i, 1), clip_row_before(row, i, triples)))
            return ember_fail(err, EMBER_E_ARG, chunk->offset,
                              "the chunk's frames were not counted by ember_ff7_pack_read");
    }
    out->frame_count = frames;
    out->positions = positions;
    out->rotations = rotations;
    return EMBER_OK;
}

/* ---- into bits ---- */

bool emberi_ff7_put_chunk(ember_buffer *out, uint32_t bones_field, uint32_t frames_field,
                          const uint8_t *payload, size_t size)
{
    uint8_t *room = ember_buffer_grow(out, EMBERI_FF7_HEADER_SIZE + size);
    if (room == NULL)
        return false;
    emberi_put_u32(room, bones_field);
    emberi_put_u32(room + 4, frames_field);
    emberi_put_u32(room + 8, (uint32_t)size);
    if (size != 0)
        memcpy(room + EMBERI_FF7_HEADER_SIZE, payload, size);
    return true;
}

/* All frames, or as many as fit; *fits says which. */
static size_t clip_write_values(uint8_t *room, size_t size, const ember_ff7_clip *clip, uint32_t key,
                                bool *fits)
{
    emberi_ff7_writer writer = {.data = room,
                                .size = size,
                                .key = key,
                                .value_count = clip->triple_count * 3};
    for (uint32_t i = 0; i < clip->frame_count && writer.bit <= (uint64_t)UINT16_MAX * 8; i++) {
        const ember_ff7_triple *row = clip->rotations + (size_t)i * clip->triple_count;
        emberi_ff7_write_frame(&writer, clip_const_values(&clip->positions[i]), clip_const_values(row),
                               clip_row_before(&clip->positions[i], i, 1),
                               clip_row_before(row, i, clip->triple_count));
    }
    size_t written = emberi_ff7_write_end(&writer);
    *fits = written <= UINT16_MAX;
    return written;
}

static uint32_t clip_worst(const ember_ff7_clip *clip, uint32_t key)
{
    size_t         count = (size_t)clip->frame_count * clip->triple_count * 3;
    const int16_t *values = clip_const_values(clip->rotations);
    int32_t        worst = 0;
    for (size_t i = 0; key != 0 && i < count; i++) {
        int32_t apart = emberi_ff7_rounded(values[i], key) - values[i];
        apart = apart < 0 ? -apart : apart;
        worst = apart > worst && apart < EMBERI_FF7_TURN ? apart : worst;
    }
    return (uint32_t)worst;
}

static ember_status clip_check(const ember_ff7_clip *clip, uint32_t key, ember_error *err)
{
    if (key != EMBER_FF7_KEY_AUTO && !emberi_ff7_key_known(key))
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a key is 0, 2 or 4, not %u", (unsigned)key);
    if (clip->frame_count == 0)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a clip without frames cannot be stored");
    if (clip->frame_count > UINT16_MAX)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "%u frames, at most 65535 can be counted",
                            (unsigned)clip->frame_count);
    if (clip->triple_count == 0 || clip->triple_count > EMBER_FF7_MAX_TRIPLES)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "%u rotations per frame, possible are 1 to %u", (unsigned)clip->triple_count,
                            EMBER_FF7_MAX_TRIPLES);
    return EMBER_OK;
}

static ember_status clip_encode(ember_buffer *out, const ember_ff7_clip *clip, uint32_t key,
                                ember_ff7_encoded *info, ember_error *err)
{
    const uint32_t before = EMBERI_FF7_HEADER_SIZE + EMBERI_FF7_MINI_SIZE;
    size_t   start = out->size, room_size = UINT16_MAX + emberi_ff7_frame_bound(clip->triple_count * 3) + 16;
    uint8_t *room = ember_buffer_grow(out, before + room_size);
    uint32_t used = key == EMBER_FF7_KEY_AUTO ? 0 : key;
    bool     fits = false;
    if (room == NULL)
        return emberi_fail_memory(err);
    size_t size = clip_write_values(room + before, room_size, clip, used, &fits);
    for (; !fits && key == EMBER_FF7_KEY_AUTO && used < 4;) {
        used += 2;
        size = clip_write_values(room + before, room_size, clip, used, &fits);
    }
    if (!fits)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "%u frames of %u rotations do not fit 65535 bytes with a key of %u",
                            (unsigned)clip->frame_count, (unsigned)clip->triple_count, (unsigned)used);
    size_t payload = (EMBERI_FF7_MINI_SIZE + size + 3) / 4 * 4;
    emberi_put_u32(room, clip->bones_field);
    emberi_put_u32(room + 4, clip->frame_count);
    emberi_put_u32(room + 8, (uint32_t)payload);
    emberi_put_u16(room + 12, (uint16_t)clip->frame_count);
    emberi_put_u16(room + 14, (uint16_t)size);
    room[16] = (uint8_t)used;
    memset(room + before + size, 0, payload - EMBERI_FF7_MINI_SIZE - size);
    out->size = start + EMBERI_FF7_HEADER_SIZE + payload;
    if (info != NULL)
        *info = (ember_ff7_encoded){out->size - start, (uint8_t)used, (uint16_t)size, clip_worst(clip, used)};
    return EMBER_OK;
}

ember_status ember_ff7_encode(ember_buffer *out, const ember_ff7_clip *clip, uint32_t key,
                              ember_ff7_encoded *info, ember_error *err)
{
    size_t       start = out->size;
    ember_status status = EMBER_OK;
    if (clip->kind == EMBER_FF7_SPECIAL) {
        if (!emberi_ff7_put_chunk(out, clip->bones_field, clip->frames_field, clip->bytes, clip->byte_count))
            return emberi_fail_memory(err);
        if (info != NULL)
            *info = (ember_ff7_encoded){.size = out->size - start};
        return EMBER_OK;
    }
    status = clip_check(clip, key, err);
    if (status == EMBER_OK)
        status = clip_encode(out, clip, key, info, err);
    if (status != EMBER_OK)
        out->size = start;
    return status;
}

/* ---- comparing ---- */

static bool clip_same_rotations(const int16_t *a, const int16_t *b, size_t count)
{
    uint32_t differ = 0;
    for (size_t i = 0; i < count; i++)
        differ |= (uint32_t)(a[i] ^ b[i]) & (EMBERI_FF7_TURN - 1u);
    return differ == 0;
}

bool ember_ff7_same(const ember_ff7_clip *a, const ember_ff7_clip *b)
{
    if (a->kind != b->kind || a->frame_count != b->frame_count || a->triple_count != b->triple_count)
        return false;
    if (a->frame_count == 0)
        return a->byte_count == b->byte_count &&
               (a->byte_count == 0 || memcmp(a->bytes, b->bytes, a->byte_count) == 0);
    return memcmp(a->positions, b->positions, a->frame_count * sizeof(*a->positions)) == 0 &&
           clip_same_rotations(clip_const_values(a->rotations), clip_const_values(b->rotations),
                               (size_t)a->frame_count * a->triple_count * 3);
}

uint64_t ember_ff7_codes_wasted(const ember_ff7_chunk *chunk)
{
    int16_t           positions[2][3], rotations[2][EMBER_FF7_MAX_TRIPLES * 3];
    uint32_t          now = 0;
    emberi_ff7_reader reader = {chunk->values, chunk->values_size,      0,
                                chunk->key,    chunk->triple_count * 3, false};
    emberi_ff7_writer writer = {.key = chunk->key, .value_count = chunk->triple_count * 3};
    if (chunk->kind == EMBER_FF7_SPECIAL || chunk->triple_count > EMBER_FF7_MAX_TRIPLES)
        return 0;
    for (uint32_t i = 0; i < chunk->frame_count; i++, now ^= 1u) {
        if (!emberi_ff7_read_frame(&reader, positions[now], rotations[now], positions[now ^ 1u],
                                   rotations[now ^ 1u]))
            break;
        emberi_ff7_write_frame(&writer, positions[now], rotations[now], positions[now ^ 1u],
                               i != 0 ? rotations[now ^ 1u] : NULL);
    }
    return reader.bit - writer.bit;
}
