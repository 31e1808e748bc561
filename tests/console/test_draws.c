/* SPDX-License-Identifier: MIT */
/* The draw list: which branch a mesh takes, which pose and skeleton count, and the four ways of loading a
   mesh.
   Covers: mesh.c. */
#include "base/bytes.h"
#include "world.h"

/* Ends the render and looks at its only draw. */
static const ember_draw *only_draw(world *w)
{
    ember_console_end(w->h.c);
    const ember_draw_list *list = ember_console_draws(w->h.c);
    assert_int_equal(list->draw_count, 1);
    return &list->draws[0];
}

/* A rigid triangle on bone 1, by way of the ROM's file form: loaded from a console of its own ROM. */
typedef struct rigid_world {
    world        w;
    ember_buffer file, still, rom_bytes;
    ember_rom   *rom;
    uint8_t     *aligned;
    uint32_t     mesh;
} rigid_world;

static void rigid_open(rigid_world *r)
{
    static const int16_t parents[2] = {-1, 0};
    ember_mesh           mesh = fixture_triangle();
    ember_model model = {.skeleton = {2, parents, NULL, NULL, NULL}, .mesh_count = 1, .meshes = &mesh};
    ember_error err = EMBER_ERROR_INIT;
    mesh.bone = 1;
    memset(r, 0, sizeof(*r));
    r->file = made_file(&model, EMBER_FORMAT_EWZMESH);
    r->still = made_mesh_file();
    ember_rom_asset assets[7] = {
        {.kind = EMBER_ROM_MESH, .id = "claw", .data = r->file.data, .size = r->file.size, .texture = "skin"},
        {.kind = EMBER_ROM_TEXTURE, .id = "skin", .data = fixture_png, .size = sizeof(fixture_png)},
        /* A model of two parts, and meshes that are none of them. */
        {.kind = EMBER_ROM_MESH, .id = "arm/claw", .data = r->file.data, .size = r->file.size},
        {.kind = EMBER_ROM_MESH, .id = "arm/base", .data = r->still.data, .size = r->still.size},
        {.kind = EMBER_ROM_MESH, .id = "arm/more/part", .data = r->still.data, .size = r->still.size},
        {.kind = EMBER_ROM_MESH, .id = "arms", .data = r->still.data, .size = r->still.size},
        {.kind = EMBER_ROM_MESH, .id = "armour/plate", .data = r->still.data, .size = r->still.size}};
    ember_rom_content content = {.assets = assets, .asset_count = 7};
    r->rom_bytes = made_rom(&content);
    r->aligned = aligned_alloc(16, (r->rom_bytes.size + 15) / 16 * 16);
    assert_non_null(r->aligned);
    memcpy(r->aligned, r->rom_bytes.data, r->rom_bytes.size);
    assert_int_equal(ember_rom_open_memory(&r->rom, r->aligned, r->rom_bytes.size, ember_heap(), &err),
                     EMBER_OK);
    host_open(&r->w.h, r->rom);
    world_fill(&r->w.h);
    host_put(&r->w.h, AT_OUT, "claw", 4);
    r->mesh = emberi_host_rom_mesh(r->w.h.c, AT_OUT, 4);
    r->w.keyframes = emberi_host_keyframes_load(r->w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE);
    r->w.mesh = emberi_host_load_mesh(r->w.h.c, AT_VERTICES, 3, 0);
}

static void rigid_close(rigid_world *r)
{
    host_close(&r->w.h);
    ember_rom_close(r->rom);
    free(r->aligned);
    ember_buffer_free(&r->rom_bytes);
    ember_buffer_free(&r->file);
    ember_buffer_free(&r->still);
}

/* ---- branches ---- */

