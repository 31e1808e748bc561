/* SPDX-License-Identifier: MIT */
/* Reading any file into the model and writing the model to any format. Readers take hostile bytes: whatever
   they are, the result is a model that passes ember_model_check or an error that says what is wrong and
   where; the arena is rewound then. Options that only one format takes are structs of their own: animbin.h,
   ff7.h, format_options.h. */
#ifndef EMBER_FORMAT_H
#define EMBER_FORMAT_H

#include "base.h"
#include "file.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- formats ---- */

/* What a file of a format stores of a model. Where a particular model decides otherwise, the writer's notes
   report it. */
typedef struct ember_format_stores {
    bool names, parents, rest, inverse_binds; /* of the skeleton */
    bool meshes;
    bool clips;               /* any at all; false: a writer ignores those of the model */
    bool bones;               /* which of the skeleton's bones a clip moves */
    bool rate, loop, markers; /* of a clip */
    bool raw;                 /* a clip's raw part */
    bool space;               /* the clips', or there is only one; false: ember_read_options.space says it */
} ember_format_stores;

/* The options of single formats, one bit for each pointer in ember_read_options and ember_write_options. */
enum {
    EMBER_TAKES_ANIMBIN = 1 << 0,
    EMBER_TAKES_BVH = 1 << 1,
    EMBER_TAKES_EWZMESH = 1 << 2,
    EMBER_TAKES_EZA = 1 << 3,
    EMBER_TAKES_FF7 = 1 << 4,
    EMBER_TAKES_EWZLEAN = 1 << 5,
    EMBER_TAKES_FBX = 1 << 6
};

typedef struct ember_format_info {
    ember_format        format;
    const char         *name;  /* "ewzanim", as --from and --to take it */
    const char         *title; /* "Emberware Z keyframes" */
    /* "ewzanim nczxanim": the first is the usual one; "??da" is a whole name, for files without extension. */
    const char         *extensions;
    bool                reads, writes;
    bool                one_clip;    /* a file holds exactly one clip */
    bool                empty_clips; /* stores clips without frames, so that the others keep their numbers */
    bool                fits;        /* obeys ember_write_options.fit, with some record at least */
    bool                curves;      /* holds curves, which are sampled at a rate, and not frames */
    /* Whether what a clip does not store comes from the rest pose of ember_read_options.skeleton, which may
       have more bones than the file. */
    bool                rest_from_skeleton;
    /* Whether `ember build` stores such files as they are unless ember.json says otherwise: the extension has
       other uses too, or the format belongs to another game. False: it makes assets of them. */
    bool                data_in_rom;
    /* Whether a writer stores what ember_read_options.carry keeps, and a reader keeps it. */
    bool                carries;
    /* The space in which clips are stored unless the options say otherwise. UNSTATED: each clip's own. */
    ember_space         default_space;
    /* The rate at which curves are sampled by default when they are converted to this format. 0 stands for
       EMBER_DEFAULT_FPS. A format that does not store rates and has this one is played at it, so `ember`
       brings clips of other rates to it. */
    double              default_fps;
    /* Where frames are records of one size, frame after frame, bone after bone: the first one's place in the
       file. 0: they are not. */
    uint32_t            record_offset;
    uint32_t            takes; /* bits of EMBER_TAKES_... */
    ember_format_stores stores;
} ember_format_info;

/* All formats of this build, `ember_format_count()` of them; NULL for an index beyond. */
EMBER_API size_t                   ember_format_count(void);
EMBER_API const ember_format_info *ember_format_at(size_t index);
EMBER_API const ember_format_info *ember_format_get(ember_format format);  /* NULL if unknown */
EMBER_API const ember_format_info *ember_format_by_name(const char *name); /* NULL if unknown or NULL */
/* By the path's extension, in any case; NULL if unknown or NULL. */
EMBER_API const ember_format_info *ember_format_by_path(const char *path);

/* What the bytes are, by content first and by the path's extension (`path` may be NULL) where content does
   not tell. */
EMBER_API const ember_format_info *ember_format_sniff(const void *data, size_t size, const char *path);

/* ---- reading ---- */

struct ember_animbin_options; /* animbin.h */
struct ember_bvh_options;     /* format_options.h */
struct ember_ewzlean_options; /* format_options.h */
struct ember_ewzmesh_options; /* format_options.h */
struct ember_eza_options;     /* format_options.h */
struct ember_fbx_options;     /* format_options.h */
struct ember_ff7_options;     /* ff7.h */

