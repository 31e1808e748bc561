/* SPDX-License-Identifier: MIT */
/* Which nodes of a glTF document are bones, in which order, and what happens to the nodes above and between
   them. Expected places are worked out by hand.
   Covers: gltf_node.c, gltf_skin.c, gltf_skin_join.c. */
#define _XOPEN_SOURCE 700 /* M_PI */

#include "gltf_made.h"

#include "format/gltf/gltf.h"

#include <math.h>

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-6)
#define HALF 0.70710678118654752

static void assert_place(ember_transform t, double qx, double qy, double qz, double qw, double x, double y,
                         double z)
{
    NEAR(t.rotation.x, qx);
    NEAR(t.rotation.y, qy);
    NEAR(t.rotation.z, qz);
    NEAR(t.rotation.w, qw);
    NEAR(t.position.x, x);
    NEAR(t.position.y, y);
    NEAR(t.position.z, z);
}

static void assert_scale(ember_transform t, double x, double y, double z)
{
    NEAR(t.scale.x, x);
    NEAR(t.scale.y, y);
    NEAR(t.scale.z, z);
}

/* One animation of one channel with two keys a second apart. */
static void move_add(made *m, unsigned node, const char *path, const float *values)
{
    static const float times[2] = {0.0f, 1.0f};
    unsigned           t = made_floats(m, "SCALAR", 2, times),
             v = made_floats(m, path[0] == 'r' ? "VEC4" : "VEC3", 2, values);
    made_rest(m,
              ",'animations':[{'channels':[{'sampler':0,'target':{'node':%u,'path':'%s'}}],'samplers':[{'"
              "input':%u,'output':%u}]}]",
              node, path, t, v);
}

/* ---- order ---- */

TEST(joints_keep_the_skins_order)
{
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'name':'c'},{'name':'a','children':[2]},{'name':'b','children':[0]}],'skins':[{"
                  "'joints':[1,2,0]}]");
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_string_equal(model.skeleton.names[0], "a");
    assert_string_equal(model.skeleton.names[1], "b");
    assert_string_equal(model.skeleton.names[2], "c");
    assert_int_equal(model.skeleton.parents[0], -1);
    assert_int_equal(model.skeleton.parents[1], 0);
    assert_int_equal(model.skeleton.parents[2], 1);
    assert_string_equal(notes.text, "");
    ember_arena_free(&arena);
}

/* Only as much as parents need: x and y stay in their order, c brings a and b before itself. The matrices go
   with their joints. */
TEST(joints_are_reordered_only_for_their_parents)
{
    float         binds[5 * 16] = {0};
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 4; k++)
            binds[i * 16 + k * 5] = 1.0f;
        binds[i * 16 + 12] = (float)i; /* the translation's x: the joint's number */
        binds[i * 16 + 4] = 0.25f;     /* row 0, column 1 */
    }
    unsigned accessor = made_floats(&m, "MAT4", 5, binds);
    made_rest(&m,
              ",'nodes':[{'name':'a','children':[1]},{'name':'b','children':[2]},{'name':'c'},{'name':'x'},{'"
              "name':'y'}],"
              "'skins':[{'joints':[3,2,4,1,0],'inverseBindMatrices':%u}]",
              accessor);
    ember_model model =
        made_read(&m, (ember_read_options){.notes = fixture_listen(&notes), .scale = 2.0}, &arena);
    static const char *const names[5] = {"x", "a", "b", "c", "y"};
    static const int         parents[5] = {-1, -1, 1, 2, -1}, joints[5] = {0, 4, 3, 1, 2};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(model.skeleton.names[i], names[i]);
        assert_int_equal(model.skeleton.parents[i], parents[i]);
        NEAR(model.skeleton.inverse_binds[i].m[3], joints[i] * 2.0); /* lengths are doubled, and only they */
        NEAR(model.skeleton.inverse_binds[i].m[1], 0.25);
        NEAR(model.skeleton.inverse_binds[i].m[0], 1.0);
    }
    assert_non_null(strstr(notes.text, "W skin 0 lists joints before their parents"));
    ember_arena_free(&arena);
}