TEST(a_mesh_without_bones_is_static_whatever_is_bound)
{
    world w;
    world_open_render(&w);
    emberi_host_skeleton_bind(w.h.c, w.skeleton);
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 1);
    emberi_host_set_color(w.h.c, 0x11223344u);
    emberi_host_clear_color(w.h.c, 0x55667788u);
    emberi_host_push_translate(w.h.c, 1, 2, 3);
    emberi_host_draw_mesh(w.h.c, w.mesh);
    const ember_draw *draw = only_draw(&w);
    assert_int_equal(draw->branch, EMBER_DRAW_STATIC);
    assert_int_equal(draw->mesh, 0);
    assert_int_equal(draw->pose, EMBER_DRAW_POSE_NONE);
    assert_int_equal(draw->skeleton, -1);
    assert_int_equal(draw->color, 0x11223344u);
    assert_true(draw->transform.m[3] == 1.0f && draw->transform.m[7] == 2.0f &&
                draw->transform.m[11] == 3.0f);
    assert_int_equal(ember_console_draws(w.h.c)->clear_color, 0x55667788u);
    assert_int_equal(ember_console_draws(w.h.c)->frame, 1);
    world_close(&w);
}

TEST(a_skinned_mesh_takes_the_bound_frame_and_skeleton)
{
    world w;
    world_open_render(&w);
    emberi_host_skeleton_bind(w.h.c, w.hero_skeleton);
    emberi_host_keyframe_bind(w.h.c, w.walk, 4);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    const ember_draw *draw = only_draw(&w);
    assert_int_equal(draw->branch, EMBER_DRAW_SKINNED);
    assert_int_equal(draw->mesh, 1);
    assert_int_equal(draw->pose, EMBER_DRAW_POSE_CLIP);
    assert_int_equal(draw->clip, 2);
    assert_int_equal(draw->frame, 4);
    assert_int_equal(draw->bone_count, 3);
    assert_int_equal(draw->skeleton, 1);
    assert_int_equal(draw->color, 0xFFFFFFFFu);
    /* The root is where its record says; records and parents: rom_made.h. */
    const ember_draw_list *list = ember_console_draws(w.h.c);
    ember_transform        root =
        ember_record_decode(w.made.clips[0] + 4 + 4 * SKELETON_BONES * 16, EMBER_RECORD_EWZ, NULL);
    assert_int_equal(draw->first_bone, 0);
    assert_int_equal(list->bone_count, 3);
    assert_true(list->bones[0].m[3] == root.position.x && list->bones[0].m[7] == root.position.y &&
                list->bones[0].m[11] == root.position.z);
    world_close(&w);
}

TEST(a_bound_frame_is_in_the_list_once_however_often_it_is_bound)
{
    world w;
    world_open_render(&w);
    for (uint32_t i = 0; i < 7; i++) { /* frames 0 1 2 0 1 2 0 */
        emberi_host_keyframe_bind(w.h.c, w.keyframes, i % 3);
        emberi_host_draw_mesh(w.h.c, w.skinned);
        emberi_host_draw_mesh(w.h.c, w.skinned);
    }
    emberi_host_keyframe_bind(w.h.c, w.clip, 0); /* another clip's frame 0 */
    emberi_host_draw_mesh(w.h.c, w.mesh);        /* static: needs none */
    ember_console_end(w.h.c);
    const ember_draw_list *list = ember_console_draws(w.h.c);
    assert_int_equal(list->draw_count, 15);
    assert_int_equal(list->bone_count, 3 * 2);
    for (uint32_t i = 0; i < 14; i++) {
        assert_int_equal(list->draws[i].first_bone, i / 2 % 3 * 2);
        assert_int_equal(list->draws[i].frame, i / 2 % 3);
        /* bone 1 of the frame is at (frame, 1, 0) */
        assert_true(list->bones[list->draws[i].first_bone + 1].m[3] == (float)(i / 2 % 3) &&
                    list->bones[list->draws[i].first_bone + 1].m[7] == 1.0f);
    }
    world_close(&w);
}

/* More frames than the cache and the first table hold; then the same ones the other way around, and another
   list after it begins empty. */
