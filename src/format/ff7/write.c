/* The model into a pack. Clips whose frames still are what their raw part (or the base pack) says are copied byte for byte; in
   the others every value that has not moved keeps its integers, and the rest is rounded, each rotation on the branch that is
   nearest to the frame before. */
#include <stdlib.h>
#include <string.h>

#include "format/ff7/ff7.h"
#include "format/gltf.h"

/* What has moved by less than a quarter of a step would be rounded back anyway. In positions, and as the squared chord between unit
   quaternions. */
#define STILL_POSITION 0.25
#define STILL_CHORD (0.25 * 3.14159265358979323846 / EMBERI_FF7_TURN * (0.25 * 3.14159265358979323846 / EMBERI_FF7_TURN))

typedef struct writing {
    const ember_model         *model;
    const ember_write_options *options;
    ember_error               *err;
    ember_arena                arena;
    emberi_ff7_rig             rig;
    emberi_ff7_sines          *sines;
    double                     length; /* the longest way between two bones at rest */
    gltf_trs                  *axes;   /* of every bone, how its axes are turned from FF7's; NULL: not at all */
} writing;

/* One chunk's worth of a model's clip. */
typedef struct part {
    const ember_clip     *clip;
    uint32_t              clip_index;
    ember_ff7_kind        kind;
    const ember_ff7_clip *reference; /* what it was, or NULL */
    uint32_t              frame_count;
    uint32_t              triple_count;
    int32_t              *slots;   /* the clip's bone of each triple, -1: rests */
    uint16_t             *bones;   /* the model's bone of each triple */
    bool                  changed; /* from the reference */
} part;

/* ---- other axes ---- */

/* Programs like Blender turn the axes of bones as they see fit: the rest pose is the same, but its rotations are not. In FF7's rest pose no bone
   is turned, but all of them by the half turn above the root; so what a bone's rest has beyond that are its axes. */

static gltf_trs axes_turn(const ember_quat *q)
{
    gltf_trs trs = emberi_gltf_trs_identity;
    if (q != NULL) {
        const double r[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
        memcpy(trs.r, r, sizeof(r));
        if (!emberi_gltf_quat_normalize(trs.r))
            trs = emberi_gltf_trs_identity;
    }
    return trs;
}

static gltf_trs axes_inverse(gltf_trs trs)
{
    for (int i = 0; i < 3; i++)
        trs.r[i] = -trs.r[i];
    return trs;
}

static bool axes_find(writing *w)
{
    static const ember_quat back = {-1.0f, 0.0f, 0.0f, 0.0f};
    const ember_skeleton   *skeleton = &w->model->skeleton;
    double                  largest = 0.0;
    if (w->rig.top < 0 || skeleton->rest == NULL || !emberi_bone_is_named(skeleton, (uint32_t)w->rig.top))
        return true;
    gltf_trs *axes = EMBER_PUSH(&w->arena, gltf_trs, skeleton->bone_count);
    if (axes == NULL)
        return false;
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        gltf_trs own = axes_turn(&skeleton->rest[i].rotation);
        gltf_trs above = skeleton->parents[i] >= 0 ? axes[skeleton->parents[i]] : axes_turn(&back);
        axes[i] = emberi_gltf_trs_mul(&above, &own);
        for (int k = 0; k < 3; k++)
            largest = __builtin_fabs(axes[i].r[k]) > largest ? __builtin_fabs(axes[i].r[k]) : largest;
    }
    w->axes = largest > 1e-5 ? axes : NULL;
    return true;
}

/* A bone's local transform about FF7's axes. */
static ember_transform axes_apply(const writing *w, const ember_transform *t, uint32_t bone)
{
    int32_t         parent = w->model->skeleton.parents[bone];
    gltf_trs        own = axes_turn(&t->rotation), above = parent >= 0 ? w->axes[parent] : emberi_gltf_trs_identity;
    gltf_trs        under = axes_inverse(w->axes[bone]);
    const double    at[3] = {(double)t->position.x, (double)t->position.y, (double)t->position.z};
    ember_transform out = *t;
    memcpy(own.t, at, sizeof(at));
    own = emberi_gltf_trs_mul(&above, &own);
    own = emberi_gltf_trs_mul(&own, &under);
    out.rotation = (ember_quat){(float)own.r[0], (float)own.r[1], (float)own.r[2], (float)own.r[3]};
    out.position = (ember_vec3){(float)own.t[0], (float)own.t[1], (float)own.t[2]};
    return out;
}

