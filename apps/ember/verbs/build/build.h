/* SPDX-License-Identifier: MIT */
/* `ember build`: what its parts share. A folder's files become assets, each file by itself and in any thread;
   then all assets together become a ROM. */
#ifndef EMBER_APP_BUILD_H
#define EMBER_APP_BUILD_H

#include "base/json/json_tree.h"
#include "cli/say.h"
#include "ember/rom.h"

/* ---- ember.json ---- */

/* How far a clip's poses may be off. */
typedef enum build_error_kind {
    BUILD_ERROR_UNSET = 0, /* BUILD_ERROR_PART of the model's size, unless "squeeze" asks for records */
    BUILD_ERROR_PART,      /* of the model's size */
    BUILD_ERROR_LENGTH,    /* in metres */
    BUILD_LOSSLESS         /* as 16-byte records, without further loss */
} build_error_kind;

typedef struct build_error {
    build_error_kind kind;
    double           value;
} build_error;

#define BUILD_ERROR_DEFAULT 0.0002 /* of the model's size */

/* "0.5mm", "0.02%", "lossless"; false for other texts. */
bool build_error_read(build_error *out, const char *text);

/* What ember.json says of a file, a clip or a mesh; each level overrides those above it. */
typedef struct build_choice {
    double      rate; /* 0: 30 where curves are sampled, EMBER_FPS_SOURCE: the keys' own */
    bool        rate_set;
    ember_space space; /* UNSTATED: model */
    ember_fit   fit;
    int         loop; /* -1: as the source says */
    /* an ember_squeeze_method; -1: quick for local clips, small for model-space ones */
    int         squeeze;
    bool        squeeze_set;
    build_error error;
    double      scale;                            /* 0: 1 */
    size_t      chunk;                            /* of data; 0: in one piece */
    const char *id, *as, *skin, *take, *skeleton; /* or NULL */
    bool        skip, wants_skeleton, no_skeleton, no_clips, no_meshes;
} build_choice;

typedef struct build_config {
    char         *path;   /* of ember.json, as messages call it */
    const json_t *root;   /* NULL where there is no ember.json */
    ember_arena   memory; /* of the document */
    const char   *title, *author;
    bool         *used; /* one per key of "assets": it has met a file */
    size_t        asset_keys;
} build_config;

/* Reads the folder's ember.json, if there is one, and says everything that is wrong with it. False then. */
bool build_config_open(build_config *config, const char *folder, app_say *say);
void build_config_close(build_config *config);
/* Says at the top how far clips may be off, as the command line wants it. False without memory. */
bool build_config_set_error(build_config *config, const char *text);

/* All that ember.json says of the file, as one object: the top's options, then every key of "assets" that is
   or matches the path, later ones over earlier ones. Free it. */
json_t *build_config_of_file(build_config *config, const char *path);
/* Says which keys of "assets" met no file; false if there is one. */
bool    build_config_check_used(const build_config *config, app_say *say);

build_choice build_choice_of(const json_t *object);
/* The choice for one clip or mesh: the file's, then what its "clips" or "meshes" say of its name or
   "#number"; one that a list does not have is skipped. `seen`: one per entry of the list or object, set where
   it met the part. */
build_choice build_choice_of_part(const build_choice *file, const json_t *parts, const char *name,
                                  uint32_t number, bool *seen);

/* ---- files and what is made of them ---- */

typedef enum build_way {
    BUILD_SKIP = 0,
    BUILD_DATA,
    BUILD_GAME,
    BUILD_TEXTURE,
    BUILD_KEYFRAMES, /* .ewzanim, as it is */
    BUILD_SKELETON,  /* .ewzskel, as it is */
    BUILD_MESH,      /* .ewzmesh, packed if it is not */
    BUILD_EXPORT     /* a model: skeleton, meshes, clips */
} build_way;

/* A message, to be said when it is its file's turn. */
typedef struct build_message {
    say_level level;
    char     *clip, *bone; /* or NULL */
    char     *text;
} build_message;

/* What is known of an asset beside what a ROM has of it. */
typedef struct build_origin {
    ember_rom_kind       kind;
    char                *id;
    char                *name; /* the clip's or mesh's in the file, or NULL */
    ember_squeeze_method method;
    /* Of a clip that becomes a lean one: the entry of data that holds its frames, in local space; or NULL.
       Its own entry has all but the frames. */
    char                *frames;
    build_error          error;
    double               size;   /* of its model */
    uint32_t             number; /* of the clip or mesh in the file, while that is read; not kept */
} build_origin;

/* One file of the folder. All that is made of it is a small ROM of its own, with the clips unsqueezed: what
   the cache keeps, and what is put together in the end. */
