/* SPDX-License-Identifier: MIT */
/* ANIMBIN's bytes taken apart. Every count is held against the bytes that are left before anything is
   allocated for it, and the file must end where its last animation does. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "format/animbin/animbin_parts.h"

/* ---- rotations by their length ---- */

/* What truncating four components takes from the length is less than 2, and normalising in fixed point leaves
   a little more. */
#define UNIT_SLACK 8

int64_t emberi_animbin_length_squared(const emberi_animbin_key *key)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int64_t)key->value[i] * key->value[i];
    return sum;
}

static bool squared_is_near(int64_t squared, int64_t length, int64_t slack)
{
    return squared >= (length - slack) * (length - slack) && squared <= (length + slack) * (length + slack);
}

bool emberi_animbin_is_unit(int64_t squared)
{
    return squared_is_near(squared, EMBERI_ANIMBIN_UNIT, UNIT_SLACK);
}

bool emberi_animbin_is_prerelease_length(int64_t squared)
{
    return squared_is_near(squared, 32767, 8 * UNIT_SLACK);
}

/* ---- one key ---- */

/* The key before `index` that has its type, or -1. Over all keys of a track the steps back sum up to no more
   than its length. */
static int32_t key_before(const emberi_animbin_key *keys, uint32_t index)
{
    for (uint32_t i = index; i-- > 0;)
        if (keys[i].type == keys[index].type)
            return (int32_t)i;
    return -1;
}

ember_status emberi_animbin_check_key(ember_error *err, emberi_place place, const char *track,
                                      const emberi_animbin_key *keys, uint32_t index)
{
    const emberi_animbin_key *key = &keys[index];
    int32_t                   before = key_before(keys, index);
    if (before >= 0 && keys[before].frame >= key->frame)
        return emberi_fail_at(
            err, EMBER_E_MALFORMED, place,
            "%s: key %u is on frame %u and comes after one on frame %u; keys must be in order", track,
            (unsigned)index, (unsigned)key->frame, (unsigned)keys[before].frame);
    if (key->type == EMBERI_ANIMBIN_ROTATION && emberi_animbin_length_squared(key) == 0)
        return emberi_fail_at(err, EMBER_E_MALFORMED, place,
                              "%s: key %u is a rotation of 0, 0, 0, 0, which has no direction", track,
                              (unsigned)index);
    return EMBER_OK;
}

/* ---- the file ---- */

typedef struct parse {
    emberi_reader        reader;
    const emberi_source *source;
    /* What is being read, for messages. */
    uint32_t             number; /* of the animation */
    const char          *name;   /* NULL: not known yet */
    char                 track[24];
} parse;

static emberi_place parse_place(const parse *p, uint64_t offset)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.offset = offset;
    place.clip = (int32_t)p->number;
    place.clip_name = p->name;
    return place;
}

static ember_status parse_truncated(const parse *p, const char *what)
{
    bool in_track = p->track[0] != '\0';
    return emberi_fail_at(p->source->err, EMBER_E_TRUNCATED, parse_place(p, p->source->size),
                          "%s%sthe file ends inside %s", p->track, in_track ? ": " : "", what);
}

static void parse_value(emberi_reader *r, emberi_animbin_key *key)
{
    for (uint32_t i = 0; i < emberi_animbin_value_count(key->type); i++)
        key->value[i] = key->type == EMBERI_ANIMBIN_ROTATION ? (int32_t)(int16_t)emberi_reader_u16(r)
                                                             : (int32_t)emberi_reader_u32(r);
}

