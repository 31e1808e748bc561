/* SPDX-License-Identifier: MIT */
/* What comes from a game becomes something the host may use: floats that are finite, handles that stand for
   something, ids that are in the ROM. Everything else traps here; addresses are checked in guest_memory.h. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "base/maths.h"
#include "base/nearest.h"
#include "console/guest_memory.h"
#include "ember/model.h"

/* ---- memory ---- */

void emberi_host_trap_span(ember_console *c, const char *function, uint32_t address, uint64_t size)
{
    if (address == 0)
        emberi_host_trap(c, function, "WASM memory access violation: null pointer");
    emberi_host_trap(c, function, "WASM memory access violation: %ju bytes at 0x%08x, there are %u",
                     (uintmax_t)size, (unsigned)address, (unsigned)c->memory_size);
}

/* ---- numbers ---- */

/* An exponent of ones, which infinities and NaNs have, overflows into the sign when one is added; all of
   them are seen together, without a branch in the loop. */
static bool guest_all_finite(const float *values, uint32_t count)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++)
        seen |= (emberi_bits_of(values[i]) & 0x7f800000u) + 0x00800000u;
    return seen >> 31 == 0;
}

void emberi_host_floats(float *out, ember_console *c, const char *function, guest_in address, uint32_t count)
{
    memcpy(out, emberi_host_in(c, function, address, (uint64_t)count * 4), (size_t)count * 4);
    if (!guest_all_finite(out, count))
        emberi_host_trap(c, function, "a number at 0x%08x is not finite", (unsigned)address);
}

void emberi_host_finite(ember_console *c, const char *function, const char *what, float value)
{
    if (!emberi_is_finite(value))
        emberi_host_trap(c, function, "%s is not a finite number", what);
}

bool emberi_host_matrix_is_finite(const ember_mat34 *m) { return guest_all_finite(m->m, 12); }

bool emberi_host_matrices_are_finite(const ember_mat34 *m, uint32_t count)
{
    return guest_all_finite(m->m, count * 12);
}

bool emberi_host_pose_is_finite(const ember_transform *pose, uint32_t count)
{
    return guest_all_finite(&pose->rotation.x, count * 10);
}

void emberi_host_check_pose(ember_console *c, const char *function, const ember_transform *pose,
                            uint32_t count)
{
    if (!emberi_host_pose_is_finite(pose, count))
        emberi_host_trap(c, function, "the result would not be finite");
}

ember_transform emberi_host_trs(ember_console *c, const char *function, guest_in position, guest_in rotation,
                                guest_in scale)
{
    float p[3], q[4], s[3];
    emberi_host_floats(p, c, function, position, 3);
    emberi_host_floats(q, c, function, rotation, 4);
    emberi_host_floats(s, c, function, scale, 3);
    if (q[0] == 0.0f && q[1] == 0.0f && q[2] == 0.0f && q[3] == 0.0f)
        emberi_host_trap(c, function, "the rotation is zero");
    return (ember_transform){ember_quat_normalize((ember_quat){q[0], q[1], q[2], q[3]}),
                             {p[0], p[1], p[2]},
                             {s[0], s[1], s[2]}};
}

/* ---- handles ---- */

/* The index that the handle stands for; a handle of another kind, or of nothing, traps. */
static uint32_t guest_index(ember_console *c, const char *function, host_kind kind, const host_list *list,
                            uint32_t handle, const char *message)
{
    uint32_t index = emberi_host_index(kind, handle);
    if (index >= list->count)
        emberi_host_trap(c, function, "%s", message);
    return index;
}

host_skeleton *emberi_host_skeleton(ember_console *c, const char *function, uint32_t handle)
{
    host_skeleton *skeletons = c->skeletons.items;
    return skeletons +
           guest_index(c, function, HOST_SKELETON, &c->skeletons, handle, "invalid skeleton handle");
}

host_model emberi_host_meshes(ember_console *c, const char *function, uint32_t handle)
{
    const host_model *models = c->models.items;
    uint32_t          model = emberi_host_index(HOST_MODEL, handle);
    if (model < c->models.count)
        return models[model];
    return (host_model){guest_index(c, function, HOST_MESH, &c->meshes, handle, "invalid mesh handle"), 1};
}

host_data *emberi_host_data(ember_console *c, const char *function, uint32_t handle)
{
    static const char message[] = "invalid data handle";
    host_data        *data =
        (host_data *)c->data.items + guest_index(c, function, HOST_DATA, &c->data, handle, message);
    if (data->unloaded)
        emberi_host_trap(c, function, "%s", message);
    return data;
}

/* ---- loading ---- */

void emberi_host_reserve(ember_console *c, const char *function, host_list *list, uint32_t more,
                         size_t item_size)
{
    if (more <= list->capacity - list->count)
        return;
    if (more > HOST_MAX_HANDLES - list->count)
        emberi_host_trap(c, function, "no more than %u can be loaded", HOST_MAX_HANDLES);
    uint32_t capacity = list->capacity == 0 ? 16 : list->capacity;
    while (capacity - list->count < more)
        capacity = capacity < HOST_MAX_HANDLES / 2 ? capacity * 2 : HOST_MAX_HANDLES;
    void *items = c->options.allocator.resize(c->options.allocator.user, list->items,
                                              list->capacity * item_size, capacity * item_size);
    if (items == NULL)
        emberi_host_trap(c, function, "out of memory");
    list->items = items;
    list->capacity = capacity;
}

