/* SPDX-License-Identifier: MIT */
/* What a document contains beside the model, kept as it is: the reader fills it where the options ask for it,
   and the writer of glTF puts it back around the model's clips. The model points to it without knowing what
   it is. */
#ifndef EMBER_FORMAT_GLTF_CARRY_H
#define EMBER_FORMAT_GLTF_CARRY_H

#include "format/gltf/gltf.h"

/* The node behind a bone. */
typedef struct gltf_carried_bone {
    uint32_t        node;
    ember_transform rest;  /* the node's own */
    real_mat        below; /* from the place of a bone to the node's own transform */
    bool            apart; /* `below` is not identity: nodes above it are no bones */
} gltf_carried_bone;

/* An animation of the document, and the clip that it became. */
typedef struct gltf_carried_clip {
    const char *name;    /* the clip's: the same pointer is the same clip */
    bool        in_time; /* frame 0 is at second 0, and the clip is whole */
} gltf_carried_clip;

/* All of it lives in the model's arena. */
typedef struct gltf_carried {
    gltf_bytes         text; /* the whole document */
    uint32_t           buffer_count, image_count, node_count, clip_count;
    gltf_bytes        *buffers; /* no data: one that only stands for bytes that are elsewhere compressed */
    gltf_bytes        *images;  /* those that are in other files; no data: as the document says */
    uint8_t           *in_rig;  /* by node: bones and what is above them */
    gltf_carried_bone *bones;
    gltf_carried_clip *clips;
    bool               skinned;  /* which nodes are bones does not depend on the animations */
    const char        *left_out; /* what a writer loses that does not carry it, or NULL */
    /* As the reader gave them: where the model still has them, nobody touched it. */
    ember_skeleton     skeleton;
    const ember_mesh  *meshes;
    uint32_t           mesh_count;
} gltf_carried;

/* Before clips and meshes are read: doc->carried is set where the options want it and the document can be
   carried; where it cannot, nothing is, and that is no error. */
ember_status emberi_gltf_carry_begin(gltf_doc *doc, const gltf_rig *rig);
/* After them: images, names of clips, and what the model looks like. */
ember_status emberi_gltf_carry_end(gltf_doc *doc, ember_model *model);

/* What a reader says of things that stay in the document: nothing is lost then. */
static inline ember_note_kind emberi_gltf_note_kind(const gltf_doc *doc)
{
    return doc->carried != NULL ? EMBER_NOTE_DETAIL : EMBER_NOTE_WARNING;
}

#endif
