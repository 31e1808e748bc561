/* SPDX-License-Identifier: MIT */
/* The functions of game/ember_game.h, natively: what pointers point to is copied into the machine's guest
   memory, the console's function is called with addresses there, and what it wrote is copied back. What does
   not fit gets an address at which the console traps, as it does for a WASM game. */
#include <string.h>

#include "../game/ember_game.h"
#include "console/host.h"
#include "engine/linked/linked.h"
#include "format/mesh/ewzmesh.h"

typedef struct glue {
    ember_console *c;
    uint8_t       *memory;
    uint32_t       used; /* never 0: that is the null pointer */
} glue;

static glue glue_begin(void)
{
    linked_machine *linked = emberi_linked_running();
    return (glue){linked->machine.console, linked->memory, 16};
}

static ember_console *glue_console(void) { return emberi_linked_running()->machine.console; }

/* Room that the console will fill; 0 for NULL, the memory's end where there is none. */
static uint32_t glue_out(glue *g, const void *pointer, uint64_t size)
{
    uint32_t at = g->used;
    if (pointer == NULL)
        return 0;
    if (size > EMBER_CONSOLE_MEMORY - at)
        return EMBER_CONSOLE_MEMORY;
    uint64_t next = at + ((size + 15) & ~(uint64_t)15);
    g->used = next < EMBER_CONSOLE_MEMORY ? (uint32_t)next : EMBER_CONSOLE_MEMORY;
    return at;
}

static uint32_t glue_in(glue *g, const void *pointer, uint64_t size)
{
    uint32_t at = glue_out(g, pointer, size);
    if (pointer != NULL && at != EMBER_CONSOLE_MEMORY)
        memcpy(g->memory + at, pointer, (size_t)size);
    return at;
}

/* The console has written all of it, or it would have trapped. */
static void glue_back(const glue *g, void *pointer, uint32_t at, uint64_t size)
{
    if (size != 0)
        memcpy(pointer, g->memory + at, (size_t)size);
}

/* Three parts of a transform, in or out. */
typedef struct glue_parts {
    uint32_t position, rotation, scale;
} glue_parts;

static glue_parts glue_in_parts(glue *g, const float *position, const float *rotation, const float *scale)
{
    glue_parts parts;
    parts.position = glue_in(g, position, 12);
    parts.rotation = glue_in(g, rotation, 16);
    parts.scale = glue_in(g, scale, 12);
    return parts;
}

static glue_parts glue_out_parts(glue *g, const float *position, const float *rotation, const float *scale)
{
    glue_parts parts;
    parts.position = glue_out(g, position, 12);
    parts.rotation = glue_out(g, rotation, 16);
    parts.scale = glue_out(g, scale, 12);
    return parts;
}

static void glue_back_parts(const glue *g, const glue_parts *parts, float *position, float *rotation,
                            float *scale)
{
    glue_back(g, position, parts->position, 12);
    glue_back(g, rotation, parts->rotation, 16);
    glue_back(g, scale, parts->scale, 12);
}

/* NULL for what is no clip, or data: the console's function will say so. */
static const host_clip *glue_clip(const glue *g, uint32_t handle)
{
    const host_clip *clips = g->c->clips.items;
    uint32_t         index = emberi_host_index(HOST_CLIP, handle);
    return index < g->c->clips.count ? &clips[index] : NULL;
}

static uint64_t glue_pose_size(const glue *g, uint32_t clip)
{
    const host_clip *k = glue_clip(g, clip);
    return k != NULL ? k->bone_count * sizeof(bone_transform) : 0;
}

static uint64_t glue_records_size(const glue *g, uint32_t clip, uint32_t count)
{
    const host_clip *k = glue_clip(g, clip);
    return k != NULL ? (uint64_t)k->bone_count * k->record_size * count : 0;
}

static uint64_t glue_chunk_size(const glue *g, uint32_t handle, uint32_t index)
{
    const host_data *data = g->c->data.items;
    uint32_t         i = emberi_host_index(HOST_DATA, handle);
    if (i >= g->c->data.count || index >= data[i].chunk_count)
        return 0;
    uint32_t left = data[i].size - index * data[i].chunk_size;
    return left < data[i].chunk_size ? left : data[i].chunk_size;
}

/* ---- functions without pointers ---- */

