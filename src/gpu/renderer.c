/* SPDX-License-Identifier: MIT */
/* The renderer's life and its frame: uploads this frame's bones and instances, one call per batch. What a
   draw list says is checked before the first of them (gpu_batch.c). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sizes.h"
#include "gpu/gpu.h"

#define MOST_MESHES (1u << 24)

ember_status emberi_gpu_fail(ember_error *err, ember_status status, const char *format, ...)
{
    char    text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    for (char *c = text; *c != '\0'; c++) /* a driver's words may have several lines */
        if ((unsigned char)*c < 0x20u)
            *c = ' ';
    return ember_fail(err, status, EMBER_NO_OFFSET, text);
}

float emberi_linear_of(uint32_t byte)
{
    double s = (double)byte / 255.0;
    return (float)(s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
}

bool emberi_gpu_reserve(ember_allocator allocator, void **memory, uint32_t *room, uint32_t count, size_t size)
{
    uint64_t wanted = *room;
    size_t   bytes;
    void    *grown;
    if (count <= *room)
        return true;
    while (wanted < count)
        wanted = wanted == 0 ? 16 : wanted * 2;
    if (wanted > UINT32_MAX || !emberi_mul_size(&bytes, (size_t)wanted, size))
        return false;
    grown = allocator.resize(allocator.user, *memory, *room * size, bytes);
    if (grown == NULL)
        return false;
    *memory = grown;
    *room = (uint32_t)wanted;
    return true;
}

static void renderer_release(const ember_renderer *renderer, void *memory, uint32_t room, size_t size)
{
    if (memory != NULL)
        renderer->allocator.resize(renderer->allocator.user, memory, room * size, 0);
}

/* A headless renderer makes its own context current, so that several can live side by side. */
static void renderer_use(const ember_renderer *renderer)
{
    if (renderer->headless)
        emberi_context_use(&renderer->context);
}

/* ---- life ---- */

bool ember_renderer_is_there(void) { return true; }

static ember_status renderer_open(ember_renderer *renderer, const ember_renderer_options *options,
                                  ember_error *err)
{
    ember_status status = EMBER_OK;
    if (options->headless)
        status = emberi_context_open(&renderer->context, err);
    if (status != EMBER_OK)
        return status;
    const char *version = (const char *)glGetString(GL_VERSION);
    if (version == NULL || strstr(version, "OpenGL ES 3") == NULL)
        return emberi_gpu_fail(err, EMBER_E_UNSUPPORTED, "OpenGL ES 3.0 is needed, the driver has %s",
                               version != NULL ? version : "none");
    status = emberi_program_open(&renderer->program, err);
    if (status == EMBER_OK)
        status =
            emberi_target_open(&renderer->target, options->width, options->height, options->samples, err);
    if (status != EMBER_OK)
        return status;
    glGenBuffers(1, &renderer->instance_buffer);
    if (!emberi_pool_open(&renderer->binds_pool) || !emberi_pool_open(&renderer->frame_pool))
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "the graphics driver has no textures of 1,536 texels");
    return EMBER_OK;
}

