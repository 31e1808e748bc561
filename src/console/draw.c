/* SPDX-License-Identifier: MIT */
/* The draw list: what draw_mesh appends to it, and which of the three branches a mesh takes. The list holds
   the matrices of every pose that it draws. Lists grow to what the largest frame needed, within limits, and
   stay so. */
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

/* ---- bones ---- */

void emberi_host_no_places(ember_console *c)
{
    c->places_count = 0;
    if (++c->list_number == 0) { /* once in 2^32 lists: old ones must not look like this one */
        c->list_number = 1;
        if (c->places != NULL)
            memset(c->places, 0, c->places_capacity * sizeof(*c->places));
    }
}

/* The frame's place in the table: its own, or the free one where it belongs. There is always a free one. */
static host_place *draw_find(const ember_console *c, uint32_t clip, uint32_t frame)
{
    uint32_t at = (clip * 0x9e3779b1u ^ frame * 0x85ebca6bu) >> 7;
    for (;; at++) {
        host_place *place = &c->places[at & (c->places_capacity - 1)];
        if (place->list != c->list_number || (place->frame == frame && place->clip == clip))
            return place;
    }
}

/* Room for one more place. */
static void draw_reserve_place(ember_console *c, const char *function)
{
    if (c->places_count < c->places_capacity / 2)
        return;
    uint32_t        old_capacity = c->places_capacity, capacity = old_capacity == 0 ? 128 : old_capacity * 2;
    ember_allocator allocator = c->options.allocator;
    host_place     *old = c->places,
               *places = allocator.resize(allocator.user, NULL, 0, capacity * sizeof(*places));
    if (places == NULL)
        emberi_host_trap(c, function, "out of memory");
    memset(places, 0, capacity * sizeof(*places));
    c->places = places;
    c->places_capacity = capacity;
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].list == c->list_number)
            *draw_find(c, old[i].clip, old[i].frame) = old[i];
    if (old != NULL)
        allocator.resize(allocator.user, old, old_capacity * sizeof(*old), 0);
}

static void draw_append(ember_console *c, const char *function, const ember_mat34 *bones)
{
    uint32_t count = c->state.pose_bones;
    c->drawn_bones =
        draw_reserve(c, function, c->drawn_bones, c->list.bone_count, count, &c->drawn_bones_capacity,
                     sizeof(ember_mat34), HOST_MAX_DRAWN_BONES, "bones");
    memcpy(c->drawn_bones + c->list.bone_count, bones, count * sizeof(ember_mat34));
    c->bones_at = c->list.bone_count;
    c->list.bone_count += count;
}

/* The current pose, once for all draws that use it; a clip's frame once however often it is bound. Which one
   is first depends on nothing but the calls of this frame. */
static void draw_place_bones(ember_console *c, const char *function)
{
    const host_state *s = &c->state;
    if (c->bones_at != HOST_NO_BONES)
        return;
    if (s->pose == EMBER_DRAW_POSE_BONES) {
        draw_append(c, function, c->bones);
        return;
    }
    draw_reserve_place(c, function);
    host_place *place = draw_find(c, (uint32_t)s->pose_clip, s->pose_frame);
    if (place->list != c->list_number) {
        draw_append(c, function, emberi_host_pose_matrices(c, function));
        *place = (host_place){(uint32_t)s->pose_clip, s->pose_frame, c->bones_at, c->list_number};
        c->places_count++;
    }
    c->bones_at = place->first_bone;
}

/* ---- draws ---- */

static ember_draw_branch draw_branch(const ember_console *c, const ember_mesh *mesh)
{
    if (mesh->joints != NULL)
        return c->state.pose != EMBER_DRAW_POSE_NONE ? EMBER_DRAW_SKINNED : EMBER_DRAW_STATIC;
    return c->state.bone >= 0 || mesh->bone >= 0 ? EMBER_DRAW_RIGID : EMBER_DRAW_STATIC;
}

/* What the draw needs of the pose, which is in the list; a static one needs nothing. */
static void draw_pose(const ember_console *c, ember_draw *draw)
{
    const host_state *s = &c->state;
    draw->pose = (ember_draw_pose)s->pose;
    draw->bone_count = s->pose_bones;
    if (s->pose == EMBER_DRAW_POSE_CLIP) {
        draw->clip = (uint32_t)s->pose_clip;
        draw->frame = s->pose_frame;
    }
    if (s->pose != EMBER_DRAW_POSE_NONE)
        draw->first_bone = c->bones_at;
    if (draw->branch == EMBER_DRAW_SKINNED)
        draw->skeleton = s->skeleton;
}

static void draw_one(ember_console *c, uint32_t mesh)
{
    const ember_mesh *m = (const ember_mesh *)c->meshes.items + mesh;
    ember_draw        draw = {.branch = draw_branch(c, m),
                              .mesh = mesh,
                              .transform = c->state.transform,
                              .skeleton = -1};
    draw.color = c->state.color;
    if (draw.branch == EMBER_DRAW_RIGID)
        draw.bone = (uint32_t)(c->state.bone >= 0 ? c->state.bone : m->bone);
    if (draw.branch != EMBER_DRAW_STATIC)
        draw_pose(c, &draw);
    c->draws[c->list.draw_count++] = draw;
}

/* Of a model all parts, in the order of their ids. */
void emberi_host_draw_mesh(ember_console *c, uint32_t mesh)
{
    const ember_mesh *meshes = c->meshes.items;
    bool              posed = false;
    if (c->phase != EMBER_PHASE_RENDER)
        emberi_host_trap(c, HOST_NAME, "only in render()");
    host_model parts = emberi_host_meshes(c, HOST_NAME, mesh);
    c->draws = draw_reserve(c, HOST_NAME, c->draws, c->list.draw_count, parts.count, &c->draws_capacity,
                            sizeof(ember_draw), HOST_MAX_DRAWS, "draws");
    for (uint32_t i = 0; i < parts.count; i++)
        posed = posed || draw_branch(c, &meshes[parts.first + i]) != EMBER_DRAW_STATIC;
    if (posed && c->state.pose != EMBER_DRAW_POSE_NONE)
        draw_place_bones(c, HOST_NAME);
    for (uint32_t i = 0; i < parts.count; i++)
        draw_one(c, parts.first + i);
    c->state.bone = -1;
}

void emberi_host_set_color(ember_console *c, uint32_t rgba) { c->state.color = rgba; }

void emberi_host_clear_color(ember_console *c, uint32_t rgba) { c->state.clear_color = rgba; }
