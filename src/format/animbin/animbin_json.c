/* SPDX-License-Identifier: MIT */
/* The raw part of an ANIMBIN clip in the JSON form, both ways: {"flags", "length", "tracks": [{"type",
   "joint", "keys": [{"frame", "type", "value": [integers as stored]}]}]}. What is read obeys the same rules
   as a file. */
#include <stdio.h>

#include "format/animbin/animbin_parts.h"
#include "format/json/json_in.h"
#include "format/json/json_out.h"

/* ---- out ---- */

static void write_key(emberi_json_out *out, const emberi_animbin_key *key)
{
    emberi_json_object(out);
    emberi_json_put_integer(out, "frame", key->frame);
    emberi_json_put_integer(out, "type", key->type);
    emberi_json_key(out, "value");
    emberi_json_array(out);
    for (uint32_t i = 0; i < emberi_animbin_value_count(key->type); i++)
        emberi_json_integer(out, key->value[i]);
    emberi_json_array_end(out);
    emberi_json_object_end(out);
}

static void write_track(emberi_json_out *out, const emberi_animbin_track *track)
{
    emberi_json_line(out);
    emberi_json_object(out);
    emberi_json_put_integer(out, "type", track->type);
    emberi_json_put_integer(out, "joint", track->joint);
    emberi_json_key(out, "keys");
    emberi_json_array(out);
    for (uint32_t i = 0; i < track->key_count && !out->failed; i++) {
        emberi_json_line(out);
        write_key(out, &track->keys[i]);
    }
    emberi_json_array_end(out);
    emberi_json_object_end(out);
}

ember_status emberi_animbin_raw_write(emberi_json_out *out, const ember_clip *clip, ember_error *err)
{
    const emberi_animbin_raw *raw = emberi_animbin_raw_of(clip);
    emberi_json_put_integer(out, "flags", raw->flags);
    emberi_json_put_integer(out, "length", raw->length);
    emberi_json_key(out, "tracks");
    emberi_json_array(out);
    for (uint32_t i = 0; i < raw->track_count && !out->failed; i++)
        write_track(out, &raw->tracks[i]);
    emberi_json_array_end(out);
    return out->failed ? emberi_fail_memory(err) : EMBER_OK;
}

/* ---- in ---- */

static ember_status read_whole(int64_t *out, const json_t *object, const char *key, int64_t low, int64_t high,
                               const emberi_json_path *at, const emberi_source *source)
{
    ember_status status = emberi_json_want(object, JSON_OBJECT, at, source);
    if (status != EMBER_OK)
        return status;
    return emberi_json_get_whole(out, json_object_get(object, key), low, high, EMBERI_JSON_KEY(at, key),
                                 source);
}

static ember_status read_array(const json_t **out, const json_t *object, const char *key, size_t limit,
                               const emberi_json_path *at, const emberi_source *source)
{
    const json_t *array = json_object_get(object, key);
    ember_status  status = emberi_json_want(array, JSON_ARRAY, EMBERI_JSON_KEY(at, key), source);
    if (status == EMBER_OK && json_array_size(array) > limit)
        return emberi_json_fail(source, EMBER_E_LIMIT, EMBERI_JSON_KEY(at, key),
                                "%zu of them, at most %zu are possible", json_array_size(array), limit);
    *out = array;
    return status;
}

static ember_status read_value(emberi_animbin_key *key, const json_t *object, const emberi_json_path *at,
                               const emberi_source *source)
{
    const json_t *array = NULL;
    uint32_t      count = emberi_animbin_value_count(key->type);
    int64_t       low = key->type == EMBERI_ANIMBIN_ROTATION ? INT16_MIN : INT32_MIN;
    int64_t       high = key->type == EMBERI_ANIMBIN_ROTATION ? INT16_MAX : INT32_MAX;
    ember_status  status = read_array(&array, object, "value", count, at, source);
    if (status == EMBER_OK && json_array_size(array) < count)
        return emberi_json_fail(source, EMBER_E_MALFORMED, EMBERI_JSON_KEY(at, "value"),
                                "%zu numbers, must be %u", json_array_size(array), (unsigned)count);
    for (uint32_t i = 0; i < count && status == EMBER_OK; i++) {
        int64_t                 number = 0;
        const emberi_json_path *in = EMBERI_JSON_KEY(at, "value");
        status = emberi_json_get_whole(&number, json_array_get(array, i), low, high, EMBERI_JSON_INDEX(in, i),
                                       source);
        key->value[i] = (int32_t)number;
    }
    return status;
}

