/* SPDX-License-Identifier: MIT */
/* Squeezed blocks from outside: the header, blocks of no frames or bones, raw ones, and the way to the
   method of the others. Blocks may be hostile; everything here is checked before it is used, the methods
   check the rest. */
#include "squeeze/squeeze_parts.h"

static const char *const squeeze_names[EMBER_SQUEEZE_METHOD_COUNT] = {"raw", "quick", "small"};

const char *ember_squeeze_method_name(ember_squeeze_method method)
{
    return (unsigned)method < EMBER_SQUEEZE_METHOD_COUNT ? squeeze_names[method] : "unknown";
}

/* NULL for raw blocks, and for those without bones or frames, which are nothing but a header. */
static const squeeze_method *squeeze_method_of(ember_squeeze_method method, uint32_t bone_count,
                                               uint32_t frame_count)
{
    if (method == EMBER_SQUEEZE_RAW || bone_count == 0 || frame_count == 0)
        return NULL;
    return method == EMBER_SQUEEZE_QUICK ? &emberi_squeeze_quick : &emberi_squeeze_small;
}

static const squeeze_method *squeeze_method_for(const ember_squeezed *block)
{
    return squeeze_method_of(block->method, block->bone_count, block->frame_count);
}

/* ---- the rig ---- */

static bool squeeze_rig_valid(const ember_squeeze_rig *rig)
{
    return rig != NULL && rig->bone_count <= EMBER_MAX_BONES && (rig->rest != NULL || rig->bone_count == 0) &&
           squeeze_parents_valid(rig->parents, rig->bone_count);
}

/* ---- opening ---- */

ember_status ember_squeeze_open(ember_squeezed *out, const void *data, size_t size,
                                const ember_squeeze_rig *rig, ember_error *err)
{
    EMBERI_ASSERT(out != NULL && (data != NULL || size == 0));
    const uint8_t *bytes = data;
    ember_squeezed block = {.method = EMBER_SQUEEZE_RAW, .data = bytes, .size = size};
    if (!squeeze_rig_valid(rig))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the rig of a squeezed clip is not valid");
    if (size < 1)
        return ember_fail(err, EMBER_E_TRUNCATED, 0, "squeezed clip is empty");
    if (bytes[0] >= EMBER_SQUEEZE_METHOD_COUNT)
        return ember_fail(err, EMBER_E_VERSION, 0, "squeezed clip is of a method that is not known");
    if (size < SQUEEZE_HEADER_SIZE)
        return ember_fail(err, EMBER_E_TRUNCATED, 0, "squeezed clip ends inside of its header");
    block.rig = *rig;
    block.method = (ember_squeeze_method)bytes[0];
    block.bone_count = bytes[1];
    block.frame_count = emberi_get_u16(bytes + 2);
    if (block.bone_count != rig->bone_count)
        return ember_fail(err, EMBER_E_ARG, 1, "squeezed clip has another number of bones than its rig");

    const squeeze_method *method = squeeze_method_for(&block);
    if (method != NULL) {
        ember_status status = method->open(&block, err);
        if (status != EMBER_OK)
            return status;
    } else {
        const uint64_t records = block.method == EMBER_SQUEEZE_RAW
                                     ? (uint64_t)block.bone_count * block.frame_count * EMBER_KEYFRAME_SIZE
                                     : 0;
        if (size - SQUEEZE_HEADER_SIZE < records)
            return ember_fail(err, EMBER_E_TRUNCATED, size, "squeezed clip ends inside of its records");
        if (size - SQUEEZE_HEADER_SIZE > records)
            return ember_fail(err, EMBER_E_MALFORMED, SQUEEZE_HEADER_SIZE + records,
                              "squeezed clip has extra bytes");
        block.data = bytes + SQUEEZE_HEADER_SIZE;
        block.size = size - SQUEEZE_HEADER_SIZE;
    }
    *out = block;
    return EMBER_OK;
}

/* ---- reading ---- */

size_t ember_squeeze_cursor_size(const ember_squeezed *block)
{
    EMBERI_ASSERT(block != NULL);
    const squeeze_method *method = squeeze_method_for(block);
    return method != NULL ? method->cursor_size(block) : 0;
}

