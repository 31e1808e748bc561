/* SPDX-License-Identifier: MIT */
/* .ewzanim: the header rules, the file validation and the edge cases of the specification, with the corrected
   quaternions.
   Covers: keyframes.c. */
#include "format/fixture.h"

/* The specification's smallest file; identity is 0x80200803. */
static const uint8_t smallest[20] = {0x01, 0x00, 0x01, 0x00, 0x03, 0x08, 0x20, 0x80, 0x00, 0x00,
                                     0x00, 0x00, 0x00, 0x00, 0x00, 0x3C, 0x00, 0x3C, 0x00, 0x3C};

/* Its byte-level vector: position 1, 2, -2. */
static const uint8_t vector4[20] = {0x01, 0x00, 0x01, 0x00, 0x03, 0x08, 0x20, 0x80, 0x00, 0x3C,
                                    0x00, 0x40, 0x00, 0xC0, 0x00, 0x3C, 0x00, 0x3C, 0x00, 0x3C};

static const ember_read_options  as_ewzanim = {.format = EMBER_FORMAT_EWZANIM};
static const ember_write_options to_ewzanim = {.format = EMBER_FORMAT_EWZANIM, .fit = EMBER_FIT_PLAIN};
static const ember_write_options to_local = {.format = EMBER_FORMAT_EWZANIM,
                                             .space = EMBER_SPACE_LOCAL,
                                             .fit = EMBER_FIT_PLAIN};

static uint8_t *make_file(uint32_t bones, uint32_t frames, size_t *size)
{
    *size = 4 + (size_t)bones * frames * 16;
    uint8_t *data = test_alloc(*size);
    memset(data, 0, *size);
    data[0] = (uint8_t)bones;
    data[2] = (uint8_t)frames;
    data[3] = (uint8_t)(frames >> 8);
    for (size_t i = 4; i < *size; i += 16)
        memcpy(data + i, smallest + 4, 16);
    return data;
}

TEST(ewzanim_reads_the_smallest_file)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read(smallest, sizeof(smallest), as_ewzanim, &arena);
    assert_int_equal(model.format, EMBER_FORMAT_EWZANIM);
    assert_int_equal(model.skeleton.bone_count, 1);
    assert_null(model.skeleton.names);
    assert_null(model.skeleton.rest);
    assert_int_equal(model.skeleton.parents[0], -1);
    assert_int_equal(model.clip_count, 1);
    assert_string_equal(model.clips[0].name, "clip");
    assert_true(model.clips[0].fps == 0.0);
    assert_int_equal(model.clips[0].space, EMBER_SPACE_MODEL);
    assert_int_equal(model.clips[0].bone_count, 1);
    assert_int_equal(model.clips[0].frame_count, 1);
    ember_arena_free(&arena);
}

TEST(ewzanim_read_matches_golden)
{
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_model     model = fixture_read(vector4, sizeof(vector4), as_ewzanim, &arena);
    ember_transform t = model.clips[0].frames[0];
    assert_true(t.position.x == 1.0f && t.position.y == 2.0f && t.position.z == -2.0f);
    assert_true(t.scale.x == 1.0f && t.scale.y == 1.0f && t.scale.z == 1.0f);
    /* Code 512 is (512/511.5 - 1)/sqrt(2) = 0.00069121. */
    assert_float_equal(t.rotation.x, 0.00069121f, 1e-7f);
    assert_float_equal(t.rotation.z, 0.00069121f, 1e-7f);
    assert_float_equal(t.rotation.w, 0.99999928f, 1e-7f);
    ember_arena_free(&arena);
}

