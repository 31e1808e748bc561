/* SPDX-License-Identifier: MIT */
/* Skeletons: the file `**aa`, the model's bones made of it, and the way back from a model's bones to
   those of a pack. The file may be hostile: every bone is there before it is read, parents come first,
   lengths are finite. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hierarchy.h"
#include "base/maths.h"
#include "ember/pose.h"
#include "format/ff7/ff7_parts.h"

enum { AA_HEADER_SIZE = 52, AA_BONE_SIZE = 12 };

/* How long a bone is taken to be where no skeleton says: about a forearm, so that it can be seen. */
#define CHAIN_LENGTH (-100.0f)

/* ---- the file ---- */

/* Bones have numbers only. */
static emberi_place skeleton_place(uint32_t bone)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.bone = (int32_t)bone;
    return place;
}

ember_status ember_ff7_skeleton_read(ember_ff7_skeleton *out, const void *data, size_t size,
                                     ember_arena *arena, ember_error *err)
{
    const uint8_t *bytes = data;
    memset(out, 0, sizeof(*out));
    if (size < AA_HEADER_SIZE)
        return emberi_failf(err, EMBER_E_TRUNCATED, size, "%zu bytes, a skeleton has at least %d", size,
                            AA_HEADER_SIZE);
    uint32_t count = emberi_get_u32(bytes + 0x0C);
    if (count >= EMBER_FF7_MAX_TRIPLES)
        return emberi_failf(err, EMBER_E_LIMIT, 0x0C, "%d bones, possible are up to %u", (int)(int32_t)count,
                            EMBER_FF7_MAX_TRIPLES - 1);
    if ((size - AA_HEADER_SIZE) / AA_BONE_SIZE < count)
        return emberi_failf(err, EMBER_E_TRUNCATED, size, "%u bones need %u bytes, here are %zu",
                            (unsigned)count, (unsigned)(AA_HEADER_SIZE + count * AA_BONE_SIZE), size);
    ember_ff7_bone *bones = EMBER_PUSH(arena, ember_ff7_bone, count);
    if (bones == NULL)
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *p = bytes + AA_HEADER_SIZE + (size_t)i * AA_BONE_SIZE;
        bones[i].parent = (int32_t)emberi_get_u32(p);
        bones[i].length = emberi_float_of(emberi_get_u32(p + 4));
        bones[i].has_model = emberi_get_u32(p + 8) != 0;
        if (!emberi_parent_valid(bones[i].parent, i))
            return emberi_fail_at(err, EMBER_E_MALFORMED, skeleton_place(i),
                                  "its parent is %d, parents come first", (int)bones[i].parent);
        if (!emberi_is_finite(bones[i].length))
            return emberi_fail_at(err, EMBER_E_RANGE, skeleton_place(i), "its length is not finite");
    }
    *out = (ember_ff7_skeleton){.bone_count = count,
                                .joint_count = emberi_get_u32(bytes + 0x14),
                                .texture_count = emberi_get_u32(bytes + 0x18),
                                .body_clips = emberi_get_u32(bytes + 0x1C),
                                .weapon_count = emberi_get_u32(bytes + 0x24),
                                .weapon_clips = emberi_get_u32(bytes + 0x28),
                                .bones = bones};
    return EMBER_OK;
}

/* ---- the model's bones ---- */

typedef struct skeleton_making {
    int16_t         *parents;
    const char     **names;
    ember_transform *rest;
    uint32_t         count;
} skeleton_making;

static bool skeleton_add(skeleton_making *m, const char *name, int32_t parent, float z, ember_arena *arena)
{
    m->names[m->count] = emberi_copy_text(arena, name);
    m->parents[m->count] = (int16_t)parent;
    m->rest[m->count] = ember_transform_identity;
    m->rest[m->count].position.z = z;
    return m->names[m->count++] != NULL;
}

static bool skeleton_add_all(skeleton_making *m, const ember_ff7_skeleton *skeleton, uint32_t bone_count,
                             bool weapon, float scale, ember_arena *arena)
{
    bool done =
        skeleton_add(m, "ff7", EMBER_NO_PARENT, 0.0f, arena) && skeleton_add(m, "root", 0, 0.0f, arena);
    m->rest[0].rotation = (ember_quat){1.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < bone_count && done; i++) {
        char    name[24];
        int32_t parent = skeleton == NULL           ? (int32_t)i - 1
                         : i < skeleton->bone_count ? skeleton->bones[i].parent
                                                    : -1;
        float   length = parent < 0 ? 0.0f : skeleton == NULL ? CHAIN_LENGTH : skeleton->bones[parent].length;
        snprintf(name, sizeof(name), "bone_%02u", (unsigned)i);
        done = skeleton_add(m, name, parent + 2 > 1 ? parent + 2 : 1, length * scale, arena);
    }
    return done && (!weapon || skeleton_add(m, "weapon", 0, 0.0f, arena));
}

