/* SPDX-License-Identifier: MIT */
/* Final Fantasy VII packs, read, edited and written in want of memory at each place. */
#include "failing.h"
#include "format/ff7/ff7_packs.h"

#include "ember/ff7.h"

static ember_status read_run(void *user, ember_error *err)
{
    const made        *m = user;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.format = EMBER_FORMAT_FF7, .ff7 = &(ember_ff7_options){.pair = true}};
    ember_model        model;
    ember_status       status = ember_model_read(&model, m->data, m->size, &options, &arena, err);
    ember_arena_free(&arena);
    return status;
}

/* One of the tasks over a whole pack. */
typedef struct pack_job {
    const made *m;
    int         task;
} pack_job;

enum { REPACK, REPAIR, FPS, FPS_LOOP, CHECK, PACK_TASKS };

static ember_status pack_task(ember_buffer *out, const ember_ff7_pack *pack, int task, ember_error *err)
{
    ember_ff7_fps_job    fps = {.pack = pack,
                                .factor = 4,
                                .looping = task == FPS ? EMBER_FF7_LOOP_AUTO : EMBER_FF7_LOOP_ALWAYS};
    const ember_findings findings = {failing_forget, NULL};
    ember_ff7_report     report;
    switch (task) {
    case REPACK:
        return ember_ff7_repack(out, pack, &report, NULL, err);
    case REPAIR:
        return ember_ff7_repair(out, pack, &report, NULL, err);
    case CHECK:
        return ember_ff7_check(pack, &findings, err);
    default:
        return ember_ff7_fps_run(out, &fps, err);
    }
}

static ember_status pack_run(void *user, ember_error *err)
{
    const pack_job *job = user;
    fixture_heap    heap = {0};
    ember_buffer    out = {.allocator = fixture_allocator(&heap)};
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_ff7_pack  pack;
    ember_status    status = ember_ff7_pack_read(&pack, job->m->data, job->m->size, NULL, &arena, err);
    if (status == EMBER_OK)
        status = pack_task(&out, &pack, job->task, err);
    assert_true(status == EMBER_OK || out.size == 0);
    ember_buffer_free(&out);
    assert_int_equal(heap.held, 0);
    ember_arena_free(&arena);
    return status;
}

TEST(packs_are_read_and_edited_or_not)
{
    made m = made_pack(7);
    assert_in_range(failing_every(read_run, &m, FAILING_MEMORY), 10, 5000);
    for (int task = 0; task < PACK_TASKS; task++) {
        pack_job job = {&m, task};
        assert_in_range(failing_every(pack_run, &job, FAILING_MEMORY), 1, 5000);
    }
    m.data[4 + 4] = 99; /* a counter that does not agree: there is something to repair */
    assert_in_range(failing_every(pack_run, &(pack_job){&m, REPAIR}, FAILING_MEMORY), 1, 5000);
    free(m.data);
}

/* ---- through the model ---- */

typedef struct model_job {
    const ember_model    *model;
    const ember_ff7_pack *base;
    ember_format          format;
    bool                  anew;
} model_job;

static ember_status model_run(void *user, ember_error *err)
{
    const model_job    *job = user;
    fixture_heap        heap = {0};
    ember_buffer        out = {.allocator = fixture_allocator(&heap)};
    ember_write_options options = {.format = job->format,
                                   .ff7 = &(
                                       ember_ff7_options){.base = job->base, .key_set = job->anew, .key = 2}};
    ember_status        status = ember_model_write(&out, job->model, &options, err);
    assert_true(status == EMBER_OK ? out.size != 0 : out.size == 0);
    ember_buffer_free(&out);
    assert_int_equal(heap.held, 0);
    return status;
}

typedef struct back_job {
    const ember_buffer *file;
    ember_format        format;
} back_job;

static ember_status back_run(void *user, ember_error *err)
{
    const back_job    *job = user;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.format = job->format};
    ember_model        model;
    ember_status status = ember_model_read(&model, job->file->data, job->file->size, &options, &arena, err);
    ember_arena_free(&arena);
    return status;
}

TEST(models_of_packs_are_written_and_read_or_not)
{
    static const ember_format formats[] = {EMBER_FORMAT_JSON, EMBER_FORMAT_GLB};
    made                      m = made_pack(11);
    ember_arena               arena = ember_arena_growing(ember_heap(), 0);
    ember_model               model =
        fixture_read(m.data, m.size, (ember_read_options){.format = EMBER_FORMAT_FF7}, &arena);
    ember_ff7_pack pack;
    assert_int_equal(ember_ff7_pack_read(&pack, m.data, m.size, NULL, &arena, NULL), EMBER_OK);
    assert_in_range(failing_every(model_run, &(model_job){&model, NULL, EMBER_FORMAT_FF7, false},
                                  FAILING_MEMORY),
                    1, 5000);
    assert_in_range(failing_every(model_run, &(model_job){&model, NULL, EMBER_FORMAT_FF7, true},
                                  FAILING_MEMORY),
                    1, 5000);
    assert_in_range(failing_every(model_run, &(model_job){&model, &pack, EMBER_FORMAT_FF7, true},
                                  FAILING_MEMORY),
                    1, 5000);
    for (size_t i = 0; i < 2; i++) {
        ember_buffer file =
            fixture_write(&model, (ember_write_options){.format = formats[i], .compact = true});
        assert_in_range(failing_every(model_run, &(model_job){&model, NULL, formats[i], false},
                                      i == 0 ? FAILING_BUFFER : FAILING_PUSH),
                        1, 20000);
        assert_in_range(failing_every(back_run, &(back_job){&file, formats[i]}, FAILING_MEMORY), 1, 5000);
        /* As raw values, and as curves that have to become integers again. */
        ember_arena again = ember_arena_growing(ember_heap(), 0);
        ember_model back =
            fixture_read(file.data, file.size, (ember_read_options){.format = formats[i]}, &again);
        assert_in_range(failing_every(model_run, &(model_job){&back, NULL, EMBER_FORMAT_FF7, false},
                                      FAILING_MEMORY),
                        1, 5000);
        ember_clip *bare = test_alloc(sizeof(*bare) * back.clip_count);
        memcpy(bare, back.clips, sizeof(*bare) * back.clip_count);
        uint32_t body = 0;
        for (uint32_t k = 0; k < back.clip_count; k++)
            if (back.clips[k].frame_count > 1 && strncmp(back.clips[k].name, "body", 4) == 0)
                bare[body] = back.clips[k],
                bare[body++].raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
        back.clips = bare;
        back.clip_count = body;
        assert_in_range(failing_every(model_run, &(model_job){&back, NULL, EMBER_FORMAT_FF7, false},
                                      FAILING_MEMORY),
                        1, 5000);
        assert_in_range(failing_every(model_run, &(model_job){&back, &pack, EMBER_FORMAT_FF7, false},
                                      FAILING_MEMORY),
                        1, 5000);
        free(bare);
        ember_arena_free(&again);
        ember_buffer_free(&file);
    }
    ember_arena_free(&arena);
    free(m.data);
}