ember_status ember_squeeze_cursor_init(ember_squeeze_cursor *cursor, const ember_squeezed *block,
                                       void *memory, size_t size)
{
    EMBERI_ASSERT(cursor != NULL && block != NULL);
    const squeeze_method *method = squeeze_method_for(block);
    const bool            without = memory == NULL && (method == NULL || method == &emberi_squeeze_quick);
    if (((uintptr_t)memory & 15u) != 0)
        return EMBER_E_ARG;
    if (!without && (memory == NULL || size < ember_squeeze_cursor_size(block)))
        return EMBER_E_SPACE;
    *cursor = (ember_squeeze_cursor){.block = block, .memory = memory, .size = size};
    ember_squeeze_cursor_reset(cursor);
    return EMBER_OK;
}

void ember_squeeze_cursor_reset(ember_squeeze_cursor *cursor)
{
    EMBERI_ASSERT(cursor != NULL && cursor->block != NULL);
    const squeeze_method *method = squeeze_method_for(cursor->block);
    if (method != NULL)
        method->cursor_reset(cursor);
}

ember_status ember_squeeze_read(uint8_t *out, size_t out_size, ember_squeeze_cursor *cursor, uint32_t frame)
{
    EMBERI_ASSERT(cursor != NULL && cursor->block != NULL);
    const ember_squeezed *block = cursor->block;
    const size_t          frame_size = (size_t)block->bone_count * EMBER_KEYFRAME_SIZE;
    if (frame >= block->frame_count || (out == NULL && frame_size != 0))
        return EMBER_E_ARG;
    if (out_size < frame_size)
        return EMBER_E_SPACE;
    if (frame_size == 0)
        return EMBER_OK;

    const squeeze_method *method = squeeze_method_for(block);
    if (method == NULL) {
        emberi_copy(out, block->data + (size_t)frame * frame_size, frame_size);
        return EMBER_OK;
    }
    ember_status status = method->read(out, cursor, frame);
    if (status != EMBER_OK)
        method->cursor_reset(cursor);
    return status;
}

/* ---- encoding ---- */

/* For small, the worst: a component of 16 bits and a sign takes 17 zeros, a one and 17 more bits, and a
   rotation may be written twice. */
#define BOUND_BONE_FRAME 64u
#define BOUND_FRAME 16u
#define BOUND_BONE 64u
#define BOUND_BLOCK 64u

size_t ember_squeeze_bound(uint32_t bone_count, uint32_t frame_count)
{
    const uint64_t bound = (uint64_t)bone_count * frame_count * BOUND_BONE_FRAME +
                           (uint64_t)frame_count * BOUND_FRAME + (uint64_t)bone_count * BOUND_BONE +
                           BOUND_BLOCK;
    return bound < SIZE_MAX ? (size_t)bound : SIZE_MAX;
}

ember_status ember_squeeze_encode(ember_squeeze_job *job, ember_arena *scratch)
{
    EMBERI_ASSERT(job != NULL && scratch != NULL);
    if (!squeeze_rig_valid(job->rig) || (unsigned)job->method >= EMBER_SQUEEZE_METHOD_COUNT ||
        job->out == NULL || job->frame_count > EMBER_MAX_FRAMES ||
        (job->frames == NULL && job->frame_count != 0 && job->rig->bone_count != 0))
        return EMBER_E_ARG;
    job->out_size = 0;
    if (job->out_capacity < SQUEEZE_HEADER_SIZE)
        return EMBER_E_SPACE;
    job->out[0] = (uint8_t)job->method;
    job->out[1] = (uint8_t)job->rig->bone_count;
    emberi_put_u16(job->out + 2, (uint16_t)job->frame_count);

    const squeeze_method *method = squeeze_method_of(job->method, job->rig->bone_count, job->frame_count);
    if (method == NULL) {
        const uint64_t records = job->method == EMBER_SQUEEZE_RAW
                                     ? (uint64_t)job->rig->bone_count * job->frame_count * EMBER_KEYFRAME_SIZE
                                     : 0;
        if (job->out_capacity - SQUEEZE_HEADER_SIZE < records)
            return EMBER_E_SPACE;
        if (records != 0)
            emberi_copy(job->out + SQUEEZE_HEADER_SIZE, job->frames, (size_t)records);
        job->out_size = SQUEEZE_HEADER_SIZE + (size_t)records;
        return EMBER_OK;
    }
    ember_arena_mark mark = ember_arena_save(scratch);
    ember_status     status = method->encode(job, scratch);
    ember_arena_restore(scratch, mark);
    return status;
}
