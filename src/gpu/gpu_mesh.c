/* SPDX-License-Identifier: MIT */
/* A mesh on the GPU: one interleaved buffer with the attributes that it has, one of indices. Indices
   beyond its vertices are refused here, since not every driver checks them; bones beyond a pose are the
   shader's matter. */
#include <string.h>

#include "base/sizes.h"
#include "gpu/gpu.h"

/* Bytes of each attribute in a vertex; 0 where the mesh has none. */
typedef struct mesh_layout {
    uint32_t position, normal, tangent, uv, color, joints, weights; /* offsets; UINT32_MAX: not there */
    uint32_t stride;
} mesh_layout;

static uint32_t layout_add(mesh_layout *layout, const void *data, uint32_t size)
{
    uint32_t at = layout->stride;
    if (data == NULL)
        return UINT32_MAX;
    layout->stride += size;
    return at;
}

static mesh_layout layout_of(const ember_mesh *mesh)
{
    mesh_layout layout = {.stride = 0};
    bool        skinned = mesh->joints != NULL && mesh->weights != NULL;
    layout.position = layout_add(&layout, mesh->positions, 12);
    layout.normal = layout_add(&layout, mesh->normals, 12);
    layout.tangent = layout_add(&layout, mesh->tangents, 16);
    layout.uv = layout_add(&layout, mesh->uvs, 8);
    layout.color = layout_add(&layout, mesh->colors, 16);
    layout.joints = layout_add(&layout, skinned ? mesh->joints : NULL, 8);
    layout.weights = layout_add(&layout, skinned ? mesh->weights : NULL, 16);
    return layout;
}

static void mesh_put(uint8_t *vertex, uint32_t offset, const void *array, uint32_t index, size_t size)
{
    if (offset != UINT32_MAX)
        memcpy(vertex + offset, (const uint8_t *)array + index * size, size);
}

static void mesh_fill(uint8_t *out, const ember_mesh *mesh, const mesh_layout *layout)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++, out += layout->stride) {
        mesh_put(out, layout->position, mesh->positions, i, 12);
        mesh_put(out, layout->normal, mesh->normals, i, 12);
        mesh_put(out, layout->tangent, mesh->tangents, i, 16);
        mesh_put(out, layout->uv, mesh->uvs, i, 8);
        mesh_put(out, layout->color, mesh->colors, i, 16);
        mesh_put(out, layout->joints, mesh->joints, i, 8);
        mesh_put(out, layout->weights, mesh->weights, i, 16);
    }
}

static void mesh_attribute(GLuint at, uint32_t offset, GLint count, const mesh_layout *layout)
{
    if (offset == UINT32_MAX)
        return;
    glEnableVertexAttribArray(at);
    if (at == EMBERI_AT_JOINTS)
        glVertexAttribIPointer(at, count, GL_UNSIGNED_SHORT, (GLsizei)layout->stride,
                               (const void *)(uintptr_t)offset);
    else
        glVertexAttribPointer(at, count, GL_FLOAT, GL_FALSE, (GLsizei)layout->stride,
                              (const void *)(uintptr_t)offset);
}

static void mesh_array(emberi_gpu_mesh *out, const mesh_layout *layout)
{
    glGenVertexArrays(1, &out->array);
    glBindVertexArray(out->array);
    glBindBuffer(GL_ARRAY_BUFFER, out->vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, out->indices);
    mesh_attribute(EMBERI_AT_POSITION, layout->position, 3, layout);
    mesh_attribute(EMBERI_AT_NORMAL, layout->normal, 3, layout);
    mesh_attribute(EMBERI_AT_TANGENT, layout->tangent, 4, layout);
    mesh_attribute(EMBERI_AT_UV, layout->uv, 2, layout);
    mesh_attribute(EMBERI_AT_COLOR, layout->color, 4, layout);
    mesh_attribute(EMBERI_AT_JOINTS, layout->joints, 4, layout);
    mesh_attribute(EMBERI_AT_WEIGHTS, layout->weights, 4, layout);
    for (GLuint at = EMBERI_AT_ROW0; at <= EMBERI_AT_BONE; at++) {
        glEnableVertexAttribArray(at);
        glVertexAttribDivisor(at, 1);
    }
}

static ember_status mesh_check(const ember_mesh *mesh, ember_error *err)
{
    if (mesh->vertex_count != 0 && mesh->positions == NULL)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a mesh has vertices without positions");
    for (uint32_t i = 0; i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            return emberi_gpu_fail(err, EMBER_E_RANGE, "index %lu of a mesh is vertex %lu, but it has %lu",
                                   (unsigned long)i, (unsigned long)mesh->indices[i],
                                   (unsigned long)mesh->vertex_count);
    return EMBER_OK;
}

static ember_status mesh_upload(emberi_gpu_mesh *out, const ember_mesh *mesh, const mesh_layout *layout,
                                ember_allocator allocator)
{
    size_t   size = 0, index_size = 0;
    uint8_t *vertices;
    if (!emberi_mul_size(&size, mesh->vertex_count, layout->stride) ||
        !emberi_mul_size(&index_size, mesh->index_count, sizeof(uint32_t)))
        return EMBER_E_NOMEM;
    vertices = size != 0 ? allocator.resize(allocator.user, NULL, 0, size) : NULL;
    if (size != 0 && vertices == NULL)
        return EMBER_E_NOMEM;
    mesh_fill(vertices, mesh, layout);
    while (glGetError() != GL_NO_ERROR)
        continue;
    glGenBuffers(1, &out->vertices);
    glGenBuffers(1, &out->indices);
    glBindVertexArray(0); /* or the buffer of indices would be that of the mesh before */
    glBindBuffer(GL_ARRAY_BUFFER, out->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, vertices, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, out->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)index_size, mesh->indices, GL_STATIC_DRAW);
    if (vertices != NULL)
        allocator.resize(allocator.user, vertices, size, 0);
    return glGetError() == GL_NO_ERROR ? EMBER_OK : EMBER_E_NOMEM;
}

ember_status emberi_gpu_mesh_open(emberi_gpu_mesh *out, const ember_mesh *mesh, ember_allocator allocator,
                                  ember_error *err)
{
    mesh_layout  layout = layout_of(mesh);
    ember_status status = mesh_check(mesh, err);
    memset(out, 0, sizeof(*out));
    if (status != EMBER_OK)
        return status;
    status = mesh_upload(out, mesh, &layout, allocator);
    if (status != EMBER_OK) {
        emberi_gpu_mesh_close(out);
        return emberi_gpu_fail(err, status, "no memory for a mesh of %lu vertices",
                               (unsigned long)mesh->vertex_count);
    }
    mesh_array(out, &layout);
    out->index_count = mesh->index_count;
    out->has_normals = mesh->normals != NULL;
    out->has_joints = layout.joints != UINT32_MAX;
    memcpy(out->base_color, mesh->base_color, sizeof(out->base_color));
    return EMBER_OK;
}

void emberi_gpu_mesh_close(emberi_gpu_mesh *mesh)
{
    glDeleteVertexArrays(1, &mesh->array);
    glDeleteBuffers(1, &mesh->vertices);
    glDeleteBuffers(1, &mesh->indices);
    memset(mesh, 0, sizeof(*mesh));
}