TEST(ewzanim_write_matches_golden)
{
    ember_transform t = {{0, 0, 0, 1}, {1, 2, -2}, {1, 1, 1}};
    int16_t         parent = -1;
    ember_clip      clip = {.name = "a",
                            .space = EMBER_SPACE_MODEL,
                            .bone_count = 1,
                            .frame_count = 1,
                            .frames = &t};
    ember_model  model = {.skeleton = {.bone_count = 1, .parents = &parent}, .clip_count = 1, .clips = &clip};
    ember_buffer file = fixture_write(&model, to_ewzanim);
    assert_int_equal(file.size, sizeof(vector4));
    assert_memory_equal(file.data, vector4, sizeof(vector4));
    ember_buffer_free(&file);
}

TEST(ewzanim_roundtrips_bytes)
{
    test_random random = {7};
    for (int round = 0; round < 200; round++) {
        size_t      size;
        uint32_t    bones = 1 + test_random_u32(&random) % 12, frames = 1 + test_random_u32(&random) % 12;
        uint8_t    *data = make_file(bones, frames, &size);
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        for (size_t at = 4; at < size; at += 16) {
            ember_quat q = {test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                            test_random_float(&random, -1, 1), test_random_float(&random, -1, 1)};
            uint32_t   code = 0;
            assert_int_equal(ember_quat32_encode(&code, q), EMBER_OK);
            memcpy(data + at, &code, 4);
            for (size_t k = 4; k < 16; k += 2) {
                uint16_t half = (uint16_t)test_random_u32(&random);
                half = (half & 0x7c00) == 0x7c00 ? 0x8000 : half; /* finite ones, denormals and -0 too */
                memcpy(data + at + k, &half, 2);
            }
        }
        ember_model  model = fixture_read(data, size, as_ewzanim, &arena);
        ember_buffer again = fixture_write(&model, to_ewzanim);
        assert_int_equal(again.size, size);
        assert_memory_equal(again.data, data, size);
        ember_buffer_free(&again);
        ember_arena_free(&arena);
        free(data);
    }
}

TEST(ewzanim_read_rejects_bad_header)
{
    uint8_t bad[20];
    memcpy(bad, smallest, 20);
    bad[0] = 0;
    fixture_refuse(bad, 20, as_ewzanim, EMBER_E_MALFORMED, "invalid animation header: bone_count is 0");
    bad[0] = 1;
    bad[1] = 1;
    fixture_refuse(bad, 20, as_ewzanim, EMBER_E_MALFORMED,
                   "invalid animation header: flags is 0x01, must be 0");
    bad[1] = 0;
    bad[2] = 0;
    fixture_refuse(bad, 20, as_ewzanim, EMBER_E_MALFORMED, "invalid animation header: frame_count is 0");
}

TEST(ewzanim_read_rejects_truncated)
{
    uint8_t data[100] = {38, 0, 2, 0}; /* 4 + 38 * 2 * 16 = 1220 */
    fixture_refuse(data, 100, as_ewzanim, EMBER_E_TRUNCATED, "animation data truncated: 100 of 1220 bytes");
    fixture_refuse(data, 0, as_ewzanim, EMBER_E_TRUNCATED, "animation data truncated: 0 of at least 4 bytes");
    fixture_refuse(data, 3, as_ewzanim, EMBER_E_TRUNCATED, "animation data truncated: 3 of at least 4 bytes");
    fixture_refuse(NULL, 0, (ember_read_options){.path = "empty.ewzanim"}, EMBER_E_TRUNCATED,
                   "0 of at least 4 bytes");
}

TEST(ewzanim_read_rejects_extra_bytes)
{
    uint8_t data[27] = {0};
    memcpy(data, smallest, 20);
    fixture_refuse(data, 27, as_ewzanim, EMBER_E_MALFORMED, "animation data has 7 extra bytes");
    fixture_refuse(data, 21, as_ewzanim, EMBER_E_MALFORMED, "animation data has 1 extra byte");
}

TEST(ewzanim_read_survives_every_prefix)
{
    size_t   size;
    uint8_t *data = make_file(3, 4, &size);
    fixture_every_prefix(data, size, as_ewzanim);
    free(data);
}

