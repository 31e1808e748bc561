/* SPDX-License-Identifier: MIT */
/* The layouts that ANIMBIN had before its release, told apart so that a message can say what the file is:
   they call themselves version 1 as well. What is known of them is that frames took 32 bits, that markers
   came last and that rotations were times 32767; not which of the frames, nor where the number of markers
   was. So all that this leaves open are tried, and one that fits has to fit to the last byte. Nothing is read
   from them but their shape. */
#include <string.h>

#include "base/bytes.h"
#include "format/animbin/animbin_parts.h"

/* One way the bytes may have been laid. */
typedef struct layout {
    bool long_length;   /* of an animation, 32 bits */
    bool long_keys;     /* the frames of keys */
    bool long_markers;  /* the frames of markers */
    bool count_is_last; /* the number of markers, behind the tracks */
} layout;

enum { LAYOUTS = 16 };

static layout layout_at(unsigned number)
{
    return (layout){(number & 1u) != 0, (number & 2u) != 0, (number & 4u) != 0, (number & 8u) != 0};
}

typedef struct walk {
    emberi_reader reader;
    layout        as;
    bool          rotation; /* one was met, and its length was right */
} walk;

static bool walk_skip(walk *w, size_t size) { return emberi_reader_take(&w->reader, size) != NULL; }

static bool walk_frame(walk *w, bool is_long) { return walk_skip(w, is_long ? 4 : 2); }

static bool walk_keys(walk *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!walk_frame(w, w->as.long_keys))
            return false;
        emberi_animbin_key key = {0, emberi_reader_u8(&w->reader), {0, 0, 0, 0}};
        if (!emberi_reader_ok(&w->reader) || key.type >= EMBERI_ANIMBIN_TYPES)
            return false;
        const uint8_t *value =
            emberi_reader_take(&w->reader, emberi_animbin_key_size(key.type) - EMBERI_ANIMBIN_KEY_SIZE);
        if (value == NULL)
            return false;
        if (key.type == EMBERI_ANIMBIN_TRANSLATION)
            continue;
        for (int k = 0; k < 4; k++)
            key.value[k] = (int16_t)emberi_get_u16(value + 2 * k);
        if (!emberi_animbin_is_prerelease_length(emberi_animbin_length_squared(&key)))
            return false;
        w->rotation = true;
    }
    return true;
}

static bool walk_animation(walk *w)
{
    emberi_reader *r = &w->reader;
    /* name, flags, length */
    if (!walk_skip(w, EMBERI_ANIMBIN_NAME_SIZE + 4) || !walk_frame(w, w->as.long_length))
        return false;
    uint32_t tracks = emberi_reader_u16(r), markers = w->as.count_is_last ? 0u : emberi_reader_u16(r);
    for (uint32_t i = 0; i < tracks; i++) {
        const uint8_t *track = emberi_reader_take(r, EMBERI_ANIMBIN_TRACK_SIZE);
        if (track == NULL || track[0] >= EMBERI_ANIMBIN_TYPES || !walk_keys(w, emberi_get_u16(track + 2)))
            return false;
    }
    markers = w->as.count_is_last ? emberi_reader_u16(r) : markers;
    for (uint32_t i = 0; i < markers; i++)
        if (!walk_skip(w, EMBERI_ANIMBIN_NAME_SIZE) || !walk_frame(w, w->as.long_markers))
            return false;
    return emberi_reader_ok(r);
}

static bool walk_file(walk *w)
{
    const uint8_t *head = emberi_reader_take(&w->reader, EMBERI_ANIMBIN_HEADER_SIZE);
    if (head == NULL || memcmp(head, EMBERI_ANIMBIN_MAGIC, sizeof(EMBERI_ANIMBIN_MAGIC) - 1) != 0 ||
        head[7] != EMBERI_ANIMBIN_VERSION)
        return false;
    for (uint32_t i = 0; i < head[8]; i++)
        if (!walk_animation(w))
            return false;
    return w->rotation && emberi_reader_left(&w->reader) == 0;
}

bool emberi_animbin_is_prerelease(const uint8_t *data, size_t size)
{
    for (unsigned i = 0; i < LAYOUTS; i++) {
        walk w = {.reader = emberi_reader_init(data, size), .as = layout_at(i), .rotation = false};
        if (walk_file(&w))
            return true;
    }
    return false;
}
