/* SPDX-License-Identifier: MIT */
/* The draw list: what draw_mesh appends to it, and which of the three branches a mesh takes. Lists grow to
   what the largest frame needed, within limits, and stay so. */
#include <string.h>

#include "console/host.h"

/* Room for `more` items, or a trap with nothing changed. */
static void *draw_reserve(ember_console *c, const char *function, void *items, uint32_t count, uint32_t more,
                          uint32_t *capacity, size_t size, uint32_t limit, const char *what)
{
    if (more <= *capacity - count)
        return items;
    if (more > limit - count)
        emberi_host_trap(c, function, "more than %u %s in one frame", (unsigned)limit, what);
    uint32_t grown = *capacity < 64 ? 64 : *capacity;
    while (grown - count < more)
        grown = grown < limit / 2 ? grown * 2 : limit;
    void *room =
        c->options.allocator.resize(c->options.allocator.user, items, *capacity * size, grown * size);
    if (room == NULL)
        emberi_host_trap(c, function, "out of memory");
    *capacity = grown;
    return room;
}

/* The current bones, once for all draws that use them. */
static void draw_append_bones(ember_console *c, const char *function)
{
    uint32_t count = c->state.pose_bones;
    if (c->bones_at != HOST_NO_BONES)
        return;
    c->drawn_bones =
        draw_reserve(c, function, c->drawn_bones, c->list.bone_count, count, &c->drawn_bones_capacity,
                     sizeof(ember_mat34), HOST_MAX_DRAWN_BONES, "bones");
    memcpy(c->drawn_bones + c->list.bone_count, c->bones, count * sizeof(ember_mat34));
    c->bones_at = c->list.bone_count;
    c->list.bone_count += count;
}

static ember_draw_branch draw_branch(const ember_console *c, const ember_mesh *mesh)
{
    if (mesh->joints != NULL)
        return c->state.pose != EMBER_DRAW_POSE_NONE ? EMBER_DRAW_SKINNED : EMBER_DRAW_STATIC;
    return c->state.bone >= 0 || mesh->bone >= 0 ? EMBER_DRAW_RIGID : EMBER_DRAW_STATIC;
}

/* What the draw needs of the pose; a static one needs nothing. */
static void draw_pose(ember_console *c, const char *function, ember_draw *draw)
{
    const host_state *s = &c->state;
    draw->pose = (ember_draw_pose)s->pose;
    draw->bone_count = s->pose_bones;
    if (s->pose == EMBER_DRAW_POSE_CLIP) {
        draw->clip = (uint32_t)s->pose_clip;
        draw->frame = s->pose_frame;
    } else if (s->pose == EMBER_DRAW_POSE_BONES) {
        draw_append_bones(c, function);
        draw->first_bone = c->bones_at;
    }
    if (draw->branch == EMBER_DRAW_SKINNED)
        draw->skeleton = s->skeleton;
}

void emberi_host_draw_mesh(ember_console *c, uint32_t mesh)
{
    if (c->phase != EMBER_PHASE_RENDER)
        emberi_host_trap(c, HOST_NAME, "only in render()");
    const ember_mesh *m = emberi_host_mesh(c, HOST_NAME, mesh);
    c->draws = draw_reserve(c, HOST_NAME, c->draws, c->list.draw_count, 1, &c->draws_capacity,
                            sizeof(ember_draw), HOST_MAX_DRAWS, "draws");
    ember_draw draw = {.branch = draw_branch(c, m),
                       .mesh = emberi_host_index(HOST_MESH, mesh),
                       .transform = c->state.transform,
                       .skeleton = -1};
    draw.color = c->state.color;
    if (draw.branch == EMBER_DRAW_RIGID)
        draw.bone = (uint32_t)(c->state.bone >= 0 ? c->state.bone : m->bone);
    if (draw.branch != EMBER_DRAW_STATIC)
        draw_pose(c, HOST_NAME, &draw);
    c->draws[c->list.draw_count++] = draw;
    c->state.bone = -1;
}

void emberi_host_set_color(ember_console *c, uint32_t rgba) { c->state.color = rgba; }

void emberi_host_clear_color(ember_console *c, uint32_t rgba) { c->state.clear_color = rgba; }