TEST(ewzanim_read_survives_every_arena)
{
    size_t   size;
    uint8_t *data = make_file(3, 4, &size);
    fixture_every_arena(data, size, as_ewzanim);
    fixture_every_allocation(data, size, as_ewzanim);
    free(data);
}

TEST(ewzanim_write_survives_every_output_size)
{
    fixture_model f;
    fixture_fill(&f);
    fixture_every_output_size(&f.model, to_ewzanim);
}

TEST(ewzanim_reads_255_bones)
{
    size_t      size;
    uint8_t    *data = make_file(255, 1, &size);
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    assert_int_equal(size, 4 + 255 * 16);
    ember_model model = fixture_read(data, size, as_ewzanim, &arena);
    assert_int_equal(model.clips[0].bone_count, 255);
    ember_arena_free(&arena);
    free(data);
}

TEST(ewzanim_reads_65535_frames)
{
    size_t      size;
    uint8_t    *data = make_file(1, 65535, &size);
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    assert_int_equal(size, 1048564);
    ember_model  model = fixture_read(data, size, as_ewzanim, &arena);
    ember_buffer again = fixture_write(&model, to_ewzanim);
    assert_int_equal(model.clips[0].frame_count, 65535);
    assert_int_equal(again.size, size);
    assert_memory_equal(again.data, data, size);
    ember_buffer_free(&again);
    ember_arena_free(&arena);
    free(data);
}

/* A skeleton of n bones in a chain, named b0, b1, b2. */
static ember_skeleton make_skeleton(uint32_t count, int16_t *parents, const char **names, char (*texts)[4])
{
    for (uint32_t i = 0; i < count; i++) {
        parents[i] = (int16_t)((int)i - 1);
        snprintf(texts[i], 4, "b%u", (unsigned)i % 100u);
        names[i] = texts[i];
    }
    return (ember_skeleton){.bone_count = count, .parents = parents, .names = names};
}

TEST(ewzanim_with_more_bones_than_the_skeleton_keeps_them)
{
    size_t             size;
    int16_t            parents[28];
    const char        *names[28];
    char               texts[28][4];
    fixture_notes      notes;
    uint8_t           *data = make_file(32, 2, &size);
    ember_skeleton     skeleton = make_skeleton(28, parents, names, texts);
    ember_read_options options = {.format = EMBER_FORMAT_EWZANIM,
                                  .skeleton = &skeleton,
                                  .notes = fixture_listen(&notes)};
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_model        model = fixture_read(data, size, options, &arena);
    assert_int_equal(model.skeleton.bone_count, 32);
    assert_int_equal(model.clips[0].bone_count, 32);
    assert_string_equal(model.skeleton.names[27], texts[27]);
    assert_ptr_not_equal(model.skeleton.names[27], texts[27]);
    assert_int_equal(model.skeleton.parents[27], 26);
    assert_null(model.skeleton.names[28]);
    assert_int_equal(model.skeleton.parents[31], -1);
    assert_string_equal(notes.text, "W the clip has 32 bones, the skeleton 28\n");
    ember_arena_free(&arena);
    free(data);
}

TEST(ewzanim_with_fewer_bones_than_the_skeleton_moves_the_first)
{
    size_t             size;
    int16_t            parents[32];
    const char        *names[32];
    char               texts[32][4];
    fixture_notes      notes;
    uint8_t           *data = make_file(20, 2, &size);
    ember_skeleton     skeleton = make_skeleton(32, parents, names, texts);
    ember_read_options options = {.format = EMBER_FORMAT_EWZANIM,
                                  .skeleton = &skeleton,
                                  .notes = fixture_listen(&notes)};
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_model        model = fixture_read(data, size, options, &arena);
    assert_int_equal(model.skeleton.bone_count, 32);
    assert_int_equal(model.clips[0].bone_count, 20);
    assert_null(model.clips[0].bones);
    assert_string_equal(notes.text, "W the clip has 20 bones, the skeleton 32\n");
    ember_arena_free(&arena);
    free(data);
}

