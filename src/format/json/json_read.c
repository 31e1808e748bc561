/* SPDX-License-Identifier: MIT */
/* Ember's JSON clip form, read. Every count is that of an array that is there; what contradicts the form is
   refused with its place in the document, what is not known is ignored with a note. */
#include <stdlib.h>
#include <string.h>

#include "ember/pose.h"
#include "format/json/json.h"
#include "format/json/json_in.h"
#include "model/skeleton.h"

#define JSON_SNIFF_SIZE ((size_t)4096)

emberi_likeness emberi_json_sniff(const uint8_t *data, size_t size)
{
    static const char word[] = "\"" EMBERI_JSON_FORMAT "\"";
    const size_t      word_size = sizeof(word) - 1;
    size_t            i = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n'))
        i++;
    if (i >= size || data[i] != '{')
        return EMBERI_UNLIKE;
    size_t end = size < JSON_SNIFF_SIZE ? size : JSON_SNIFF_SIZE;
    for (; i + word_size <= end; i++)
        if (memcmp(data + i, word, word_size) == 0)
            return EMBERI_CERTAIN;
    return EMBERI_UNLIKE;
}

/* ---- names that are there twice ---- */

static int json_compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts `names`. Bones and clips may share a name, but whoever asks for one by name will miss the others. */
static void json_note_doubles(const char **names, size_t count, const char *key, const char *what,
                              const emberi_source *source)
{
    size_t      doubles = 0;
    const char *first = NULL;
    qsort(names, count, sizeof(names[0]), json_compare_names);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(names[i - 1], names[i]) != 0 || (i > 1 && strcmp(names[i - 2], names[i]) == 0))
            continue;
        doubles++;
        first = first != NULL ? first : names[i];
    }
    if (doubles != 0)
        emberi_json_note(source, EMBER_NOTE_WARNING, EMBERI_JSON_KEY(NULL, key),
                         "%zu name%s used for more than one %s, first: %s", doubles,
                         doubles == 1 ? " is" : "s are", what, emberi_quote(first).text);
}

/* ---- bones ---- */

typedef struct json_bones {
    int16_t         *parents;
    const char     **names;
    const char     **sorted;
    ember_transform *rest;
    bool             has_rest;
} json_bones;

static ember_status json_read_bone(json_bones *bones, size_t i, const json_t *value,
                                   const emberi_json_path *at, const emberi_source *source)
{
    int64_t parent = -1;
    EMBERI_TRY(emberi_json_want(value, JSON_OBJECT, at, source));
    EMBERI_TRY(emberi_json_get_name(&bones->names[i], json_object_get(value, "name"),
                                    EMBERI_JSON_KEY(at, "name"), source));
    /* The rule of base/hierarchy.h as a range, which the message names. */
    EMBERI_TRY(emberi_json_get_whole(&parent, json_object_get(value, "parent"), EMBER_NO_PARENT,
                                     (int64_t)i - 1, EMBERI_JSON_KEY(at, "parent"), source));
    bones->parents[i] = (int16_t)parent;
    bones->rest[i] = ember_transform_identity;
    const json_t *rest = json_object_get(value, "rest");
    if (rest != NULL) {
        bones->has_rest = true;
        EMBERI_TRY(emberi_json_get_transform(&bones->rest[i], rest, EMBERI_JSON_KEY(at, "rest"), source));
    }
    emberi_json_note_unknown(value, "name parent rest", at, source);
    return EMBER_OK;
}

static ember_status json_read_bones(ember_skeleton *out, const json_t *array, const emberi_source *source)
{
    const emberi_json_path *at = EMBERI_JSON_KEY(NULL, "bones");
    size_t                  count = json_array_size(array);
    EMBERI_TRY(emberi_json_want(array, JSON_ARRAY, at, source));
    if (count > EMBERI_MODEL_MAX_BONES)
        return emberi_json_fail(source, EMBER_E_LIMIT, at, "%zu bones, at most %u are possible", count,
                                EMBERI_MODEL_MAX_BONES);
    json_bones bones = {EMBER_PUSH(source->arena, int16_t, count),
                        EMBER_PUSH(source->arena, const char *, count),
                        EMBER_PUSH(source->arena, const char *, count),
                        EMBER_PUSH(source->arena, ember_transform, count), false};
    if (bones.parents == NULL || bones.names == NULL || bones.sorted == NULL || bones.rest == NULL)
        return emberi_fail_memory(source->err);
    for (size_t i = 0; i < count; i++)
        EMBERI_TRY(json_read_bone(&bones, i, json_array_get(array, i), EMBERI_JSON_INDEX(at, i), source));
    if (count == 0)
        return EMBER_OK;
    memcpy(bones.sorted, bones.names, count * sizeof(bones.names[0]));
    json_note_doubles(bones.sorted, count, "bones", "bone", source);
    out->bone_count = (uint32_t)count;
    out->parents = bones.parents;
    out->names = bones.names;
    out->rest = bones.has_rest ? bones.rest : NULL;
    return EMBER_OK;
}

