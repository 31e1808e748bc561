/* SPDX-License-Identifier: MIT */
/* Reading any file into the model and writing the model to any format. Readers take hostile bytes: whatever
   they are, the result is a model that passes ember_model_check or an error that says what is wrong and
   where; the arena is rewound then. */
#ifndef EMBER_FORMAT_H
#define EMBER_FORMAT_H

#include "base.h"
#include "codec.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- formats ---- */

typedef struct ember_format_info {
    ember_format format;
    const char  *name;  /* "ewzanim", as --from and --to take it */
    const char  *title; /* "Emberware Z keyframes" */
    /* "ewzanim nczxanim": the first is the usual one; "??da" is a whole name for want of one */
    const char  *extensions;
    bool         reads, writes;
    bool         one_clip; /* a file holds exactly one clip */
} ember_format_info;

/* All formats of this build, `ember_format_count()` of them; NULL for an index beyond. */
size_t                   ember_format_count(void);
const ember_format_info *ember_format_at(size_t index);
const ember_format_info *ember_format_get(ember_format format); /* NULL if unknown */
const ember_format_info *ember_format_by_name(const char *name);
/* Whether it is read only by a reader that the caller brings (ember_read_options.readers). */
bool                     ember_format_needs_reader(ember_format format);
/* by its extension, in any case; NULL if unknown */
const ember_format_info *ember_format_by_path(const char *path);

/* What the bytes are, by content first and by the path's extension (`path` may be NULL) where content does
   not tell. */
const ember_format_info *ember_format_sniff(const void *data, size_t size, const char *path);

/* ---- notes: what was lost, repaired or assumed ---- */

typedef enum ember_note_kind {
    EMBER_NOTE_LOSS = 0, /* the target does not store it */
    EMBER_NOTE_WARNING,  /* the input is odd, or something was assumed */
    EMBER_NOTE_DETAIL    /* for -v */
} ember_note_kind;

typedef struct ember_note {
    ember_note_kind kind;
    const char     *clip; /* name, or NULL */
    const char     *bone; /* name, or NULL */
    const char     *text; /* one line; valid during the call */
} ember_note;

typedef struct ember_notes {
    void (*take)(void *user, const ember_note *note); /* NULL: nobody listens */
    void *user;
} ember_notes;

/* ---- ANIMBIN's own options, for reading (unit and basis) and for writing (all) ---- */

typedef enum ember_animbin_keys {
    /* those the clip was read with, where its frames are as they were read; else dense */
    EMBER_ANIMBIN_KEYS_KEPT = 0,
    EMBER_ANIMBIN_KEYS_DENSE, /* one on every frame */
    EMBER_ANIMBIN_KEYS_SPARSE /* few, within the tolerance, for readers that interpolate */
} ember_animbin_keys;

typedef enum ember_animbin_translations {
    EMBER_ANIMBIN_TRANSLATIONS_KEPT = 0, /* as the keys are kept; else AUTO */
    /* for bones that leave their rest position, or move where there is no rest */
    EMBER_ANIMBIN_TRANSLATIONS_AUTO,
    EMBER_ANIMBIN_TRANSLATIONS_NEVER,
    EMBER_ANIMBIN_TRANSLATIONS_ALWAYS
} ember_animbin_translations;

typedef enum ember_animbin_basis {
    EMBER_ANIMBIN_BASIS_SAME = 0,
    EMBER_ANIMBIN_BASIS_PSX /* the file's roots are turned by diag(1, -1, -1): y down, z away */
} ember_animbin_basis;

typedef struct ember_animbin_options {
    ember_animbin_keys         keys;
    /* of sparse keys: how far any point of the model may be off; 0: a 500th of its size */
    double                     tolerance;
    ember_rounding             rounding;
    ember_animbin_translations translations;
    /* stored units that make a length of 1; 0: 4096, FP12. The home engine's metre is 128 */
    double                     unit;
    ember_animbin_basis        basis;
} ember_animbin_options;

/* A unit by the skeleton: 4096, or where the model is small or its bones carry scales the power of two that
   stores rest positions to a 4000th of the model's size. The same skeleton gives the same unit for reading;
   without a rest pose it is an error. */
#define EMBER_ANIMBIN_UNIT_AUTO (-1.0)

/* The key that the clip's file has for a joint at the frame, or the last one before it: a rotation (w, x, y,
   z; 4096 is 1) or a translation (x, y, z). False where there is none, or the clip is not ANIMBIN's. */