typedef struct ember_read_options {
    size_t       size;   /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    const char  *path;   /* names clips, and tells the format where content does not; or NULL */
    ember_format format; /* UNKNOWN: sniff */
    /* overrides the file's rate, 0: the file's; for formats that hold curves (glTF, FBX) the rate they are
       sampled at, 0: the rate they were written with by Ember, else fps_else, EMBER_FPS_SOURCE: the rate
       their keys have */
    double       fps;
    double       fps_else; /* 0: 30 */
    /* overrides what the file says or the format's default; UNSTATED: the file's */
    ember_space  space;
    const ember_skeleton *skeleton; /* names, parents and rest for files that have none; or NULL */
    /* glTF, FBX: the name or number of the skin whose joints are the bones; NULL: the first */
    const char           *skin;
    double                start_s, end_s; /* curves: the part of each clip to sample; end_s 0: to its end */
    bool                  loop;  /* clips loop: the last frame is dropped where it repeats the first */
    double                scale; /* of all lengths; 0: 1 */
    /* Meshes, or clips, are not wanted: the model has none, and what is wrong with them does not matter. */
    bool                  skip_meshes, skip_clips;
    /* glTF: meshes that cannot be read (broken, or compressed in a way that is not supported) are left out,
       with one warning for all; otherwise they are an error. */
    bool                  leave_bad_meshes;
    /* glTF: the model carries the rest of the document along, and a writer of glTF puts it back around the
       clips, as long as skeleton and meshes are the ones that were read. */
    bool                  carry;
    /* glTF, FBX: whether to sample this clip of the model, which has the names of all clips and nothing else
       yet. The others come without frames. NULL: all. */
    bool (*wants)(void *user, const ember_model *model, uint32_t clip);
    void                               *wants_user;
    ember_notes                         notes;
    /* bytes that reading may take, for the model and on the way; 0: ember_memory_limit of the file's size.
       What is needed beyond is EMBER_E_LIMIT. A fixed arena does not count: it has its own limit */
    size_t                              memory_limit;
    /* Options of single formats, valid for the call; NULL: the defaults. Formats ignore those of others. */
    const struct ember_animbin_options *animbin; /* unit and basis */
    const struct ember_bvh_options     *bvh;
    const struct ember_fbx_options     *fbx; /* take, layers */
    const struct ember_ff7_options     *ff7; /* skeleton and pair */
} ember_read_options;

#define EMBER_FPS_SOURCE (-1.0)

/* What reading a file of that size may take where nothing else is said: 6 MiB and 1024 bytes for each of the
   file's, 1 GiB at most. A track that stands still is a few bytes of a file whatever its length, so that a
   small file could become any size. Files that a glTF document names count with it. */
EMBER_API size_t ember_memory_limit(size_t file_size);

/* Reads a whole file from memory. On failure *out is zeroed and the arena is as it was. options and err may
   be NULL. The model does not point into `data`. */
EMBER_API ember_status ember_model_read(ember_model *out, const void *data, size_t size,
                                        const ember_read_options *options, ember_arena *arena,
                                        ember_error *err);

/* Reads the file at `path`; otherwise as ember_model_read. options->path may be NULL: it is `path` then. */
EMBER_API ember_status ember_model_load(ember_model *out, const char *path, const ember_read_options *options,
                                        ember_arena *arena, ember_error *err);

/* The other files that a file names, as paths beside `path`: what a glTF document says its buffers and images
   are in, and the textures of an FBX file that are there; none for other formats, and none where the file
   cannot be read. False if the arena has no room. */
EMBER_API bool ember_model_references(const char *const **paths, uint32_t *count, const void *data,
                                      size_t size, const char *path, ember_arena *arena);

/* ---- writing ---- */

/* How the values of a local clip are rounded to what a record can hold. */
typedef enum ember_fit {
    /* each bone against its parents as they will decode: errors do not add up down a chain */
    EMBER_FIT_CLOSED = 0,
    EMBER_FIT_PLAIN /* each value by itself: constant tracks stay constant, which squeezes smaller */
} ember_fit;

typedef struct ember_write_options {
    size_t       size;    /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    ember_format format;  /* required */
    ember_space  space;   /* clips are stored in it; UNSTATED: in the format's default_space */
    ember_fit    fit;     /* ewzanim, animbin, eza with record C: how local clips are rounded */
    bool         compact; /* json, gltf: no line breaks */
    ember_notes  notes;   /* told what the format does not store */
    /* Options of single formats, valid for the call; NULL: the defaults. Formats ignore those of others. */
    const struct ember_animbin_options *animbin;
    const struct ember_ewzlean_options *ewzlean;
    const struct ember_ewzmesh_options *ewzmesh;
    const struct ember_eza_options     *eza;
    const struct ember_ff7_options     *ff7; /* base and key */
} ember_write_options;

/* Appends the whole file to `out`; on failure `out` is as it was. A format that holds one clip (one_clip)
   is an error with more or none. One that stores no clips (stores.clips) ignores them. Clips in another
   space than the one to store are brought to it as ember_clip_to_space does, and options->notes hears
   what that could not keep. The same model and options give the same bytes. EMBER_E_ARG if options is
   NULL; err may be NULL. */
EMBER_API ember_status ember_model_write(ember_buffer *out, const ember_model *model,
                                         const ember_write_options *options, ember_error *err);

/* What storing a clip cost: how far what a reader makes of the file is from the source. */
typedef struct ember_measured {
    double   max, mean; /* as of ember_compare_run, over all bones and frames */
    double   size;      /* of the model, to hold them against */
    uint32_t bone;      /* the skeleton's, where the maximum is */
    uint32_t frame;
} ember_measured;

/* `data` is what ember_model_write made of this clip alone with these options. It is read back as anybody
   would read it; what its format does not store, the skeleton and which of its bones the clip has, comes from
   the model. False if it could not be measured, because the source's numbers are not finite or options is
   NULL, for example. */
EMBER_API bool ember_measure_written(ember_measured *out, const ember_model *model, const ember_clip *clip,
                                     const ember_write_options *options, const void *data, size_t size);

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

#ifdef __cplusplus
}
#endif
#endif
