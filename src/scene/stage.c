/* SPDX-License-Identifier: MIT */
/* The renderer of previews: bodies, bones, the ground and shadows on it. */
#include "scene/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "ember/pose.h"
#include "scene/program.h"
#include "scene/shapes.h"

#define SHADOW_COLOR 0x06080A78u
#define NEARER 0.5f
#define CLAY 0xD9D1C300u /* of meshes that have no colour of their own */

static bool stage_failed(const stage *s, const ember_error *err)
{
    s->listener.failed(s->listener.user, s->file, err);
    return false;
}

bool stage_open(stage *s, uint32_t width, uint32_t height, bool headless, scene_listener listener)
{
    ember_error            err = EMBER_ERROR_INIT;
    ember_renderer_options options = {.allocator = ember_heap(),
                                      .width = width,
                                      .height = height,
                                      .headless = headless,
                                      .limit_s = 10.0};
    memset(s, 0, sizeof(*s));
    s->listener = listener;
    s->width = width;
    s->height = height;
    s->up = ember_mat34_identity;
    s->background = STAGE_BACKGROUND;
    if (ember_renderer_create(&s->renderer, &options, &err) != EMBER_OK)
        return stage_failed(s, &err);
    stage_light(s, 0.0);
    return stage_clear(s);
}

bool stage_clear(stage *s)
{
    ember_error err = EMBER_ERROR_INIT;
    shape       bone, ball;
    ember_renderer_clear(s->renderer);
    textures_free(&s->textures);
    s->has_ground = false;
    s->list.draw_count = s->list.bone_count = 0;
    shape_bone(&bone);
    shape_ball(&ball);
    bool done = ember_renderer_add_mesh(s->renderer, &bone.mesh, &s->bone_mesh, &err) == EMBER_OK &&
                ember_renderer_add_mesh(s->renderer, &ball.mesh, &s->ball_mesh, &err) == EMBER_OK;
    shape_free(&bone);
    shape_free(&ball);
    return done || stage_failed(s, &err);
}

void stage_close(stage *s)
{
    ember_renderer_destroy(s->renderer);
    textures_free(&s->textures);
    free(s->draws);
    free(s->bones);
    memset(s, 0, sizeof(*s));
}

bool stage_set_ground(stage *s, float y, float size)
{
    ember_error err = EMBER_ERROR_INIT;
    shape       ground, lines;
    s->ground_y = y;
    if (s->has_ground && s->ground_size == size)
        return true;
    s->ground_size = size;
    s->cell = shape_ground(&ground, &lines, size, s->background);
    s->has_ground = ember_renderer_add_mesh(s->renderer, &ground.mesh, &s->ground_mesh, &err) == EMBER_OK &&
                    ember_renderer_add_mesh(s->renderer, &lines.mesh, &s->lines_mesh, &err) == EMBER_OK;
    shape_free(&ground);
    shape_free(&lines);
    return s->has_ground || stage_failed(s, &err);
}

/* ---- bodies ---- */

/* A texture that cannot be read is said, and the mesh shown without. */
static void stage_add_texture(stage *s, const ember_mesh *of, uint32_t mesh, const char *file)
{
    ember_error err = EMBER_ERROR_INIT;
    char        text[2 * sizeof(err.text)];
    if (of->texture == NULL || of->uvs == NULL ||
        textures_use(&s->textures, s->renderer, mesh, of->texture, of->texture_size, &err))
        return;
    snprintf(text, sizeof(text), "the texture of mesh %s is not shown: %s",
             of->name[0] != '\0' ? of->name : "(unnamed)", err.text);
    s->listener.warned(s->listener.user, file, text);
}

bool stage_add_body(stage *s, stage_body *out, const actor *a, const char *file)
{
    const ember_model *model = a->bodies;
    ember_error        err = EMBER_ERROR_INIT;
    bool               done = true;
    memset(out, 0, sizeof(*out));
    out->skeleton = -1;
    if (model == NULL || model->mesh_count == 0)
        return true;
    uint32_t number = 0;
    for (uint32_t i = 0; done && i < model->mesh_count; i++) {
        done = ember_renderer_add_mesh(s->renderer, &model->meshes[i], &number, &err) == EMBER_OK ||
               stage_failed(s, &err);
        if (i == 0)
            out->first_mesh = number;
        if (done)
            stage_add_texture(s, &model->meshes[i], number, file);
    }
    out->mesh_count = model->mesh_count;
    if (done && model->skeleton.inverse_binds != NULL) {
        done = ember_renderer_add_skeleton(s->renderer, model->skeleton.inverse_binds,
                                           model->skeleton.bone_count, &number, &err) == EMBER_OK ||
               stage_failed(s, &err);
        out->skeleton = (int32_t)number;
    }
    return done;
}

/* ---- a frame ---- */

void stage_light(stage *s, double turn)
{
    double around = turn + 0.65;
    double across = 0.78 * emberi_real_sin(around), along = 0.78 * emberi_real_cos(around);
    s->light = (ember_vec3){(float)across, 1.0f, (float)along};
    ember_renderer_light(s->renderer, s->light);
}

void stage_begin(stage *s, const ember_mat34 *view, const ember_mat44 *projection)
{
    s->list = (ember_draw_list){.view = *view, .projection = *projection, .clear_color = s->background};
    s->in_front = false;
    /* Shrunk towards the eye, a thing is in the same place of the picture, but nearer. */
    ember_mat34 camera_to_world;
    (void)ember_mat34_inverse(&camera_to_world, view);
    s->nearer = ember_mat34_identity;
    for (int axis = 0; axis < 3; axis++) {
        s->nearer.m[axis * 5] = NEARER;
        s->nearer.m[axis * 4 + 3] = camera_to_world.m[axis * 4 + 3] * (1.0f - NEARER);
    }
}

