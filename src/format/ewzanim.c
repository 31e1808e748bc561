/* SPDX-License-Identifier: MIT */
/* Emberware Z keyframes, .ewzanim and .nczxanim: four bytes of header, then 16 bytes per bone and frame. A
   file that is not exactly as long as its header says is refused before anything is allocated. */
#include "base/bytes.h"
#include "format/keyframes.h"

#define EWZANIM_HEADER_SIZE 4u

static emberi_keyframes ewzanim_header(const uint8_t *data)
{
    emberi_keyframes keyframes = {.header_size = EWZANIM_HEADER_SIZE, .record = EMBER_RECORD_EWZ};
    keyframes.bone_count = data[0];
    keyframes.frame_count = emberi_get_u16(data + 2);
    return keyframes;
}

static emberi_likeness ewzanim_sniff(const uint8_t *data, size_t size)
{
    if (size < EWZANIM_HEADER_SIZE)
        return EMBERI_UNLIKE;
    emberi_keyframes keyframes = ewzanim_header(data);
    bool             plausible = keyframes.bone_count != 0 && data[1] == 0 && keyframes.frame_count != 0 &&
                     emberi_keyframes_size(&keyframes) == size;
    return plausible ? EMBERI_PLAUSIBLE : EMBERI_UNLIKE;
}

ember_status emberi_ewzanim_check(emberi_keyframes *out, const uint8_t *data, size_t size, ember_error *err)
{
    if (size < EWZANIM_HEADER_SIZE)
        return emberi_failf(err, EMBER_E_TRUNCATED, size,
                            "animation data truncated: %zu of at least %u bytes", size, EWZANIM_HEADER_SIZE);
    *out = ewzanim_header(data);
    if (out->bone_count == 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 0, "invalid animation header: bone_count is 0");
    if (data[1] != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 1, "invalid animation header: flags is 0x%02x, must be 0",
                            (unsigned)data[1]);
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
    uint8_t *header = ember_buffer_grow(out, EWZANIM_HEADER_SIZE);
    if (header == NULL)
        return emberi_fail_memory(err);
    header[0] = (uint8_t)clip->bone_count;
    header[1] = 0;
    emberi_put_u16(header + 2, (uint16_t)clip->frame_count);
    status = emberi_keyframes_write(out, model, clip, EMBER_RECORD_EWZ, options->fit, err);
    if (status == EMBER_OK)
        emberi_note_losses(&options->notes, model, clip, (emberi_stored){.names = false});
    return status;
}

const emberi_format_ops emberi_ewzanim_ops = {
    .info = {EMBER_FORMAT_EWZANIM, "ewzanim", "Emberware Z keyframes", "ewzanim nczxanim", true, true, true},
    .sniff = ewzanim_sniff,
    .read = ewzanim_read,
    .write = ewzanim_write,
};