/* ---- the numbers ---- */

static bool write_still(const writing *w, ember_quat rotation, ember_ff7_triple was)
{
    ember_quat q = emberi_ff7_quat_of(w->sines, was);
    double     a[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w}, less = 0.0, more = 0.0;
    double     b[4] = {(double)rotation.x, (double)rotation.y, (double)rotation.z, (double)rotation.w};
    if (!emberi_gltf_quat_normalize(b))
        return false;
    for (int i = 0; i < 4; i++) {
        less += (a[i] - b[i]) * (a[i] - b[i]);
        more += (a[i] + b[i]) * (a[i] + b[i]);
    }
    return (less < more ? less : more) < STILL_CHORD;
}

static ember_transform write_transform(const writing *w, const part *p, uint32_t frame, uint32_t triple)
{
    static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    ember_transform              t = identity;
    if (p->slots[triple] >= 0)
        t = p->clip->frames[(size_t)frame * p->clip->bone_count + (uint32_t)p->slots[triple]];
    else if (w->model->skeleton.rest != NULL)
        t = w->model->skeleton.rest[p->bones[triple]];
    if (w->axes != NULL)
        return axes_apply(w, &t, p->bones[triple]);
    return triple == 0 && w->rig.top < 0 ? emberi_ff7_turned_back(&t) : t;
}

static ember_status write_position(writing *w, const part *p, ember_ff7_triple *out, uint32_t frame, ember_vec3 at, bool *moved)
{
    const double values[3] = {(double)at.x, (double)at.y, (double)at.z};
    int16_t      rounded[3], was[3] = {0, 0, 0};
    bool         known = p->reference != NULL && frame < p->reference->frame_count;
    if (known)
        memcpy(was, &p->reference->positions[frame], sizeof(was));
    for (int i = 0; i < 3; i++) {
        double apart = values[i] - was[i];
        if (known && apart > -STILL_POSITION && apart < STILL_POSITION) {
            rounded[i] = was[i];
            continue;
        }
        if (!(values[i] > -32768.5 && values[i] < 32767.5))
            return emberi_fail_at(w->err, EMBER_E_RANGE, (int32_t)p->clip_index, p->bones[0], (int32_t)frame,
                                  "clip %s, frame %u: %g is no position that 16 bits hold", emberi_quote(p->clip->name).text,
                                  (unsigned)frame, values[i]);
        rounded[i] = (int16_t)(int32_t)(values[i] < 0.0 ? values[i] - 0.5 : values[i] + 0.5);
        *moved = true;
    }
    memcpy(out, rounded, sizeof(rounded));
    return EMBER_OK;
}

static ember_status write_frame(writing *w, part *p, ember_ff7_triple *position, ember_ff7_triple *row, uint32_t frame)
{
    static const ember_ff7_triple zero = {0, 0, 0};
    const ember_ff7_clip         *was = p->reference;
    for (uint32_t i = 0; i < p->triple_count; i++) {
        ember_transform t = write_transform(w, p, frame, i);
        bool            known = was != NULL && frame < was->frame_count && i < was->triple_count;
        ember_status    status = i == 0 ? write_position(w, p, position, frame, t.position, &p->changed) : EMBER_OK;
        if (status != EMBER_OK)
            return status;
        if (known && write_still(w, t.rotation, was->rotations[(size_t)frame * was->triple_count + i])) {
            row[i] = was->rotations[(size_t)frame * was->triple_count + i];
            continue;
        }
        row[i] = ember_ff7_from_quat(t.rotation, frame != 0 ? row[(ptrdiff_t)i - (ptrdiff_t)p->triple_count] : zero);
        p->changed = true;
    }
    return EMBER_OK;
}

