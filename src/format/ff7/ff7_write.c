/* SPDX-License-Identifier: MIT */
/* The model into a pack. Clips whose frames still are what their raw part (or the base pack) says are copied
   byte for byte; the others are made from their frames (ff7_part.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ff7/ff7_write.h"

/* Numbers of clips that a name may give; the game has about a hundred. */
#define WRITE_MOST_SLOTS 1024u

/* ---- what is lost ---- */

/* A clip that comes from elsewhere leaves more behind than one that was read from a pack. */
static void write_note_losses(const emberi_ff7_writing *w, const ember_clip *clip, bool known)
{
    ember_format_stores stored = emberi_ff7_ops.info.stores;
    stored.names = stored.parents = stored.rest = stored.inverse_binds = known;
    stored.rate = true; /* the game has only one, and the line below reports another */
    stored.raw = ember_ff7_clip_of(clip) != NULL;
    emberi_note_losses(&w->options->notes, w->model, clip, stored);
    double apart = clip->fps - EMBER_FF7_FPS;
    if (!known && clip->fps > 0.0 && (apart > 0.01 || apart < -0.01))
        emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "it has %g frames a second, the game plays %g", clip->fps, EMBER_FF7_FPS);
}

/* ---- items ---- */

/* The item for a made clip: its old bytes where it has any and nothing else is asked for, else its values. */
static ember_status write_item(emberi_ff7_writing *w, ember_ff7_item *item, const ember_ff7_clip *made,
                               bool changed, bool recode)
{
    const ember_ff7_options *options = &w->asked;
    if (made->bytes != NULL && (!recode || made->frame_count == 0)) {
        ember_ff7_chunk *chunk = EMBER_PUSH(&w->arena, ember_ff7_chunk, 1);
        if (chunk == NULL)
            return emberi_fail_memory(w->err);
        *chunk = (ember_ff7_chunk){.kind = made->kind,
                                   .bones_field = made->bones_field,
                                   .frames_field = made->frames_field,
                                   .size_field = made->byte_count,
                                   .payload = made->bytes,
                                   .payload_size = made->byte_count};
        *item = (ember_ff7_item){chunk, NULL, 0};
        return EMBER_OK;
    }
    ember_ff7_clip *clip = EMBER_PUSH(&w->arena, ember_ff7_clip, 1);
    if (clip == NULL)
        return emberi_fail_memory(w->err);
    *clip = *made;
    /* Values that a key has rounded once fit it again without loss. */
    uint32_t key = !changed && emberi_ff7_key_known(made->key) ? made->key : EMBER_FF7_KEY_AUTO;
    *item = (ember_ff7_item){NULL, clip, options->key_set ? options->key : key};
    return EMBER_OK;
}

/* ---- clips ---- */

/* Triples of the model's body clips. */
static uint32_t write_body_triples(const emberi_ff7_writing *w)
{
    return w->rig.bone_count == 1 ? 1 : w->rig.bone_count + 1;
}

static bool write_moves_bone(const ember_clip *clip, int32_t bone)
{
    for (uint32_t i = 0; bone >= 0 && i < clip->bone_count; i++)
        if (ember_clip_bone(clip, i) == (uint32_t)bone)
            return true;
    return false;
}

/* The two halves of a clip: either may be missing, the body's has kind SPECIAL then. */
typedef struct halves {
    bool           body, weapon;
    ember_ff7_item body_item, weapon_item;
    ember_ff7_clip body_clip, weapon_clip;
} halves;

/* Frames of one half: as many as it had, if the whole clip is as long as it was because the other half is,
   and this one holds still behind its end; else as many as the clip has. */
static uint32_t write_half_frames(const emberi_ff7_writing *w, const emberi_ff7_part *p,
                                  const ember_ff7_clip *other)
{
    const ember_clip     *clip = p->clip;
    const ember_ff7_clip *raw = ember_ff7_clip_of(clip), *own = p->reference;
    bool                  long_other = other != NULL && other->frame_count == clip->frame_count;
    /* The pack that it goes into need not have the weapon clip that it was paired with. */
    if (raw != NULL && raw->weapon != NULL && p->kind == EMBER_FF7_BODY)
        long_other = long_other || raw->weapon->frame_count == clip->frame_count;
    if (own == NULL || own->frame_count >= clip->frame_count || !long_other)
        return clip->frame_count;
    return emberi_ff7_part_holds(w, p, own->frame_count - 1) ? own->frame_count : clip->frame_count;
}