/* ---- clips ---- */

static ember_status json_read_space(ember_space *out, const json_t *value, const emberi_json_path *at,
                                    const emberi_source *source)
{
    EMBERI_TRY(emberi_json_want(value, JSON_STRING, at, source));
    const char *text = json_string_value(value);
    *out = strcmp(text, "model") == 0   ? EMBER_SPACE_MODEL
           : strcmp(text, "local") == 0 ? EMBER_SPACE_LOCAL
                                        : EMBER_SPACE_UNSTATED;
    if (*out == EMBER_SPACE_UNSTATED)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%s, must be \"model\" or \"local\"",
                                emberi_quote(text).text);
    return EMBER_OK;
}

static ember_status json_read_fps(double *out, const json_t *value, const emberi_json_path *at,
                                  const emberi_source *source)
{
    if (value != NULL)
        EMBERI_TRY(emberi_json_want(value, JSON_REAL, at, source));
    *out = value != NULL ? json_number_value(value) : 0.0;
    if (!(*out >= 0.0))
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%g, must not be negative", *out);
    return EMBER_OK;
}

/* Which bones of the skeleton the clip moves; without the key, all. */
static ember_status json_read_clip_bones(ember_clip *out, const json_t *array, uint32_t bone_count,
                                         const emberi_json_path *at, const emberi_source *source)
{
    bool in_order = true;
    out->bone_count = bone_count;
    if (array == NULL)
        return EMBER_OK;
    EMBERI_TRY(emberi_json_want(array, JSON_ARRAY, at, source));
    size_t count = json_array_size(array);
    if (count > bone_count)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%zu bones, the skeleton has %u", count,
                                (unsigned)bone_count);
    uint16_t *bones = EMBER_PUSH(source->arena, uint16_t, count);
    if (bones == NULL)
        return emberi_fail_memory(source->err);
    for (size_t i = 0; i < count; i++) {
        int64_t bone = 0;
        EMBERI_TRY(emberi_json_get_whole(&bone, json_array_get(array, i), 0, (int64_t)bone_count - 1,
                                         EMBERI_JSON_INDEX(at, i), source));
        bones[i] = (uint16_t)bone;
        in_order = in_order && bones[i] == i;
    }
    out->bone_count = (uint32_t)count;
    out->bones = in_order ? NULL : bones;
    return EMBER_OK;
}

static ember_status json_read_frame(ember_transform *out, uint32_t bone_count, const json_t *array,
                                    const emberi_json_path *at, const emberi_source *source)
{
    EMBERI_TRY(emberi_json_want(array, JSON_ARRAY, at, source));
    if (json_array_size(array) != bone_count)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%zu bones, must be %u",
                                json_array_size(array), (unsigned)bone_count);
    for (size_t i = 0; i < bone_count; i++)
        EMBERI_TRY(
            emberi_json_get_transform(&out[i], json_array_get(array, i), EMBERI_JSON_INDEX(at, i), source));
    return EMBER_OK;
}

/* The clip's bones are known already. */
static ember_status json_read_frames(ember_clip *out, const json_t *clip, const emberi_json_path *up,
                                     const emberi_source *source)
{
    const emberi_json_path *at = EMBERI_JSON_KEY(up, "frames");
    const json_t           *array = json_object_get(clip, "frames");
    int64_t                 said = 0;
    EMBERI_TRY(emberi_json_get_whole(&said, json_object_get(clip, "frame_count"), 0, UINT32_MAX,
                                     EMBERI_JSON_KEY(up, "frame_count"), source));
    if (array == NULL && said == 0)
        return EMBER_OK;
    EMBERI_TRY(emberi_json_want(array, JSON_ARRAY, at, source));
    size_t count = json_array_size(array);
    if (count != (uint64_t)said)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%zu frames, but frame_count is %jd", count,
                                (intmax_t)said);
    /* All bones of all frames are there before memory is asked for; a frame that lacks some is refused by
       json_read_frame. */
    for (size_t i = 0; i < count; i++)
        if (json_array_size(json_array_get(array, i)) != out->bone_count)
            return json_read_frame(NULL, out->bone_count, json_array_get(array, i), EMBERI_JSON_INDEX(at, i),
                                   source);
    ember_transform *frames =
        ember_arena_push(source->arena, count, out->bone_count * sizeof(ember_transform),
                         _Alignof(ember_transform));
    if (frames == NULL)
        return emberi_fail_memory(source->err);
    for (size_t i = 0; i < count; i++)
        EMBERI_TRY(json_read_frame(frames + i * out->bone_count, out->bone_count, json_array_get(array, i),
                                   EMBERI_JSON_INDEX(at, i), source));
    out->frame_count = (uint32_t)count;
    out->frames = frames;
    return EMBER_OK;
}

