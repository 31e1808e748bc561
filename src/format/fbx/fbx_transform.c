/* SPDX-License-Identifier: MIT */
/* Where a node is: its chain of pivots, offsets and rotations, the three ways in which scale is inherited,
   and the nearest translation, rotation and scale from the bone above. Any numbers may come in; what is not
   finite shows when it is stored. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

/* ---- angles ---- */

/* Which axis is turned about first, second, third. */
static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

static double half_radians(double degrees)
{
    double turns = degrees / 360.0;
    if (!(turns > -1e15 && turns < 1e15))
        return 0.0;
    double rest = degrees - 360.0 * (double)(int64_t)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
    return rest * (EMBERI_REAL_PI / 360.0);
}

void emberi_fbx_euler_to_quat(double out[4], const double degrees[3], uint8_t order)
{
    out[0] = out[1] = out[2] = 0.0;
    out[3] = 1.0;
    for (int i = 0; i < 3; i++) {
        uint8_t axis = orders[order][i];
        if (degrees[axis] == 0.0)
            continue;
        double half = half_radians(degrees[axis]);
        double turn[4] = {0.0, 0.0, 0.0, emberi_real_cos(half)};
        turn[axis] = emberi_real_sin(half);
        emberi_real_quat_mul(out, turn, out);
    }
}

void emberi_fbx_quat_to_euler(double degrees[3], const double q[4], uint8_t order)
{
    int      i = orders[order][0], j = orders[order][1], k = orders[order][2];
    double   sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0, to_degrees = 180.0 / EMBERI_REAL_PI;
    real_trs trs = emberi_real_trs_identity;
    memcpy(trs.r, q, sizeof(trs.r));
    real_mat m = emberi_real_mat_from_trs(&trs);
    double   across = emberi_real_sqrt(m.m[i][i] * m.m[i][i] + m.m[j][i] * m.m[j][i]);
    degrees[j] = to_degrees * emberi_real_atan2(-sign * m.m[k][i], across);
    if (across > 1e-9) {
        degrees[i] = to_degrees * emberi_real_atan2(sign * m.m[k][j], m.m[k][k]);
        degrees[k] = to_degrees * emberi_real_atan2(sign * m.m[j][i], m.m[i][i]);
    } else {
        degrees[i] = to_degrees * emberi_real_atan2(-sign * m.m[j][k], m.m[j][j]);
        degrees[k] = 0.0;
    }
}

/* ---- a node's own transform ---- */

/* T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1: only the translation is not plain to see. */
static real_trs node_local(const fbx_node *node, double own[FBX_PATH_COUNT][3], double length)
{
    real_trs trs;
    double   inner[3], turned[3];
    emberi_fbx_euler_to_quat(trs.r, own[FBX_ROTATION], node->order);
    emberi_real_quat_mul(trs.r, node->pre, trs.r);
    emberi_real_quat_mul(trs.r, trs.r, node->post);
    bool pivots = false;
    for (int k = 0; k < 3; k++) {
        trs.s[k] = own[FBX_SCALING][k];
        inner[k] = node->scaling_offset[k] + node->scaling_pivot[k] - node->rotation_pivot[k] -
                   trs.s[k] * node->scaling_pivot[k];
        trs.t[k] = own[FBX_TRANSLATION][k] + node->rotation_offset[k] + node->rotation_pivot[k];
        pivots = pivots || inner[k] != 0.0;
    }
    if (pivots) {
        real_trs rotation = emberi_real_trs_identity;
        memcpy(rotation.r, trs.r, sizeof(trs.r));
        real_mat m = emberi_real_mat_from_trs(&rotation);
        emberi_real_mat_point(turned, &m, inner);
        for (int k = 0; k < 3; k++)
            trs.t[k] += turned[k];
    }
    for (int k = 0; k < 3; k++)
        trs.t[k] *= length;
    return trs;
}

static bool is_uniform(const double s[3])
{
    double slack = s[0] * 1e-9;
    return s[0] > 0.0 && emberi_real_abs(s[1] - s[0]) <= slack && emberi_real_abs(s[2] - s[0]) <= slack;
}

typedef struct local_place {
    real_trs trs;
    real_mat mat;
    bool     exact;
} local_place;