/* Numbers that are not finite have no place in a pack. */
static ember_status write_check_frames(writing *w, const part *p)
{
    size_t count = (size_t)p->clip->frame_count * p->clip->bone_count;
    for (size_t i = 0; i < count; i++) {
        const ember_transform *t = &p->clip->frames[i];
        float sum = t->rotation.x * 0.0f + t->rotation.y * 0.0f + t->rotation.z * 0.0f + t->rotation.w * 0.0f +
                    t->position.x * 0.0f + t->position.y * 0.0f + t->position.z * 0.0f;
        if (sum != 0.0f)
            return emberi_fail_at(w->err, EMBER_E_RANGE, (int32_t)p->clip_index,
                                  (int32_t)ember_clip_bone(p->clip, (uint32_t)(i % p->clip->bone_count)),
                                  (int32_t)(i / p->clip->bone_count), "clip %s, frame %zu: a number is not finite",
                                  emberi_quote(p->clip->name).text, i / p->clip->bone_count);
    }
    return EMBER_OK;
}

/* ---- what is lost ---- */

/* Bones have the length that the skeleton gives them, and no scale. */
static void write_note_moves(const writing *w, const part *p)
{
    uint32_t moved = 0, scaled = 0;
    double   limit = w->length * 1e-3;
    for (uint32_t i = 0; i < p->triple_count; i++) {
        bool moves = false, scales = false;
        if (p->slots[i] < 0)
            continue;
        ember_vec3 rest = {0.0f, 0.0f, 0.0f};
        if (w->model->skeleton.rest != NULL)
            rest = w->model->skeleton.rest[p->bones[i]].position;
        for (uint32_t f = 0; f < p->frame_count; f++) {
            const ember_transform *t = &p->clip->frames[(size_t)f * p->clip->bone_count + (uint32_t)p->slots[i]];
            double x = (double)(t->position.x - rest.x), y = (double)(t->position.y - rest.y), z = (double)(t->position.z - rest.z);
            double s = (double)t->scale.x + (double)t->scale.y + (double)t->scale.z - 3.0;
            moves = moves || (i != 0 && x * x + y * y + z * z > limit * limit);
            scales = scales || s > 3e-3 || s < -3e-3;
        }
        moved += moves ? 1u : 0u;
        scaled += scales ? 1u : 0u;
    }
    if (moved != 0)
        emberi_notef(&w->options->notes, EMBER_NOTE_LOSS, p->clip->name, NULL, "%u %s from the place the skeleton gives %s, not stored",
                     (unsigned)moved, moved == 1 ? "bone moves" : "bones move", moved == 1 ? "it" : "them");
    if (scaled != 0)
        emberi_notef(&w->options->notes, EMBER_NOTE_LOSS, p->clip->name, NULL, "scales of %u %s are not stored", (unsigned)scaled,
                     scaled == 1 ? "bone" : "bones");
}

/* A clip that comes from elsewhere leaves more behind than one that was read from a pack. */
static void write_note_losses(const writing *w, const ember_clip *clip, bool known)
{
    emberi_stored stored = {.names = known,
                            .parents = known,
                            .rest = known,
                            .inverse_binds = known,
                            .bones = true,
                            .rate = true,
                            .raw = ember_ff7_clip_of(clip) != NULL,
                            .space = true};
    emberi_note_losses(&w->options->notes, w->model, clip, stored);
    double apart = clip->fps - EMBER_FF7_FPS;
    if (!known && clip->fps > 0.0 && (apart > 0.01 || apart < -0.01))
        emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "it has %g frames a second, the game plays %g", clip->fps, EMBER_FF7_FPS);
}

/* ---- one part ---- */

static void write_find_slots(const writing *w, part *p)
{
    for (uint32_t i = 0; i < p->triple_count; i++) {
        int32_t bone = p->kind == EMBER_FF7_WEAPON ? w->rig.weapon : i == 0 ? w->rig.root : w->rig.bones[i - 1];
        p->bones[i] = (uint16_t)bone;
        p->slots[i] = -1;
        for (uint32_t k = 0; k < p->clip->bone_count; k++)
            if (ember_clip_bone(p->clip, k) == (uint32_t)bone)
                p->slots[i] = (int32_t)k;
    }
}

