/* SPDX-License-Identifier: MIT */
/* The page reads no document to write it again: its tree of JSON can be walked, but not changed. So nothing
   is carried along there, and what a model has no place for is listed as lost. */
#include "format/gltf/write/gltf_write_parts.h"

const struct gltf_carried *emberi_gltfw_carried_of(const ember_model *model, const ember_notes *notes)
{
    (void)model;
    (void)notes;
    return NULL;
}

ember_status emberi_gltfw_carried_fill(gltf_writer *writer, const struct gltf_carried *carried)
{
    (void)carried;
    return emberi_failf(writer->err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                        "documents are not carried along here");
}

ember_status emberi_gltfw_carried_text(ember_buffer *out, gltf_writer *writer, bool compact, const char *uri)
{
    (void)out;
    (void)compact;
    (void)uri;
    return emberi_gltfw_carried_fill(writer, NULL);
}