/* From the parent as it is, with all its scale: for inherit types 0 and 2 some of that is taken back. */
static local_place node_from_parent(fbx_place *place, const fbx_place *parent, const fbx_node *node,
                                    real_trs trs)
{
    local_place out = {.trs = trs, .exact = true};
    uint8_t     inherit = parent != NULL ? node->inherit : 1;
    bool        zero = false;
    for (int k = 0; k < 3; k++) {
        place->taken[k] = inherit == 0 ? parent->handed_on[k] : inherit == 2 ? parent->taken[k] : 1.0;
        place->handed_on[k] = trs.s[k] * place->taken[k];
        zero = zero || (parent != NULL && parent->handed_on[k] == 0.0);
    }
    if (inherit != 1 && !zero && is_uniform(parent->handed_on)) {
        for (int k = 0; k < 3; k++)
            out.trs.s[k] = place->handed_on[k] / parent->handed_on[k];
    } else if (inherit != 1 && !zero) {
        real_trs rotation = trs;
        for (int k = 0; k < 3; k++)
            rotation.s[k] = place->handed_on[k];
        out.mat = emberi_real_mat_from_trs(&rotation);
        for (int k = 0; k < 9; k++)
            out.mat.m[k / 3][k % 3] /= parent->handed_on[k / 3];
        out.exact = false;
    }
    if (out.exact)
        out.mat = emberi_real_mat_from_trs(&out.trs);
    return out;
}

/* ---- from the bone above ---- */

/* `above` is the place of a parent that is no bone; its transform counts. */
static void place_below(fbx_place *place, const real_trs *above_trs, const real_mat *above_mat,
                        bool above_exact, const local_place *local)
{
    place->trs = emberi_real_trs_mul(above_trs, &local->trs);
    place->mat = emberi_real_mat_mul(above_mat, &local->mat);
    place->exact = above_exact && local->exact && is_uniform(above_trs->s);
}

/* What the bone is stored as, so that it comes out right below what its parents became. */
static void place_bone(fbx_place *place, const fbx_place *bone_above)
{
    real_trs guess = place->trs;
    real_mat inverse, from_shown = place->mat;
    place->lost = false;
    place->shear = 0.0;
    place->off = bone_above != NULL && bone_above->off;
    if (place->off) {
        place->lost = !emberi_real_mat_inverse(&inverse, &bone_above->shown);
        if (!place->lost)
            from_shown = emberi_real_mat_mul(&inverse, &place->world);
    } else if (place->exact) {
        return;
    }
    place->shear = emberi_real_mat_decompose(&place->trs, &from_shown, &guess);
    place->off = place->off || place->shear > 1e-9;
    if (!place->off)
        return;
    real_mat stored = emberi_real_mat_from_trs(&place->trs);
    place->shown = bone_above == NULL ? stored
                   : bone_above->off  ? emberi_real_mat_mul(&bone_above->shown, &stored)
                                      : emberi_real_mat_mul(&bone_above->world, &stored);
}

void emberi_fbx_place(fbx_place *places, const fbx_scene *scene, uint32_t index,
                      double own[FBX_PATH_COUNT][3])
{
    const fbx_node  *node = &scene->nodes[index];
    fbx_place       *place = &places[index];
    const bool       top = node->parent == FBX_NONE;
    const fbx_place *parent = top ? NULL : &places[node->parent];
    local_place      local = node_from_parent(place, parent, node, node_local(node, own, scene->length));
    place->world = emberi_real_mat_mul(top ? &scene->root : &parent->world, &local.mat);
    if (top) {
        place_below(place, &scene->root_trs, &scene->root, scene->root_exact, &local);
    } else if (scene->nodes[node->parent].bone != FBX_NONE) {
        place->trs = local.trs;
        place->mat = local.mat;
        place->exact = local.exact;
    } else {
        place_below(place, &parent->trs, &parent->mat, parent->exact, &local);
    }
    if (node->bone != FBX_NONE)
        place_bone(place, node->above != FBX_NONE ? &places[node->above] : NULL);
}

void emberi_fbx_rest(fbx_place *places, const fbx_scene *scene)
{
    for (uint32_t i = 0; i < scene->node_count; i++)
        emberi_fbx_place(places, scene, i, scene->nodes[i].own);
}

void emberi_fbx_root(fbx_scene *scene, bool unit_as_scale)
{
    double scale = scene->doc->file.source->options->scale;
    double unit = scene->settings.unit;
    scene->length = (scale > 0.0 ? scale : 1.0) * (unit_as_scale ? 1.0 : unit);
    scene->root = scene->settings.axes;
    for (int k = 0; k < 9 && unit_as_scale; k++)
        scene->root.m[k / 3][k % 3] *= unit;
    emberi_real_mat_decompose(&scene->root_trs, &scene->root, &emberi_real_trs_identity);
    real_mat again = emberi_real_mat_from_trs(&scene->root_trs);
    scene->root_exact = emberi_real_mat_agree(&again, &scene->root);
}

bool emberi_fbx_store(ember_transform *out, const real_trs *trs)
{
    bool fits = true;
    for (int i = 0; i < 10; i++) {
        double x = i < 3 ? trs->t[i] : i < 6 ? trs->s[i - 3] : trs->r[i - 6];
        fits = fits && x >= -3.4028234663852886e38 && x <= 3.4028234663852886e38;
    }
    if (fits)
        *out = emberi_real_trs_to_float(trs);
    return fits;
}
