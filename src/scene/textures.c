/* SPDX-License-Identifier: MIT */
/* Image files as textures. The images come from files and may be anything; what cannot be read is an error of
   that mesh alone. */
#include "scene/textures.h"

#include <stdlib.h>
#include <string.h>

#include "ember/image.h"
#include "scene/program.h"

bool textures_use(textures *t, ember_renderer *renderer, uint32_t mesh, const uint8_t *image, size_t size,
                  ember_error *err)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->known[i].size == size &&
            (t->known[i].data == image || memcmp(t->known[i].data, image, size) == 0))
            return ember_renderer_use_texture(renderer, mesh, t->known[i].number, err) == EMBER_OK;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_image decoded;
    uint32_t    number = 0;
    bool        done = ember_image_read(&decoded, image, size, &arena, err) == EMBER_OK &&
                ember_renderer_add_texture(renderer, decoded.pixels, decoded.width, decoded.height, &number,
                                           err) == EMBER_OK;
    ember_arena_free(&arena);
    if (!done)
        return false;
    t->known = must_grow(t->known, t->count, sizeof(*t->known));
    t->known[t->count++] = (known_texture){image, size, number};
    return ember_renderer_use_texture(renderer, mesh, number, err) == EMBER_OK;
}

void textures_free(textures *t)
{
    free(t->known);
    memset(t, 0, sizeof(*t));
}
