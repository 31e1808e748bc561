/* The renderer: shows draw lists by GLES 3.0, in a window's context or without a display. All keyframes of the loaded clips lie in one texture, three texels a bone, so that a
   bind is an offset. It trusts the draw list's numbers as little as the console trusts the game's. */
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
    uint32_t        samples;  /* of multisampling; 0: 4 */
    bool            headless; /* makes its own context without a display; else the current one is used */
} ember_renderer_options;

/* EMBER_E_UNSUPPORTED with one line that says what to install where there is no EGL, no GLES 3.0 or no driver. */
ember_status ember_renderer_create(ember_renderer **out, const ember_renderer_options *options, ember_error *err);
void         ember_renderer_destroy(ember_renderer *renderer);
void         ember_renderer_resize(ember_renderer *renderer, uint32_t width, uint32_t height);

/* Each adds one and gives its number, from 0 in the order of the calls: the draw list's. */
ember_status ember_renderer_add_mesh(ember_renderer *renderer, const ember_mesh *mesh, uint32_t *number, ember_error *err);
ember_status ember_renderer_add_skeleton(ember_renderer *renderer, const ember_mat34 *inverse_binds, uint32_t bone_count, uint32_t *number, ember_error *err);
ember_status ember_renderer_add_clip(ember_renderer *renderer, const ember_mat34 *matrices, uint32_t bone_count, uint32_t frame_count, uint32_t *number, ember_error *err);

/* Draws to the framebuffer of the context (or its own, headless). */
ember_status ember_renderer_draw(ember_renderer *renderer, const ember_draw_list *list, ember_error *err);

/* width * height RGBA bytes, sRGB, the top row first. */
ember_status ember_renderer_read(ember_renderer *renderer, uint8_t *out, size_t out_size);

typedef struct ember_renderer_stats {
    uint32_t draws, calls, instances;
    uint64_t triangles, bones, texture_bytes;
} ember_renderer_stats;
ember_renderer_stats ember_renderer_last(const ember_renderer *renderer); /* of the last draw */

#ifdef __cplusplus
}
#endif
#endif
