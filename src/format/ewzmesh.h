/* Emberware Z meshes: the layout, and how single values are packed. docs/formats/ewzmesh.md has the tables. */
#ifndef EMBER_FORMAT_EWZMESH_H
#define EMBER_FORMAT_EWZMESH_H

#include "format/ops.h"

#define EWZMESH_HEADER_SIZE 12u
#define EWZMESH_UV 1u
#define EWZMESH_COLOR 2u
#define EWZMESH_NORMAL 4u
#define EWZMESH_SKINNED 8u
#define EWZMESH_TANGENT 16u
#define EWZMESH_ALL 31u

/* Bytes of one vertex. */
size_t emberi_ewzmesh_stride(uint8_t format, bool packed);

/* A direction on the octahedron, unfolded: x and y as 16-bit signed fractions in the low and high half. Zero, or what is not
   finite, is +z. */
uint32_t   emberi_oct_encode(ember_vec3 direction);
ember_vec3 emberi_oct_decode(uint32_t packed);

/* The same with the lowest bit of y given away: 1 if w is negative. */
uint32_t emberi_oct_encode_tangent(const float tangent[4]);
void     emberi_oct_decode_tangent(float out[4], uint32_t packed);

uint16_t emberi_unorm16(float value); /* clamped to 0..1, rounded to nearest; NaN is 0 */
uint8_t  emberi_unorm8(float value);

/* Bytes that sum to 255: each rounded down, what is missing goes to the largest remainders, the first of equals. All zero, or
   not finite: the first gets everything. Negative weights count as 0. */
void emberi_weights_encode(uint8_t out[4], const float weights[4]);

/* The largest first, equal ones by their place; they sum to 1 afterwards, but for rounding. False where they sum to 0: the first
   gets everything then. Joints without weight become 0. */
bool emberi_weights_tidy(uint16_t joints[4], float weights[4]);

/* Texture coordinates that leave 0..1: islands of triangles that fit a square are moved into the first one by whole numbers,
   which looks the same where textures repeat. out: vertex_count pairs, not yet clamped. False if there is no memory. */
typedef struct emberi_uv_moves {
    uint32_t wrapped; /* vertices that were moved */
    uint32_t clamped; /* vertices that still leave 0..1 */
} emberi_uv_moves;
bool emberi_uv_fit(float (*out)[2], emberi_uv_moves *moves, const ember_mesh *mesh, ember_arena *scratch);

ember_status emberi_ewzmesh_write(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                                  ember_error *err);

#endif
