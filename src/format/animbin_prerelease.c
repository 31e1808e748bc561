/* The layout that ANIMBIN had before its release, told apart so that a message can say what the file is: it calls itself version
   1 as well. Nothing is read from it but its shape. */
#include <string.h>

#include "base/bytes.h"
#include "format/animbin.h"

/* 32 of name, flags, length, tracks; how many markers there are comes after the tracks. */
enum { OLD_ANIMATION_SIZE = 40, OLD_KEY_SIZE = 5, OLD_MARKER_SIZE = 36 };

typedef struct walk {
    emberi_reader reader;
    bool          rotation; /* one was met, and its length was right */
} walk;

static bool walk_keys(walk *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t     *head = emberi_reader_take(&w->reader, OLD_KEY_SIZE);
        emberi_animbin_key key = {0, head != NULL ? head[4] : (uint8_t)EMBERI_ANIMBIN_TYPES, {0, 0, 0, 0}};
        if (key.type >= EMBERI_ANIMBIN_TYPES)
            return false;
        const uint8_t *value = emberi_reader_take(&w->reader, emberi_animbin_key_size(key.type) - EMBERI_ANIMBIN_KEY_SIZE);
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
    const uint8_t *head = emberi_reader_take(&w->reader, OLD_ANIMATION_SIZE);
    uint32_t       tracks = head != NULL ? emberi_get_u16(head + 0x26) : 0u;
    for (uint32_t i = 0; i < tracks; i++) {
        const uint8_t *track = emberi_reader_take(&w->reader, EMBERI_ANIMBIN_TRACK_SIZE);
        if (track == NULL || track[0] >= EMBERI_ANIMBIN_TYPES || !walk_keys(w, emberi_get_u16(track + 2)))
            return false;
    }
    uint32_t markers = emberi_reader_u16(&w->reader);
    for (uint32_t i = 0; i < markers && emberi_reader_ok(&w->reader); i++)
        emberi_reader_take(&w->reader, OLD_MARKER_SIZE);
    return emberi_reader_ok(&w->reader);
}

bool emberi_animbin_is_prerelease(const uint8_t *data, size_t size)
{
    walk           w = {.reader = emberi_reader_init(data, size), .rotation = false};
    const uint8_t *head = emberi_reader_take(&w.reader, EMBERI_ANIMBIN_HEADER_SIZE);
    if (head == NULL || memcmp(head, EMBERI_ANIMBIN_MAGIC, sizeof(EMBERI_ANIMBIN_MAGIC) - 1) != 0 ||
        head[7] != EMBERI_ANIMBIN_VERSION)
        return false;
    for (uint32_t i = 0; i < head[8]; i++)
        if (!walk_animation(&w))
            return false;
    return w.rotation && emberi_reader_left(&w.reader) == 0;
}
