/* SPDX-License-Identifier: MIT */
/* What is compiled of a game: the code that wasm2c wrote, and the one symbol that the host looks for. */
#ifdef __clang__
#pragma clang diagnostic error "-Wframe-larger-than"
#endif
#include "wasm-rt.h"

#include "game.c"

#if EMBERI_HAS_ENV
/* wasm2c 1.0.32 hands an imported function that is called through a table the address of this field, and all
   others its value: they are made the same. */
_Static_assert(offsetof(Z_game_instance_t, Z_env_instance) == 0,
               "the console is found behind the first field");
#endif

static void emberi_bind(const struct emberi_guest_runtime *runtime, const void *functions)
{
    emberi_runtime = *runtime;
    emberi_functions = *(const struct emberi_guest_functions *)functions;
    if (!s_module_initialized)
        Z_game_init_module();
}

static void emberi_instantiate(void *instance)
{
#if EMBERI_HAS_ENV
    Z_game_instantiate(instance, instance);
#else
    Z_game_instantiate(instance);
#endif
}

#define EMBERI_EXPORT(name) \
    static void emberi_##name(void *instance) { Z_gameZ_##name(instance); }
#if EMBERI_HAS_INIT
EMBERI_EXPORT(init)
#else
#define emberi_init NULL
#endif
#if EMBERI_HAS_UPDATE
EMBERI_EXPORT(update)
#else
#define emberi_update NULL
#endif
#if EMBERI_HAS_RENDER
EMBERI_EXPORT(render)
#else
#define emberi_render NULL
#endif

/* EMBERI_GLOBALS has EMBERI_GLOBAL(number, bytes) for each mutable global, in index order; EMBERI_SEGMENTS
   has EMBERI_FLAG(number) for each data segment that can be dropped and EMBERI_DONE for each other one. */
#define EMBERI_GLOBAL(number, bytes) {offsetof(Z_game_instance_t, w2c_g##number), bytes},
#define EMBERI_FLAG(number) {offsetof(Z_game_instance_t, data_segment_dropped_w2c_d##number), 1},
#define EMBERI_DONE {0, 0},
static const struct emberi_guest_cell emberi_cells[EMBERI_CELL_COUNT + 1] = {
    EMBERI_GLOBALS EMBERI_SEGMENTS{0, 0}};

__attribute__((visibility("default"))) const struct emberi_guest emberi_guest = {
    .instance_size = sizeof(Z_game_instance_t),
    .memory_offset = offsetof(Z_game_instance_t, w2c_memory),
#if EMBERI_HAS_TABLE
    .table_offset = offsetof(Z_game_instance_t, w2c_T0),
#else
    .table_offset = SIZE_MAX,
#endif
    .bind = emberi_bind,
    .instantiate = emberi_instantiate,
    .init = emberi_init,
    .update = emberi_update,
    .render = emberi_render,
    .cell_count = EMBERI_CELL_COUNT,
    .cells = emberi_cells,
};