typedef struct build_file {
    char          *path; /* from the assets' folder */
    char          *full; /* as the system knows it, and as messages call it */
    build_way      way;
    char          *beside; /* the file that its clips' skeleton was found in, or NULL */
    json_t        *options;
    build_choice   choice;
    build_message *messages;
    size_t         message_count;
    build_origin  *origins;
    size_t         origin_count;
    ember_buffer   bytes; /* the ROM */
    ember_rom     *rom;   /* NULL where it failed */
    uint64_t       key;   /* in the cache; 0: not cached */
    bool           failed, unchanged, cache_damaged;
    size_t         size; /* in the finished ROM */
    uint32_t       entries;
    uint32_t       clips, lean_clips; /* in the finished ROM */
    double         error;             /* the largest of its lean clips, in metres */
} build_file;

void          build_file_free(build_file *file);
/* The file's own voice: whatever is said through it is kept as its messages. */
app_say       build_file_say(build_file *file);
/* The origin that was added, to be filled in. */
build_origin *build_origin_add(build_file *file, ember_rom_kind kind, const char *id, const char *name,
                               ember_squeeze_method method);

/* An id from a name: lower case, what may not be in an id becomes '-'. Free it. */
char *build_id(const char *name);
/* "a/b" of "a/b.glb". Free it. */
char *build_stem(const char *path);

typedef struct build_list {
    build_file *files;
    size_t      count, room;
} build_list;

/* Every file of the folder and those below it, sorted by path, with its way and options. `except`: a file
   that is not taken, the output; or NULL. False with lines said where folders cannot be read, or the output
   is there and no ROM; what could be read is in the list then too. */
bool build_scan(build_list *list, const char *folder, build_config *config, const char *except, app_say *say);
void build_list_free(build_list *list);

/* Whether files called so hold clips without bones: they become assets only with a skeleton. */
bool build_needs_skeleton(const char *path);
/* Exports those that ember.json names a skeleton for, or that one lies beside: the file of the same name but
   for its extension, rtaa for rtda. */
void build_find_skeletons(build_list *list);

/* ---- making ---- */

typedef struct build_job {
    app_say    *say;
    build_list  list;
    const char *folder;
    char       *cache; /* the cache's folder, or NULL */
    uint64_t    tool;  /* hash of what this program is */
    unsigned    threads;
    uint64_t   *lean_keys; /* of what the cache holds of lean clips */
    size_t      lean_key_count;
    size_t      memory_limit; /* of reading one file; 0: by its size */
    struct build_share {
        size_t   size;
        uint32_t entries;
    } kinds[EMBER_ROM_KIND_COUNT]; /* what they take in the ROM, once it is put together */
    /* What is not in the ROM: bytes of meshes that others have too; weights and inverse binds
       of rigid ones. */
    struct build_saved {
        uint32_t shared, rigid, bones;
        uint64_t shared_size, weights, inverse_binds;
    } saved;
} build_job;

/* Makes one file's assets into file->bytes. False with a message. Runs in any thread; what it has to say is
   kept in the file. */
bool build_export(const build_job *job, build_file *file, const ember_buffer *bytes);
/* Makes all files' assets, from the cache where nothing has changed, in as many threads as the job says, with
   a progress bar. */
void build_make_all(build_job *job);

/* The cache: a file's key, its assets out of the cache and into it. A file that is damaged or cannot be
   written is as good as none. */
uint64_t build_cache_key(const build_job *job, const build_file *file, const ember_buffer *bytes);
bool     build_cache_load(const build_job *job, build_file *file);
void     build_cache_save(const build_job *job, build_file *file);
/* Removes what no file of the list uses. */
void     build_cache_sweep(const build_job *job);
/* What this program is, so that another one's exports are not taken for its own. */
uint64_t build_cache_tool(void);

/* Writes file->rom's bytes from assets, with the origins and messages beside them; false with messages. */
bool build_file_pack(build_file *file, const ember_rom_asset *assets, uint32_t count);
/* Opens file->bytes and reads origins and messages back. False if they are not what build_file_pack made. */
bool build_file_unpack(build_file *file);

/* ---- lean clips ---- */

/* A clip on its way: what it is made of, and what came of it. */
typedef struct build_lean {
    ember_rom_asset       *asset; /* with its skeleton; gets its data and its rig */
    const ember_transform *frames;
    uint32_t               frame_count;
    build_error            error;
    double                 size; /* of the model */
    float                  max_error, reached;
    uint32_t               worst_bone, worst_frame;
    bool                   exceeded; /* the error that was asked for could not be kept */
    uint32_t               group;
} build_lean;

/* Encodes all clips, those of equal skeletons against one rig, on all cores, or takes them from the cache.
   All bytes are in the arena. False with messages. */
bool build_lean_all(build_job *job, build_lean *clips, size_t count, ember_arena *arena);

/* ---- the whole ---- */

/* Puts all files' assets together and writes the ROM to `out`. False, with everything said, where that cannot
   be; sizes of files and their entries are there if only the limit was broken. */
bool build_link(build_job *job, const build_config *config, ember_buffer *out);

/* What fills the ROM, by kind and by file, on standard output. */
void build_report(const build_job *job, size_t rom_size, const char *path);

#endif
