/* SPDX-License-Identifier: MIT */
/* A pack into the model: every chunk a clip, in order, its integers kept as the raw part. What is odd but can
   be read is told as a warning; no clip has more frames than are there. */
#include <string.h>

#include "base/bytes.h"
#include "format/ff7/ff7_parts.h"
#include "model/skeleton.h"

/* ---- telling a pack ---- */

/* All sizes agree to the last byte, and most chunks look like what they should be. */
static emberi_likeness ff7_sniff(const uint8_t *data, size_t size)
{
    if (size < EMBERI_FF7_COUNT_SIZE + EMBERI_FF7_HEADER_SIZE)
        return EMBERI_UNLIKE;
    uint32_t count = emberi_get_u32(data), good = 0;
    size_t   at = EMBERI_FF7_COUNT_SIZE;
    if (count == 0 || count > size / EMBERI_FF7_HEADER_SIZE)
        return EMBERI_UNLIKE;
    for (uint32_t i = 0; i < count; i++) {
        if (size - at < EMBERI_FF7_HEADER_SIZE)
            return EMBERI_UNLIKE;
        uint32_t bones = emberi_get_u32(data + at), payload = emberi_get_u32(data + at + 8);
        at += EMBERI_FF7_HEADER_SIZE;
        if (payload > size - at)
            return EMBERI_UNLIKE;
        bool special = payload < EMBERI_FF7_LEAST_SIZE;
        good += special || (bones != 0 && bones <= EMBER_FF7_MAX_TRIPLES &&
                            emberi_get_u16(data + at + 2) <= payload - EMBERI_FF7_MINI_SIZE)
                    ? 1u
                    : 0u;
        at += payload;
    }
    return at == size && good * 2 >= count ? EMBERI_PLAUSIBLE : EMBERI_UNLIKE;
}

static bool ff7_named(const char *name)
{
    return strlen(name) == 4 && (name[2] | 32) == 'd' && (name[3] | 32) == 'a';
}

/* ---- the skeleton ---- */

typedef struct reading {
    const emberi_source  *source;
    ember_ff7_pack        pack;
    ember_ff7_clip       *raws;
    emberi_ff7_rig        rig;
    const ember_skeleton *skeleton;
    float                 scale;
} reading;

/* FF7 bones that the clips move, and whether there are weapons. */
static uint32_t read_bone_count(const ember_ff7_pack *pack, bool *weapon)
{
    uint32_t count = 0;
    *weapon = false;
    for (uint32_t i = 0; i < pack->chunk_count; i++) {
        const ember_ff7_chunk *chunk = &pack->chunks[i];
        *weapon = *weapon || chunk->kind == EMBER_FF7_WEAPON;
        if (chunk->kind == EMBER_FF7_BODY && chunk->frame_count != 0 && chunk->triple_count > count + 1)
            count = chunk->triple_count - 1;
    }
    return count;
}

static ember_status read_own_skeleton(ember_skeleton *out, reading *r, uint32_t bone_count, bool weapon)
{
    const emberi_source      *source = r->source;
    const ember_ff7_skeleton *skeleton = emberi_ff7_asked(source->options->ff7).skeleton;
    if (skeleton == NULL && bone_count > 1)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "no skeleton is given (--skeleton, the file whose name ends in aa): the %u bones are "
                     "taken for a chain",
                     (unsigned)bone_count);
    if (skeleton != NULL && bone_count > skeleton->bone_count)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "clips move %u bones, the skeleton has %u: the others are put on the root",
                     (unsigned)bone_count, (unsigned)skeleton->bone_count);
    weapon = weapon || (skeleton != NULL && skeleton->weapon_count != 0);
    return emberi_ff7_skeleton_make(out, skeleton, bone_count, weapon, r->scale, source->arena, source->err);
}

static ember_status read_skeleton(ember_skeleton *out, reading *r)
{
    const emberi_source  *source = r->source;
    const ember_skeleton *given = source->options->skeleton;
    bool                  weapon;
    uint32_t              bone_count = read_bone_count(&r->pack, &weapon);
    ember_status          status;
    if (given == NULL || given->bone_count == 0 || emberi_ff7_asked(source->options->ff7).skeleton != NULL)
        status = read_own_skeleton(out, r, bone_count, weapon);
    else
        status =
            emberi_skeleton_copy(out, given, 0, source->arena) ? EMBER_OK : emberi_fail_memory(source->err);
    r->skeleton = out;
    if (status == EMBER_OK)
        status = emberi_ff7_rig_find(&r->rig, out, source->arena, source->err);
    if (status == EMBER_OK && (r->rig.root < 0 || bone_count > r->rig.bone_count))
        return emberi_failf(source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "clips move %u bones, the skeleton has %u of them", (unsigned)bone_count,
                            (unsigned)r->rig.bone_count);
    if (status == EMBER_OK && weapon && r->rig.weapon < 0)
        return emberi_failf(source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "there are weapon clips, but the skeleton has no bone for them");
    return status;
}