TEST(ewzanim_read_obeys_the_options)
{
    ember_read_options options = {.path = "a/b/run fast.v2.nczxanim",
                                  .fps = 12.5,
                                  .space = EMBER_SPACE_LOCAL,
                                  .loop = true,
                                  .scale = 2.0};
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_model        model = fixture_read(vector4, sizeof(vector4), options, &arena);
    assert_string_equal(model.clips[0].name, "run fast.v2");
    assert_true(model.clips[0].fps == 12.5);
    assert_true(model.clips[0].loop);
    assert_int_equal(model.clips[0].space, EMBER_SPACE_LOCAL);
    assert_true(model.clips[0].frames[0].position.y == 4.0f);
    ember_arena_free(&arena);
}

TEST(ewzanim_read_warns_once_of_numbers_that_are_not_finite)
{
    size_t        size;
    fixture_notes notes;
    uint8_t      *data = make_file(3, 4, &size);
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    data[4 + 16 * 5 + 5] = 0x7c;   /* frame 1, bone 2: x infinite */
    data[4 + 16 * 11 + 15] = 0xfe; /* frame 3, bone 2: NaN */
    fixture_read(data, size,
                 (ember_read_options){.format = EMBER_FORMAT_EWZANIM, .notes = fixture_listen(&notes)},
                 &arena);
    assert_string_equal(notes.text, "W 2 numbers are not finite, first in bone 2 of frame 1\n");
    ember_arena_free(&arena);
    free(data);
}

static void refuse_to_write(const fixture_model *f, ember_write_options options, ember_status wanted,
                            const char *text)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    assert_true(ember_buffer_append(&buffer, "keep", 4));
    ember_status status = ember_model_write(&buffer, &f->model, &options, &err);
    fixture_line line = fixture_error_line(&err);
    if (status != wanted || strcmp(line.text, text) != 0)
        print_error("got %s: %s\n", ember_status_name(status), line.text);
    assert_int_equal(status, wanted);
    assert_string_equal(line.text, text);
    assert_int_equal(buffer.size, 4);
    ember_buffer_free(&buffer);
}

TEST(ewzanim_write_names_the_number_that_does_not_fit)
{
    fixture_model f;
    fixture_fill(&f);
    f.frames[7].position.x = 70000.0f;
    refuse_to_write(&f, to_local, EMBER_E_RANGE,
                    "walk: knee: frame 2: position.x is 70000, half floats end at 65504");
    fixture_fill(&f);
    f.frames[2].scale.z = -65520.0f;
    refuse_to_write(&f, to_local, EMBER_E_RANGE,
                    "walk: foot: frame 0: scale.z is -65520, half floats end at 65504");
    fixture_fill(&f);
    f.model.skeleton.names = NULL;
    f.frames[4].scale.y = f.frames[4].scale.y / 0.0f * 0.0f;
    refuse_to_write(&f, to_local, EMBER_E_RANGE,
                    "walk: bone 1: frame 1: scale.y is NaN, not a finite number");
    fixture_fill(&f);
    f.frames[0].rotation = (ember_quat){0, 0, 0, 0};
    refuse_to_write(&f, to_local, EMBER_E_RANGE,
                    "walk: hip: frame 0: rotation is (0, 0, 0, 0), which has no direction");
}

TEST(ewzanim_write_takes_what_rounds_to_the_last_half)
{
    fixture_model f;
    fixture_fill(&f);
    f.frames[0].position.x = 65519.0f;
    ember_buffer file = fixture_write(&f.model, to_local);
    assert_int_equal(file.data[8], 0xff);
    assert_int_equal(file.data[9], 0x7b);
    ember_buffer_free(&file);
}

