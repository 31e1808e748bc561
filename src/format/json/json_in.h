/* SPDX-License-Identifier: MIT */
/* Taking a parsed JSON document apart, strictly: every helper checks the type, and every complaint says where
   in the document as a path, "clips[2].frames[17][4]". Numbers are reals throughout, whole ones too. */
#ifndef EMBER_FORMAT_JSON_IN_H
#define EMBER_FORMAT_JSON_IN_H

#include "base/json/json_tree.h"
#include "format/ops.h"

/* Where a value is: a key of, or an index into, what `up` names. Lives on the stack of
   whoever walks there. */
typedef struct emberi_json_path {
    const struct emberi_json_path *up;  /* NULL at the top */
    const char                    *key; /* NULL: index */
    size_t                         index;
} emberi_json_path;

#define EMBERI_JSON_KEY(up, key) (&(const emberi_json_path){(up), (key), 0})
#define EMBERI_JSON_INDEX(up, index) (&(const emberi_json_path){(up), NULL, (index)})

ember_status emberi_json_fail(const emberi_source *source, ember_status status, const emberi_json_path *at,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));
void         emberi_json_note(const emberi_source *source, ember_note_kind kind, const emberi_json_path *at,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The document in `memory`, of which every object's keys are different. NULL with the error set, by
   line and column. */
const json_t *emberi_json_load(const emberi_source *source, ember_arena *memory);

/* All take NULL for a key that is not there, and say that it is missing. */
ember_status emberi_json_want(const json_t *value, json_type type, const emberi_json_path *at,
                              const emberi_source *source);
ember_status emberi_json_get_bool(bool *out, const json_t *value, const emberi_json_path *at,
                                  const emberi_source *source);
ember_status emberi_json_get_whole(int64_t *out, const json_t *value, int64_t low, int64_t high,
                                   const emberi_json_path *at, const emberi_source *source);
/* A copy in the arena without control characters. */
ember_status emberi_json_get_name(const char **out, const json_t *value, const emberi_json_path *at,
                                  const emberi_source *source);
/* Ten numbers, of which "NaN", "Infinity" and "-Infinity" are some too; the position is multiplied by the
   options' scale. */
ember_status emberi_json_get_transform(ember_transform *out, const json_t *value, const emberi_json_path *at,
                                       const emberi_source *source);

/* A detail note for every key that is not one of the space-separated `known`. */
void emberi_json_note_unknown(const json_t *object, const char *known, const emberi_json_path *at,
                              const emberi_source *source);

#endif