/* Whether the clip's own key stores its values without loss. */
static bool write_fits_key(const ember_ff7_clip *clip)
{
    size_t   count = (size_t)clip->frame_count * clip->triple_count;
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= (uint16_t)clip->rotations[i].x | (uint32_t)(uint16_t)clip->rotations[i].y |
                (uint32_t)(uint16_t)clip->rotations[i].z;
    return emberi_ff7_key_known(clip->key) && (bits & ((1u << clip->key) - 1u)) == 0;
}

static ember_status write_half(emberi_ff7_writing *w, uint32_t index, ember_ff7_kind kind,
                               const ember_ff7_clip *own, const ember_ff7_clip *other, ember_ff7_clip *out,
                               ember_ff7_item *item)
{
    const ember_clip *clip = &w->model->clips[index];
    emberi_ff7_part   p = {.clip = clip, .clip_index = index, .kind = kind, .reference = own};
    if (own != NULL && (own->frame_count == 0 || own->kind != kind))
        p.reference = NULL;
    p.frame_count = write_half_frames(w, &p, other);
    p.triple_count = kind == EMBER_FF7_WEAPON ? 1
                     : p.reference != NULL    ? p.reference->triple_count
                                              : write_body_triples(w);
    if (kind == EMBER_FF7_BODY && p.triple_count > w->rig.bone_count + 1)
        return emberi_fail_at(w->err, EMBER_E_LIMIT, emberi_place_clip(clip, index),
                              "%u bones are needed, the skeleton has %u", (unsigned)p.triple_count - 1,
                              (unsigned)w->rig.bone_count);
    if (kind == EMBER_FF7_BODY && p.triple_count < write_body_triples(w))
        emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "the pack's clip has %u triples a frame, the model's bones need %u: the others are left "
                     "out, is it the same model?",
                     (unsigned)p.triple_count, (unsigned)write_body_triples(w));
    ember_status          status = emberi_ff7_part_make(w, &p, out);
    /* Values that were edited go before the frames that were made from them. */
    const ember_ff7_clip *raw = ember_ff7_clip_of(clip), *edited = NULL;
    if (raw != NULL && clip->raw.edited)
        edited = raw->kind == kind                                  ? raw
                 : raw->weapon != NULL && raw->weapon->kind == kind ? raw->weapon
                                                                    : NULL;
    if (status == EMBER_OK && edited != NULL && edited->frame_count != 0 && !ember_ff7_same(edited, out)) {
        emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "its raw values do not give its frames: the raw values are stored");
        *out = *edited;
        out->bytes = NULL;
        return write_item(w, item, out, !write_fits_key(out), true);
    }
    bool recode = w->asked.key_set && w->asked.base == NULL;
    return status == EMBER_OK ? write_item(w, item, out, p.changed, recode) : status;
}

static ember_status write_clip(emberi_ff7_writing *w, uint32_t index, const ember_ff7_clip *raw,
                               const ember_ff7_clip *weapon, halves *out)
{
    const ember_clip *clip = &w->model->clips[index];
    ember_status      status = EMBER_OK;
    memset(out, 0, sizeof(*out));
    if (clip->frame_count == 0 && raw != NULL && raw->frame_count == 0 && raw->bytes != NULL) {
        out->body = true;
        out->body_clip = *raw;
        return write_item(w, &out->body_item, raw, false, false);
    }
    if (clip->frame_count == 0 || clip->bone_count == 0)
        return emberi_fail_at(w->err, EMBER_E_ARG, emberi_place_clip(clip, index), "the clip has no %s",
                              clip->frame_count == 0 ? "frames" : "bones");
    if (clip->space != EMBER_SPACE_LOCAL)
        return emberi_fail_at(w->err, EMBER_E_UNSUPPORTED, emberi_place_clip(clip, index),
                              "the clip is in model space, packs hold local clips");
    bool moves_weapon = write_moves_bone(clip, w->rig.weapon);
    out->body = write_moves_bone(clip, w->rig.root) && (raw == NULL || raw->kind != EMBER_FF7_WEAPON);
    out->weapon = moves_weapon && (weapon != NULL || !out->body);
    if (!out->body && !out->weapon)
        return emberi_fail_at(w->err, EMBER_E_ARG, emberi_place_clip(clip, index),
                              "the clip moves neither root nor weapon");
    if (out->body)
        status = write_half(w, index, EMBER_FF7_BODY, raw, weapon, &out->body_clip, &out->body_item);
    if (status == EMBER_OK && out->weapon) {
        const ember_ff7_clip *own = out->body ? weapon : raw;
        status = write_half(w, index, EMBER_FF7_WEAPON, own, out->body ? raw : NULL, &out->weapon_clip,
                            &out->weapon_item);
    }
    if (status == EMBER_OK)
        write_note_losses(w, clip, raw != NULL);
    return status;
}