/* The part's integers; p->changed says whether they are not the reference's. */
static ember_status write_part(writing *w, part *p, ember_ff7_clip *out)
{
    size_t            count = (size_t)p->frame_count * p->triple_count;
    ember_ff7_triple *positions = EMBER_PUSH(&w->arena, ember_ff7_triple, p->frame_count);
    ember_ff7_triple *rotations = EMBER_PUSH(&w->arena, ember_ff7_triple, count);
    p->slots = EMBER_PUSH(&w->arena, int32_t, p->triple_count);
    p->bones = EMBER_PUSH(&w->arena, uint16_t, p->triple_count);
    if (positions == NULL || rotations == NULL || p->slots == NULL || p->bones == NULL)
        return emberi_fail_memory(w->err);
    write_find_slots(w, p);
    ember_status status = write_check_frames(w, p);
    p->changed = p->reference == NULL || p->reference->frame_count != p->frame_count || p->reference->triple_count != p->triple_count;
    for (uint32_t i = 0; i < p->frame_count && status == EMBER_OK; i++)
        status = write_frame(w, p, &positions[i], rotations + (size_t)i * p->triple_count, i);
    if (status != EMBER_OK)
        return status;
    write_note_moves(w, p);
    bool single = p->kind == EMBER_FF7_BODY && p->triple_count == 1;
    *out = (ember_ff7_clip){.kind = p->kind,
                            .index = p->reference != NULL ? p->reference->index : -1,
                            .bones_field = p->reference != NULL ? p->reference->bones_field
                                           : single             ? (uint32_t)EMBERI_FF7_SINGLE_BONES
                                                                : p->triple_count,
                            .key = p->reference != NULL ? p->reference->key : 0,
                            .triple_count = p->triple_count,
                            .frame_count = p->frame_count,
                            .positions = positions,
                            .rotations = rotations};
    if (!p->changed) {
        out->bytes = p->reference->bytes;
        out->byte_count = p->reference->byte_count;
        out->frames_field = p->reference->frames_field;
    }
    return EMBER_OK;
}

static bool write_key_known(uint8_t key)
{
    return key == 0 || key == 2 || key == 4;
}

/* The item for a made clip: its old bytes where it has any and nothing else is asked for, else its values. */
static ember_status write_item(writing *w, ember_ff7_item *item, const ember_ff7_clip *made, bool changed, bool recode)
{
    const ember_ff7_options *options = &w->options->ff7;
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
    uint32_t key = !changed && write_key_known(made->key) ? made->key : EMBER_FF7_KEY_AUTO;
    *item = (ember_ff7_item){NULL, clip, options->key_set ? options->key : key};
    return EMBER_OK;
}

/* ---- clips ---- */

/* Triples of the model's body clips. */
static uint32_t write_body_triples(const writing *w)
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

/* Frames of one half: as many as it had, if the whole clip is as long as it was; else as many as the clip has. */
static uint32_t write_half_frames(const ember_clip *clip, const ember_ff7_clip *own, const ember_ff7_clip *other)
{
    uint32_t was = own != NULL ? own->frame_count : 0;
    if (other != NULL && other->frame_count > was)
        was = other->frame_count;
    return own != NULL && was == clip->frame_count ? own->frame_count : clip->frame_count;
}

static ember_status write_half(writing *w, uint32_t index, ember_ff7_kind kind, const ember_ff7_clip *own,
                               const ember_ff7_clip *other, ember_ff7_clip *out, ember_ff7_item *item)
{
    const ember_clip *clip = &w->model->clips[index];
    part              p = {.clip = clip, .clip_index = index, .kind = kind, .reference = own};
    if (own != NULL && (own->frame_count == 0 || own->kind != kind))
        p.reference = NULL;
    p.frame_count = write_half_frames(clip, p.reference, other);
    p.triple_count = kind == EMBER_FF7_WEAPON ? 1 : p.reference != NULL ? p.reference->triple_count : write_body_triples(w);
    if (kind == EMBER_FF7_BODY && p.triple_count > w->rig.bone_count + 1)
        return emberi_fail_at(w->err, EMBER_E_LIMIT, (int32_t)index, -1, -1, "clip %s: %u bones are needed, the skeleton has %u",
                              emberi_quote(clip->name).text, (unsigned)p.triple_count - 1, (unsigned)w->rig.bone_count);
    ember_status status = write_part(w, &p, out);
    bool         recode = w->options->ff7.key_set && w->options->ff7.base == NULL;
    return status == EMBER_OK ? write_item(w, item, out, p.changed, recode) : status;
}

