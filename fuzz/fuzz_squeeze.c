/* SPDX-License-Identifier: MIT */
/* Squeezed blocks and lean clips with any bytes, read in order and from nothing, which must agree; and, where
   the first byte says so, bytes as the records of a clip, which must come back as they were, or as the
   transforms of a lean clip, which must keep its bound. The first byte of the input is the choices, the rest
   the block or the clip. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#define MOST_FRAMES 48u
enum {
    CHOICE_MODEL = 1,
    CHOICE_PARENTS = 2,
    CHOICE_OFFSETS = 4,
    CHOICE_ENCODE = 8,
    CHOICE_METHOD_AT = 4,
    CHOICE_LEAN = 64
};

typedef struct squeeze_rig {
    uint8_t           rest[EMBER_MAX_BONES * 16];
    uint8_t           offsets[EMBER_MAX_BONES * 12];
    int16_t           parents[EMBER_MAX_BONES];
    ember_squeeze_rig rig;
} squeeze_rig;

/* The same rig for the same choices: a tree of bones that rest where nothing is special. */
static void rig_make(squeeze_rig *r, uint8_t choices, uint32_t bone_count)
{
    for (uint32_t i = 0; i < bone_count; i++) {
        ember_transform t = {{0.1f * (float)(i % 7), 0.0f, -0.2f, 1.0f},
                             {0.1f * (float)i, 1.0f, 0.0f},
                             {1.0f, 1.0f, 1.0f}};
        fuzz_require(ember_record_encode(r->rest + i * 16, EMBER_RECORD_EWZ, &t) == EMBER_OK,
                     "the rig cannot be made");
        for (uint32_t k = 0; k < 3; k++)
            emberi_put_u32(r->offsets + i * 12 + k * 4, emberi_bits_of(0.25f * (float)(i % 5) - 0.5f));
        r->parents[i] = (int16_t)(i % 6 == 0 ? -1 : (int)(i - 1 - i % 3 / 2));
    }
    r->rig = (ember_squeeze_rig){.bone_count = bone_count,
                                 .rest = r->rest,
                                 .parents = (choices & CHOICE_PARENTS) != 0 ? r->parents : NULL,
                                 .offsets = (choices & CHOICE_OFFSETS) != 0 ? r->offsets : NULL,
                                 .model_space = (choices & CHOICE_MODEL) != 0};
}

static void *cursor_make(ember_squeeze_cursor *cursor, const ember_squeezed *block)
{
    size_t size = ember_squeeze_cursor_size(block);
    void  *memory = NULL;
    fuzz_require(posix_memalign(&memory, 16, size != 0 ? size : 16) == 0, "out of memory");
    fuzz_require(ember_squeeze_cursor_init(cursor, block, memory, size) == EMBER_OK,
                 "no cursor of the size that it asked for");
    return memory;
}

/* Every frame in order and, by a second cursor that forgets, from nothing, the last one first. `want` are the
   records, or NULL where the block may be damaged. */
static void read_frames(const ember_squeezed *block, const uint8_t *want)
{
    const size_t   size = (size_t)block->bone_count * 16;
    const uint32_t count =
        block->frame_count < MOST_FRAMES || want != NULL ? block->frame_count : MOST_FRAMES;
    ember_squeeze_cursor cursor;
    void                *memory = cursor_make(&cursor, block);
    uint8_t *frames = malloc(size * count != 0 ? size * count : 1), *again = malloc(size != 0 ? size : 1);
    bool    *read = calloc(count != 0 ? count : 1, sizeof(*read));
    fuzz_require(frames != NULL && again != NULL && read != NULL, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        ember_status status = ember_squeeze_read(frames + i * size, size, &cursor, i);
        fuzz_require(status == EMBER_OK || (status == EMBER_E_MALFORMED && want == NULL),
                     "a frame cannot be read");
        fuzz_require(want == NULL || size == 0 || memcmp(frames + i * size, want + i * size, size) == 0,
                     "a frame is not what it was");
        read[i] = status == EMBER_OK;
    }
    for (uint32_t i = count; i-- > 0;) {
        ember_squeeze_cursor_reset(&cursor);
        ember_status status = ember_squeeze_read(again, size, &cursor, i);
        fuzz_require((status == EMBER_OK) == read[i],
                     "a frame can be read in order but not alone, or the other way round");
        fuzz_require(!read[i] || size == 0 || memcmp(frames + i * size, again, size) == 0,
                     "a frame is another when it is read alone");
    }
    free(read);
    free(again);
    free(frames);
    free(memory);
}