/* The chunk that a clip's name names, body_07 or body_07.001; else the one its raw part comes
   from; -1: none below `count`. */
static int64_t write_chunk_of(const ember_clip *clip, uint32_t count)
{
    const ember_ff7_clip *raw = ember_ff7_clip_of(clip);
    for (int kind = EMBER_FF7_BODY; kind <= EMBER_FF7_SPECIAL; kind++) {
        const char *word = ember_ff7_kind_name((ember_ff7_kind)kind);
        size_t      size = strlen(word);
        if (strncmp(clip->name, word, size) != 0 || clip->name[size] != '_')
            continue;
        const char *digits = clip->name + size + 1;
        if (digits[0] < '0' || digits[0] > '9')
            continue;
        unsigned long index = strtoul(digits, NULL, 10);
        return index < count ? (int64_t)index : -1;
    }
    return raw != NULL && raw->index >= 0 && (uint32_t)raw->index < count ? raw->index : -1;
}

/* ---- a pack of its own ---- */

static bool write_add(ember_buffer *list, const ember_ff7_item *item)
{
    return ember_buffer_append(list, item, sizeof(*item));
}

/* Weapon clip i plays with clip i: those without a weapon get an empty slot. */
static bool write_add_weapons(ember_buffer *items, const halves *made, uint32_t count)
{
    static const ember_ff7_chunk empty = {.kind = EMBER_FF7_SPECIAL,
                                          .bones_field = EMBERI_FF7_WEAPON_BONES,
                                          .frames_field = 1,
                                          .size_field = sizeof(emberi_ff7_empty_slot),
                                          .payload = emberi_ff7_empty_slot,
                                          .payload_size = sizeof(emberi_ff7_empty_slot)};
    const ember_ff7_item         slot = {&empty, NULL, 0};
    uint32_t                     last = 0;
    for (uint32_t i = 0; i < count; i++)
        if (made[i].body && made[i].weapon)
            last = i + 1;
    for (uint32_t i = 0; i < last; i++)
        if (made[i].body && !write_add(items, made[i].weapon ? &made[i].weapon_item : &slot))
            return false;
    return true;
}

/* Where each clip and its weapon go: their numbers in the pack they come from, by which the game finds them.
   False where a clip has none, or two have the same. `slots` has room for all of them. */
static bool write_numbers(const emberi_ff7_writing *w, const halves *made, const ember_ff7_item **slots,
                          uint32_t *slot_count)
{
    *slot_count = 0;
    for (uint32_t i = 0; i < w->model->clip_count; i++) {
        const ember_ff7_clip *raw = ember_ff7_clip_of(&w->model->clips[i]);
        bool                  both = made[i].body && made[i].weapon;
        int64_t               own = write_chunk_of(&w->model->clips[i], WRITE_MOST_SLOTS);
        int64_t               other = both && raw != NULL && raw->weapon != NULL ? raw->weapon->index : -1;
        if (own < 0 || slots[own] != NULL || (both && (other < 0 || other >= WRITE_MOST_SLOTS)))
            return false;
        slots[own] = made[i].body ? &made[i].body_item : &made[i].weapon_item;
        if (both && slots[other] != NULL)
            return false;
        if (both)
            slots[other] = &made[i].weapon_item;
        uint32_t last = (uint32_t)(own > other ? own : other) + 1;
        *slot_count = last > *slot_count ? last : *slot_count;
    }
    return *slot_count != 0;
}

/* Replaces the items by those at their numbers, with empty slots between; false if there is no memory. Clips
   that are there already, or have no numbers, stay in their order. */
static bool write_place(emberi_ff7_writing *w, const halves *made, ember_buffer *items)
{
    const ember_ff7_item **slots = EMBER_PUSH(&w->arena, const ember_ff7_item *, WRITE_MOST_SLOTS);
    ember_ff7_chunk       *empty = EMBER_PUSH(&w->arena, ember_ff7_chunk, 1);
    uint32_t               count = 0, left = 0;
    if (slots == NULL || empty == NULL)
        return false;
    if (!write_numbers(w, made, slots, &count)) {
        for (uint32_t i = 0; i < w->model->clip_count; i++)
            left += write_chunk_of(&w->model->clips[i], WRITE_MOST_SLOTS) >= 0 ? 1u : 0u;
        if (left != 0)
            emberi_notef(
                &w->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                "not all clips have a number of their own: they are numbered in their order, and the "
                "game finds them by number (--base keeps a pack's)");
        return true;
    }
    *empty = (ember_ff7_chunk){.kind = EMBER_FF7_SPECIAL,
                               .bones_field = write_body_triples(w),
                               .frames_field = 1,
                               .size_field = sizeof(emberi_ff7_empty_slot),
                               .payload = emberi_ff7_empty_slot,
                               .payload_size = sizeof(emberi_ff7_empty_slot)};
    const ember_ff7_item hole = {empty, NULL, 0};
    items->size = 0;
    for (uint32_t i = 0; i < count; i++) {
        left += slots[i] == NULL ? 1u : 0u;
        if (!write_add(items, slots[i] != NULL ? slots[i] : &hole))
            return false;
    }
    if (left != 0)
        emberi_notef(&w->options->notes, EMBER_NOTE_REPORT, NULL, NULL,
                     "clips keep their numbers, %u empty %s put between them", (unsigned)left,
                     left == 1 ? "slot is" : "slots are");
    return true;
}

