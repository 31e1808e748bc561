/* SPDX-License-Identifier: MIT */
/* What every room of Ember shares: status codes, errors, vectors, memory. Nothing here allocates by
   itself; a growing arena asks the allocator it was given. */
#ifndef EMBER_BASE_H
#define EMBER_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EMBER_VERSION_MAJOR 0
#define EMBER_VERSION_MINOR 1
#define EMBER_VERSION_PATCH 0
#define EMBER_VERSION "0.1.0"
/* The version as one number that can be compared: 0.1.0 is 100. */
#define EMBER_VERSION_NUMBER (EMBER_VERSION_MAJOR * 10000 + EMBER_VERSION_MINOR * 100 + EMBER_VERSION_PATCH)

/* In front of every function of libember: what the shared library exports. On Windows a program that uses the
   DLL defines EMBER_DLL; EMBER_DLL_EXPORT is the library's own. */
#if defined(_WIN32) && defined(EMBER_DLL_EXPORT)
#define EMBER_API __declspec(dllexport)
#elif defined(_WIN32) && defined(EMBER_DLL)
#define EMBER_API __declspec(dllimport)
#elif defined(__GNUC__)
#define EMBER_API __attribute__((visibility("default")))
#else
#define EMBER_API
#endif

/* EMBER_VERSION_NUMBER of the library that runs, which may be newer than the headers: docs/design/abi.md. */
EMBER_API uint32_t ember_version(void);

/* The console's limits; the formats of Emberware Z cannot hold more. */
#define EMBER_MAX_BONES 255u
#define EMBER_MAX_FRAMES 65535u

typedef enum ember_status {
    EMBER_OK = 0,
    EMBER_E_ARG,         /* the caller broke a documented rule */
    EMBER_E_NOMEM,       /* the allocator or the arena had no more memory */
    EMBER_E_LIMIT,       /* more than a format or a configured limit allows */
    EMBER_E_TRUNCATED,   /* the input ended inside a record */
    EMBER_E_MALFORMED,   /* the input contradicts its format */
    EMBER_E_VERSION,     /* a format version that this library does not know */
    EMBER_E_SPACE,       /* the output buffer is too small */
    EMBER_E_RANGE,       /* a value that the target cannot store, or that is not a finite number */
    EMBER_E_UNSUPPORTED, /* the format is known, but not for this job or not in this build */
    EMBER_E_IO,          /* the system refused to read or write */
    EMBER_E_TRAP,        /* a game did what it must not do, and was stopped */
    EMBER_STATUS_COUNT
} ember_status;

/* A short English name of the status, "truncated" for example. Never NULL, also for values out of range. */
EMBER_API const char *ember_status_name(ember_status status);

#define EMBER_NO_OFFSET UINT64_MAX

/* What went wrong, and where. Set it to EMBER_ERROR_INIT before the call; the first failure wins, so one
   error can be handed through several calls. The place is in the fields only: the text does not repeat it,
   ember_error_format puts both together. */
typedef struct ember_error {
    ember_status status;
    uint64_t     offset; /* byte in the input, EMBER_NO_OFFSET if it has none */
    /* index of the clip concerned, in the file read or the model written; -1 where there is none */
    int32_t      clip;
    int32_t      bone;  /* index of the bone in the skeleton; -1 where there is none */
    int32_t      frame; /* of the clip; -1 where there is none */
    /* one line that says what is wrong, no full stop, no newline; "" if nothing failed */
    char         text[232];
    /* UTF-8 without control characters; one that is too long is cut and ends with "…"; "" where
       there is no name */
    char         clip_name[128];
    char         bone_name[128];
} ember_error;

#define EMBER_ERROR_INIT                                  \
    {                                                     \
        EMBER_OK, EMBER_NO_OFFSET, -1, -1, -1, "", "", "" \
    }

/* Records the first failure; later ones leave it as it is. Returns `status`, so that a caller can
   write `return ember_fail(err, ...)`. `err` may be NULL. Texts that are too long are cut at a
   character's border; control characters and bytes that are not UTF-8 become '?'. The error gets no clip,
   bone or frame: set those afterwards. */
EMBER_API ember_status ember_fail(ember_error *err, ember_status status, uint64_t offset, const char *text);

/* Room for any error without a file's name in front, the end mark included. */
#define EMBER_ERROR_LINE_SIZE 528