ember_status emberi_ff7_skeleton_make(ember_skeleton *out, const ember_ff7_skeleton *skeleton,
                                      uint32_t bone_count, bool weapon, float scale, ember_arena *arena,
                                      ember_error *err)
{
    uint32_t known =
        skeleton != NULL && skeleton->bone_count > bone_count ? skeleton->bone_count : bone_count;
    size_t          count = (size_t)known + 3;
    skeleton_making m = {.parents = EMBER_PUSH(arena, int16_t, count),
                         .names = EMBER_PUSH(arena, const char *, count),
                         .rest = EMBER_PUSH(arena, ember_transform, count)};
    if (m.parents == NULL || m.names == NULL || m.rest == NULL ||
        !skeleton_add_all(&m, skeleton, known, weapon, scale, arena))
        return emberi_fail_memory(err);
    *out = (ember_skeleton){.bone_count = m.count, .parents = m.parents, .names = m.names, .rest = m.rest};
    return EMBER_OK;
}

/* ---- and back ---- */

static ember_status rig_by_order(emberi_ff7_rig *out, const ember_skeleton *skeleton)
{
    out->top = skeleton->bone_count > 0 ? 0 : -1;
    out->root = skeleton->bone_count > 1 ? 1 : -1;
    out->bone_count = skeleton->bone_count > 2 ? skeleton->bone_count - 2 : 0;
    for (uint32_t i = 0; i < out->bone_count; i++)
        out->bones[i] = (uint16_t)(i + 2);
    return EMBER_OK;
}

ember_status emberi_ff7_rig_find(emberi_ff7_rig *out, const ember_skeleton *skeleton, ember_arena *arena,
                                 ember_error *err)
{
    *out = (emberi_ff7_rig){-1, -1, -1, 0, EMBER_PUSH(arena, uint16_t, skeleton->bone_count)};
    if (out->bones == NULL)
        return emberi_fail_memory(err);
    bool named = false;
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        named = named || emberi_bone_is_named(skeleton, i);
    if (!named)
        return rig_by_order(out, skeleton);
    out->top = ember_skeleton_find(skeleton, "ff7");
    out->root = ember_skeleton_find(skeleton, "root");
    out->weapon = ember_skeleton_find(skeleton, "weapon");
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        char name[24];
        snprintf(name, sizeof(name), "bone_%02u", (unsigned)i);
        int32_t bone = ember_skeleton_find(skeleton, name);
        if (bone < 0)
            break;
        out->bones[out->bone_count++] = (uint16_t)bone;
    }
    out->top = out->top < 0 ? -1 : out->top;
    if (out->root >= 0 && out->weapon > -2)
        return EMBER_OK;
    return emberi_failf(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                        "%s bone is called %s: the bones of a pack are ff7, root, bone_00 and on, weapon",
                        out->root == -1 ? "no" : "more than one", out->root < 0 ? "root" : "weapon");
}

/* ---- the format ---- */

static emberi_likeness aa_sniff(const uint8_t *data, size_t size)
{
    uint32_t count = size >= AA_HEADER_SIZE ? emberi_get_u32(data + 0x0C) : 0;
    if (count == 0 || count >= EMBER_FF7_MAX_TRIPLES || size != AA_HEADER_SIZE + (size_t)count * AA_BONE_SIZE)
        return EMBERI_UNLIKE;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *p = data + AA_HEADER_SIZE + (size_t)i * AA_BONE_SIZE;
        if (!emberi_parent_valid((int32_t)emberi_get_u32(p), i) ||
            !emberi_is_finite(emberi_float_of(emberi_get_u32(p + 4))))
            return EMBERI_UNLIKE;
    }
    return EMBERI_PLAUSIBLE;
}

static ember_status aa_read(ember_model *out, const emberi_source *source)
{
    ember_ff7_skeleton skeleton;
    ember_status       status =
        ember_ff7_skeleton_read(&skeleton, source->data, source->size, source->arena, source->err);
    if (status != EMBER_OK)
        return status;
    if (skeleton.bone_count == 0)
        return ember_fail(source->err, EMBER_E_UNSUPPORTED, 0x0C, "a battle location: it has no bones");
    size_t used = AA_HEADER_SIZE + (size_t)skeleton.bone_count * AA_BONE_SIZE;
    if (source->size > used)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%zu bytes follow the last bone", source->size - used);
    return emberi_ff7_skeleton_make(&out->skeleton, &skeleton, 0, skeleton.weapon_count != 0,
                                    emberi_source_scale(source), source->arena, source->err);
}

/* Four characters of which the last two are the kind, "rtaa": what the game's archive calls its files. */
static bool aa_named(const char *name)
{
    return strlen(name) == 4 && (name[2] | 32) == 'a' && (name[3] | 32) == 'a';
}

const emberi_format_ops emberi_ff7aa_ops = {
    .info = {.format = EMBER_FORMAT_FF7AA,
             .name = "ff7aa",
             .title = "Final Fantasy VII battle skeletons",
             .extensions = "??aa",
             .reads = true,
             .data_in_rom = true,
             .stores = {.parents = true, .rest = true}},
    .sniff = aa_sniff,
    .named = aa_named,
    .read = aa_read,
};