static void decode(const uint8_t *data, size_t size, uint8_t choices)
{
    static squeeze_rig r;
    ember_squeezed     block;
    ember_error        err = EMBER_ERROR_INIT;
    uint8_t           *exact = fuzz_exact_copy(data, size);
    rig_make(&r, choices, size > 1 ? data[1] : 1);
    ember_status status = ember_squeeze_open(&block, exact, size, &r.rig, &err);
    fuzz_check_error(status, &err);
    if (status == EMBER_OK)
        read_frames(&block, NULL);
    free(exact);
}

static void encode(const uint8_t *data, size_t size, uint8_t choices)
{
    static squeeze_rig r;
    const uint32_t     bones = size != 0 ? data[0] % 24u : 0;
    fuzz_heap          heap = {0, 0};
    ember_arena        arena = ember_arena_growing(fuzz_allocator(&heap), 0);
    ember_squeezed     block;
    uint32_t           frames = bones != 0 ? (uint32_t)((size - 1) / (bones * 16)) : 0;
    uint8_t           *records = fuzz_exact_copy(size != 0 ? data + 1 : data, (size_t)frames * bones * 16);
    rig_make(&r, choices, bones);
    ember_squeeze_job job = {.out_capacity = ember_squeeze_bound(bones, frames),
                             .frames = records,
                             .frame_count = frames,
                             .rig = &r.rig,
                             .method = (ember_squeeze_method)((choices >> CHOICE_METHOD_AT) %
                                                              EMBER_SQUEEZE_METHOD_COUNT)};
    job.out = malloc(job.out_capacity);
    fuzz_require(job.out != NULL && ember_squeeze_encode(&job, &arena) == EMBER_OK,
                 "records cannot be squeezed");
    uint8_t *exact = fuzz_exact_copy(job.out, job.out_size);
    fuzz_require(ember_squeeze_open(&block, exact, job.out_size, &r.rig, NULL) == EMBER_OK,
                 "a block that was made cannot be opened");
    fuzz_require(block.frame_count == frames, "frames were lost on the way");
    read_frames(&block, records);
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, SIZE_MAX);
    free(exact);
    free(job.out);
    free(records);
}

/* ---- lean clips ---- */

typedef struct lean_rig {
    uint8_t        data[EMBER_MAX_BONES * 36 + 8];
    int16_t        parents[EMBER_MAX_BONES];
    ember_lean_rig rig;
} lean_rig;

/* The same rig for the same number of bones, with scales for some. */
static void lean_rig_make(lean_rig *r, uint32_t bone_count)
{
    static ember_transform rest[EMBER_MAX_BONES];
    fuzz_heap              heap = {0, 0};
    ember_arena            arena = ember_arena_growing(fuzz_allocator(&heap), 0);
    for (uint32_t i = 0; i < bone_count; i++) {
        rest[i] = (ember_transform){{0.1f * (float)(i % 7), 0.0f, -0.2f, 1.0f},
                                    {0.1f * (float)i, 1.0f, 0.0f},
                                    {1.0f, bone_count % 2 != 0 ? -1.0f : 1.0f, 1.0f}};
        r->parents[i] = (int16_t)(i % 6 == 0 ? -1 : (int)(i - 1 - i % 3 / 2));
    }
    ember_lean_rig_job job = {.out = r->data,
                              .out_capacity = sizeof(r->data),
                              .rest = rest,
                              .bone_count = bone_count,
                              .shell = 0.05f};
    fuzz_require(ember_lean_rig_make(&job, &arena, NULL) == EMBER_OK &&
                     ember_lean_rig_open(&r->rig, r->data, job.out_size, NULL) == EMBER_OK,
                 "a lean rig cannot be made");
    ember_arena_free(&arena);
}

static void *aligned_memory(size_t size)
{
    void *memory = NULL;
    fuzz_require(posix_memalign(&memory, 32, size != 0 ? size : 32) == 0, "out of memory");
    return memory;
}

static bool lean_pose_sound(const ember_transform *pose, uint32_t count)
{
    bool sound = true;
    for (uint32_t i = 0; i < count; i++) {
        const float *p = &pose[i].rotation.x;
        const float  length = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
        for (int k = 0; k < 10; k++)
            sound = sound && p[k] - p[k] == 0.0f;
        sound = sound && length > 0.999f && length < 1.001f;
    }
    return sound;
}