static ember_status write_clip(writing *w, uint32_t index, const ember_ff7_clip *raw, const ember_ff7_clip *weapon, halves *out)
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
        return emberi_fail_at(w->err, EMBER_E_ARG, (int32_t)index, -1, -1, "clip %s has no %s", emberi_quote(clip->name).text,
                              clip->frame_count == 0 ? "frames" : "bones");
    if (clip->space != EMBER_SPACE_LOCAL)
        return emberi_fail_at(w->err, EMBER_E_UNSUPPORTED, (int32_t)index, -1, -1, "clip %s is in model space, packs hold local clips",
                              emberi_quote(clip->name).text);
    bool moves_weapon = write_moves_bone(clip, w->rig.weapon);
    out->body = write_moves_bone(clip, w->rig.root) && (raw == NULL || raw->kind != EMBER_FF7_WEAPON);
    out->weapon = moves_weapon && (weapon != NULL || !out->body);
    if (!out->body && !out->weapon)
        return emberi_fail_at(w->err, EMBER_E_ARG, (int32_t)index, -1, -1, "clip %s moves neither root nor weapon",
                              emberi_quote(clip->name).text);
    if (out->body)
        status = write_half(w, index, EMBER_FF7_BODY, raw, out->weapon ? weapon : NULL, &out->body_clip, &out->body_item);
    if (status == EMBER_OK && out->weapon) {
        const ember_ff7_clip *own = out->body ? weapon : raw;
        status = write_half(w, index, EMBER_FF7_WEAPON, own, out->body ? raw : NULL, &out->weapon_clip, &out->weapon_item);
    }
    if (status == EMBER_OK)
        write_note_losses(w, clip, raw != NULL);
    return status;
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

static ember_status write_whole(writing *w, ember_buffer *out, ember_buffer *items)
{
    uint32_t     count = w->model->clip_count;
    halves      *made = EMBER_PUSH(&w->arena, halves, count);
    ember_status status = made != NULL ? EMBER_OK : emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < count && status == EMBER_OK; i++) {
        const ember_ff7_clip *raw = ember_ff7_clip_of(&w->model->clips[i]);
        bool                  paired = write_moves_bone(&w->model->clips[i], w->rig.root);
        status = write_clip(w, i, raw, raw != NULL ? raw->weapon : NULL, &made[i]);
        /* A clip of other origin that moves both has a weapon part too. */
        if (status == EMBER_OK && raw == NULL && paired && write_moves_bone(&w->model->clips[i], w->rig.weapon)) {
            made[i].weapon = true;
            status = write_half(w, i, EMBER_FF7_WEAPON, NULL, NULL, &made[i].weapon_clip, &made[i].weapon_item);
        }
        bool stored = status != EMBER_OK || write_add(items, made[i].body ? &made[i].body_item : &made[i].weapon_item);
        if (!stored)
            status = emberi_fail_memory(w->err);
    }
    if (status == EMBER_OK && !write_add_weapons(items, made, count))
        status = emberi_fail_memory(w->err);
    if (status != EMBER_OK)
        return status;
    const ember_ff7_clip *last = count != 0 ? ember_ff7_clip_of(&w->model->clips[count - 1]) : NULL;
    return ember_ff7_pack_write(out, (const ember_ff7_item *)(const void *)items->data, (uint32_t)(items->size / sizeof(ember_ff7_item)),
                                last != NULL ? last->after : NULL, last != NULL ? last->after_size : 0, w->err);
}

/* ---- into a base ---- */

