/* SPDX-License-Identifier: MIT */
/* What the page sees: the stage, the camera and where bones are in the picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ember/pose.h"
#include "exports.h"
#include "scene/program.h"

#define PITCH_MOST 1.55
#define GHOST_REFERENCE 0xFFFFFF58u

static actor *picture_actor(viewer *v) { return (v->flags & SHOW_REST) != 0 ? &v->rest : &v->shown.actor; }

/* ---- the stage ---- */

/* Body and ground anew for what is open. */
static bool picture_stage(viewer *v)
{
    v->staged = v->stage.renderer != NULL && stage_clear(&v->stage) &&
                stage_add_body(&v->stage, &v->body, &v->shown.actor, v->shown.in.name);
    v->stage.background = v->background;
    v->stage.up = v->camera.up = show_up(v->up);
    if (v->staged && v->framed)
        (void)show_ground(&v->stage, &v->camera);
    return v->staged;
}

/* Opens the stage and draws a bone on the ground, so that whatever drivers compile at first use is ready
   before the first file comes. False where nothing can be drawn. */
EXPORT(viewer_warm) bool viewer_warm(viewer *v)
{
    static const ember_mat34 view = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -4}};
    static const ember_mat44 projection = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.02f, -1, 0, 0, -0.2f, 0}};
    if (!stage_open(&v->stage, v->width, v->height, false, say_scene(&v->say)))
        return false;
    if (stage_set_ground(&v->stage, -1.0f, 1.0f)) {
        stage_begin(&v->stage, &view, &projection);
        stage_draw_ground(&v->stage, (ember_vec3){0.0f, 0.0f, 0.0f});
        stage_draw_mesh(&v->stage, v->stage.bone_mesh, &v->stage.up, 0xFFFFFFFFu, true);
        (void)stage_show(&v->stage);
    }
    return true;
}

static void picture_room(viewer *v)
{
    uint32_t bones = v->shown.actor.bone_count > v->reference.actor.bone_count
                         ? v->shown.actor.bone_count
                         : v->reference.actor.bone_count;
    v->pose = must_resize(v->pose, bones, sizeof(*v->pose));
    v->colors = must_resize(v->colors, bones, sizeof(*v->colors));
    v->places = must_resize(v->places, 2 * (size_t)bones, sizeof(*v->places));
}

static void picture_rest(viewer *v)
{
    actor_close(&v->rest);
    actor_open(&v->rest, v->shown.model, NULL, v->shown.actor.bodies);
}

EXPORT(viewer_open) bool viewer_open(viewer *v, uint32_t file)
{
    viewer_close(v);
    v->marked = -1;
    if (file >= v->file_count || !document_open(&v->shown, v, file))
        return false;
    picture_rest(v);
    if (!picture_stage(v)) {
        viewer_close(v);
        return false;
    }
    viewer_frame_all(v);
    (void)viewer_compare(v);
    return true;
}

EXPORT(viewer_select) bool viewer_select(viewer *v, uint32_t clip)
{
    if (!v->shown.open || clip >= v->shown.clip_count)
        return false;
    uint32_t           before = document_chosen(&v->shown);
    const ember_model *bodies = v->shown.actor.bodies;
    if (!document_select(&v->shown, v, clip)) {
        if (!document_select(&v->shown, v, before))
            viewer_close(v);
        return false;
    }
    picture_rest(v);
    if ((v->shown.rom != NULL || v->shown.actor.bodies != bodies) && !picture_stage(v)) {
        viewer_close(v);
        return false;
    }
    viewer_frame_all(v);
    (void)viewer_compare(v);
    return true;
}

EXPORT(viewer_resize) bool viewer_resize(viewer *v, uint32_t width, uint32_t height)
{
    ember_error err = EMBER_ERROR_INIT;
    v->width = width;
    v->height = height;
    v->camera.aspect = (double)width / height;
    if (v->stage.renderer == NULL)
        return true;
    v->stage.width = width;
    v->stage.height = height;
    if (ember_renderer_resize(v->stage.renderer, width, height, &err) != EMBER_OK)
        return say_library(&v->say, NULL, &err), false;
    return true;
}

EXPORT(viewer_set)
void viewer_set(viewer *v, uint32_t flags, int32_t marked, uint32_t background, uint32_t crowd, uint32_t up)
{
    static const char *const ups[] = {"y", "z", "-y"};
    bool                     again = v->background != background || v->up != ups[up % 3];
    v->flags = flags;
    v->marked = marked;
    v->crowd = crowd;
    v->background = background;
    bool turned = v->up != ups[up % 3];
    v->up = ups[up % 3];
    if (again && v->shown.open) {
        (void)picture_stage(v);
        if (turned)
            viewer_frame_all(v);
    }
}

/* ---- the camera ---- */