ember_status ember_renderer_create(ember_renderer **out, const ember_renderer_options *options,
                                   ember_error *err)
{
    ember_renderer *renderer;
    ember_status    status;
    *out = NULL;
    if (options->allocator.resize == NULL)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a renderer takes an allocator");
    renderer = options->allocator.resize(options->allocator.user, NULL, 0, sizeof(*renderer));
    if (renderer == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    memset(renderer, 0, sizeof(*renderer));
    renderer->allocator = options->allocator;
    renderer->headless = options->headless;
    renderer->portion.limit_s = options->limit_s;
    for (uint32_t i = 0; i < 256; i++)
        renderer->linear[i] = emberi_linear_of(i);
    ember_renderer_light(renderer, (ember_vec3){0.45f, 0.8f, 0.55f});
    status = renderer_open(renderer, options, err);
    if (status != EMBER_OK) {
        ember_renderer_destroy(renderer);
        return status;
    }
    *out = renderer;
    return EMBER_OK;
}

void ember_renderer_clear(ember_renderer *renderer)
{
    renderer_use(renderer);
    for (uint32_t i = 0; i < renderer->mesh_count; i++)
        emberi_gpu_mesh_close(&renderer->meshes[i]);
    glDeleteTextures((GLsizei)renderer->texture_count, renderer->textures);
    renderer->mesh_count = renderer->texture_count = renderer->skeleton_count = 0;
    renderer->binds_pool.count = 0;
}

void ember_renderer_destroy(ember_renderer *renderer)
{
    if (renderer == NULL)
        return;
    /* else there is no context, and nothing in it */
    if (!renderer->headless || renderer->context.context != NULL) {
        ember_renderer_clear(renderer);
        glDeleteBuffers(1, &renderer->instance_buffer);
        emberi_pool_close(&renderer->binds_pool, renderer->allocator);
        emberi_pool_close(&renderer->frame_pool, renderer->allocator);
        emberi_target_close(&renderer->target);
        glDeleteProgram(renderer->program.program);
        emberi_context_close(&renderer->context);
    }
    renderer_release(renderer, renderer->meshes, renderer->mesh_room, sizeof(emberi_gpu_mesh));
    renderer_release(renderer, renderer->skeletons, renderer->skeleton_room, sizeof(emberi_span));
    renderer_release(renderer, renderer->textures, renderer->texture_room, sizeof(GLuint));
    renderer_release(renderer, renderer->instances, renderer->instance_room, sizeof(emberi_instance));
    renderer_release(renderer, renderer->batches, renderer->batch_room, sizeof(emberi_batch));
    renderer_release(renderer, renderer->buckets, renderer->bucket_room, sizeof(uint32_t));
    renderer->allocator.resize(renderer->allocator.user, renderer, sizeof(*renderer), 0);
}

ember_status ember_renderer_resize(ember_renderer *renderer, uint32_t width, uint32_t height,
                                   ember_error *err)
{
    emberi_target made;
    ember_status  status;
    if (width == renderer->target.width && height == renderer->target.height)
        return EMBER_OK;
    renderer_use(renderer);
    status = emberi_target_open(&made, width, height,
                                renderer->target.samples != 0 ? renderer->target.samples : 1, err);
    if (status != EMBER_OK)
        return status;
    emberi_target_keep(&made, &renderer->target);
    emberi_target_close(&renderer->target);
    renderer->target = made;
    return EMBER_OK;
}

/* ---- what is loaded ---- */

ember_status ember_renderer_add_mesh(ember_renderer *renderer, const ember_mesh *mesh, uint32_t *number,
                                     ember_error *err)
{
    ember_status status;
    if (renderer->mesh_count == MOST_MESHES ||
        !emberi_gpu_reserve(renderer->allocator, (void **)&renderer->meshes, &renderer->mesh_room,
                            renderer->mesh_count + 1, sizeof(emberi_gpu_mesh)))
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    renderer_use(renderer);
    status = emberi_gpu_mesh_open(&renderer->meshes[renderer->mesh_count], mesh, renderer->allocator, err);
    if (status == EMBER_OK)
        *number = renderer->mesh_count++;
    return status;
}

ember_status ember_renderer_add_skeleton(ember_renderer *renderer, const ember_mat34 *inverse_binds,
                                         uint32_t bone_count, uint32_t *number, ember_error *err)
{
    emberi_span  span = {0, bone_count};
    ember_status status;
    if (!emberi_gpu_reserve(renderer->allocator, (void **)&renderer->skeletons, &renderer->skeleton_room,
                            renderer->skeleton_count + 1, sizeof(emberi_span)))
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    renderer_use(renderer);
    status = emberi_pool_add(&renderer->binds_pool, renderer->allocator, inverse_binds, bone_count,
                             &span.first, err);
    if (status != EMBER_OK)
        return status;
    renderer->skeletons[renderer->skeleton_count] = span;
    *number = renderer->skeleton_count++;
    return EMBER_OK;
}

ember_status ember_renderer_add_texture(ember_renderer *renderer, const uint8_t *rgba, uint32_t width,
                                        uint32_t height, uint32_t *number, ember_error *err)
{
    GLint  most = 0;
    GLuint texture;
    if (!emberi_gpu_reserve(renderer->allocator, (void **)&renderer->textures, &renderer->texture_room,
                            renderer->texture_count + 1, sizeof(GLuint)))
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    renderer_use(renderer);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (width == 0 || height == 0 || width > (uint32_t)most || height > (uint32_t)most)
        return emberi_gpu_fail(err, EMBER_E_LIMIT,
                               "a texture of %lu x %lu pixels, of which 1 to %ld are possible",
                               (unsigned long)width, (unsigned long)height, (long)most);
    while (glGetError() != GL_NO_ERROR)
        continue;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + EMBERI_UNIT_COLOR);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)width, (GLsizei)height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, rgba);
    glGenerateMipmap(GL_TEXTURE_2D);
    if (glGetError() != GL_NO_ERROR) {
        glDeleteTextures(1, &texture);
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET,
                          "the graphics driver has no memory for a texture");
    }
    renderer->textures[renderer->texture_count] = texture;
    *number = renderer->texture_count++;
    return EMBER_OK;
}

