/* SPDX-License-Identifier: MIT */
/* Polygons into triangles: a quad by the diagonal that keeps both halves on one side, larger ones ear by ear
   in the plane of their normal. Whatever the points are, n corners give n - 2 triangles. */
#include "format/fbx/mesh/fbx_mesh.h"

/* Beyond this many corners ears are not looked for: the time grows with the square. */
#define EARS_MAX 4096u

static ember_vec3 vec_sub(ember_vec3 a, ember_vec3 b)
{
    return (ember_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static double vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void vec_cross(double out[3], ember_vec3 a, ember_vec3 b)
{
    out[0] = (double)a.y * (double)b.z - (double)a.z * (double)b.y;
    out[1] = (double)a.z * (double)b.x - (double)a.x * (double)b.z;
    out[2] = (double)a.x * (double)b.y - (double)a.y * (double)b.x;
}

static void corner_normal(double out[3], const ember_vec3 *points, uint32_t a, uint32_t b, uint32_t c)
{
    vec_cross(out, vec_sub(points[b], points[a]), vec_sub(points[c], points[a]));
}

static void put(uint32_t *out, uint32_t a, uint32_t b, uint32_t c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

static void cut_quad(uint32_t *out, const ember_vec3 *points)
{
    double a[3], b[3];
    corner_normal(a, points, 0, 1, 2);
    corner_normal(b, points, 0, 2, 3);
    if (vec_dot(a, b) >= 0.0) {
        put(out, 0, 1, 2);
        put(out + 3, 0, 2, 3);
        return;
    }
    corner_normal(a, points, 0, 1, 3);
    corner_normal(b, points, 1, 2, 3);
    bool other = vec_dot(a, b) > 0.0;
    put(out, 0, 1, other ? 3 : 2);
    put(out + 3, other ? 1 : 0, 2, 3);
}

/* Newell's: right for polygons that are not quite flat. */
static void polygon_normal(double out[3], const ember_vec3 *points, uint32_t count)
{
    out[0] = out[1] = out[2] = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        ember_vec3 a = points[i], b = points[i + 1 < count ? i + 1 : 0];
        out[0] += ((double)a.y - (double)b.y) * ((double)a.z + (double)b.z);
        out[1] += ((double)a.z - (double)b.z) * ((double)a.x + (double)b.x);
        out[2] += ((double)a.x - (double)b.x) * ((double)a.y + (double)b.y);
    }
}

/* Twice the area of a triangle as it is seen along the normal. */
static double area_of(const ember_vec3 *points, const double normal[3], uint32_t a, uint32_t b, uint32_t c)
{
    double n[3];
    corner_normal(n, points, a, b, c);
    return vec_dot(n, normal);
}

static bool same_point(const ember_vec3 *points, uint32_t a, uint32_t b)
{
    return points[a].x == points[b].x && points[a].y == points[b].y && points[a].z == points[b].z;
}

static bool is_ear(const ember_vec3 *points, const double normal[3], const uint32_t *ring, uint32_t count,
                   uint32_t at)
{
    uint32_t a = ring[at != 0 ? at - 1 : count - 1], b = ring[at], c = ring[at + 1 < count ? at + 1 : 0];
    if (area_of(points, normal, a, b, c) <= 0.0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = ring[i];
        if (p == a || p == b || p == c || same_point(points, p, a) || same_point(points, p, b) ||
            same_point(points, p, c))
            continue;
        if (area_of(points, normal, a, b, p) >= 0.0 && area_of(points, normal, b, c, p) >= 0.0 &&
            area_of(points, normal, c, a, p) >= 0.0)
            return false;
    }
    return true;
}

/* Where no corner is an ear, which only polygons that cross themselves have, the next one is cut
   all the same. */
static void cut_ears(uint32_t *out, const ember_vec3 *points, uint32_t count, uint32_t *ring)
{
    double   normal[3];
    uint32_t at = 0;
    polygon_normal(normal, points, count);
    for (uint32_t i = 0; i < count; i++)
        ring[i] = i;
    for (; count > 3; count--) {
        uint32_t tries = 0;
        while (tries < count && !is_ear(points, normal, ring, count, at)) {
            at = at + 1 < count ? at + 1 : 0;
            tries++;
        }
        put(out, ring[at != 0 ? at - 1 : count - 1], ring[at], ring[at + 1 < count ? at + 1 : 0]);
        out += 3;
        for (uint32_t i = at; i + 1 < count; i++)
            ring[i] = ring[i + 1];
        at = at + 1 < count ? at : 0;
    }
    put(out, ring[0], ring[1], ring[2]);
}

void emberi_fbx_triangulate(uint32_t *out, const ember_vec3 *points, uint32_t count, uint32_t *room)
{
    if (count == 4) {
        cut_quad(out, points);
    } else if (count == 3 || count > EARS_MAX) {
        for (uint32_t i = 2; i < count; i++)
            put(out + 3 * (size_t)(i - 2), 0, i - 1, i);
    } else {
        cut_ears(out, points, count, room);
    }
}
