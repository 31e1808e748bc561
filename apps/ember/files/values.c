/* SPDX-License-Identifier: MIT */
/* A bone's values in one frame. The file was read before, so its records are where its header says. */
#include "files/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/animbin.h"
#include "ember/ff7.h"
#include "ember/pose.h"

/* ---- stored ---- */

static void put_hex(values *out, const uint8_t *data, unsigned size)
{
    size_t   used = strlen(out->stored);
    uint32_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint32_t)data[i] << (8 * i);
    snprintf(out->stored + used, sizeof(out->stored) - used, "%s%0*x", used != 0 ? " " : "", (int)(2 * size),
             (unsigned)value);
}

/* A rotation of 32 bits, then numbers of `width` bytes. */
static void stored_record(values *out, const uint8_t *data, size_t size, unsigned width)
{
    put_hex(out, data, 4);
    for (size_t at = 4; at + width <= size; at += width)
        put_hex(out, data + at, width);
}

static void stored_keyframe(values *out, const values_source *s, size_t header, uint32_t frame, uint32_t bone)
{
    size_t count = (size_t)s->clip->frame_count * s->clip->bone_count;
    if (s->size <= header || count == 0)
        return;
    size_t size = (s->size - header) / count;
    stored_record(out, s->data + header + ((size_t)frame * s->clip->bone_count + bone) * size, size,
                  size == ember_record_size(EMBER_RECORD_E) ? 4 : 2);
}

static void put_triple(values *out, const char *what, ember_ff7_triple t, bool turns)
{
    size_t used = strlen(out->stored);
    snprintf(out->stored + used, sizeof(out->stored) - used, "%s%s %d %d %d", used != 0 ? ", " : "", what,
             t.x, t.y, t.z);
    used = strlen(out->stored);
    if (turns)
        snprintf(out->stored + used, sizeof(out->stored) - used, " (%.2f %.2f %.2f degrees)",
                 (double)ember_ff7_degrees(t.x), (double)ember_ff7_degrees(t.y),
                 (double)ember_ff7_degrees(t.z));
}

/* Nothing where the raw part is not FF7's. The reader's names say which triple it is. */
static void stored_ff7(values *out, const values_source *s, uint32_t frame, uint32_t bone)
{
    const ember_ff7_clip *raw = ember_ff7_clip_of(s->clip);
    const char           *name = ember_skeleton_name(&s->model->skeleton, ember_clip_bone(s->clip, bone));
    if (raw == NULL || name == NULL)
        return;
    bool     weapon = strcmp(name, "weapon") == 0;
    uint32_t triple = strncmp(name, "bone_", 5) == 0 ? (uint32_t)strtoul(name + 5, NULL, 10) + 1 : 0;
    if (weapon && raw->kind != EMBER_FF7_WEAPON)
        raw = raw->weapon;
    if (raw == NULL || raw->frame_count == 0 || triple >= raw->triple_count || strcmp(name, "ff7") == 0)
        return;
    uint32_t at = frame < raw->frame_count ? frame : raw->frame_count - 1;
    put_triple(out, "rotation", raw->rotations[(size_t)at * raw->triple_count + triple], true);
    if (triple == 0)
        put_triple(out, "position", raw->positions[at], false);
}

/* Nothing where the raw part is not ANIMBIN's. */
static void stored_animbin(values *out, const values_source *s, uint32_t frame, uint32_t bone)
{
    for (int translation = 0; translation < 2; translation++) {
        ember_animbin_key key;
        size_t            used = strlen(out->stored);
        if (!ember_animbin_key_at(&key, s->clip, ember_clip_bone(s->clip, bone), translation != 0, frame))
            continue;
        snprintf(out->stored + used, sizeof(out->stored) - used, "%s%s at %u: %d %d %d",
                 used != 0 ? ", " : "", translation != 0 ? "translation" : "rotation", (unsigned)key.frame,
                 (int)key.value[0], (int)key.value[1], (int)key.value[2]);
        used = strlen(out->stored);
        if (translation == 0)
            snprintf(out->stored + used, sizeof(out->stored) - used, " %d", (int)key.value[3]);
    }
}

/* ---- decoded ---- */

static double clamp_one(double x) { return x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x; }

/* Of R = Rz * Ry * Rx. Where y is a quarter turn, x takes all of it and z none. */
static void degrees_of(double out[3], ember_quat rotation)
{
    ember_quat   q = ember_quat_normalize(rotation);
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w,
                 degree = 57.295779513082321;
    const double sine = clamp_one(2.0 * (w * y - z * x));
    out[1] = asin(sine) * degree;
    if (fabs(sine) > 0.9999999) {
        double side = sine > 0.0 ? 1.0 : -1.0;
        out[0] = atan2(side * 2.0 * (x * y - w * z), side * 2.0 * (x * z + w * y)) * degree;
        out[2] = 0.0;
        return;
    }
    out[0] = atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)) * degree;
    out[2] = atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)) * degree;
}

void values_get(values *out, const values_source *source, uint32_t frame, uint32_t bone)
{
    memset(out, 0, sizeof(*out));
    out->transform = source->clip->frames[(size_t)frame * source->clip->bone_count + bone];
    degrees_of(out->degrees, out->transform.rotation);
    const ember_format_info *info = ember_format_get(source->model->format);
    if (info != NULL && info->record_offset != 0)
        stored_keyframe(out, source, info->record_offset, frame, bone);
    /* A raw part of another format, in JSON for example, is not what this file stores. */
    if (source->clip->raw.format != source->model->format)
        return;
    stored_ff7(out, source, frame, bone);
    stored_animbin(out, source, frame, bone);
}

char *values_number(char out[VALUES_NUMBER_SIZE], double value, int digits)
{
    double least = 0.5;
    for (int i = 0; i < digits; i++)
        least /= 10.0;
    /* no minus before a zero */
    snprintf(out, VALUES_NUMBER_SIZE, fabs(value) < 1e9 ? "%.*f" : "%.*g", digits,
             fabs(value) < least ? 0.0 : value);
    return out;
}