ember_status ember_renderer_use_texture(ember_renderer *renderer, uint32_t mesh, uint32_t texture,
                                        ember_error *err)
{
    if (mesh >= renderer->mesh_count || texture >= renderer->texture_count)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "there is no such mesh or texture");
    renderer->meshes[mesh].texture = renderer->textures[texture];
    return EMBER_OK;
}

void ember_renderer_show(ember_renderer *renderer, ember_show show)
{
    renderer->show = (uint32_t)show < EMBER_SHOW_COUNT ? show : EMBER_SHOW_LIT;
}

void ember_renderer_light(ember_renderer *renderer, ember_vec3 towards)
{
    float size = sqrtf(towards.x * towards.x + towards.y * towards.y + towards.z * towards.z);
    if (size > 0.0f && isfinite(size))
        renderer->light = (ember_vec3){towards.x / size, towards.y / size, towards.z / size};
}

/* ---- a frame ---- */

/* In double, so that a far-away camera does not shake. */
static void frame_camera(const ember_renderer *renderer, const ember_draw_list *list)
{
    const float *p = list->projection.m, *v = list->view.m;
    float        product[16];
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = column == 3 ? (double)p[12 + row] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += (double)p[k * 4 + row] * (double)v[k * 4 + column];
            product[column * 4 + row] = (float)sum;
        }
    glUniformMatrix4fv(renderer->program.view_projection, 1, GL_FALSE, product);

    /* The eye is where the view takes the origin from: -R^T t, over the squared scale that a view may have. A
       parallel projection has a direction instead. */
    double eye[3], scale = 0.0;
    bool   parallel = p[11] == 0.0f && p[15] != 0.0f;
    for (int k = 0; k < 3; k++)
        scale += (double)v[k * 4] * (double)v[k * 4];
    for (int axis = 0; axis < 3; axis++) {
        eye[axis] = 0.0;
        for (int k = 0; k < 3; k++)
            eye[axis] -= (double)v[k * 4 + axis] * (double)v[k * 4 + 3] / (scale > 0.0 ? scale : 1.0);
        if (parallel)
            eye[axis] = (double)v[8 + axis];
    }
    glUniform4f(renderer->program.eye, (float)eye[0], (float)eye[1], (float)eye[2], parallel ? 0.0f : 1.0f);
}

static void frame_bind_instances(const emberi_batch *batch)
{
    const size_t first = batch->first * sizeof(emberi_instance);
    GLsizei      stride = (GLsizei)sizeof(emberi_instance);
    for (GLuint row = 0; row < 3; row++)
        glVertexAttribPointer(EMBERI_AT_ROW0 + row, 4, GL_FLOAT, GL_FALSE, stride,
                              (const void *)(first + offsetof(emberi_instance, rows) + 16 * row));
    glVertexAttribPointer(EMBERI_AT_TINT, 4, GL_FLOAT, GL_FALSE, stride,
                          (const void *)(first + offsetof(emberi_instance, color)));
    glVertexAttribIPointer(EMBERI_AT_POSE, 4, GL_UNSIGNED_INT, stride,
                           (const void *)(first + offsetof(emberi_instance, pose_first)));
    glVertexAttribIPointer(EMBERI_AT_BONE, 1, GL_UNSIGNED_INT, stride,
                           (const void *)(first + offsetof(emberi_instance, bone)));
}

