/* SPDX-License-Identifier: MIT */
/* Clips on the bones of another skeleton, and the part of a skeleton that a clip has. */
#include "ember/pose.h"
#include "fixtures/chain_model.h"
#include "fixtures/notes.h"

static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;

/* ---- parts ---- */

TEST(the_whole_skeleton_is_itself)
{
    ember_arena    arena = ember_arena_growing(ember_heap(), 0);
    fixture_model  f;
    ember_skeleton out;
    int32_t        orphan = 7;
    fixture_fill(&f);
    assert_int_equal(ember_skeleton_of_clip(&out, &orphan, &f.model.skeleton, &f.clip, &arena), EMBER_OK);
    assert_int_equal(orphan, -1);
    assert_ptr_equal(out.names, f.model.skeleton.names);
    assert_int_equal(arena.total, 0);
}

TEST(a_part_has_its_own_order_and_names_what_hangs_on_nothing)
{
    static const uint16_t some[3] = {1, 0, 2}; /* the knee before the hip it hangs on */
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    fixture_model         f;
    ember_skeleton        out;
    int32_t               orphan = 7;
    fixture_fill(&f);
    f.clip.bones = some;
    assert_int_equal(ember_skeleton_of_clip(&out, &orphan, &f.model.skeleton, &f.clip, &arena), EMBER_OK);
    assert_int_equal(out.bone_count, 3);
    assert_string_equal(out.names[0], "knee");
    assert_string_equal(out.names[1], "hip");
    assert_int_equal(out.parents[0], EMBER_NO_PARENT);
    assert_int_equal(out.parents[1], EMBER_NO_PARENT);
    assert_int_equal(out.parents[2], 0); /* the foot on the knee */
    assert_true(out.rest[0].position.y == -0.5f && out.rest[1].position.y == 1.0f);
    assert_int_equal(orphan, 1);
    ember_arena_free(&arena);
}

TEST(a_skeleton_is_known_by_a_name_a_parent_or_a_rest_pose)
{
    static const char *const made[2] = {"bone_0", "bone_1"}, *const own[2] = {NULL, "tail"};
    int16_t roots[2] = {-1, -1}, chain[2] = {-1, 0};
    assert_false(ember_skeleton_is_known(&(ember_skeleton){.bone_count = 2, .parents = roots}));
    assert_false(
        ember_skeleton_is_known(&(ember_skeleton){.bone_count = 2, .parents = roots, .names = made}));
    assert_true(ember_skeleton_is_known(&(ember_skeleton){.bone_count = 2, .parents = roots, .names = own}));
    assert_true(ember_skeleton_is_known(&(ember_skeleton){.bone_count = 2, .parents = chain}));
    ember_transform rest[2] = {ember_transform_identity, ember_transform_identity};
    assert_true(ember_skeleton_is_known(&(ember_skeleton){.bone_count = 2, .parents = roots, .rest = rest}));
}

/* ---- matching ---- */

/* The same bones in another order, and a tail that the clip does not know. */
typedef struct other {
    ember_skeleton  skeleton;
    int16_t         parents[4];
    const char     *names[4];
    ember_transform rest[4];
} other;

static void other_fill(other *o)
{
    static const char *const names[4] = {"hip", "tail", "knee", "foot"};
    static const int16_t     parents[4] = {-1, 0, 0, 2};
    for (int i = 0; i < 4; i++) {
        o->names[i] = names[i];
        o->parents[i] = parents[i];
        o->rest[i] = identity;
        o->rest[i].position.z = (float)(i + 1);
    }
    o->skeleton =
        (ember_skeleton){.bone_count = 4, .parents = o->parents, .names = o->names, .rest = o->rest};
}

TEST(clips_go_over_by_name)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_model f;
    other         o;
    ember_model   out;
    fixture_fill(&f);
    other_fill(&o);
    assert_int_equal(ember_model_match(&out, &f.model, &o.skeleton, NULL, &arena, NULL), EMBER_OK);
    assert_int_equal(ember_model_check(&out, NULL), EMBER_OK);
    assert_int_equal(out.clips[0].bone_count, 4);
    for (uint32_t frame = 0; frame < FIXTURE_FRAMES; frame++) {
        const ember_transform *pose = out.clips[0].frames + (size_t)frame * 4,
                              *was = f.frames + (size_t)frame * FIXTURE_BONES;
        assert_memory_equal(&pose[0], &was[0], sizeof(*pose));
        assert_memory_equal(&pose[1], &o.rest[1], sizeof(*pose));
        assert_memory_equal(&pose[2], &was[1], sizeof(*pose));
        assert_memory_equal(&pose[3], &was[2], sizeof(*pose));
    }
    ember_arena_free(&arena);
}

TEST(a_bone_that_hangs_elsewhere_is_warned_of)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_model f;
    fixture_notes notes;
    other         o;
    ember_model   out;
    fixture_fill(&f);
    other_fill(&o);
    o.parents[3] = 1; /* the foot on the tail */
    ember_notes heard = fixture_listen(&notes);
    assert_int_equal(ember_model_match(&out, &f.model, &o.skeleton, &heard, &arena, NULL), EMBER_OK);
    assert_non_null(strstr(notes.text, "another bone"));
    ember_arena_free(&arena);
}

TEST(missing_and_double_names_are_listed)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    fixture_model f;
    other         o;
    ember_model   out;
    ember_error   missing = EMBER_ERROR_INIT, twice = EMBER_ERROR_INIT;
    fixture_fill(&f);
    other_fill(&o);
    o.names[2] = "shin";
    assert_int_equal(ember_model_match(&out, &f.model, &o.skeleton, NULL, &arena, &missing),
                     EMBER_E_MALFORMED);
    assert_string_equal(missing.text, "bones cannot be matched, the skeleton has none called: knee");
    other_fill(&o);
    o.names[1] = "knee";
    assert_int_equal(ember_model_match(&out, &f.model, &o.skeleton, NULL, &arena, &twice), EMBER_E_MALFORMED);
    assert_string_equal(twice.text, "bones cannot be matched, these names are there twice: knee");
    ember_arena_free(&arena);
}

/* However many there are, the line stays a line. */
TEST(a_long_list_ends_with_a_count)
{
    enum { MANY = 300 };
    static char        text[MANY][24];
    static const char *names[MANY];
    static int16_t     parents[MANY];
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    other              o;
    ember_model        out, model = {.skeleton = {.bone_count = MANY, .parents = parents, .names = names}};
    ember_error        err = EMBER_ERROR_INIT;
    for (int i = 0; i < MANY; i++) {
        snprintf(text[i], sizeof(text[i]), "a_rather_long_name_%d", i);
        names[i] = text[i];
        parents[i] = -1;
    }
    other_fill(&o);
    assert_int_equal(ember_model_match(&out, &model, &o.skeleton, NULL, &arena, &err), EMBER_E_MALFORMED);
    assert_non_null(strstr(err.text, "a_rather_long_name_0, a_rather_long_name_1"));
    const char *and_more = strstr(err.text, " and ");
    assert_non_null(and_more);
    unsigned more = 0, listed = 1;
    assert_int_equal(sscanf(and_more, " and %u more", &more), 1);
    for (const char *c = err.text; *c != '\0'; c++)
        listed += c[0] == ',' && strncmp(c, ", a_rather", 10) == 0 ? 1u : 0u;
    assert_int_equal(listed + more, MANY);
    ember_arena_free(&arena);
}