TEST(missing_binds_are_identity)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{},{}],'skins':[{'joints':[0,1]}]");
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_memory_equal(model.skeleton.inverse_binds[1].m, identity, sizeof(identity));
    assert_null(model.skeleton.names); /* nobody has one */
    assert_int_equal(model.clip_count, 0);
    ember_arena_free(&arena);
}

TEST(too_few_binds_are_refused)
{
    float binds[16] = {1};
    made  m;
    memset(&m, 0, sizeof(m));
    unsigned accessor = made_floats(&m, "MAT4", 1, binds);
    made_rest(&m, ",'nodes':[{},{}],'skins':[{'joints':[0,1],'inverseBindMatrices':%u}]", accessor);
    made_refuse(&m, (ember_read_options){.path = NULL}, EMBER_E_MALFORMED,
                "skins[0].inverseBindMatrices: 1 matrices for 2 joints");
    binds[5] = NAN;
    memset(&m, 0, sizeof(m));
    accessor = made_floats(&m, "MAT4", 1, binds);
    made_rest(&m, ",'nodes':[{},{}],'skins':[{'joints':[0],'inverseBindMatrices':%u}]", accessor);
    made_refuse(&m, (ember_read_options){.path = NULL}, EMBER_E_RANGE,
                "skins[0].inverseBindMatrices: matrix 0 has a number that is not finite");
}

/* Skin 0 has the hip and the chest, skin 1 the chest and the hair below it, skin 2 a tail beside the chest;
   skin 3 is of somebody else, and skin 4 has a bind for the chest that no common matrix explains. Skin 1 was
   modelled 10 further along x: its inverse binds have that before them, so that of the hair, x -13, is -3
   seen from skin 0. */
TEST(skins_that_share_a_hierarchy_are_one_skeleton)
{
    static const int   parents[5] = {-1, 0, 1, 0, 1};
    static const char *names[4] = {"hip", "chest", "hair", "tail"};
    static const float x[4] = {-1, -2, -3, -4};
    float              binds[5][2][16] = {{{0}}};
    unsigned           b[5];
    made               m;
    fixture_notes      notes;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 4; k++)
            binds[i / 2][i % 2][k * 5] = 1.0f;
    binds[0][0][12] = -1;
    binds[0][1][12] = -2;
    binds[1][0][12] = -12;
    binds[1][1][12] = -13;
    binds[2][0][12] = -4;
    binds[4][0][12] = -1;
    binds[4][1][12] = -7;
    memset(&m, 0, sizeof(m));
    for (int i = 0; i < 5; i++)
        b[i] = made_floats(&m, "MAT4", 2, binds[i][0]);
    made_rest(
        &m,
        ",'nodes':[{'name':'hip','children':[1,3]},{'name':'chest','children':[2]},{'name':'hair'},{'name':"
        "'tail'},{'name':'guest'}],"
        "'skins':[{'joints':[0,1],'inverseBindMatrices':%u},{'joints':[1,2],'inverseBindMatrices':%u},"
        "{'joints':[3],'inverseBindMatrices':%u},{'joints':[4],'inverseBindMatrices':%u},"
        "{'joints':[0,1],'inverseBindMatrices':%u}]",
        b[0], b[1], b[2], b[3], b[4]);
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_int_equal(model.skeleton.bone_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(model.skeleton.names[i], names[i]);
        assert_int_equal(model.skeleton.parents[i], parents[i]);
        NEAR(model.skeleton.inverse_binds[i].m[3], x[i]);
    }
    assert_non_null(
        strstr(notes.text, "W 5 skins: the bones are the first one's, 1 others have other joints"));
    assert_int_equal(made_read(&m, (ember_read_options){.skin = "0"}, &arena).skeleton.bone_count, 2);
    ember_arena_free(&arena);
}

/* Skin 0 has a hip and a hand; skin 1 is the same once more below the hand, another figure; skin 2 is the
   same beside the hip, and skin 3 hangs from the hand with other inverse binds, a glove. */