/* Instance after instance, of a large mesh a part after the other. False where it takes too long. */
static bool frame_give(ember_renderer *renderer, const emberi_gpu_mesh *mesh, const emberi_batch *batch)
{
    emberi_batch part = *batch;
    for (uint32_t done = 0; done < batch->count; done += part.count) {
        const uint32_t size = renderer->portion.size, triangles = mesh->index_count / 3,
                       left = batch->count - done;
        part.first = batch->first + done;
        part.count = triangles < size ? size / (triangles + 1) : 1;
        part.count = part.count < left ? part.count : left;
        frame_bind_instances(&part);
        for (uint32_t index = 0, count; index < mesh->index_count; index += count) {
            count = mesh->index_count - index < 3 * size ? mesh->index_count - index : 3 * size;
            glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_INT,
                                    (const void *)(index * sizeof(uint32_t)), (GLsizei)part.count);
            renderer->stats.calls++;
            if (!emberi_portion_give(&renderer->portion, count / 3 * part.count))
                return false;
        }
    }
    return true;
}

static bool frame_batch(ember_renderer *renderer, const emberi_batch *batch)
{
    const emberi_gpu_mesh *mesh = &renderer->meshes[batch->mesh];
    const emberi_program  *program = &renderer->program;
    bool                   skinned = batch->branch == EMBER_DRAW_SKINNED;
    if (mesh->index_count == 0)
        return true;
    glBindVertexArray(mesh->array);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->instance_buffer);
    glActiveTexture(GL_TEXTURE0 + EMBERI_UNIT_POSES);
    glBindTexture(GL_TEXTURE_2D, renderer->frame_pool.texture);
    glActiveTexture(GL_TEXTURE0 + EMBERI_UNIT_COLOR);
    glBindTexture(GL_TEXTURE_2D, mesh->texture);
    glUniform1i(program->branch, skinned && !mesh->has_joints ? EMBER_DRAW_STATIC : (GLint)batch->branch);
    glUniform4fv(program->base_color, 1, mesh->base_color);
    glUniform1i(program->textured, mesh->texture != 0 ? 1 : 0);
    glUniform1i(program->has_normals, mesh->has_normals ? 1 : 0);
    renderer->stats.triangles += (uint64_t)(mesh->index_count / 3) * batch->count;
    return frame_give(renderer, mesh, batch);
}

