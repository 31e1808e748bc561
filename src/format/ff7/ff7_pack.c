/* SPDX-License-Identifier: MIT */
/* A pack taken apart: where its chunks are, what their headers say, and how many whole frames are really
   there. The bytes may be anything: every size is checked against what is left, and a frame counts only if
   all of its bits are there. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "codec/ff7_bits.h"
#include "format/ff7/ff7_parts.h"

const uint8_t emberi_ff7_empty_slot[4] = {0x30, 0x1A, 0x00, 0x00};

const char *ember_ff7_kind_name(ember_ff7_kind kind)
{
    static const char *const names[] = {"body", "weapon", "special"};
    return (unsigned)kind < 3 ? names[kind] : "unknown";
}

emberi_ff7_name emberi_ff7_name_of(ember_ff7_kind kind, uint32_t index)
{
    emberi_ff7_name name;
    snprintf(name.text, sizeof(name.text), "%s_%02u", ember_ff7_kind_name(kind), (unsigned)index);
    return name;
}

ember_status emberi_ff7_fail_clip(ember_error *err, ember_status status, const ember_error *cause,
                                  ember_ff7_kind kind, uint32_t index)
{
    emberi_ff7_name name = emberi_ff7_name_of(kind, index);
    emberi_place    place = EMBERI_PLACE_INIT;
    place.offset = cause->offset;
    place.clip = (int32_t)index;
    place.clip_name = name.text;
    return emberi_fail_at(err, status, place, "%s", cause->text);
}

/* ---- counting frames ---- */

typedef struct pack_count {
    uint32_t frames;    /* whole ones */
    uint32_t bit_count; /* of these */
    bool     ends;      /* they end in the last byte of size_short */
} pack_count;

static pack_count pack_count_frames(const ember_ff7_chunk *chunk, uint32_t triples)
{
    emberi_ff7_reader reader = {chunk->values, chunk->values_size, 0, chunk->key, triples * 3, false};
    pack_count        count = {0, 0, false};
    if (chunk->key > EMBERI_FF7_MAX_KEY || triples == 0 || triples > EMBER_FF7_MAX_TRIPLES)
        return count;
    while (emberi_ff7_skip_frame(&reader)) {
        count.frames++;
        count.bit_count = (uint32_t)reader.bit;
    }
    count.ends = count.frames != 0 && (count.bit_count + 7) / 8 == chunk->size_short;
    return count;
}

/* Takes the first number of triples with which as many frames as are counted end where they should, or else
   whatever number of frames does; if none does, `fallback`. `counted`: there is a counter. */
static pack_count pack_choose_triples(ember_ff7_chunk *chunk, const uint32_t *candidates, uint32_t count,
                                      uint32_t fallback, bool counted)
{
    for (uint32_t i = 0; i < 2 * count; i++) {
        pack_count found = pack_count_frames(chunk, candidates[i % count]);
        chunk->triple_count = candidates[i % count];
        if (found.ends && (i >= count || !counted || found.frames == chunk->frames_short))
            return found;
    }
    chunk->triple_count = fallback;
    return pack_count_frames(chunk, fallback);
}

/* Triples of a model with that many bones. */
static uint32_t pack_triples_of(uint32_t bone_count) { return bone_count == 1 ? 1 : bone_count + 1; }

static pack_count pack_count_chunk(ember_ff7_chunk *chunk, const ember_ff7_skeleton *skeleton, bool counted)
{
    uint32_t candidates[3], count = 0, fallback = chunk->bones_field;
    if (chunk->kind == EMBER_FF7_WEAPON) {
        candidates[count++] = fallback = 1;
    } else {
        if (skeleton != NULL && skeleton->bone_count != 0)
            candidates[count++] = fallback = pack_triples_of(skeleton->bone_count);
        else if (chunk->bones_field == EMBERI_FF7_SINGLE_BONES)
            fallback = 1;
        /* Models of one bone store one triple: where both would do, that is what it is. */
        if (chunk->bones_field == EMBERI_FF7_SINGLE_BONES)
            candidates[count++] = 1;
        candidates[count++] = chunk->bones_field;
    }
    return pack_choose_triples(chunk, candidates, count, fallback, counted);
}

/* ---- one chunk ---- */

/* Where the values begin and how far they may go. */
static void pack_set_values(ember_ff7_chunk *chunk, uint32_t header_size)
{
    uint32_t there = chunk->payload_size - header_size;
    chunk->values = chunk->payload + header_size;
    chunk->values_size = chunk->size_short < there ? chunk->size_short : there;
}

/* The one clip of the game whose frame counter is missing, and all that look like it: where the right header
   gives no frame (`nothing`) or the values fill the chunk, the frames must end where size_short says; in the
   game's own the size alone tells. */
