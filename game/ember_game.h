/* SPDX-License-Identifier: MIT */
/* What a game calls. One header for both kinds of games: compiled for wasm32 the functions are imports from
   "env"; compiled natively, with libember beside it, the same source is linked into the program that runs it.
   C11 and C++17; needs no other header and no libc.

       #include "ember_game.h"

       static struct {
           uint32_t mesh, skeleton, walk;
       } game;

       GAME_EXPORT(init)
       {
           game.mesh = rom_mesh(GAME_ID("player"));
           game.skeleton = rom_skeleton(GAME_ID("player"));
           game.walk = rom_keyframes(GAME_ID("walk"));
       }

       GAME_EXPORT(render)
       {
           skeleton_bind(game.skeleton);
           keyframe_bind(game.walk, game_frame() / 2 % keyframes_frame_count(game.walk));
           draw_mesh(game.mesh);
       }

       GAME(game, init, NULL, render)

   A wrong argument ends the game with a message; docs/console-api.md says which. Matrices are columns, as
   OpenGL has them; rotations are quaternions x, y, z, w; angles are degrees; y is up. */
#ifndef EMBER_GAME_H
#define EMBER_GAME_H

#include <stddef.h>
#include <stdint.h>

#if defined(__wasm__)
#define EMBER_GAME_CALL(name) __attribute__((import_module("env"), import_name(#name)))
/* An export of the game: init, update or render. */
#define GAME_EXPORT(name)                                \
    __attribute__((export_name(#name))) void name(void); \
    void                                     name(void)
/* All of the game's state, and its exports (NULL where it has none): natively this is what snapshots hold.
   Nothing to do on wasm32, where all memory is the state. */
#define GAME(state, init, update, render) typedef char game_state_bytes[sizeof(state)];
#else
#include <ember/machine.h>
/* The symbol is another one than the name, so that games may have `log` and the like for themselves. */
#define EMBER_GAME_CALL(name) __asm__("ember_game_" #name)
#define GAME_EXPORT(name) static void name(void)
/* Natively a game is the constant ember_game_NAME, by -DEMBER_GAME_NAME=NAME, for
   ember_machine_load_native. */
#ifndef EMBER_GAME_NAME
#define EMBER_GAME_NAME game
#endif
#define EMBER_GAME_JOIN_(a, b) a##b
#define EMBER_GAME_JOIN(a, b) EMBER_GAME_JOIN_(a, b)
#ifdef __cplusplus
#define EMBER_GAME_EXTERN extern "C"
#else
#define EMBER_GAME_EXTERN extern
#endif
#define GAME(state, init, update, render)                                                                    \
    EMBER_GAME_EXTERN const ember_native_game EMBER_GAME_JOIN(ember_game_, EMBER_GAME_NAME);                 \
    const ember_native_game EMBER_GAME_JOIN(ember_game_, EMBER_GAME_NAME) = {init, update, render, &(state), \
                                                                             (uint32_t)sizeof(state)};
#endif

/* A literal and its length: rom_mesh(GAME_ID("player")). */
#define GAME_ID(text) (text), (uint32_t)(sizeof(text) - 1)

#ifdef __cplusplus
extern "C" {
#endif

/* Where a bone is: 40 bytes. */
typedef struct bone_transform {
    float rotation[4], position[3], scale[3];
} bone_transform;

/* What clip_info fills in. */
typedef struct clip_information {
    uint16_t bone_count, frame_count;
    float    fps;
    uint32_t flags; /* 1: has scale, 2: loops */
} clip_information;

/* ---- keyframes. Loading, here and below, is for init() alone ---- */

uint32_t keyframes_load(const void *data, uint32_t size) EMBER_GAME_CALL(keyframes_load); /* an .ewzanim */
uint32_t rom_keyframes(const char *id, uint32_t id_size) EMBER_GAME_CALL(rom_keyframes);
uint32_t keyframes_bone_count(uint32_t clip) EMBER_GAME_CALL(keyframes_bone_count);
uint32_t keyframes_frame_count(uint32_t clip) EMBER_GAME_CALL(keyframes_frame_count);
float    keyframes_fps(uint32_t clip) EMBER_GAME_CALL(keyframes_fps); /* 30 where the clip does not say */
uint32_t keyframes_loop(uint32_t clip) EMBER_GAME_CALL(keyframes_loop);
uint32_t keyframes_marker_count(uint32_t clip) EMBER_GAME_CALL(keyframes_marker_count);
/* Its frame; the name with its end into name_size bytes. */
uint32_t keyframes_marker(uint32_t clip, uint32_t index, char *name, uint32_t name_size)
    EMBER_GAME_CALL(keyframes_marker);
uint32_t bone_index(uint32_t clip, const char *name, uint32_t name_size)
    EMBER_GAME_CALL(bone_index); /* UINT32_MAX: there is none */

void keyframe_bind(uint32_t clip, uint32_t frame) EMBER_GAME_CALL(keyframe_bind);
void keyframe_read(uint32_t clip, uint32_t frame, bone_transform *out) EMBER_GAME_CALL(keyframe_read);
/* Between two frames; looping clips go round, others hold their ends. */
void keyframe_sample(uint32_t clip, float frame, bone_transform *out) EMBER_GAME_CALL(keyframe_sample);

/* ---- bones: 12 floats each in columns, or 16. They last until the frame ends ---- */

void set_bones(const float *matrices, uint32_t count) EMBER_GAME_CALL(set_bones);
void set_bones_4x4(const float *matrices, uint32_t count) EMBER_GAME_CALL(set_bones_4x4);
/* 12 floats each in rows: what the first draft calls set_bones. */
void set_bones_rows(const float *matrices, uint32_t count) EMBER_GAME_CALL(set_bones_rows);
void pose_blend(bone_transform *out, const bone_transform *a, const bone_transform *b, float t,
                uint32_t count) EMBER_GAME_CALL(pose_blend);
/* A local pose to matrices for set_bones, by the skeleton's parents. */
void pose_compose(float *out_matrices, const bone_transform *pose, uint32_t count, uint32_t skeleton)
    EMBER_GAME_CALL(pose_compose);

/* ---- skeletons and meshes ---- */

/* 12 floats each */
uint32_t load_skeleton(const float *inverse_binds, uint32_t count) EMBER_GAME_CALL(load_skeleton);
uint32_t rom_skeleton(const char *id, uint32_t id_size) EMBER_GAME_CALL(rom_skeleton);
void     skeleton_bind(uint32_t skeleton) EMBER_GAME_CALL(skeleton_bind); /* 0: none */

/* A vertex's parts, in this order behind its position: 3 floats, then uv 2, colour 3, normal 3, tangent 4,
   joints 4 bytes and weights 4 floats. Packed: 8 bytes, then 4, 4, 4, 4, 8. */
enum { MESH_UV = 1, MESH_COLOR = 2, MESH_NORMAL = 4, MESH_SKINNED = 8, MESH_TANGENT = 16 };
uint32_t load_mesh(const void *vertices, uint32_t vertex_count, uint32_t format) EMBER_GAME_CALL(load_mesh);
uint32_t load_mesh_packed(const void *vertices, uint32_t vertex_count, uint32_t format)
    EMBER_GAME_CALL(load_mesh_packed);
uint32_t load_mesh_indexed(const void *vertices, uint32_t vertex_count, const uint16_t *indices,
                           uint32_t index_count, uint32_t format) EMBER_GAME_CALL(load_mesh_indexed);
uint32_t load_mesh_indexed_packed(const void *vertices, uint32_t vertex_count, const uint16_t *indices,
                                  uint32_t index_count, uint32_t format)
    EMBER_GAME_CALL(load_mesh_indexed_packed);
/* One mesh, or all of a file's by the file's id: draw_mesh draws them together. */
uint32_t rom_mesh(const char *id, uint32_t id_size) EMBER_GAME_CALL(rom_mesh);
void     draw_mesh(uint32_t mesh) EMBER_GAME_CALL(draw_mesh); /* in render() alone */

/* ---- the draft's clips, whose frames wrap, and data of the game's own ---- */

uint32_t load_clip(const void *data, uint32_t size) EMBER_GAME_CALL(load_clip); /* an .eza */
void     clip_info(uint32_t clip, clip_information *out) EMBER_GAME_CALL(clip_info);
void     unload_clip(uint32_t clip) EMBER_GAME_CALL(unload_clip);
void     set_bones_from_clip(uint32_t clip, uint32_t frame) EMBER_GAME_CALL(set_bones_from_clip);
/* These two copy records as they are stored. */
void     read_frame(uint32_t clip, uint32_t frame, void *out) EMBER_GAME_CALL(read_frame);
void     read_frames(uint32_t clip, uint32_t first, uint32_t count, void *out) EMBER_GAME_CALL(read_frames);
/* A chunk_size of 0 makes one chunk. */
uint32_t load_data(const void *data, uint32_t size, uint32_t chunk_size) EMBER_GAME_CALL(load_data);
void     read_data(uint32_t data, uint32_t index, void *out) EMBER_GAME_CALL(read_data);
void     unload_data(uint32_t data) EMBER_GAME_CALL(unload_data);
/* Returns the number of bytes copied. */
uint32_t rom_data(const char *id, uint32_t id_size, void *out, uint32_t out_size) EMBER_GAME_CALL(rom_data);
uint32_t rom_data_len(const char *id, uint32_t id_size) EMBER_GAME_CALL(rom_data_len);

/* ---- single bones and transforms by parts: 3 floats of position, 4 of rotation, 3 of scale ---- */

/* Sets the bone that the next mesh follows, if it is not skinned. */
void bone_bind(uint32_t bone) EMBER_GAME_CALL(bone_bind);
void bone_set_trs(uint32_t bone, const float *position, const float *rotation, const float *scale)
    EMBER_GAME_CALL(bone_set_trs); /* model space, until the next bind */
void bone_get_world_trs(uint32_t bone, float *position, float *rotation, float *scale)
    EMBER_GAME_CALL(bone_get_world_trs);
void transform_set_trs(const float *position, const float *rotation, const float *scale)
    EMBER_GAME_CALL(transform_set_trs);
void push_trs(const float *position, const float *rotation, const float *scale)
    EMBER_GAME_CALL(push_trs); /* undone by transform_pop */
void apply_trs(const float *position, const float *rotation, const float *scale) EMBER_GAME_CALL(apply_trs);
void transform_pop(void) EMBER_GAME_CALL(transform_pop);
void trs_lerp(const float *a_position, const float *a_rotation, const float *a_scale, const float *b_position,
              const float *b_rotation, const float *b_scale, float t, float *position, float *rotation,
              float *scale) EMBER_GAME_CALL(trs_lerp);

/* ---- the current transform ---- */

/* It is identity at the start of every call. All of these but the first two multiply it. */

void transform_set(const float *matrix) EMBER_GAME_CALL(transform_set); /* 16 floats */
void push_identity(void) EMBER_GAME_CALL(push_identity);
void push_translate(float x, float y, float z) EMBER_GAME_CALL(push_translate);
void push_rotate_x(float degrees) EMBER_GAME_CALL(push_rotate_x);
void push_rotate_y(float degrees) EMBER_GAME_CALL(push_rotate_y);
void push_rotate_z(float degrees) EMBER_GAME_CALL(push_rotate_z);
void push_rotate(float degrees, float x, float y, float z) EMBER_GAME_CALL(push_rotate);
void push_scale(float x, float y, float z) EMBER_GAME_CALL(push_scale);
void push_scale_uniform(float s) EMBER_GAME_CALL(push_scale_uniform);

/* ---- the camera and colours, 0xRRGGBBAA ---- */

void view_set(const float *matrix) EMBER_GAME_CALL(view_set);             /* 16 floats, world to camera */
void projection_set(const float *matrix) EMBER_GAME_CALL(projection_set); /* 16 floats, OpenGL's clip space */
void projection_perspective(float fov_degrees, float near_z, float far_z)
    EMBER_GAME_CALL(projection_perspective);
/* Multiplies the colours of the next meshes; white at the start of every call. */
void set_color(uint32_t rgba) EMBER_GAME_CALL(set_color);
void clear_color(uint32_t rgba) EMBER_GAME_CALL(clear_color);

/* ---- the rest of the machine ---- */

/* The console calls three of these `log`, `random` and `frame`; the names here are free in C. */

float    delta_time(void) EMBER_GAME_CALL(delta_time);     /* seconds between two updates */
float    elapsed_time(void) EMBER_GAME_CALL(elapsed_time); /* seconds of all updates */
uint32_t game_frame(void) EMBER_GAME_CALL(frame);          /* updates so far; 0 in init() */
uint64_t tick_count(void) EMBER_GAME_CALL(tick_count);     /* the same in 64 bits */
uint32_t game_random(void) EMBER_GAME_CALL(random);
void     game_log(const char *text, uint32_t size) EMBER_GAME_CALL(log);
uint32_t input_held(uint32_t player) EMBER_GAME_CALL(input_held); /* a sum of these; players 0 to 3 */
enum {
    BUTTON_UP = 1 << 0,
    BUTTON_DOWN = 1 << 1,
    BUTTON_LEFT = 1 << 2,
    BUTTON_RIGHT = 1 << 3,
    BUTTON_A = 1 << 4,
    BUTTON_B = 1 << 5,
    BUTTON_X = 1 << 6,
    BUTTON_Y = 1 << 7,
    BUTTON_L1 = 1 << 8,
    BUTTON_R1 = 1 << 9,
    BUTTON_L3 = 1 << 10,
    BUTTON_R3 = 1 << 11,
    BUTTON_START = 1 << 12,
    BUTTON_SELECT = 1 << 13
};

#ifdef __cplusplus
}
#endif

/* One instruction everywhere, correctly rounded. */
static inline float game_sqrt(float x) { return __builtin_sqrtf(x); }

#endif