EXPORT(viewer_frame_all) void viewer_frame_all(viewer *v)
{
    if (!v->shown.open)
        return;
    v->camera.aspect = (double)v->width / v->height;
    v->camera.up = show_up(v->up);
    camera_frame(&v->camera, &v->shown.actor, NULL);
    v->framed = true;
    if (v->staged)
        (void)show_ground(&v->stage, &v->camera);
    if (v->crowd > 1)
        v->camera.distance *= 1.0 + 0.45 * sqrt((double)v->crowd);
}

EXPORT(viewer_orbit) void viewer_orbit(viewer *v, double turn, double pitch)
{
    double to = v->camera.pitch + pitch;
    v->camera.turn = remainder(v->camera.turn + turn, 6.283185307179586);
    v->camera.pitch = to > PITCH_MOST ? PITCH_MOST : to < -PITCH_MOST ? -PITCH_MOST : to;
}

/* In parts of the picture's height. */
EXPORT(viewer_pan) void viewer_pan(viewer *v, double right, double up)
{
    double height = 2.0 * v->camera.distance * tan(0.23) / (v->camera.aspect < 1.0 ? v->camera.aspect : 1.0);
    camera_pan(&v->camera, -right * height, -up * height);
}

EXPORT(viewer_zoom) void viewer_zoom(viewer *v, double factor)
{
    double to = v->camera.distance * factor, size = (double)v->camera.size;
    if (to > size * 1e-3 && to < size * 1e3)
        v->camera.distance = to;
}

/* 0 turn, 1 pitch (radians), 2 distance, 3..5 what it looks at. */
EXPORT(viewer_camera) double viewer_camera(const viewer *v, uint32_t which)
{
    const double values[6] = {v->camera.turn,      v->camera.pitch,     v->camera.distance,
                              v->camera.target[0], v->camera.target[1], v->camera.target[2]};
    return which < 6 ? values[which] : 0.0;
}

EXPORT(viewer_set_camera)
void viewer_set_camera(viewer *v, double turn, double pitch, double distance, double x, double y, double z)
{
    if (!isfinite(turn) || !isfinite(pitch) || !isfinite(x) || !isfinite(y) || !isfinite(z) ||
        !isfinite(distance))
        return;
    v->camera.turn = v->camera.pitch = 0.0;
    viewer_orbit(v, turn, pitch);
    if (distance > 0.0 && distance < 1e12)
        v->camera.distance = distance;
    v->camera.target[0] = x;
    v->camera.target[1] = y;
    v->camera.target[2] = z;
}

/* ---- a picture ---- */

/* Three thin bones along the axes of each joint. */
static void draw_axes(viewer *v, const actor *a)
{
    static const uint32_t colors[3] = {0xE5484DFFu, 0x46A758FFu, 0x3E8BFFFFu};
    float                 length = v->camera.size * 0.05f, width = length * 0.14f;
    v->stage.in_front = true;
    for (uint32_t i = 0; i < a->bone_count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const float *m = v->pose[i].m;
            ember_vec3   along = {m[axis], m[4 + axis], m[8 + axis]};
            float        size = sqrtf(along.x * along.x + along.y * along.y + along.z * along.z);
            if (!(size > 0.0f) || !isfinite(size))
                continue;
            along = (ember_vec3){along.x / size, along.y / size, along.z / size};
            ember_transform at = {.position = {m[3], m[7], m[11]},
                                  .rotation = ember_quat_between((ember_vec3){0.0f, 1.0f, 0.0f}, along),
                                  .scale = {width, length, width}};
            ember_mat34     where = ember_mat34_from_transform(&at);
            stage_draw_mesh(&v->stage, v->stage.bone_mesh, &where, colors[axis], false);
        }
    v->stage.in_front = false;
}

/* Many of the same on a square, each a little later than the one before. */
static bool draw_crowd(viewer *v, show *s, actor *a, uint32_t frame)
{
    uint32_t    side = (uint32_t)ceil(sqrt((double)v->crowd));
    float       step = v->camera.size * 0.9f;
    ember_mat34 up = v->stage.up;
    bool        done = true;
    for (uint32_t i = 0; done && i < v->crowd; i++) {
        v->stage.up = up;
        v->stage.up.m[3] += ((float)(i % side) - (float)(side - 1) * 0.5f) * step;
        /* NOLINTNEXTLINE(bugprone-integer-division): whole rows are meant */
        v->stage.up.m[11] += ((float)(i / side) - (float)(side - 1) * 0.5f) * step;
        done = show_actor(s, a, (frame + i * 7) % a->frame_count, 0xFFFFFF00u, 0xFFu, false);
    }
    v->stage.up = up;
    return done;
}