TEST(thousands_of_bound_frames_are_drawn_where_they_should_be)
{
    enum { FRAMES = 3000 };
    const uint32_t size = 1u << 20;
    host           h;
    host_open(&h, NULL);
    uint8_t *memory = test_alloc(size);
    memset(memory, 0, size);
    memcpy(memory + 64, (const uint8_t[4]){1, 0, FRAMES & 0xff, FRAMES >> 8}, 4);
    for (uint32_t i = 0; i < FRAMES; i++) {
        ember_transform t = EMBER_TRANSFORM_IDENTITY;
        t.position.x = (float)(i % 2048); /* halves hold those */
        t.position.y = (float)(i / 2048); /* NOLINT(bugprone-integer-division): which part */
        assert_int_equal(ember_record_encode(memory + 68 + i * 16, EMBER_RECORD_EWZ, &t), EMBER_OK);
    }
    ember_console_set_memory(h.c, memory, size);
    uint32_t clip = emberi_host_keyframes_load(h.c, 64, 4 + FRAMES * 16);
    ember_console_set_memory(h.c, h.memory, HOSTED_MEMORY);
    uint32_t mesh = world_load_skinned(&h);
    for (uint32_t round = 0; round < 3; round++) {
        host_phase(&h, EMBER_PHASE_UPDATE);
        host_phase(&h, EMBER_PHASE_RENDER);
        uint32_t count = round < 2 ? 2 * FRAMES : 1;
        for (uint32_t i = 0; i < count; i++) {
            emberi_host_keyframe_bind(h.c, clip, i < FRAMES ? i : 2 * FRAMES - 1 - i);
            emberi_host_draw_mesh(h.c, mesh);
        }
        ember_console_end(h.c);
        const ember_draw_list *list = ember_console_draws(h.c);
        assert_int_equal(list->draw_count, count);
        assert_int_equal(list->bone_count, round < 2 ? FRAMES : 1);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t           frame = i < FRAMES ? i : 2 * FRAMES - 1 - i;
            const ember_mat34 *bone = &list->bones[list->draws[i].first_bone];
            assert_true(bone->m[3] == (float)(frame % 2048));
            assert_true(bone->m[7] == (float)(frame / 2048)); /* NOLINT(bugprone-integer-division) */
        }
        ember_console_begin(h.c, EMBER_PHASE_UPDATE, NULL);
    }
    free(memory);
    host_close(&h);
}

/* v2's table of mismatches: the counts are there for the renderer, nothing traps. */
TEST(other_bone_counts_than_the_skeletons_do_not_trap)
{
    world    w;
    uint32_t bones;
    world_open_render(&w);
    emberi_host_skeleton_bind(w.h.c, w.skeleton); /* 2 bones; the walk has 3 */
    emberi_host_keyframe_bind(w.h.c, w.walk, 0);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    emberi_host_skeleton_bind(w.h.c, w.hero_skeleton); /* 3 bones; the box has 2 */
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 0);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    emberi_host_skeleton_bind(w.h.c, 0); /* raw */
    emberi_host_draw_mesh(w.h.c, w.skinned);
    ember_console_end(w.h.c);
    const ember_draw *draws = ember_console_draws(w.h.c)->draws;
    assert_int_equal(draws[0].bone_count, 3);
    assert_non_null(ember_console_inverse_binds(w.h.c, (uint32_t)draws[0].skeleton, &bones));
    assert_int_equal(bones, 2);
    assert_int_equal(draws[1].bone_count, 2);
    assert_non_null(ember_console_inverse_binds(w.h.c, (uint32_t)draws[1].skeleton, &bones));
    assert_int_equal(bones, 3);
    assert_int_equal(draws[2].branch, EMBER_DRAW_SKINNED);
    assert_int_equal(draws[2].skeleton, -1);
    world_close(&w);
}

