/* SPDX-License-Identifier: MIT */
/* The draft's clips, .eza: sixteen bytes of header, then one of five records per bone and frame. A header
   that contradicts itself, and a file that is not exactly as long as it says, are refused before anything
   is allocated. */
#include <string.h>

#include "base/bytes.h"
#include "base/maths.h"
#include "ember/format_options.h"
#include "format/keyframes/keyframes.h"

#define EZA_HEADER_SIZE 16u
#define EZA_VERSION 1u
#define EZA_HAS_SCALE 0x01u
#define EZA_LOOPING 0x02u

static const uint8_t eza_magic[4] = {'E', 'W', 'Z', 'A'};

/* What the first reserved byte says of the record; A and B share 0 and are told by the scale flag. */
static const struct eza_record {
    ember_record record;
    uint8_t      code;
    bool         has_scale;
    char         letter;
} eza_records[] = {
    {EMBER_RECORD_A, 0, true, 'A'},  {EMBER_RECORD_B, 0, false, 'B'}, {EMBER_RECORD_C, 3, true, 'C'},
    {EMBER_RECORD_D, 4, false, 'D'}, {EMBER_RECORD_E, 5, true, 'E'},
};

#define EZA_RECORD_COUNT (sizeof(eza_records) / sizeof(eza_records[0]))

static const struct eza_record *eza_record_of(ember_record record)
{
    for (size_t i = 0; i < EZA_RECORD_COUNT; i++)
        if (eza_records[i].record == record)
            return &eza_records[i];
    return NULL;
}

static const struct eza_record *eza_record_by_code(uint8_t code, bool has_scale)
{
    for (size_t i = 0; i < EZA_RECORD_COUNT; i++)
        if (eza_records[i].code == code && (code != 0 || eza_records[i].has_scale == has_scale))
            return &eza_records[i];
    return NULL;
}

/* ---- reading ---- */

static emberi_likeness eza_sniff(const uint8_t *data, size_t size)
{
    if (size >= sizeof(eza_magic) && memcmp(data, eza_magic, sizeof(eza_magic)) == 0)
        return EMBERI_CERTAIN;
    return EMBERI_UNLIKE;
}

static ember_status eza_check_fixed(const uint8_t *data, size_t size, ember_error *err)
{
    if (memcmp(data, eza_magic, size < sizeof(eza_magic) ? size : sizeof(eza_magic)) != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 0, "invalid animation header: does not start with EWZA");
    if (size < EZA_HEADER_SIZE)
        return emberi_failf(err, EMBER_E_TRUNCATED, size,
                            "animation data truncated: %zu of at least %u bytes", size, EZA_HEADER_SIZE);
    if (data[4] != EZA_VERSION)
        return emberi_failf(err, EMBER_E_VERSION, 4,
                            "invalid animation header: version is %u, only %u is known", (unsigned)data[4],
                            EZA_VERSION);
    if ((data[5] & ~(EZA_HAS_SCALE | EZA_LOOPING)) != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 5,
                            "invalid animation header: flags is 0x%02x, only 0x03 are known",
                            (unsigned)data[5]);
    for (unsigned i = 13; i < EZA_HEADER_SIZE; i++)
        if (data[i] != 0)
            return emberi_failf(err, EMBER_E_MALFORMED, i,
                                "invalid animation header: reserved byte %u is 0x%02x, must be 0", i - 12,
                                (unsigned)data[i]);
    return EMBER_OK;
}

static ember_status eza_check_counts(const emberi_keyframes *keyframes, ember_error *err)
{
    if (keyframes->bone_count == 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 6, "invalid animation header: bone_count is 0");
    if (keyframes->bone_count > EMBER_MAX_BONES)
        return emberi_failf(err, EMBER_E_LIMIT, 6, "%u bones, at most %u are possible",
                            (unsigned)keyframes->bone_count, EMBER_MAX_BONES);
    if (keyframes->frame_count == 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 8, "invalid animation header: frame_count is 0");
    return EMBER_OK;
}

