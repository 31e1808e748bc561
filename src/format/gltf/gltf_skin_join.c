/* SPDX-License-Identifier: MIT */
/* Several skins as one: those that share a hierarchy with the first give its rig their joints, as long as one
   set of inverse binds can serve them all. Skins that cannot join stay for themselves, and so does the first
   skin once more that hangs from it: another figure, and no part of the first. */
#include "format/gltf/gltf.h"

#include <string.h>

#define JOIN_MOST_STEPS                                                                \
    ((uint64_t)1 << 24) /* nodes times skins: a hostile file gets the first skin alone \
                         */

/* The joints so far. */
typedef struct join {
    gltf_doc *doc;
    uint32_t *joints;             /* nodes, in order */
    real_mat *binds;              /* of each */
    uint32_t  count, room, first; /* first: how many are the first skin's */
    uint32_t *place;              /* by node: its place among the joints and one, or 0 */
} join;

/* One more skin. */
typedef struct join_skin {
    uint32_t *joints, count;
    real_mat *binds;
    uint8_t  *mine; /* by node: a joint of it */
} join_skin;

/* ---- who belongs together ---- */

/* Whether the skin is the first one once more: as many joints with the same inverse binds, and not one and
   the same for all of them. */
static bool join_copies(const join *j, const join_skin *skin)
{
    bool differ = false;
    if (skin->count != j->first)
        return false;
    for (uint32_t i = 0; i < skin->count; i++) {
        if (!emberi_real_mat_agree(&j->binds[i], &skin->binds[i]))
            return false;
        differ = differ || !emberi_real_mat_agree(&j->binds[0], &j->binds[i]);
    }
    return differ;
}

/* Whether a joint of one is also one of the other, lies below one (not with a copy), or has
   the same parent. */
static bool join_related(join *j, const join_skin *skin, uint8_t *below)
{
    gltf_doc *doc = j->doc;
    uint32_t  count = doc->lists[GLTF_NODES].count;
    enum { UNDER_JOINED = 1, UNDER_MINE = 2, OVER_JOINED = 4 };
    for (uint32_t i = 0; i < skin->count; i++)
        if (j->place[skin->joints[i]] != 0)
            return true;
    bool copies = join_copies(j, skin);
    memset(below, 0, count);
    for (uint32_t i = 0; i < j->count; i++)
        if (doc->nodes[j->joints[i]].parent != GLTF_NONE)
            below[doc->nodes[j->joints[i]].parent] = OVER_JOINED;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = doc->order[i], parent = doc->nodes[node].parent;
        if (parent == GLTF_NONE)
            continue;
        if ((below[parent] & UNDER_JOINED) != 0 || j->place[parent] != 0)
            below[node] |= UNDER_JOINED;
        if ((below[parent] & UNDER_MINE) != 0 || skin->mine[parent] != 0)
            below[node] |= UNDER_MINE;
        bool beside = (below[parent] & OVER_JOINED) != 0;
        bool hangs = (skin->mine[node] != 0 && (below[node] & UNDER_JOINED) != 0) ||
                     (j->place[node] != 0 && (below[node] & UNDER_MINE) != 0);
        if (hangs || (skin->mine[node] != 0 && beside))
            return !hangs || !copies;
    }
    return false;
}

/* The one matrix that takes the skin's vertices to where the joints' inverse binds are right for them;
   identity where they have no joint in common. False if there is no such matrix. */
static bool join_before(const join *j, const join_skin *skin, real_mat *out)
{
    bool any = false;
    *out = emberi_real_mat_identity;
    for (uint32_t i = 0; i < skin->count; i++) {
        real_mat inverse, apart;
        uint32_t place = j->place[skin->joints[i]];
        if (place == 0)
            continue;
        if (!emberi_real_mat_inverse(&inverse, &j->binds[place - 1]))
            return false;
        apart = emberi_real_mat_mul(&inverse, &skin->binds[i]);
        if (any && !emberi_real_mat_agree(out, &apart))
            return false;
        if (!any)
            *out = apart;
        any = true;
    }
    return true;
}

/* ---- joining ---- */

static void join_add(join *j, uint32_t node, const real_mat *bind)
{
    j->joints[j->count] = node;
    j->binds[j->count++] = *bind;
    j->place[node] = j->count;
}

/* *joined false, and nothing added, where it does not fit. */
static bool join_take(join *j, const join_skin *skin)
{
    real_mat before, back;
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < skin->count; i++)
        fresh += j->place[skin->joints[i]] == 0;
    if (j->count + fresh > j->room || !join_before(j, skin, &before) ||
        !emberi_real_mat_inverse(&back, &before))
        return false;
    for (uint32_t i = 0; i < skin->count; i++)
        if (j->place[skin->joints[i]] == 0) {
            real_mat bind = emberi_real_mat_mul(&skin->binds[i], &back);
            join_add(j, skin->joints[i], &bind);
        }
    return true;
}

static ember_status join_read(join *j, join_skin *out, uint32_t skin)
{
    gltf_doc    *doc = j->doc;
    ember_status status = emberi_gltf_skin_joints(doc, &out->joints, &out->count, skin);
    if (status == EMBER_OK)
        status = emberi_gltf_skin_binds(doc, &out->binds, out->count, skin);
    return status;
}

/* Another skin may lead from one to the next, so the skins are gone through until none joins any more. */
static ember_status join_others(join *j, uint32_t first)
{
    uint32_t     skins = j->doc->lists[GLTF_SKINS].count, nodes = j->doc->lists[GLTF_NODES].count;
    uint8_t     *below, *mine, *done;
    join_skin   *all;
    ember_status status = GLTF_PUSH_SCRATCH(j->doc, &below, uint8_t, nodes);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(j->doc, &mine, uint8_t, nodes);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(j->doc, &done, uint8_t, skins);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(j->doc, &all, join_skin, skins);
    for (uint32_t i = 0; status == EMBER_OK && i < skins; i++) {
        done[i] = i == first;
        all[i].mine = mine;
        status = join_read(j, &all[i], i);
    }
    uint64_t left = JOIN_MOST_STEPS;
    for (bool more = status == EMBER_OK; more && left > (uint64_t)nodes * skins;
         left -= (uint64_t)nodes * skins) {
        more = false;
        for (uint32_t i = 0; i < skins; i++) {
            if (done[i])
                continue;
            memset(mine, 0, nodes);
            for (uint32_t k = 0; k < all[i].count; k++)
                mine[all[i].joints[k]] = 1;
            if (join_related(j, &all[i], below)) {
                done[i] = 1;
                more = join_take(j, &all[i]) || more;
            }
        }
    }
    return status;
}

ember_status emberi_gltf_skins_join(gltf_doc *doc, gltf_rig *rig)
{
    join         j = {.doc = doc};
    join_skin    first = {.count = 0};
    uint32_t     skins = doc->lists[GLTF_SKINS].count;
    ember_status status = join_read(&j, &first, rig->skin);
    j.room = first.count > EMBER_MAX_BONES ? first.count : EMBER_MAX_BONES;
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &j.joints, uint32_t, j.room);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &j.binds, real_mat, j.room);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &j.place, uint32_t, doc->lists[GLTF_NODES].count);
    j.first = first.count;
    for (uint32_t i = 0; status == EMBER_OK && i < first.count; i++)
        join_add(&j, first.joints[i], &first.binds[i]);
    if (status == EMBER_OK && skins > 1 && doc->source->options->skin == NULL)
        status = join_others(&j, rig->skin);
    rig->joints = j.joints;
    rig->joint_binds = j.binds;
    rig->bone_count = j.count;
    return status;
}