#define GLUE_PLAIN(result, name, host, parameters, ...) \
    result name parameters { return emberi_host_##host(__VA_ARGS__); }
#define GLUE_PLAIN_VOID(name, parameters, ...) \
    void name parameters { emberi_host_##name(__VA_ARGS__); }

GLUE_PLAIN(uint32_t, keyframes_bone_count, keyframes_bone_count, (uint32_t clip), glue_console(), clip)
GLUE_PLAIN(uint32_t, keyframes_frame_count, keyframes_frame_count, (uint32_t clip), glue_console(), clip)
GLUE_PLAIN(float, keyframes_fps, keyframes_fps, (uint32_t clip), glue_console(), clip)
GLUE_PLAIN(uint32_t, keyframes_loop, keyframes_loop, (uint32_t clip), glue_console(), clip)
GLUE_PLAIN(uint32_t, keyframes_marker_count, keyframes_marker_count, (uint32_t clip), glue_console(), clip)
GLUE_PLAIN(float, delta_time, delta_time, (void), glue_console())
GLUE_PLAIN(float, elapsed_time, elapsed_time, (void), glue_console())
GLUE_PLAIN(uint32_t, game_frame, frame, (void), glue_console())
GLUE_PLAIN(uint64_t, tick_count, tick_count, (void), glue_console())
GLUE_PLAIN(uint32_t, game_random, random, (void), glue_console())
GLUE_PLAIN(uint32_t, input_held, input_held, (uint32_t player), glue_console(), player)
GLUE_PLAIN_VOID(keyframe_bind, (uint32_t clip, uint32_t frame), glue_console(), clip, frame)
GLUE_PLAIN_VOID(skeleton_bind, (uint32_t skeleton), glue_console(), skeleton)
GLUE_PLAIN_VOID(draw_mesh, (uint32_t mesh), glue_console(), mesh)
GLUE_PLAIN_VOID(unload_clip, (uint32_t clip), glue_console(), clip)
GLUE_PLAIN_VOID(set_bones_from_clip, (uint32_t clip, uint32_t frame), glue_console(), clip, frame)
GLUE_PLAIN_VOID(unload_data, (uint32_t data), glue_console(), data)
GLUE_PLAIN_VOID(bone_bind, (uint32_t bone), glue_console(), bone)
GLUE_PLAIN_VOID(transform_pop, (void), glue_console())
GLUE_PLAIN_VOID(push_identity, (void), glue_console())
GLUE_PLAIN_VOID(push_translate, (float x, float y, float z), glue_console(), x, y, z)
GLUE_PLAIN_VOID(push_rotate_x, (float degrees), glue_console(), degrees)
GLUE_PLAIN_VOID(push_rotate_y, (float degrees), glue_console(), degrees)
GLUE_PLAIN_VOID(push_rotate_z, (float degrees), glue_console(), degrees)
GLUE_PLAIN_VOID(push_rotate, (float degrees, float x, float y, float z), glue_console(), degrees, x, y, z)
GLUE_PLAIN_VOID(push_scale, (float x, float y, float z), glue_console(), x, y, z)
GLUE_PLAIN_VOID(push_scale_uniform, (float s), glue_console(), s)
GLUE_PLAIN_VOID(projection_perspective, (float fov_degrees, float near_z, float far_z), glue_console(),
                fov_degrees, near_z, far_z)
GLUE_PLAIN_VOID(set_color, (uint32_t rgba), glue_console(), rgba)
GLUE_PLAIN_VOID(clear_color, (uint32_t rgba), glue_console(), rgba)

/* ---- one block of bytes in ---- */

/* NOLINTBEGIN(bugprone-macro-parentheses): a parameter's name stands in none */
#define GLUE_BYTES(result, name, host, type, data, size) \
    result name(const type *data, uint32_t size)         \
    {                                                    \
        glue     g = glue_begin();                       \
        uint32_t at = glue_in(&g, data, size);           \
        return emberi_host_##host(g.c, at, size);        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

GLUE_BYTES(uint32_t, keyframes_load, keyframes_load, void, data, size)
GLUE_BYTES(uint32_t, load_clip, load_clip, void, data, size)
GLUE_BYTES(uint32_t, rom_keyframes, rom_keyframes, char, id, id_size)
GLUE_BYTES(uint32_t, rom_skeleton, rom_skeleton, char, id, id_size)
GLUE_BYTES(uint32_t, rom_mesh, rom_mesh, char, id, id_size)
GLUE_BYTES(uint32_t, rom_data_len, rom_data_len, char, id, id_size)

void game_log(const char *text, uint32_t size)
{
    glue g = glue_begin();
    emberi_host_log(g.c, glue_in(&g, text, size), size);
}

uint32_t load_data(const void *data, uint32_t size, uint32_t chunk_size)
{
    glue g = glue_begin();
    return emberi_host_load_data(g.c, glue_in(&g, data, size), size, chunk_size);
}

uint32_t bone_index(uint32_t clip, const char *name, uint32_t name_size)
{
    glue g = glue_begin();
    return emberi_host_bone_index(g.c, clip, glue_in(&g, name, name_size), name_size);
}

/* ---- matrices in ---- */

void set_bones(const float *matrices, uint32_t count)
{
    glue g = glue_begin();
    emberi_host_set_bones(g.c, count <= EMBER_MAX_BONES ? glue_in(&g, matrices, (uint64_t)count * 48) : 16,
                          count);
}

void set_bones_4x4(const float *matrices, uint32_t count)
{
    glue g = glue_begin();
    emberi_host_set_bones_4x4(g.c,
                              count <= EMBER_MAX_BONES ? glue_in(&g, matrices, (uint64_t)count * 64) : 16,
                              count);
}

void set_bones_rows(const float *matrices, uint32_t count)
{
    glue g = glue_begin();
    emberi_host_set_bones_rows(g.c,
                               count <= EMBER_MAX_BONES ? glue_in(&g, matrices, (uint64_t)count * 48) : 16,
                               count);
}

uint32_t load_skeleton(const float *inverse_binds, uint32_t count)
{
    glue g = glue_begin();
    return emberi_host_load_skeleton(g.c,
                                     count <= EMBER_MAX_BONES
                                         ? glue_in(&g, inverse_binds, (uint64_t)count * 48)
                                         : 16,
                                     count);
}

#define GLUE_MATRIX(name)                                 \
    void name(const float *matrix)                        \
    {                                                     \
        glue g = glue_begin();                            \
        emberi_host_##name(g.c, glue_in(&g, matrix, 64)); \
    }

GLUE_MATRIX(transform_set)
GLUE_MATRIX(view_set)
GLUE_MATRIX(projection_set)

/* ---- meshes ---- */

/* Beyond the known bits the console traps before it reads a vertex. */
static uint32_t glue_vertices(glue *g, const void *vertices, uint32_t count, uint32_t format, bool packed)
{
    return format <= EWZMESH_ALL
               ? glue_in(g, vertices, (uint64_t)count * emberi_ewzmesh_stride((uint8_t)format, packed))
               : 16;
}

uint32_t load_mesh(const void *vertices, uint32_t vertex_count, uint32_t format)
{
    glue g = glue_begin();
    return emberi_host_load_mesh(g.c, glue_vertices(&g, vertices, vertex_count, format, false), vertex_count,
                                 format);
}

uint32_t load_mesh_packed(const void *vertices, uint32_t vertex_count, uint32_t format)
{
    glue g = glue_begin();
    return emberi_host_load_mesh_packed(g.c, glue_vertices(&g, vertices, vertex_count, format, true),
                                        vertex_count, format);
}

uint32_t load_mesh_indexed(const void *vertices, uint32_t vertex_count, const uint16_t *indices,
                           uint32_t index_count, uint32_t format)
{
    glue     g = glue_begin();
    uint32_t vertices_at = glue_vertices(&g, vertices, vertex_count, format, false);
    uint32_t indices_at = glue_in(&g, indices, (uint64_t)index_count * 2);
    return emberi_host_load_mesh_indexed(g.c, vertices_at, vertex_count, indices_at, index_count, format);
}

uint32_t load_mesh_indexed_packed(const void *vertices, uint32_t vertex_count, const uint16_t *indices,
                                  uint32_t index_count, uint32_t format)
{
    glue     g = glue_begin();
    uint32_t vertices_at = glue_vertices(&g, vertices, vertex_count, format, true);
    uint32_t indices_at = glue_in(&g, indices, (uint64_t)index_count * 2);
    return emberi_host_load_mesh_indexed_packed(g.c, vertices_at, vertex_count, indices_at, index_count,
                                                format);
}

/* ---- bytes out ---- */

void keyframe_read(uint32_t clip, uint32_t frame, bone_transform *out)
{
    glue     g = glue_begin();
    uint64_t size = glue_pose_size(&g, clip);
    uint32_t at = glue_out(&g, out, size);
    emberi_host_keyframe_read(g.c, clip, frame, at);
    glue_back(&g, out, at, size);
}

void keyframe_sample(uint32_t clip, float frame, bone_transform *out)
{
    glue     g = glue_begin();
    uint64_t size = glue_pose_size(&g, clip);
    uint32_t at = glue_out(&g, out, size);
    emberi_host_keyframe_sample(g.c, clip, frame, at);
    glue_back(&g, out, at, size);
}

uint32_t keyframes_marker(uint32_t clip, uint32_t index, char *name, uint32_t name_size)
{
    glue     g = glue_begin();
    uint32_t at = glue_out(&g, name, name_size),
             frame = emberi_host_keyframes_marker(g.c, clip, index, at, name_size);
    glue_back(&g, name, at, name_size);
    return frame;
}

void clip_info(uint32_t clip, clip_information *out)
{
    _Static_assert(sizeof(*out) == 12, "as the draft has it");
    glue     g = glue_begin();
    uint32_t at = glue_out(&g, out, sizeof(*out));
    emberi_host_clip_info(g.c, clip, at);
    glue_back(&g, out, at, sizeof(*out));
}

void read_frame(uint32_t clip, uint32_t frame, void *out)
{
    glue     g = glue_begin();
    uint64_t size = glue_records_size(&g, clip, 1);
    uint32_t at = glue_out(&g, out, size);
    emberi_host_read_frame(g.c, clip, frame, at);
    glue_back(&g, out, at, size);
}

void read_frames(uint32_t clip, uint32_t first, uint32_t count, void *out)
{
    glue     g = glue_begin();
    uint64_t size = glue_records_size(&g, clip, count);
    uint32_t at = glue_out(&g, out, size);
    emberi_host_read_frames(g.c, clip, first, count, at);
    glue_back(&g, out, at, size);
}

void read_data(uint32_t data, uint32_t index, void *out)
{
    glue     g = glue_begin();
    uint64_t size = glue_chunk_size(&g, data, index);
    uint32_t at = glue_out(&g, out, size);
    emberi_host_read_data(g.c, data, index, at);
    glue_back(&g, out, at, size);
}

uint32_t rom_data(const char *id, uint32_t id_size, void *out, uint32_t out_size)
{
    glue     g = glue_begin();
    uint32_t id_at = glue_in(&g, id, id_size), at = glue_out(&g, out, out_size);
    uint32_t size = emberi_host_rom_data(g.c, id_at, id_size, at, out_size);
    glue_back(&g, out, at, size);
    return size;
}

/* ---- poses and parts ---- */

void pose_blend(bone_transform *out, const bone_transform *a, const bone_transform *b, float t,
                uint32_t count)
{
    glue     g = glue_begin();
    uint64_t size = count <= EMBER_MAX_BONES ? count * sizeof(*out) : 0;
    uint32_t a_at = glue_in(&g, a, size), b_at = glue_in(&g, b, size), at = glue_out(&g, out, size);
    emberi_host_pose_blend(g.c, at, a_at, b_at, t, count);
    glue_back(&g, out, at, size);
}

void pose_compose(float *out_matrices, const bone_transform *pose, uint32_t count, uint32_t skeleton)
{
    glue     g = glue_begin();
    uint64_t bones = count <= EMBER_MAX_BONES ? count : 0;
    uint32_t pose_at = glue_in(&g, pose, bones * sizeof(*pose)), at = glue_out(&g, out_matrices, bones * 48);
    emberi_host_pose_compose(g.c, at, pose_at, count, skeleton);
    glue_back(&g, out_matrices, at, bones * 48);
}

#define GLUE_TRS(name)                                                          \
    void name(const float *position, const float *rotation, const float *scale) \
    {                                                                           \
        glue       g = glue_begin();                                            \
        glue_parts p = glue_in_parts(&g, position, rotation, scale);            \
        emberi_host_##name(g.c, p.position, p.rotation, p.scale);               \
    }

GLUE_TRS(transform_set_trs)
GLUE_TRS(push_trs)
GLUE_TRS(apply_trs)

void bone_set_trs(uint32_t bone, const float *position, const float *rotation, const float *scale)
{
    glue       g = glue_begin();
    glue_parts p = glue_in_parts(&g, position, rotation, scale);
    emberi_host_bone_set_trs(g.c, bone, p.position, p.rotation, p.scale);
}

void bone_get_world_trs(uint32_t bone, float *position, float *rotation, float *scale)
{
    glue       g = glue_begin();
    glue_parts p = glue_out_parts(&g, position, rotation, scale);
    emberi_host_bone_get_world_trs(g.c, bone, p.position, p.rotation, p.scale);
    glue_back_parts(&g, &p, position, rotation, scale);
}

void trs_lerp(const float *a_position, const float *a_rotation, const float *a_scale, const float *b_position,
              const float *b_rotation, const float *b_scale, float t, float *position, float *rotation,
              float *scale)
{
    glue       g = glue_begin();
    glue_parts a = glue_in_parts(&g, a_position, a_rotation, a_scale),
               b = glue_in_parts(&g, b_position, b_rotation, b_scale);
    glue_parts p = glue_out_parts(&g, position, rotation, scale);
    emberi_host_trs_lerp(g.c, a.position, a.rotation, a.scale, b.position, b.rotation, b.scale, t, p.position,
                         p.rotation, p.scale);
    glue_back_parts(&g, &p, position, rotation, scale);
}
