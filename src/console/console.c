/* SPDX-License-Identifier: MIT */
/* A console from its creation to its end: memory, the phases of a frame, traps, and what the
   renderer asks for. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/fail.h"
#include "console/host.h"
#include "ember/model.h"

#define CONSOLE_UPDATE_HZ 60.0
#define CONSOLE_CLEAR_COLOR 0x20242CFFu
#define CONSOLE_WHITE 0xFFFFFFFFu

const char *ember_phase_name(ember_phase phase)
{
    static const char *const names[EMBER_PHASE_COUNT] = {"no export", "init", "update", "render"};
    return (unsigned)phase < EMBER_PHASE_COUNT ? names[phase] : "no export";
}

/* ---- life ---- */

static void console_reset(ember_console *c)
{
    host_state *s = &c->state;
    s->random = emberi_host_seeded(c->options.seed);
    s->transform = ember_mat34_identity;
    /* Before a game sets a camera: four metres in front of the origin, at the height of a chest. */
    s->view = ember_mat34_identity;
    s->view.m[7] = -1.0f;
    s->view.m[11] = -4.0f;
    s->projection = emberi_host_perspective(60.0f, 0.1f, 1000.0f);
    s->color = CONSOLE_WHITE;
    s->clear_color = CONSOLE_CLEAR_COLOR;
    s->skeleton = s->bone = -1;
    s->pose_clip = -1;
    c->bones_at = HOST_NO_BONES;
}

ember_status ember_console_create(ember_console **out, const ember_console_options *options, ember_error *err)
{
    *out = NULL;
    double hz = options->update_hz == 0.0 ? CONSOLE_UPDATE_HZ : options->update_hz;
    if (options->trap == NULL || options->allocator.resize == NULL || !(hz > 0.0) || !(hz <= 1e6))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                          "a console needs an allocator, a way to trap and a rate of updates above 0");
    ember_console *c = options->allocator.resize(options->allocator.user, NULL, 0, sizeof(*c));
    if (c == NULL)
        return emberi_fail_memory(err);
    memset(c, 0, sizeof(*c));
    c->options = *options;
    c->options.update_hz = hz;
    c->delta_time = (float)(1.0 / hz);
    c->arena = ember_arena_growing(options->allocator, HOST_LIMIT);
    console_reset(c);
    *out = c;
    return EMBER_OK;
}

static void console_free(ember_console *c, void *memory, size_t size)
{
    if (memory != NULL)
        c->options.allocator.resize(c->options.allocator.user, memory, size, 0);
}

void ember_console_destroy(ember_console *c)
{
    if (c == NULL)
        return;
    ember_arena_free(&c->arena);
    console_free(c, c->clips.items, c->clips.capacity * sizeof(host_clip));
    console_free(c, c->skeletons.items, c->skeletons.capacity * sizeof(host_skeleton));
    console_free(c, c->meshes.items, c->meshes.capacity * sizeof(ember_mesh));
    console_free(c, c->models.items, c->models.capacity * sizeof(host_model));
    console_free(c, c->data.items, c->data.capacity * sizeof(host_data));
    console_free(c, c->cache, sizeof(*c->cache));
    console_free(c, c->places, c->places_capacity * sizeof(*c->places));
    console_free(c, c->draws, c->draws_capacity * sizeof(*c->draws));
    console_free(c, c->drawn_bones, c->drawn_bones_capacity * sizeof(*c->drawn_bones));
    ember_allocator allocator = c->options.allocator;
    allocator.resize(allocator.user, c, sizeof(*c), 0);
}

void ember_console_set_memory(ember_console *c, void *memory, uint32_t size)
{
    c->memory = memory;
    c->memory_size = memory == NULL ? 0 : size < EMBER_CONSOLE_MEMORY ? size : EMBER_CONSOLE_MEMORY;
}

/* ---- phases ---- */