/* The chunk that a clip's name names, body_07 or body_07.001; else the one its raw part comes from; -1: none. */
static int64_t write_chunk_of(const ember_clip *clip, const ember_ff7_pack *base)
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
        return index < base->chunk_count ? (int64_t)index : -1;
    }
    return raw != NULL && raw->index >= 0 && (uint32_t)raw->index < base->chunk_count ? raw->index : -1;
}

static ember_status write_base_clip(writing *w, const ember_ff7_pack *base, ember_ff7_item *items, bool *taken, uint32_t index)
{
    const ember_clip *clip = &w->model->clips[index];
    int64_t           at = write_chunk_of(clip, base);
    if (at < 0) {
        emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, clip->name, NULL, "the base has no clip of that name: left out");
        return EMBER_OK;
    }
    if (taken[at])
        return emberi_fail_at(w->err, EMBER_E_ARG, (int32_t)index, -1, -1, "clip %s: there is another for chunk %u",
                              emberi_quote(clip->name).text, (unsigned)at);
    taken[at] = true;
    const ember_ff7_chunk *chunk = &base->chunks[at];
    uint32_t               partner = chunk->kind == EMBER_FF7_BODY ? ember_ff7_partner(base, (uint32_t)at) : UINT32_MAX;
    ember_ff7_clip         was, weapon;
    halves                 made;
    ember_status           status = ember_ff7_decode(&was, chunk, false, &w->arena, w->err);
    if (status == EMBER_OK && partner != UINT32_MAX)
        status = ember_ff7_decode(&weapon, &base->chunks[partner], false, &w->arena, w->err);
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

static ember_status write_into_base(writing *w, ember_buffer *out, const ember_ff7_pack *base)
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
    uint32_t changed = 0;
    for (uint32_t i = 0; i < base->chunk_count; i++)
        changed += items[i].chunk == NULL ? 1u : 0u;
    emberi_notef(&w->options->notes, EMBER_NOTE_DETAIL, NULL, NULL, "%u of %u clips have changed", (unsigned)changed,
                 (unsigned)base->chunk_count);
    return ember_ff7_pack_write(out, items, base->chunk_count, base->data + base->tail_offset, base->size - base->tail_offset,
                                w->err);
}

/* ---- all ---- */

static double write_longest(const ember_skeleton *skeleton)
{
    double longest = 0.0;
    for (uint32_t i = 0; skeleton->rest != NULL && i < skeleton->bone_count; i++) {
        ember_vec3 at = skeleton->rest[i].position;
        double     length = __builtin_sqrt((double)at.x * (double)at.x + (double)at.y * (double)at.y + (double)at.z * (double)at.z);
        longest = length > longest ? length : longest;
    }
    return longest > 0.0 ? longest : 1.0;
}

ember_status emberi_ff7_write(ember_buffer *out, const ember_model *model, const ember_write_options *options, ember_error *err)
{
    writing      w = {.model = model, .options = options, .err = err, .arena = ember_arena_growing(out->allocator, 0)};
    ember_buffer items = {.allocator = out->allocator};
    ember_status status = EMBER_OK;
    if (options->ff7.key_set && !write_key_known(options->ff7.key))
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a key is 0, 2 or 4, not %u", (unsigned)options->ff7.key);
    w.sines = EMBER_PUSH(&w.arena, emberi_ff7_sines, 1);
    w.length = write_longest(&model->skeleton);
    w.rig = (emberi_ff7_rig){-1, -1, -1, 0, NULL};
    if (w.sines == NULL)
        status = emberi_fail_memory(err);
    else
        emberi_ff7_sines_make(w.sines);
    if (status == EMBER_OK && model->skeleton.bone_count != 0)
        status = emberi_ff7_rig_find(&w.rig, &model->skeleton, &w.arena, err);
    if (status == EMBER_OK && !axes_find(&w))
        status = emberi_fail_memory(err);
    if (status == EMBER_OK)
        status = options->ff7.base != NULL ? write_into_base(&w, out, options->ff7.base) : write_whole(&w, out, &items);
    ember_buffer_free(&items);
    ember_arena_free(&w.arena);
    return status;
}