static ember_status parse_keys(parse *p, emberi_animbin_track *track)
{
    emberi_reader *r = &p->reader;
    if (track->key_count > emberi_reader_left(r) / emberi_animbin_key_size(EMBERI_ANIMBIN_ROTATION))
        return parse_truncated(p, "the keys");
    emberi_animbin_key *keys = EMBER_PUSH(p->source->arena, emberi_animbin_key, track->key_count);
    if (keys == NULL)
        return emberi_fail_memory(p->source->err);
    track->keys = keys;
    for (uint32_t i = 0; i < track->key_count; i++) {
        uint64_t offset = emberi_reader_offset(r);
        keys[i].frame = emberi_reader_u16(r);
        keys[i].type = emberi_reader_u8(r);
        if (emberi_reader_ok(r) && keys[i].type >= EMBERI_ANIMBIN_TYPES)
            return emberi_fail_at(p->source->err, EMBER_E_MALFORMED, parse_place(p, offset + 2),
                                  "%s: key %u has type %u, known are 0 and 1", p->track, (unsigned)i,
                                  (unsigned)keys[i].type);
        parse_value(r, &keys[i]);
        if (!emberi_reader_ok(r))
            return parse_truncated(p, "the keys");
        ember_status status =
            emberi_animbin_check_key(p->source->err, parse_place(p, offset), p->track, keys, i);
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}

static ember_status parse_tracks(parse *p, emberi_animbin_animation *animation)
{
    emberi_reader *r = &p->reader;
    if (animation->raw.track_count > emberi_reader_left(r) / EMBERI_ANIMBIN_TRACK_SIZE)
        return parse_truncated(p, "the tracks");
    emberi_animbin_track *tracks =
        EMBER_PUSH(p->source->arena, emberi_animbin_track, animation->raw.track_count);
    if (tracks == NULL)
        return emberi_fail_memory(p->source->err);
    animation->raw.tracks = tracks;
    for (uint32_t i = 0; i < animation->raw.track_count; i++) {
        uint64_t offset = emberi_reader_offset(r);
        snprintf(p->track, sizeof(p->track), "track %u", (unsigned)i);
        tracks[i].type = emberi_reader_u8(r);
        tracks[i].joint = emberi_reader_u8(r);
        tracks[i].key_count = emberi_reader_u16(r);
        if (!emberi_reader_ok(r))
            return parse_truncated(p, "its header");
        if (tracks[i].type >= EMBERI_ANIMBIN_TYPES)
            return emberi_fail_at(p->source->err, EMBER_E_MALFORMED, parse_place(p, offset),
                                  "%s has type %u, known are 0 and 1", p->track, (unsigned)tracks[i].type);
        ember_status status = parse_keys(p, &tracks[i]);
        if (status != EMBER_OK)
            return status;
    }
    p->track[0] = '\0';
    return EMBER_OK;
}

/* Up to the first zero byte; *open where there is none. NULL if there is no memory. */
static const char *parse_name(const parse *p, const uint8_t *bytes, bool *open)
{
    const uint8_t *end = memchr(bytes, 0, EMBERI_ANIMBIN_NAME_SIZE);
    *open = end == NULL;
    return emberi_copy_name(p->source->arena, (const char *)bytes,
                            end != NULL ? (size_t)(end - bytes) : EMBERI_ANIMBIN_NAME_SIZE);
}

static ember_status parse_markers(parse *p, emberi_animbin_animation *animation)
{
    if (animation->marker_count > emberi_reader_left(&p->reader) / EMBERI_ANIMBIN_MARKER_SIZE)
        return parse_truncated(p, "the markers");
    animation->markers = EMBER_PUSH(p->source->arena, ember_marker, animation->marker_count);
    animation->markers_open = EMBER_PUSH(p->source->arena, bool, animation->marker_count);
    if (animation->markers == NULL || animation->markers_open == NULL)
        return emberi_fail_memory(p->source->err);
    for (uint32_t i = 0; i < animation->marker_count; i++) {
        const uint8_t *bytes = emberi_reader_take(&p->reader, EMBERI_ANIMBIN_MARKER_SIZE);
        EMBERI_ASSERT(bytes != NULL); /* they were counted above */
        animation->markers[i].name = parse_name(p, bytes, &animation->markers_open[i]);
        animation->markers[i].frame = emberi_get_u16(bytes + EMBERI_ANIMBIN_NAME_SIZE);
        if (animation->markers[i].name == NULL)
            return emberi_fail_memory(p->source->err);
    }
    return EMBER_OK;
}

static ember_status parse_animation(parse *p, emberi_animbin_animation *animation, uint32_t number)
{
    uint64_t offset = emberi_reader_offset(&p->reader);
    p->number = number;
    p->name = NULL;
    const uint8_t *bytes = emberi_reader_take(&p->reader, EMBERI_ANIMBIN_ANIMATION_SIZE);
    if (bytes == NULL)
        return parse_truncated(p, "its header");
    animation->name = parse_name(p, bytes, &animation->name_open);
    if (animation->name == NULL)
        return emberi_fail_memory(p->source->err);
    p->name = animation->name;
    animation->raw.flags = emberi_get_u32(bytes + 0x20);
    animation->raw.length = emberi_get_u16(bytes + 0x24);
    animation->raw.track_count = emberi_get_u16(bytes + 0x26);
    animation->marker_count = emberi_get_u16(bytes + 0x28);
    if (animation->raw.length == 0)
        return emberi_fail_at(p->source->err, EMBER_E_MALFORMED, parse_place(p, offset + 0x24),
                              "a length of 0 frames");
    ember_status status = parse_tracks(p, animation);
    return status != EMBER_OK ? status : parse_markers(p, animation);
}

static ember_status parse_header(parse *p, emberi_animbin_file *out)
{
    ember_error *err = p->source->err;
    size_t       magic_size = sizeof(EMBERI_ANIMBIN_MAGIC) - 1, there = p->source->size;
    if (memcmp(p->source->data, EMBERI_ANIMBIN_MAGIC, there < magic_size ? there : magic_size) != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 0, "not an ANIMBIN file: it does not begin with %s",
                            EMBERI_ANIMBIN_MAGIC);
    const uint8_t *bytes = emberi_reader_take(&p->reader, EMBERI_ANIMBIN_HEADER_SIZE);
    if (bytes == NULL)
        return emberi_failf(err, EMBER_E_TRUNCATED, there, "the file ends inside its header: %zu of %d bytes",
                            there, EMBERI_ANIMBIN_HEADER_SIZE);
    if (bytes[7] != EMBERI_ANIMBIN_VERSION)
        return emberi_failf(err, EMBER_E_VERSION, 7, "ANIMBIN version %u, known is %u", (unsigned)bytes[7],
                            EMBERI_ANIMBIN_VERSION);
    out->animation_count = bytes[8];
    if (out->animation_count > emberi_reader_left(&p->reader) / EMBERI_ANIMBIN_ANIMATION_SIZE)
        return emberi_failf(err, EMBER_E_TRUNCATED, there, "the file is too short for its %u %s",
                            (unsigned)out->animation_count,
                            out->animation_count == 1 ? "animation" : "animations");
    return EMBER_OK;
}

static ember_status parse_all(parse *p, emberi_animbin_file *out)
{
    ember_status status = parse_header(p, out);
    if (status != EMBER_OK)
        return status;
    out->animations = EMBER_PUSH(p->source->arena, emberi_animbin_animation, out->animation_count);
    if (out->animations == NULL)
        return emberi_fail_memory(p->source->err);
    for (uint32_t i = 0; i < out->animation_count && status == EMBER_OK; i++)
        status = parse_animation(p, &out->animations[i], i);
    size_t left = emberi_reader_left(&p->reader);
    if (status == EMBER_OK && left != 0)
        return emberi_failf(p->source->err, EMBER_E_MALFORMED, emberi_reader_offset(&p->reader),
                            "%zu extra %s behind the last animation", left, left == 1 ? "byte" : "bytes");
    return status;
}

/* True if there are rotations and all of them are x 32767. */
static bool file_has_prerelease_rotations(const emberi_animbin_file *file)
{
    bool any = false;
    for (uint32_t a = 0; a < file->animation_count; a++)
        for (uint32_t t = 0; t < file->animations[a].raw.track_count; t++) {
            const emberi_animbin_track *track = &file->animations[a].raw.tracks[t];
            for (uint32_t k = 0; k < track->key_count; k++) {
                if (track->keys[k].type != EMBERI_ANIMBIN_ROTATION)
                    continue;
                any = true;
                if (!emberi_animbin_is_prerelease_length(emberi_animbin_length_squared(&track->keys[k])))
                    return false;
            }
        }
    return any;
}

ember_status emberi_animbin_parse(emberi_animbin_file *out, const emberi_source *source)
{
    ember_error   local = EMBER_ERROR_INIT;
    emberi_source inner = *source;
    inner.err = &local;
    parse        p = {.reader = emberi_reader_init(source->data, source->size), .source = &inner};
    ember_status status = parse_all(&p, out);
    if (status == EMBER_E_NOMEM) {
        *source->err = local;
        return status;
    }
    if (status != EMBER_OK && emberi_animbin_is_prerelease(source->data, source->size))
        return emberi_failf(
            source->err, EMBER_E_VERSION, EMBERI_ANIMBIN_HEADER_SIZE,
            "this is ANIMBIN's layout from before its release (32-bit frames, markers last, rotations times "
            "32767), which calls itself version 1 too; export the animation again");
    if (status == EMBER_OK && file_has_prerelease_rotations(out))
        return emberi_failf(source->err, EMBER_E_VERSION, EMBERI_ANIMBIN_HEADER_SIZE,
                            "the rotations are times 32767, as before ANIMBIN's release, and not times 4096; "
                            "export the animation again");
    if (status != EMBER_OK)
        *source->err = local;
    return status;
}