/* By the rigid proposal's shader: without bones a mesh stands as it was modelled. */
TEST(a_skinned_mesh_without_a_pose_is_static)
{
    world w;
    world_open_render(&w);
    emberi_host_skeleton_bind(w.h.c, w.skeleton);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    const ember_draw *draw = only_draw(&w);
    assert_int_equal(draw->branch, EMBER_DRAW_STATIC);
    assert_int_equal(draw->skeleton, -1);
    world_close(&w);
}

TEST(bones_of_the_game_are_in_the_list_once_for_all_draws)
{
    world w;
    world_open_render(&w);
    emberi_host_set_bones(w.h.c, AT_BONES, 2);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    emberi_host_set_bones_4x4(w.h.c, AT_BONES_4X4, 1);
    emberi_host_draw_mesh(w.h.c, w.mesh); /* static: needs none */
    emberi_host_draw_mesh(w.h.c, w.skinned);
    ember_console_end(w.h.c);
    const ember_draw_list *list = ember_console_draws(w.h.c);
    assert_int_equal(list->draw_count, 4);
    assert_int_equal(list->bone_count, 3);
    assert_int_equal(list->draws[0].pose, EMBER_DRAW_POSE_BONES);
    assert_int_equal(list->draws[0].first_bone, 0);
    assert_int_equal(list->draws[0].bone_count, 2);
    assert_int_equal(list->draws[1].first_bone, 0);
    assert_int_equal(list->draws[3].first_bone, 2);
    assert_int_equal(list->draws[3].bone_count, 1);
    assert_true(list->bones[1].m[3] == 4.0f && list->bones[1].m[7] == 5.0f && list->bones[1].m[11] == 6.0f);
    world_close(&w);
}

TEST(a_bone_that_was_set_is_drawn_where_it_was_set)
{
    world w;
    world_open_render(&w);
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 2);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    emberi_host_bone_set_trs(w.h.c, 1, AT_POSITION, AT_POSE, AT_SCALE);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    ember_console_end(w.h.c);
    const ember_draw_list *list = ember_console_draws(w.h.c);
    assert_int_equal(list->draws[0].pose, EMBER_DRAW_POSE_CLIP);
    assert_int_equal(list->draws[1].pose, EMBER_DRAW_POSE_BONES);
    assert_int_equal(list->bone_count, 4); /* frame 2, and frame 2 changed */
    assert_int_equal(list->draws[1].first_bone, 2);
    assert_true(list->bones[1].m[3] == 2.0f && list->bones[1].m[7] == 1.0f);
    assert_true(list->bones[2].m[3] == 2.0f); /* the other bone as in frame 2 */
    assert_true(list->bones[3].m[0] == 2.0f && list->bones[3].m[3] == 1.0f && list->bones[3].m[7] == 2.0f &&
                list->bones[3].m[11] == 3.0f);
    world_close(&w);
}

/* ---- rigid meshes ---- */

TEST(a_rigid_mesh_follows_its_bone_and_needs_no_skeleton)
{
    rigid_world r;
    size_t      texture_size;
    rigid_open(&r);
    world_render(&r.w);
    emberi_host_keyframe_bind(r.w.h.c, r.w.keyframes, 2);
    emberi_host_draw_mesh(r.w.h.c, r.mesh);
    const ember_draw *draw = only_draw(&r.w);
    assert_int_equal(draw->branch, EMBER_DRAW_RIGID);
    assert_int_equal(draw->bone, 1);
    assert_int_equal(draw->pose, EMBER_DRAW_POSE_CLIP);
    assert_int_equal(draw->clip, 0);
    assert_int_equal(draw->frame, 2);
    assert_int_equal(draw->skeleton, -1);
    assert_memory_equal(ember_console_mesh_texture(r.w.h.c, 0, &texture_size), fixture_png,
                        sizeof(fixture_png));
    assert_int_equal(texture_size, sizeof(fixture_png));
    assert_null(ember_console_mesh_texture(r.w.h.c, 1, &texture_size));
    assert_null(ember_console_mesh_texture(r.w.h.c, 99, &texture_size));
    rigid_close(&r);
}

