/* SPDX-License-Identifier: MIT */
/* Framing. Points are looked at, not boxes around them, so that a figure fills the picture; numbers that are
   not finite do not count. */
#include "scene/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "ember/pose.h"
#include "scene/program.h"

#define FRAMES_LOOKED_AT 48u
#define VERTICES_LOOKED_AT 240u /* of each mesh and frame */
#define HALF_FIELD 0.23         /* radians, of the narrower side */
#define LEAST_SIZE 1e-18f       /* beyond these the camera's own numbers would not be finite */
#define MOST_SIZE 1e18f
#define FOLLOW_ABOVE 1.2 /* travel, in sizes of the actor, from which the camera goes along */

typedef struct cloud {
    ember_vec3 *points;
    size_t      count, room;
} cloud;

static void cloud_add(cloud *points, const camera *c, ember_vec3 at, const double middle[3])
{
    at = ember_mat34_point(&c->up, at);
    if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z))
        return;
    if (points->count == points->room) {
        points->room = points->room * 2 + 1024;
        points->points = must_resize(points->points, points->room, sizeof(*points->points));
    }
    points->points[points->count++] =
        (ember_vec3){(float)((double)at.x - middle[0]), (float)((double)at.y - middle[1]),
                     (float)((double)at.z - middle[2])};
}

/* What is drawn beyond the last joints. */
static void cloud_of_ends(cloud *points, const camera *c, const actor *a, const ember_mat34 *pose,
                          const double middle[3])
{
    for (uint32_t i = 0; i < a->bone_count; i++) {
        ember_vec3 along;
        if (actor_end(a, pose, i, c->size, &along))
            cloud_add(points, c,
                      (ember_vec3){pose[i].m[3] + along.x, pose[i].m[7] + along.y, pose[i].m[11] + along.z},
                      middle);
    }
}

static void cloud_of_pose(cloud *points, const camera *c, const actor *a, const ember_mat34 *pose,
                          const double middle[3])
{
    if (a->bodies == NULL)
        cloud_of_ends(points, c, a, pose, middle);
    for (uint32_t i = 0; i < a->bone_count; i++)
        cloud_add(points, c, (ember_vec3){pose[i].m[3], pose[i].m[7], pose[i].m[11]}, middle);
    for (uint32_t m = 0; a->bodies != NULL && m < a->bodies->mesh_count; m++) {
        const ember_mesh *mesh = &a->bodies->meshes[m];
        uint32_t          step = mesh->vertex_count / VERTICES_LOOKED_AT + 1;
        for (uint32_t v = 0; v < mesh->vertex_count; v += step)
            cloud_add(points, c, actor_vertex(a, mesh, v, pose), middle);
    }
}

static void cloud_box(const cloud *points, size_t first, float low[3], float high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
    }
    for (size_t i = first; i < points->count; i++) {
        const float at[3] = {points->points[i].x, points->points[i].y, points->points[i].z};
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
            high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
        }
    }
}

/* The middle of the bones, on the ground: smoothed over half a second to either side, or the camera would nod
   with every step. */
static void camera_middle(const camera *c, actor *a, uint32_t frame, double out[3])
{
    enum { LOOKS = 7 };
    ember_mat34 *pose = must_alloc(a->bone_count, sizeof(*pose));
    double       count = 0.0;
    out[0] = out[1] = out[2] = 0.0;
    for (int look = 0; look < LOOKS; look++) {
        double at = (double)frame + a->fps * 0.5 * ((double)look / (LOOKS - 1) * 2.0 - 1.0),
               last = (double)(a->frame_count - 1);
        at = at < 0.0 ? 0.0 : at > last ? last : at;
        if (!actor_pose(a, (uint32_t)(at + 0.5), pose))
            continue;
        for (uint32_t i = 0; i < a->bone_count; i++) {
            ember_vec3 p = ember_mat34_point(&c->up, (ember_vec3){pose[i].m[3], pose[i].m[7], pose[i].m[11]});
            if (!isfinite(p.x) || !isfinite(p.z))
                continue;
            out[0] += (double)p.x;
            out[2] += (double)p.z;
            count += 1.0;
        }
    }
    out[0] /= count > 0.0 ? count : 1.0;
    out[2] /= count > 0.0 ? count : 1.0;
    free(pose);
}

