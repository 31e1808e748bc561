/* SPDX-License-Identifier: MIT */
/* Opening packs with the skeleton that belongs to them, and reading which chunks are meant. */
#include "verbs/ff7/ff7_pack_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/text.h"
#include "platform/folders.h"

bool ff7_pack_is_named(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t      size = strlen(name);
    return (size == 4 && strcasecmp(name + 2, "da") == 0) ||
           (size > 4 && strcasecmp(name + size - 4, ".a00") == 0);
}

/* "rtaa" for "rtda" where such a file is there, NULL otherwise. Free it. */
static char *pack_skeleton_path(const char *path)
{
    size_t size = strlen(path);
    if (!ff7_pack_is_named(path) || tolower((unsigned char)path[size - 1]) != 'a')
        return NULL;
    char *beside = text_make("%s", path);
    beside[size - 2] = isupper((unsigned char)path[size - 2]) ? 'A' : 'a';
    if (emberi_path_is(beside) == EMBERI_PATH_FILE)
        return beside;
    free(beside);
    return NULL;
}

static bool pack_read_skeleton(ff7_pack *out, const char *path, app_say *say)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    bool         good =
        ember_file_read(&bytes, path, 0, &err) == EMBER_OK &&
        ember_ff7_skeleton_read(&out->skeleton, bytes.data, bytes.size, &out->arena, &err) == EMBER_OK;
    if (!good)
        say_library(say, path, &err);
    ember_buffer_free(&bytes);
    return good;
}

/* Any bytes can be taken for chunks, mostly for one that ends early. Those of a pack hold a frame or an empty
   slot somewhere. */
static bool pack_has_sense(const ember_ff7_pack *pack)
{
    for (uint32_t i = 0; i < pack->chunk_count; i++) {
        const ember_ff7_chunk *chunk = &pack->chunks[i];
        if (chunk->frame_count != 0 ||
            (chunk->kind == EMBER_FF7_SPECIAL && (chunk->odd & EMBER_FF7_ODD_CUT) == 0))
            return true;
    }
    return pack->chunk_count == 0 && pack->tail_offset == pack->size;
}

bool ff7_is_skeleton(const ember_format_info *info) { return info->format == EMBER_FORMAT_FF7AA; }

bool ff7_pack_read(ember_ff7_pack *out, const ember_buffer *bytes, const char *path,
                   const ember_ff7_skeleton *skeleton, ember_arena *arena, app_say *say)
{
    ember_error              err = EMBER_ERROR_INIT;
    place                    at = {say_input_name(path), NULL, NULL};
    const ember_format_info *info = ember_format_sniff(bytes->data, bytes->size, path);
    if (info != NULL && ff7_is_skeleton(info))
        say_error(say, at, "is a skeleton, not a pack: give it with --skeleton");
    else if (info != NULL && info->format != EMBER_FORMAT_FF7)
        say_error(say, at, "is %s, not a pack", info->name);
    else if (ember_ff7_pack_read(out, bytes->data, bytes->size, skeleton, arena, &err) != EMBER_OK)
        say_library(say, at.file, &err);
    else if (!pack_has_sense(out))
        say_error(say, at, "there is not one frame of an animation in it: not a pack");
    else
        return true;
    return false;
}

bool ff7_pack_open(ff7_pack *out, const char *path, const char *skeleton, app_say *say)
{
    ember_error err = EMBER_ERROR_INIT;
    memset(out, 0, sizeof(*out));
    out->path = path;
    out->name = say_input_name(path);
    out->arena = ember_arena_growing(ember_heap(), 0);
    out->bytes.allocator = ember_heap();
    char *beside = skeleton == NULL ? pack_skeleton_path(path) : NULL;
    bool  good = true;
    if (beside != NULL)
        say_detail(say, (place){out->name, NULL, NULL}, "with the skeleton %s", beside);
    if (skeleton != NULL || beside != NULL)
        good = pack_read_skeleton(out, skeleton != NULL ? skeleton : beside, say);
    free(beside);
    if (!good)
        return false;
    if (ember_file_read(&out->bytes, path, 0, &err) != EMBER_OK) {
        say_library(say, out->name, &err);
        return false;
    }
    const ember_ff7_skeleton *used = out->skeleton.bone_count != 0 ? &out->skeleton : NULL;
    return ff7_pack_read(&out->pack, &out->bytes, path, used, &out->arena, say);
}

void ff7_pack_tell(const ff7_pack *file, bool chunks, const char *tail, app_say *say)
{
    const ember_ff7_pack *pack = &file->pack;
    place                 at = {file->name, NULL, NULL};
    bool                  counted = pack->chunk_count == pack->count_field;
    if (chunks && !counted)
        say_warning(say, at, "%u chunks are counted, %u are there: counted anew", (unsigned)pack->count_field,
                    (unsigned)pack->chunk_count);
    if (counted && pack->tail_offset < pack->size)
        say_warning(say, at, "%zu bytes follow the last chunk: %s", pack->size - pack->tail_offset, tail);
    const ember_ff7_chunk *last = pack->chunk_count != 0 ? &pack->chunks[pack->chunk_count - 1] : NULL;
    if (chunks && last != NULL && (last->odd & EMBER_FF7_ODD_CUT) != 0)
        say_warning(say, at, "chunk %u: %s: %s", (unsigned)last->index,
                    ember_ff7_odd_text(last, EMBER_FF7_ODD_CUT).text,
                    last->frame_count != 0 ? "ended after its last whole frame" : "made an empty slot");
}

void ff7_pack_close(ff7_pack *pack)
{
    ember_buffer_free(&pack->bytes);
    ember_arena_free(&pack->arena);
}

bool ff7_chunk_number(uint32_t *out, const char *word, uint32_t count, const ff7_pack *pack, app_say *say)
{
    if (!text_read_u32(out, word)) {
        say_error(say, (place){pack->name, NULL, NULL}, "'%s' is not a chunk's number", word);
        return false;
    }
    if (*out >= count) {
        if (count == 0)
            say_error(say, (place){pack->name, NULL, NULL}, "there is no chunk %u, the pack is empty",
                      (unsigned)*out);
        else
            say_error(say, (place){pack->name, NULL, NULL}, "there is no chunk %u, the last is %u",
                      (unsigned)*out, (unsigned)(count - 1));
        return false;
    }
    return true;
}

bool ff7_chunk_list(bool *marked, const char *const *words, size_t count, const ff7_pack *pack, app_say *say)
{
    uint32_t chunk_count = pack->pack.chunk_count;
    for (size_t i = 0; i < count; i++) {
        char    *first = text_make("%s", words[i]);
        char    *dash = strchr(first, '-');
        uint32_t from = 0, to = 0;
        if (dash != NULL)
            *dash = '\0';
        bool good = ff7_chunk_number(&from, first, chunk_count, pack, say) &&
                    (dash == NULL || ff7_chunk_number(&to, dash + 1, chunk_count, pack, say));
        if (dash == NULL)
            to = from;
        if (good && to < from) {
            say_error(say, (place){pack->name, NULL, NULL}, "'%s' runs backwards", words[i]);
            good = false;
        }
        free(first);
        if (!good)
            return false;
        for (uint32_t chunk = from; chunk <= to; chunk++)
            marked[chunk] = true;
    }
    return true;
}