static ember_status read_key(emberi_animbin_key *key, const json_t *object, const emberi_json_path *at,
                             const emberi_source *source)
{
    int64_t      frame = 0, type = 0;
    ember_status status = read_whole(&frame, object, "frame", 0, UINT16_MAX, at, source);
    if (status == EMBER_OK)
        status = read_whole(&type, object, "type", 0, EMBERI_ANIMBIN_TYPES - 1, at, source);
    key->frame = (uint16_t)frame;
    key->type = (uint8_t)type;
    return status == EMBER_OK ? read_value(key, object, at, source) : status;
}

static ember_status read_keys(emberi_animbin_track *track, const json_t *object, const emberi_json_path *at,
                              const emberi_source *source)
{
    const json_t *array = NULL;
    char          name[48];
    ember_status  status = read_array(&array, object, "keys", UINT16_MAX, at, source);
    if (status != EMBER_OK)
        return status;
    track->key_count = (uint16_t)json_array_size(array);
    emberi_animbin_key *keys = EMBER_PUSH(source->arena, emberi_animbin_key, track->key_count);
    if (keys == NULL)
        return emberi_fail_memory(source->err);
    track->keys = keys;
    snprintf(name, sizeof(name), "raw.tracks[%zu]", at->index);
    for (uint32_t i = 0; i < track->key_count && status == EMBER_OK; i++) {
        const emberi_json_path *in = EMBERI_JSON_KEY(at, "keys");
        status = read_key(&keys[i], json_array_get(array, i), EMBERI_JSON_INDEX(in, i), source);
        if (status == EMBER_OK)
            status = emberi_animbin_check_key(source->err, (emberi_place)EMBERI_PLACE_INIT, name, keys, i);
    }
    return status;
}

static ember_status read_track(emberi_animbin_track *track, const json_t *object, const emberi_json_path *at,
                               const emberi_source *source)
{
    int64_t      type = 0, joint = 0;
    ember_status status = read_whole(&type, object, "type", 0, EMBERI_ANIMBIN_TYPES - 1, at, source);
    if (status == EMBER_OK)
        status = read_whole(&joint, object, "joint", 0, EMBERI_ANIMBIN_MAX_JOINTS - 1, at, source);
    track->type = (uint8_t)type;
    track->joint = (uint8_t)joint;
    return status == EMBER_OK ? read_keys(track, object, at, source) : status;
}

ember_status emberi_animbin_raw_read(ember_raw *out, const json_t *object, const emberi_source *source)
{
    const emberi_json_path *at = EMBERI_JSON_KEY(NULL, "raw"), *in = EMBERI_JSON_KEY(at, "tracks");
    int64_t                 flags = 0, length = 0;
    const json_t           *tracks = NULL;
    ember_status            status = read_whole(&flags, object, "flags", 0, UINT32_MAX, at, source);
    if (status == EMBER_OK)
        status = read_whole(&length, object, "length", 1, UINT16_MAX, at, source);
    if (status == EMBER_OK)
        status = read_array(&tracks, object, "tracks", UINT16_MAX, at, source);
    if (status != EMBER_OK)
        return status;
    emberi_animbin_raw   *raw = EMBER_PUSH(source->arena, emberi_animbin_raw, 1);
    emberi_animbin_track *list = EMBER_PUSH(source->arena, emberi_animbin_track, json_array_size(tracks));
    if (raw == NULL || list == NULL)
        return emberi_fail_memory(source->err);
    for (size_t i = 0; i < json_array_size(tracks) && status == EMBER_OK; i++)
        status = read_track(&list[i], json_array_get(tracks, i), EMBERI_JSON_INDEX(in, i), source);
    *raw = (emberi_animbin_raw){(uint32_t)flags, (uint16_t)length, (uint16_t)json_array_size(tracks), list};
    *out = (ember_raw){.format = EMBER_FORMAT_ANIMBIN, .data = raw};
    return status;
}
