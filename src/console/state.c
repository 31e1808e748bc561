/* SPDX-License-Identifier: MIT */
/* Snapshots: what the console remembers between calls, as bytes. Equal states have equal bytes, whatever
   happened before: stack and bones that are not in use are zero. Everything loaded stays as it is after
   init(), but for which clips and data have been unloaded. */
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "console/host.h"

_Static_assert(sizeof(host_state) == 2 * 8 + 2 * 48 + 64 + 14 * 4, "the state has no padding");
_Static_assert(sizeof(ember_draw) == 48 + 10 * 4, "a draw has no padding");

static size_t state_flags_size(const ember_console *c) { return (size_t)c->clips.count + c->data.count; }

size_t ember_console_state_size(const ember_console *c)
{
    return sizeof(c->state) + sizeof(c->stack) + sizeof(c->bones) + state_flags_size(c);
}

/* The used matrices, then zeros. */
static uint8_t *state_put_matrices(uint8_t *out, const ember_mat34 *matrices, uint32_t used, uint32_t count)
{
    memcpy(out, matrices, used * sizeof(*matrices));
    memset(out + used * sizeof(*matrices), 0, (count - used) * sizeof(*matrices));
    return out + count * sizeof(*matrices);
}

static uint32_t state_bones_used(const ember_console *c)
{
    return c->state.pose == EMBER_DRAW_POSE_BONES ? c->state.pose_bones : 0;
}

void ember_console_state_save(const ember_console *c, void *out)
{
    const host_clip *clips = c->clips.items;
    const host_data *data = c->data.items;
    uint8_t         *at = out;
    memcpy(at, &c->state, sizeof(c->state));
    at = state_put_matrices(at + sizeof(c->state), c->stack, c->state.depth, HOST_STACK_DEPTH);
    at = state_put_matrices(at, c->bones, state_bones_used(c), EMBER_MAX_BONES);
    for (uint32_t i = 0; i < c->clips.count; i++)
        *at++ = clips[i].unloaded ? 1 : 0;
    for (uint32_t i = 0; i < c->data.count; i++)
        *at++ = data[i].unloaded ? 1 : 0;
}

/* ---- restoring ---- */

/* A state is no more trusted than a game: what a function relies on later is checked here. */
static bool state_pose_is_valid(const ember_console *c, const host_state *s, const uint8_t *unloaded)
{
    const host_clip *clips = c->clips.items;
    bool             has_clip = s->pose_clip >= 0;
    if (s->pose_clip < -1 || (has_clip && (uint32_t)s->pose_clip >= c->clips.count))
        return false;
    if (s->pose == EMBER_DRAW_POSE_NONE)
        return !has_clip && s->pose_bones == 0;
    if (s->pose == EMBER_DRAW_POSE_BONES)
        return s->pose_bones <= EMBER_MAX_BONES;
    return s->pose == EMBER_DRAW_POSE_CLIP && has_clip && unloaded[s->pose_clip] == 0 &&
           s->pose_frame < clips[s->pose_clip].frame_count && s->pose_bones == clips[s->pose_clip].bone_count;
}

static bool state_floats_are_finite(const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    uint32_t       seen = 0; /* an exponent of ones overflows into the sign; no branch in the loop */
    for (size_t i = 0; i < count; i++)
        seen |= (emberi_get_u32(at + 4 * i) & 0x7f800000u) + 0x00800000u;
    return seen >> 31 == 0;
}

static bool state_is_valid(const ember_console *c, const host_state *s, const uint8_t *flags)
{
    for (size_t i = 0; i < state_flags_size(c); i++)
        if (flags[i] > 1)
            return false;
    return s->skeleton >= -1 && s->skeleton < (int32_t)c->skeletons.count && s->bone >= -1 &&
           s->bone < (int32_t)EMBER_MAX_BONES && s->depth <= HOST_STACK_DEPTH && s->reserved == 0 &&
           state_floats_are_finite(&s->transform, 12) && state_floats_are_finite(&s->view, 12) &&
           state_floats_are_finite(&s->projection, 16) && state_pose_is_valid(c, s, flags);
}

ember_status ember_console_state_restore(ember_console *c, const void *state)
{
    host_clip     *clips = c->clips.items;
    host_data     *data = c->data.items;
    const uint8_t *stack = (const uint8_t *)state + sizeof(c->state), *bones = stack + sizeof(c->stack),
                  *flags = bones + sizeof(c->bones);
    host_state s;
    memcpy(&s, state, sizeof(s));
    if (!state_is_valid(c, &s, flags) ||
        !state_floats_are_finite(stack, (HOST_STACK_DEPTH + EMBER_MAX_BONES) * 12))
        return EMBER_E_ARG;
    c->state = s;
    memcpy(c->stack, stack, sizeof(c->stack));
    memcpy(c->bones, bones, sizeof(c->bones));
    for (uint32_t i = 0; i < c->clips.count; i++)
        clips[i].unloaded = *flags++ != 0;
    for (uint32_t i = 0; i < c->data.count; i++)
        data[i].unloaded = *flags++ != 0;
    c->bones_at = HOST_NO_BONES;
    return EMBER_OK;
}

/* ---- the hash ---- */

static uint64_t state_hash_part(uint64_t hash, const void *data, size_t size)
{
    uint64_t part = size != 0 ? ember_rom_hash(data, size) : 0;
    return emberi_hash(hash, &part, sizeof(part));
}

uint64_t ember_console_hash(const ember_console *c)
{
    const host_clip *clips = c->clips.items;
    const host_data *data = c->data.items;
    uint64_t         hash = emberi_hash(EMBERI_HASH_START, &c->state, sizeof(c->state));
    hash = emberi_hash(hash, c->stack, c->state.depth * sizeof(*c->stack));
    hash = emberi_hash(hash, c->bones, state_bones_used(c) * sizeof(*c->bones));
    for (uint32_t i = 0; i < c->clips.count; i++)
        hash = emberi_hash(hash, &clips[i].unloaded, sizeof(clips[i].unloaded));
    for (uint32_t i = 0; i < c->data.count; i++)
        hash = emberi_hash(hash, &data[i].unloaded, sizeof(data[i].unloaded));
    hash = state_hash_part(hash, c->draws, c->list.draw_count * sizeof(*c->draws));
    return state_hash_part(hash, c->drawn_bones, c->list.bone_count * sizeof(*c->drawn_bones));
}
