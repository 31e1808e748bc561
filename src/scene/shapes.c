/* SPDX-License-Identifier: MIT */
/* Meshes made by code. What is not to be lit has normals of zero. */
#include "scene/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real.h"
#include "scene/program.h"

void shape_free(shape *s)
{
    free(s->positions);
    free(s->normals);
    free(s->colors);
    free(s->indices);
    memset(s, 0, sizeof(*s));
}

static void shape_begin(shape *s)
{
    memset(s, 0, sizeof(*s));
    s->mesh.name = "";
    s->mesh.bone = -1;
    for (int i = 0; i < 4; i++)
        s->mesh.base_color[i] = 1.0f;
}

static uint32_t shape_vertex(shape *s, ember_vec3 position, ember_vec3 normal, const float color[3])
{
    if (s->mesh.vertex_count == s->vertex_room) {
        s->vertex_room = s->vertex_room * 2 + 64;
        s->positions = must_resize(s->positions, s->vertex_room, sizeof(*s->positions));
        s->normals = must_resize(s->normals, s->vertex_room, sizeof(*s->normals));
        s->colors = must_resize(s->colors, s->vertex_room, sizeof(*s->colors));
    }
    uint32_t at = s->mesh.vertex_count++;
    s->positions[at] = position;
    s->normals[at] = normal;
    for (int i = 0; i < 4; i++)
        s->colors[at][i] = color != NULL && i < 3 ? color[i] : 1.0f;
    return at;
}

static void shape_triangle(shape *s, uint32_t a, uint32_t b, uint32_t c)
{
    if (s->index_room - s->mesh.index_count < 3) {
        s->index_room = s->index_room * 2 + 96;
        s->indices = must_resize(s->indices, s->index_room, sizeof(*s->indices));
    }
    s->indices[s->mesh.index_count++] = a;
    s->indices[s->mesh.index_count++] = b;
    s->indices[s->mesh.index_count++] = c;
}

static void shape_end(shape *s)
{
    s->mesh.positions = s->positions;
    s->mesh.normals = s->normals;
    s->mesh.colors = (const float(*)[4])s->colors;
    s->mesh.indices = s->indices;
}