/* The whole error as one line: "hero.glb: walk: hand.l: frame 3: the rotation is zero". Parts that do not
   apply are left out, and a clip or bone without a name is "clip 2" or "bone 12". The offset is not in the
   line: a text names the byte where that helps. An error without a text shows the name of its status.
   Returns the length of the whole line, like snprintf: if that is `size` or more, the line was cut, at a
   character's border. Control characters and bytes that are not UTF-8 become '?'.
   out:  gets the line, with an end mark unless `size` is 0; may be NULL then
   file: what to put in front; NULL or "" for nothing */
EMBER_API size_t ember_error_format(char *out, size_t size, const char *file, const ember_error *err);

/* ---- vectors and transforms ---- */

typedef struct ember_vec3 {
    float x, y, z;
} ember_vec3;

typedef struct ember_quat {
    float x, y, z, w;
} ember_quat;

/* Where a bone is: 40 bytes, the console's BoneTransform. A point goes through scale, rotation,
   then position. */
typedef struct ember_transform {
    ember_quat rotation;
    ember_vec3 position;
    ember_vec3 scale;
} ember_transform;

/* Affine matrix, three rows of four: [r00 r01 r02 tx | r10 r11 r12 ty | r20 r21 r22 tz]. */
typedef struct ember_mat34 {
    float m[12];
} ember_mat34;

/* The same in columns, as v2's set_bones takes it: [column 0 | column 1 | column 2 | translation], three
   floats each. */
typedef struct ember_mat43 {
    float m[12];
} ember_mat43;

/* Column-major 4x4, as v2's set_bones_4x4 and glTF have it. */
typedef struct ember_mat44 {
    float m[16];
} ember_mat44;

/* What leaves everything where it is: as initializers, and as constants. */
/* clang-format off */
#define EMBER_TRANSFORM_IDENTITY {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}}
#define EMBER_MAT34_IDENTITY {{1.0f, 0.0f, 0.0f, 0.0f, \
                               0.0f, 1.0f, 0.0f, 0.0f, \
                               0.0f, 0.0f, 1.0f, 0.0f}}
/* clang-format on */
extern EMBER_API const ember_transform ember_transform_identity;
extern EMBER_API const ember_mat34     ember_mat34_identity;

/* The parent of a bone that has none. */
#define EMBER_NO_PARENT (-1)

/* ---- memory ---- */

/* One function for all of allocating, growing and freeing: `old_size` is 0 with a NULL `memory`, `new_size` 0
   frees and returns NULL. Memory is aligned for any type. */
typedef struct ember_allocator {
    void *(*resize)(void *user, void *memory, size_t old_size, size_t new_size);
    void *user;
} ember_allocator;

/* Memory that is given out in order and taken back all at once. Made by one of the two functions below; the
   fields are the arena's own. */
typedef struct ember_arena {
    ember_allocator           allocator;
    struct ember_arena_block *blocks; /* newest first; NULL in a fixed arena */
    uint8_t                  *base;   /* of the block in use */
    size_t                    size;
    size_t                    used;
    size_t                    total; /* bytes asked of the allocator, all blocks */
    size_t                    limit;
} ember_arena;

typedef struct ember_arena_mark {
    struct ember_arena_block *block;
    size_t                    used;
} ember_arena_mark;

/* An arena inside `memory`; it never grows. */
EMBER_API ember_arena ember_arena_fixed(void *memory, size_t size);

/* An arena that asks `allocator` for blocks as it needs them, `limit_size` bytes in all at the
   most (0: 1 GiB). */
EMBER_API ember_arena ember_arena_growing(ember_allocator allocator, size_t limit_size);

/* `count * elem_size` zeroed bytes aligned to `align` (a power of two); NULL if there is no room or the
   product overflows. An empty request gives a pointer that must not be read. */
EMBER_API void *ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align);

/* Everything pushed since the mark was saved is given back. */
EMBER_API ember_arena_mark ember_arena_save(const ember_arena *arena);
EMBER_API void             ember_arena_restore(ember_arena *arena, ember_arena_mark mark);

/* Gives all blocks back; the arena is empty then and may be used again. */
EMBER_API void ember_arena_free(ember_arena *arena);

#ifdef __cplusplus
#define EMBER_PUSH(arena, type, count) \
    (static_cast<type *>(ember_arena_push((arena), (count), sizeof(type), alignof(type))))
#else
#define EMBER_PUSH(arena, type, count) \
    ((type *)ember_arena_push((arena), (count), sizeof(type), _Alignof(type)))
#endif

#ifdef __cplusplus
}
#endif
#endif