TEST(ewzanim_write_says_how_many_are_too_many)
{
    fixture_model f;
    fixture_fill(&f);
    int16_t          parents[256];
    ember_transform *frames = calloc(65536, sizeof(*frames));
    assert_non_null(frames);
    for (int i = 0; i < 256; i++)
        parents[i] = -1;
    f.model.skeleton = (ember_skeleton){.bone_count = 256, .parents = parents};
    f.clip.bone_count = 256;
    f.clip.frame_count = 1;
    f.clip.marker_count = 0;
    f.clip.frames = frames;
    refuse_to_write(&f, to_local, EMBER_E_LIMIT, "walk: 256 bones, must be 1 to 255");
    f.clip.bone_count = 1;
    f.clip.frame_count = 65536;
    refuse_to_write(&f, to_local, EMBER_E_LIMIT, "walk: 65536 frames, must be 1 to 65535");
    f.clip.frame_count = 0;
    refuse_to_write(&f, to_local, EMBER_E_LIMIT, "walk: 0 frames, must be 1 to 65535");
    f.clip.bone_count = 0;
    refuse_to_write(&f, to_local, EMBER_E_LIMIT, "walk: 0 bones, must be 1 to 255");
    f.model.clip_count = 0;
    refuse_to_write(&f, to_local, EMBER_E_LIMIT, "Emberware Z keyframes hold exactly one clip, here are 0");
    free(frames);
}

TEST(ewzanim_write_says_what_is_lost)
{
    fixture_model       f;
    fixture_notes       notes;
    ember_write_options options = to_local;
    options.notes = fixture_listen(&notes);
    fixture_fill(&f);
    ember_buffer file = fixture_write(&f.model, options);
    assert_string_equal(notes.text, "L names of 3 bones, the hierarchy, the rest pose, 2 markers, the rate, "
                                    "the loop flag and that it is in "
                                    "local space are not stored\n");
    ember_buffer_free(&file);
    /* The line of the design: names, markers and rate only. */
    f.model.skeleton.rest = NULL;
    f.parents[1] = f.parents[2] = -1;
    f.clip.loop = false;
    f.clip.space = options.space = EMBER_SPACE_MODEL;
    options.notes = fixture_listen(&notes);
    file = fixture_write(&f.model, options);
    assert_string_equal(notes.text, "L names of 3 bones, 2 markers and the rate are not stored\n");
    ember_buffer_free(&file);
    /* Nothing to lose, nothing to say; made-up names are none. */
    const char *made[3] = {"bone_0", "bone_1", NULL};
    f.model.skeleton.names = made;
    f.clip.marker_count = 0;
    options.notes = fixture_listen(&notes);
    file = fixture_write(&f.model, options);
    assert_string_equal(notes.text, "L the rate is not stored\n");
    ember_buffer_free(&file);
    f.clip.fps = 0.0;
    options.notes = fixture_listen(&notes);
    file = fixture_write(&f.model, options);
    assert_string_equal(notes.text, "");
    ember_buffer_free(&file);
}

/* Whoever reads an .ewzanim takes it to be in model space, so that is what a writer makes of a local clip
   that nobody said anything about. */
TEST(ewzanim_write_stores_model_space_unless_told)
{
    fixture_model f;
    fixture_fill(&f);
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++) {
        f.frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        f.frames[i].position = (ember_vec3){0.5f, (float)(i / FIXTURE_BONES), -1.0f};
    }
    ember_buffer file = fixture_write(&f.model, to_ewzanim);
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_model  again = fixture_read(file.data, file.size, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(again.clips[0].space, EMBER_SPACE_MODEL);
    /* A chain of equal steps: bone b is b + 1 of them from the origin, all of which half floats hold. */
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++) {
        float      steps = (float)(i % FIXTURE_BONES + 1);
        ember_vec3 at = again.clips[0].frames[i].position;
        assert_true(at.x == 0.5f * steps && at.y == (float)(i / FIXTURE_BONES) * steps && at.z == -steps);
    }
    ember_arena_free(&arena);
    ember_buffer_free(&file);
}
