/* SPDX-License-Identifier: MIT */
/* The rig: which of the document's nodes are bones, in which order, with their rest pose and the skin's
   inverse binds; and the nodes above them that are not bones but move them all the same. Parents come first
   in everything made here. */
#include "ember/pose.h"
#include "format/gltf/gltf.h"

#include <string.h>

/* What is known of every node of the document while the rig is made. */
typedef struct rig_marks {
    uint8_t  *is_bone;
    uint8_t  *counts;     /* a bone, or above one */
    uint32_t *bone_above; /* the nearest node above that is a bone, or GLTF_NONE */
} rig_marks;

/* ---- places ---- */

static bool scale_is_uniform(const double s[3])
{
    double slack = s[0] * 1e-9;
    return s[0] > 0.0 && s[1] - s[0] <= slack && s[0] - s[1] <= slack && s[2] - s[0] <= slack &&
           s[0] - s[2] <= slack;
}

double emberi_gltf_rig_place(gltf_place *out, const gltf_place *parent, const gltf_place *own, bool is_bone)
{
    if (parent == NULL && own->exact) {
        out->trs = own->trs;
        out->exact = true;
        if (!is_bone)
            out->mat = emberi_real_mat_from_trs(&own->trs);
        return 0.0;
    }
    real_trs guess = parent != NULL ? emberi_real_trs_mul(&parent->trs, &own->trs) : own->trs;
    out->exact = parent != NULL && parent->exact && own->exact && scale_is_uniform(parent->trs.s);
    out->trs = guess;
    if (out->exact) {
        if (!is_bone)
            out->mat = emberi_real_mat_from_trs(&guess);
        return 0.0;
    }
    real_mat mat = own->exact ? emberi_real_mat_from_trs(&own->trs) : own->mat;
    out->mat = parent != NULL ? emberi_real_mat_mul(&parent->mat, &mat) : mat;
    if (!is_bone)
        return 0.0;
    return emberi_real_mat_decompose(&out->trs, &out->mat, &guess);
}

bool emberi_gltf_store(ember_transform *out, const real_trs *trs, double scale)
{
    real_trs scaled = *trs;
    bool     fits = true;
    for (int i = 0; i < 3; i++) {
        scaled.t[i] *= scale;
        fits = fits && emberi_gltf_fits_float(scaled.t[i]) && emberi_gltf_fits_float(scaled.s[i]);
    }
    for (int i = 0; i < 4; i++)
        fits = fits && emberi_gltf_fits_float(scaled.r[i]);
    if (fits)
        *out = emberi_real_trs_to_float(&scaled);
    return fits;
}

/* ---- which nodes are bones ---- */

static ember_status mark_animated(gltf_doc *doc, uint8_t *animated)
{
    for (uint32_t a = 0; a < doc->lists[GLTF_ANIMATIONS].count; a++) {
        gltf_where   where = {GLTF_ANIMATIONS, a, NULL, 0};
        gltf_list    channels;
        ember_status status = emberi_gltf_get_list(doc, &channels, emberi_gltf_item(doc, GLTF_ANIMATIONS, a),
                                                   "channels", where);
        for (uint32_t i = 0; status == EMBER_OK && i < channels.count; i++) {
            gltf_channel channel;
            status = emberi_gltf_channel_read(doc, &channel, json_array_get(channels.items, i), a, i);
            if (status == EMBER_OK && channel.path != GLTF_PATH_COUNT && channel.node != GLTF_NONE &&
                !doc->nodes[channel.node].elsewhere)
                animated[channel.node] = 1;
        }
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}

/* Without a skin: what is animated, and what lies between two nodes that are. */
static ember_status bones_from_animations(gltf_doc *doc, rig_marks *marks)
{
    uint32_t     count = doc->lists[GLTF_NODES].count;
    uint8_t     *animated, *above, *below;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &animated, uint8_t, count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &above, uint8_t, count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &below, uint8_t, count);
    if (status == EMBER_OK)
        status = mark_animated(doc, animated);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = doc->order[i], parent = doc->nodes[node].parent;
        above[node] = parent != GLTF_NONE && (above[parent] || animated[parent]);
    }
    for (uint32_t i = count; i-- > 0;) {
        uint32_t node = doc->order[i], parent = doc->nodes[node].parent;
        if (parent != GLTF_NONE && (below[node] || animated[node]))
            below[parent] = 1;
        marks->is_bone[node] = animated[node] || (above[node] && below[node]);
    }
    return EMBER_OK;
}

