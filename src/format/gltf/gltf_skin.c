/* SPDX-License-Identifier: MIT */
/* Skins: which one is meant, its joints and their inverse binds. Joints are checked to be nodes of the
   document, each named once. */
#include "format/gltf/gltf.h"

#include <stdio.h>
#include <string.h>

#define JOINT_LIMIT 32767u /* a parent is an int16 */

/* ---- the choice ---- */

static const char *skin_name(const gltf_doc *doc, uint32_t skin)
{
    return json_string_value(json_object_get(emberi_gltf_item(doc, GLTF_SKINS, skin), "name"));
}

static ember_status skin_unknown(const gltf_doc *doc, const char *wanted, const char *problem)
{
    char   list[160] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < doc->lists[GLTF_SKINS].count && used < sizeof(list) - 1; i++) {
        const char *name = skin_name(doc, i);
        int         put = snprintf(list + used, sizeof(list) - used, "%s%u%s%s", i != 0 ? ", " : "", i,
                           name != NULL ? " " : "", name != NULL ? emberi_quote(name).text : "");
        used += put > 0 ? (size_t)put : 0;
    }
    return emberi_failf(doc->source->err, EMBER_E_ARG, EMBER_NO_OFFSET, "%s %s; %s%s", problem,
                        emberi_quote(wanted).text, used != 0 ? "skins are: " : "the file has no skins", list);
}

ember_status emberi_gltf_skin_choose(gltf_doc *doc, uint32_t *out)
{
    const char *wanted = doc->source->options->skin;
    uint32_t    count = doc->lists[GLTF_SKINS].count, number = 0;
    *out = count != 0 ? 0 : GLTF_NONE;
    if (wanted == NULL)
        return EMBER_OK;
    *out = GLTF_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = skin_name(doc, i);
        if (name == NULL || strcmp(name, wanted) != 0)
            continue;
        if (*out != GLTF_NONE)
            return skin_unknown(doc, wanted, "several skins are called");
        *out = i;
    }
    if (*out != GLTF_NONE)
        return EMBER_OK;
    size_t digits = strspn(wanted, "0123456789");
    if (digits == 0 || digits > 9 || wanted[digits] != '\0')
        return skin_unknown(doc, wanted, "no skin");
    for (size_t i = 0; i < digits; i++)
        number = number * 10 + (uint32_t)(wanted[i] - '0');
    if (number >= count)
        return skin_unknown(doc, wanted, "no skin");
    *out = number;
    return EMBER_OK;
}

/* ---- joints and binds ---- */

ember_status emberi_gltf_skin_joints(gltf_doc *doc, uint32_t **nodes, uint32_t *count, uint32_t skin)
{
    gltf_where    where = {GLTF_SKINS, skin, NULL, 0};
    const json_t *joints = json_object_get(emberi_gltf_item(doc, GLTF_SKINS, skin), "joints");
    *count = 0;
    if (!json_is_array(joints) || json_array_size(joints) == 0)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "joints", "a list of nodes expected");
    if (json_array_size(joints) > JOINT_LIMIT)
        return emberi_gltf_fail(doc, EMBER_E_LIMIT, where, "joints", "%zu joints, at most %u",
                                json_array_size(joints), JOINT_LIMIT);
    *count = (uint32_t)json_array_size(joints);
    ember_status status = GLTF_PUSH_SCRATCH(doc, nodes, uint32_t, *count);
    doc->joint_list++;
    for (uint32_t i = 0; status == EMBER_OK && i < *count; i++) {
        gltf_where at = {GLTF_SKINS, skin, "joints", i};
        status = emberi_gltf_index_of(doc, &(*nodes)[i], json_array_get(joints, i), NULL, GLTF_NODES, at);
        if (status == EMBER_OK && doc->nodes[(*nodes)[i]].joint_list == doc->joint_list)
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, at, NULL,
                                    "node %u is a joint of this skin already", (*nodes)[i]);
        if (status == EMBER_OK)
            doc->nodes[(*nodes)[i]].joint_list = doc->joint_list;
    }
    return status;
}

ember_status emberi_gltf_skin_binds(gltf_doc *doc, real_mat **binds, uint32_t count, uint32_t skin)
{
    gltf_where    where = {GLTF_SKINS, skin, NULL, 0};
    gltf_accessor accessor;
    const json_t *object = emberi_gltf_item(doc, GLTF_SKINS, skin);
    ember_status  status = GLTF_PUSH_SCRATCH(doc, binds, real_mat, count);
    for (uint32_t i = 0; status == EMBER_OK && i < count; i++)
        (*binds)[i] = emberi_real_mat_identity;
    if (status != EMBER_OK || json_object_get(object, "inverseBindMatrices") == NULL)
        return status;
    status = emberi_gltf_accessor_of(doc, &accessor, object, "inverseBindMatrices", 16, 16, where);
    if (status == EMBER_OK && accessor.count < count)
        status = emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "inverseBindMatrices",
                                  "%u matrices for %u joints", accessor.count, count);
    for (uint32_t i = 0; status == EMBER_OK && i < count; i++) {
        double columns[16];
        emberi_gltf_fetch(columns, &accessor, i);
        for (int k = 0; k < 12; k++) {
            double value = columns[k / 3 * 4 + k % 3];
            (*binds)[i].m[k % 3][k / 3] = value;
            if (!emberi_gltf_fits_float(value))
                return emberi_gltf_fail(doc, EMBER_E_RANGE, where, "inverseBindMatrices",
                                        "matrix %u has a number that is not finite", i);
        }
    }
    return status;
}
