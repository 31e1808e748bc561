/* SPDX-License-Identifier: MIT */
/* What the files of the renderer share. GL is called through GLES3/gl3.h alone: a driver asked for ES 3.0
   gives more, so only the header keeps later functions out, which a browser's WebGL 2 does not have. */
#ifndef EMBER_GPU_GPU_H
#define EMBER_GPU_GPU_H

#include <GLES3/gl3.h>

#include "ember/renderer.h"
#include "gpu/sorting.h"

/* ---- the context: gpu_egl.c ---- */

typedef struct emberi_context {
    void *display, *context; /* EGL's */
} emberi_context;

ember_status emberi_context_open(emberi_context *context, ember_error *err);
void         emberi_context_use(const emberi_context *context);
void         emberi_context_close(emberi_context *context);

/* ---- matrices in a texture that grows by rows: gpu_pool.c ---- */

#define EMBERI_POOL_ROW 512u /* bones in a row; 1536 texels, which every GLES 3.0 has */

typedef struct emberi_pool {
    GLuint       texture;
    uint32_t     rows;      /* of the texture */
    uint32_t     most_rows; /* the driver's limit */
    uint32_t     count;     /* bones in use */
    /* of all of them: a texture cannot be copied without an extension, so growing uploads it again */
    ember_mat34 *copy;
    uint32_t     copy_count; /* room */
} emberi_pool;

bool         emberi_pool_open(emberi_pool *pool);
void         emberi_pool_close(emberi_pool *pool, ember_allocator allocator);
/* Appends and gives the first one's number. */
ember_status emberi_pool_add(emberi_pool *pool, ember_allocator allocator, const ember_mat34 *matrices,
                             uint32_t count, uint32_t *first, ember_error *err);
/* In place of all that was there; no copy is kept. */
ember_status emberi_pool_replace(emberi_pool *pool, const ember_mat34 *matrices, uint32_t count,
                                 ember_error *err);
size_t       emberi_pool_bytes(const emberi_pool *pool);

/* ---- the program: gpu_program.c ---- */

enum {
    EMBERI_AT_POSITION = 0,
    EMBERI_AT_NORMAL,
    EMBERI_AT_TANGENT,
    EMBERI_AT_UV,
    EMBERI_AT_COLOR,
    EMBERI_AT_JOINTS,
    EMBERI_AT_WEIGHTS,
    EMBERI_AT_ROW0, /* from here on one value per instance */
    EMBERI_AT_ROW1,
    EMBERI_AT_ROW2,
    EMBERI_AT_TINT,
    EMBERI_AT_POSE,
    EMBERI_AT_BONE
};

enum { EMBERI_UNIT_POSES = 0, EMBERI_UNIT_BINDS, EMBERI_UNIT_COLOR };

typedef struct emberi_program {
    GLuint program;
    GLint  view_projection, branch, base_color, textured, has_normals, show, light, eye;
} emberi_program;

ember_status emberi_program_open(emberi_program *program, ember_error *err);
ember_status emberi_program_build(GLuint *out, const char *vertex, const char *fragment, ember_error *err);

/* ---- meshes: gpu_mesh.c ---- */

typedef struct emberi_gpu_mesh {
    GLuint   array, vertices, indices;
    uint32_t index_count;
    bool     has_normals, has_joints;
    float    base_color[4];
    GLuint   texture; /* 0: none; owned by the renderer's list */
} emberi_gpu_mesh;

ember_status emberi_gpu_mesh_open(emberi_gpu_mesh *out, const ember_mesh *mesh, ember_allocator allocator,
                                  ember_error *err);
void         emberi_gpu_mesh_close(emberi_gpu_mesh *mesh);

/* ---- the picture: gpu_target.c ---- */

typedef struct emberi_target {
    uint32_t width, height, samples;
    GLuint   draw_frame, color, depth; /* multisampled */
    GLuint   read_frame, picture;      /* resolved */
    GLuint   present_program, empty_array, overlay;
    GLint    at_encode;
    uint32_t overlay_width, overlay_height;
} emberi_target;

ember_status emberi_target_open(emberi_target *target, uint32_t width, uint32_t height, uint32_t samples,
                                ember_error *err);
void         emberi_target_close(emberi_target *target);
/* What does not depend on the size goes over to the new one. */
void         emberi_target_keep(emberi_target *target, emberi_target *from);
void         emberi_target_begin(const emberi_target *target, uint32_t clear_color);
void         emberi_target_resolve(const emberi_target *target);
ember_status emberi_target_overlay(emberi_target *target, const uint8_t *rgba, uint32_t width,
                                   uint32_t height);
ember_status emberi_target_present(emberi_target *target, uint32_t width, uint32_t height, ember_error *err);

/* ---- draws to instances: gpu_batch.c ---- */

/* As the vertex shader gets it. */
typedef struct emberi_instance {
    float    rows[12];
    float    color[4]; /* linear */
    uint32_t pose_first, pose_count, bind_first, bind_count;
    uint32_t bone;
} emberi_instance;

#define EMBERI_NOT_BOUND UINT32_MAX /* bind_count where no skeleton is bound */

typedef struct emberi_batch {
    uint32_t          mesh;
    ember_draw_branch branch;
    bool              blended;
    uint32_t          first, count; /* instances */
} emberi_batch;

typedef struct emberi_span {
    uint32_t first, bone_count; /* in a pool */
} emberi_span;

/* ---- portions ---- */

/* How much is handed to the driver before it has to be done: a software driver keeps all of it in memory, and
   nothing ends what it was given. */
typedef struct emberi_portion {
    double   limit_s, start_s, last_s; /* the last time it was done */
    uint32_t size, given;              /* triangles: of a portion, and since then */
} emberi_portion;

void emberi_portion_begin(emberi_portion *portion);
/* After so many triangles were given. False once the picture has taken too long. */
bool emberi_portion_give(emberi_portion *portion, uint32_t triangles);

/* ---- the renderer ---- */

struct ember_renderer {
    ember_allocator      allocator;
    emberi_context       context;
    bool                 headless;
    emberi_target        target;
    emberi_program       program;
    emberi_pool          binds_pool, frame_pool;
    GLuint               instance_buffer;
    emberi_gpu_mesh     *meshes;
    emberi_span         *skeletons;
    GLuint              *textures;
    uint32_t             mesh_count, mesh_room, skeleton_count, skeleton_room, texture_count, texture_room;
    emberi_instance     *instances;
    emberi_batch        *batches;
    uint32_t            *buckets;
    uint32_t             instance_room, batch_room, batch_count, bucket_room;
    ember_show           show;
    ember_vec3           light;
    ember_renderer_stats stats;
    emberi_portion       portion;
    float                linear[256]; /* of an sRGB byte */
};

/* Room for `count` elements of `size` bytes: false where there is no memory. */
bool emberi_gpu_reserve(ember_allocator allocator, void **memory, uint32_t *room, uint32_t count,
                        size_t size);

ember_status emberi_gpu_fail(ember_error *err, ember_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The sRGB byte's light, 0..1. */
float emberi_linear_of(uint32_t byte);

#endif