/* Some poses in order and from nothing; all can be read if the clip is not damaged. */
static void lean_read(const ember_lean_clip *clip, bool damaged)
{
    static ember_transform pose[EMBER_MAX_BONES], again[EMBER_MAX_BONES];
    ember_lean_cursor      cursor;
    void                  *memory = aligned_memory(ember_lean_cursor_size(clip));
    fuzz_require(ember_lean_cursor_init(&cursor, clip, memory, ember_lean_cursor_size(clip)) == EMBER_OK,
                 "no cursor of the size that it asked for");
    for (uint32_t i = 0; i < clip->frame_count && i < MOST_FRAMES; i++) {
        const uint32_t     fraction = i * 12345u % 65536u;
        const ember_status one = ember_lean_sample(pose, EMBER_MAX_BONES, clip, i, fraction),
                           two = ember_lean_cursor_sample(again, EMBER_MAX_BONES, &cursor, i, fraction);
        fuzz_require(one == EMBER_OK || (one == EMBER_E_MALFORMED && damaged), "a pose cannot be read");
        fuzz_require(one != EMBER_OK || lean_pose_sound(pose, clip->bone_count),
                     "a pose has no sound numbers");
        fuzz_require(one != EMBER_OK || two != EMBER_OK ||
                         memcmp(pose, again, clip->bone_count * sizeof(*pose)) == 0,
                     "a pose is another when it is read in order");
    }
    free(memory);
}

static ember_status lean_open(const uint8_t *exact, size_t size, const ember_lean_rig *rig, bool damaged)
{
    ember_lean_clip    clip;
    ember_error        err = EMBER_ERROR_INIT;
    const size_t       needed = ember_lean_open_size(exact, size, rig);
    void              *memory = aligned_memory(needed);
    const ember_status status = ember_lean_open(&clip, exact, size, rig, memory, needed, &err);
    fuzz_check_error(status, &err);
    if (status == EMBER_OK)
        lean_read(&clip, damaged);
    free(memory);
    return status;
}

static void lean_decode(const uint8_t *data, size_t size)
{
    static lean_rig r;
    lean_rig_make(&r, size != 0 ? data[0] % 40u + 1u : 1);
    uint8_t *exact = fuzz_exact_copy(size != 0 ? data + 1 : data, size != 0 ? size - 1 : 0);
    (void)lean_open(exact, size != 0 ? size - 1 : 0, &r.rig, true);
    ember_lean_rig rig;
    ember_error    err = EMBER_ERROR_INIT;
    fuzz_check_error(ember_lean_rig_open(&rig, exact, size != 0 ? size - 1 : 0, &err), &err);
    free(exact);
}

/* Every byte is a number of a transform. */
static void lean_encode(const uint8_t *data, size_t size)
{
    static lean_rig r;
    const uint32_t  bones = size != 0 ? data[0] % 9u + 1u : 1;
    const uint32_t  frames = size > 1 ? (uint32_t)((size - 1) / (10 * bones)) : 0;
    if (frames == 0 || frames > MOST_FRAMES)
        return;
    ember_transform *source = malloc((size_t)frames * bones * sizeof(*source));
    fuzz_require(source != NULL, "out of memory");
    for (size_t i = 0; i < (size_t)frames * bones * 10; i++)
        (&source->rotation.x)[i] = ((float)data[1 + i] - 128.0f) * (data[0] > 200 ? 1e15f : 1.0f / 64.0f);
    lean_rig_make(&r, bones);
    fuzz_heap      heap = {0, 0};
    ember_arena    arena = ember_arena_growing(fuzz_allocator(&heap), 0);
    ember_lean_job job = {.out_capacity = ember_lean_bound(bones, frames),
                          .frames = source,
                          .frame_count = frames,
                          .parents = r.parents,
                          .rig = &r.rig,
                          .max_error = 0.01f};
    job.out = malloc(job.out_capacity);
    fuzz_require(job.out != NULL, "out of memory");
    const ember_status status = ember_lean_encode(&job, &arena, NULL);
    fuzz_require(status == EMBER_OK || status == EMBER_E_RANGE, "a clip cannot be made lean");
    fuzz_require(status != EMBER_OK || job.error <= job.max_error, "the bound is not kept");
    if (job.out_size != 0) {
        uint8_t *exact = fuzz_exact_copy(job.out, job.out_size);
        fuzz_require(lean_open(exact, job.out_size, &r.rig, false) == EMBER_OK,
                     "a clip that was made cannot be opened");
        free(exact);
    }
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, SIZE_MAX);
    free(job.out);
    free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if ((data[0] & CHOICE_LEAN) != 0)
        (data[0] & CHOICE_ENCODE) != 0 ? lean_encode(data + 1, size - 1) : lean_decode(data + 1, size - 1);
    else if ((data[0] & CHOICE_ENCODE) != 0)
        encode(data + 1, size - 1, data[0]);
    else
        decode(data + 1, size - 1, data[0]);
    return 0;
}
