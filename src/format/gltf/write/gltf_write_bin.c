/* SPDX-License-Identifier: MIT */
/* The binary side of the glTF writer: numbers in little-endian order, and the records that say
   where they are. */
#include <string.h>

#include "base/bytes.h"
#include "base/sizes.h"
#include "format/gltf/write/gltf_write_parts.h"

void *emberi_gltfw_add(ember_buffer *list, size_t size)
{
    uint8_t *room = ember_buffer_grow(list, size);
    if (room != NULL)
        memset(room, 0, size);
    return room;
}

ember_status emberi_gltfw_view_begin(gltf_writer *writer, uint32_t target, uint32_t *view)
{
    static const uint8_t zeros[4] = {0, 0, 0, 0};
    size_t               step = (4 - writer->bin.size % 4) % 4;
    gltfw_view          *record = GLTFW_ADD(&writer->views, gltfw_view);
    if (record == NULL || !ember_buffer_append(&writer->bin, zeros, step))
        return emberi_fail_memory(writer->err);
    record->offset = writer->bin.size;
    record->target = target;
    *view = GLTFW_COUNT(writer->views, gltfw_view) - 1;
    return EMBER_OK;
}

void emberi_gltfw_view_end(gltf_writer *writer, uint32_t view)
{
    gltfw_view *record = GLTFW_AT(writer->views, gltfw_view, view);
    record->size = writer->bin.size - record->offset;
}

static gltfw_accessor *bin_accessor(gltf_writer *writer, uint32_t view, uint32_t count,
                                    gltf_component component, const char *type, uint32_t *index)
{
    gltfw_accessor *accessor = GLTFW_ADD(&writer->accessors, gltfw_accessor);
    if (accessor == NULL)
        return NULL;
    accessor->view = view;
    accessor->offset = writer->bin.size - GLTFW_AT(writer->views, gltfw_view, view)->offset;
    accessor->count = count;
    accessor->component = component;
    accessor->type = type;
    *index = GLTFW_COUNT(writer->accessors, gltfw_accessor) - 1;
    return accessor;
}

static void bin_bounds(gltfw_accessor *accessor, const float *values, uint32_t count, uint32_t components)
{
    accessor->bounds = components;
    for (uint32_t k = 0; k < components; k++)
        accessor->low[k] = accessor->high[k] = values[k];
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < components; k++) {
            float value = values[i * components + k];
            accessor->low[k] = value < accessor->low[k] ? value : accessor->low[k];
            accessor->high[k] = value > accessor->high[k] ? value : accessor->high[k];
        }
}

ember_status emberi_gltfw_floats(gltf_writer *writer, uint32_t view, const float *values, uint32_t count,
                                 uint32_t components, bool bounds, uint32_t *accessor)
{
    const char     *type = components == 1   ? "SCALAR"
                           : components == 2 ? "VEC2"
                           : components == 3 ? "VEC3"
                           : components == 4 ? "VEC4"
                                             : "MAT4";
    gltfw_accessor *record = bin_accessor(writer, view, count, GLTF_F32, type, accessor);
    size_t          total, size;
    if (!emberi_mul_size(&total, count, components) || !emberi_mul_size(&size, total, 4))
        return emberi_fail_memory(writer->err);
    uint8_t *room = ember_buffer_grow(&writer->bin, size);
    if (record == NULL || room == NULL)
        return emberi_fail_memory(writer->err);
    for (size_t i = 0; i < total; i++)
        emberi_put_u32(room + i * 4, emberi_bits_of(values[i]));
    if (bounds)
        bin_bounds(record, values, count, components);
    return EMBER_OK;
}

ember_status emberi_gltfw_vertices(gltf_writer *writer, const float *values, uint32_t count,
                                   uint32_t components, bool bounds, uint32_t *accessor)
{
    uint32_t     view = 0;
    ember_status status = emberi_gltfw_view_begin(writer, GLTFW_VERTICES, &view);
    if (status == EMBER_OK)
        status = emberi_gltfw_floats(writer, view, values, count, components, bounds, accessor);
    if (status == EMBER_OK)
        emberi_gltfw_view_end(writer, view);
    return status;
}

ember_status emberi_gltfw_joints(gltf_writer *writer, const uint16_t (*joints)[4], uint32_t count,
                                 uint32_t *accessor)
{
    uint32_t     view = 0, size = 1;
    ember_status status = emberi_gltfw_view_begin(writer, GLTFW_VERTICES, &view);
    if (status != EMBER_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            size = joints[i][k] > 255 ? 2 : size;
    gltfw_accessor *record =
        bin_accessor(writer, view, count, size == 1 ? GLTF_U8 : GLTF_U16, "VEC4", accessor);
    uint8_t *room = ember_buffer_grow(&writer->bin, (size_t)count * 4 * size);
    if (record == NULL || room == NULL)
        return emberi_fail_memory(writer->err);
    for (size_t i = 0; i < (size_t)count * 4; i++) {
        if (size == 1)
            room[i] = (uint8_t)joints[i / 4][i % 4];
        else
            emberi_put_u16(room + i * 2, joints[i / 4][i % 4]);
    }
    emberi_gltfw_view_end(writer, view);
    return EMBER_OK;
}

/* The largest number of a component type must not be an index: it would restart the primitive. */
ember_status emberi_gltfw_indices(gltf_writer *writer, const uint32_t *indices, uint32_t count,
                                  uint32_t vertex_count, uint32_t *accessor)
{
    uint32_t     view = 0, size = vertex_count <= 65535u ? 2 : 4;
    ember_status status = emberi_gltfw_view_begin(writer, GLTFW_INDICES, &view);
    if (status != EMBER_OK)
        return status;
    gltfw_accessor *record =
        bin_accessor(writer, view, count, size == 2 ? GLTF_U16 : GLTF_U32, "SCALAR", accessor);
    uint8_t *room = ember_buffer_grow(&writer->bin, (size_t)count * size);
    if (record == NULL || room == NULL)
        return emberi_fail_memory(writer->err);
    for (size_t i = 0; i < count; i++) {
        if (size == 2)
            emberi_put_u16(room + i * 2, (uint16_t)indices[i]);
        else
            emberi_put_u32(room + i * 4, indices[i]);
    }
    emberi_gltfw_view_end(writer, view);
    return EMBER_OK;
}