/* How many bones a pack's common skeleton has, for the number of triples; 0 where there is none. */
static ember_status read_pack(reading *r)
{
    const emberi_source      *source = r->source;
    const ember_ff7_skeleton *skeleton = emberi_ff7_asked(source->options->ff7).skeleton;
    ember_ff7_skeleton        counted = {.bone_count = 0};
    if (skeleton == NULL && source->options->skeleton != NULL) {
        ember_arena_mark mark = ember_arena_save(source->arena);
        ember_status     status =
            emberi_ff7_rig_find(&r->rig, source->options->skeleton, source->arena, source->err);
        ember_arena_restore(source->arena, mark);
        if (status != EMBER_OK)
            return status;
        counted.bone_count = r->rig.bone_count;
        skeleton = &counted;
    }
    uint8_t *copy = EMBER_PUSH(source->arena, uint8_t, source->size);
    if (copy == NULL)
        return emberi_fail_memory(source->err);
    memcpy(copy, source->data, source->size);
    return ember_ff7_pack_read(&r->pack, copy, source->size, skeleton, source->arena, source->err);
}

/* ---- clips ---- */

static ember_transform read_transform(ember_ff7_triple rotation, ember_vec3 position)
{
    ember_transform t = EMBER_TRANSFORM_IDENTITY;
    t.rotation = ember_ff7_quat(rotation);
    t.position = position;
    return t;
}

/* Root or weapon: they carry the frame's position, and the half turn where no bone above them does. */
static ember_transform read_moving(const reading *r, const ember_ff7_clip *raw, uint32_t frame)
{
    ember_ff7_triple at = raw->positions[frame];
    ember_vec3       position = {(float)at.x * r->scale, (float)at.y * r->scale, (float)at.z * r->scale};
    ember_transform  t = read_transform(raw->rotations[(size_t)frame * raw->triple_count], position);
    return r->rig.top >= 0 ? t : emberi_ff7_turned(&t);
}

static uint32_t read_clip_bones(const reading *r, uint16_t *bones, const ember_ff7_clip *raw,
                                const ember_ff7_clip *weapon)
{
    uint32_t count = 0;
    if (r->rig.top >= 0)
        bones[count++] = (uint16_t)r->rig.top;
    if (raw != NULL)
        bones[count++] = (uint16_t)r->rig.root;
    for (uint32_t i = 0; raw != NULL && i + 1 < raw->triple_count; i++)
        bones[count++] = r->rig.bones[i];
    if (weapon != NULL)
        bones[count++] = (uint16_t)r->rig.weapon;
    return count;
}

static uint32_t read_held(const ember_ff7_clip *raw, uint32_t frame)
{
    return frame < raw->frame_count ? frame : raw->frame_count - 1;
}

static void read_frame(const reading *r, ember_transform *out, const ember_ff7_clip *raw,
                       const ember_ff7_clip *weapon, uint32_t frame)
{
    const ember_transform *rest = r->skeleton->rest;
    if (r->rig.top >= 0)
        *out++ = rest != NULL ? rest[r->rig.top] : ember_transform_identity;
    if (raw != NULL) {
        uint32_t                at = read_held(raw, frame);
        const ember_ff7_triple *row = raw->rotations + (size_t)at * raw->triple_count;
        *out++ = read_moving(r, raw, at);
        for (uint32_t i = 1; i < raw->triple_count; i++)
            *out++ = read_transform(row[i], rest != NULL ? rest[r->rig.bones[i - 1]].position
                                                         : ember_transform_identity.position);
    }
    if (weapon != NULL)
        *out = read_moving(r, weapon, read_held(weapon, frame));
}

static bool read_in_order(const uint16_t *bones, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (bones[i] != i)
            return false;
    return true;
}

static ember_status read_clip(ember_clip *out, const reading *r, const ember_ff7_clip *raw)
{
    const emberi_source  *source = r->source;
    const ember_ff7_clip *body = raw->kind == EMBER_FF7_BODY ? raw : NULL;
    const ember_ff7_clip *weapon = raw->kind == EMBER_FF7_WEAPON ? raw : raw->weapon;
    *out = (ember_clip){.name = emberi_copy_text(source->arena,
                                                 emberi_ff7_name_of(raw->kind, (uint32_t)raw->index).text),
                        .fps = emberi_source_fps(source, EMBER_FF7_FPS),
                        .loop = source->options->loop,
                        .space = emberi_source_space(source, EMBER_SPACE_LOCAL),
                        .raw = {.format = EMBER_FORMAT_FF7, .data = raw}};
    if (out->name == NULL)
        return emberi_fail_memory(source->err);
    if (raw->frame_count == 0)
        return EMBER_OK;
    uint32_t frames =
        weapon != NULL && weapon->frame_count > raw->frame_count ? weapon->frame_count : raw->frame_count;
    uint16_t *bones = EMBER_PUSH(source->arena, uint16_t, (size_t)raw->triple_count + 2);
    if (bones == NULL)
        return emberi_fail_memory(source->err);
    uint32_t         count = read_clip_bones(r, bones, body, weapon);
    ember_transform *to =
        ember_arena_push(source->arena, frames, count * sizeof(*to), _Alignof(ember_transform));
    if (to == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < frames; i++)
        read_frame(r, to + (size_t)i * count, body, weapon, i);
    out->bone_count = count;
    out->bones = read_in_order(bones, count) ? NULL : bones;
    out->frame_count = frames;
    out->frames = to;
    return EMBER_OK;
}