static ember_vec3 minus(ember_vec3 a, ember_vec3 b) { return (ember_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

/* A face with its own normal; seen from outside the corners go counter-clockwise. */
static void shape_face(shape *s, ember_vec3 a, ember_vec3 b, ember_vec3 c)
{
    ember_vec3 u = minus(b, a), v = minus(c, a);
    ember_vec3 n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    float      size = sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
    n = (ember_vec3){n.x / size, n.y / size, n.z / size};
    uint32_t first = shape_vertex(s, a, n, NULL), second = shape_vertex(s, b, n, NULL),
             third = shape_vertex(s, c, n, NULL);
    shape_triangle(s, first, second, third);
}

void shape_bone(shape *s)
{
    static const ember_vec3 ring[4] = {{0.5f, 0.16f, 0.0f},
                                       {0.0f, 0.16f, 0.5f},
                                       {-0.5f, 0.16f, 0.0f},
                                       {0.0f, 0.16f, -0.5f}};
    shape_begin(s);
    for (int i = 0; i < 4; i++) {
        shape_face(s, ring[i], (ember_vec3){0.0f, 1.0f, 0.0f}, ring[(i + 1) % 4]);
        shape_face(s, ring[i], ring[(i + 1) % 4], (ember_vec3){0.0f, 0.0f, 0.0f});
    }
    shape_end(s);
}

void shape_ball(shape *s)
{
    enum { RINGS = 8, SECTORS = 14 };
    shape_begin(s);
    for (int ring = 0; ring <= RINGS; ring++)
        for (int sector = 0; sector <= SECTORS; sector++) {
            double     down = EMBERI_REAL_PI * ring / RINGS, around = 2.0 * EMBERI_REAL_PI * sector / SECTORS;
            double     across = emberi_real_sin(down);
            ember_vec3 at = {(float)(across * emberi_real_cos(around)), (float)emberi_real_cos(down),
                             (float)(across * emberi_real_sin(around))};
            shape_vertex(s, at, at, NULL);
        }
    for (uint32_t ring = 0; ring < RINGS; ring++)
        for (uint32_t sector = 0; sector < SECTORS; sector++) {
            uint32_t a = ring * (SECTORS + 1) + sector, b = a + SECTORS + 1;
            shape_triangle(s, a, a + 1, b);
            shape_triangle(s, a + 1, b + 1, b);
        }
    shape_end(s);
}

/* ---- the ground ---- */

/* `light` times as light as the background; a light background has a darker ground. */
static void ground_color(float out[3], uint32_t background, float light, double away, double radius)
{
    if ((background >> 16 & 0xFFu) > 0x80u)
        light = 1.0f - (light - 1.0f) * 0.12f;
    double left = 1.0 - away / radius, part = left > 0.0 ? left * left * (3.0 - 2.0 * left) : 0.0;
    for (int i = 0; i < 3; i++) {
        double s = (double)(background >> (24 - 8 * i) & 0xFFu) / 255.0;
        double linear = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
        out[i] = (float)(linear + (linear * (double)light - linear) * part);
    }
}

static void ground_disc(shape *s, double radius, uint32_t background)
{
    enum { RINGS = 24, SECTORS = 48 };
    static const ember_vec3 none = {0.0f, 0.0f, 0.0f};
    for (int ring = 0; ring <= RINGS; ring++)
        for (int sector = 0; sector <= SECTORS; sector++) {
            double away = radius * ring / RINGS, around = 2.0 * EMBERI_REAL_PI * sector / SECTORS;
            float  color[3];
            ground_color(color, background, 2.1f, away, radius);
            ember_vec3 at = {(float)(away * emberi_real_cos(around)), 0.0f,
                             (float)(away * emberi_real_sin(around))};
            shape_vertex(s, at, none, color);
        }
    for (uint32_t ring = 0; ring < RINGS; ring++)
        for (uint32_t sector = 0; sector < SECTORS; sector++) {
            uint32_t a = ring * (SECTORS + 1) + sector, b = a + SECTORS + 1;
            shape_triangle(s, a, a + 1, b);
            shape_triangle(s, a + 1, b + 1, b);
        }
}

/* One line along x or z, in pieces of a square so that its colour can fade. */
static void ground_line(shape *s, double at, double radius, double cell, bool along_x, uint32_t background)
{
    static const ember_vec3 none = {0.0f, 0.0f, 0.0f};
    double                  half = cell * 0.012, reach = sqrt(fmax(0.0, radius * radius - at * at));
    long                    pieces = (long)(reach / cell) * 2;
    for (long i = 0; i <= pieces; i++) {
        double along = ((double)i - (double)pieces / 2.0) * cell;
        float  color[3];
        ground_color(color, background, 3.4f, hypot(at, along), radius);
        for (int side = -1; side <= 1; side += 2) {
            float across = (float)(at + side * half);
            shape_vertex(s,
                         along_x ? (ember_vec3){(float)along, 0.0f, across}
                                 : (ember_vec3){across, 0.0f, (float)along},
                         none, color);
        }
        uint32_t last = s->mesh.vertex_count;
        if (i > 0) {
            shape_triangle(s, last - 4, last - 3, last - 2);
            shape_triangle(s, last - 3, last - 1, last - 2);
        }
    }
}

float shape_ground(shape *ground, shape *lines, float size, uint32_t background)
{
    double wanted = (double)size / 3.0, power = pow(10.0, floor(log10(wanted)));
    double cell = wanted / power >= 5.0 ? 5.0 * power : wanted / power >= 2.0 ? 2.0 * power : power;
    double radius = ceil((double)size * 3.0 / cell) * cell;
    shape_begin(ground);
    ground_disc(ground, radius, background);
    shape_end(ground);
    shape_begin(lines);
    long count = (long)(radius / cell);
    for (long i = -count + 1; i < count; i++) {
        ground_line(lines, (double)i * cell, radius, cell, true, background);
        ground_line(lines, (double)i * cell, radius, cell, false, background);
    }
    shape_end(lines);
    return (float)cell;
}