static bool draw_actors(viewer *v, actor *a, uint32_t frame)
{
    show s = {.stage = &v->stage,
              .body = (v->flags & SHOW_MESH) != 0 ? &v->body : &v->no_body,
              .bodied = a,
              .size = v->camera.size,
              .onion = (v->flags & SHOW_ONION) != 0,
              .marked = v->marked,
              .pose = v->pose,
              .colors = v->colors};
    bool bones = (v->flags & SHOW_BONES) != 0,
         compared = (v->flags & SHOW_REFERENCE) != 0 && v->errors.by_bone != NULL && a == &v->shown.actor;
    if (v->crowd > 1)
        return draw_crowd(v, &s, a, frame);
    bool done = !s.onion || show_ghosts(&s, a, frame);
    if (compared) {
        /* The reference pale, its bones alone; what is shown in the colours of its errors. */
        show pale = s;
        pale.body = &v->no_body;
        done = done && show_actor(&pale, &v->reference.actor, frame, GHOST_REFERENCE, 0x58u, true);
        done = done && (s.body->mesh_count == 0 || show_actor(&s, a, frame, 0xFFFFFF00u, 0x58u, false)) &&
               show_errors(&s, a, &v->errors, frame);
    } else {
        done = done && show_actor(&s, a, frame, 0xFFFFFF00u, 0xFFu, bones);
    }
    if (done && (v->flags & SHOW_AXES) != 0)
        draw_axes(v, a);
    return done;
}

/* The actor to show and where from; NULL before there is a stage. */
static actor *picture_look(viewer *v, uint32_t frame, ember_mat34 *view, ember_mat44 *projection,
                           ember_vec3 *around)
{
    if (!v->staged)
        return NULL;
    actor *a = picture_actor(v);
    picture_room(v);
    camera_matrices(&v->camera, a, frame, view, projection, around);
    return a;
}

EXPORT(viewer_draw) bool viewer_draw(viewer *v, uint32_t frame, bool present)
{
    ember_mat34 view;
    ember_mat44 projection;
    ember_vec3  around;
    actor      *a = picture_look(v, frame, &view, &projection, &around);
    if (a == NULL)
        return false;
    stage_light(&v->stage, v->camera.turn);
    stage_begin(&v->stage, &view, &projection);
    stage_draw_ground(&v->stage, around);
    if (!draw_actors(v, a, frame))
        say_error(&v->say,
                  (place){v->shown.in.name, v->shown.clip != NULL ? v->shown.clip->name : NULL, NULL},
                  "frame %u cannot be composed", (unsigned)frame);
    if (!stage_show(&v->stage))
        return false;
    return !present || ember_renderer_present(v->stage.renderer, v->width, v->height) == EMBER_OK;
}

/* The last picture's pixels, RGBA, the top row first. */
EXPORT(viewer_picture) bool viewer_picture(viewer *v)
{
    size_t size = (size_t)v->width * v->height * 4;
    v->out.size = 0;
    return v->staged && ember_buffer_grow(&v->out, size) != NULL &&
           ember_renderer_read(v->stage.renderer, v->out.data, size) == EMBER_OK;
}

/* Where each bone is in the picture, in parts of its width and height; two floats each. */
EXPORT(viewer_places) const float *viewer_places(viewer *v, uint32_t frame)
{
    ember_mat34 view;
    ember_mat44 projection;
    ember_vec3  around;
    actor      *a = picture_look(v, frame, &view, &projection, &around);
    if (a == NULL)
        return NULL;
    bool posed = actor_pose(a, frame < a->frame_count ? frame : a->frame_count - 1, v->pose);
    for (uint32_t i = 0; i < a->bone_count; i++) {
        double     at[2];
        ember_vec3 joint =
            ember_mat34_point(&v->stage.up, (ember_vec3){v->pose[i].m[3], v->pose[i].m[7], v->pose[i].m[11]});
        bool seen = posed && camera_project(&view, &projection, joint, 1.0, 1.0, at);
        v->places[2 * i] = seen ? (float)at[0] : NAN;
        v->places[2 * i + 1] = seen ? (float)at[1] : NAN;
    }
    return v->places;
}

/* ---- textures: the browser decodes the images ---- */

EXPORT(viewer_texture_count) uint32_t viewer_texture_count(const viewer *v)
{
    return (uint32_t)v->stage.textures.count;
}
EXPORT(viewer_texture_data) const void *viewer_texture_data(const viewer *v, uint32_t index)
{
    return v->stage.textures.known[index].data;
}
EXPORT(viewer_texture_size) uint32_t viewer_texture_size(const viewer *v, uint32_t index)
{
    return (uint32_t)v->stage.textures.known[index].size;
}

EXPORT(viewer_texture_set)
bool viewer_texture_set(viewer *v, uint32_t index, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    ember_error err = EMBER_ERROR_INIT;
    uint32_t    number = 0;
    if (!v->staged || index >= v->stage.textures.count)
        return false;
    if (ember_renderer_add_texture(v->stage.renderer, rgba, width, height, &number, &err) == EMBER_OK &&
        ember_renderer_use_texture(v->stage.renderer, v->stage.textures.known[index].number, number, &err) ==
            EMBER_OK)
        return true;
    say_warning(&v->say, (place){v->shown.in.name, NULL, NULL}, "a texture is not shown: %s",
                emberi_error_line_of(&err).text);
    return false;
}
