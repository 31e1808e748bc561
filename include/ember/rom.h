/* SPDX-License-Identifier: MIT */
/* The ROM: everything a game is made of, in one file that is opened by mapping it. Nothing is parsed but
   the header, nothing is copied; a row of the table and a payload are looked at when they are asked for,
   and every field is checked before it is used, so a ROM may be hostile. docs/formats/ewz.md is the
   normative table. */
#ifndef EMBER_ROM_H
#define EMBER_ROM_H

#include "base.h"
#include "format.h"
#include "lean.h"
#include "model.h"
#include "squeeze.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EMBER_ROM_MAX_SIZE (16u << 20)
#define EMBER_ROM_MAX_ID 255u
#define EMBER_ROM_MAX_TEXT 1023u /* bytes of a title or an author */
#define EMBER_ROM_MAX_ENTRIES 65535u

/* Kinds of entries; a reader skips those it does not know. The numbers are the file's. */
typedef enum ember_rom_kind {
    EMBER_ROM_INFO = 1, /* title, author; id "info" */
    EMBER_ROM_GAME,     /* a WASM module; id "game" */
    EMBER_ROM_RIG,      /* what clips of one skeleton share: parents, names, rest pose */
    EMBER_ROM_SKELETON, /* as .ewzskel */
    EMBER_ROM_MESH,     /* as .ewzmesh, packed */
    EMBER_ROM_TEXTURE,  /* an image file as it is: PNG or JPEG */
    EMBER_ROM_KEYFRAMES,
    EMBER_ROM_DATA, /* whatever the game wants */
    EMBER_ROM_KIND_COUNT
} ember_rom_kind;

EMBER_API const char *ember_rom_kind_name(ember_rom_kind kind); /* "keyframes"; "unknown" for others */

/* The format of the files that entries of this kind are made from: .ewzanim, .ewzskel, .ewzmesh;
   EMBER_FORMAT_UNKNOWN for kinds that are no models. */
EMBER_API ember_format ember_rom_kind_format(ember_rom_kind kind);

/* XXH3 of 64 bits, with which a ROM knows its bytes again. */
EMBER_API uint64_t ember_rom_hash(const void *data, size_t size);

/* True if the bytes may be an id: 1..255 of [A-Za-z0-9_./-]. ember build makes lower case of
   names; capitals are for those who ask for them. */
EMBER_API bool ember_rom_id_valid(const char *id, size_t size);

/* ---- reading ---- */

typedef struct ember_rom ember_rom;

typedef struct ember_rom_entry {
    uint32_t       kind; /* an ember_rom_kind, or a number this library does not know */
    uint32_t       index;
    const char    *id; /* terminated, in the ROM */
    uint32_t       id_size;
    const uint8_t *data; /* aligned to 16 */
    size_t         size;
    uint32_t       flags;
    /* index of the entry that this one names: a clip's rig, a mesh's texture, or the mesh whose bytes it
       shares (ember_rom_mesh_open); or EMBER_ROM_NO_LINK. Not checked */
    uint32_t       link;
    uint64_t       hash; /* XXH3 of the payload */
} ember_rom_entry;

#define EMBER_ROM_NO_LINK UINT32_MAX

/* True if the bytes begin like a ROM, of whatever version. */
EMBER_API bool ember_rom_sniff(const void *data, size_t size);

/* Which other console's ROM the bytes begin like, in words; NULL if none that is known. */
EMBER_API const char *ember_rom_foreign(const void *data, size_t size);

/* Maps the file, or takes `size` bytes at `data` (aligned to 16, they must stay). The header is checked, and
   that the table is inside; rows are checked when they are asked for, so opening costs the same however many
   there are. allocator: for the handle alone. The text of a failure says what is wrong: no ROM at all, a
   version that is not known, a table that does not fit. A mapped file must not be cut while it is open (ember
   build replaces, it does not rewrite). */
EMBER_API ember_status ember_rom_open_file(ember_rom **out, const char *path, ember_allocator allocator,
                                           ember_error *err);
EMBER_API ember_status ember_rom_open_memory(ember_rom **out, const void *data, size_t size,
                                             ember_allocator allocator, ember_error *err);
EMBER_API void         ember_rom_close(ember_rom *rom); /* NULL is fine */