TEST(bone_bind_counts_for_the_next_draw_alone)
{
    rigid_world r;
    rigid_open(&r);
    world_render(&r.w);
    emberi_host_keyframe_bind(r.w.h.c, r.w.keyframes, 0);
    emberi_host_bone_bind(r.w.h.c, 0);
    emberi_host_draw_mesh(r.w.h.c, r.mesh);
    emberi_host_draw_mesh(r.w.h.c, r.mesh);
    /* a static mesh follows a bone for once; one that the clip does not have is identity */
    emberi_host_bone_bind(r.w.h.c, 7);
    emberi_host_draw_mesh(r.w.h.c, r.w.mesh);
    emberi_host_draw_mesh(r.w.h.c, r.w.mesh);
    ember_console_end(r.w.h.c);
    const ember_draw *draws = ember_console_draws(r.w.h.c)->draws;
    assert_int_equal(draws[0].bone, 0);
    assert_int_equal(draws[1].bone, 1);
    assert_int_equal(draws[2].branch, EMBER_DRAW_RIGID);
    assert_int_equal(draws[2].bone, 7);
    assert_int_equal(draws[2].bone_count, 2);
    assert_int_equal(draws[3].branch, EMBER_DRAW_STATIC);
    HOST_TRAPS(&r.w.h, emberi_host_bone_bind(r.w.h.c, 255),
               "bone_bind: bone index 255 >= 255, in no export, frame 1");
    rigid_close(&r);
}

TEST(bone_bind_is_used_up_by_a_skinned_mesh)
{
    world w;
    world_open_render(&w);
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 0);
    emberi_host_bone_bind(w.h.c, 1);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    emberi_host_draw_mesh(w.h.c, w.mesh);
    ember_console_end(w.h.c);
    const ember_draw *draws = ember_console_draws(w.h.c)->draws;
    assert_int_equal(draws[0].branch, EMBER_DRAW_SKINNED);
    assert_int_equal(draws[1].branch, EMBER_DRAW_STATIC);
    world_close(&w);
}

/* ---- models ---- */

/* The id of a file with several meshes: they are drawn with one call, in the order of their ids. */
TEST(a_model_is_drawn_with_all_its_meshes)
{
    rigid_world r;
    uint32_t    arm = 0;
    rigid_open(&r);
    host_put(&r.w.h, AT_OUT, "arm", 3);
    arm = emberi_host_rom_mesh(r.w.h.c, AT_OUT, 3);
    assert_int_equal(ember_console_mesh_count(r.w.h.c), 4); /* claw, a triangle, and the two parts */
    world_render(&r.w);
    emberi_host_keyframe_bind(r.w.h.c, r.w.keyframes, 2);
    emberi_host_set_color(r.w.h.c, 0x102030FFu);
    emberi_host_push_translate(r.w.h.c, 1, 2, 3);
    emberi_host_draw_mesh(r.w.h.c, arm);
    emberi_host_bone_bind(r.w.h.c, 0); /* for all parts of the next draw, and no longer */
    emberi_host_draw_mesh(r.w.h.c, arm);
    emberi_host_draw_mesh(r.w.h.c, arm);
    ember_console_end(r.w.h.c);
    const ember_draw_list *list = ember_console_draws(r.w.h.c);
    assert_int_equal(list->draw_count, 6);
    assert_int_equal(list->bone_count, 2);
    for (uint32_t i = 0; i < 6; i++) {
        const ember_draw *draw = &list->draws[i];
        bool              rigid = i % 2 == 1 || i == 2;
        assert_int_equal(draw->mesh, 2 + i % 2); /* base, then claw */
        assert_int_equal(draw->branch, rigid ? EMBER_DRAW_RIGID : EMBER_DRAW_STATIC);
        assert_int_equal(draw->bone, i == 1 || i == 5 ? 1 : 0);
        assert_int_equal(draw->pose, rigid ? EMBER_DRAW_POSE_CLIP : EMBER_DRAW_POSE_NONE);
        assert_int_equal(draw->color, 0x102030FFu);
        assert_true(draw->transform.m[3] == 1.0f);
    }
    HOST_TRAPS(&r.w.h,
               (ember_console_begin(r.w.h.c, EMBER_PHASE_RENDER, NULL),
                emberi_host_draw_mesh(r.w.h.c, arm + 1)),
               "draw_mesh: invalid mesh handle, in render, frame 1");
    rigid_close(&r);
}