/* So much starts anew with every call of an export: what one call does to it is not seen by the next. */
static void console_begin_call(ember_console *c)
{
    host_state *s = &c->state;
    s->transform = ember_mat34_identity;
    s->depth = 0;
    s->bone = -1;
    s->color = CONSOLE_WHITE;
    c->bones_at = HOST_NO_BONES;
}

void ember_console_begin(ember_console *c, ember_phase phase, const uint32_t inputs[EMBER_CONSOLE_PLAYERS])
{
    EMBERI_ASSERT(phase > EMBER_PHASE_NONE && phase < EMBER_PHASE_COUNT);
    host_state *s = &c->state;
    c->phase = phase;
    console_begin_call(c);
    if (phase == EMBER_PHASE_UPDATE) {
        s->frame++;
        for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
            s->inputs[i] = inputs != NULL ? inputs[i] : 0;
        if (s->pose == EMBER_DRAW_POSE_BONES && s->pose_clip < 0)
            emberi_host_no_pose(c); /* what set_bones brought lasts for one frame */
    }
    if (phase == EMBER_PHASE_RENDER) {
        c->list.draw_count = 0;
        c->list.bone_count = 0;
        emberi_host_no_places(c);
    }
}

void ember_console_end(ember_console *c)
{
    if (c->phase == EMBER_PHASE_RENDER) {
        c->list.frame = c->state.frame;
        c->list.view = c->state.view;
        c->list.projection = c->state.projection;
        c->list.clear_color = c->state.clear_color;
        c->list.draws = c->draws;
        c->list.bones = c->drawn_bones;
    }
    c->phase = EMBER_PHASE_NONE;
}

/* ---- traps ---- */

/* "keyframe_bind: invalid keyframe handle, in update, frame 12" */
static _Noreturn void console_trap(ember_console *c, const char *function, const char *message)
{
    snprintf(c->text, sizeof(c->text), "%s%s%.400s, in %s, frame %ju", function,
             function[0] != '\0' ? ": " : "", message, ember_phase_name(c->phase), (uintmax_t)c->state.frame);
    ember_trap trap = {function, c->phase, c->state.frame, c->text};
    c->options.trap(c->options.user, &trap);
    abort(); /* the options' function broke its promise, and the game must not go on */
}

void emberi_host_trap(ember_console *c, const char *function, const char *format, ...)
{
    char    message[400];
    va_list arguments;
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the line above is not believed */
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    console_trap(c, function, message);
}

void ember_console_trap(ember_console *c, const char *text) { console_trap(c, "", text); }

/* ---- what the host's other rooms see ---- */

uint64_t ember_console_frame(const ember_console *c) { return c->state.frame; }

const ember_draw_list *ember_console_draws(const ember_console *c) { return &c->list; }

uint32_t ember_console_mesh_count(const ember_console *c) { return c->meshes.count; }

const ember_mesh *ember_console_mesh(const ember_console *c, uint32_t mesh)
{
    const ember_mesh *meshes = c->meshes.items;
    return mesh < c->meshes.count ? &meshes[mesh] : NULL;
}

const uint8_t *ember_console_mesh_texture(const ember_console *c, uint32_t mesh, size_t *size)
{
    const ember_mesh *m = ember_console_mesh(c, mesh);
    *size = m != NULL ? m->texture_size : 0;
    return m != NULL ? m->texture : NULL;
}

uint32_t ember_console_skeleton_count(const ember_console *c) { return c->skeletons.count; }

const ember_mat34 *ember_console_inverse_binds(const ember_console *c, uint32_t skeleton,
                                               uint32_t *bone_count)
{
    const host_skeleton *skeletons = c->skeletons.items;
    bool                 there = skeleton < c->skeletons.count;
    *bone_count = there ? skeletons[skeleton].bone_count : 0;
    return there ? skeletons[skeleton].inverse_binds : NULL;
}

uint32_t ember_console_clip_count(const ember_console *c) { return c->clips.count; }
