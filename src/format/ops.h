/* SPDX-License-Identifier: MIT */
/* What a format has to bring, and the few helpers that all formats share. One file per format defines one ops
   table; the registry lists them. */
#ifndef EMBER_FORMAT_OPS_H
#define EMBER_FORMAT_OPS_H

#include "ember/format.h"

/* What a reader is handed. `options` and `err` are never NULL here; a reader pushes the model on the arena
   and need not rewind it on failure: ember_model_read does. */
typedef struct emberi_budget emberi_budget;

typedef struct emberi_source {
    const uint8_t            *data;
    size_t                    size;
    const ember_read_options *options;
    ember_arena              *arena;
    ember_error              *err;
    /* what the arena's allocator counts against; NULL where nothing is counted */
    emberi_budget            *budget;
} emberi_source;

typedef enum emberi_likeness {
    EMBERI_UNLIKE = 0,
    EMBERI_PLAUSIBLE, /* no magic, but every count and size agrees */
    EMBERI_CERTAIN    /* a magic number, or a document that names itself */
} emberi_likeness;

struct json_t;
struct emberi_json_out;

/* A writer may leave half a file in `out` on failure: ember_model_write takes it back. It is only called with
   a model that passes ember_model_check, and with one clip if the format holds one. */
typedef struct emberi_format_ops {
    ember_format_info info;
    emberi_likeness (*sniff)(const uint8_t *data, size_t size); /* or NULL: only ever told by extension */
    /* whether a file's whole name says so, for names without extension; or NULL */
    bool (*named)(const char *name);
    /* or NULL: by a reader that the caller brings, if it reads */
    ember_status (*read)(ember_model *out, const emberi_source *source);
    ember_status (*write)(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                          ember_error *err);
    /* A clip's `raw` to and from JSON's, or NULL where the format has none. raw_write emits the keys and
       values of the object; its first key, "format", and its braces are there already. raw_read gets the
       whole object; all numbers in it are reals (json_number_value), integers too. */
    ember_status (*raw_write)(struct emberi_json_out *out, const ember_clip *clip, ember_error *err);
    ember_status (*raw_read)(ember_raw *out, const struct json_t *object, const emberi_source *source);
} emberi_format_ops;

extern const emberi_format_ops emberi_ewzanim_ops;
extern const emberi_format_ops emberi_eza_ops;
extern const emberi_format_ops emberi_json_ops;
extern const emberi_format_ops emberi_gltf_ops;
extern const emberi_format_ops emberi_glb_ops;
extern const emberi_format_ops emberi_fbx_ops;
extern const emberi_format_ops emberi_animbin_ops;
extern const emberi_format_ops emberi_bvh_ops;
extern const emberi_format_ops emberi_ff7_ops;
extern const emberi_format_ops emberi_ff7aa_ops;
extern const emberi_format_ops emberi_obj_ops;
extern const emberi_format_ops emberi_ewzskel_ops;
extern const emberi_format_ops emberi_ewzmesh_ops;

const emberi_format_ops *emberi_format_ops_of(ember_format format); /* NULL if unknown */

/* What the options say, or else the file. */
static inline double emberi_source_fps(const emberi_source *source, double fps)
{
    return source->options->fps > 0.0 ? source->options->fps : fps;
}

static inline ember_space emberi_source_space(const emberi_source *source, ember_space space)
{
    return source->options->space != EMBER_SPACE_UNSTATED ? source->options->space : space;
}

/* What lengths are multiplied by. */
static inline float emberi_source_scale(const emberi_source *source)
{
    return source->options->scale > 0.0 ? (float)source->options->scale : 1.0f;
}

/* As many as ember_model_check lets through: parents are int16_t. */
#define EMBERI_MODEL_MAX_BONES 32767u

/* ---- memory: budget.c ---- */

/* What one read has used and may use. While it is open the arena's allocator counts; a caller's fixed block
   counts itself. */
struct emberi_budget {
    ember_allocator inner, of_arena;
    size_t          limit, used, file_size; /* with all files that belong to it */
    bool            is_set;                 /* by the caller, and not by the file's size */
    bool            refused;                /* some allocation would have been too much */
};
void         emberi_budget_open(emberi_budget *budget, size_t limit, size_t file_size, ember_arena *arena);
void         emberi_budget_close(emberi_budget *budget, ember_arena *arena);
ember_status emberi_budget_fail(const emberi_budget *budget, ember_error *err);