TEST(a_copy_that_hangs_from_the_first_does_not_join)
{
    static const char *names[6] = {"hip", "hand", "left", "right", "glove", "finger"};
    float              binds[2][2][16] = {{{0}}};
    unsigned           b[2];
    made               m;
    fixture_notes      notes;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            binds[i / 2][i % 2][k * 5] = 1.0f;
    binds[0][1][13] = -1;
    binds[1][0][13] = -1;
    binds[1][1][13] = -2;
    memset(&m, 0, sizeof(m));
    for (int i = 0; i < 2; i++)
        b[i] = made_floats(&m, "MAT4", 2, binds[i][0]);
    made_rest(&m,
              ",'nodes':[{'name':'hip','children':[1]},{'name':'hand','children':[2,6]},{'name':'hip2',"
              "'children':[3]},{'name':'hand2'},{'name':'left','children':[5]},{'name':'right'},"
              "{'name':'glove','children':[7]},{'name':'finger'},{'children':[0,4]}],"
              "'skins':[{'joints':[0,1],'inverseBindMatrices':%u},{'joints':[2,3],'inverseBindMatrices':%u},"
              "{'joints':[4,5],'inverseBindMatrices':%u},{'joints':[6,7],'inverseBindMatrices':%u}]",
              b[0], b[0], b[0], b[1]);
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_non_null(strstr(notes.text, "W 4 skins: the bones are the first one's"));
    assert_int_equal(model.skeleton.bone_count, 6);
    for (int i = 0; i < 6; i++)
        assert_string_equal(model.skeleton.names[i], names[i]);
    ember_arena_free(&arena);
}

TEST(skins_are_chosen_by_name_or_number)
{
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'name':'a'},{'name':'b'},{'name':'c'}],"
                  "'skins':[{'name':'one','joints':[0]},{'name':'twin','joints':[1]},{'name':'twin','joints':"
                  "[2]},{'joints':[2]},"
                  "{'name':'0','joints':[1,2]}]");
    assert_string_equal(
        made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena).skeleton.names[0], "a");
    assert_non_null(
        strstr(notes.text, "W 5 skins: the bones are the first one's, 4 others have other joints"));
    assert_string_equal(made_read(&m, (ember_read_options){.skin = "one"}, &arena).skeleton.names[0], "a");
    assert_string_equal(made_read(&m, (ember_read_options){.skin = "1"}, &arena).skeleton.names[0], "b");
    assert_string_equal(made_read(&m, (ember_read_options){.skin = "3"}, &arena).skeleton.names[0], "c");
    /* a name comes first */
    assert_int_equal(made_read(&m, (ember_read_options){.skin = "0"}, &arena).skeleton.bone_count, 2);
    static const char list[] = "skins are: 0 \"one\", 1 \"twin\", 2 \"twin\", 3, 4 \"0\"";
    char              words[200];
    snprintf(words, sizeof(words), "no skin \"two\"; %s", list);
    made_refuse(&m, (ember_read_options){.skin = "two"}, EMBER_E_ARG, words);
    made_refuse(&m, (ember_read_options){.skin = "5"}, EMBER_E_ARG, "no skin \"5\"; skins are:");
    made_refuse(&m, (ember_read_options){.skin = "4294967296"}, EMBER_E_ARG, "no skin \"4294967296\"");
    made_refuse(&m, (ember_read_options){.skin = "twin"}, EMBER_E_ARG,
                "several skins are called \"twin\"; skins are:");
    ember_arena_free(&arena);
}

/* ---- nodes that are no joints ---- */

/* Above the root a quarter turn about z, a length of 2 and a scale of 3; between root and tip a
   step to the side. */
TEST(nodes_above_and_between_joints_count)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'rotation':[0,0,0.70710678118654752,0.70710678118654752],'translation':[2,0,0],"
                  "'scale':[3,3,3],'"
                  "children':[1]},"
                  "{'name':'root','translation':[0,1,0],'children':[2]},{'translation':[0,0,5],'children':[3]"
                  "},{'name':'tip','"
                  "translation':[1,0,0]}],"
                  "'skins':[{'joints':[1,3]}]");
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    /* y turns into -x, three times as long. */
    assert_place(model.skeleton.rest[0], 0, 0, HALF, HALF, -1, 0, 0);
    assert_scale(model.skeleton.rest[0], 3, 3, 3);
    assert_place(model.skeleton.rest[1], 0, 0, 0, 1, 1, 0, 5);
    assert_int_equal(model.skeleton.parents[1], 0);
    assert_int_equal(model.skeleton.bone_count, 2);
    model = made_read(&m, (ember_read_options){.scale = 10.0}, &arena);
    assert_place(model.skeleton.rest[1], 0, 0, 0, 1, 10, 0, 50);
    assert_scale(model.skeleton.rest[0], 3, 3, 3);
    ember_arena_free(&arena);
}

