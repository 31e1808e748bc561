/* SPDX-License-Identifier: MIT */
/* Emberware Z keyframes, .ewzanim and .nczxanim: four bytes of header, then 16 bytes per bone and frame. A
   file that is not exactly as long as its header says is refused before anything is allocated. */
#include "codec/ewzanim.h"
#include "format/keyframes/keyframes.h"

static emberi_keyframes ewzanim_keyframes(const uint8_t *data)
{
    emberi_ewzanim_header header = emberi_ewzanim_get(data);
    return (emberi_keyframes){.header_size = EMBERI_EWZANIM_HEADER_SIZE,
                              .record = EMBER_RECORD_EWZ,
                              .bone_count = header.bone_count,
                              .frame_count = header.frame_count};
}

static emberi_likeness ewzanim_sniff(const uint8_t *data, size_t size)
{
    if (size < EMBERI_EWZANIM_HEADER_SIZE)
        return EMBERI_UNLIKE;
    emberi_ewzanim_header header = emberi_ewzanim_get(data);
    bool plausible = header.bone_count != 0 && header.flags == 0 && header.frame_count != 0 &&
                     emberi_ewzanim_size(header.bone_count, header.frame_count) == size;
    return plausible ? EMBERI_PLAUSIBLE : EMBERI_UNLIKE;
}

ember_status emberi_ewzanim_check(emberi_keyframes *out, const uint8_t *data, size_t size, ember_error *err)
{
    if (size < EMBERI_EWZANIM_HEADER_SIZE)
        return emberi_failf(err, EMBER_E_TRUNCATED, size,
                            "animation data truncated: %zu of at least %u bytes", size,
                            EMBERI_EWZANIM_HEADER_SIZE);
    uint32_t flags = emberi_ewzanim_get(data).flags;
    *out = ewzanim_keyframes(data);
    if (out->bone_count == 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 0, "invalid animation header: bone_count is 0");
    if (flags != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 1, "invalid animation header: flags is 0x%02x, must be 0",
                            (unsigned)flags);
    if (out->frame_count == 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 2, "invalid animation header: frame_count is 0");
    return emberi_keyframes_check_size(out, size, err);
}

static ember_status ewzanim_read(ember_model *out, const emberi_source *source)
{
    emberi_keyframes keyframes;
    ember_status     status = emberi_ewzanim_check(&keyframes, source->data, source->size, source->err);
    return status == EMBER_OK ? emberi_keyframes_read(out, &keyframes, source) : status;
}

static ember_status ewzanim_write(ember_buffer *out, const ember_model *model,
                                  const ember_write_options *options, ember_error *err)
{
    const ember_clip *clip = &model->clips[0];
    ember_status      status = emberi_keyframes_check_counts(clip, err);
    if (status != EMBER_OK)
        return status;
    uint8_t *header = ember_buffer_grow(out, EMBERI_EWZANIM_HEADER_SIZE);
    if (header == NULL)
        return emberi_fail_memory(err);
    emberi_ewzanim_put(header, clip->bone_count, clip->frame_count);
    status = emberi_keyframes_write(out, model, clip, EMBER_RECORD_EWZ, options->fit, err);
    if (status == EMBER_OK)
        emberi_note_losses(&options->notes, model, clip, emberi_ewzanim_ops.info.stores);
    return status;
}

const emberi_format_ops emberi_ewzanim_ops = {
    .info = {.format = EMBER_FORMAT_EWZANIM,
             .name = "ewzanim",
             .title = "Emberware Z keyframes",
             .extensions = "ewzanim nczxanim",
             .reads = true,
             .writes = true,
             .one_clip = true,
             .fits = true,
             .default_space = EMBER_SPACE_MODEL,
             .record_offset = EMBERI_EWZANIM_HEADER_SIZE,
             .stores = {.clips = true}},
    .sniff = ewzanim_sniff,
    .read = ewzanim_read,
    .write = ewzanim_write,
};
