/* SPDX-License-Identifier: MIT */
/* In place of what the page has not: files beside a file are those that were handed over with it, contexts
   and decoded images come from the browser. */
#include <stdlib.h>
#include <string.h>

#include "format/ops.h"
#include "gpu/gpu.h"
#include "platform/files.h"
#include "scene/textures.h"
#include "viewer.h"

/* The reader of a glTF document asks for its buffers through emberi_file_read_beside, which has no user
   pointer; the page has one viewer. */
static const viewer *offering;

void viewer_offer_files(const viewer *v) { offering = v; }

ember_status emberi_file_read_beside(ember_buffer *out, const char *document, const char *path,
                                     size_t limit_size, ember_error *err)
{
    (void)document;
    (void)limit_size;
    for (uint32_t i = 0; offering != NULL && i < offering->file_count; i++) {
        const viewer_file *file = &offering->files[i];
        const char        *slash = strrchr(path, '/'); /* dropped files come without their folders */
        if (strcmp(file->name, path) == 0 || (slash != NULL && strcmp(file->name, slash + 1) == 0))
            return ember_buffer_append(out, file->data, file->size)
                       ? EMBER_OK
                       : ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    }
    return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot open: No such file or directory");
}

/* A page's ROMs are in its memory, none is mapped; closing one names the function all the same. */
void emberi_file_unmap(const emberi_mapped *mapped) { (void)mapped; }

/* ---- the context is the canvas' ---- */

ember_status emberi_context_open(emberi_context *context, ember_error *err)
{
    (void)context;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, "a page draws on its canvas");
}

void emberi_context_use(const emberi_context *context) { (void)context; }
void emberi_context_close(emberi_context *context) { (void)context; }

/* ---- textures wait until the browser has decoded them ---- */

bool textures_use(textures *t, ember_renderer *renderer, uint32_t mesh, const uint8_t *image, size_t size,
                  ember_error *err)
{
    known_texture *grown = realloc(t->known, (t->count + 1) * sizeof(*grown));
    (void)renderer;
    if (grown == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory"), false;
    t->known = grown;
    t->known[t->count++] = (known_texture){image, size, mesh}; /* the mesh that waits for it */
    return true;
}

void textures_free(textures *t)
{
    free(t->known);
    memset(t, 0, sizeof(*t));
}
