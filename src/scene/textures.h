/* SPDX-License-Identifier: MIT */
/* Image files as textures of meshes; the same image is decoded and sent once. */
#ifndef EMBER_SCENE_TEXTURES_H
#define EMBER_SCENE_TEXTURES_H

#include "ember/renderer.h"

typedef struct known_texture {
    const uint8_t *data; /* must stay */
    size_t         size;
    uint32_t       number;
} known_texture;

typedef struct textures {
    known_texture *known;
    size_t         count;
} textures;

/* Makes the image the base colour of the renderer's mesh. False with the reason in *err: the mesh is as it
   was then. */
bool textures_use(textures *t, ember_renderer *renderer, uint32_t mesh, const uint8_t *image, size_t size,
                  ember_error *err);
void textures_free(textures *t);

#endif
