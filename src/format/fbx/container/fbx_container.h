/* SPDX-License-Identifier: MIT */
/* The container of FBX files, binary or text: a tree of records with a name and values. Records point
   into the file's bytes; values are decoded and arrays inflated when somebody asks for them. The bytes
   are hostile: opening a file checks the place of every record and every single value, asking for an
   array checks that. */
#ifndef EMBER_FORMAT_FBX_CONTAINER_H
#define EMBER_FORMAT_FBX_CONTAINER_H

#include "format/ops.h"

#define FBX_NONE UINT32_MAX
/* The deepest file at hand has 33 levels. */
#define FBX_DEPTH_MAX 64u

/* A piece of the file; not terminated, any bytes. */
typedef struct fbx_text {
    const char *data;
    size_t      size;
} fbx_text;

typedef struct fbx_record {
    const char    *name;
    const uint8_t *values; /* binary: the property list; text: from behind the colon to the brace */
    size_t         values_size;
    uint32_t       name_size;
    uint32_t       value_count; /* binary; of texts unknown */
    uint32_t       child, next; /* records, or FBX_NONE */
} fbx_record;

typedef struct fbx_file {
    const emberi_source *source;
    ember_arena          scratch; /* lives as long as the file is open */
    ember_arena          pass;    /* what one clip or mesh needs on the way */
    ember_buffer         buffer;  /* the records; the first is the root */
    uint32_t             record_count;
    bool                 is_text, big_endian;
    uint32_t             version;
    uint32_t             odd_numbers; /* not finite, and read as 0 */
} fbx_file;

/* On failure nothing needs to be closed. */
ember_status emberi_fbx_open(fbx_file *file, const emberi_source *source);
void         emberi_fbx_close(fbx_file *file);
/* By content. */
bool         emberi_fbx_is_binary(const uint8_t *data, size_t size);
ember_status emberi_fbx_open_binary(fbx_file *file);
ember_status emberi_fbx_open_text(fbx_file *file);

/* A new record behind `*last` of the same parent, or its first child where that is FBX_NONE. */
ember_status emberi_fbx_add_record(fbx_file *file, fbx_record **out, uint32_t parent, uint32_t *last);

/* "byte 123: text" with the place of `at`. Returns status. */
ember_status emberi_fbx_fail(const fbx_file *file, ember_status status, const void *at, const char *format,
                             ...) __attribute__((format(printf, 4, 5)));

/* Zeroed memory; NULL, and the error is set, where there is none left. */
void *emberi_fbx_push(const fbx_file *file, ember_arena *arena, size_t count, size_t size, size_t align);
#define FBX_PUSH(file, out, arena, type, count)                                                 \
    ((*(out) = emberi_fbx_push((file), (arena), (count), sizeof(type), _Alignof(type))) != NULL \
         ? EMBER_OK                                                                             \
         : EMBER_E_NOMEM)

/* ---- the tree ---- */

static inline const fbx_record *emberi_fbx_record(const fbx_file *file, uint32_t index)
{
    return (const fbx_record *)(const void *)file->buffer.data + index;
}
/* The first child of that name, or FBX_NONE; of record FBX_NONE there is none. */
uint32_t emberi_fbx_child(const fbx_file *file, uint32_t record, const char *name);
/* The first child of any name, and the next record of the same parent. */
uint32_t emberi_fbx_first(const fbx_file *file, uint32_t record);
uint32_t emberi_fbx_next_record(const fbx_file *file, uint32_t record);
bool     emberi_fbx_record_is(const fbx_file *file, uint32_t record, const char *name);

/* ---- values ---- */

typedef enum fbx_value_kind {
    FBX_VALUE_WHOLE, /* integer and real are set */
    FBX_VALUE_REAL,
    FBX_VALUE_TEXT,  /* a string; in texts also a bare word */
    FBX_VALUE_BYTES, /* text has them */
    FBX_VALUE_ARRAY, /* emberi_fbx_numbers has them */
    FBX_VALUE_COUNT  /* *12 of a text: a hint, nothing more */
} fbx_value_kind;

typedef struct fbx_value {
    fbx_value_kind kind;
    int64_t        integer;
    double         real;
    fbx_text       text;
    char           type; /* binary: the type's character */
} fbx_value;

typedef struct fbx_cursor {
    const fbx_file *file;
    const uint8_t  *at, *end;
    uint32_t        left;
} fbx_cursor;

fbx_cursor emberi_fbx_values(const fbx_file *file, uint32_t record);
/* False at the end. */
bool       emberi_fbx_next(fbx_cursor *cursor, fbx_value *out);
/* The next value of a text's list; false at its end, or where what comes is none. */
bool       emberi_fbx_text_next(fbx_cursor *cursor, fbx_value *out);

/* Single values of a record: the one at `index`, or what is said where there is none or another kind. */
int64_t  emberi_fbx_whole(const fbx_file *file, uint32_t record, uint32_t index, int64_t otherwise);
double   emberi_fbx_real(const fbx_file *file, uint32_t record, uint32_t index, double otherwise);
fbx_text emberi_fbx_string(const fbx_file *file, uint32_t record, uint32_t index); /* or empty */
/* A letter, which binary files also write as a number; 0 if it is none. */
char     emberi_fbx_letter(const fbx_value *value);
/* A whole number from a real one, cut to what fits. */
int64_t  emberi_fbx_to_whole(double value);

bool  emberi_fbx_text_is(fbx_text text, const char *word);
bool  emberi_fbx_same_text(fbx_text a, fbx_text b);
/* The text with its escapes resolved, terminated, in the arena; NULL, and the error is set. */
char *emberi_fbx_copy(const fbx_file *file, ember_arena *arena, fbx_text text);

/* ---- lists of numbers ---- */

typedef enum fbx_number_kind {
    FBX_F64,
    FBX_F32,
    FBX_I64,
    FBX_I32,
    FBX_BITS /* floats, whose bits texts write as whole numbers */
} fbx_number_kind;

/* All numbers of a record, an array or one value after the other, in the arena. A record FBX_NONE has none.
   Numbers that are not finite are 0. */
ember_status emberi_fbx_numbers(fbx_file *file, ember_arena *arena, void **out, size_t *count,
                                uint32_t record, fbx_number_kind kind);

/* A zlib stream of exactly that size; false if it is anything else. */
bool emberi_fbx_inflate(uint8_t *out, size_t size, const uint8_t *data, size_t data_size);

#endif
