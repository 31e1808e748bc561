/* SPDX-License-Identifier: MIT */
/* The console's screen. */
#include "verbs/run/screen.h"

#include <string.h>

#include "scene/canvas.h"

bool screen_open(screen *s, uint32_t width, uint32_t height, bool headless, app_say *say, ember_error *err)
{
    ember_renderer_options options = {.allocator = ember_heap(),
                                      .width = width,
                                      .height = height,
                                      .headless = headless};
    memset(s, 0, sizeof(*s));
    s->say = say;
    return ember_renderer_create(&s->renderer, &options, err) == EMBER_OK;
}

void screen_close(screen *s)
{
    ember_renderer_destroy(s->renderer);
    textures_free(&s->textures);
    memset(s, 0, sizeof(*s));
}

static bool screen_send_mesh(screen *s, const ember_console *console, ember_error *err)
{
    size_t            size = 0;
    uint32_t          number;
    const ember_mesh *mesh = ember_console_mesh(console, s->meshes);
    const uint8_t    *image = ember_console_mesh_texture(console, s->meshes, &size);
    ember_error       odd = EMBER_ERROR_INIT;
    if (mesh == NULL || ember_renderer_add_mesh(s->renderer, mesh, &number, err) != EMBER_OK)
        return false;
    if (image != NULL && mesh->uvs != NULL &&
        !textures_use(&s->textures, s->renderer, number, image, size, &odd))
        say_warning(s->say, (place){NULL, NULL, NULL}, "the texture of mesh %u is not shown: %s",
                    (unsigned)s->meshes, odd.text);
    return true;
}

static bool screen_send(screen *s, const ember_console *console, ember_error *err)
{
    uint32_t number, bones = 0;
    for (; s->meshes < ember_console_mesh_count(console); s->meshes++)
        if (!screen_send_mesh(s, console, err))
            return false;
    for (; s->skeletons < ember_console_skeleton_count(console); s->skeletons++) {
        const ember_mat34 *binds = ember_console_inverse_binds(console, s->skeletons, &bones);
        if (ember_renderer_add_skeleton(s->renderer, binds, binds != NULL ? bones : 0, &number, err) !=
            EMBER_OK)
            return false;
    }
    return true;
}

bool screen_show(screen *s, const ember_console *console, ember_error *err)
{
    return screen_send(s, console, err) &&
           ember_renderer_draw(s->renderer, ember_console_draws(console), err) == EMBER_OK;
}

bool screen_picture(screen *s, uint32_t width, uint32_t height, ember_image *out, ember_error *err)
{
    *out = canvas_make(width, height, 0);
    if (ember_renderer_read(s->renderer, out->pixels, (size_t)width * height * 4) == EMBER_OK)
        return true;
    ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
               "the picture cannot be read from the graphics driver");
    return false;
}

bool screen_save(screen *s, uint32_t width, uint32_t height, const char *path, ember_error *err)
{
    ember_image  image;
    ember_buffer bytes = {.allocator = ember_heap()};
    bool         done = screen_picture(s, width, height, &image, err) &&
                ember_png_write(&bytes, &image, err) == EMBER_OK &&
                ember_file_write(path, bytes.data, bytes.size, err) == EMBER_OK;
    canvas_free(&image);
    ember_buffer_free(&bytes);
    return done;
}

void screen_fit(uint32_t *width, uint32_t *height)
{
    uint32_t wide = (uint32_t)((float)*height * EMBER_CONSOLE_ASPECT + 0.5f),
             high = (uint32_t)((float)*width / EMBER_CONSOLE_ASPECT + 0.5f);
    if (wide < *width)
        *width = wide > 0 ? wide : 1;
    else if (high < *height)
        *height = high > 0 ? high : 1;
}
