/* SPDX-License-Identifier: MIT */
/* The console: what a game sees of the host. It knows no engine: it has a span of guest memory and a way to
   trap, so the same functions serve WASM games, native C games and tests. Every number a game passes is
   hostile: guest addresses become host pointers through one checked function only, and whatever is wrong
   traps with a message that names the function, the frame and the export it happened in. */
#ifndef EMBER_CONSOLE_H
#define EMBER_CONSOLE_H

#include "base.h"
#include "draw.h"
#include "model.h"
#include "rom.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EMBER_CONSOLE_MEMORY (4u << 20) /* guest memory at the most */
#define EMBER_CONSOLE_PLAYERS 4u
/* The shape of the screen, width to height, for projection_perspective. */
#define EMBER_CONSOLE_ASPECT (16.0f / 9.0f)

typedef struct ember_console ember_console;

typedef enum ember_phase {
    EMBER_PHASE_NONE = 0, /* no game code runs; host functions must not be called */
    EMBER_PHASE_INIT,
    EMBER_PHASE_UPDATE,
    EMBER_PHASE_RENDER,
    EMBER_PHASE_COUNT
} ember_phase;

const char *ember_phase_name(ember_phase phase); /* the export: "init", "update", "render" */

typedef struct ember_trap {
    const char *function; /* "keyframe_bind", or "" where no host function was running */
    ember_phase phase;
    uint64_t    frame;
    /* the whole message: "keyframe_bind: keyframe index 60 out of range (60 frames), in update, frame 12" */
    const char *text;
} ember_trap;

typedef struct ember_console_options {
    ember_allocator  allocator;
    const ember_rom *rom; /* or NULL; must outlive the console */
    uint64_t         seed;
    double           update_hz; /* 0: 60 */
    /* Called when a game does what it must not. Must not return (siglongjmp out of the game); the console is
       as before the failing call. */
    void (*trap)(void *user, const ember_trap *trap);
    /* what the game logs, one line, control characters made harmless; or NULL */
    void (*log)(void *user, const char *text, size_t size);
    void *user;
} ember_console_options;

ember_status ember_console_create(ember_console **out, const ember_console_options *options,
                                  ember_error *err);
void         ember_console_destroy(ember_console *console);

/* The guest's memory; tell again whenever it grew or moved. At most EMBER_CONSOLE_MEMORY bytes. */
void ember_console_set_memory(ember_console *console, void *memory, uint32_t size);

/* Around each call of a game's export. INIT once; then for every frame UPDATE (time and the frame number move
   on at its begin, inputs are this frame's, NULL: none) and RENDER (the draw list starts empty). Transform,
   stack, tint and bone_bind start anew with each of them. Several RENDERs per UPDATE are fine. The frame is 0
   in INIT, 1 in the first UPDATE. After a trap: ember_console_state_restore, or destroy. */
void ember_console_begin(ember_console *console, ember_phase phase,
                         const uint32_t inputs[EMBER_CONSOLE_PLAYERS]);
void ember_console_end(ember_console *console);

/* The engine's own traps (out of bounds, endless loop, ...) get the same form. Never returns. */
void ember_console_trap(ember_console *console, const char *text);

uint64_t ember_console_frame(const ember_console *console);

/* What the last RENDER drew, complete once it ended; valid until the next begin. */
const ember_draw_list *ember_console_draws(const ember_console *console);

/* ---- what was loaded, for the renderer; numbers as in the draw list ---- */

uint32_t           ember_console_mesh_count(const ember_console *console);
const ember_mesh  *ember_console_mesh(const ember_console *console, uint32_t mesh); /* decoded; NULL beyond */
/* The bytes of an image file, or NULL. */
const uint8_t     *ember_console_mesh_texture(const ember_console *console, uint32_t mesh, size_t *size);
uint32_t           ember_console_skeleton_count(const ember_console *console);
const ember_mat34 *ember_console_inverse_binds(const ember_console *console, uint32_t skeleton,
                                               uint32_t *bone_count);
uint32_t           ember_console_clip_count(const ember_console *console);

/* ---- snapshots: binds, transforms, time, random; the engine adds memory and globals ---- */

/* Fixed once INIT has ended; equal states have equal bytes. Restore takes ember_console_state_size
   bytes that a console with the same game saved; EMBER_E_ARG, and nothing changed, for bytes that
   cannot be its state. */
size_t       ember_console_state_size(const ember_console *console);
void         ember_console_state_save(const ember_console *console, void *out);
ember_status ember_console_state_restore(ember_console *console, const void *state);
/* Of the state and the last draw list, its bones too: the same for the same game on every machine, WASM or
   native, on little-endian ones. */
uint64_t     ember_console_hash(const ember_console *console);

#ifdef __cplusplus
}
#endif
#endif