TEST(ids_that_are_not_there_trap_with_near_ones)
{
    static const struct {
        const char *id, *text;
    } cases[] = {
        {"calw", "calw; near: claw"},
        {"arm/bsae", "arm/bsae; near: arm/base, arm/claw, arm/more"}, /* 1, 3 and 3 edits */
        {"Armour/Plate", "Armour/Plate; near: armour/plate"},
        {"arm/", "arm/; near: arm, arms"},
        {"ram", "ram; near: arm"}, /* by its parts' ids */
        {"arm/mroe", "arm/mroe; near: arm/more, arm/base"},
        {"zebra", "zebra"},
    };
    rigid_world r;
    rigid_open(&r);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char expected[128];
        snprintf(expected, sizeof(expected), "rom_mesh: mesh asset not found: %s, in init, frame 0",
                 cases[i].text);
        host_put(&r.w.h, AT_OUT, cases[i].id, strlen(cases[i].id));
        HOST_TRY(&r.w.h, (void)emberi_host_rom_mesh(r.w.h.c, AT_OUT, (uint32_t)strlen(cases[i].id)));
        assert_string_equal(r.w.h.text, expected);
    }
    assert_int_equal(ember_console_mesh_count(r.w.h.c), 2);
    rigid_close(&r);
}

/* ---- limits ---- */

TEST(too_many_draws_and_bones_in_a_frame_trap)
{
    world        w;
    volatile int done = 0;
    world_open_render(&w);
    HOST_TRY(&w.h, for (;; done++) emberi_host_draw_mesh(w.h.c, w.mesh));
    assert_string_equal(w.h.text, "draw_mesh: more than 65536 draws in one frame, in render, frame 1");
    assert_int_equal(done, 65536);
    world_render(&w);
    done = 0;
    HOST_TRY(
        &w.h, for (;; done++) {
            emberi_host_set_bones(w.h.c, AT_BONES, 200);
            emberi_host_draw_mesh(w.h.c, w.skinned);
        });
    assert_string_equal(w.h.text, "draw_mesh: more than 1048576 bones in one frame, in render, frame 2");
    assert_int_equal(done, 1048576 / 200);
    world_render(&w);
    emberi_host_draw_mesh(w.h.c, w.mesh);
    assert_int_equal(only_draw(&w)->mesh, 0);
    world_close(&w);
}

/* ---- loading meshes ---- */

