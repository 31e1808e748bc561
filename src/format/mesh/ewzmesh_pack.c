/* SPDX-License-Identifier: MIT */
/* How a mesh's single values are packed: directions, fractions, weights, texture coordinates. Takes
   any bit pattern. */
#include <string.h>

#include "base/maths.h"
#include "format/mesh/ewzmesh.h"

size_t emberi_ewzmesh_stride(uint8_t format, bool packed)
{
    static const size_t packed_sizes[5] = {4, 4, 4, 8, 4}, plain_sizes[5] = {8, 12, 12, 20, 16};
    size_t              stride = packed ? 8 : 12;
    for (unsigned bit = 0; bit < 5; bit++)
        if ((format & 1u << bit) != 0)
            stride += packed ? packed_sizes[bit] : plain_sizes[bit];
    return stride;
}

/* ---- directions ---- */

static float pack_sign(float value) { return value >= 0.0f ? 1.0f : -1.0f; }

static uint32_t pack_snorm16(float value)
{
    float scaled = emberi_clamp(value, -1.0f, 1.0f) * 32767.0f;
    return (uint32_t)(uint16_t)(int16_t)(scaled + (scaled >= 0.0f ? 0.5f : -0.5f));
}

static float pack_snorm16_decode(uint32_t half) { return (float)(int16_t)(uint16_t)half / 32767.0f; }

uint32_t emberi_oct_encode(ember_vec3 d)
{
    float sum = emberi_abs(d.x) + emberi_abs(d.y) + emberi_abs(d.z);
    if (!(sum > 0.0f) || !emberi_is_finite(sum))
        return 0;
    float x = d.x / sum, y = d.y / sum;
    if (d.z < 0.0f) {
        float folded = (1.0f - emberi_abs(y)) * pack_sign(x);
        y = (1.0f - emberi_abs(x)) * pack_sign(y);
        x = folded;
    }
    return pack_snorm16(x) | pack_snorm16(y) << 16;
}

ember_vec3 emberi_oct_decode(uint32_t packed)
{
    float      x = pack_snorm16_decode(packed & 0xffffu), y = pack_snorm16_decode(packed >> 16);
    ember_vec3 d = {x, y, 1.0f - emberi_abs(x) - emberi_abs(y)};
    if (d.z < 0.0f) {
        d.x = (1.0f - emberi_abs(y)) * pack_sign(x);
        d.y = (1.0f - emberi_abs(x)) * pack_sign(y);
    }
    /* At least one of the three is a third or more. */
    float length = emberi_sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    d.x /= length;
    d.y /= length;
    d.z /= length;
    return d;
}

uint32_t emberi_oct_encode_tangent(const float tangent[4])
{
    ember_vec3 direction = {tangent[0], tangent[1], tangent[2]};
    return (emberi_oct_encode(direction) & ~0x10000u) | (tangent[3] < 0.0f ? 0x10000u : 0u);
}

void emberi_oct_decode_tangent(float out[4], uint32_t packed)
{
    ember_vec3 direction = emberi_oct_decode(packed & ~0x10000u);
    out[0] = direction.x;
    out[1] = direction.y;
    out[2] = direction.z;
    out[3] = (packed & 0x10000u) != 0 ? -1.0f : 1.0f;
}

/* ---- fractions ---- */

/* The comparisons are false for NaN. */
uint16_t emberi_unorm16(float value)
{
    /* NOLINTNEXTLINE(bugprone-incorrect-roundings): not negative; a middle may go either way */
    return value >= 1.0f ? 65535u : value > 0.0f ? (uint16_t)(value * 65535.0f + 0.5f) : (uint16_t)0;
}

uint8_t emberi_unorm8(float value)
{
    /* NOLINTNEXTLINE(bugprone-incorrect-roundings): not negative; a middle may go either way */
    return value >= 1.0f ? 255u : value > 0.0f ? (uint8_t)(value * 255.0f + 0.5f) : (uint8_t)0;
}

/* ---- weights ---- */

static double pack_weight(float weight)
{
    return weight > 0.0f && emberi_is_finite(weight) ? (double)weight : 0.0;
}

