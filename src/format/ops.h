/* SPDX-License-Identifier: MIT */
/* What a format has to bring, and the few helpers that all formats share. One file per format defines its ops
   table; formats.h lists them. */
#ifndef EMBER_FORMAT_OPS_H
#define EMBER_FORMAT_OPS_H

#include "base/fail.h"
#include "ember/format.h"
#include "format/formats.h"
#include "model/names.h"
#include "model/note.h"
#include "model/place.h"

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
    ember_status (*read)(ember_model *out, const emberi_source *source); /* NULL: not */
    ember_status (*write)(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                          ember_error *err);
    /* The other files that this one names, as paths like the source's own, in its arena; or NULL. They need
       not exist. */
    ember_status (*references)(const char *const **paths, uint32_t *count, const emberi_source *source);
    /* A clip's `raw` to and from JSON's, or NULL where the format has none. raw_write emits the keys and
       values of the object; its first key, "format", and its braces are there already. raw_read gets the
       whole object. */
    ember_status (*raw_write)(struct emberi_json_out *out, const ember_clip *clip, ember_error *err);
    ember_status (*raw_read)(ember_raw *out, const struct json_t *object, const emberi_source *source);
} emberi_format_ops;

/* The space that a clip is to be stored in. */
ember_space emberi_stored_space(const ember_write_options *options, const ember_clip *clip);

/* The model as it is to be stored: its clips in the space that the options or the format ask for. */
ember_status emberi_model_to_space(ember_model *out, const ember_model *model,
                                   const ember_write_options *options, ember_arena *arena, ember_error *err);

#define EMBERI_FORMAT_DECLARE(name) extern const emberi_format_ops emberi_##name##_ops;
EMBERI_FORMATS(EMBERI_FORMAT_DECLARE)
#undef EMBERI_FORMAT_DECLARE

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

/* A file that belongs to the one that is read: its size counts as if it were part of it. */
ember_status emberi_source_read_beside(const emberi_source *source, ember_buffer *file, const char *path,
                                       ember_error *err);
void         emberi_source_free_beside(const emberi_source *source, ember_buffer *file);

/* ---- curves: sampling.c ---- */

/* No clip that is sampled has more frames. */
#define EMBERI_FRAME_LIMIT ((uint32_t)1 << 20)

/* Whether the options' range can be one at all. */
ember_status emberi_sampling_check(const emberi_source *source);
/* Cuts a clip's seconds to the options' range; `place` says which clip it is. */
ember_status emberi_sampling_cut(const emberi_source *source, double *start, double *end, emberi_place place);
/* How many of its `count` frames a clip keeps: one less where it loops and its last frame
   repeats the first. */
uint32_t     emberi_sampling_close_loop(const emberi_source *source, const char *clip,
                                        const ember_transform *frames, uint32_t count, uint32_t bone_count);

/* ---- notes ---- */

/* Reports in one line per clip what the writer leaves out; `stored` is the format's, changed where this clip
   decides. What belongs to the whole model is reported with its first clip. */
void emberi_note_losses(const ember_notes *notes, const ember_model *model, const ember_clip *clip,
                        ember_format_stores stored);
/* The same of a model without clips. */
void emberi_note_losses_without_clips(const ember_notes *notes, const ember_model *model,
                                      ember_format_stores stored);

/* One warning if any number of the clip's frames is not finite. */
void emberi_note_not_finite(const ember_notes *notes, const ember_skeleton *skeleton, const ember_clip *clip);

#endif
