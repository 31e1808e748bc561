/* SPDX-License-Identifier: MIT */
/* Bytes that grow, and the C library's heap behind the allocator hook. A buffer that cannot grow keeps what
   it has. */
#include <stdlib.h>
#include <string.h>

#include "base/sizes.h"
#include "ember/file.h"

#define BUFFER_FIRST ((size_t)4096)

static void *heap_resize(void *user, void *memory, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, new_size);
}

ember_allocator ember_heap(void)
{
    ember_allocator heap = {heap_resize, NULL};
    return heap;
}

static size_t buffer_limit(const ember_buffer *buffer)
{
    if (buffer->limit != 0)
        return buffer->limit;
    return SIZE_MAX > UINT32_MAX ? (size_t)UINT32_MAX + 1 : SIZE_MAX;
}

static bool buffer_reserve(ember_buffer *buffer, size_t need)
{
    size_t limit = buffer_limit(buffer);
    if (buffer->allocator.resize == NULL)
        return false;
    size_t capacity = buffer->capacity < BUFFER_FIRST ? BUFFER_FIRST : buffer->capacity;
    while (capacity < need)
        capacity = capacity > limit / 2 ? need : capacity * 2;
    uint8_t *data =
        buffer->allocator.resize(buffer->allocator.user, buffer->data, buffer->capacity, capacity);
    if (data == NULL)
        return false;
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

uint8_t *ember_buffer_grow(ember_buffer *buffer, size_t size)
{
    size_t need;
    if (!emberi_add_size(&need, buffer->size, size) || need > buffer_limit(buffer))
        return NULL;
    if ((need > buffer->capacity || buffer->data == NULL) && !buffer_reserve(buffer, need))
        return NULL;
    uint8_t *room = buffer->data + buffer->size;
    buffer->size = need;
    return room;
}

bool ember_buffer_append(ember_buffer *buffer, const void *data, size_t size)
{
    uint8_t *room = ember_buffer_grow(buffer, size);
    if (room == NULL)
        return false;
    if (size != 0)
        memcpy(room, data, size);
    return true;
}

void ember_buffer_free(ember_buffer *buffer)
{
    if (buffer->data != NULL)
        buffer->allocator.resize(buffer->allocator.user, buffer->data, buffer->capacity, 0);
    buffer->data = NULL;
    buffer->size = 0;
    buffer->capacity = 0;
}