/* A channel on such a node moves the joint below it, and counts for the clip's length. */
TEST(animated_nodes_above_joints_move_them)
{
    static const float turn[8] = {0, 0, 0, 1, 0, 0, (float)HALF, (float)HALF};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'children':[1]},{'translation':[1,0,0],'children':[2]},{'translation':[1,0,0]}]"
                  ",'skins':[{'joints':[1,2]}]");
    move_add(&m, 0, "rotation", turn);
    ember_model       model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    const ember_clip *clip = &model.clips[0];
    assert_int_equal(clip->frame_count, 31);
    assert_place(clip->frames[10 * 2], 0, 0, sin(M_PI / 12), cos(M_PI / 12), cos(M_PI / 6), sin(M_PI / 6), 0);
    assert_place(clip->frames[30 * 2], 0, 0, HALF, HALF, 0, 1, 0);
    assert_place(clip->frames[30 * 2 + 1], 0, 0, 0, 1, 1, 0, 0);
    ember_arena_free(&arena);
}

/* diag(2, 1, 1) above a joint turned by 45 degrees about z: columns (2, 1)/sqrt2 and (-2, 1)/sqrt2, whose
   cosine is 3/5. By symmetry the nearest rotation is the joint's own, with both scales 3/2. */
TEST(shear_becomes_the_nearest_transform)
{
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'scale':[2,1,1],'children':[1]},{'name':'arm','rotation':[0,0,0."
                  "38268343236508977,0.92387953251128674],"
                  "'translation':[1,1,0]}],'skins':[{'joints':[1]}]");
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_place(model.skeleton.rest[0], 0, 0, 0.38268343236508977, 0.92387953251128674, 2, 1, 0);
    assert_scale(model.skeleton.rest[0], 1.5, 1.5, 1);
    assert_non_null(strstr(notes.text, "W the rest pose is sheared by 60.0 %"));
    ember_arena_free(&arena);
}

/* The same on the way from 0 to 90 degrees: worst in the middle, gone at both ends. */
TEST(shear_of_a_clip_is_said)
{
    static const float turn[8] = {0, 0, 0, 1, 0, 0, (float)HALF, (float)HALF};
    made               m;
    fixture_notes      notes;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'scale':[2,1,1],'children':[1]},{'name':'arm'}],'skins':[{'joints':[1]}]");
    move_add(&m, 1, "rotation", turn);
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_string_equal(notes.text,
                        "W sheared by 60.0 % in frame 15: the nearest rotation and scale are taken\n");
    assert_scale(model.clips[0].frames[0], 2, 1, 1);
    assert_scale(model.clips[0].frames[15], 1.5, 1.5, 1);
    assert_scale(model.clips[0].frames[30], 1, 2, 1);
    ember_arena_free(&arena);
}

/* Non-uniform, but along the joint's own axes: nothing is lost and nothing is said. */
TEST(scale_without_shear_is_exact)
{
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'scale':[2,3,4],'children':[1]},{'rotation':[0,0,0.70710678118654752,0."
                  "70710678118654752]}],'skins'"
                  ":[{'joints':[1]}]");
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_place(model.skeleton.rest[0], 0, 0, HALF, HALF, 0, 0, 0);
    assert_scale(model.skeleton.rest[0], 3, 2, 4); /* its x axis points along y */
    assert_string_equal(notes.text, "");
    ember_arena_free(&arena);
}

/* ---- mirrors ---- */

TEST(mirrored_joints_keep_their_sign)
{
    static const float sizes[6] = {1, 1, -1, 1, 1, -2};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'scale':[2,2,2],'children':[1]},{'scale':[1,1,-1],'children':[2]},{}],'skins':["
                  "{'joints':[1,2]}]");
    move_add(&m, 1, "scale", sizes);
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_scale(model.skeleton.rest[0], 2, 2, -2);
    assert_place(model.skeleton.rest[0], 0, 0, 0, 1, 0, 0, 0);
    assert_scale(model.clips[0].frames[30 * 2], 2, 2, -4);
    ember_arena_free(&arena);
}