ember_status emberi_eza_check(emberi_keyframes *out, const uint8_t *data, size_t size, ember_error *err)
{
    ember_status status = eza_check_fixed(data, size, err);
    if (status != EMBER_OK)
        return status;
    const struct eza_record *kind = eza_record_by_code(data[12], (data[5] & EZA_HAS_SCALE) != 0);
    if (kind == NULL)
        return emberi_failf(err, EMBER_E_VERSION, 12,
                            "invalid animation header: record format %u is not known (0, 3, 4, 5)",
                            (unsigned)data[12]);
    *out = (emberi_keyframes){.header_size = EZA_HEADER_SIZE, .record = kind->record};
    out->bone_count = emberi_get_u16(data + 6);
    out->frame_count = emberi_get_u16(data + 8);
    out->fps = emberi_get_u16(data + 10) / 256.0;
    out->loop = (data[5] & EZA_LOOPING) != 0;
    status = eza_check_counts(out, err);
    return status == EMBER_OK ? emberi_keyframes_check_size(out, size, err) : status;
}

static ember_status eza_read(ember_model *out, const emberi_source *source)
{
    emberi_keyframes keyframes;
    ember_status     status = emberi_eza_check(&keyframes, source->data, source->size, source->err);
    if (status == EMBER_OK)
        status = emberi_keyframes_read(out, &keyframes, source);
    if (status != EMBER_OK)
        return status;
    const struct eza_record *kind = eza_record_of(keyframes.record);
    if (((source->data[5] & EZA_HAS_SCALE) != 0) != kind->has_scale)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, out->clips[0].name, NULL,
                     "the header's scale flag contradicts record %c, and is ignored", kind->letter);
    return status;
}

/* ---- writing: which record ---- */

static bool eza_is_one(ember_vec3 scale)
{
    const uint16_t one = 0x3c00;
    return ember_f16_from_f32(scale.x) == one && ember_f16_from_f32(scale.y) == one &&
           ember_f16_from_f32(scale.z) == one;
}

/* Equal once they are half floats; record E keeps floats. */
static bool eza_is_uniform(ember_vec3 scale, ember_record record)
{
    if (record == EMBER_RECORD_E)
        return scale.x == scale.y && scale.y == scale.z;
    uint16_t x = ember_f16_from_f32(scale.x);
    return x == ember_f16_from_f32(scale.y) && x == ember_f16_from_f32(scale.z);
}

static ember_record eza_smallest_record(const ember_clip *clip)
{
    size_t       count = (size_t)clip->bone_count * clip->frame_count;
    ember_record record = EMBER_RECORD_B;
    for (size_t i = 0; i < count; i++) {
        if (!eza_is_uniform(clip->frames[i].scale, EMBER_RECORD_A))
            return EMBER_RECORD_C;
        if (!eza_is_one(clip->frames[i].scale))
            record = EMBER_RECORD_A;
    }
    return record;
}

static bool eza_keeps_scale(ember_vec3 scale, const struct eza_record *kind)
{
    if (kind->record == EMBER_RECORD_C)
        return true;
    return kind->has_scale ? eza_is_uniform(scale, kind->record) : eza_is_one(scale);
}

/* ---- writing: what is lost ---- */

static void eza_note_scales(const ember_notes *notes, const ember_clip *clip, const struct eza_record *kind)
{
    unsigned bones = 0;
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        bool kept = true;
        for (uint32_t frame = 0; frame < clip->frame_count && kept; frame++)
            kept = eza_keeps_scale(clip->frames[(size_t)frame * clip->bone_count + i].scale, kind);
        bones += kept ? 0u : 1u;
    }
    if (bones == 0)
        return;
    if (kind->has_scale)
        emberi_notef(notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "scales of %u bone%s are not uniform, their mean is stored", bones,
                     bones == 1 ? "" : "s");
    else
        emberi_notef(notes, EMBER_NOTE_LOSS, clip->name, NULL, "scales of %u bone%s are not stored", bones,
                     bones == 1 ? "" : "s");
}

static float eza_length(ember_vec3 v) { return emberi_sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/* Record D has no z: a reader makes it from the rest length, which fits only bones that keep their length and
   side. `records` are the bytes just written. */
static void eza_note_depth(const ember_notes *notes, const ember_model *model, const ember_clip *clip,
                           const uint8_t *records)
{
    const ember_transform *rest = model->skeleton.rest;
    const size_t           size = ember_record_size(EMBER_RECORD_D);
    unsigned               bones = 0;
    float                  worst = 0.0f;
    if (rest == NULL) {
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "z of the positions is not stored, and without a rest pose it cannot be restored");
        return;
    }
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        const ember_vec3 *at = &rest[ember_clip_bone(clip, i)].position;
        bool              kept = true;
        for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
            size_t          index = (size_t)frame * clip->bone_count + i;
            ember_transform back = ember_record_decode(records + index * size, EMBER_RECORD_D, at);
            float           off = emberi_abs(back.position.z - clip->frames[index].position.z);
            if (off <= 0.01f * eza_length(*at))
                continue;
            kept = false;
            worst = off > worst ? off : worst;
        }
        bones += kept ? 0u : 1u;
    }
    if (bones != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "z of %u bone%s cannot be restored from the rest length, the worst is %g off", bones,
                     bones == 1 ? "" : "s", (double)worst);
}

