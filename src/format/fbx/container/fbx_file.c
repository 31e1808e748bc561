/* SPDX-License-Identifier: MIT */
/* An open file: its records in one growing list, and how they are found. Nothing here looks at bytes that
   were not checked before. */
#include "format/fbx/container/fbx_container.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- failures and memory ---- */

ember_status emberi_fbx_fail(const fbx_file *file, ember_status status, const void *at, const char *format,
                             ...)
{
    char     text[sizeof(file->source->err->text)];
    uint64_t offset = (uint64_t)((const uint8_t *)at - file->source->data);
    va_list  arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return emberi_failf(file->source->err, status, offset, "fbx: byte %llu: %s", (unsigned long long)offset,
                        text);
}

void *emberi_fbx_push(const fbx_file *file, ember_arena *arena, size_t count, size_t size, size_t align)
{
    void *out = ember_arena_push(arena, count, size, align);
    if (out == NULL)
        (void)emberi_fail_memory(file->source->err);
    return out;
}

/* ---- records ---- */

ember_status emberi_fbx_add_record(fbx_file *file, fbx_record **out, uint32_t parent, uint32_t *last)
{
    static const fbx_record empty = {.child = FBX_NONE, .next = FBX_NONE};
    uint32_t                index = file->record_count;
    if (index == FBX_NONE || !ember_buffer_append(&file->buffer, &empty, sizeof(empty)))
        return emberi_fail_memory(file->source->err);
    fbx_record *records = (fbx_record *)(void *)file->buffer.data;
    file->record_count = index + 1;
    if (index != 0 && *last != FBX_NONE)
        records[*last].next = index;
    else if (index != 0)
        records[parent].child = index;
    *last = index;
    *out = &records[index];
    return EMBER_OK;
}

bool emberi_fbx_record_is(const fbx_file *file, uint32_t record, const char *name)
{
    const fbx_record *r = emberi_fbx_record(file, record);
    size_t            size = strlen(name);
    return r->name_size == size && memcmp(r->name, name, size) == 0;
}

uint32_t emberi_fbx_first(const fbx_file *file, uint32_t record)
{
    return record == FBX_NONE ? FBX_NONE : emberi_fbx_record(file, record)->child;
}

uint32_t emberi_fbx_next_record(const fbx_file *file, uint32_t record)
{
    return emberi_fbx_record(file, record)->next;
}

uint32_t emberi_fbx_child(const fbx_file *file, uint32_t record, const char *name)
{
    uint32_t child = emberi_fbx_first(file, record);
    while (child != FBX_NONE && !emberi_fbx_record_is(file, child, name))
        child = emberi_fbx_next_record(file, child);
    return child;
}

/* ---- open and close ---- */

void emberi_fbx_close(fbx_file *file)
{
    ember_buffer_free(&file->buffer);
    ember_arena_free(&file->pass);
    ember_arena_free(&file->scratch);
}

ember_status emberi_fbx_open(fbx_file *file, const emberi_source *source)
{
    uint32_t    last = FBX_NONE;
    fbx_record *root;
    memset(file, 0, sizeof(*file));
    file->source = source;
    file->scratch = ember_arena_growing(emberi_source_heap(source), SIZE_MAX);
    file->pass = ember_arena_growing(emberi_source_heap(source), SIZE_MAX);
    file->buffer.allocator = emberi_source_heap(source);
    file->is_text = !emberi_fbx_is_binary(source->data, source->size);
    ember_status status = emberi_fbx_add_record(file, &root, FBX_NONE, &last);
    if (status == EMBER_OK)
        status = file->is_text ? emberi_fbx_open_text(file) : emberi_fbx_open_binary(file);
    if (status != EMBER_OK)
        emberi_fbx_close(file);
    return status;
}