void emberi_host_begin_load(ember_console *c, const char *function, host_list *list, size_t item_size)
{
    if (c->phase != EMBER_PHASE_INIT)
        emberi_host_trap(c, function, "only in init()");
    emberi_host_reserve(c, function, list, 1, item_size);
}

void emberi_host_load_failed(ember_console *c, const char *function, ember_arena_mark mark,
                             const ember_error *err)
{
    ember_arena_restore(&c->arena, mark);
    emberi_host_trap(c, function, "%s", emberi_error_line_of(err).text);
}

/* ---- the ROM ---- */

/* A guest's id as it may be shown: what no id has becomes '?', and a long one is cut. */
typedef struct guest_id {
    char text[64];
} guest_id;

static guest_id guest_show_id(const char *id, size_t size)
{
    guest_id shown;
    size_t   used = 0;
    for (; used < size && used < sizeof(shown.text) - 4; used++)
        shown.text[used] = id[used] > ' ' && id[used] < 0x7f ? id[used] : '?';
    memcpy(shown.text + used, used < size ? "..." : "", used < size ? 4 : 1);
    return shown;
}

/* ---- ids that are near ---- */

#define GUEST_NEAR 3u /* ids that a trap lists at the most */

typedef struct guest_near {
    const char *id;
    size_t      size;
    unsigned    distance;
} guest_near;

typedef struct guest_nears {
    guest_near ids[GUEST_NEAR]; /* the nearest first */
    size_t     count;
} guest_nears;

static void guest_near_add(guest_nears *all, const guest_near *id)
{
    size_t at = all->count;
    for (size_t i = 0; i < all->count; i++)
        if (all->ids[i].size == id->size && memcmp(all->ids[i].id, id->id, id->size) == 0)
            return;
    while (at > 0 && all->ids[at - 1].distance > id->distance)
        at--;
    if (at == GUEST_NEAR)
        return;
    all->count += all->count < GUEST_NEAR ? 1 : 0;
    memmove(&all->ids[at + 1], &all->ids[at], (all->count - 1 - at) * sizeof(all->ids[0]));
    all->ids[at] = *id;
}

/* The first `size` bytes of an entry's id, if they are near what was asked for. */
static void guest_near_try(guest_nears *all, const char *candidate, size_t size, const char *id,
                           uint32_t id_size)
{
    guest_near near = {candidate, size, emberi_word_distance(candidate, size, id, id_size)};
    if (near.distance <= emberi_word_tolerance(id_size))
        guest_near_add(all, &near);
}

/* "; near: hero/body, hero/head", the nearest first, or "". The meshes of one file have its id, too. */
static void guest_list_near(char *out, size_t out_size, const ember_console *c, ember_rom_kind kind,
                            const char *id, uint32_t id_size)
{
    guest_nears     all = {.count = 0};
    ember_rom_entry entry;
    size_t          used = 0;
    for (uint32_t i = 0; i < ember_rom_entry_count(c->options.rom); i++) {
        if (!ember_rom_entry_at(&entry, c->options.rom, i) || entry.kind != (uint32_t)kind)
            continue;
        guest_near_try(&all, entry.id, entry.id_size, id, id_size);
        const char *slash = kind == EMBER_ROM_MESH ? strrchr(entry.id, '/') : NULL;
        if (slash != NULL)
            guest_near_try(&all, entry.id, (size_t)(slash - entry.id), id, id_size);
    }
    for (size_t i = 0; i < all.count; i++) {
        int size = snprintf(out + used, out_size - used, "%s%s", i == 0 ? "; near: " : ", ",
                            guest_show_id(all.ids[i].id, all.ids[i].size).text);
        used += size > 0 ? (size_t)size : 0; /* three ids of 64 bytes fit */
    }
}

void emberi_host_no_asset(ember_console *c, const char *function, ember_rom_kind kind, const char *kind_name,
                          const char *id, uint32_t id_size)
{
    char near[GUEST_NEAR * sizeof(guest_id) + 16] = "";
    if (c->options.rom != NULL && id_size != 0)
        guest_list_near(near, sizeof(near), c, kind, id, id_size);
    emberi_host_trap(c, function, "%s asset not found: %s%s", kind_name, guest_show_id(id, id_size).text,
                     near);
}

void emberi_host_verify(ember_console *c, const char *function, const ember_rom_entry *entry)
{
    ember_error err = EMBER_ERROR_INIT;
    if (ember_rom_verify(c->options.rom, entry, &err) != EMBER_OK)
        emberi_host_trap(c, function, "%s", emberi_error_line_of(&err).text);
}

ember_rom_entry emberi_host_asset(ember_console *c, const char *function, ember_rom_kind kind,
                                  const char *kind_name, guest_in id, uint32_t id_size)
{
    const char     *text = (const char *)emberi_host_in(c, function, id, id_size);
    ember_rom_entry entry;
    if (c->options.rom == NULL || id_size == 0 ||
        !ember_rom_find(&entry, c->options.rom, kind, text, id_size))
        emberi_host_no_asset(c, function, kind, kind_name, text, id_size);
    emberi_host_work(c, entry.size);
    emberi_host_verify(c, function, &entry);
    return entry;
}