/* Right, up and back of the camera. */
static void camera_axes(const camera *c, double axes[3][3])
{
    double st = emberi_real_sin(c->turn), ct = emberi_real_cos(c->turn);
    double sp = emberi_real_sin(c->pitch), cp = emberi_real_cos(c->pitch);
    double made[3][3] = {{ct, 0.0, -st}, {-st * sp, cp, -ct * sp}, {st * cp, sp, ct * cp}};
    memcpy(axes, made, sizeof(made));
}

static void camera_tangents(const camera *c, double *across, double *up)
{
    double narrow = tan(HALF_FIELD);
    *across = c->aspect >= 1.0 ? narrow * c->aspect : narrow;
    *up = c->aspect >= 1.0 ? narrow : narrow / c->aspect;
}

static void camera_see(const camera *c, double axes[3][3], ember_vec3 p, double out[3])
{
    const double d[3] = {(double)p.x - c->target[0], (double)p.y - c->target[1], (double)p.z - c->target[2]};
    for (int i = 0; i < 3; i++)
        out[i] = axes[i][0] * d[0] + axes[i][1] * d[1] + axes[i][2] * d[2];
}

/* As near as all points allow; then the target moves to where the picture is balanced, and again. */
static void camera_fit(camera *c, const cloud *points)
{
    double axes[3][3], across, up;
    camera_axes(c, axes);
    camera_tangents(c, &across, &up);
    across *= 1.0 - 2.0 * c->margin;
    up *= 1.0 - 2.0 * c->margin;
    for (int round = 0; round < 6; round++) {
        double distance = 0.0, low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30};
        for (size_t i = 0; i < points->count; i++) {
            double seen[3];
            camera_see(c, axes, points->points[i], seen);
            distance = fmax(distance, fmax(fabs(seen[0]) / across, fabs(seen[1]) / up) + seen[2]);
        }
        c->distance = distance > 0.0 ? distance : 1.0;
        for (size_t i = 0; i < points->count; i++) {
            double seen[3];
            camera_see(c, axes, points->points[i], seen);
            for (int k = 0; k < 2; k++) {
                double at = seen[k] / (c->distance - seen[2]);
                low[k] = fmin(low[k], at);
                high[k] = fmax(high[k], at);
            }
        }
        for (int axis = 0; points->count != 0 && axis < 3; axis++)
            c->target[axis] +=
                (axes[0][axis] * (low[0] + high[0]) + axes[1][axis] * (low[1] + high[1])) / 2.0 * c->distance;
    }
}

static void camera_measure(camera *c, const cloud *points, size_t first)
{
    float low[3], high[3];
    cloud_box(points, first, low, high);
    for (int axis = 0; axis < 3; axis++)
        c->size = high[axis] - low[axis] > c->size ? high[axis] - low[axis] : c->size;
}

static void camera_gather(camera *c, cloud *points, actor *a, actor *b)
{
    static const double origin[3] = {0.0, 0.0, 0.0};
    uint32_t            looks = a->frame_count < FRAMES_LOOKED_AT ? a->frame_count : FRAMES_LOOKED_AT;
    uint32_t            bones = b != NULL && b->bone_count > a->bone_count ? b->bone_count : a->bone_count;
    ember_mat34        *pose = must_alloc(bones, sizeof(*pose));
    points->count = 0;
    for (uint32_t i = 0; i < looks; i++) {
        uint32_t frame = looks > 1 ? (uint32_t)((uint64_t)i * (a->frame_count - 1) / (looks - 1)) : 0;
        double   middle[3];
        size_t   first = points->count;
        if (c->follows)
            camera_middle(c, a, frame, middle);
        if (actor_pose(a, frame, pose))
            cloud_of_pose(points, c, a, pose, c->follows ? middle : origin);
        camera_measure(c, points, first);
        if (b != NULL && actor_pose(b, frame < b->frame_count ? frame : b->frame_count - 1, pose))
            cloud_of_pose(points, c, b, pose, c->follows ? middle : origin);
    }
    free(pose);
}