static ember_status json_read_marker(ember_marker *out, const json_t *value, uint32_t frame_count,
                                     const emberi_json_path *at, const emberi_source *source)
{
    int64_t frame = 0;
    EMBERI_TRY(emberi_json_want(value, JSON_OBJECT, at, source));
    EMBERI_TRY(emberi_json_get_name(&out->name, json_object_get(value, "name"), EMBERI_JSON_KEY(at, "name"),
                                    source));
    EMBERI_TRY(emberi_json_get_whole(&frame, json_object_get(value, "frame"), 0, (int64_t)frame_count - 1,
                                     EMBERI_JSON_KEY(at, "frame"), source));
    out->frame = (uint32_t)frame;
    emberi_json_note_unknown(value, "name frame", at, source);
    return EMBER_OK;
}

static ember_status json_read_markers(ember_clip *out, const json_t *array, const emberi_json_path *at,
                                      const emberi_source *source)
{
    size_t count = json_array_size(array);
    if (array != NULL)
        EMBERI_TRY(emberi_json_want(array, JSON_ARRAY, at, source));
    if (count == 0)
        return EMBER_OK;
    ember_marker *markers = EMBER_PUSH(source->arena, ember_marker, count);
    if (markers == NULL || count > UINT32_MAX)
        return emberi_fail_memory(source->err);
    for (size_t i = 0; i < count; i++)
        EMBERI_TRY(json_read_marker(&markers[i], json_array_get(array, i), out->frame_count,
                                    EMBERI_JSON_INDEX(at, i), source));
    out->marker_count = (uint32_t)count;
    out->markers = markers;
    return EMBER_OK;
}

/* Values that are not those the file was written with were edited; so may have been those without a check. */
static ember_status json_check_raw(ember_clip *out, const json_t *object, const emberi_format_ops *ops,
                                   const emberi_source *source)
{
    char        check[EMBERI_JSON_CHECK_SIZE];
    const char *written = json_string_value(json_object_get(object, "check"));
    if (written != NULL)
        EMBERI_TRY(emberi_json_raw_check(check, out, ops, ember_heap(), source->err));
    out->raw.edited = written == NULL || strcmp(written, check) != 0;
    return EMBER_OK;
}

static ember_status json_read_raw(ember_clip *out, const json_t *object, const emberi_json_path *at,
                                  const emberi_source *source)
{
    if (object != NULL)
        EMBERI_TRY(emberi_json_want(object, JSON_OBJECT, at, source));
    if (json_object_size(object) == 0)
        return EMBER_OK;
    const emberi_json_path *format_at = EMBERI_JSON_KEY(at, "format");
    const json_t           *format = json_object_get(object, "format");
    EMBERI_TRY(emberi_json_want(format, JSON_STRING, format_at, source));
    const ember_format_info *info = ember_format_by_name(json_string_value(format));
    const emberi_format_ops *ops = info != NULL ? emberi_format_ops_of(info->format) : NULL;
    if (ops != NULL && ops->raw_read != NULL) {
        EMBERI_TRY(ops->raw_read(&out->raw, object, source));
        return ops->raw_write != NULL ? json_check_raw(out, object, ops, source) : EMBER_OK;
    }
    emberi_json_note(source, EMBER_NOTE_WARNING, at, "values of format %s are not known, ignored",
                     emberi_quote(json_string_value(format)).text);
    return EMBER_OK;
}

