/* SPDX-License-Identifier: MIT */
/* The raw part of an FF7 clip in the JSON form, both ways: {"kind", "index", "key", "bones_field",
   "frames_field", "frames_short", "size_short", "positions": [[x, y, z] per frame], "rotations": [[[x, y, z]
   per triple] per frame]}, "bytes" in hex where there are no frames, "weapon" with the same keys where a body
   clip has its weapon clip with it. Values are signed 16-bit numbers. */
#include <string.h>

#include "format/ff7/ff7_parts.h"
#include "format/json/json_in.h"
#include "format/json/json_out.h"

/* ---- out ---- */

static void json_put_triple(emberi_json_out *out, ember_ff7_triple triple)
{
    emberi_json_array(out);
    emberi_json_integer(out, triple.x);
    emberi_json_integer(out, triple.y);
    emberi_json_integer(out, triple.z);
    emberi_json_array_end(out);
}

static void json_put_frames(emberi_json_out *out, const ember_ff7_clip *raw)
{
    emberi_json_key(out, "positions");
    emberi_json_array(out);
    for (uint32_t i = 0; i < raw->frame_count && !out->failed; i++) {
        emberi_json_line(out);
        json_put_triple(out, raw->positions[i]);
    }
    emberi_json_array_end(out);
    emberi_json_key(out, "rotations");
    emberi_json_array(out);
    for (uint32_t i = 0; i < raw->frame_count && !out->failed; i++) {
        emberi_json_line(out);
        emberi_json_array(out);
        for (uint32_t k = 0; k < raw->triple_count; k++)
            json_put_triple(out, raw->rotations[(size_t)i * raw->triple_count + k]);
        emberi_json_array_end(out);
    }
    emberi_json_array_end(out);
}

static bool json_put_bytes(emberi_json_out *out, const ember_ff7_clip *raw)
{
    static const char digits[] = "0123456789abcdef";
    ember_buffer      text = {.allocator = out->buffer->allocator};
    char             *room = (char *)ember_buffer_grow(&text, (size_t)raw->byte_count * 2 + 1);
    if (room == NULL)
        return false;
    for (uint32_t i = 0; i < raw->byte_count; i++) {
        room[2 * (size_t)i] = digits[raw->bytes[i] >> 4];
        room[2 * (size_t)i + 1] = digits[raw->bytes[i] & 15];
    }
    room[2 * (size_t)raw->byte_count] = '\0';
    emberi_json_put_string(out, "bytes", room);
    ember_buffer_free(&text);
    return true;
}

static bool json_put_raw(emberi_json_out *out, const ember_ff7_clip *raw)
{
    emberi_json_put_string(out, "kind", ember_ff7_kind_name(raw->kind));
    if (raw->index >= 0)
        emberi_json_put_integer(out, "index", raw->index);
    emberi_json_put_integer(out, "key", raw->key);
    emberi_json_put_integer(out, "bones_field", raw->bones_field);
    emberi_json_put_integer(out, "frames_field", raw->frames_field);
    emberi_json_put_integer(out, "frames_short", raw->frames_short);
    emberi_json_put_integer(out, "size_short", raw->size_short);
    json_put_frames(out, raw);
    return raw->frame_count != 0 || raw->bytes == NULL || json_put_bytes(out, raw);
}

ember_status emberi_ff7_raw_write(emberi_json_out *out, const ember_clip *clip, ember_error *err)
{
    const ember_ff7_clip *raw = ember_ff7_clip_of(clip);
    bool                  done = json_put_raw(out, raw);
    if (done && raw->weapon != NULL) {
        emberi_json_key(out, "weapon");
        emberi_json_object(out);
        done = json_put_raw(out, raw->weapon);
        emberi_json_object_end(out);
    }
    return done && !out->failed ? EMBER_OK : emberi_fail_memory(err);
}

/* ---- in ---- */

static ember_status json_get_field(uint32_t *out, const json_t *object, const char *key, uint32_t high,
                                   const emberi_json_path *at, const emberi_source *source)
{
    int64_t      value = 0;
    ember_status status = emberi_json_get_whole(&value, json_object_get(object, key), 0, high,
                                                EMBERI_JSON_KEY(at, key), source);
    *out = (uint32_t)value;
    return status;
}