void emberi_weights_encode(uint8_t out[4], const float weights[4])
{
    double sum = 0.0, rest[4];
    int    left = 255;
    for (int i = 0; i < 4; i++)
        sum += pack_weight(weights[i]);
    for (int i = 0; i < 4; i++) {
        double exact = sum > 0.0 ? pack_weight(weights[i]) / sum * 255.0 : i == 0 ? 255.0 : 0.0;
        out[i] = (uint8_t)exact;
        rest[i] = exact - (double)out[i];
        left -= out[i];
    }
    for (; left > 0; left--) {
        int most = 0;
        for (int i = 1; i < 4; i++)
            most = rest[i] > rest[most] ? i : most;
        out[most]++;
        rest[most] = -1.0;
    }
}

bool emberi_weights_tidy(uint16_t joints[4], float weights[4])
{
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        weights[i] = (float)pack_weight(weights[i]);
        sum += (double)weights[i];
    }
    for (int i = 1; i < 4; i++)
        for (int k = i; k > 0 && weights[k] > weights[k - 1]; k--) {
            float    weight = weights[k];
            uint16_t joint = joints[k];
            weights[k] = weights[k - 1];
            joints[k] = joints[k - 1];
            weights[k - 1] = weight;
            joints[k - 1] = joint;
        }
    for (int i = 0; i < 4; i++) {
        weights[i] = sum > 0.0 ? (float)((double)weights[i] / sum) : i == 0 ? 1.0f : 0.0f;
        if (!(weights[i] > 0.0f))
            joints[i] = 0;
    }
    return sum > 0.0;
}

/* ---- texture coordinates ---- */

static uint32_t uv_island(uint32_t *parents, uint32_t vertex)
{
    while (parents[vertex] != vertex) {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

static bool uv_is_inside(const float uv[2])
{
    return uv[0] >= 0.0f && uv[0] <= 1.0f && uv[1] >= 0.0f && uv[1] <= 1.0f;
}

/* Floats from 2^22 on have no fraction worth keeping. */
static float uv_floor(float value)
{
    if (!(emberi_abs(value) < 4194304.0f))
        return 0.0f;
    float whole = (float)(int32_t)value;
    return whole > value ? whole - 1.0f : whole;
}

static void uv_join_islands(uint32_t *parents, const ember_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        uint32_t a = uv_island(parents, mesh->indices[i - i % 3]), b = uv_island(parents, mesh->indices[i]);
        if (a < b)
            parents[b] = a;
        else
            parents[a] = b;
    }
}

bool emberi_uv_fit(float (*out)[2], emberi_uv_moves *moves, const ember_mesh *mesh, ember_arena *scratch)
{
    uint32_t outside = 0;
    *moves = (emberi_uv_moves){0, 0};
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        memcpy(out[i], mesh->uvs[i], sizeof(out[i]));
        outside += uv_is_inside(out[i]) ? 0u : 1u;
    }
    if (outside == 0)
        return true;
    uint32_t *parents = EMBER_PUSH(scratch, uint32_t, mesh->vertex_count);
    float(*low)[2] = ember_arena_push(scratch, mesh->vertex_count, sizeof(*low), _Alignof(float));
    float(*high)[2] = ember_arena_push(scratch, mesh->vertex_count, sizeof(*high), _Alignof(float));
    if (parents == NULL || low == NULL || high == NULL)
        return false;
    uv_join_islands(parents, mesh);
    memcpy(low, mesh->uvs, mesh->vertex_count * sizeof(*low));
    memcpy(high, mesh->uvs, mesh->vertex_count * sizeof(*high));
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        uint32_t island = uv_island(parents, i);
        for (int axis = 0; axis < 2; axis++) {
            low[island][axis] = emberi_min(low[island][axis], mesh->uvs[i][axis]);
            high[island][axis] = emberi_max(high[island][axis], mesh->uvs[i][axis]);
        }
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        uint32_t island = uv_island(parents, i);
        bool     moved = false;
        for (int axis = 0; axis < 2; axis++) {
            float step = uv_floor(low[island][axis]);
            bool  inside = low[island][axis] >= 0.0f && high[island][axis] <= 1.0f;
            if (inside || !(high[island][axis] - step <= 1.0f))
                continue;
            out[i][axis] -= step;
            moved = true;
        }
        moves->wrapped += moved ? 1u : 0u;
        moves->clamped += uv_is_inside(out[i]) ? 0u : 1u;
    }
    return true;
}
