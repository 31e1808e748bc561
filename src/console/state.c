/* SPDX-License-Identifier: MIT */
/* Snapshots: what the console remembers between calls, as bytes. Equal states have equal bytes, whatever
   happened before: stack and bones that are not in use are zero. Everything loaded stays as it is after
   init(), but for which clips and data have been unloaded. */
#include <string.h>

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

void ember_console_state_restore(ember_console *c, const void *state)
{
    host_clip     *clips = c->clips.items;
    host_data     *data = c->data.items;
    const uint8_t *at = state;
    memcpy(&c->state, at, sizeof(c->state));
    at += sizeof(c->state);
    memcpy(c->stack, at, sizeof(c->stack));
    at += sizeof(c->stack);
    memcpy(c->bones, at, sizeof(c->bones));
    at += sizeof(c->bones);
    for (uint32_t i = 0; i < c->clips.count; i++)
        clips[i].unloaded = *at++ != 0;
    for (uint32_t i = 0; i < c->data.count; i++)
        data[i].unloaded = *at++ != 0;
    c->bones_at = HOST_NO_BONES;
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
    hash = emberi_hash(hash, c->draws, c->list.draw_count * sizeof(*c->draws));
    return emberi_hash(hash, c->drawn_bones, c->list.bone_count * sizeof(*c->drawn_bones));
}
