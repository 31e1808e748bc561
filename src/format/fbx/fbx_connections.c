/* SPDX-License-Identifier: MIT */
/* Which objects are connected: read once, then listed for each object in the order of the file. Connections
   of objects that do not exist are common and left out; cycles are nothing special here, who walks must mark
   its way. */
#include "format/fbx/fbx_document.h"

#include <string.h>

static uint32_t connection_end(const fbx_document *doc, const fbx_value *value)
{
    if (doc->by_name)
        return value->kind == FBX_VALUE_TEXT ? emberi_fbx_find_key(doc, value->text) : FBX_NONE;
    return value->kind <= FBX_VALUE_REAL ? emberi_fbx_find_id(doc, value->integer) : FBX_NONE;
}

/* OO and OP; the others concern constraints and cameras. */
static bool connection_read(const fbx_document *doc, fbx_connection *out, uint32_t record)
{
    fbx_cursor cursor = emberi_fbx_values(&doc->file, record);
    fbx_value  kind, child, parent, property;
    if (!emberi_fbx_next(&cursor, &kind) || kind.kind != FBX_VALUE_TEXT ||
        !emberi_fbx_next(&cursor, &child) || !emberi_fbx_next(&cursor, &parent))
        return false;
    out->child = connection_end(doc, &child);
    out->parent = connection_end(doc, &parent);
    out->property = (fbx_text){NULL, 0};
    if (out->child == FBX_NONE || out->parent == FBX_NONE || out->child == out->parent || out->child == 0)
        return false;
    if (emberi_fbx_text_is(kind.text, "OO"))
        return true;
    if (!emberi_fbx_text_is(kind.text, "OP") || !emberi_fbx_next(&cursor, &property) ||
        property.kind != FBX_VALUE_TEXT)
        return false;
    out->property = property.text;
    return true;
}

/* Counts, then places: connections of one object stay in their order. */
static ember_status connections_sort(fbx_document *doc, uint32_t **list, uint32_t **starts, bool of_child)
{
    fbx_file *file = &doc->file;
    uint32_t *next;
    EMBERI_TRY(FBX_PUSH(file, list, &file->scratch, uint32_t, doc->connection_count));
    EMBERI_TRY(FBX_PUSH(file, starts, &file->scratch, uint32_t, (size_t)doc->object_count + 1));
    EMBERI_TRY(FBX_PUSH(file, &next, &file->pass, uint32_t, doc->object_count));
    for (uint32_t i = 0; i < doc->connection_count; i++)
        (*starts)[(of_child ? doc->connections[i].child : doc->connections[i].parent) + 1]++;
    for (uint32_t i = 0; i < doc->object_count; i++) {
        next[i] = (*starts)[i];
        (*starts)[i + 1] += (*starts)[i];
    }
    for (uint32_t i = 0; i < doc->connection_count; i++)
        (*list)[next[of_child ? doc->connections[i].child : doc->connections[i].parent]++] = i;
    return EMBER_OK;
}

ember_status emberi_fbx_connections_read(fbx_document *doc)
{
    fbx_file *file = &doc->file;
    uint32_t  section = emberi_fbx_child(file, 0, "Connections"), count = 0;
    for (uint32_t r = emberi_fbx_first(file, section); r != FBX_NONE; r = emberi_fbx_next_record(file, r))
        count++;
    EMBERI_TRY(FBX_PUSH(file, &doc->connections, &file->scratch, fbx_connection, count));
    for (uint32_t r = emberi_fbx_first(file, section); r != FBX_NONE; r = emberi_fbx_next_record(file, r))
        doc->connection_count += connection_read(doc, &doc->connections[doc->connection_count], r) ? 1u : 0u;
    EMBERI_TRY(connections_sort(doc, &doc->by_child, &doc->child_start, true));
    return connections_sort(doc, &doc->by_parent, &doc->parent_start, false);
}

fbx_links emberi_fbx_children(const fbx_document *doc, uint32_t object)
{
    const uint32_t *start = &doc->parent_start[object];
    return (fbx_links){doc->by_parent + start[0], start[1] - start[0]};
}

fbx_links emberi_fbx_parents(const fbx_document *doc, uint32_t object)
{
    const uint32_t *start = &doc->child_start[object];
    return (fbx_links){doc->by_child + start[0], start[1] - start[0]};
}

uint32_t emberi_fbx_child_of_kind(const fbx_document *doc, uint32_t object, fbx_kind kind)
{
    fbx_links links = emberi_fbx_children(doc, object);
    for (uint32_t i = 0; i < links.count; i++) {
        const fbx_connection *link = emberi_fbx_link(doc, links, i);
        if (link->property.data == NULL && doc->objects[link->child].kind == kind)
            return link->child;
    }
    return FBX_NONE;
}