typedef struct ember_animbin_key {
    uint32_t frame;
    int32_t  value[4];
} ember_animbin_key;
bool ember_animbin_key_at(ember_animbin_key *out, const ember_clip *clip, uint32_t joint, bool translation,
                          uint32_t frame);

/* ---- Final Fantasy VII's own options; ff7.h has the types ---- */

typedef struct ember_ff7_options {
    /* reading: the **aa of the pack, in place of a common skeleton; or NULL */
    const struct ember_ff7_skeleton *skeleton;
    /* reading: a body clip has the weapon clip that plays with it in one clip */
    bool                             pair;
    /* writing: the pack whose clips the model's replace; all others are kept; or NULL */
    const struct ember_ff7_pack     *base;
    bool                             key_set; /* writing: every clip is written anew with this key */
    uint8_t                          key;     /* 0, 2, 4 */
} ember_ff7_options;

/* ---- reading ---- */

struct ember_read_options;

/* A reader of a format whose parser is not part of this library. Its promises are those of ember_model_read:
   `options` and `err` are never NULL here. */
typedef struct ember_reader {
    ember_format format;
    ember_status (*read)(ember_model *out, const void *data, size_t size,
                         const struct ember_read_options *options, ember_arena *arena, ember_error *err);
} ember_reader;

typedef struct ember_read_options {
    const char           *path;   /* names clips, and tells the format where content does not; or NULL */
    ember_format          format; /* UNKNOWN: sniff */
    /* overrides the file's rate, 0: the file's; for formats that hold curves (glTF, FBX) the rate they are
       sampled at, 0: the rate they were written with by Ember, else fps_else, EMBER_FPS_SOURCE: the rate
       their keys have */
    double                fps;
    double                fps_else; /* 0: 30 */
    /* overrides what the file says or the format's default; UNSTATED: the file's */
    ember_space           space;
    const ember_skeleton *skeleton;   /* names, parents and rest for files that have none; or NULL */
    bool                  drop_tpose; /* BVH: leave out a first frame that is the T-pose */
    /* glTF: the name or number of the skin whose joints are the bones; NULL: the first */
    const char           *skin;
    double                start_s, end_s; /* curves: the part of each clip to sample; end_s 0: to its end */
    bool                  loop;  /* clips loop: the last frame is dropped where it repeats the first */
    double                scale; /* of all lengths; 0: 1 */
    /* glTF, FBX: whether to sample this clip of the model, which has the names of all clips and nothing else
       yet. The others come without frames. NULL: all. */
    bool (*wants)(void *user, const ember_model *model, uint32_t clip);
    void                      *wants_user;
    ember_notes                notes;
    ember_animbin_options      animbin; /* unit and basis count */
    const ember_reader *const *readers; /* for formats that need one; ember_fbx_reader for example */
    size_t                     reader_count;
    ember_ff7_options          ff7; /* skeleton and pair count */
    /* bytes that reading may take, for the model and on the way; 0: ember_memory_limit of the file's size.
       What is needed beyond is EMBER_E_LIMIT. A fixed arena does not count: it has its own limit */
    size_t                     memory_limit;
} ember_read_options;

#define EMBER_FPS_SOURCE (-1.0)

/* What reading a file of that size may take where nothing else is said: 6 MiB and 1024 bytes for each of the
   file's, 1 GiB at most. A track that stands still is a few bytes of a file whatever its length, so that a
   small file could become any size. Files that a glTF document names count with it. */
size_t ember_memory_limit(size_t file_size);

/* Reads a whole file from memory. On failure *out is zeroed and the arena is as it was. options and err may
   be NULL. The model does not point into `data`. */
ember_status ember_model_read(ember_model *out, const void *data, size_t size,
                              const ember_read_options *options, ember_arena *arena, ember_error *err);

/* The other files that a glTF document says its buffers and images are in, as paths beside `path`; none for
   other formats, and none where the document cannot be read. False if the arena has no room. */
bool ember_model_references(const char *const **paths, uint32_t *count, const void *data, size_t size,
                            const char *path, ember_arena *arena);

/* ---- writing ---- */

/* Bytes that grow. Set the allocator and leave the rest zero; free with ember_buffer_free. */
typedef struct ember_buffer {
    ember_allocator allocator;
    uint8_t        *data;
    size_t          size;
    size_t          capacity;
    size_t          limit; /* 0: 4 GiB, or what size_t holds */
} ember_buffer;
/* Room for `size` more bytes, which the caller fills in; NULL if there is no memory. */
uint8_t *ember_buffer_grow(ember_buffer *buffer, size_t size);
bool     ember_buffer_append(ember_buffer *buffer, const void *data, size_t size);
void     ember_buffer_free(ember_buffer *buffer);

