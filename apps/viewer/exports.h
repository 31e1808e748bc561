/* SPDX-License-Identifier: MIT */
/* The functions that the page calls. Each is named once more for the linker, since nothing in C calls
   most of them. */
#ifndef EMBER_VIEWER_EXPORTS_H
#define EMBER_VIEWER_EXPORTS_H

#include "viewer.h"

#define EXPORT(name) __attribute__((export_name(#name)))

void          *viewer_alloc(uint32_t size);
void           viewer_free(void *memory);
viewer        *viewer_create(uint32_t width, uint32_t height);
uint32_t       viewer_add_file(viewer *v, char *name, uint8_t *data, uint32_t size, uint32_t batch);
bool           viewer_open(viewer *v, uint32_t file);
void           viewer_close(viewer *v);
bool           viewer_select(viewer *v, uint32_t clip);
void           viewer_describe(viewer *v);
void           viewer_messages(viewer *v);
const uint8_t *viewer_out_data(const viewer *v);
uint32_t       viewer_out_size(const viewer *v);
bool           viewer_set_reference(viewer *v, uint32_t file);
bool           viewer_set_bones(viewer *v, uint32_t file);
bool           viewer_compare(viewer *v);

/* picture.c */
bool viewer_warm(viewer *v);
bool viewer_draw(viewer *v, uint32_t frame, bool present);
bool viewer_resize(viewer *v, uint32_t width, uint32_t height);
void viewer_set(viewer *v, uint32_t flags, int32_t marked, uint32_t background, uint32_t crowd, uint32_t up);
void viewer_frame_all(viewer *v);
void viewer_orbit(viewer *v, double turn, double pitch);
void viewer_pan(viewer *v, double right, double up);
void viewer_zoom(viewer *v, double factor);
double viewer_camera(const viewer *v, uint32_t which);
void   viewer_set_camera(viewer *v, double turn, double pitch, double distance, double x, double y, double z);
const float *viewer_places(viewer *v, uint32_t frame);
bool         viewer_picture(viewer *v);
uint32_t     viewer_texture_count(const viewer *v);
const void  *viewer_texture_data(const viewer *v, uint32_t index);
uint32_t     viewer_texture_size(const viewer *v, uint32_t index);
bool viewer_texture_set(viewer *v, uint32_t index, const uint8_t *rgba, uint32_t width, uint32_t height);

/* answers.c */
bool viewer_bone(viewer *v, uint32_t frame, uint32_t bone);
void viewer_errors(viewer *v);
bool viewer_convert(viewer *v, const char *format, uint32_t clip, const char *name);
void viewer_formats(viewer *v);

#endif
