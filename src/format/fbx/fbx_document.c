/* SPDX-License-Identifier: MIT */
/* A document as a whole: its version, its clock, its objects' properties. Versions below 6100 have another
   structure and are refused. */
#include "format/fbx/fbx_document.h"

#include <string.h>

#define TICKS_OLD INT64_C(46186158000)
#define TICKS_NEW INT64_C(141120000)

/* ---- properties ---- */

static void want_set(fbx_want *want, fbx_cursor *cursor)
{
    fbx_value value;
    want->found = true;
    for (uint32_t i = 0; emberi_fbx_next(cursor, &value) && (i == 0 || i < want->count); i++) {
        if (want->reals != NULL && i < want->count && value.kind <= FBX_VALUE_REAL)
            want->reals[i] = value.real;
        if (want->whole != NULL && i == 0 && value.kind <= FBX_VALUE_REAL)
            *want->whole = value.integer;
        if (want->text != NULL && i == 0 && value.kind == FBX_VALUE_TEXT)
            *want->text = value.text;
    }
}

void emberi_fbx_record_properties(const fbx_document *doc, uint32_t record, fbx_want *wants, uint32_t count)
{
    const fbx_file *file = &doc->file;
    uint32_t        list = emberi_fbx_child(file, record, "Properties70");
    bool            old = list == FBX_NONE;
    if (old)
        list = emberi_fbx_child(file, record, "Properties60");
    for (uint32_t r = emberi_fbx_first(file, list); r != FBX_NONE; r = emberi_fbx_next_record(file, r)) {
        fbx_cursor cursor = emberi_fbx_values(file, r);
        fbx_value  name, skipped;
        if (!emberi_fbx_next(&cursor, &name) || name.kind != FBX_VALUE_TEXT)
            continue;
        for (uint32_t i = 0; i < count; i++) {
            if (!emberi_fbx_text_is(name.text, wants[i].name))
                continue;
            /* type, label (not in version 6), flags */
            for (int k = old ? 1 : 0; k < 3 && emberi_fbx_next(&cursor, &skipped); k++)
                ;
            want_set(&wants[i], &cursor);
            break;
        }
    }
}

void emberi_fbx_properties(const fbx_document *doc, uint32_t object, fbx_want *wants, uint32_t count)
{
    const fbx_object *o = &doc->objects[object];
    if (o->defaults != FBX_NONE)
        emberi_fbx_record_properties(doc, o->defaults, wants, count);
    emberi_fbx_record_properties(doc, o->record, wants, count);
}

char *emberi_fbx_name(const fbx_document *doc, ember_arena *arena, fbx_text name)
{
    const fbx_file *file = &doc->file;
    ember_allocator heap = emberi_source_heap(file->source);
    if (!file->is_text || name.size == 0 || memchr(name.data, '&', name.size) == NULL) {
        char *out = emberi_copy_name(arena, name.data != NULL ? name.data : "", name.size);
        if (out == NULL)
            (void)emberi_fail_memory(file->source->err);
        return out;
    }
    ember_arena inner = ember_arena_growing(heap, SIZE_MAX);
    char       *plain = emberi_fbx_copy(file, &inner, name);
    char       *out = plain != NULL ? emberi_copy_name(arena, plain, strlen(plain)) : NULL;
    ember_arena_free(&inner);
    if (out == NULL)
        (void)emberi_fail_memory(file->source->err);
    return out;
}

emberi_quoted emberi_fbx_quote(fbx_text name)
{
    char   text[sizeof(emberi_quoted)] = "";
    size_t size = name.size < sizeof(text) - 1 ? name.size : sizeof(text) - 1;
    for (size_t i = 0; i < size; i++)
        text[i] = name.data[i] != '\0' ? name.data[i] : '?';
    return emberi_quote(text);
}

/* ---- the whole ---- */

/* "; FBX 7.5.0 project file" */
static uint32_t version_of_comment(const emberi_source *source)
{
    static const char mark[] = "; FBX ";
    size_t            at = source->size >= 3 && source->data[0] == 0xef ? 3 : 0, size = sizeof(mark) - 1;
    uint32_t          version = 0, digits = 0;
    if (source->size < at + size || memcmp(source->data + at, mark, size) != 0)
        return 0;
    for (at += size; at < source->size && digits < 3; at++) {
        if (source->data[at] >= '0' && source->data[at] <= '9') {
            version = version * 10 + (uint32_t)(source->data[at] - '0');
            digits++;
        } else if (source->data[at] != '.') {
            break;
        }
    }
    return digits == 3 ? version * 10 : 0;
}

static ember_status document_version(fbx_document *doc)
{
    fbx_file *file = &doc->file;
    uint32_t  header = emberi_fbx_child(file, 0, "FBXHeaderExtension");
    int64_t   version = emberi_fbx_whole(file, emberi_fbx_child(file, header, "FBXVersion"), 0, 0);
    if (version <= 0 || version > 1000000)
        version = file->is_text ? version_of_comment(file->source) : 0;
    /* A header that says less says it of the whole file. */
    if (version != 0 && (file->is_text || file->version >= 6000 || version < 6000))
        file->version = (uint32_t)version;
    if (file->version == 0)
        return emberi_failf(file->source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                            "fbx: no version: this is not an FBX file, or its beginning is missing");
    if (file->version < 6000 || file->version >= 10000)
        return emberi_failf(file->source->err, EMBER_E_VERSION, EMBER_NO_OFFSET,
                            "fbx: version %u: only 6100 to 7700 are read; save it with a newer program",
                            file->version);
    doc->by_name = file->version < 7000;
    uint32_t definition =
        emberi_fbx_child(file, emberi_fbx_child(file, header, "OtherFlags"), "TCDefinition");
    doc->ticks = TICKS_OLD;
    if (emberi_fbx_whole(file, emberi_fbx_child(file, header, "FBXHeaderVersion"), 0, 0) >= 1004 &&
        definition != FBX_NONE && emberi_fbx_whole(file, definition, 0, 127) != 127)
        doc->ticks = TICKS_NEW;
    return EMBER_OK;
}

void emberi_fbx_document_close(fbx_document *doc) { emberi_fbx_close(&doc->file); }

ember_status emberi_fbx_document_open(fbx_document *doc, const emberi_source *source)
{
    memset(doc, 0, sizeof(*doc));
    ember_status status = emberi_fbx_open(&doc->file, source);
    if (status != EMBER_OK)
        return status;
    status = document_version(doc);
    ember_arena_mark mark = ember_arena_save(&doc->file.pass);
    if (status == EMBER_OK)
        status = emberi_fbx_objects_read(doc);
    if (status == EMBER_OK)
        status = emberi_fbx_connections_read(doc);
    ember_arena_restore(&doc->file.pass, mark);
    if (status != EMBER_OK)
        emberi_fbx_document_close(doc);
    return status;
}
