/* SPDX-License-Identifier: MIT */
/* Squeezed blocks with any bytes, read in order and from nothing, which must agree; and, where the first byte
   says so, bytes as the records of a clip, which must come back as they were. The first byte of the input is
   the choices, the rest the block or the records. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#define MOST_FRAMES 48u
enum { CHOICE_MODEL = 1, CHOICE_PARENTS = 2, CHOICE_OFFSETS = 4, CHOICE_ENCODE = 8, CHOICE_METHOD_AT = 4 };

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if ((data[0] & CHOICE_ENCODE) != 0)
        encode(data + 1, size - 1, data[0]);
    else
        decode(data + 1, size - 1, data[0]);
    return 0;
}