static void frame_begin(ember_renderer *renderer, const ember_draw_list *list)
{
    emberi_target_begin(&renderer->target, list->clear_color);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDisable(GL_CULL_FACE); /* a bone may mirror its mesh, and the other side of a cloth is to be seen */
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    glUseProgram(renderer->program.program);
    frame_camera(renderer, list);
    glUniform1i(renderer->program.show, (GLint)renderer->show);
    glUniform3f(renderer->program.light, renderer->light.x, renderer->light.y, renderer->light.z);
    glActiveTexture(GL_TEXTURE0 + EMBERI_UNIT_BINDS);
    glBindTexture(GL_TEXTURE_2D, renderer->binds_pool.texture);
    /* What a mesh lacks; these are the context's, not the mesh's. */
    glVertexAttrib4f(EMBERI_AT_NORMAL, 0.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(EMBERI_AT_TANGENT, 0.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(EMBERI_AT_UV, 0.0f, 0.0f, 0.0f, 0.0f);
    glVertexAttrib4f(EMBERI_AT_COLOR, 1.0f, 1.0f, 1.0f, 1.0f);
    glVertexAttribI4ui(EMBERI_AT_JOINTS, 0, 0, 0, 0);
    glVertexAttrib4f(EMBERI_AT_WEIGHTS, 0.0f, 0.0f, 0.0f, 0.0f);
}

static bool frame_batches(ember_renderer *renderer, bool blended)
{
    for (uint32_t i = 0; i < renderer->batch_count; i++)
        if (renderer->batches[i].blended == blended && !frame_batch(renderer, &renderer->batches[i]))
            return false;
    return true;
}

/* First their depth, then their colour: of all blended surfaces only the nearest is seen, in whatever
   order they came. The stencil lets each sample be blended once, where several lie in the same place, as
   in a flat shadow. */
static bool frame_blended(ember_renderer *renderer)
{
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    bool on_time = frame_batches(renderer, true);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 0, 0xFFu);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    on_time = on_time && frame_batches(renderer, true);
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    return on_time;
}

ember_status ember_renderer_draw(ember_renderer *renderer, const ember_draw_list *list, ember_error *err)
{
    ember_status status = emberi_batches_make(renderer, list, err);
    if (status != EMBER_OK)
        return status;
    renderer_use(renderer);
    glActiveTexture(GL_TEXTURE0 + EMBERI_UNIT_POSES);
    status = emberi_pool_replace(&renderer->frame_pool, list->bones, list->bone_count, err);
    if (status != EMBER_OK)
        return status;
    renderer->stats = (ember_renderer_stats){.draws = list->draw_count,
                                             .instances = list->draw_count,
                                             .bones = list->bone_count};
    renderer->stats.texture_bytes =
        emberi_pool_bytes(&renderer->binds_pool) + emberi_pool_bytes(&renderer->frame_pool);
    glBindBuffer(GL_ARRAY_BUFFER, renderer->instance_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(list->draw_count * sizeof(emberi_instance)),
                 renderer->instances, GL_STREAM_DRAW);
    frame_begin(renderer, list);
    emberi_portion_begin(&renderer->portion);
    bool on_time = frame_batches(renderer, false);
    if (on_time && renderer->batch_count != 0 && renderer->batches[renderer->batch_count - 1].blended)
        on_time = frame_blended(renderer);
    glBindVertexArray(0);
    if (!on_time)
        return emberi_gpu_fail(err, EMBER_E_LIMIT, "the picture takes longer than %g s to draw",
                               renderer->portion.limit_s);
    emberi_target_resolve(&renderer->target);
    return glGetError() == GL_NO_ERROR ? EMBER_OK
                                       : ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                                                    "the graphics driver failed while drawing");
}

ember_status ember_renderer_read(ember_renderer *renderer, uint8_t *out, size_t out_size)
{
    size_t width = renderer->target.width, height = renderer->target.height, row = width * 4;
    if (out_size < row * height)
        return EMBER_E_SPACE;
    renderer_use(renderer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, renderer->target.read_frame);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, (GLsizei)width, (GLsizei)height, GL_RGBA, GL_UNSIGNED_BYTE, out);
    for (size_t y = 0; y < height / 2; y++) { /* GL has the bottom row first */
        uint8_t *low = out + y * row, *high = out + (height - 1 - y) * row;
        for (size_t x = 0; x < row; x++) {
            uint8_t kept = low[x];
            low[x] = high[x];
            high[x] = kept;
        }
    }
    return glGetError() == GL_NO_ERROR ? EMBER_OK : EMBER_E_UNSUPPORTED;
}

ember_status ember_renderer_present(ember_renderer *renderer, uint32_t drawable_width,
                                    uint32_t drawable_height)
{
    if (renderer->headless)
        return EMBER_E_ARG;
    return emberi_target_present(&renderer->target, drawable_width, drawable_height, NULL);
}

ember_status ember_renderer_overlay(ember_renderer *renderer, const uint8_t *rgba, uint32_t width,
                                    uint32_t height, ember_error *err)
{
    renderer_use(renderer);
    if (emberi_target_overlay(&renderer->target, rgba, width, height) == EMBER_OK)
        return EMBER_OK;
    return emberi_gpu_fail(err, EMBER_E_LIMIT, "an overlay of %lu x %lu pixels is more than the driver takes",
                           (unsigned long)width, (unsigned long)height);
}

ember_renderer_stats ember_renderer_last(const ember_renderer *renderer) { return renderer->stats; }
