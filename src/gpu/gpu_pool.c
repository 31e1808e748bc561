/* SPDX-License-Identifier: MIT */
/* Matrices in a texture: RGBA32F, three texels a bone, EMBERI_POOL_ROW bones a row. It grows by rows; what
   was added stays. */
#include <string.h>

#include "gpu/gpu.h"

#define POOL_FIRST_ROWS 4u

static uint32_t pool_rows(uint32_t count)
{
    return count / EMBERI_POOL_ROW + (count % EMBERI_POOL_ROW != 0 ? 1u : 0u);
}

size_t emberi_pool_bytes(const emberi_pool *pool)
{
    return (size_t)pool->rows * EMBERI_POOL_ROW * sizeof(ember_mat34);
}

bool emberi_pool_open(emberi_pool *pool)
{
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    memset(pool, 0, sizeof(*pool));
    pool->most_rows = most > 0 ? (uint32_t)most : 0;
    glGenTextures(1, &pool->texture);
    glBindTexture(GL_TEXTURE_2D, pool->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return pool->texture != 0 && most >= (GLint)(3 * EMBERI_POOL_ROW);
}

void emberi_pool_close(emberi_pool *pool, ember_allocator allocator)
{
    if (pool->copy != NULL)
        allocator.resize(allocator.user, pool->copy, pool->copy_count * sizeof(ember_mat34), 0);
    glDeleteTextures(1, &pool->texture);
    memset(pool, 0, sizeof(*pool));
}

/* Bones [first, first + count) of `matrices`, whose element 0 is bone 0: whole rows at once, then what is
   left of the last. */
static void pool_upload(const ember_mat34 *matrices, uint32_t first, uint32_t count)
{
    while (count != 0) {
        uint32_t column = first % EMBERI_POOL_ROW, row = first / EMBERI_POOL_ROW;
        bool     whole = column == 0 && count >= EMBERI_POOL_ROW;
        uint32_t rows = whole ? count / EMBERI_POOL_ROW : 1u;
        uint32_t width = whole                              ? EMBERI_POOL_ROW
                         : EMBERI_POOL_ROW - column < count ? EMBERI_POOL_ROW - column
                                                            : count;
        glTexSubImage2D(GL_TEXTURE_2D, 0, (GLint)(3 * column), (GLint)row, (GLsizei)(3 * width),
                        (GLsizei)rows, GL_RGBA, GL_FLOAT, &matrices[first]);
        first += rows * width;
        count -= rows * width;
    }
}

/* The texture gets room for `count` bones; its content is gone. */
static ember_status pool_make_room(emberi_pool *pool, uint32_t count, ember_error *err)
{
    uint32_t rows = pool->rows != 0 ? pool->rows : POOL_FIRST_ROWS;
    while (rows < pool_rows(count))
        rows *= 2;
    if (rows > pool->most_rows)
        rows = pool->most_rows;
    if (rows < pool_rows(count))
        return emberi_gpu_fail(err, EMBER_E_LIMIT,
                               "%lu bone matrices, of which the graphics driver holds %lu at the most",
                               (unsigned long)count, (unsigned long)pool->most_rows * EMBERI_POOL_ROW);
    while (glGetError() != GL_NO_ERROR)
        continue;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, (GLsizei)(3 * EMBERI_POOL_ROW), (GLsizei)rows, 0, GL_RGBA,
                 GL_FLOAT, NULL);
    if (glGetError() != GL_NO_ERROR) {
        pool->rows = 0;
        return emberi_gpu_fail(err, EMBER_E_NOMEM, "the graphics driver has no memory for %lu bone matrices",
                               (unsigned long)count);
    }
    pool->rows = rows;
    return EMBER_OK;
}

ember_status emberi_pool_add(emberi_pool *pool, ember_allocator allocator, const ember_mat34 *matrices,
                             uint32_t count, uint32_t *first, ember_error *err)
{
    uint32_t     had = pool->count;
    ember_status status;
    *first = had;
    if (count == 0)
        return EMBER_OK;
    if (count > UINT32_MAX / 4 - had ||
        !emberi_gpu_reserve(allocator, (void **)&pool->copy, &pool->copy_count, had + count,
                            sizeof(ember_mat34)))
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    memcpy(&pool->copy[had], matrices, count * sizeof(ember_mat34));
    glBindTexture(GL_TEXTURE_2D, pool->texture);
    if (pool_rows(had + count) <= pool->rows) {
        pool_upload(pool->copy, had, count);
        pool->count += count;
        return EMBER_OK;
    }
    status = pool_make_room(pool, had + count, err);
    if (status == EMBER_OK)
        pool->count += count;
    if (pool->rows != 0)
        pool_upload(pool->copy, 0, pool->count);
    return status;
}

ember_status emberi_pool_replace(emberi_pool *pool, const ember_mat34 *matrices, uint32_t count,
                                 ember_error *err)
{
    glBindTexture(GL_TEXTURE_2D, pool->texture);
    if (pool_rows(count) > pool->rows) {
        ember_status status = pool_make_room(pool, count, err);
        if (status != EMBER_OK)
            return status;
    }
    pool_upload(matrices, 0, count);
    pool->count = count;
    return EMBER_OK;
}
