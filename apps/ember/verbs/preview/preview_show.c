/* SPDX-License-Identifier: MIT */
/* The pictures of `ember preview`: bodies or bones on a ground, ghosts of other frames, names, labels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ember/pose.h"
#include "scene/canvas.h"
#include "scene/limbs.h"
#include "scene/show.h"
#include "verbs/preview/preview.h"

#define TEXT_STRONG 0xF2EFE6FFu
#define TEXT_WEAK 0xA9B2BDFFu
#define TEXT_SHADE 0x14171BD0u
#define LABEL_SHADE 0x14171B90u

bool preview_stage(preview *p)
{
    uint32_t bones = p->comparing && p->b.bone_count > p->a.bone_count ? p->b.bone_count : p->a.bone_count;
    if (!stage_open(&p->stage, p->width, p->height, true, say_scene(p->say)))
        return false;
    p->stage.file = p->in.name;
    if (!stage_add_body(&p->stage, &p->body, &p->a, p->in.name))
        return false;
    p->stage.up = p->camera.up = show_up(args_value(p->args, "up"));
    p->pose = must_alloc(bones, sizeof(*p->pose));
    p->colors = must_alloc(bones, sizeof(*p->colors));
    p->camera.turn = p->turn * 0.017453292519943295;
    p->camera.pitch = p->pitch * 0.017453292519943295;
    p->camera.aspect = (double)p->width / p->height;
    p->camera.margin = p->film ? 0.09 : 0.05;
    camera_frame(&p->camera, &p->a, p->comparing ? &p->b : NULL);
    return show_ground(&p->stage, &p->camera);
}

/* ---- one picture ---- */

/* What is compared: a as it should be, pale; b's bones in the colours of their errors. */
static bool show_shot(preview *p, uint32_t frame)
{
    show s = {.stage = &p->stage,
              .body = &p->body,
              .bodied = &p->a,
              .size = p->camera.size,
              .onion = p->onion,
              .marked = -1,
              .pose = p->pose,
              .colors = p->colors};
    bool done = (!p->onion || show_ghosts(&s, &p->a, frame)) &&
                (p->comparing ? show_actor(&s, &p->a, frame, 0xFFFFFF00u, 0x58u, false) &&
                                    show_errors(&s, &p->b, &p->error, frame)
                              : show_actor(&s, &p->a, frame, 0xFFFFFF00u, 0xFFu, p->bones || p->names));
    if (!done)
        say_error(p->say, (place){p->in.name, p->a.clip->name, NULL}, "frame %u cannot be composed",
                  (unsigned)frame);
    return done;
}

typedef struct name_place {
    int x, y, width;
} name_place;

typedef struct joint_place {
    double   x, y;
    uint32_t bone;
} joint_place;

static bool name_is_free(const name_place *taken, uint32_t count, name_place at, int height)
{
    if (at.y < 0 || at.y + CANVAS_LETTER_HEIGHT > height)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (at.x < taken[i].x + taken[i].width && taken[i].x < at.x + at.width &&
            abs(at.y - taken[i].y) < CANVAS_LETTER_HEIGHT)
            return false;
    return true;
}

/* Where the joints of the pose are in a picture. Those that it cannot show are left out: behind the camera,
   far outside, or no numbers at all. */
static uint32_t find_joints(const preview *p, const actor *a, const ember_mat34 *view,
                            const ember_mat44 *projection, const ember_image *out, joint_place *joints)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->bone_count; i++) {
        double     at[2];
        ember_vec3 joint =
            ember_mat34_point(&p->stage.up, (ember_vec3){p->pose[i].m[3], p->pose[i].m[7], p->pose[i].m[11]});
        if (camera_project(view, projection, joint, out->width, out->height, at) && fabs(at[0]) <= 1e6 &&
            fabs(at[1]) <= 1e6)
            joints[count++] = (joint_place){at[0], at[1], i};
    }
    return count;
}

/* A place for a name beside its joint, on the side that leads away from the figure's middle so that left and
   right do not meet; moved down or up to where no other name is. */
static name_place place_name(const joint_place *joint, double middle, const char *name,
                             const name_place *taken, uint32_t count, const ember_image *out)
{
    int        width = canvas_text_width(name, 1), y = (int)joint->y - 4;
    int        right = (int)joint->x + 6, left = (int)joint->x - 6 - width;
    bool       leftward = joint->x < middle ? left > 0 : right + width > (int)out->width && left > 0;
    name_place best = {leftward ? left : right, y, width};
    for (int shift = 1; shift < 12 && !name_is_free(taken, count, best, (int)out->height); shift++)
        best.y = y + (shift % 2 != 0 ? 1 : -1) * (shift + 1) / 2 * (CANVAS_LETTER_HEIGHT + 1);
    return best;
}

static void show_names(preview *p, const ember_mat34 *view, const ember_mat44 *projection, ember_image *out)
{
    actor       *a = p->comparing ? &p->b : &p->a;
    joint_place *joints = must_alloc(a->bone_count, sizeof(*joints));
    name_place  *taken = must_alloc(a->bone_count, sizeof(*taken));
    uint32_t     count = find_joints(p, a, view, projection, out, joints);
    double       middle = 0.0;
    for (uint32_t i = 0; i < count; i++)
        middle += (joints[i].x - 1.0) / count;
    for (uint32_t i = 0; i < count; i++) {
        char               made[24];
        const joint_place *joint = &joints[i];
        const char        *name = ember_skeleton_name(&a->model->skeleton, joint->bone);
        snprintf(made, sizeof(made), "%u", (unsigned)joint->bone);
        name = name != NULL && name[0] != '\0' ? name : made;
        name_place at = place_name(joint, middle, name, taken, i, out);
        taken[i] = at;
        canvas_line(out, joint->x, joint->y, at.x < (int)joint->x ? at.x + at.width : at.x, at.y + 4, 1.0,
                    0xF2EFE680u);
        canvas_fill(out, at.x - 1, at.y - 1, at.width + 1, CANVAS_LETTER_HEIGHT + 1, TEXT_SHADE);
        canvas_text(out, at.x, at.y, 1, TEXT_STRONG, name);
    }
    free(taken);
    free(joints);
}