static ember_status json_get_triple(ember_ff7_triple *out, const json_t *array, const emberi_json_path *at,
                                    const emberi_source *source)
{
    int64_t      values[3] = {0, 0, 0};
    ember_status status = emberi_json_want(array, JSON_ARRAY, at, source);
    if (status == EMBER_OK && json_array_size(array) != 3)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%zu numbers, must be 3",
                                json_array_size(array));
    for (size_t i = 0; i < 3 && status == EMBER_OK; i++)
        status = emberi_json_get_whole(&values[i], json_array_get(array, i), INT16_MIN, INT16_MAX,
                                       EMBERI_JSON_INDEX(at, i), source);
    *out = (ember_ff7_triple){(int16_t)values[0], (int16_t)values[1], (int16_t)values[2]};
    return status;
}

static ember_status json_get_triples(const ember_ff7_triple **out, const json_t *array, size_t count,
                                     const emberi_json_path *at, const emberi_source *source,
                                     ember_ff7_triple *room)
{
    ember_status status = emberi_json_want(array, JSON_ARRAY, at, source);
    if (status == EMBER_OK && json_array_size(array) != count)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%zu of them, must be %zu",
                                json_array_size(array), count);
    for (size_t i = 0; i < count && status == EMBER_OK; i++)
        status = json_get_triple(&room[i], json_array_get(array, i), EMBERI_JSON_INDEX(at, i), source);
    if (out != NULL)
        *out = room;
    return status;
}

static ember_status json_get_frames(ember_ff7_clip *raw, const json_t *object, const emberi_json_path *at,
                                    const emberi_source *source)
{
    const emberi_json_path *in = EMBERI_JSON_KEY(at, "rotations"), *where = EMBERI_JSON_KEY(at, "positions");
    const json_t           *positions = json_object_get(object, "positions"),
                 *rotations = json_object_get(object, "rotations");
    ember_status status = emberi_json_want(positions, JSON_ARRAY, where, source);
    if (status == EMBER_OK)
        status = emberi_json_want(rotations, JSON_ARRAY, in, source);
    size_t frames = json_array_size(positions), triples = json_array_size(json_array_get(rotations, 0));
    if (status != EMBER_OK || frames == 0)
        return status;
    if (frames > UINT16_MAX || triples == 0 || triples > EMBER_FF7_MAX_TRIPLES ||
        json_array_size(rotations) != frames)
        return emberi_json_fail(source, EMBER_E_MALFORMED, in,
                                "%zu frames of %zu triples, with %zu positions", json_array_size(rotations),
                                triples, frames);
    /* All triples are there before memory is asked for them. */
    for (size_t i = 0; i < frames; i++)
        if (json_array_size(json_array_get(rotations, i)) != triples)
            return emberi_json_fail(source, EMBER_E_MALFORMED, EMBERI_JSON_INDEX(in, i),
                                    "%zu triples, must be %zu", json_array_size(json_array_get(rotations, i)),
                                    triples);
    ember_ff7_triple *at_frames = EMBER_PUSH(source->arena, ember_ff7_triple, frames);
    ember_ff7_triple *rows = EMBER_PUSH(source->arena, ember_ff7_triple, frames * triples);
    if (at_frames == NULL || rows == NULL)
        return emberi_fail_memory(source->err);
    status = json_get_triples(&raw->positions, positions, frames, where, source, at_frames);
    for (size_t i = 0; i < frames && status == EMBER_OK; i++)
        status = json_get_triples(NULL, json_array_get(rotations, i), triples, EMBERI_JSON_INDEX(in, i),
                                  source, rows + i * triples);
    raw->rotations = rows;
    raw->frame_count = (uint32_t)frames;
    raw->triple_count = (uint32_t)triples;
    return status;
}