/* ---- the raw parts ---- */

static void read_warn(const reading *r, const ember_ff7_chunk *chunk)
{
    emberi_ff7_name name = emberi_ff7_name_of(chunk->kind, chunk->index);
    for (uint32_t bit = 1; bit <= EMBER_FF7_ODD_TRAILING; bit <<= 1)
        if ((chunk->odd & bit) != 0)
            emberi_notef(&r->source->options->notes,
                         bit == EMBER_FF7_ODD_TRAILING ? EMBER_NOTE_DETAIL : EMBER_NOTE_WARNING, name.text,
                         NULL, "%s", ember_ff7_odd_text(chunk, bit).text);
}

static ember_status read_raws(reading *r)
{
    const ember_ff7_pack *pack = &r->pack;
    const emberi_source  *source = r->source;
    ember_status          status = EMBER_OK;
    r->raws = EMBER_PUSH(source->arena, ember_ff7_clip, pack->chunk_count);
    if (r->raws == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < pack->chunk_count && status == EMBER_OK; i++) {
        status = ember_ff7_decode(&r->raws[i], &pack->chunks[i], source->arena, source->err);
        read_warn(r, &pack->chunks[i]);
    }
    if (status != EMBER_OK)
        return status;
    if (pack->chunk_count != pack->count_field) {
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%u clips are counted, %u are there", (unsigned)pack->count_field,
                     (unsigned)pack->chunk_count);
    } else if (pack->tail_offset < pack->size) {
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%zu bytes follow the last clip", pack->size - pack->tail_offset);
        if (pack->chunk_count != 0) {
            r->raws[pack->chunk_count - 1].after = pack->data + pack->tail_offset;
            r->raws[pack->chunk_count - 1].after_size = pack->size - pack->tail_offset;
        }
    }
    return EMBER_OK;
}

/* Body clips take their weapon clips in; those are no clips of their own then. */
static uint32_t read_pair(reading *r, bool *taken)
{
    uint32_t left = r->pack.chunk_count;
    for (uint32_t i = 0; i < r->pack.chunk_count; i++) {
        uint32_t partner = ember_ff7_partner(&r->pack, i);
        if (r->raws[i].kind != EMBER_FF7_BODY || partner == UINT32_MAX || r->raws[i].frame_count == 0 ||
            r->raws[partner].frame_count == 0)
            continue;
        r->raws[i].weapon = &r->raws[partner];
        taken[partner] = true;
        left--;
    }
    return left;
}

static ember_status ff7_read(ember_model *out, const emberi_source *source)
{
    reading      r = {.source = source, .scale = emberi_source_scale(source)};
    ember_status status = read_pack(&r);
    if (status == EMBER_OK)
        status = read_raws(&r);
    if (status == EMBER_OK)
        status = read_skeleton(&out->skeleton, &r);
    if (status != EMBER_OK)
        return status;
    bool *taken = EMBER_PUSH(source->arena, bool, r.pack.chunk_count);
    if (taken == NULL)
        return emberi_fail_memory(source->err);
    uint32_t count = emberi_ff7_asked(source->options->ff7).pair ? read_pair(&r, taken) : r.pack.chunk_count,
             at = 0;
    ember_clip *clips = EMBER_PUSH(source->arena, ember_clip, count);
    if (clips == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < r.pack.chunk_count && status == EMBER_OK; i++)
        if (!taken[i])
            status = read_clip(&clips[at++], &r, &r.raws[i]);
    out->clips = clips;
    out->clip_count = count;
    return status;
}

const emberi_format_ops emberi_ff7_ops = {
    .info = {.format = EMBER_FORMAT_FF7,
             .name = "ff7",
             .title = "Final Fantasy VII battle animations",
             .extensions = "a00 ??da",
             .reads = true,
             .writes = true,
             .data_in_rom = true,
             .empty_clips = true,
             .default_space = EMBER_SPACE_LOCAL,
             .default_fps = EMBER_FF7_FPS,
             .takes = EMBER_TAKES_FF7,
             .stores = {.clips = true, .bones = true, .raw = true, .space = true}},
    .sniff = ff7_sniff,
    .named = ff7_named,
    .read = ff7_read,
    .write = emberi_ff7_write,
    .raw_write = emberi_ff7_raw_write,
    .raw_read = emberi_ff7_raw_read,
};
