/* SPDX-License-Identifier: MIT */
/* ANIMBIN written: clips made ready one after the other, then bytes. Everything that the format's counts
   cannot hold is an error with its number before anything is written for it. */
#include <string.h>

#include "base/bytes.h"
#include "format/animbin/animbin_parts.h"

/* ---- bytes ---- */

static void put_name(uint8_t *out, const char *name)
{
    memset(out, 0, EMBERI_ANIMBIN_NAME_SIZE);
    memcpy(out, name, strlen(name));
}

static uint8_t *put_key(uint8_t *out, const emberi_animbin_key *key)
{
    emberi_put_u16(out, key->frame);
    out[2] = key->type;
    out += EMBERI_ANIMBIN_KEY_SIZE;
    for (uint32_t i = 0; i < emberi_animbin_value_count(key->type); i++) {
        if (key->type == EMBERI_ANIMBIN_ROTATION) {
            emberi_put_u16(out, (uint16_t)key->value[i]);
            out += 2;
        } else {
            emberi_put_u32(out, (uint32_t)key->value[i]);
            out += 4;
        }
    }
    return out;
}

static bool put_track(ember_buffer *out, const emberi_animbin_track *track)
{
    size_t size = EMBERI_ANIMBIN_TRACK_SIZE;
    for (uint32_t i = 0; i < track->key_count; i++)
        size += emberi_animbin_key_size(track->keys[i].type);
    uint8_t *bytes = ember_buffer_grow(out, size);
    if (bytes == NULL)
        return false;
    bytes[0] = track->type;
    bytes[1] = track->joint;
    emberi_put_u16(bytes + 2, track->key_count);
    bytes += EMBERI_ANIMBIN_TRACK_SIZE;
    for (uint32_t i = 0; i < track->key_count; i++)
        bytes = put_key(bytes, &track->keys[i]);
    return true;
}

typedef struct writing {
    ember_buffer              *out;
    const ember_model         *model;
    const ember_write_options *options;
    emberi_animbin_view        view;
    ember_arena                arena;
    ember_error               *err;
    const char               **names;
    bool                       has_lengths; /* there are translations */
} writing;

static ember_status write_markers(writing *w, const ember_clip *clip)
{
    enum { CUTS_SAID = 5 };
    uint32_t     cut = 0;
    const char **full = EMBER_PUSH(&w->arena, const char *, clip->marker_count);
    if (full == NULL)
        return emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < clip->marker_count; i++)
        full[i] = clip->markers[i].name;
    const char **names = emberi_animbin_short_names(&w->arena, full, clip->marker_count);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        uint8_t *bytes = names != NULL ? ember_buffer_grow(w->out, EMBERI_ANIMBIN_MARKER_SIZE) : NULL;
        if (bytes == NULL)
            return emberi_fail_memory(w->err);
        put_name(bytes, names[i]);
        emberi_put_u16(bytes + EMBERI_ANIMBIN_NAME_SIZE, (uint16_t)clip->markers[i].frame);
        if (names[i] != full[i] && cut++ < CUTS_SAID)
            emberi_notef(&w->options->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                         "marker %s is stored as %s: names have at most 31 bytes", emberi_quote(full[i]).text,
                         emberi_quote(names[i]).text);
    }
    if (cut > CUTS_SAID)
        emberi_notef(&w->options->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "%u more names of markers are cut to 31 bytes", (unsigned)(cut - CUTS_SAID));
    return EMBER_OK;
}

static ember_status write_clip(writing *w, uint32_t index)
{
    const ember_clip       *clip = &w->model->clips[index];
    emberi_animbin_make_job job = {w->model, index, w->options, w->view, &w->arena, w->err};
    emberi_animbin_raw      raw = {.flags = 0};
    if (clip->marker_count > UINT16_MAX)
        return emberi_fail_at(w->err, EMBER_E_LIMIT, emberi_place_clip(clip, index),
                              "%u markers, ANIMBIN holds %u", (unsigned)clip->marker_count,
                              (unsigned)UINT16_MAX);
    ember_status status = emberi_animbin_make(&raw, &job);
    if (status != EMBER_OK)
        return status;
    emberi_animbin_note_losses(&job);
    if (w->names[index] != clip->name)
        emberi_notef(&w->options->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "the name is stored as %s: names have at most 31 bytes",
                     emberi_quote(w->names[index]).text);
    uint8_t *bytes = ember_buffer_grow(w->out, EMBERI_ANIMBIN_ANIMATION_SIZE);
    if (bytes == NULL)
        return emberi_fail_memory(w->err);
    put_name(bytes, w->names[index]);
    emberi_put_u32(bytes + 0x20, raw.flags);
    emberi_put_u16(bytes + 0x24, raw.length);
    emberi_put_u16(bytes + 0x26, raw.track_count);
    emberi_put_u16(bytes + 0x28, (uint16_t)clip->marker_count);
    for (uint32_t i = 0; i < raw.track_count; i++) {
        w->has_lengths = w->has_lengths || raw.tracks[i].type == EMBERI_ANIMBIN_TRANSLATION;
        if (!put_track(w->out, &raw.tracks[i]))
            return emberi_fail_memory(w->err);
    }
    return write_markers(w, clip);
}