static int json_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static ember_status json_get_bytes(ember_ff7_clip *raw, const json_t *value, const emberi_json_path *at,
                                   const emberi_source *source)
{
    ember_status status = emberi_json_want(value, JSON_STRING, at, source);
    if (status != EMBER_OK)
        return status;
    const char *text = json_string_value(value);
    size_t      size = json_string_length(value);
    uint8_t    *bytes = EMBER_PUSH(source->arena, uint8_t, size / 2);
    if (bytes == NULL || size / 2 > UINT32_MAX)
        return emberi_fail_memory(source->err);
    for (size_t i = 0; i < size; i++) {
        int digit = json_digit(text[i]);
        if (digit < 0 || size % 2 != 0)
            return emberi_json_fail(source, EMBER_E_MALFORMED, at, "not pairs of hexadecimal digits");
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | digit);
    }
    raw->bytes = bytes;
    raw->byte_count = (uint32_t)(size / 2);
    return EMBER_OK;
}

static ember_status json_get_kind(ember_ff7_kind *out, const json_t *value, const emberi_json_path *at,
                                  const emberi_source *source)
{
    ember_status status = emberi_json_want(value, JSON_STRING, at, source);
    if (status != EMBER_OK)
        return status;
    for (int kind = EMBER_FF7_BODY; kind <= EMBER_FF7_SPECIAL; kind++)
        if (json_string_is(value, ember_ff7_kind_name((ember_ff7_kind)kind))) {
            *out = (ember_ff7_kind)kind;
            return EMBER_OK;
        }
    return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%s, must be body, weapon or special",
                            emberi_quote(json_string_value(value)).text);
}

static ember_status json_get_raw(ember_ff7_clip *raw, const json_t *object, const emberi_json_path *at,
                                 const emberi_source *source)
{
    uint32_t     key = 0, frames = 0, size = 0, index = 0;
    ember_status status = emberi_json_want(object, JSON_OBJECT, at, source);
    memset(raw, 0, sizeof(*raw));
    raw->index = -1;
    if (status == EMBER_OK && json_object_get(object, "index") != NULL) {
        status = json_get_field(&index, object, "index", UINT16_MAX, at, source);
        raw->index = (int32_t)index;
    }
    if (status == EMBER_OK)
        status =
            json_get_kind(&raw->kind, json_object_get(object, "kind"), EMBERI_JSON_KEY(at, "kind"), source);
    if (status == EMBER_OK)
        status = json_get_field(&key, object, "key", UINT8_MAX, at, source);
    if (status == EMBER_OK)
        status = json_get_field(&raw->bones_field, object, "bones_field", UINT32_MAX, at, source);
    if (status == EMBER_OK)
        status = json_get_field(&raw->frames_field, object, "frames_field", UINT32_MAX, at, source);
    if (status == EMBER_OK)
        status = json_get_field(&frames, object, "frames_short", UINT16_MAX, at, source);
    if (status == EMBER_OK)
        status = json_get_field(&size, object, "size_short", UINT16_MAX, at, source);
    if (status == EMBER_OK)
        status = json_get_frames(raw, object, at, source);
    if (status != EMBER_OK)
        return status;
    raw->key = (uint8_t)key;
    raw->frames_short = (uint16_t)frames;
    raw->size_short = (uint16_t)size;
    const json_t *bytes = json_object_get(object, "bytes");
    if (raw->kind == EMBER_FF7_SPECIAL && raw->frame_count != 0)
        return emberi_json_fail(source, EMBER_E_MALFORMED, EMBERI_JSON_KEY(at, "positions"),
                                "a special chunk has no frames");
    return raw->frame_count == 0 ? json_get_bytes(raw, bytes, EMBERI_JSON_KEY(at, "bytes"), source)
                                 : EMBER_OK;
}

ember_status emberi_ff7_raw_read(ember_raw *out, const json_t *object, const emberi_source *source)
{
    const emberi_json_path *at = EMBERI_JSON_KEY(NULL, "raw");
    const json_t           *held = json_object_get(object, "weapon");
    ember_ff7_clip         *raw = EMBER_PUSH(source->arena, ember_ff7_clip, 2);
    if (raw == NULL)
        return emberi_fail_memory(source->err);
    ember_status status = json_get_raw(raw, object, at, source);
    if (status == EMBER_OK && held != NULL)
        status = json_get_raw(&raw[1], held, EMBERI_JSON_KEY(at, "weapon"), source);
    if (status == EMBER_OK && held != NULL && raw[1].frame_count != 0 && raw[1].triple_count == 1)
        raw->weapon = &raw[1];
    *out = (ember_raw){.format = EMBER_FORMAT_FF7, .data = raw};
    return status;
}
