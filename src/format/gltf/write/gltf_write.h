/* SPDX-License-Identifier: MIT */
/* Writing glTF 2.0, both containers. */
#ifndef EMBER_FORMAT_GLTF_WRITE_H
#define EMBER_FORMAT_GLTF_WRITE_H

#include "ember/format.h"

/* .gltf with its buffer in the document, and .glb. Anything that passes ember_model_check and has
   bones or meshes. */
ember_status emberi_gltf_write(ember_buffer *out, const ember_model *model,
                               const ember_write_options *options, ember_error *err);
ember_status emberi_glb_write(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                              ember_error *err);

/* The container of .glb: a document and the buffer behind it. */
ember_status emberi_glb_join(ember_buffer *out, const ember_buffer *text, const ember_buffer *bin,
                             ember_error *err);

#endif
