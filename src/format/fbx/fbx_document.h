/* SPDX-License-Identifier: MIT */
/* What the records of an FBX file mean, whatever its version: objects, their properties with the defaults of
   their class, and what is connected with what. Objects know each other by id (version 7) or by name
   (version 6); either becomes an index here. */
#ifndef EMBER_FORMAT_FBX_DOCUMENT_H
#define EMBER_FORMAT_FBX_DOCUMENT_H

#include "format/fbx/container/fbx_container.h"

typedef enum fbx_kind {
    FBX_OTHER = 0,
    FBX_ROOT, /* object 0, which no file lists */
    FBX_MODEL,
    FBX_GEOMETRY,
    FBX_ATTRIBUTE,
    FBX_SKIN,
    FBX_CLUSTER,
    FBX_SHAPES, /* a deformer that is neither: blend shapes, caches */
    FBX_MATERIAL,
    FBX_TEXTURE,
    FBX_LAYERED_TEXTURE,
    FBX_VIDEO,
    FBX_STACK,
    FBX_LAYER,
    FBX_CURVE_NODE,
    FBX_CURVE,
    FBX_CONSTRAINT
} fbx_kind;

typedef struct fbx_object {
    int64_t  id;  /* version 7 */
    fbx_text key; /* version 6: the name with its class, as connections have it */
    fbx_text name, sub_class;
    uint32_t record;
    uint32_t defaults; /* the record of its class' template, or FBX_NONE */
    fbx_kind kind;
} fbx_object;

typedef struct fbx_connection {
    uint32_t child, parent; /* objects */
    fbx_text property;      /* of the parent; data is NULL where the object itself is meant */
} fbx_connection;

/* Connections of one object, in the order of the file: link[0 .. count). */
typedef struct fbx_links {
    const uint32_t *link;
    uint32_t        count;
} fbx_links;

typedef struct fbx_document {
    fbx_file        file;
    fbx_object     *objects; /* the first is the root */
    uint32_t        object_count;
    uint32_t       *sorted; /* objects by id or key */
    fbx_connection *connections;
    uint32_t        connection_count;
    uint32_t       *by_child, *by_parent;       /* connections, sorted */
    uint32_t       *child_start, *parent_start; /* by object: where its own begin */
    bool            by_name;                    /* version 6 */
    int64_t         ticks;                      /* of a second */
} fbx_document;

ember_status emberi_fbx_document_open(fbx_document *doc, const emberi_source *source);
void         emberi_fbx_document_close(fbx_document *doc);

ember_status emberi_fbx_objects_read(fbx_document *doc);
ember_status emberi_fbx_connections_read(fbx_document *doc);
/* By id or by key; FBX_NONE if there is none. */
uint32_t     emberi_fbx_find_id(const fbx_document *doc, int64_t id);
uint32_t     emberi_fbx_find_key(const fbx_document *doc, fbx_text key);

/* The connections in which the object is the parent, or the child. */
fbx_links emberi_fbx_children(const fbx_document *doc, uint32_t object);
fbx_links emberi_fbx_parents(const fbx_document *doc, uint32_t object);
/* The first object of that kind connected below or above as an object, FBX_NONE if there is none. */
uint32_t  emberi_fbx_child_of_kind(const fbx_document *doc, uint32_t object, fbx_kind kind);

static inline const fbx_connection *emberi_fbx_link(const fbx_document *doc, fbx_links links, uint32_t i)
{
    return &doc->connections[links.link[i]];
}

/* ---- properties ---- */

/* What somebody wants to know of an object: `count` numbers, a whole number or a text; what is not NULL is
   set where the object or its class has the property. */
typedef struct fbx_want {
    const char *name;
    double     *reals;
    uint32_t    count;
    int64_t    *whole;
    fbx_text   *text;
    bool        found;
} fbx_want;

void emberi_fbx_properties(const fbx_document *doc, uint32_t object, fbx_want *wants, uint32_t count);
/* The same of any record that has a list of properties. */
void emberi_fbx_record_properties(const fbx_document *doc, uint32_t record, fbx_want *wants, uint32_t count);

/* The object's name, valid UTF-8, in the model's arena or another. NULL, and the error is set. */
char         *emberi_fbx_name(const fbx_document *doc, ember_arena *arena, fbx_text name);
/* The same inside a message. */
emberi_quoted emberi_fbx_quote(fbx_text name);
/* The name of an object without its class: "Cube" of "Model::Cube". */
fbx_text      emberi_fbx_bare_name(const fbx_file *file, fbx_text key);

static inline const ember_notes *emberi_fbx_notes(const fbx_document *doc)
{
    return &doc->file.source->options->notes;
}

#endif