EMBER_API size_t   ember_rom_size(const ember_rom *rom); /* bytes */
EMBER_API uint32_t ember_rom_entry_count(const ember_rom *rom);
/* In the table's order: by kind, then id. False for an index beyond, and for a row that cannot be right
   (ember_rom_check says why). */
EMBER_API bool     ember_rom_entry_at(ember_rom_entry *out, const ember_rom *rom, uint32_t index);
/* By binary search. False if there is none; id need not be valid. */
EMBER_API bool ember_rom_find(ember_rom_entry *out, const ember_rom *rom, ember_rom_kind kind, const char *id,
                              size_t id_size);
/* The TEXTURE that a MESH names; false if it names none. */
EMBER_API bool ember_rom_texture(ember_rom_entry *out, const ember_rom *rom, const ember_rom_entry *mesh);
/* Whether the row and the payload are what was written, and of a clip its rig, of a mesh the one it shares,
   by their hashes:
   EMBER_E_MALFORMED with the kind and the id in the text otherwise. */
EMBER_API ember_status ember_rom_verify(const ember_rom *rom, const ember_rom_entry *entry, ember_error *err);
/* All of it: every row's hash, order and place, every payload's hash, the padding, and that clips, skeletons
   and meshes can be read to the end. No byte of a ROM can change without a finding. Findings have codes
   ROM001.. (docs/formats/ewz.md), `clip` is "kind:id" or NULL. Fails only for lack of memory; memory comes
   from allocator. */
EMBER_API ember_status ember_rom_check(const ember_rom *rom, ember_allocator allocator,
                                       const ember_findings *findings, ember_error *err);

EMBER_API const char *ember_rom_title(const ember_rom *rom); /* "" where there is none */
EMBER_API const char *ember_rom_author(const ember_rom *rom);

/* ---- meshes ---- */

/* The bytes of a MESH entry. Entries that are equal but for the bone that they follow share theirs. */
typedef struct ember_rom_mesh {
    const uint8_t  *data; /* an .ewzmesh, in the ROM */
    size_t          size;
    int32_t         bone;  /* that it follows in place of the bytes' attached_bone; -1: as they say */
    ember_rom_entry whole; /* the entry that has the bytes, and the texture */
} ember_rom_mesh;

/* EMBER_E_MALFORMED if the entry names a mesh that is not there. */
EMBER_API ember_status ember_rom_mesh_open(ember_rom_mesh *out, const ember_rom *rom,
                                           const ember_rom_entry *entry, ember_error *err);
/* Appends the mesh as the .ewzmesh that it was made from, byte for byte. */
EMBER_API ember_status ember_rom_mesh_file(ember_buffer *out, const ember_rom *rom,
                                           const ember_rom_entry *entry, ember_error *err);

/* ---- clips ---- */

typedef struct ember_rom_rig {
    uint32_t               bone_count;
    const int16_t         *parents; /* in the ROM; checked */
    const ember_transform *rest;    /* local, in the ROM; or NULL where the source had none */
    const uint8_t         *names;   /* for ember_rom_rig_name */
    size_t                 names_size;
} ember_rom_rig;

/* How a clip's frames are stored. The numbers are the file's. */
typedef enum ember_rom_form {
    EMBER_ROM_RECORDS = 0, /* 16 bytes per bone and frame, raw or squeezed, without loss */
    EMBER_ROM_LEAN,        /* in local space, with a maximum error */
    EMBER_ROM_FORM_COUNT
} ember_rom_form;

/* The bytes of a lean clip and its rig, for ember_lean_open. */
typedef struct ember_rom_lean {
    ember_lean_rig rig; /* checked */
    const uint8_t *data;
    size_t         size;
    float          error; /* as the clip says */
} ember_rom_lean;

/* `space` is that of the poses that games and readers get. A lean clip is stored in local space whatever it
   says; its poses are composed where they are wanted in model space. */
typedef struct ember_rom_clip {
    const char    *id;
    uint32_t       bone_count, frame_count;
    ember_space    space;
    double         fps; /* 0: not known */
    bool           loop;
    uint32_t       marker_count;
    const uint8_t *markers; /* for ember_rom_clip_marker */
    size_t         markers_size;
    ember_rom_rig  rig;
    ember_rom_form form;
    ember_squeezed block; /* RECORDS; method RAW too: then block.data holds frame after frame */
    ember_rom_lean lean;  /* LEAN */
} ember_rom_clip;

