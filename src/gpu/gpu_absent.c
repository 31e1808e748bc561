/* SPDX-License-Identifier: MIT */
/* The renderer of a build without EGL or GLES: it says so. */
#include "ember/renderer.h"
#include "gpu/sorting.h"

bool ember_renderer_is_there(void) { return false; }

ember_status ember_renderer_create(ember_renderer **out, const ember_renderer_options *options,
                                   ember_error *err)
{
    (void)options;
    *out = NULL;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                      "this build cannot draw: EGL and GLES were not there when it was made (on Debian: "
                      "apt-get install libegl-dev libgles-dev libgl1-mesa-dri, then build again)");
}

/* Nobody has a renderer to call these with. */
static ember_status absent(ember_error *err)
{
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, "this build cannot draw");
}

void ember_renderer_destroy(ember_renderer *renderer) { (void)renderer; }

ember_status ember_renderer_resize(ember_renderer *renderer, uint32_t width, uint32_t height,
                                   ember_error *err)
{
    (void)renderer, (void)width, (void)height;
    return absent(err);
}

ember_status ember_renderer_add_mesh(ember_renderer *renderer, const ember_mesh *mesh, uint32_t *number,
                                     ember_error *err)
{
    (void)renderer, (void)mesh, (void)number;
    return absent(err);
}

ember_status ember_renderer_add_skeleton(ember_renderer *renderer, const ember_mat34 *inverse_binds,
                                         uint32_t bone_count, uint32_t *number, ember_error *err)
{
    (void)renderer, (void)inverse_binds, (void)bone_count, (void)number;
    return absent(err);
}

ember_status ember_renderer_add_texture(ember_renderer *renderer, const uint8_t *rgba, uint32_t width,
                                        uint32_t height, uint32_t *number, ember_error *err)
{
    (void)renderer, (void)rgba, (void)width, (void)height, (void)number;
    return absent(err);
}

ember_status ember_renderer_use_texture(ember_renderer *renderer, uint32_t mesh, uint32_t texture,
                                        ember_error *err)
{
    (void)renderer, (void)mesh, (void)texture;
    return absent(err);
}

void ember_renderer_show(ember_renderer *renderer, ember_show show) { (void)renderer, (void)show; }

void ember_renderer_light(ember_renderer *renderer, ember_vec3 towards) { (void)renderer, (void)towards; }

ember_status ember_renderer_draw(ember_renderer *renderer, const ember_draw_list *list, ember_error *err)
{
    (void)renderer, (void)list;
    return absent(err);
}

ember_status ember_renderer_read(ember_renderer *renderer, uint8_t *out, size_t out_size)
{
    (void)renderer, (void)out, (void)out_size;
    return EMBER_E_UNSUPPORTED;
}

ember_status ember_renderer_present(ember_renderer *renderer, uint32_t drawable_width,
                                    uint32_t drawable_height)
{
    (void)renderer, (void)drawable_width, (void)drawable_height;
    return EMBER_E_UNSUPPORTED;
}

void ember_renderer_clear(ember_renderer *renderer) { (void)renderer; }

ember_status ember_renderer_overlay(ember_renderer *renderer, const uint8_t *rgba, uint32_t width,
                                    uint32_t height, ember_error *err)
{
    (void)renderer, (void)rgba, (void)width, (void)height;
    return absent(err);
}

ember_renderer_stats ember_renderer_last(const ember_renderer *renderer)
{
    (void)renderer;
    return (ember_renderer_stats){.draws = 0};
}

ember_status emberi_batches_make(ember_renderer *renderer, const ember_draw_list *list, ember_error *err)
{
    (void)renderer, (void)list;
    return absent(err);
}