static ember_status write_all(writing *w)
{
    const ember_model *model = w->model;
    const char       **full = EMBER_PUSH(&w->arena, const char *, model->clip_count);
    uint8_t           *bytes = ember_buffer_grow(w->out, EMBERI_ANIMBIN_HEADER_SIZE);
    if (full == NULL || bytes == NULL)
        return emberi_fail_memory(w->err);
    memcpy(bytes, EMBERI_ANIMBIN_MAGIC, sizeof(EMBERI_ANIMBIN_MAGIC) - 1);
    bytes[7] = EMBERI_ANIMBIN_VERSION;
    bytes[8] = (uint8_t)model->clip_count;
    for (uint32_t i = 0; i < model->clip_count; i++)
        full[i] = model->clips[i].name;
    w->names = emberi_animbin_short_names(&w->arena, full, model->clip_count);
    if (w->names == NULL)
        return emberi_fail_memory(w->err);
    if (model->clip_count == 0)
        emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "there are no clips: the file holds no animation");
    ember_status status = EMBER_OK;
    for (uint32_t i = 0; i < model->clip_count && status == EMBER_OK; i++) {
        ember_arena_mark mark = ember_arena_save(&w->arena);
        status = write_clip(w, i);
        ember_arena_restore(&w->arena, mark);
    }
    return status;
}

static ember_status write_check_options(const ember_animbin_options *options, ember_error *err)
{
    if ((unsigned)options->keys > EMBER_ANIMBIN_KEYS_SPARSE ||
        (unsigned)options->translations > EMBER_ANIMBIN_TRANSLATIONS_ALWAYS ||
        (unsigned)options->rounding > EMBER_ROUND_TRUNCATE)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                          "an option for ANIMBIN has a value that does not exist");
    return EMBER_OK;
}

static ember_status animbin_write(ember_buffer *out, const ember_model *model,
                                  const ember_write_options *options, ember_error *err)
{
    writing               w = {.out = out, .model = model, .options = options, .err = err};
    ember_animbin_options asked = emberi_animbin_asked(options->animbin);
    ember_status          status = write_check_options(&asked, err);
    if (status == EMBER_OK && model->clip_count > EMBERI_ANIMBIN_MAX_ANIMATIONS)
        status = emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "%u clips, an ANIMBIN file holds %d",
                              (unsigned)model->clip_count, EMBERI_ANIMBIN_MAX_ANIMATIONS);
    if (status != EMBER_OK)
        return status;
    w.arena = ember_arena_growing(out->allocator, 0);
    status = emberi_animbin_view_of(&w.view, options->animbin, &model->skeleton, &w.arena, err);
    if (status == EMBER_OK)
        status = write_all(&w);
    if (status == EMBER_OK && w.has_lengths && asked.unit == EMBER_ANIMBIN_UNIT_AUTO &&
        w.view.unit != EMBERI_ANIMBIN_UNIT)
        emberi_notef(&options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "the unit, by the skeleton, is %.0f: whoever reads the file must know it, or take auto "
                     "with this skeleton",
                     w.view.unit);
    ember_arena_free(&w.arena);
    return status;
}

const emberi_format_ops emberi_animbin_ops = {
    .info =
        {.format = EMBER_FORMAT_ANIMBIN,
         .name = "animbin",
         .title = "PlayStation ANIMBIN clips",
         .extensions = "animbin",
         .default_fps = EMBERI_ANIMBIN_FPS,
         .reads = true,
         .writes = true,
         .fits = true,
         .data_in_rom = true,
         .rest_from_skeleton = true,
         .default_space = EMBER_SPACE_LOCAL,
         .takes = EMBER_TAKES_ANIMBIN,
         .stores = {.clips = true, .bones = true, .loop = true, .markers = true, .raw = true, .space = true}},
    .sniff = emberi_animbin_sniff,
    .read = emberi_animbin_read,
    .write = animbin_write,
    .raw_write = emberi_animbin_raw_write,
    .raw_read = emberi_animbin_raw_read,
};
