/* SPDX-License-Identifier: MIT */
/* Lean clips in ROMs: one rig for all clips of a skeleton, poses within the error in either space, and the
   bytes that were given. Covers: rom_frames.c. */
#include "rom_made.h"

#include <math.h>

#include "base/bytes.h"

static const char *const lean_ids[3] = {"walk", "run", "walk-model"};

static void lean_find(ember_rom_clip *out, ember_rom_entry *entry, const ember_rom *rom, const char *id)
{
    ember_error err = EMBER_ERROR_INIT;
    assert_true(ember_rom_find(entry, rom, EMBER_ROM_KEYFRAMES, id, strlen(id)));
    if (ember_rom_clip_open(out, rom, entry, &err) != EMBER_OK)
        fail_msg("%s", err.text);
}

TEST(lean_clips_of_a_skeleton_share_their_rig)
{
    made_content m;
    made_content_make(&m, MADE_LEAN);
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry entry[3];
    for (int i = 0; i < 3; i++) {
        ember_rom_clip clip;
        lean_find(&clip, &entry[i], rom, lean_ids[i]);
        assert_int_equal(clip.form, EMBER_ROM_LEAN);
        assert_string_equal(ember_rom_clip_method(&clip), "lean");
        assert_int_equal(clip.frame_count, 5 + i);
        assert_int_equal(clip.space, i == 2 ? EMBER_SPACE_MODEL : EMBER_SPACE_LOCAL);
        assert_string_equal(ember_rom_rig_name(&clip.rig, 2), "hand.l");
        /* the bytes as they were given */
        assert_int_equal(clip.lean.size, m.assets[i].size);
        assert_memory_equal(clip.lean.data, m.lean[i], clip.lean.size);
        assert_int_equal(clip.lean.rig.size, m.assets[i].lean_rig_size);
        assert_memory_equal(clip.lean.rig.data, m.lean_rig, clip.lean.rig.size);
        assert_true(clip.lean.error > 0.0f && clip.lean.error <= MADE_LEAN_ERROR);
    }
    assert_int_equal(entry[0].link, entry[1].link);
    assert_int_not_equal(entry[0].link, entry[2].link); /* of another space */
    /* 16 + parents of 3 bones, padded, + rest + names + 8 + 24 a bone: no rest records */
    ember_rom_entry rig;
    assert_true(ember_rom_entry_at(&rig, rom, entry[0].link));
    assert_int_equal(rig.size, 16 + 8 + 120 + (12 + 4 + 6 + 7) + 8 + 72);
    assert_int_equal(made_check(rom).count, 0);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

/* Model-space matrices of a pose, in double, composed here. */
static void lean_place(double out[SKELETON_BONES][3][4], const ember_transform *pose, bool local)
{
    for (uint32_t b = 0; b < SKELETON_BONES; b++) {
        const ember_transform *t = &pose[b];
        double                 x = t->rotation.x, y = t->rotation.y, z = t->rotation.z, w = t->rotation.w;
        double                 n = sqrt(x * x + y * y + z * z + w * w), own[3][4];
        x /= n, y /= n, z /= n, w /= n;
        const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                                {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                                {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
        const double s[3] = {t->scale.x, t->scale.y, t->scale.z};
        const double p[3] = {t->position.x, t->position.y, t->position.z};
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                own[i][k] = r[i][k] * s[k];
            own[i][3] = p[i];
        }
        int parent = local ? skeleton_parents[b] : -1;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) {
                double sum = parent < 0 ? own[i][k] : k == 3 ? out[parent][i][3] : 0.0;
                for (int j = 0; parent >= 0 && j < 3; j++)
                    sum += out[parent][i][j] * own[j][k];
                out[b][i][k] = sum;
            }
    }
}

/* The largest distance of a bone and of the points around it. */
static double lean_distance(const ember_transform *source, const ember_transform *got, bool got_local)
{
    double a[SKELETON_BONES][3][4], b[SKELETON_BONES][3][4], worst = 0.0;
    lean_place(a, source, true);
    lean_place(b, got, got_local);
    for (uint32_t bone = 0; bone < SKELETON_BONES; bone++)
        for (int axis = 0; axis < 4; axis++) {
            double sum = 0.0;
            for (int i = 0; i < 3; i++) {
                double d = b[bone][i][3] - a[bone][i][3];
                if (axis < 3)
                    d += (double)MADE_LEAN_SHELL * (b[bone][i][axis] - a[bone][i][axis]);
                sum += d * d;
            }
            worst = sum > worst ? sum : worst;
        }
    return sqrt(worst);
}

TEST(lean_clips_read_within_their_error_in_either_space)
{
    made_content m;
    made_content_make(&m, MADE_LEAN);
    ember_buffer bytes = made_rom(&m.content);
    ember_rom   *rom = made_open(&bytes);
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    for (int i = 0; i < 3; i++) {
        ember_rom_clip   clip;
        ember_rom_entry  entry;
        ember_rom_frames frames;
        ember_transform  pose[SKELETON_BONES];
        uint32_t         count;
        double           worst = 0.0;
        lean_find(&clip, &entry, rom, lean_ids[i]);
        ember_transform *source = made_poses(m.clips[i], &count);
        assert_int_equal(ember_rom_frames_open(&frames, &clip, &arena, NULL), EMBER_OK);
        for (uint32_t f = 0; f < count; f++) {
            assert_int_equal(ember_rom_frames_read(pose, SKELETON_BONES, &frames, f, NULL), EMBER_OK);
            double off = lean_distance(source + (size_t)f * SKELETON_BONES, pose, i < 2);
            worst = off > worst ? off : worst;
        }
        /* composing in single precision adds a little */
        assert_true(worst <= (double)clip.lean.error + 1e-6 && worst > 0.5 * (double)clip.lean.error);
        assert_int_equal(ember_rom_frames_read(pose, SKELETON_BONES, &frames, count, NULL), EMBER_E_ARG);
        assert_int_equal(ember_rom_frames_read(pose, SKELETON_BONES - 1, &frames, 0, NULL), EMBER_E_ARG);
        free(source);
    }
    ember_arena_free(&arena);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(a_lean_clip_becomes_a_file_of_its_poses)
{
    made_content m;
    made_content_make(&m, MADE_LEAN);
    ember_buffer     bytes = made_rom(&m.content), file = {.allocator = ember_heap()};
    ember_rom       *rom = made_open(&bytes);
    ember_arena      arena = ember_arena_growing(ember_heap(), 0);
    ember_rom_clip   clip;
    ember_rom_entry  entry;
    ember_rom_frames frames;
    lean_find(&clip, &entry, rom, "walk-model");
    assert_int_equal(ember_rom_clip_file(&file, &clip, NULL), EMBER_OK);
    assert_int_equal(file.size, 4 + 7 * SKELETON_BONES * 16);
    assert_int_equal(ember_rom_frames_open(&frames, &clip, &arena, NULL), EMBER_OK);
    for (uint32_t f = 0; f < 7; f++) {
        ember_transform pose[SKELETON_BONES];
        assert_int_equal(ember_rom_frames_read(pose, SKELETON_BONES, &frames, f, NULL), EMBER_OK);
        for (uint32_t b = 0; b < SKELETON_BONES; b++) {
            uint8_t record[16];
            assert_int_equal(ember_record_encode(record, EMBER_RECORD_EWZ, &pose[b]), EMBER_OK);
            assert_memory_equal(file.data + 4 + (f * SKELETON_BONES + b) * 16, record, 16);
        }
    }
    ember_arena_free(&arena);
    ember_buffer_free(&file);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(a_clip_is_added_later_against_the_rig_that_is_there)
{
    made_content m;
    made_content_make(&m, MADE_LEAN);
    m.content.asset_count = 2; /* walk and run */
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_clip  clip;
    ember_rom_entry before, after, added;
    size_t          size;
    lean_find(&clip, &before, rom, "walk");
    uint8_t        *jump = made_clip(&size, SKELETON_BONES, 40, 77);
    ember_rom_asset assets[3] = {m.assets[0], m.assets[1], made_clip_asset("jump", jump, size)};
    uint8_t        *lean = made_lean_clip(&assets[2], clip.lean.rig.data, clip.lean.rig.size);
    m.content.assets = assets;
    m.content.asset_count = 3;
    ember_buffer more = made_rom(&m.content);
    ember_rom   *rom_more = made_open(&more);
    lean_find(&clip, &added, rom_more, "jump");
    lean_find(&clip, &after, rom_more, "walk");
    assert_int_equal(added.link, after.link);
    assert_int_equal(after.hash, before.hash);
    assert_int_equal(made_check(rom_more).count, 0);
    ember_rom_close(rom_more);
    ember_buffer_free(&more);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    free(lean);
    free(jump);
    made_content_free(&m);
}

TEST(rom_write_refuses_lean_clips_that_are_none)
{
    for (int kind = 0; kind < 5; kind++) {
        made_content   m;
        ember_error    err = EMBER_ERROR_INIT;
        ember_buffer   out = {.allocator = ember_heap()};
        ember_skeleton fewer = fixture_skeleton;
        made_content_make(&m, MADE_LEAN);
        switch (kind) {
        case 0: /* a byte too few of the rig */
            m.assets[0].lean_rig_size--;
            break;
        case 1:
            m.assets[0].size--;
            break;
        case 2: /* an .ewzanim */
            m.assets[0].data = m.clips[0];
            break;
        case 3:
            fewer.bone_count = 2;
            m.assets[0].skeleton = &fewer;
            break;
        default:
            m.assets[0].space = EMBER_SPACE_UNSTATED;
        }
        assert_int_not_equal(ember_rom_write(&out, &m.content, NULL, NULL, &err), EMBER_OK);
        assert_non_null(strstr(err.text, "keyframes 'walk'"));
        assert_int_equal(out.size, 0);
        ember_buffer_free(&out);
        made_content_free(&m);
    }
}
