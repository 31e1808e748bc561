/* SPDX-License-Identifier: MIT */
/* The parts of a file of lean clips. Every count and size is compared with the bytes that are left before it
   is used; lean_open.c checks rigs and clips themselves. */
#include <string.h>

#include "base/hierarchy.h"
#include "base/maths.h"
#include "format/lean/ewzlean.h"

static ember_status ewzlean_truncated(size_t size, const char *where, ember_error *err)
{
    return emberi_failf(err, EMBER_E_TRUNCATED, size, "lean clips truncated: %zu bytes end in %s", size,
                        where);
}

static ember_status ewzlean_check_header(const uint8_t *data, size_t size, ember_error *err)
{
    if (memcmp(data, EWZLEAN_MAGIC, size < 4 ? size : 4) != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 0, "invalid header: does not start with " EWZLEAN_MAGIC);
    if (size < EWZLEAN_HEADER_SIZE)
        return ewzlean_truncated(size, "the header", err);
    const unsigned version = emberi_get_u16(data + 4), flags = emberi_get_u16(data + 6);
    const unsigned bones = emberi_get_u16(data + 8);
    if (version != EWZLEAN_VERSION)
        return emberi_failf(err, EMBER_E_VERSION, 4, "invalid header: version is %u, only %u is known",
                            version, EWZLEAN_VERSION);
    if (flags > (EWZLEAN_HAS_REST | EWZLEAN_HAS_NAMES))
        return emberi_failf(err, EMBER_E_MALFORMED, 6, "invalid header: unknown flags 0x%x", flags);
    if (bones == 0 || bones > EMBER_MAX_BONES)
        return emberi_failf(err, bones == 0 ? EMBER_E_MALFORMED : EMBER_E_LIMIT, 8,
                            "invalid header: %u bones, must be 1 to %u", bones, EMBER_MAX_BONES);
    if (emberi_get_u16(data + 10) == 0)
        return emberi_failf(err, EMBER_E_MALFORMED, 10, "invalid header: no clips");
    return EMBER_OK;
}

static ember_status ewzlean_check_bones(const emberi_ewzlean *file, const uint8_t *data, ember_error *err)
{
    emberi_place place = EMBERI_PLACE_INIT;
    for (uint32_t i = 0; i < file->bone_count; i++) {
        place.bone = (int32_t)i;
        if (!emberi_parent_valid(emberi_ewzlean_parent(file, i), i)) {
            place.offset = (uint64_t)(file->parents - data) + (uint64_t)i * 2;
            return emberi_fail_at(err, EMBER_E_MALFORMED, place,
                                  "the parent is %u, must be none or an earlier bone",
                                  (unsigned)emberi_get_u16(file->parents + (size_t)i * 2));
        }
        bool turned = false;
        for (size_t k = 0; file->rest != NULL && k < 10; k++) {
            const uint8_t *at = file->rest + (size_t)i * EWZLEAN_TRANSFORM_SIZE + k * 4;
            const float    value = emberi_float_of(emberi_get_u32(at));
            turned = turned || (k < 4 && value != 0.0f);
            if (emberi_is_finite(value) && (k != 3 || turned))
                continue;
            place.offset = (uint64_t)(at - data);
            return emberi_fail_at(err, EMBER_E_RANGE, place, "the rest transform is %s",
                                  emberi_is_finite(value) ? "without a rotation" : "not finite");
        }
    }
    return EMBER_OK;
}

static ember_status ewzlean_open_names(emberi_ewzlean *file, emberi_reader *reader, size_t size,
                                       ember_error *err)
{
    file->names = reader->cursor;
    for (uint32_t i = 0; i < file->bone_count; i++)
        (void)emberi_reader_take(reader, emberi_reader_u16(reader));
    return emberi_reader_ok(reader) ? EMBER_OK : ewzlean_truncated(size, "the names", err);
}