static bool pack_try_bare(ember_ff7_chunk *chunk, const ember_ff7_skeleton *skeleton, bool nothing)
{
    enum { BARE_SPARE = 8 }; /* bytes that programs leave behind the values */
    ember_ff7_chunk bare = *chunk;
    if (!emberi_ff7_key_known(chunk->payload[2]))
        return false;
    bare.frames_short = 0;
    bare.size_short = emberi_get_u16(chunk->payload);
    bare.key = chunk->payload[2];
    pack_set_values(&bare, EMBERI_FF7_BARE_SIZE);
    pack_count count = pack_count_chunk(&bare, skeleton, false);
    uint32_t   full = (uint32_t)bare.size_short + EMBERI_FF7_BARE_SIZE;
    bool       fills = full <= chunk->size_field && chunk->size_field - full <= BARE_SPARE;
    bool       known = bare.size_short == (uint64_t)chunk->size_field - EMBERI_FF7_MINI_SIZE;
    if (count.frames == 0 || !(known || (count.ends && (nothing || fills))))
        return false;
    bare.frame_count = count.frames;
    bare.bit_count = count.bit_count;
    bare.odd |= EMBER_FF7_ODD_HEADER;
    *chunk = bare;
    return true;
}

static bool pack_has_trailing(const ember_ff7_chunk *chunk)
{
    uint32_t used = (uint32_t)(chunk->values - chunk->payload) + chunk->values_size;
    uint32_t padded = (EMBERI_FF7_MINI_SIZE + (uint32_t)chunk->size_short + 3u) & ~3u;
    if (chunk->payload_size > padded)
        return true;
    for (uint32_t i = used; i < chunk->payload_size; i++)
        if (chunk->payload[i] != 0)
            return true;
    return false;
}

static uint32_t pack_odd(const ember_ff7_chunk *chunk, const ember_ff7_skeleton *skeleton)
{
    bool     bare = (chunk->odd & EMBER_FF7_ODD_HEADER) != 0;
    bool     single = chunk->kind == EMBER_FF7_BODY && chunk->triple_count == 1;
    uint32_t odd = chunk->odd, expected = single ? (uint32_t)EMBERI_FF7_SINGLE_BONES : chunk->triple_count;
    if (!bare && !single && chunk->frames_field != chunk->frames_short)
        odd |= EMBER_FF7_ODD_COUNTERS;
    if (!bare && chunk->frame_count < chunk->frames_short)
        odd |= EMBER_FF7_ODD_FEWER;
    if (!bare && chunk->frame_count > chunk->frames_short)
        odd |= EMBER_FF7_ODD_MORE;
    if (chunk->values_size < chunk->size_short)
        odd |= EMBER_FF7_ODD_SIZE;
    if (!emberi_ff7_key_known(chunk->key))
        odd |= EMBER_FF7_ODD_KEY;
    if (skeleton != NULL && skeleton->bone_count != 0 && chunk->kind == EMBER_FF7_BODY)
        expected = skeleton->bone_count + 1;
    if (chunk->bones_field != expected)
        odd |= EMBER_FF7_ODD_BONES;
    if (chunk->frame_count == 0)
        odd |= EMBER_FF7_ODD_NOTHING;
    if (pack_has_trailing(chunk))
        odd |= EMBER_FF7_ODD_TRAILING;
    return odd;
}

/* The header has been read and the payload set. */
static void pack_read_payload(ember_ff7_chunk *chunk, const ember_ff7_skeleton *skeleton)
{
    if (chunk->payload_size < chunk->size_field)
        chunk->odd |= EMBER_FF7_ODD_CUT;
    chunk->values = chunk->payload;
    if (chunk->size_field < EMBERI_FF7_LEAST_SIZE) {
        chunk->kind = EMBER_FF7_SPECIAL;
        return;
    }
    chunk->kind = chunk->bones_field == EMBERI_FF7_WEAPON_BONES ? EMBER_FF7_WEAPON : EMBER_FF7_BODY;
    if (chunk->payload == NULL || chunk->payload_size < EMBERI_FF7_MINI_SIZE) {
        chunk->odd |= EMBER_FF7_ODD_NOTHING;
        return;
    }
    chunk->frames_short = emberi_get_u16(chunk->payload);
    chunk->size_short = emberi_get_u16(chunk->payload + 2);
    chunk->key = chunk->payload[4];
    pack_set_values(chunk, EMBERI_FF7_MINI_SIZE);
    pack_count count = pack_count_chunk(chunk, skeleton, true);
    if (count.ends || !pack_try_bare(chunk, skeleton, count.frames == 0)) {
        chunk->frame_count = count.frames;
        chunk->bit_count = count.bit_count;
    }
    chunk->odd = pack_odd(chunk, skeleton);
}

/* ---- the pack ---- */

static uint32_t pack_first_weapon(const ember_ff7_pack *pack, const ember_ff7_skeleton *skeleton)
{
    if (skeleton != NULL && skeleton->weapon_clips != 0 && skeleton->body_clips != 0)
        return skeleton->body_clips < pack->chunk_count ? skeleton->body_clips : pack->chunk_count;
    for (uint32_t i = 0; i < pack->chunk_count; i++)
        if (pack->chunks[i].bones_field == EMBERI_FF7_WEAPON_BONES)
            return i;
    return pack->chunk_count;
}

