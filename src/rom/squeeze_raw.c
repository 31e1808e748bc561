/* Records as they are behind the squeezing calls. A block is 16 bytes of header, then the records. */
#include <string.h>

#include "base/bytes.h"
#include "ember/squeeze.h"

#define RAW_HEADER_SIZE 16u

const char *ember_squeeze_method_name(ember_squeeze_method method)
{
    static const char *const names[] = {"raw", "quick", "small"};
    return (unsigned)method < EMBER_SQUEEZE_METHOD_COUNT ? names[method] : "unknown";
}

size_t ember_squeeze_bound(uint32_t bone_count, uint32_t frame_count)
{
    return RAW_HEADER_SIZE + (size_t)bone_count * frame_count * EMBER_KEYFRAME_SIZE;
}

ember_status ember_squeeze_open(ember_squeezed *out, const void *data, size_t size, const ember_squeeze_rig *rig, ember_error *err)
{
    const uint8_t *p = data;
    if (size < RAW_HEADER_SIZE)
        return ember_fail(err, EMBER_E_TRUNCATED, 0, "the block is shorter than its header");
    if (p[0] != EMBER_SQUEEZE_RAW)
        return ember_fail(err, EMBER_E_VERSION, 0, "the block's method is not known");
    *out = (ember_squeezed){EMBER_SQUEEZE_RAW, p[1], emberi_get_u16(p + 2), p + RAW_HEADER_SIZE, size - RAW_HEADER_SIZE, rig};
    if (out->bone_count != rig->bone_count)
        return ember_fail(err, EMBER_E_ARG, 1, "the rig has other bones than the block");
    if (size != ember_squeeze_bound(out->bone_count, out->frame_count))
        return ember_fail(err, EMBER_E_MALFORMED, 0, "the block's size is not that of its records");
    return EMBER_OK;
}

size_t ember_squeeze_cursor_size(const ember_squeezed *block)
{
    (void)block;
    return 0;
}

ember_status ember_squeeze_cursor_init(ember_squeeze_cursor *cursor, const ember_squeezed *block, void *memory, size_t size)
{
    *cursor = (ember_squeeze_cursor){.block = block, .memory = memory, .size = size};
    return EMBER_OK;
}

void ember_squeeze_cursor_reset(ember_squeeze_cursor *cursor)
{
    (void)cursor;
}

ember_status ember_squeeze_read(uint8_t *out, size_t out_size, ember_squeeze_cursor *cursor, uint32_t frame)
{
    size_t size = (size_t)cursor->block->bone_count * EMBER_KEYFRAME_SIZE;
    if (frame >= cursor->block->frame_count)
        return EMBER_E_ARG;
    if (out_size < size)
        return EMBER_E_SPACE;
    memcpy(out, cursor->block->data + frame * size, size);
    return EMBER_OK;
}

ember_status ember_squeeze_encode(ember_squeeze_job *job, ember_arena *scratch)
{
    size_t size = ember_squeeze_bound(job->rig->bone_count, job->frame_count);
    (void)scratch;
    if (job->out_capacity < size)
        return EMBER_E_SPACE;
    memset(job->out, 0, RAW_HEADER_SIZE);
    job->out[1] = (uint8_t)job->rig->bone_count;
    emberi_put_u16(job->out + 2, (uint16_t)job->frame_count);
    memcpy(job->out + RAW_HEADER_SIZE, job->frames, size - RAW_HEADER_SIZE);
    job->out_size = size;
    return EMBER_OK;
}

ember_status ember_squeeze_rig_make(const ember_squeeze_rig_job *job, ember_arena *scratch)
{
    (void)scratch;
    if (job->out_offsets != NULL)
        memset(job->out_offsets, 0, (size_t)job->bone_count * 12);
    memcpy(job->out_rest, job->clips[0], (size_t)job->bone_count * EMBER_KEYFRAME_SIZE);
    return EMBER_OK;
}
