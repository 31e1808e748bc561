/* SPDX-License-Identifier: MIT */
/* The renderer: shows draw lists by GLES 3.0, in a window's context or without a display. The bones of a
   list are sent with it, into one texture with three texels a bone, so that a pose is an offset. It trusts
   the draw list's numbers as little as the console trusts the game's. One renderer may be used by one
   thread at a time. */
#ifndef EMBER_RENDERER_H
#define EMBER_RENDERER_H

#include "base.h"
#include "draw.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ember_renderer ember_renderer;

typedef struct ember_renderer_options {
    ember_allocator allocator;
    uint32_t        width, height;
    uint32_t        samples;  /* of multisampling; 0: 4, 1: none; no more than the driver has */
    bool            headless; /* makes its own context without a display; else the current one is used */
    /* how long a picture may take; 0: 20. Not in a browser, which has a clock of its own */
    double          limit_s;
} ember_renderer_options;

/* True where this build has a renderer; where not, ember_renderer_create says what to install. */
bool ember_renderer_is_there(void);

/* EMBER_E_UNSUPPORTED with one line that says what to install where there is no EGL, no GLES 3.0
   or no driver. */
ember_status ember_renderer_create(ember_renderer **out, const ember_renderer_options *options,
                                   ember_error *err);
void         ember_renderer_destroy(ember_renderer *renderer); /* NULL is fine */
ember_status ember_renderer_resize(ember_renderer *renderer, uint32_t width, uint32_t height,
                                   ember_error *err);

/* Forgets all meshes, skeletons and textures, whose numbers begin at 0 again; the context, the shaders
   and the picture stay, which take longest to make. */
void ember_renderer_clear(ember_renderer *renderer);

/* Each adds one and gives its number, from 0 in the order of the calls: the draw list's. The data is copied.
   A mesh is drawn with its base colour and vertex
   colours; vertices whose normal is zero are not lit. A mesh without normals is lit by its faces. */
ember_status ember_renderer_add_mesh(ember_renderer *renderer, const ember_mesh *mesh, uint32_t *number,
                                     ember_error *err);
ember_status ember_renderer_add_skeleton(ember_renderer *renderer, const ember_mat34 *inverse_binds,
                                         uint32_t bone_count, uint32_t *number, ember_error *err);

/* An image of width * height RGBA bytes, sRGB, the top row first; alpha does not count. Larger than the
   driver takes is EMBER_E_LIMIT. */
ember_status ember_renderer_add_texture(ember_renderer *renderer, const uint8_t *rgba, uint32_t width,
                                        uint32_t height, uint32_t *number, ember_error *err);
/* The base colour of the mesh; several meshes may share one. EMBER_E_ARG for numbers that were
   not given out. */
ember_status ember_renderer_use_texture(ember_renderer *renderer, uint32_t mesh, uint32_t texture,
                                        ember_error *err);

typedef enum ember_show {
    EMBER_SHOW_LIT = 0,
    EMBER_SHOW_FLAT, /* colours as they are, without light */
    /* world-space directions as colours: (n + 1) / 2 in the bytes that are read; grey where there are none */
    EMBER_SHOW_NORMALS,
    EMBER_SHOW_TANGENTS,
    EMBER_SHOW_COUNT
} ember_show;
void ember_renderer_show(ember_renderer *renderer, ember_show show);

/* Where the key light comes from, in world space; need not be of unit length. */
void ember_renderer_light(ember_renderer *renderer, ember_vec3 towards);

/* Draws to its own picture. EMBER_E_LIMIT where that takes too long: a few hundred bytes can name a picture's
   worth of triangles a million times. EMBER_E_RANGE, and nothing drawn, where a draw names a mesh,
   skeleton or bones that are not there. Opaque draws are sorted by state and instanced; of those with
   an alpha below 255 the nearest surface is shown, blended over what is behind. */
ember_status ember_renderer_draw(ember_renderer *renderer, const ember_draw_list *list, ember_error *err);

/* width * height RGBA bytes, sRGB, the top row first. EMBER_E_SPACE where out_size is less. */
ember_status ember_renderer_read(ember_renderer *renderer, uint8_t *out, size_t out_size);

/* The last picture to the current context's own framebuffer (a window's, a canvas'), with the overlay on top;
   drawable_* are its size in pixels. The picture keeps its shape. */
ember_status ember_renderer_present(ember_renderer *renderer, uint32_t drawable_width,
                                    uint32_t drawable_height);
/* Pixels shown in the upper left corner of what is presented, unscaled; RGBA with alpha
   counting. NULL: none. */
ember_status ember_renderer_overlay(ember_renderer *renderer, const uint8_t *rgba, uint32_t width,
                                    uint32_t height, ember_error *err);

typedef struct ember_renderer_stats {
    uint32_t draws, calls, instances;
    /* bones: matrices that came with the list. texture_bytes: of all matrices on the GPU */
    uint64_t triangles, bones, texture_bytes;
} ember_renderer_stats;
ember_renderer_stats ember_renderer_last(const ember_renderer *renderer); /* of the last draw */

#ifdef __cplusplus
}
#endif
#endif
