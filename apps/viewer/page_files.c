/* SPDX-License-Identifier: MIT */
/* In place of what the page has not: files beside a file are those that were handed over with it, contexts
   and decoded images come from the browser, which has simd128. */
#include <stdlib.h>
#include <string.h>

#include "format/ops.h"
#include "gpu/gpu.h"
#include "platform/files.h"
#include "platform/folders.h"
#include "pose/kernels/kernels.h"
#include "scene/textures.h"
#include "squeeze/lean/lean_kernels.h"
#include "viewer.h"

/* The readers of glTF and FBX ask for files beside their own through src/platform, which has no user pointer;
   the page has one viewer. */
static const viewer *offering;

void viewer_offer_files(const viewer *v) { offering = v; }

/* Dropped files come without their folders. */
static const viewer_file *file_offered(const char *path)
{
    const char *slash = strrchr(path, '/');
    for (uint32_t i = 0; offering != NULL && i < offering->file_count; i++) {
        const viewer_file *file = &offering->files[i];
        if (strcmp(file->name, path) == 0 || (slash != NULL && strcmp(file->name, slash + 1) == 0))
            return file;
    }
    return NULL;
}

ember_status emberi_file_read_beside(ember_buffer *out, const char *document, const char *path,
                                     size_t limit_size, ember_error *err)
{
    const viewer_file *file = file_offered(path);
    (void)document;
    (void)limit_size;
    if (file == NULL)
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot open: No such file or directory");
    return ember_buffer_append(out, file->data, file->size)
               ? EMBER_OK
               : ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
}

emberi_path_kind emberi_path_is(const char *path)
{
    return file_offered(path) != NULL ? EMBERI_PATH_FILE : EMBERI_PATH_NOTHING;
}

/* Every folder has all files that were handed over. */
struct emberi_folder {
    uint32_t next;
};

emberi_folder *emberi_folder_open(const char *path)
{
    (void)path;
    return calloc(1, sizeof(emberi_folder));
}

const char *emberi_folder_next(emberi_folder *folder)
{
    return offering != NULL && folder->next < offering->file_count ? offering->files[folder->next++].name
                                                                   : NULL;
}

void emberi_folder_close(emberi_folder *folder) { free(folder); }

/* A page's ROMs are in its memory, none is mapped; closing one names the function all the same. */
void emberi_file_unmap(const emberi_mapped *mapped) { (void)mapped; }

/* ---- no choice of kernels: a browser that takes the module runs these ---- */

const emberi_kernels *emberi_kernels_used(void) { return &emberi_kernels_wasm; }
const lean_kernels   *emberi_lean_kernels_used(void) { return &emberi_lean_wasm; }
ember_isa             ember_isa_used(void) { return EMBER_ISA_WASM; }

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