/* Whether no number of a matrix differs by what would be seen: a quarter of a pixel in a picture of 500. */
static bool is_same_place(const ember_mat34 *a, const ember_mat34 *b, float size)
{
    for (int i = 0; i < 12; i++) {
        float apart = a->m[i] - b->m[i], least = i % 4 == 3 ? size * 5e-4f : 5e-4f;
        if (!(apart <= least && -apart <= least))
            return false;
    }
    return true;
}

/* Whether the last picture shows this frame, too; leaves the frame's pose. */
static bool is_shown(preview *p, const ember_mat34 *view, uint32_t frame)
{
    if (p->last.pixels == NULL || !actor_pose(&p->a, frame, p->pose) ||
        !is_same_place(view, &p->last_view, p->camera.size))
        return false;
    for (uint32_t i = 0; i < p->a.bone_count; i++)
        if (!is_same_place(&p->pose[i], &p->last_pose[i], p->camera.size))
            return false;
    return true;
}

static void keep_shown(preview *p, const ember_mat34 *view, uint32_t frame, const ember_image *out)
{
    if (p->last.pixels == NULL) {
        p->last = canvas_make(out->width, out->height, STAGE_BACKGROUND);
        p->last_pose = must_alloc(p->a.bone_count, sizeof(*p->last_pose));
    }
    canvas_put(&p->last, 0, 0, out);
    p->last_view = *view;
    if (actor_pose(&p->a, frame, p->pose))
        memcpy(p->last_pose, p->pose, p->a.bone_count * sizeof(*p->last_pose));
}

bool preview_draw(preview *p, const preview_shot *shot, ember_image *out)
{
    bool        repeats = p->film && p->a.clip != NULL && !p->onion && !p->comparing;
    ember_mat34 view;
    ember_mat44 projection;
    ember_vec3  around;
    camera      eye = p->camera;
    eye.turn += shot->turn * 0.017453292519943295;
    camera_matrices(&eye, &p->a, shot->frame, &view, &projection, &around);
    if (repeats && is_shown(p, &view, shot->frame)) {
        canvas_put(out, 0, 0, &p->last);
        return true;
    }
    p->drawn++;
    stage_light(&p->stage, eye.turn);
    stage_begin(&p->stage, &view, &projection);
    stage_draw_ground(&p->stage, around);
    if (!show_shot(p, shot->frame))
        return false;
    if (!stage_end(&p->stage, out))
        return false;
    if (p->names)
        show_names(p, &view, &projection, out);
    if (repeats)
        keep_shown(p, &view, shot->frame, out);
    return true;
}

/* ---- words ---- */

const char *preview_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

void preview_label(const preview *p, const preview_shot *shot, ember_image *out, int x, int y)
{
    char strong[32], weak[32] = "";
    if (p->a.clip == NULL) {
        snprintf(strong, sizeof(strong), "%g degrees", shot->turn);
    } else {
        snprintf(strong, sizeof(strong), "%u", (unsigned)shot->frame);
        snprintf(weak, sizeof(weak), " %.2f s", (double)shot->frame / p->a.fps);
    }
    canvas_fill(out, x - 4, y - 4, canvas_text_width(strong, 2) + canvas_text_width(weak, 2) + 6,
                2 * CANVAS_LETTER_HEIGHT + 4, LABEL_SHADE);
    x = canvas_text(out, x, y, 2, TEXT_STRONG, strong);
    canvas_text(out, x, y, 2, TEXT_WEAK, weak);
}

/* A bar from green to red with what its ends stand for; ends at x. */
static int header_legend(const preview *p, ember_image *out, int x, int y)
{
    char worst[TEXT_NUMBER_SIZE];
    text_length(worst, p->error.red);
    x -= canvas_text_width(worst, 2);
    canvas_text(out, x, y, 2, TEXT_STRONG, worst);
    x -= 108;
    for (int i = 0; i < 100; i++)
        canvas_fill(out, x + i, y, 1, 14, limbs_error_color(i / 99.0));
    x -= 20;
    canvas_text(out, x, y, 2, TEXT_STRONG, "0");
    return x - 20;
}

void preview_header(const preview *p, ember_image *out, int scale)
{
    const char *file = preview_file(p->in.name);
    int         x = 14, y = 12, end = (int)out->width - 14;
    if (p->comparing)
        end = header_legend(p, out, end, y);
    char *name = text_escape(p->a.clip != NULL && p->a.clip->name[0] != '\0' ? p->a.clip->name : file);
    x = canvas_text_within(out, x, y, scale, end - x, TEXT_STRONG, name);
    free(name);
    char *more = p->a.clip != NULL
                     ? text_make("%s, %u frames, %g fps, %u bones", file, (unsigned)p->a.frame_count,
                                 p->a.fps, (unsigned)p->a.bone_count)
                     : text_make("%u bones", (unsigned)p->a.bone_count);
    x += 12 * scale / 2 + 6;
    if (end - x > 60)
        canvas_text_within(out, x, y, scale, end - x, TEXT_WEAK, more);
    free(more);
}
