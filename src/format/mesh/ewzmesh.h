/* SPDX-License-Identifier: MIT */
/* Emberware Z meshes: the layout, and how single values are packed. docs/formats/ewzmesh.md
   has the tables. */
#ifndef EMBER_FORMAT_EWZMESH_H
#define EMBER_FORMAT_EWZMESH_H

#include "codec/ewzmesh_header.h"
#include "format/ops.h"

/* Bytes of one vertex. */
size_t emberi_ewzmesh_stride(uint8_t format, bool packed);

/* A mesh in its parts, wherever they lie: behind a file's header, or in a game's memory. Both parts are
   exactly as long as the counts say. */
typedef struct emberi_ewzmesh_parts {
    uint32_t       vertex_count;
    uint32_t       index_count; /* 0: every three vertices are a triangle */
    uint8_t        format, is_rigid, attached_bone;
    bool           packed;
    float          scale;                   /* of positions */
    const uint8_t *vertices, *indices;      /* at any address */
    uint64_t       vertices_at, indices_at; /* where they are in the file, for errors */
} emberi_ewzmesh_parts;

typedef struct emberi_ewzmesh_report {
    uint32_t off_weights; /* vertices whose weights did not sum to 1 */
    uint32_t bone_count;  /* that the mesh asks for */
} emberi_ewzmesh_report;

/* What is wrong with the counts and kinds; NULL if nothing is. */
const char *emberi_ewzmesh_fault(const emberi_ewzmesh_parts *parts);

/* Everything but the mesh's name and texture, in the arena, which is not rewound on failure. Rules: the parts
   have no fault. */
ember_status emberi_ewzmesh_decode(ember_mesh *out, emberi_ewzmesh_report *report,
                                   const emberi_ewzmesh_parts *parts, ember_arena *arena, ember_error *err);

/* A direction on the octahedron, unfolded: x and y as 16-bit signed fractions in the low and high half. Zero,
   or what is not finite, is +z. */
uint32_t   emberi_oct_encode(ember_vec3 direction);
ember_vec3 emberi_oct_decode(uint32_t packed);

/* The same with the lowest bit of y given away: 1 if w is negative. */
uint32_t emberi_oct_encode_tangent(const float tangent[4]);
void     emberi_oct_decode_tangent(float out[4], uint32_t packed);

uint16_t emberi_unorm16(float value); /* clamped to 0..1, rounded to nearest; NaN is 0 */
uint8_t  emberi_unorm8(float value);

/* Bytes that sum to 255: each rounded down, what is missing goes to the largest remainders, the first of
   equals. All zero, or not finite: the first gets everything. Negative weights count as 0. */
void emberi_weights_encode(uint8_t out[4], const float weights[4]);

/* The largest first, equal ones by their place; they sum to 1 afterwards, but for rounding. False where they
   sum to 0: the first gets everything then. Joints without weight become 0. */
bool emberi_weights_tidy(uint16_t joints[4], float weights[4]);

/* Texture coordinates that leave 0..1: islands of triangles that fit a square are moved into the first one by
   whole numbers, which looks the same where textures repeat. out: vertex_count pairs, not yet clamped. False
   if there is no memory. */
typedef struct emberi_uv_moves {
    uint32_t wrapped; /* vertices that were moved */
    uint32_t clamped; /* vertices that still leave 0..1 */
} emberi_uv_moves;
bool emberi_uv_fit(float (*out)[2], emberi_uv_moves *moves, const ember_mesh *mesh, ember_arena *scratch);

ember_status emberi_ewzmesh_write(ember_buffer *buffer, const ember_model *model,
                                  const ember_write_options *options, ember_error *err);

#endif
