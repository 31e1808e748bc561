/* SPDX-License-Identifier: MIT */
/* The console's functions as the interpreter calls them: each takes its numbers from slots. The adapter
   of a signature is chosen by the function's own type, so that a function with a signature that has none
   does not compile. */
#include <string.h>

#include "console/functions.h"
#include "engine/interp/interp_code.h"

#define U(n) slots[n].u32
#define F(n) slots[n].f32

/* X(name, result, how it is stored, types of the parameters, arguments) */
/* clang-format off */
#define HOST_SIGNATURES(X) \
    X(v_, void, , (ember_console *), (console)) \
    X(f_, float, slots[0].f32 =, (ember_console *), (console)) \
    X(i_, uint32_t, slots[0].u32 =, (ember_console *), (console)) \
    X(l_, uint64_t, slots[0].u64 =, (ember_console *), (console)) \
    X(v_f, void, , (ember_console *, float), (console, F(0))) \
    X(v_fff, void, , (ember_console *, float, float, float), (console, F(0), F(1), F(2))) \
    X(v_ffff, void, , (ember_console *, float, float, float, float), (console, F(0), F(1), F(2), F(3))) \
    X(v_i, void, , (ember_console *, uint32_t), (console, U(0))) \
    X(f_i, float, slots[0].f32 =, (ember_console *, uint32_t), (console, U(0))) \
    X(i_i, uint32_t, slots[0].u32 =, (ember_console *, uint32_t), (console, U(0))) \
    X(v_ifi, void, , (ember_console *, uint32_t, float, uint32_t), (console, U(0), F(1), U(2))) \
    X(v_ii, void, , (ember_console *, uint32_t, uint32_t), (console, U(0), U(1))) \
    X(i_ii, uint32_t, slots[0].u32 =, (ember_console *, uint32_t, uint32_t), (console, U(0), U(1))) \
    X(v_iii, void, , (ember_console *, uint32_t, uint32_t, uint32_t), (console, U(0), U(1), U(2))) \
    X(i_iii, uint32_t, slots[0].u32 =, (ember_console *, uint32_t, uint32_t, uint32_t), \
      (console, U(0), U(1), U(2))) \
    X(v_iiifi, void, , (ember_console *, uint32_t, uint32_t, uint32_t, float, uint32_t), \
      (console, U(0), U(1), U(2), F(3), U(4))) \
    X(v_iiii, void, , (ember_console *, uint32_t, uint32_t, uint32_t, uint32_t), \
      (console, U(0), U(1), U(2), U(3))) \
    X(i_iiii, uint32_t, slots[0].u32 =, (ember_console *, uint32_t, uint32_t, uint32_t, uint32_t), \
      (console, U(0), U(1), U(2), U(3))) \
    X(i_iiiii, uint32_t, slots[0].u32 =, (ember_console *, uint32_t, uint32_t, uint32_t, uint32_t, \
      uint32_t), \
      (console, U(0), U(1), U(2), U(3), U(4))) \
    X(v_iiiiiifiii, void, , \
      (ember_console *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, float, uint32_t, \
      uint32_t, \
       uint32_t), \
      (console, U(0), U(1), U(2), U(3), U(4), U(5), F(6), U(7), U(8), U(9)))
/* clang-format on */

/* NOLINTBEGIN(bugprone-macro-parentheses): types stand in none */
#define HOST_ADAPTER(name, result, store, parameters, arguments)                                             \
    EMBERI_INLINE void host_##name(result(*function) parameters, ember_console *console, emberi_slot *slots) \
    {                                                                                                        \
        (void)slots;                                                                                         \
        store function arguments;                                                                            \
    }
HOST_SIGNATURES(HOST_ADAPTER)
#undef HOST_ADAPTER

#define HOST_CHOICE(name, result, store, parameters, arguments) , result(*) parameters : host_##name
#define HOST_THUNK(result, name, ...)                                                                    \
    static void host_thunk_##name(ember_console *console, emberi_slot *slots)                            \
    {                                                                                                    \
        _Generic (&emberi_host_##name HOST_SIGNATURES(HOST_CHOICE))(emberi_host_##name, console, slots); \
    }
EMBERI_HOST_FUNCTIONS(HOST_THUNK)
#undef HOST_THUNK
/* NOLINTEND(bugprone-macro-parentheses) */

typedef struct host_row {
    const char  *name;
    emberi_thunk thunk;
} host_row;

#define HOST_ROW(result, name, ...) {#name, host_thunk_##name},
static const host_row host_rows[] = {EMBERI_HOST_FUNCTIONS(HOST_ROW)};
#undef HOST_ROW

emberi_thunk emberi_thunk_find(const char *name, uint32_t size)
{
    for (size_t i = 0; i < sizeof(host_rows) / sizeof(host_rows[0]); i++)
        if (strlen(host_rows[i].name) == size && memcmp(host_rows[i].name, name, size) == 0)
            return host_rows[i].thunk;
    return NULL;
}