TEST(the_four_forms_of_load_mesh_give_the_same_triangle)
{
    world    w;
    uint32_t bones;
    world_open(&w, EMBER_SQUEEZE_RAW);
    uint32_t first = ember_console_mesh_count(w.h.c);
    (void)emberi_host_load_mesh(w.h.c, AT_VERTICES, 3, 0);
    (void)emberi_host_load_mesh_packed(w.h.c, AT_PACKED, 3, 0);
    (void)emberi_host_load_mesh_indexed(w.h.c, AT_VERTICES, 3, AT_INDICES, 3, 0);
    (void)emberi_host_load_mesh_indexed_packed(w.h.c, AT_PACKED, 3, AT_INDICES, 3, 0);
    static const ember_vec3 positions[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t   indices[3] = {0, 1, 2};
    for (uint32_t i = 0; i < 4; i++) {
        const ember_mesh *mesh = ember_console_mesh(w.h.c, first + i);
        assert_int_equal(mesh->vertex_count, 3);
        assert_int_equal(mesh->index_count, 3);
        assert_memory_equal(mesh->positions, positions, sizeof(positions));
        assert_memory_equal(mesh->indices, indices, sizeof(indices));
        assert_int_equal(mesh->bone, -1);
    }
    assert_null(ember_console_mesh(w.h.c, first + 4));
    assert_null(ember_console_inverse_binds(w.h.c, 99, &bones));
    world_close(&w);
}

/* uv, colour, normal, tangent, skinned, in Nethercore's order of the vertex: 12 + 8 + 12 + 12 +
   16 + 20 bytes. */
TEST(all_parts_of_a_vertex_are_read)
{
    static const float vertex[15] = {
        1,     2,     3,     /* position */
        0.25f, 0.75f,        /* uv */
        1,     0.5f,  0,     /* colour */
        0,     1,     0,     /* normal */
        1,     0,     0, -1, /* tangent */
    };
    static const float weights[4] = {0.75f, 0.25f, 0, 0};
    world              w;
    world_open(&w, EMBER_SQUEEZE_RAW);
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t *at = w.h.memory + AT_OUT + i * 80;
        memcpy(at, vertex, 60);
        memcpy(at + 60, (const uint8_t[4]){7, 200, 0, 0}, 4);
        memcpy(at + 64, weights, 16);
    }
    (void)emberi_host_load_mesh(w.h.c, AT_OUT, 3, 31);
    const ember_mesh *mesh = ember_console_mesh(w.h.c, ember_console_mesh_count(w.h.c) - 1);
    assert_true(mesh->uvs[2][0] == 0.25f && mesh->uvs[2][1] == 0.75f);
    assert_true(mesh->colors[2][0] == 1.0f && mesh->colors[2][1] == 0.5f && mesh->colors[2][3] == 1.0f);
    assert_true(mesh->normals[2].y == 1.0f && mesh->tangents[2][3] == -1.0f);
    assert_int_equal(mesh->joints[2][0], 7);
    assert_int_equal(mesh->joints[2][1], 200);
    assert_true(mesh->weights[2][0] == 0.75f && mesh->weights[2][1] == 0.25f);
    world_close(&w);
}

TEST(bad_meshes_and_skeletons_trap_with_what_is_wrong)
{
    world w;
    world_open(&w, EMBER_SQUEEZE_RAW);
    HOST_TRAPS(&w.h, emberi_host_load_mesh(w.h.c, AT_VERTICES, 3, 32),
               "load_mesh: unknown bits in the vertex format, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_mesh(w.h.c, AT_VERTICES, 3, 256),
               "load_mesh: unknown bits in the vertex format, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_mesh(w.h.c, AT_VERTICES, 3, 16),
               "load_mesh: tangents without normals, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_mesh(w.h.c, AT_VERTICES, 0, 0),
               "load_mesh: there are no vertices, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_mesh(w.h.c, AT_VERTICES, 4, 0),
               "load_mesh: the last triangle is not complete, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_mesh_indexed(w.h.c, AT_VERTICES, 3, AT_INDICES, 0, 0),
               "load_mesh_indexed: there are no indices, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_mesh_indexed(w.h.c, AT_VERTICES, 2, AT_INDICES, 3, 0),
               "load_mesh_indexed: index 2 is 2, there are 2 vertices, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_skeleton(w.h.c, AT_BINDS, 0),
               "load_skeleton: 0 bones, must be 1 to 255, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_skeleton(w.h.c, AT_BINDS, 256),
               "load_skeleton: 256 bones, must be 1 to 255, in init, frame 0");
    world_close(&w);
}

TEST(inverse_binds_are_turned_from_columns_to_rows)
{
    world    w;
    uint32_t bones;
    world_open(&w, EMBER_SQUEEZE_RAW);
    const ember_mat34 *binds = ember_console_inverse_binds(w.h.c, 0, &bones);
    static const float second[12] = {1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0};
    assert_int_equal(bones, 2);
    assert_memory_equal(binds[1].m, second, sizeof(second));
    assert_int_equal(ember_console_skeleton_count(w.h.c), 2);
    world_close(&w);
}
