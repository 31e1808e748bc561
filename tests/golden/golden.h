/* SPDX-License-Identifier: MIT */
/* Golden hashes: one line for each thing that core computes, over input that is generated the same
   everywhere. Freestanding, so that the same program runs natively, as WebAssembly and under an emulator. */
#ifndef EMBER_TESTS_GOLDEN_H
#define EMBER_TESTS_GOLDEN_H

#include "base/hash.h"
#include "base/maths.h"
#include "ember/codec.h"
#include "ember/pose.h"

/* ---- what main calls ---- */

/* The lines "name hash", as text; and the name of the kernels that made them. */
const char *golden_text(void);
const char *golden_isa(void);

/* ---- what the parts call ---- */

void golden_codec(void);
void golden_maths(void);
void golden_single(void);
void golden_jobs(void);
void golden_skin(void);
void golden_squeeze(void);
void golden_lean(void);
void golden_player(void);

/* Begins the line of that name; what is hashed until the next one belongs to it. */
void golden_begin(const char *name);

void golden_bytes(const void *data, size_t size);
/* NaN counts as one number, whatever its bits: they are the processor's. */
void golden_floats(const float *values, size_t count);

static inline void golden_float(float value) { golden_floats(&value, 1); }
static inline void golden_vec3(ember_vec3 v) { golden_floats(&v.x, 3); }
static inline void golden_quat(ember_quat q) { golden_floats(&q.x, 4); }
static inline void golden_transforms(const ember_transform *t, size_t count)
{
    golden_floats(&t->rotation.x, count * 10);
}
static inline void golden_mat34s(const ember_mat34 *m, size_t count) { golden_floats(m->m, count * 12); }
static inline void golden_status(ember_status status)
{
    uint8_t byte = (uint8_t)status;
    golden_bytes(&byte, 1);
}

/* ---- input ---- */

/* Starts the numbers over, so that one part's change leaves the others' hashes alone. */
void            golden_seed(uint32_t seed);
uint32_t        golden_u32(void);
float           golden_between(float low, float high);
ember_quat      golden_rotation(void);
ember_vec3      golden_vector(float size);
/* Ordinary, or with zeros of both signs, denormals and large numbers between. */
float           golden_number(float low, float high, bool awkward);
ember_transform golden_transform(bool awkward);
void            golden_pose(ember_transform *out, size_t count, bool awkward);
void            golden_frame(uint8_t *out, size_t count);
void            golden_parents(int16_t *out, size_t count);

#endif
