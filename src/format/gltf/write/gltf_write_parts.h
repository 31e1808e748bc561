/* SPDX-License-Identifier: MIT */
/* The parts of the glTF writer: what goes into the binary buffer is put there first, with a record of where
   it is; the document is emitted from the records. */
#ifndef EMBER_FORMAT_GLTF_WRITE_PARTS_H
#define EMBER_FORMAT_GLTF_WRITE_PARTS_H

#include "format/gltf/gltf.h"
#include "format/json/json_out.h"

#define GLTFW_VERTICES 34962u
#define GLTFW_INDICES 34963u

typedef struct gltfw_view {
    size_t   offset, size;
    uint32_t target; /* 0: none */
} gltfw_view;

typedef struct gltfw_accessor {
    uint32_t       view;
    size_t         offset; /* in the view */
    uint32_t       count;
    gltf_component component;
    const char    *type;
    uint32_t       bounds; /* how many numbers low and high have; 0: not said */
    float          low[3], high[3];
} gltfw_accessor;

typedef struct gltfw_channel {
    uint32_t  node;
    gltf_path path;
    uint32_t  input, output; /* accessors */
} gltfw_channel;

typedef struct gltfw_animation {
    uint32_t clip;
    uint32_t first_channel, channel_count;
} gltfw_animation;

/* Times that are in the buffer already. */
typedef struct gltfw_times {
    uint64_t hash;
    uint32_t accessor;
    size_t   offset; /* in the buffer */
    size_t   count;
} gltfw_times;

typedef struct gltfw_material {
    float    color[4];
    uint32_t image; /* or GLTF_NONE */
} gltfw_material;

typedef struct gltfw_image {
    const uint8_t *data;
    size_t         size;
    uint32_t       view;
    bool           png;
} gltfw_image;

/* One primitive, one mesh, one node. Accessors, or GLTF_NONE. */
typedef struct gltfw_mesh {
    const char *name;
    uint32_t    positions, normals, tangents, uvs, colors, joints, weights, indices;
    uint32_t    material;
    int32_t     bone; /* the node it hangs on, or -1 */
    bool        bone_shapes;
} gltfw_mesh;

/* Lists are buffers of records. */
typedef struct gltf_writer {
    const ember_model         *model;
    const ember_write_options *options;
    ember_error               *err;
    ember_arena                scratch;
    ember_buffer               bin;
    ember_buffer               views, accessors, channels, animations, times, materials, images, meshes;
    ember_transform           *rest;          /* of every bone, finite, rotations of unit length */
    uint32_t                   inverse_binds; /* accessor, or GLTF_NONE */
    uint32_t                   animation_view;
    /* each bone has a channel in the first clip, if it rests there too */
    bool                       all_bones;
    /* of a model that carries one, or NULL: it is made from the records */
    json_t                    *document;
} gltf_writer;

#define GLTFW_COUNT(list, type) ((uint32_t)((list).size / sizeof(type)))
#define GLTFW_AT(list, type, index) (&((type *)(void *)(list).data)[index])

/* A zeroed record at the list's end; NULL if there is no memory. */
void *emberi_gltfw_add(ember_buffer *list, size_t size);
#define GLTFW_ADD(list, type) ((type *)emberi_gltfw_add((list), sizeof(type)))

/* A view begins at the buffer's end, on a multiple of 4, and ends at its end: one at a time. */
ember_status emberi_gltfw_view_begin(gltf_writer *writer, uint32_t target, uint32_t *view);
void         emberi_gltfw_view_end(gltf_writer *writer, uint32_t view);

/* Floats into the buffer and an accessor over them, in the open view; bounds of scalars and of vectors of
   three if asked for. */
ember_status emberi_gltfw_floats(gltf_writer *writer, uint32_t view, const float *values, uint32_t count,
                                 uint32_t components, bool bounds, uint32_t *accessor);
/* The same in a view of their own, for vertices. */
ember_status emberi_gltfw_vertices(gltf_writer *writer, const float *values, uint32_t count,
                                   uint32_t components, bool bounds, uint32_t *accessor);
/* Unsigned numbers as the smallest component that takes them: u8 for joints, u16, u32. */
ember_status emberi_gltfw_joints(gltf_writer *writer, const uint16_t (*joints)[4], uint32_t count,
                                 uint32_t *accessor);
ember_status emberi_gltfw_indices(gltf_writer *writer, const uint32_t *indices, uint32_t count,
                                  uint32_t vertex_count, uint32_t *accessor);

/* ---- keys ---- */

/* The values of one channel, frame after frame; of positions and scales the fourth is 0. Rotations are of
   unit length, each on its predecessor's side. */
typedef struct gltfw_track {
    gltf_path path;
    float (*values)[4];
    uint32_t frame_count;
} gltfw_track;

/* Same as `rest` in all frames, but for rounding. */
bool emberi_gltfw_track_rests(const gltfw_track *track, const float rest[4]);

/* The frames that must be kept so that LINEAR interpolation gives all others, but for rounding; returns how
   many, 1 for a track that does not change. kept: frame_count numbers. */
uint32_t emberi_gltfw_keys(uint32_t *kept, const gltfw_track *track);

/* ---- parts ---- */

/* The rest pose that nodes get: the skeleton's, or what its inverse binds say, or the first frame of the
   first clip. */
ember_status emberi_gltfw_rest(gltf_writer *writer);
ember_status emberi_gltfw_clips(gltf_writer *writer);
ember_status emberi_gltfw_meshes(gltf_writer *writer);
/* An octahedron for every bone, in model space at rest; false if there is no memory. */
bool         emberi_gltfw_bone_shapes(gltf_writer *writer, ember_mesh *out);

/* ---- a document that is carried along ---- */

struct gltf_carried;
/* What the model carries, or NULL: nothing, or skeleton or meshes were changed, and a note lists
   what is lost. */
const struct gltf_carried *emberi_gltfw_carried_of(const ember_model *model, const ember_notes *notes);
/* Makes writer->document and the buffer. */
ember_status               emberi_gltfw_carried_fill(gltf_writer *writer, const struct gltf_carried *carried);
ember_status emberi_gltfw_carried_text(ember_buffer *out, gltf_writer *writer, bool compact, const char *uri);
/* Of the records only what belongs to clips, as a document: animations, accessors, bufferViews. */
ember_status emberi_gltfw_records(ember_buffer *out, const gltf_writer *writer);

/* The whole document; uri is the buffer's, or NULL where it follows as a chunk. */
ember_status emberi_gltfw_document(ember_buffer *out, gltf_writer *writer, bool compact, const char *uri);

#endif
