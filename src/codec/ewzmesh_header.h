/* SPDX-License-Identifier: MIT */
/* The header of mesh files. docs/formats/ewzmesh.md has the tables. */
#ifndef EMBER_CODEC_EWZMESH_HEADER_H
#define EMBER_CODEC_EWZMESH_HEADER_H

#define EWZMESH_HEADER_SIZE 12u
#define EWZMESH_AT_FORMAT 8u
#define EWZMESH_AT_RIGID 9u
#define EWZMESH_AT_BONE 10u

/* Parts of a vertex. */
#define EWZMESH_UV 1u
#define EWZMESH_COLOR 2u
#define EWZMESH_NORMAL 4u
#define EWZMESH_SKINNED 8u
#define EWZMESH_TANGENT 16u
#define EWZMESH_ALL 31u

#define EWZMESH_WEIGHTS_SIZE 8u /* of a packed vertex: joints and weights */

#endif