/* A mirror above a joint: diag(-1, 1, 1) times a quarter turn about z is a quarter turn the other way with a
   mirrored x axis. */
TEST(mirrors_above_joints_go_into_the_scale)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'scale':[-1,1,1],'children':[1]},{'rotation':[0,0,0.70710678118654752,0."
                  "70710678118654752],'"
                  "translation':[1,2,3]},"
                  "{'matrix':[-1,0,0,0,0,1,0,0,0,0,1,0,4,5,6,1]}],'skins':[{'joints':[1,2]}]");
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_place(model.skeleton.rest[0], 0, 0, -HALF, HALF, -1, 2, 3);
    assert_scale(model.skeleton.rest[0], -1, 1, 1);
    /* The same for a matrix that is mirrored itself. */
    assert_place(model.skeleton.rest[1], 0, 0, 0, 1, 4, 5, 6);
    assert_scale(model.skeleton.rest[1], -1, 1, 1);
    ember_arena_free(&arena);
}

/* Where a matrix has to be taken apart, the joint's own signs stay where they are: 3/2 of them along z. */
TEST(signs_stay_on_their_axis)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'scale':[2,2,3],'children':[1]},{'scale':[1,1,-0.5],'rotation':[0,0,0.6,0.8]}],"
                  "'skins':[{'joints':[1]}]");
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_place(model.skeleton.rest[0], 0, 0, 0.6, 0.8, 0, 0, 0);
    assert_scale(model.skeleton.rest[0], 2, 2, -1.5);
    ember_arena_free(&arena);
}

/* ---- matrices ---- */

/* Columns (1 0 0) and (1 1 0): sheared at rest. A channel speaks of rotation, translation and scale, so the
   rest of it is those too. */
TEST(animated_matrices_become_transforms)
{
    static const float ways[6] = {0, 0, 0, 1, 0, 0}, turn[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'matrix':[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]}]");
    move_add(&m, 0, "rotation", turn);
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_true(fabs((double)model.skeleton.rest[0].rotation.z) > 0.1);
    assert_place(model.clips[0].frames[0], 0, 0, 0, 1, 0, 0, 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{'matrix':[0,2,0,0,-3,0,0,0,0,0,4,0,7,8,9,1]}]");
    move_add(&m, 0, "translation", ways);
    model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_place(model.clips[0].frames[30], 0, 0, HALF, HALF, 1, 0, 0);
    assert_scale(model.clips[0].frames[30], 2, 3, 4);
    ember_arena_free(&arena);
}

TEST(matrices_are_taken_apart)
{
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    /* Columns: (0 2 0), (-3 0 0), (0 0 4): a quarter turn about z with scales 2, 3, 4. */
    made_rest(&m, ",'nodes':[{'matrix':[0,2,0,0,-3,0,0,0,0,0,4,0,7,8,9,1]},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,"
                  "0,1,1,1,1],'"
                  "translation':[5,0,0]},"
                  "{'matrix':[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]}],'skins':[{'joints':[0,1,2]}]");
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_place(model.skeleton.rest[0], 0, 0, HALF, HALF, 7, 8, 9);
    assert_scale(model.skeleton.rest[0], 2, 3, 4);
    assert_place(model.skeleton.rest[1], 0, 0, 0, 1, 5, 0, 0);
    assert_non_null(strstr(notes.text, "W nodes[1] has a matrix and also a translation"));
    assert_place(model.skeleton.rest[2], 0, 0, 0, 1, 0, 0, 0);
    assert_scale(model.skeleton.rest[2], 0, 0, 0);
    ember_arena_free(&arena);
}

/* ---- without a skin ---- */