/* ---- writing ---- */

/* The rate in 1/256; 0 means unknown, so that a rate must not round to it. */
static ember_status eza_rate(uint16_t *out, const ember_clip *clip, const ember_notes *notes,
                             ember_error *err)
{
    double scaled = clip->fps * 256.0 + 0.5;
    if (scaled >= 65536.0 || (clip->fps > 0.0 && scaled < 1.0))
        return emberi_fail_at(err, EMBER_E_RANGE, emberi_place_clip(clip, 0),
                              "a rate of %g does not fit, must be 1/256 to 255.996", clip->fps);
    *out = (uint16_t)scaled;
    if (*out / 256.0 != clip->fps)
        emberi_notef(notes, EMBER_NOTE_LOSS, clip->name, NULL, "the rate of %.9g is stored as %.9g",
                     clip->fps, *out / 256.0);
    return EMBER_OK;
}

static ember_status eza_write_header(ember_buffer *out, const ember_clip *clip, const struct eza_record *kind,
                                     const ember_notes *notes, ember_error *err)
{
    uint16_t     rate = 0;
    ember_status status = eza_rate(&rate, clip, notes, err);
    if (status != EMBER_OK)
        return status;
    uint8_t *header = ember_buffer_grow(out, EZA_HEADER_SIZE);
    if (header == NULL)
        return emberi_fail_memory(err);
    memset(header, 0, EZA_HEADER_SIZE);
    memcpy(header, eza_magic, sizeof(eza_magic));
    header[4] = EZA_VERSION;
    header[5] = (uint8_t)((kind->has_scale ? EZA_HAS_SCALE : 0u) | (clip->loop ? EZA_LOOPING : 0u));
    emberi_put_u16(header + 6, (uint16_t)clip->bone_count);
    emberi_put_u16(header + 8, (uint16_t)clip->frame_count);
    emberi_put_u16(header + 10, rate);
    header[12] = kind->code;
    return EMBER_OK;
}

static ember_status eza_write(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                              ember_error *err)
{
    const ember_eza_options *asked = options->eza;
    const ember_clip        *clip = &model->clips[0];
    ember_record record = asked != NULL && asked->record_set ? asked->record : eza_smallest_record(clip);
    if (record == EMBER_RECORD_EWZ)
        record = EMBER_RECORD_C; /* the same fields; the file says how rotations are stored */
    const struct eza_record *kind = eza_record_of(record);
    if (kind == NULL)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "%d is not a record", (int)record);
    ember_status status = emberi_keyframes_check_counts(clip, err);
    if (status == EMBER_OK)
        status = eza_write_header(out, clip, kind, &options->notes, err);
    size_t start = out->size;
    if (status == EMBER_OK)
        status = emberi_keyframes_write(out, model, clip, record, options->fit, err);
    if (status != EMBER_OK)
        return status;
    emberi_note_losses(&options->notes, model, clip, emberi_eza_ops.info.stores);
    eza_note_scales(&options->notes, clip, kind);
    if (record == EMBER_RECORD_D)
        eza_note_depth(&options->notes, model, clip, out->data + start);
    return EMBER_OK;
}

const emberi_format_ops emberi_eza_ops = {
    .info = {.format = EMBER_FORMAT_EZA,
             .name = "eza",
             .title = "Emberware Z draft clips",
             .extensions = "eza",
             .reads = true,
             .writes = true,
             .one_clip = true,
             .fits = true,
             .default_space = EMBER_SPACE_MODEL,
             .record_offset = EZA_HEADER_SIZE,
             .takes = EMBER_TAKES_EZA,
             .stores = {.clips = true, .rate = true, .loop = true}},
    .sniff = eza_sniff,
    .read = eza_read,
    .write = eza_write,
};