/* The clip of an entry of kind KEYFRAMES, everything but its frames checked. It points into the ROM
   and may be copied. */
EMBER_API ember_status ember_rom_clip_open(ember_rom_clip *out, const ember_rom *rom,
                                           const ember_rom_entry *entry, ember_error *err);
EMBER_API const char  *ember_rom_rig_name(const ember_rom_rig *rig,
                                          uint32_t             bone); /* NULL where the bone has none */
EMBER_API bool         ember_rom_clip_marker(ember_marker *out, const ember_rom_clip *clip, uint32_t index);
/* How the frames are stored, in a word: "raw", "quick", "small", "lean". */
EMBER_API const char  *ember_rom_clip_method(const ember_rom_clip *clip);
/* Appends the clip as the .ewzanim that it was made from, byte for byte; a lean clip as the .ewzanim that its
   poses give. */
EMBER_API ember_status ember_rom_clip_file(ember_buffer *out, const ember_rom_clip *clip, ember_error *err);

/* Reads the poses of a clip of any form. Made once, with all that it needs in the arena; it points to the
   clip, which must stay where it is. */
typedef struct ember_rom_frames {
    const ember_rom_clip *clip;
    ember_squeeze_cursor  records; /* private from here on */
    uint8_t              *record_bytes;
    ember_lean_clip       lean;
    ember_lean_cursor     cursor;
} ember_rom_frames;

/* On failure the arena is as it was. EMBER_E_MALFORMED for a lean clip whose header is damaged. */
EMBER_API ember_status ember_rom_frames_open(ember_rom_frames *out, const ember_rom_clip *clip,
                                             ember_arena *arena, ember_error *err);
/* The pose of one frame in the clip's space. EMBER_E_ARG for a frame beyond the clip or if out_count is
   below its bones; EMBER_E_MALFORMED for damaged frames, with the frame in the error, and `out` is not to
   be used then. */
EMBER_API ember_status ember_rom_frames_read(ember_transform *out, size_t out_count, ember_rom_frames *frames,
                                             uint32_t frame, ember_error *err);

/* ---- writing ---- */

/* One asset on its way into a ROM; `data` is what the kind's file holds (for KEYFRAMES an .ewzanim, or a lean
   clip with its rig). INFO and RIG are made by the writer itself. */
typedef struct ember_rom_asset {
    ember_rom_kind        kind;
    const char           *id;
    const void           *data;
    size_t                size;
    /* KEYFRAMES only. */
    ember_space           space;
    double                fps;
    bool                  loop;
    /* parents, names, rest of exactly the clip's bones; or NULL. The same pointer or equal
       contents share a rig */
    const ember_skeleton *skeleton;
    uint32_t              marker_count;
    const ember_marker   *markers;
    ember_squeeze_method  method; /* of an .ewzanim */
    /* Of a lean clip, which `data` is then: the rig that it was encoded against, or NULL. Clips with equal
       skeletons, spaces and rigs share one entry. */
    const void           *lean_rig;
    size_t                lean_rig_size;
    /* MESH only. */
    const char           *texture; /* id of its base colour's TEXTURE, or NULL */
} ember_rom_asset;

typedef struct ember_rom_content {
    const char            *title, *author; /* or NULL */
    const ember_rom_asset *assets;         /* in any order */
    uint32_t               asset_count;
    size_t                 limit_size; /* 0: EMBER_ROM_MAX_SIZE */
} ember_rom_content;

/* Appends the ROM to `out`, the same bytes for the same content in whatever order. Every failing asset
   (illegal or duplicate id, broken file) is told to `problems` as a warning note with the id as clip, then
   the first one is the error; nothing is written then. `sizes`, if not NULL: asset_count values, what each
   takes in the ROM with its padding; they are there too where only the limit was broken (EMBER_E_LIMIT).
   problems may be NULL. */
EMBER_API ember_status ember_rom_write(ember_buffer *out, const ember_rom_content *content, size_t *sizes,
                                       const ember_notes *problems, ember_error *err);

#ifdef __cplusplus
}
#endif
#endif