/* How the values of a local clip are rounded to what a record can hold. */
typedef enum ember_fit {
    /* each bone against its parents as they will decode: errors do not add up down a chain */
    EMBER_FIT_CLOSED = 0,
    EMBER_FIT_PLAIN /* each value by itself: constant tracks stay constant, which squeezes smaller */
} ember_fit;

typedef struct ember_write_options {
    ember_format format;     /* required */
    ember_fit    fit;        /* ewzanim */
    ember_record record;     /* eza: which of the records; EWZ is the draft's C */
    bool         record_set; /* false: eza takes the smallest that holds the clip's scales: B, A, or C */
    bool         compact;    /* json, gltf: no line breaks */
    ember_notes  notes;      /* told what the format does not store */
    ember_animbin_options animbin;
    ember_ff7_options     ff7;      /* base and key count */
    bool                  unpacked; /* ewzmesh: vertices as floats, not in the packed form that a ROM holds */
} ember_write_options;

/* Appends the whole file to `out`; on failure `out` is as it was. A format that holds one clip (one_clip) is
   an error with more or none. The same model and options give the same bytes. */
ember_status ember_model_write(ember_buffer *out, const ember_model *model,
                               const ember_write_options *options, ember_error *err);

/* ---- checking against a target ---- */

typedef enum ember_severity {
    EMBER_SEVERITY_WARNING = 0, /* it works, but not as one might think */
    EMBER_SEVERITY_ERROR        /* it does not fit */
} ember_severity;

typedef struct ember_finding {
    const char    *code; /* "MAD004": never used again for something else */
    ember_severity severity;
    const char    *clip;  /* name, or NULL */
    const char    *bone;  /* name, or NULL */
    int64_t        frame; /* the first one concerned, or -1 */
    uint64_t       count; /* how often, all frames together */
    const char    *text;  /* one line; all texts are valid during the call */
} ember_finding;

typedef struct ember_findings {
    void (*take)(void *user, const ember_finding *finding);
    void *user;
} ember_findings;

/* What madnight, the engine that ANIMBIN comes from, makes of the model's clips: its limits, which it does
   not check itself, and its player's traps. Clips are looked at as ember_model_write would store them with
   these options. Only a lack of memory and options that cannot be are failures; a clip that cannot be stored
   is a finding. docs/formats/animbin.md lists the codes. */
ember_status ember_animbin_check(const ember_model *model, const ember_write_options *options,
                                 const ember_findings *findings, ember_error *err);

/* The same of an ANIMBIN file as it is: its own names and markers, and no frame of it is sampled, so a small
   file costs little whatever its counts say. A file that cannot be read is a failure. `skeleton` gives names
   to the bones, or is NULL; *clip_count is how many animations there are. */
ember_status ember_animbin_check_file(uint32_t *clip_count, const void *data, size_t size,
                                      const ember_skeleton *skeleton, const ember_findings *findings,
                                      ember_error *err);

/* The clips brought within the limits of madnight's player: translations, which it never applies, and
   whatever it would trip over left out, keys thinned evenly, all of it told to options->notes. What would
   take the model's meaning, clips or bones, is not left out but an error that says why it cannot be
   done. *out shares the model's skeleton, and its clips hold the keys that ember_model_write stores if it is
   given the same unit and basis, and no wish about keys or translations. */
ember_status ember_animbin_fit(ember_model *out, const ember_model *model, const ember_write_options *options,
                               ember_arena *arena, ember_error *err);

/* ---- files ---- */

/* malloc, realloc and free behind the allocator hook. */
ember_allocator ember_heap(void);

/* The whole file; folders, and files over `limit_size` (0: 1 GiB), are errors. "-" is standard input. */
ember_status ember_file_read(ember_buffer *out, const char *path, size_t limit_size, ember_error *err);

/* Writes a file so that the path holds either what it held before or all of the new bytes: to a temporary
   name beside it, then renamed. "-" is standard output, and is simply written. A path that is a device or a
   pipe is written in place. */
ember_status ember_file_write(const char *path, const void *data, size_t size, ember_error *err);

#ifdef __cplusplus
}
#endif
#endif
