/* SPDX-License-Identifier: MIT */
/* ANIMBIN files put together by hand, byte by byte as the specification's tables have them, and a look at the
   frames that are read. Knows nothing of the code that is tested. */
#ifndef EMBER_TEST_ANIMBIN_BYTES_H
#define EMBER_TEST_ANIMBIN_BYTES_H

#include "format/fixture.h"

typedef struct file_bytes {
    uint8_t data[1 << 16];
    size_t  size;
} file_bytes;

static inline void put_bytes(file_bytes *f, const void *data, size_t size)
{
    assert_true(f->size + size <= sizeof(f->data));
    memcpy(f->data + f->size, data, size);
    f->size += size;
}

static inline void put_u8(file_bytes *f, unsigned value)
{
    uint8_t byte = (uint8_t)value;
    put_bytes(f, &byte, 1);
}

static inline void put_u16(file_bytes *f, int value)
{
    put_u8(f, (unsigned)value & 255u);
    put_u8(f, (unsigned)value >> 8 & 255u);
}

static inline void put_u32(file_bytes *f, int64_t value)
{
    put_u16(f, (int)(value & 65535));
    put_u16(f, (int)(value >> 16 & 65535));
}

static inline void put_name(file_bytes *f, const char *name)
{
    char field[32] = {0};
    memcpy(field, name, strlen(name) < 32 ? strlen(name) : 32);
    put_bytes(f, field, sizeof(field));
}

static inline void put_header(file_bytes *f, unsigned animations)
{
    f->size = 0;
    put_bytes(f, "ANIMBIN", 7);
    put_u8(f, 1);
    put_u8(f, animations);
}

static inline void put_animation(file_bytes *f, const char *name, uint32_t flags, int length, int tracks,
                                 int markers)
{
    put_name(f, name);
    put_u32(f, flags);
    put_u16(f, length);
    put_u16(f, tracks);
    put_u16(f, markers);
}

static inline void put_track(file_bytes *f, unsigned type, unsigned joint, int keys)
{
    put_u8(f, type);
    put_u8(f, joint);
    put_u16(f, keys);
}

static inline void put_rotation(file_bytes *f, int frame, int w, int x, int y, int z)
{
    put_u16(f, frame);
    put_u8(f, 0);
    put_u16(f, w);
    put_u16(f, x);
    put_u16(f, y);
    put_u16(f, z);
}

static inline void put_translation(file_bytes *f, int frame, int x, int y, int z)
{
    put_u16(f, frame);
    put_u8(f, 1);
    put_u32(f, x);
    put_u32(f, y);
    put_u32(f, z);
}

static inline void put_marker(file_bytes *f, const char *name, int frame)
{
    put_name(f, name);
    put_u16(f, frame);
}

/* Two animations with a bit of everything that is in order. */
static inline void put_sample(file_bytes *f)
{
    put_header(f, 2);
    put_animation(f, "walk", 1, 4, 3, 2);
    put_track(f, 0, 0, 4);
    put_rotation(f, 0, 4096, 0, 0, 0);
    put_rotation(f, 1, 4000, 0, 0, 881);
    put_rotation(f, 2, 3547, 0, 0, 2048);
    put_rotation(f, 3, 2896, 0, 0, 2896);
    put_track(f, 0, 2, 2);
    put_rotation(f, 1, 2896, 2896, 0, 0);
    put_rotation(f, 3, 0, 4096, 0, 0);
    put_track(f, 1, 0, 2);
    put_translation(f, 0, 0, 4096, -8192);
    put_translation(f, 2, 8192, 4096, 70000);
    put_marker(f, "left", 0);
    put_marker(f, "right", 2);
    put_animation(f, "st\xc3\xa5", 0x80000000u, 2, 1, 0);
    put_track(f, 0, 1, 1);
    put_rotation(f, 0, -2048, 2048, -2048, 2048);
}

/* ---- reading and writing ---- */

static inline ember_arena test_arena(void) { return ember_arena_growing(ember_heap(), (size_t)256 << 20); }

static inline void read_file(ember_model *model, const file_bytes *f, const ember_read_options *options,
                             ember_arena *arena)
{
    ember_error err = EMBER_ERROR_INIT;
    uint8_t    *exact = test_exact_copy(f->data, f->size);
    if (ember_model_read(model, exact, f->size, options, arena, &err) != EMBER_OK)
        fail_msg("not read: %s", err.text);
    free(exact);
}

static inline void write_file(file_bytes *out, const ember_model *model, const ember_write_options *asked)
{
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_write_options options = asked != NULL ? *asked : (ember_write_options){.compact = false};
    options.format = EMBER_FORMAT_ANIMBIN;
    if (ember_model_write(&buffer, model, &options, &err) != EMBER_OK)
        fail_msg("not written: %s", err.text);
    out->size = 0;
    put_bytes(out, buffer.data, buffer.size);
    ember_buffer_free(&buffer);
}

static inline void assert_same_file(const file_bytes *a, const file_bytes *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

/* Expects the file to be refused, and the text to hold `part`. */
static inline void refuse_file(const file_bytes *f, ember_status status, const char *part)
{
    ember_arena arena = test_arena();
    ember_model model;
    ember_error err = EMBER_ERROR_INIT;
    uint8_t    *exact = test_exact_copy(f->data, f->size);
    assert_int_equal(ember_model_read(&model, exact, f->size, NULL, &arena, &err), status);
    assert_says(fixture_error_line(&err).text, part);
    assert_int_equal(model.clip_count, 0);
    free(exact);
    ember_arena_free(&arena);
}

/* ---- frames ---- */

static inline const ember_transform *at(const ember_clip *clip, uint32_t frame, uint32_t bone)
{
    return &clip->frames[(size_t)frame * clip->bone_count + bone];
}

#endif
