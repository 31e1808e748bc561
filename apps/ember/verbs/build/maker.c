/* SPDX-License-Identifier: MIT */
/* Assets of one file: added under ids of their own, written by the library, kept until the ROM is packed.
   What ember.json says of a part goes before what the file says. */
#include "verbs/build/maker.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ember/image.h"

void maker_put(maker *m, ember_rom_asset asset, const char *name, uint32_t number)
{
    build_origin *origin = build_origin_add(m->file, asset.kind, asset.id, name, asset.method);
    origin->number = number;
    asset.id = origin->id; /* lives as long as the file */
    asset.method = EMBER_SQUEEZE_RAW;
    m->assets = must_grow(m->assets, m->count, sizeof(*m->assets));
    m->assets[m->count++] = asset;
}

void maker_add(maker *m, ember_rom_asset asset, const char *name, uint32_t number)
{
    for (size_t i = 0; i < m->file->origin_count; i++) {
        const build_origin *other = &m->file->origins[i];
        if (other->kind == asset.kind && strcmp(other->id, asset.id) == 0) {
            say_error(&m->say, (place){NULL, name, NULL},
                      "the %s id '%s' is also that of '%s': give #%u or #%u another \"id\" in ember.json",
                      ember_rom_kind_name(asset.kind), asset.id, other->name != NULL ? other->name : "",
                      (unsigned)number, (unsigned)other->number);
            return;
        }
    }
    maker_put(m, asset, name, number);
}

const uint8_t *maker_keep(maker *m, const ember_buffer *bytes)
{
    uint8_t *copy = ember_arena_push(&m->arena, bytes->size, 1, 16);
    if (copy == NULL)
        say_error(&m->say, maker_nowhere, "out of memory");
    else if (bytes->size != 0)
        memcpy(copy, bytes->data, bytes->size);
    return copy;
}

static void maker_take_note(void *user, const ember_note *note)
{
    maker *m = user;
    place  where = {NULL, note->clip, note->bone};
    /* What a single file does not hold, the ROM does. */
    if (note->kind == EMBER_NOTE_WARNING)
        say_warning(&m->say, where, "%s", note->text);
}

bool maker_write(maker *m, ember_rom_asset *asset, const ember_model *model, ember_fit fit, const char *name)
{
    ember_buffer        bytes = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = ember_rom_kind_format(asset->kind),
                                   .space = asset->space,
                                   .fit = fit};
    options.notes = (ember_notes){maker_take_note, m};
    asset->data = NULL;
    if (ember_model_write(&bytes, model, &options, &err) != EMBER_OK)
        say_library_at(&m->say, (place){NULL, name, NULL}, &err);
    else
        asset->data = maker_keep(m, &bytes);
    asset->size = bytes.size;
    ember_buffer_free(&bytes);
    return asset->data != NULL;
}

char *maker_part_id(const maker *m, const build_choice *choice, const char *name, uint32_t index,
                    uint32_t count)
{
    if (choice->id != NULL)
        return text_make("%s", choice->id);
    if (count == 1)
        return text_make("%s", m->id);
    char *part = name[0] != '\0' ? build_id(name) : text_make("%u", (unsigned)index);
    char *id = text_make("%s/%s", m->id, part);
    free(part);
    return id;
}

bool maker_image_is_whole(maker *m, const uint8_t *data, size_t size, const char *name)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_error  err = EMBER_ERROR_INIT;
    ember_image  image;
    ember_status status = ember_image_read(&image, data, size, &arena, &err);
    ember_arena_free(&arena);
    /* Other kinds of images the ROM refuses itself; a build without a library for this one cannot tell. */
    if (status == EMBER_OK || status == EMBER_E_UNSUPPORTED)
        return true;
    say_error(&m->say, (place){NULL, name, NULL}, "the image cannot be decoded: %s", err.text);
    return false;
}

void maker_check_seen(maker *m, const char *what, const json_t *parts, const bool *seen)
{
    for (size_t i = 0; i < json_array_size(parts); i++)
        if (!seen[i])
            say_error(&m->say, maker_nowhere, "ember.json wants its %s '%s', there is none", what,
                      json_string_value(json_array_get(parts, i)));
    for (size_t i = 0; i < json_object_size(parts); i++)
        if (!seen[i])
            say_error(&m->say, maker_nowhere, "ember.json speaks of its %s '%s', there is none", what,
                      json_object_key(parts, i));
}