static ember_status write_whole(emberi_ff7_writing *w, ember_buffer *out, ember_buffer *items)
{
    uint32_t     count = w->model->clip_count;
    halves      *made = EMBER_PUSH(&w->arena, halves, count);
    ember_status status = made != NULL ? EMBER_OK : emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < count && status == EMBER_OK; i++) {
        const ember_ff7_clip *raw = ember_ff7_clip_of(&w->model->clips[i]);
        bool                  paired = write_moves_bone(&w->model->clips[i], w->rig.root);
        status = write_clip(w, i, raw, raw != NULL ? raw->weapon : NULL, &made[i]);
        /* A clip of other origin that moves both has a weapon part too. */
        if (status == EMBER_OK && raw == NULL && paired &&
            write_moves_bone(&w->model->clips[i], w->rig.weapon)) {
            made[i].weapon = true;
            status =
                write_half(w, i, EMBER_FF7_WEAPON, NULL, NULL, &made[i].weapon_clip, &made[i].weapon_item);
        }
        bool stored =
            status != EMBER_OK || write_add(items, made[i].body ? &made[i].body_item : &made[i].weapon_item);
        if (!stored)
            status = emberi_fail_memory(w->err);
    }
    if (status == EMBER_OK && (!write_add_weapons(items, made, count) || !write_place(w, made, items)))
        status = emberi_fail_memory(w->err);
    if (status != EMBER_OK)
        return status;
    const ember_ff7_clip *last = count != 0 ? ember_ff7_clip_of(&w->model->clips[count - 1]) : NULL;
    return ember_ff7_pack_write(out, (const ember_ff7_item *)(const void *)items->data,
                                (uint32_t)(items->size / sizeof(ember_ff7_item)),
                                last != NULL ? last->after : NULL, last != NULL ? last->after_size : 0,
                                w->err);
}

/* ---- into a base ---- */

static ember_status write_base_clip(emberi_ff7_writing *w, const ember_ff7_pack *base, ember_ff7_item *items,
                                    bool *taken, uint32_t index)
{
    const ember_clip *clip = &w->model->clips[index];
    int64_t           at = write_chunk_of(clip, base->chunk_count);
    if (at < 0) {
        emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "the base has no clip of that name: left out");
        return EMBER_OK;
    }
    if (taken[at])
        return emberi_fail_at(w->err, EMBER_E_ARG, emberi_place_clip(clip, index),
                              "there is another clip for chunk %u", (unsigned)at);
    taken[at] = true;
    const ember_ff7_chunk *chunk = &base->chunks[at];
    uint32_t partner = chunk->kind == EMBER_FF7_BODY ? ember_ff7_partner(base, (uint32_t)at) : UINT32_MAX;
    ember_ff7_clip was, weapon;
    halves         made;
    ember_status   status = ember_ff7_decode(&was, chunk, &w->arena, w->err);
    if (status == EMBER_OK && partner != UINT32_MAX)
        status = ember_ff7_decode(&weapon, &base->chunks[partner], &w->arena, w->err);
    if (status == EMBER_OK)
        status = write_clip(w, index, was.kind == EMBER_FF7_SPECIAL && clip->frame_count != 0 ? NULL : &was,
                            partner != UINT32_MAX ? &weapon : NULL, &made);
    if (status != EMBER_OK)
        return status;
    if (made.body || partner == UINT32_MAX)
        items[at] = made.body ? made.body_item : made.weapon_item;
    if (made.body && made.weapon)
        items[partner] = made.weapon_item;
    return EMBER_OK;
}