/* The bones as the skin lists them, or by their numbers where there is no skin. */
static ember_status bones_list(gltf_doc *doc, gltf_rig *rig, rig_marks *marks, uint32_t **list,
                               uint32_t *count)
{
    ember_status status;
    if (rig->skin != GLTF_NONE) {
        status = emberi_gltf_skins_join(doc, rig);
        *list = rig->joints;
        for (uint32_t i = 0; status == EMBER_OK && i < *count; i++)
            marks->is_bone[(*list)[i]] = 1;
        return status;
    }
    *count = 0;
    status = bones_from_animations(doc, marks);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, list, uint32_t, doc->lists[GLTF_NODES].count);
    for (uint32_t i = 0; status == EMBER_OK && i < doc->lists[GLTF_NODES].count; i++) {
        if (marks->is_bone[i])
            (*list)[(*count)++] = i;
    }
    if (status == EMBER_OK && *count > INT16_MAX)
        return emberi_failf(doc->source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "%u nodes are animated, at most %d", *count, INT16_MAX);
    return status;
}

/* Every bone in its turn, but not before the bones above it. Returns whether any had to wait. */
static bool bones_order(uint32_t *ordered, uint32_t *stack, const uint32_t *list, uint32_t count,
                        rig_marks *marks)
{
    uint32_t used = 0;
    bool     moved = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t depth = 0;
        for (uint32_t node = list[i]; node != GLTF_NONE && marks->is_bone[node] == 1;
             node = marks->bone_above[node])
            stack[depth++] = node;
        moved = moved || depth > 1;
        while (depth != 0) {
            ordered[used++] = stack[--depth];
            marks->is_bone[stack[depth]] = 2; /* placed */
        }
    }
    return moved;
}

/* ---- the rig's own lists ---- */

static ember_status rig_list_nodes(gltf_doc *doc, gltf_rig *rig, const rig_marks *marks)
{
    uint32_t     count = doc->lists[GLTF_NODES].count;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &rig->of_node, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        rig->node_count += marks->counts[i];
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &rig->nodes, gltf_rig_node, rig->node_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &rig->rest, gltf_place, rig->node_count);
    if (status != EMBER_OK)
        return status;
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = doc->order[i], parent = doc->nodes[node].parent;
        rig->of_node[node] = GLTF_NONE;
        if (!marks->counts[node])
            continue;
        rig->nodes[used].node = node;
        rig->nodes[used].parent = parent != GLTF_NONE ? rig->of_node[parent] : GLTF_NONE;
        rig->nodes[used].bone = GLTF_NONE;
        rig->of_node[node] = used++;
    }
    return EMBER_OK;
}

static ember_status rig_choose(gltf_doc *doc, gltf_rig *rig)
{
    rig_marks    marks;
    uint32_t     count = doc->lists[GLTF_NODES].count, *list, *ordered, *stack;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &marks.is_bone, uint8_t, count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &marks.counts, uint8_t, count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &marks.bone_above, uint32_t, count);
    if (status == EMBER_OK)
        status = bones_list(doc, rig, &marks, &list, &rig->bone_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &ordered, uint32_t, rig->bone_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &stack, uint32_t, rig->bone_count);
    if (status != EMBER_OK)
        return status;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = doc->order[i], parent = doc->nodes[node].parent;
        marks.bone_above[node] = parent == GLTF_NONE     ? GLTF_NONE
                                 : marks.is_bone[parent] ? parent
                                                         : marks.bone_above[parent];
    }
    for (uint32_t i = count; i-- > 0;) {
        uint32_t node = doc->order[i], parent = doc->nodes[node].parent;
        marks.counts[node] = marks.counts[node] || marks.is_bone[node];
        if (marks.counts[node] && parent != GLTF_NONE)
            marks.counts[parent] = 1;
    }
    if (bones_order(ordered, stack, list, rig->bone_count, &marks) && rig->skin != GLTF_NONE)
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "skin %u lists joints before their parents: the bones have another order", rig->skin);
    rig->bones = ordered;
    status = rig_list_nodes(doc, rig, &marks);
    for (uint32_t i = 0; status == EMBER_OK && i < rig->bone_count; i++) {
        rig->bones[i] = rig->of_node[ordered[i]];
        rig->nodes[rig->bones[i]].bone = i;
    }
    return status;
}

/* ---- the skeleton ---- */

static ember_status rig_rest(gltf_doc *doc, gltf_rig *rig, ember_transform *rest)
{
    double   worst = 0.0;
    uint32_t worst_bone = 0;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        const gltf_rig_node *node = &rig->nodes[i];
        const gltf_node     *source = &doc->nodes[node->node];
        gltf_place           own = {source->trs, source->mat, source->exact};
        const gltf_place    *above = emberi_gltf_rig_above(rig, rig->rest, i);
        double shear = emberi_gltf_rig_place(&rig->rest[i], above, &own, node->bone != GLTF_NONE);
        if (node->bone == GLTF_NONE)
            continue;
        if (!emberi_gltf_store(&rest[node->bone], &rig->rest[i].trs, emberi_gltf_scale(doc)))
            return emberi_fail_at(doc->source->err, EMBER_E_RANGE,
                                  emberi_place_bone(&rig->skeleton, node->bone),
                                  "nodes[%u]: a number is not finite or too large for a float", node->node);
        if (shear > worst) {
            worst = shear;
            worst_bone = node->bone;
        }
    }
    if (worst > 0.01)
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, NULL,
                     ember_skeleton_name(&rig->skeleton, worst_bone),
                     "the rest pose is sheared by %.1f %%: the nearest rotation and scale are taken",
                     worst * 100.0);
    return EMBER_OK;
}