static ember_status json_read_clip(ember_clip *out, const json_t *value, const ember_skeleton *skeleton,
                                   const emberi_json_path *at, const emberi_source *source)
{
    EMBERI_TRY(emberi_json_want(value, JSON_OBJECT, at, source));
    EMBERI_TRY(emberi_json_get_name(&out->name, json_object_get(value, "name"), EMBERI_JSON_KEY(at, "name"),
                                    source));
    EMBERI_TRY(json_read_fps(&out->fps, json_object_get(value, "fps"), EMBERI_JSON_KEY(at, "fps"), source));
    if (json_object_get(value, "loop") != NULL)
        EMBERI_TRY(emberi_json_get_bool(&out->loop, json_object_get(value, "loop"),
                                        EMBERI_JSON_KEY(at, "loop"), source));
    EMBERI_TRY(
        json_read_space(&out->space, json_object_get(value, "space"), EMBERI_JSON_KEY(at, "space"), source));
    EMBERI_TRY(json_read_clip_bones(out, json_object_get(value, "bones"), skeleton->bone_count,
                                    EMBERI_JSON_KEY(at, "bones"), source));
    EMBERI_TRY(json_read_frames(out, value, at, source));
    EMBERI_TRY(
        json_read_markers(out, json_object_get(value, "markers"), EMBERI_JSON_KEY(at, "markers"), source));
    EMBERI_TRY(json_read_raw(out, json_object_get(value, "raw"), EMBERI_JSON_KEY(at, "raw"), source));
    out->fps = emberi_source_fps(source, out->fps);
    out->loop = out->loop || source->options->loop;
    out->space = emberi_source_space(source, out->space);
    emberi_json_note_unknown(value, "name fps loop space frame_count frames markers raw bones", at, source);
    emberi_note_not_finite(&source->options->notes, skeleton, out);
    return EMBER_OK;
}

static ember_status json_read_clips(ember_model *out, const json_t *array, const emberi_source *source)
{
    const emberi_json_path *at = EMBERI_JSON_KEY(NULL, "clips");
    size_t                  count = json_array_size(array);
    EMBERI_TRY(emberi_json_want(array, JSON_ARRAY, at, source));
    if (count == 0)
        return EMBER_OK;
    ember_clip  *clips = EMBER_PUSH(source->arena, ember_clip, count);
    const char **names = EMBER_PUSH(source->arena, const char *, count);
    if (clips == NULL || names == NULL || count > INT32_MAX)
        return emberi_fail_memory(source->err);
    for (size_t i = 0; i < count; i++) {
        EMBERI_TRY(json_read_clip(&clips[i], json_array_get(array, i), &out->skeleton,
                                  EMBERI_JSON_INDEX(at, i), source));
        names[i] = clips[i].name;
    }
    json_note_doubles(names, count, "clips", "clip", source);
    out->clip_count = (uint32_t)count;
    out->clips = clips;
    return EMBER_OK;
}

/* ---- the document ---- */

static ember_status json_check_head(const json_t *document, const emberi_source *source)
{
    const emberi_json_path *at = EMBERI_JSON_KEY(NULL, "format");
    const json_t           *format = json_object_get(document, "format");
    EMBERI_TRY(emberi_json_want(document, JSON_OBJECT, NULL, source));
    EMBERI_TRY(emberi_json_want(format, JSON_STRING, at, source));
    if (!json_string_is(format, EMBERI_JSON_FORMAT))
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%s, must be \"%s\"",
                                emberi_quote(json_string_value(format)).text, EMBERI_JSON_FORMAT);
    const json_t *version = json_object_get(document, "version");
    at = EMBERI_JSON_KEY(NULL, "version");
    EMBERI_TRY(emberi_json_want(version, JSON_REAL, at, source));
    if (json_number_value(version) != EMBERI_JSON_VERSION)
        return emberi_json_fail(source, EMBER_E_VERSION, at, "%.9g, only %d is known",
                                json_number_value(version), EMBERI_JSON_VERSION);
    return EMBER_OK;
}

ember_status emberi_json_read(ember_model *out, const emberi_source *source)
{
    ember_arena   memory = ember_arena_growing(emberi_source_heap(source), SIZE_MAX);
    const json_t *document = emberi_json_load(source, &memory);
    ember_status  status = document != NULL ? json_check_head(document, source) : source->err->status;
    if (status == EMBER_OK)
        status = json_read_bones(&out->skeleton, json_object_get(document, "bones"), source);
    if (status == EMBER_OK)
        status = json_read_clips(out, json_object_get(document, "clips"), source);
    if (status == EMBER_OK)
        emberi_json_note_unknown(document, "format version bones clips", NULL, source);
    ember_arena_free(&memory);
    return status;
}