/* "3 of 94 clips have changed: body_07, body_08, weapon_55". */
static void write_note_changed(const emberi_ff7_writing *w, const ember_ff7_pack *base,
                               const ember_ff7_item *items)
{
    enum { NAMED = 12 };
    char     names[NAMED * 24 + 16] = "";
    size_t   used = 0;
    uint32_t changed = 0;
    for (uint32_t i = 0; i < base->chunk_count; i++) {
        if (items[i].chunk != NULL || changed++ >= NAMED)
            continue;
        int size = snprintf(names + used, sizeof(names) - used, "%s%s", used == 0 ? ": " : ", ",
                            emberi_ff7_name_of(items[i].clip->kind, i).text);
        used += size > 0 ? (size_t)size : 0;
    }
    emberi_notef(&w->options->notes, EMBER_NOTE_REPORT, NULL, NULL, "%u of %u clips %s changed%s%s",
                 (unsigned)changed, (unsigned)base->chunk_count, changed == 1 ? "has" : "have", names,
                 changed > NAMED ? " and others" : "");
}

static ember_status write_into_base(emberi_ff7_writing *w, ember_buffer *out, const ember_ff7_pack *base)
{
    ember_ff7_item *items = EMBER_PUSH(&w->arena, ember_ff7_item, base->chunk_count);
    bool           *taken = EMBER_PUSH(&w->arena, bool, base->chunk_count);
    ember_status    status = items != NULL && taken != NULL ? EMBER_OK : emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < base->chunk_count && status == EMBER_OK; i++)
        items[i] = (ember_ff7_item){&base->chunks[i], NULL, 0};
    for (uint32_t i = 0; i < w->model->clip_count && status == EMBER_OK; i++)
        status = write_base_clip(w, base, items, taken, i);
    if (status != EMBER_OK)
        return status;
    write_note_changed(w, base, items);
    return ember_ff7_pack_write(out, items, base->chunk_count, base->data + base->tail_offset,
                                base->size - base->tail_offset, w->err);
}

/* ---- all ---- */

static double write_longest(const ember_skeleton *skeleton)
{
    double longest = 0.0;
    for (uint32_t i = 0; skeleton->rest != NULL && i < skeleton->bone_count; i++) {
        ember_vec3 at = skeleton->rest[i].position;
        double     length = emberi_real_length((double)at.x, (double)at.y, (double)at.z);
        longest = length > longest ? length : longest;
    }
    return longest > 0.0 ? longest : 1.0;
}

/* What of the skeleton a pack has no place for. A rig of which only a bone called root is left is no model of
   the game. */
static ember_status write_check_rig(const emberi_ff7_writing *w)
{
    const emberi_ff7_rig *rig = &w->rig;
    const ember_skeleton *skeleton = &w->model->skeleton;
    uint32_t              kept = rig->bone_count, lost;
    kept += (rig->top >= 0 ? 1u : 0u) + (rig->root >= 0 ? 1u : 0u) + (rig->weapon >= 0 ? 1u : 0u);
    lost = skeleton->bone_count - kept;
    if (lost == 0)
        return EMBER_OK;
    if (kept < lost)
        return emberi_failf(
            w->err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
            "only %u of its %u bones are called as those of a pack are (ff7, root, bone_00 and "
            "on, weapon): the others would be lost",
            (unsigned)kept, (unsigned)skeleton->bone_count);
    emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                 "%u of its %u bones are not called as those of a pack are, and are not stored",
                 (unsigned)lost, (unsigned)skeleton->bone_count);
    return EMBER_OK;
}

ember_status emberi_ff7_write(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                              ember_error *err)
{
    emberi_ff7_writing w = {.model = model,
                            .options = options,
                            .asked = emberi_ff7_asked(options->ff7),
                            .err = err,
                            .arena = ember_arena_growing(out->allocator, 0)};
    ember_buffer       items = {.allocator = out->allocator};
    ember_status       status = EMBER_OK;
    if (w.asked.key_set && !emberi_ff7_key_known(w.asked.key))
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a key is 0, 2 or 4, not %u",
                            (unsigned)w.asked.key);
    w.length = write_longest(&model->skeleton);
    w.rig = (emberi_ff7_rig){-1, -1, -1, 0, NULL};
    if (model->skeleton.bone_count != 0)
        status = emberi_ff7_rig_find(&w.rig, &model->skeleton, &w.arena, err);
    if (status == EMBER_OK)
        status = write_check_rig(&w);
    if (status == EMBER_OK && !emberi_ff7_axes_find(&w))
        status = emberi_fail_memory(err);
    if (status == EMBER_OK)
        status = w.asked.base != NULL ? write_into_base(&w, out, w.asked.base) : write_whole(&w, out, &items);
    ember_buffer_free(&items);
    ember_arena_free(&w.arena);
    return status;
}