static ember_status rig_names(gltf_doc *doc, gltf_rig *rig)
{
    const char **names;
    bool         any = false;
    ember_status status = GLTF_PUSH_MODEL(doc, &names, const char *, rig->bone_count);
    for (uint32_t i = 0; status == EMBER_OK && i < rig->bone_count; i++) {
        const char *name = doc->nodes[rig->nodes[rig->bones[i]].node].name;
        if (name == NULL)
            continue;
        any = true;
        names[i] = emberi_copy_name(doc->source->arena, name, strlen(name));
        if (names[i] == NULL)
            status = emberi_fail_memory(doc->source->err);
    }
    rig->skeleton.names = any ? names : NULL;
    return status;
}

static ember_status rig_binds(gltf_doc *doc, gltf_rig *rig)
{
    ember_mat34 *out;
    double       scale = emberi_gltf_scale(doc);
    if (rig->skin == GLTF_NONE)
        return EMBER_OK;
    ember_status status = GLTF_PUSH_MODEL(doc, &out, ember_mat34, rig->bone_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &rig->binds, real_mat, rig->bone_count);
    for (uint32_t i = 0; status == EMBER_OK && i < rig->bone_count; i++) {
        uint32_t bone = rig->nodes[rig->of_node[rig->joints[i]]].bone;
        rig->binds[bone] = rig->joint_binds[i];
        for (int k = 0; k < 12; k++)
            out[bone].m[k] = (float)(rig->binds[bone].m[k / 4][k % 4] * (k % 4 == 3 ? scale : 1.0));
    }
    rig->skeleton.inverse_binds = status == EMBER_OK ? out : NULL;
    return status;
}

static ember_status rig_skeleton(gltf_doc *doc, gltf_rig *rig)
{
    int16_t         *parents, *below; /* below: the bone that a bone under this node has for a parent */
    ember_transform *rest;
    rig->skeleton.bone_count = rig->bone_count;
    ember_status status = GLTF_PUSH_MODEL(doc, &parents, int16_t, rig->bone_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_MODEL(doc, &rest, ember_transform, rig->bone_count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &below, int16_t, rig->node_count);
    if (status == EMBER_OK)
        status = rig_names(doc, rig);
    if (status == EMBER_OK)
        status = rig_rest(doc, rig, rest);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        const gltf_rig_node *node = &rig->nodes[i];
        int16_t parent = node->parent != GLTF_NONE ? below[node->parent] : (int16_t)EMBER_NO_PARENT;
        below[i] = node->bone != GLTF_NONE ? (int16_t)node->bone : parent;
        if (node->bone != GLTF_NONE)
            parents[node->bone] = parent;
    }
    rig->skeleton.parents = parents;
    rig->skeleton.rest = rest;
    return rig_binds(doc, rig);
}

/* Says so where there are skins that the bones do not serve. */
static ember_status rig_note_skins(gltf_doc *doc, const gltf_rig *rig)
{
    uint32_t others = 0, count = doc->lists[GLTF_SKINS].count;
    for (uint32_t skin = 0; skin < count && doc->source->options->skin == NULL; skin++) {
        uint32_t    *joints, joint_count;
        ember_status status = emberi_gltf_skin_joints(doc, &joints, &joint_count, skin);
        if (status != EMBER_OK)
            return status;
        bool served = true;
        for (uint32_t i = 0; i < joint_count; i++) {
            uint32_t node = rig->of_node[joints[i]];
            served = served && node != GLTF_NONE && rig->nodes[node].bone != GLTF_NONE;
        }
        others += !served;
    }
    if (others != 0)
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%u skins: the bones are the first one's, %u others have other joints and "
                     "are of other figures or inverse binds",
                     count, others);
    else if (count > 1)
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_DETAIL, NULL, NULL,
                     "%u skins as one skeleton of %u bones", count, rig->bone_count);
    return EMBER_OK;
}

ember_status emberi_gltf_rig_make(gltf_doc *doc, gltf_rig *out)
{
    memset(out, 0, sizeof(*out));
    ember_status status = emberi_gltf_skin_choose(doc, &out->skin);
    if (status == EMBER_OK)
        status = rig_choose(doc, out);
    if (status == EMBER_OK)
        status = rig_skeleton(doc, out);
    if (status == EMBER_OK && out->skin != GLTF_NONE)
        status = rig_note_skins(doc, out);
    return status;
}