ember_status ember_ff7_pack_read(ember_ff7_pack *out, const void *data, size_t size,
                                 const ember_ff7_skeleton *skeleton, ember_arena *arena, ember_error *err)
{
    emberi_reader reader = emberi_reader_init(data, size);
    uint32_t      count = emberi_reader_u32(&reader);
    memset(out, 0, sizeof(*out));
    if (!emberi_reader_ok(&reader))
        return emberi_failf(err, EMBER_E_TRUNCATED, 0,
                            "%zu bytes, a pack begins with the number of its clips in 4", size);
    size_t possible = emberi_reader_left(&reader) / EMBERI_FF7_HEADER_SIZE;
    if (count != 0 && possible == 0)
        return emberi_failf(err, EMBER_E_TRUNCATED, EMBERI_FF7_COUNT_SIZE, "%u clips, but not one is there",
                            (unsigned)count);
    possible = possible < count ? possible : count;
    ember_ff7_chunk *chunks = EMBER_PUSH(arena, ember_ff7_chunk, possible);
    if (chunks == NULL)
        return emberi_fail_memory(err);
    uint32_t found = 0;
    while (found < possible && emberi_reader_left(&reader) >= EMBERI_FF7_HEADER_SIZE) {
        ember_ff7_chunk *chunk = &chunks[found];
        chunk->index = found++;
        chunk->offset = emberi_reader_offset(&reader);
        chunk->bones_field = emberi_reader_u32(&reader);
        chunk->frames_field = emberi_reader_u32(&reader);
        chunk->size_field = emberi_reader_u32(&reader);
        size_t left = emberi_reader_left(&reader);
        chunk->payload_size = chunk->size_field < left ? chunk->size_field : (uint32_t)left;
        chunk->payload = emberi_reader_take(&reader, chunk->payload_size);
        pack_read_payload(chunk, skeleton);
    }
    *out = (ember_ff7_pack){.data = reader.base,
                            .size = size,
                            .count_field = count,
                            .chunk_count = found,
                            .chunks = chunks};
    out->tail_offset = (size_t)emberi_reader_offset(&reader);
    out->first_weapon = pack_first_weapon(out, skeleton);
    return EMBER_OK;
}

uint32_t ember_ff7_partner(const ember_ff7_pack *pack, uint32_t chunk)
{
    uint32_t first = pack->first_weapon, other;
    if (chunk >= pack->chunk_count || first >= pack->chunk_count)
        return UINT32_MAX;
    if (chunk >= first)
        other = chunk - first;
    else
        other = first + chunk;
    if (other >= pack->chunk_count || (chunk < first) == (other < first))
        return UINT32_MAX;
    const ember_ff7_chunk *body = &pack->chunks[chunk < first ? chunk : other];
    const ember_ff7_chunk *weapon = &pack->chunks[chunk < first ? other : chunk];
    return body->kind == EMBER_FF7_BODY && weapon->kind == EMBER_FF7_WEAPON ? other : UINT32_MAX;
}

/* ---- what is odd, in words ---- */

ember_ff7_text ember_ff7_odd_text(const ember_ff7_chunk *chunk, uint32_t odd)
{
    ember_ff7_text out = {""};
    char          *text = out.text;
    size_t         size = sizeof(out.text);
    unsigned       frames = chunk->frames_short, stored = chunk->frame_count;
    switch (odd & (0u - odd)) {
    case EMBER_FF7_ODD_COUNTERS:
        snprintf(text, size, "its counters disagree: %u frames in the chunk's header, %u before the values",
                 (unsigned)chunk->frames_field, frames);
        break;
    case EMBER_FF7_ODD_FEWER:
        snprintf(text, size, "%u frames are counted, %u are there", frames, stored);
        break;
    case EMBER_FF7_ODD_MORE:
        snprintf(text, size, "%u frames are counted, but there are bits for %u", frames, stored);
        break;
    case EMBER_FF7_ODD_SIZE:
        snprintf(text, size, "its values should have %u bytes, %u are there", (unsigned)chunk->size_short,
                 (unsigned)chunk->values_size);
        break;
    case EMBER_FF7_ODD_KEY:
        snprintf(text, size, "its key is %u, known are 0, 2 and 4", (unsigned)chunk->key);
        break;
    case EMBER_FF7_ODD_HEADER:
        snprintf(text, size, "its frame counter is missing: %u frames are there, %u in the chunk's header",
                 stored, (unsigned)chunk->frames_field);
        break;
    case EMBER_FF7_ODD_CUT:
        snprintf(text, size, "the file ends in it: %u bytes of %u", (unsigned)chunk->payload_size,
                 (unsigned)chunk->size_field);
        break;
    case EMBER_FF7_ODD_BONES:
        snprintf(text, size, "it says %u bones (with the root), %u rotations per frame were read",
                 (unsigned)chunk->bones_field, (unsigned)chunk->triple_count);
        break;
    case EMBER_FF7_ODD_NOTHING:
        snprintf(text, size, "not one whole frame is there");
        break;
    case EMBER_FF7_ODD_TRAILING:
        snprintf(text, size, "bytes that mean nothing follow its values");
        break;
    case EMBER_FF7_ODD_CODES:
        snprintf(text, size, "its values are not in the shortest codes");
        break;
    default:
        break;
    }
    return out;
}
