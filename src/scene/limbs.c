/* SPDX-License-Identifier: MIT */
/* Bones to look at. */
#include "scene/limbs.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ember/pose.h"
#include "scene/program.h"

#define COLOR_MIDDLE 0xE9DFC8FFu
#define COLOR_LEFT 0x6FB1F2FFu
#define COLOR_RIGHT 0xF2A45CFFu

/* ---- colours ---- */

/* 'l' or 'r' where the name has the word, as in LeftArm, arm.L, l_arm, arm_l.001; else 0. */
static char limbs_side(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < size; i++) {
        char c = (char)tolower((unsigned char)name[i]);
        if (c != 'l' && c != 'r')
            continue;
        bool starts = i == 0 || !isalpha((unsigned char)name[i - 1]) ||
                      (isupper((unsigned char)name[i]) && islower((unsigned char)name[i - 1]));
        bool alone = i + 1 == size || !isalpha((unsigned char)name[i + 1]) ||
                     (isupper((unsigned char)name[i + 1]) && !isupper((unsigned char)name[i]));
        const char *word = c == 'l' ? "left" : "right";
        bool        whole = true;
        for (size_t k = 0; word[k] != '\0'; k++)
            /* ends at the name's own end: that is no letter of the word */
            whole = whole && tolower((unsigned char)name[i + k]) == word[k];
        if (starts && (alone || whole))
            return c;
    }
    return 0;
}

void limbs_colors(uint32_t *colors, const ember_skeleton *skeleton)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        char        side = name != NULL ? limbs_side(name) : 0;
        colors[i] = side == 'l' ? COLOR_LEFT : side == 'r' ? COLOR_RIGHT : COLOR_MIDDLE;
    }
}

uint32_t limbs_error_color(double part)
{
    static const double stops[3][3] = {{70, 190, 110}, {250, 205, 70}, {235, 60, 50}};
    double              at = !(part > 0.0) ? 0.0 : part < 1.0 ? part * 2.0 : 2.0;
    int                 stop = at < 1.0 ? 0 : 1;
    uint32_t            color = 0xFFu;
    for (int i = 0; i < 3; i++)
        color |= (uint32_t)(stops[stop][i] + (stops[stop + 1][i] - stops[stop][i]) * (at - stop) + 0.5)
                 << (24 - 8 * i);
    return color;
}

/* ---- shapes ---- */

static ember_vec3 limbs_at(const ember_mat34 *m) { return (ember_vec3){m->m[3], m->m[7], m->m[11]}; }

static float limbs_length(ember_vec3 v) { return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z); }

static void limbs_ball(stage *s, ember_vec3 at, float radius, uint32_t color, bool shadow)
{
    ember_mat34 where = {{radius, 0, 0, at.x, 0, radius, 0, at.y, 0, 0, radius, at.z}};
    stage_draw_mesh(s, s->ball_mesh, &where, color, shadow);
}

static void limbs_stick(stage *s, ember_vec3 from, ember_vec3 along, float width, uint32_t color, bool shadow)
{
    ember_transform at = {.position = from,
                          .rotation = ember_quat_between((ember_vec3){0.0f, 1.0f, 0.0f}, along),
                          .scale = {width, limbs_length(along), width}};
    ember_mat34     where = ember_mat34_from_transform(&at);
    stage_draw_mesh(s, s->bone_mesh, &where, color, shadow);
}

void limbs_draw(stage *s, const actor *a, const ember_mat34 *pose, const uint32_t *colors, uint32_t alpha,
                float size, bool shadow)
{
    const int16_t *parents = a->model->skeleton.parents;
    float          joint = size * 0.011f;
    for (uint32_t i = 0; i < a->bone_count; i++) {
        ember_vec3 here = limbs_at(&pose[i]);
        uint32_t   color = (colors[i] & 0xFFFFFF00u) | alpha;
        limbs_ball(s, here, a->linked ? joint : joint * 1.8f, color, shadow);
        if (parents[i] < 0)
            continue;
        ember_vec3 there = limbs_at(&pose[parents[i]]),
                   along = {here.x - there.x, here.y - there.y, here.z - there.z};
        float length = limbs_length(along), width = length * 0.22f;
        if (length > joint * 0.5f && isfinite(length))
            limbs_stick(s, there, along, width < size * 0.05f ? width : size * 0.05f,
                        (colors[parents[i]] & 0xFFFFFF00u) | alpha, shadow);
    }
    for (uint32_t i = 0; i < a->bone_count; i++) {
        ember_vec3 along;
        if (!actor_end(a, pose, i, size, &along))
            continue;
        float length = limbs_length(along);
        if (length > joint * 0.25f)
            limbs_stick(s, limbs_at(&pose[i]), along, length * 0.3f, (colors[i] & 0xFFFFFF00u) | alpha,
                        shadow);
    }
}