/* 1 and 3 are animated, 2 lies between; 0 is above and counts, 4 and 5 do not. */
TEST(animated_nodes_are_bones_without_a_skin)
{
    static const float times[2] = {0.0f, 1.0f}, values[6] = {0, 0, 0, 1, 0, 0};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned t = made_floats(&m, "SCALAR", 2, times), v = made_floats(&m, "VEC3", 2, values);
    made_rest(&m,
              ",'nodes':[{'translation':[0,7,0],'children':[3]},{'name':'tip','children':[4]},{'name':'mid','"
              "translation':[0,0,1],'"
              "children':[1]},"
              "{'name':'base','children':[2]},{'name':'leaf'},{'name':'other'}],'animations':[{'name':'x','"
              "channels':["
              "{'sampler':0,'target':{'node':1,'path':'translation'}}],'samplers':[{'input':%u,'output':%u}]}"
              ",{'name':'y','channels':["
              "{'sampler':0,'target':{'node':3,'path':'scale'}}],'samplers':[{'input':%u,'output':%u}]}]",
              t, v, t, v);
    ember_model              model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    static const char *const names[3] = {"base", "mid", "tip"};
    assert_int_equal(model.skeleton.bone_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(model.skeleton.names[i], names[i]);
        assert_int_equal(model.skeleton.parents[i], i - 1);
    }
    assert_null(model.skeleton.inverse_binds);
    NEAR(model.skeleton.rest[0].position.y, 7);
    assert_int_equal(model.clip_count, 2);
    NEAR(model.clips[0].frames[30 * 3 + 2].position.x, 1);
    NEAR(model.clips[1].frames[15 * 3].scale.x, 0.5);
    NEAR(model.clips[1].frames[15 * 3].position.y, 7);
    ember_arena_free(&arena);
}

TEST(files_without_bones_are_read)
{
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    made_rest(&m, ",'nodes':[{}],'animations':[{'channels':[{'target':{'node':0,'path':'weights'}}]}]");
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_int_equal(model.skeleton.bone_count, 0);
    assert_int_equal(model.clip_count, 0);
    assert_non_null(strstr(notes.text, "W no animation moves a node: there are no clips"));
    ember_arena_free(&arena);
}

/* ---- signs ---- */

/* Keys that turn on and on about z, written with w never negative as many exporters do: the sign flips in the
   file, not in the clip. */
TEST(rotations_are_sign_continuous)
{
    float       times[17], values[68] = {0};
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    for (int i = 0; i < 17; i++) {
        double angle = i * M_PI / 4, sign = cos(angle / 2) < 0 ? -1 : 1;
        times[i] = (float)i;
        values[i * 4 + 2] = (float)(sign * sin(angle / 2));
        values[i * 4 + 3] = (float)(sign * cos(angle / 2));
    }
    memset(&m, 0, sizeof(m));
    unsigned t = made_floats(&m, "SCALAR", 17, times), v = made_floats(&m, "VEC4", 17, values);
    made_rest(&m,
              ",'nodes':[{}],'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}],"
              "'samplers':[{'input'"
              ":%u,'output':%u}]}]",
              t, v);
    ember_model model = made_read(&m, (ember_read_options){.fps = 4}, &arena);
    assert_int_equal(model.clips[0].frame_count, 65);
    for (int i = 0; i < 65; i++) {
        NEAR(model.clips[0].frames[i].rotation.z, sin(i * M_PI / 32));
        NEAR(model.clips[0].frames[i].rotation.w, cos(i * M_PI / 32));
    }
    ember_arena_free(&arena);
}

/* ---- large and deep ---- */

/* 40,000 nodes in one line, every second one a joint would be too many; a deep chain of helpers
   costs no stack. */
TEST(deep_and_wide_trees_are_read)
{
    const unsigned count = 40000;
    char          *json = test_alloc(count * 32 + 400000 + 256);
    ember_arena    arena = ember_arena_growing(ember_heap(), 0);
    char          *end = json + sprintf(json, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (unsigned i = 0; i + 1 < count; i++)
        end += sprintf(end, "{\"children\":[%u]},", i + 1);
    end += sprintf(end, "{}],\"skins\":[{\"joints\":[");
    char *joints = end;
    end += sprintf(end, "%u]}]}", count - 1);
    ember_model model =
        fixture_read(json, strlen(json), (ember_read_options){.format = EMBER_FORMAT_GLTF}, &arena);
    assert_int_equal(model.skeleton.bone_count, 1);
    end = joints;
    for (unsigned i = 0; i < 32768; i++)
        end += sprintf(end, "%s%u", i == 0 ? "" : ",", i);
    strcpy(end, "]}]}");
    fixture_refuse(json, strlen(json), (ember_read_options){.format = EMBER_FORMAT_GLTF}, EMBER_E_LIMIT,
                   "skins[0].joints: 32768 joints, at most 32767");
    ember_arena_free(&arena);
    free(json);
}