/* For what a reader needs on the way. Counts, too. */
ember_allocator emberi_source_heap(const emberi_source *source);
size_t          emberi_source_limit(const emberi_source *source); /* bytes in all */

/* For what others allocate, and for work that a count alone causes: false, and the error is set, where it is
   too much. */
bool emberi_source_take(const emberi_source *source, size_t count, size_t size);
void emberi_source_give_back(const emberi_source *source, size_t bytes);

/* Reads a file that a document names: a regular one, and below the document's folder wherever links lead.
   limit_size 0: 1 GiB. */
ember_status emberi_file_read_beside(ember_buffer *out, const char *document, const char *path,
                                     size_t limit_size, ember_error *err);

/* A file that belongs to the one that is read: its size counts as if it were part of it. */
ember_status emberi_source_read_beside(const emberi_source *source, ember_buffer *file, const char *path,
                                       ember_error *err);
void         emberi_source_free_beside(const emberi_source *source, ember_buffer *file);

/* ---- failures ---- */

/* ember_fail with a printf format; the second form also says which clip, bone and frame (-1: none). Control
   characters become '?', so that an error stays one line whatever it quotes. */
ember_status emberi_failf(ember_error *err, ember_status status, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
ember_status emberi_fail_at(ember_error *err, ember_status status, int32_t clip, int32_t bone, int32_t frame,
                            const char *format, ...) __attribute__((format(printf, 6, 7)));
ember_status emberi_fail_memory(ember_error *err);
/* "cannot open: No such file or directory", by errno */
ember_status emberi_fail_system(ember_error *err, const char *what, int error);

/* ---- names ---- */

/* Bytes of the valid UTF-8 character at `text`, of which `size` bytes are there; 0 if it is not one. */
size_t emberi_utf8_size(const char *text, size_t size);
bool   emberi_utf8_valid(const char *text);
/* C0, DEL, and C1, which terminals obey as well; of one valid character */
bool   emberi_utf8_is_control(const char *c, size_t size);

/* A copy in the arena; NULL if there is no room. `text` of emberi_copy_name need not be valid UTF-8: what is
   not becomes '?', control characters too, so that names can be printed anywhere. */
char *emberi_copy_text(ember_arena *arena, const char *text);
char *emberi_copy_name(ember_arena *arena, const char *text, size_t size);

/* "walk" of "/a/b/walk.ewzanim", "clip" where there is no path: what a file's only clip is called. NULL if
   there is no room. */
char *emberi_name_from_path(ember_arena *arena, const char *path);

/* A name inside a message: in quotes, cut where it is long. */
typedef struct emberi_quoted {
    char text[64];
} emberi_quoted;
emberi_quoted emberi_quote(const char *name);
/* its number where it has no name */
emberi_quoted emberi_quote_bone(const ember_skeleton *skeleton, uint32_t bone);

/* The name that a bone without one gets where a format needs one: "bone_12". */
typedef struct emberi_made_name {
    char text[24];
} emberi_made_name;
emberi_made_name emberi_make_name(uint32_t bone);

/* Has a name of its own, not none or the made one. */
bool emberi_bone_is_named(const ember_skeleton *skeleton, uint32_t bone);

/* ---- notes ---- */

/* Tells whoever listens; clip and bone may be NULL. */
void emberi_notef(const ember_notes *notes, ember_note_kind kind, const char *clip, const char *bone,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Says in one line per clip what a format leaves out; pass what it does store. What belongs to the whole
   model is said with its first clip. */
typedef struct emberi_stored {
    bool names, parents, rest, inverse_binds, meshes, bones, rate, loop, markers, raw, space;
} emberi_stored;
void emberi_note_losses(const ember_notes *notes, const ember_model *model, const ember_clip *clip,
                        emberi_stored stored);

/* One warning if any number of the clip's frames is not finite. */
void emberi_note_not_finite(const ember_notes *notes, const ember_skeleton *skeleton, const ember_clip *clip);

#endif