/* What does not move is turned around its middle, so there is to be room for every side of it. */
static void camera_look_from_all_sides(cloud *points, const float low[3], const float high[3])
{
    enum { SIDES = 8 };
    size_t count = points->count;
    float  x = (low[0] + high[0]) / 2.0f, z = (low[2] + high[2]) / 2.0f;
    points->room = count * SIDES;
    points->points = must_resize(points->points, points->room, sizeof(*points->points));
    for (size_t side = 1; side < SIDES; side++) {
        double turn = 2.0 * EMBERI_REAL_PI * (double)side / SIDES;
        float  sine = (float)emberi_real_sin(turn), cosine = (float)emberi_real_cos(turn);
        for (size_t i = 0; i < count; i++) {
            float      dx = points->points[i].x - x, dz = points->points[i].z - z;
            ember_vec3 turned = {x + dx * cosine + dz * sine, points->points[i].y,
                                 z - dx * sine + dz * cosine};
            points->points[points->count++] = turned;
        }
    }
}

void camera_frame(camera *c, actor *a, actor *b)
{
    cloud points = {NULL, 0, 0};
    float low[3], high[3];
    c->follows = false;
    c->size = 0.0f;
    camera_gather(c, &points, a, b);
    if (a->bodies == NULL || b != NULL)
        /* how far bones are drawn follows from the size, which is known only now */
        camera_gather(c, &points, a, b);
    cloud_box(&points, 0, low, high);
    if (points.count == 0)
        low[0] = low[1] = low[2] = high[0] = high[1] = high[2] = 0.0f;
    if (!(c->size > 0.0f))
        c->size = 1.0f;
    c->size = fminf(fmaxf(c->size, LEAST_SIZE), MOST_SIZE);
    if (fmaxf(high[0] - low[0], high[2] - low[2]) > c->size * (float)(1.0 + FOLLOW_ABOVE)) {
        c->follows = true;
        camera_gather(c, &points, a, b);
        cloud_box(&points, 0, low, high);
    }
    if (a->clip == NULL)
        camera_look_from_all_sides(&points, low, high);
    c->low = low[1];
    c->high = high[1];
    for (int axis = 0; axis < 3; axis++)
        c->target[axis] = ((double)low[axis] + (double)high[axis]) / 2.0;
    camera_fit(c, &points);
    free(points.points);
}

void camera_matrices(const camera *c, actor *a, uint32_t frame, ember_mat34 *view, ember_mat44 *projection,
                     ember_vec3 *around)
{
    double axes[3][3], across, up, middle[3] = {0.0, 0.0, 0.0}, eye[3];
    double near = c->distance * 0.02, far = c->distance * 3.0 + (double)c->size * 12.0;
    if (c->follows)
        camera_middle(c, a, frame, middle);
    camera_axes(c, axes);
    camera_tangents(c, &across, &up);
    for (int axis = 0; axis < 3; axis++)
        eye[axis] = middle[axis] + c->target[axis] + axes[2][axis] * c->distance;
    for (int row = 0; row < 3; row++) {
        double shift = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            view->m[row * 4 + axis] = (float)axes[row][axis];
            shift -= axes[row][axis] * eye[axis];
        }
        view->m[row * 4 + 3] = (float)shift;
    }
    memset(projection, 0, sizeof(*projection));
    projection->m[0] = (float)(1.0 / across);
    projection->m[5] = (float)(1.0 / up);
    projection->m[10] = (float)((far + near) / (near - far));
    projection->m[11] = -1.0f;
    projection->m[14] = (float)(2.0 * far * near / (near - far));
    *around = (ember_vec3){(float)(middle[0] + c->target[0]), 0.0f, (float)(middle[2] + c->target[2])};
}

void camera_pan(camera *c, double right, double up)
{
    double axes[3][3];
    camera_axes(c, axes);
    for (int axis = 0; axis < 3; axis++)
        c->target[axis] += axes[0][axis] * right + axes[1][axis] * up;
}

bool camera_project(const ember_mat34 *view, const ember_mat44 *projection, ember_vec3 point, double width,
                    double height, double out[2])
{
    ember_vec3 seen = ember_mat34_point(view, point);
    if (!(seen.z < 0.0f))
        return false;
    out[0] = ((double)seen.x * (double)projection->m[0] / -(double)seen.z * 0.5 + 0.5) * width;
    out[1] = (0.5 - (double)seen.y * (double)projection->m[5] / -(double)seen.z * 0.5) * height;
    return true;
}
