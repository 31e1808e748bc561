/* SPDX-License-Identifier: MIT */
/* Actors on a stage. */
#include "scene/show.h"

#include <string.h>

#include "scene/limbs.h"

#define GHOST_BEFORE 0x5B9BE800u /* alpha is put in */
#define GHOST_AFTER 0xF0964400u
#define COLOR_MARKED 0xFF4F81FFu
#define COLOR_UNMATCHED 0x8A919BFFu

ember_mat34 show_up(const char *up)
{
    static const ember_mat34 z_up = {{1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0}},
                             y_down = {{1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0}};
    return up != NULL && strcmp(up, "z") == 0    ? z_up
           : up != NULL && strcmp(up, "-y") == 0 ? y_down
                                                 : ember_mat34_identity;
}

bool show_ground(stage *s, const camera *c)
{
    /* A model that stands near 0 stands on it; one that is somewhere else has the ground below its
       lowest point. */
    float slack = c->size * 0.15f;
    float ground = c->low > -slack && c->low < slack ? (c->low < 0.0f ? c->low : 0.0f) : c->low;
    return stage_set_ground(s, ground, c->size);
}

bool show_actor(show *s, actor *a, uint32_t frame, uint32_t tint, uint32_t alpha, bool bones_too)
{
    bool ghost = alpha != 0xFFu, has_body = s->body->mesh_count != 0;
    if (!actor_pose(a, frame < a->frame_count ? frame : a->frame_count - 1, s->pose))
        return false;
    if (has_body && a == s->bodied) {
        uint32_t first = stage_add_bones(s->stage, s->pose, a->bone_count);
        s->stage->in_front = s->onion && !ghost && !bones_too;
        uint32_t solid = bones_too && !ghost ? 0x60u : alpha;
        stage_draw_body(s->stage, s->body, a, first, (tint & 0xFFFFFF00u) | solid, !ghost);
    }
    if (bones_too || !has_body) {
        limbs_colors(s->colors, &a->model->skeleton);
        for (uint32_t i = 0; ghost && i < a->bone_count; i++)
            s->colors[i] = tint;
        if (!ghost && s->marked >= 0 && (uint32_t)s->marked < a->bone_count)
            s->colors[s->marked] = COLOR_MARKED;
        s->stage->in_front = !ghost;
        limbs_draw(s->stage, a, s->pose, s->colors, alpha, s->size, !ghost && !has_body);
    }
    s->stage->in_front = false;
    return true;
}

bool show_ghosts(show *s, actor *a, uint32_t frame)
{
    static const uint32_t alphas[2] = {0x58u, 0x30u};
    uint32_t              step = a->frame_count / 16 + 1;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t away = (i + 1) * step;
        if (frame >= away && !show_actor(s, a, frame - away, GHOST_BEFORE | alphas[i], alphas[i], false))
            return false;
        if (frame + away < a->frame_count &&
            !show_actor(s, a, frame + away, GHOST_AFTER | alphas[i], alphas[i], false))
            return false;
    }
    return true;
}

bool show_errors(show *s, actor *b, const errors *e, uint32_t frame)
{
    uint32_t at = frame < b->frame_count ? frame : b->frame_count - 1;
    if (!actor_pose(b, at, s->pose))
        return false;
    for (uint32_t i = 0; i < b->bone_count; i++) {
        double error = e->by_bone[(size_t)at * b->bone_count + i];
        s->colors[i] = error < 0.0 ? COLOR_UNMATCHED : limbs_error_color(error / e->red);
    }
    if (s->marked >= 0 && (uint32_t)s->marked < b->bone_count)
        s->colors[s->marked] = COLOR_MARKED;
    s->stage->in_front = true;
    limbs_draw(s->stage, b, s->pose, s->colors, 0xFFu, s->size, true);
    s->stage->in_front = false;
    return true;
}
