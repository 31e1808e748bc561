/* SPDX-License-Identifier: MIT */
/* The target `madnight`: the library has the rules, this only takes down what it finds. */
#include "verbs/validate/validate_madnight.h"

static const finding_rule madnight_unreadable = {"MAD001", true};

void validate_madnight_unreadable(findings *out, const ember_error *why)
{
    findings_add_error(out, &madnight_unreadable, why);
}

bool validate_madnight_file(findings *out, uint32_t *clip_count, const ember_buffer *bytes,
                            const ember_skeleton *skeleton, ember_error *err)
{
    const ember_findings ears = {findings_take, out};
    return ember_animbin_check_file(clip_count, bytes->data, bytes->size, skeleton, &ears, err) == EMBER_OK;
}

/* As ember_model_write would store it for the player. */
static ember_write_options madnight_writing(const ember_animbin_options *options)
{
    return (ember_write_options){.format = EMBER_FORMAT_ANIMBIN, .animbin = options};
}

bool validate_madnight_model(findings *out, const ember_model *model, const ember_animbin_options *options,
                             ember_error *err)
{
    const ember_write_options writing = madnight_writing(options);
    const ember_findings      ears = {findings_take, out};
    return ember_animbin_check(model, &writing, &ears, err) == EMBER_OK;
}

uint64_t validate_madnight_size(const ember_model *model, const ember_animbin_options *options)
{
    const ember_write_options writing = madnight_writing(options);
    ember_buffer              bytes = {.allocator = ember_heap()};
    uint64_t size = ember_model_write(&bytes, model, &writing, NULL) == EMBER_OK ? bytes.size : 0;
    ember_buffer_free(&bytes);
    return size;
}