static void stage_push(stage *s, const ember_draw *draw)
{
    if (s->list.draw_count == s->draw_room) {
        s->draw_room = s->draw_room * 2 + 64;
        s->draws = must_resize(s->draws, s->draw_room, sizeof(*s->draws));
    }
    s->draws[s->list.draw_count] = *draw;
    if (s->in_front)
        s->draws[s->list.draw_count].transform = ember_mat34_mul(&s->nearer, &draw->transform);
    s->list.draw_count++;
}

uint32_t stage_add_bones(stage *s, const ember_mat34 *matrices, uint32_t count)
{
    uint32_t first = s->list.bone_count;
    if (s->bone_room - first < count) {
        s->bone_room = (first + count) * 2;
        s->bones = must_resize(s->bones, s->bone_room, sizeof(*s->bones));
    }
    if (count != 0)
        memcpy(s->bones + first, matrices, count * sizeof(*matrices));
    s->list.bone_count += count;
    return first;
}

/* The same once more, pressed flat on the ground along the light. */
static void stage_push_shadow(stage *s, const ember_draw *draw)
{
    float x = -s->light.x / s->light.y, z = -s->light.z / s->light.y, y = s->ground_y + s->cell * 0.004f;
    ember_mat34 flat = {{1, x, 0, -x * y, 0, 0, 0, y, 0, z, 1, -z * y}};
    ember_draw  shadow = *draw;
    bool        in_front = s->in_front;
    s->in_front = false;
    shadow.transform = ember_mat34_mul(&flat, &draw->transform);
    shadow.color = SHADOW_COLOR;
    stage_push(s, &shadow);
    s->in_front = in_front;
}

void stage_draw_mesh(stage *s, uint32_t mesh, const ember_mat34 *transform, uint32_t color, bool shadow)
{
    ember_draw draw = {.branch = EMBER_DRAW_STATIC,
                       .mesh = mesh,
                       .transform = ember_mat34_mul(&s->up, transform),
                       .skeleton = -1,
                       .color = color};
    stage_push(s, &draw);
    if (shadow && s->has_ground)
        stage_push_shadow(s, &draw);
}

void stage_draw_ground(stage *s, ember_vec3 around)
{
    ember_mat34 at = ember_mat34_identity;
    ember_draw  draw = {.branch = EMBER_DRAW_STATIC, .skeleton = -1, .color = 0xFFFFFFFFu};
    if (!s->has_ground)
        return;
    /* By whole squares, so that the lines stand still while the ground goes with the camera. */
    at.m[3] = floorf(around.x / s->cell + 0.5f) * s->cell;
    at.m[7] = s->ground_y - s->cell * 0.002f;
    at.m[11] = floorf(around.z / s->cell + 0.5f) * s->cell;
    draw.transform = at;
    draw.mesh = s->ground_mesh;
    stage_push(s, &draw);
    draw.transform.m[7] = s->ground_y;
    draw.mesh = s->lines_mesh;
    stage_push(s, &draw);
}

static bool stage_is_bare(const ember_mesh *mesh)
{
    return mesh->texture == NULL && mesh->colors == NULL && mesh->base_color[0] >= 1.0f &&
           mesh->base_color[1] >= 1.0f && mesh->base_color[2] >= 1.0f;
}

void stage_draw_body(stage *s, const stage_body *body, const actor *a, uint32_t first_bone, uint32_t color,
                     bool shadow)
{
    for (uint32_t i = 0; i < body->mesh_count; i++) {
        const ember_mesh *mesh = &a->bodies->meshes[i];
        ember_draw draw = {.mesh = body->first_mesh + i, .transform = s->up, .skeleton = -1, .color = color};
        if (mesh->joints != NULL && a->bone_count != 0) {
            draw.branch = EMBER_DRAW_SKINNED;
            draw.skeleton = body->skeleton;
        } else if (mesh->bone >= 0) {
            draw.branch = EMBER_DRAW_RIGID;
            draw.bone = (uint32_t)mesh->bone;
        }
        draw.pose = a->bone_count != 0 ? EMBER_DRAW_POSE_BONES : EMBER_DRAW_POSE_NONE;
        draw.first_bone = first_bone;
        draw.bone_count = a->bone_count;
        if (stage_is_bare(mesh) && (color & 0xFFFFFF00u) == 0xFFFFFF00u)
            draw.color = CLAY | (color & 0xFFu);
        stage_push(s, &draw);
        if (shadow && s->has_ground)
            stage_push_shadow(s, &draw);
    }
}

bool stage_show(stage *s)
{
    ember_error err = EMBER_ERROR_INIT;
    s->list.draws = s->draws;
    s->list.bones = s->bones;
    return ember_renderer_draw(s->renderer, &s->list, &err) == EMBER_OK || stage_failed(s, &err);
}

bool stage_end(stage *s, ember_image *out)
{
    ember_error err = EMBER_ERROR_INIT;
    if (!stage_show(s))
        return false;
    if (ember_renderer_read(s->renderer, out->pixels, (size_t)out->width * out->height * 4) == EMBER_OK)
        return true;
    ember_fail(&err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
               "the picture cannot be read from the graphics driver");
    return stage_failed(s, &err);
}
