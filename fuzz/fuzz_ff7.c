/* SPDX-License-Identifier: MIT */
/* Final Fantasy VII packs with any bytes, with and without a skeleton, through everything that modders
   do with them: what is decoded, repaired, repacked or brought to another rate is a pack again, with
   the same clips. */
#include "fuzz.h"

#include <stdlib.h>

/* Frames that are decoded and written again; more would only cost time. */
#define MOST_FRAMES 2000u

static const ember_ff7_bone     pack_bones[3] = {{-1, -100.0f, true}, {0, -50.0f, true}, {1, -20.0f, false}};
static const ember_ff7_skeleton pack_skeleton = {.bone_count = 3,
                                                 .joint_count = 4,
                                                 .texture_count = 1,
                                                 .body_clips = 4,
                                                 .weapon_count = 1,
                                                 .weapon_clips = 4,
                                                 .bones = pack_bones};

/* What a job wrote is a pack of as many chunks. */
static void check_pack(const ember_buffer *file, const ember_ff7_pack *from, ember_status status,
                       const ember_error *err)
{
    fuzz_check_error(status, err);
    if (status != EMBER_OK)
        return;
    fuzz_heap      heap = {0, 0};
    ember_arena    arena = ember_arena_growing(fuzz_allocator(&heap), 0);
    ember_ff7_pack again;
    uint8_t       *exact = fuzz_exact_copy(file->data, file->size);
    fuzz_require(ember_ff7_pack_read(&again, exact, file->size, NULL, &arena, NULL) == EMBER_OK,
                 "a pack that was written cannot be read");
    fuzz_require(again.chunk_count == from->chunk_count && again.count_field == again.chunk_count,
                 "chunks were lost on the way");
    free(exact);
    ember_arena_free(&arena);
}

static void run_jobs(const ember_ff7_pack *pack)
{
    ember_ff7_report report;
    ember_notes      notes = fuzz_notes();
    for (int job = 0; job < 3; job++) {
        fuzz_heap         heap = {0, 0};
        ember_buffer      out = {.allocator = fuzz_allocator(&heap)};
        ember_error       err = EMBER_ERROR_INIT;
        ember_ff7_fps_job fps = {.pack = pack, .factor = 2, .notes = notes};
        ember_status      status = job == 0   ? ember_ff7_repack(&out, pack, &report, &notes, &err)
                                   : job == 1 ? ember_ff7_repair(&out, pack, &report, &notes, &err)
                                              : ember_ff7_fps_run(&out, &fps, &err);
        check_pack(&out, pack, status, &err);
        ember_buffer_free(&out);
        fuzz_heap_check(&heap, SIZE_MAX);
    }
}

/* Whether a header tells how many triples a frame has. One that says 2 does not: the game's models of one
   bone have it too, so two triples are taken for one wherever the shorter codes allow it. */
static bool header_tells(const ember_ff7_clip *clip)
{
    return clip->bones_field == 2 ? clip->triple_count == 1 : clip->bones_field == clip->triple_count;
}

/* A clip goes into the shortest codes and comes back as it was, with the key that it has. */
static void check_clip(const ember_ff7_chunk *chunk, ember_arena *arena)
{
    ember_ff7_clip clip, again;
    ember_error    err = EMBER_ERROR_INIT;
    ember_buffer   out = {.allocator = ember_heap()};
    (void)ember_ff7_codes_wasted(chunk);
    ember_status status = ember_ff7_decode(&clip, chunk, arena, &err);
    fuzz_check_error(status, &err);
    if (status != EMBER_OK || clip.kind == EMBER_FF7_SPECIAL)
        return;
    fuzz_touch(clip.rotations, sizeof(*clip.rotations) * clip.frame_count * clip.triple_count);
    (void)ember_ff7_loops(&clip);
    uint8_t header[4] = {1, 0, 0, 0};
    (void)ember_buffer_append(&out, header, sizeof(header));
    if (ember_ff7_encode(&out, &clip, clip.key == 2 || clip.key == 4 ? clip.key : 0, NULL, &err) ==
            EMBER_OK &&
        clip.frame_count != 0 && header_tells(&clip)) {
        ember_ff7_pack pack;
        fuzz_require(ember_ff7_pack_read(&pack, out.data, out.size, NULL, arena, NULL) == EMBER_OK &&
                         pack.chunk_count == 1,
                     "an encoded chunk cannot be read");
        fuzz_require(ember_ff7_decode(&again, &pack.chunks[0], arena, NULL) == EMBER_OK,
                     "an encoded chunk cannot be decoded");
        fuzz_require(ember_ff7_same(&clip, &again), "an encoded clip shows something else");
    }
    ember_buffer_free(&out);
}

static void use_pack(const uint8_t *data, size_t size, const ember_ff7_skeleton *skeleton)
{
    fuzz_heap      heap = {0, 0};
    ember_arena    arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    ember_ff7_pack pack;
    ember_error    err = EMBER_ERROR_INIT;
    ember_status   status = ember_ff7_pack_read(&pack, data, size, skeleton, &arena, &err);
    fuzz_check_error(status, &err);
    if (status == EMBER_OK) {
        uint64_t       frames = 0;
        ember_findings findings = fuzz_findings();
        for (uint32_t i = 0; i < pack.chunk_count; i++) {
            const ember_ff7_chunk *chunk = &pack.chunks[i];
            frames += chunk->frame_count;
            fuzz_touch(chunk->payload, chunk->payload_size);
            (void)ember_ff7_partner(&pack, i);
            for (uint32_t odd = 1; odd <= EMBER_FF7_ODD_CODES; odd <<= 1)
                if ((chunk->odd & odd) != 0)
                    fuzz_touch_text(ember_ff7_odd_text(chunk, odd).text);
            if (frames < MOST_FRAMES)
                check_clip(chunk, &arena);
        }
        (void)ember_ff7_check(&pack, &findings, NULL);
        if (frames < MOST_FRAMES)
            run_jobs(&pack);
    }
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, size);
}

/* The same by the readers of models, each clip with the weapon that it plays with. */
static void read_model(const uint8_t *data, size_t size, const ember_ff7_skeleton *skeleton)
{
    fuzz_heap          heap = {0, 0};
    ember_arena        arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    ember_read_options options = {.format = EMBER_FORMAT_FF7,
                                  .ff7 = &(ember_ff7_options){.skeleton = skeleton, .pair = true}};
    ember_model        model;
    (void)fuzz_model_read(&model, data, size, options, &arena);
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *exact = fuzz_exact_copy(data, size);
    use_pack(exact, size, NULL);
    use_pack(exact, size, &pack_skeleton);
    read_model(exact, size, &pack_skeleton);
    free(exact);
    return 0;
}