ember_status emberi_ewzlean_open(emberi_ewzlean *out, const uint8_t *data, size_t size, ember_error *err)
{
    EMBERI_TRY(ewzlean_check_header(data, size, err));
    emberi_reader  reader = emberi_reader_init(data, size);
    const uint32_t flags = emberi_get_u16(data + 6), rig_size = emberi_get_u32(data + 12);
    *out = (emberi_ewzlean){.bone_count = emberi_get_u16(data + 8), .clip_count = emberi_get_u16(data + 10)};
    (void)emberi_reader_take(&reader, EWZLEAN_HEADER_SIZE);
    out->parents = emberi_reader_take(&reader, (size_t)out->bone_count * 2);
    if (out->parents == NULL)
        return ewzlean_truncated(size, "the parents", err);
    if ((flags & EWZLEAN_HAS_REST) != 0) {
        out->rest = emberi_reader_take(&reader, (size_t)out->bone_count * EWZLEAN_TRANSFORM_SIZE);
        if (out->rest == NULL)
            return ewzlean_truncated(size, "the rest pose", err);
    }
    EMBERI_TRY(ewzlean_check_bones(out, data, err));
    if ((flags & EWZLEAN_HAS_NAMES) != 0)
        EMBERI_TRY(ewzlean_open_names(out, &reader, size, err));
    const uint8_t *rig = emberi_reader_take(&reader, rig_size);
    if (rig == NULL)
        return ewzlean_truncated(size, "the rig", err);
    EMBERI_TRY(ember_lean_rig_open(&out->rig, rig, rig_size, err));
    if (out->rig.bone_count != out->bone_count)
        return emberi_failf(err, EMBER_E_MALFORMED, (uint64_t)(rig - data),
                            "the rig has %u bones, the skeleton %u", (unsigned)out->rig.bone_count,
                            (unsigned)out->bone_count);
    out->clips = reader;
    return EMBER_OK;
}

static emberi_place ewzlean_place(const emberi_ewzlean *file, const uint8_t *at)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.clip = (int32_t)file->next;
    place.offset = (uint64_t)(at - file->clips.base);
    return place;
}

ember_status emberi_ewzlean_next(emberi_ewzlean_clip *out, emberi_ewzlean *file, ember_error *err)
{
    emberi_reader *reader = &file->clips;
    *out = (emberi_ewzlean_clip){.name_size = emberi_reader_u16(reader)};
    out->name = emberi_reader_take(reader, out->name_size);
    const uint8_t *rate = emberi_reader_take(reader, 8);
    const uint32_t flags = emberi_reader_u16(reader);
    out->marker_count = emberi_reader_u16(reader);
    out->markers = *reader;
    for (uint32_t i = 0; i < out->marker_count && emberi_reader_ok(reader); i++) {
        (void)emberi_reader_u32(reader);
        (void)emberi_reader_take(reader, emberi_reader_u16(reader));
    }
    out->size = emberi_reader_u32(reader);
    out->data = emberi_reader_take(reader, out->size);
    if (!emberi_reader_ok(reader) || rate == NULL)
        return emberi_fail_at(err, EMBER_E_TRUNCATED, ewzlean_place(file, reader->end),
                              "lean clips truncated: %zu bytes end in the clip",
                              (size_t)(reader->end - reader->base));
    const uint64_t fps = emberi_get_u64(rate);
    memcpy(&out->fps, &fps, sizeof(out->fps));
    if (!(out->fps >= 0.0) || out->fps - out->fps != 0.0)
        return emberi_fail_at(err, EMBER_E_RANGE, ewzlean_place(file, rate), "a rate of %g is not possible",
                              out->fps);
    if (flags > EWZLEAN_LOOPS)
        return emberi_fail_at(err, EMBER_E_MALFORMED, ewzlean_place(file, rate + 8), "unknown flags 0x%x",
                              (unsigned)flags);
    out->loop = (flags & EWZLEAN_LOOPS) != 0;
    file->next++;
    if (file->next == file->clip_count && emberi_reader_left(reader) != 0)
        return emberi_failf(err, EMBER_E_MALFORMED, ewzlean_place(file, reader->cursor).offset,
                            "the file has %zu extra %s", emberi_reader_left(reader),
                            emberi_reader_left(reader) == 1 ? "byte" : "bytes");
    return EMBER_OK;
}
