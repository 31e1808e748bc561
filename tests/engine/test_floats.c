/* SPDX-License-Identifier: MIT */
/* Floating-point numbers in games: whatever mode the host is in, a game calculates in the default one, and
   the host's comes back on every way out; a NaN that arithmetic makes has the canonical bits, and nothing
   else touches a NaN's bits. */
#include <fenv.h>

#include "engine/games.h"
#include "engine/machine_internal.h"

/* Results that rounding, subnormal numbers and exceptions change. */
static const char       sensitive[] =
    "(module " GAME_ENV GAME_MEMORY "(global $x (mut f32) (f32.const 0.1))"
    "(func (export \"update\")"
    " (global.set $x (f32.add (f32.mul (global.get $x) (f32.const 1.0000001)) (f32.const 0.3333333)))"
    " (f32.store (i32.const 0) (f32.div (f32.const 1) (global.get $x)))"
    " (f32.store (i32.const 4) (f32.mul (f32.load (i32.const 16)) (f32.const 1e-30)))"
    " (f32.store (i32.const 16) (f32.const 1e-12))"
    " (f64.store (i32.const 8) (f64.div (f64.const 1) (f64.promote_f32 (global.get $x))))"
    " (f32.store (i32.const 20) (f32.sqrt (f32.const -1)))"
    " (f32.store (i32.const 24) (f32.div (f32.const 1) (f32.load (i32.const 60000))))"
    " (call $log (i32.const 1) (i32.const 0)))"
    "(func (export \"render\") unreachable))";

static uint8_t *bytes_of(ember_machine *machine)
{
    uint32_t size;
    return machine->ops->memory(machine, &size);
}

static uint32_t word_at(ember_machine *machine, size_t at)
{
    uint32_t word;
    memcpy(&word, bytes_of(machine) + at, sizeof(word));
    return word;
}

/* ---- the host's mode ---- */

typedef struct mode {
    const char *name;
    int         rounding;
    unsigned    flags; /* MXCSR's: flush to zero, denormals are zero, exceptions not masked */
} mode;

static const mode modes[] = {
    {"none", FE_TONEAREST, 0},       {"down", FE_DOWNWARD, 0},        {"up", FE_UPWARD, 0},
    {"zero", FE_TOWARDZERO, 0},
#if defined(__x86_64__)
    {"flush", FE_TONEAREST, 0x8040}, {"exceptions", FE_TONEAREST, 0},
#endif
};

static void mode_set(const mode *m)
{
    fesetround(m->rounding);
#if defined(__x86_64__)
    if (m->flags != 0)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | m->flags);
    if (strcmp(m->name, "exceptions") == 0)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x0280u); /* invalid, divided by zero */
#endif
}

/* The bits that the host set, without the flags of what happened. */
static unsigned mode_now(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr() & ~0x3fu;
#else
    return (unsigned)fegetround();
#endif
}

typedef struct heard {
    unsigned mode;
    int      count;
} heard;

static void heard_log(void *user, const char *text, size_t size)
{
    heard *h = user;
    (void)text;
    (void)size;
    h->mode = mode_now();
    h->count++;
}

TEST(the_hosts_floating_point_mode_does_not_reach_a_game)
{
    uint8_t expected[32];
    fenv_t  host;
    size_t  size;
    assert_int_equal(fegetenv(&host), 0);
    uint8_t *wasm = game_assemble(sensitive, &size);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        heard                 h = {0, 0};
        ember_machine        *machine;
        ember_error           err = EMBER_ERROR_INIT;
        ember_machine_options options = game_options();
        options.log = heard_log;
        options.user = &h;
        assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);
        mode_set(&modes[i]);
        unsigned     before = mode_now();
        ember_status status = EMBER_OK;
        for (int frame = 0; frame < 60 && status == EMBER_OK; frame++)
            status = ember_machine_update(machine, game_no_inputs, &err);
        unsigned     after = mode_now();
        ember_status trap = ember_machine_render(machine, &err);
        unsigned     trapped = mode_now();
        fesetenv(&host);
        assert_int_equal(status, EMBER_OK);
        assert_int_equal(trap, EMBER_E_TRAP);
        assert_int_equal(after, before);
        assert_int_equal(trapped, before);
        assert_int_equal(h.count, 60); /* the host's own function ran in the host's own mode */
        assert_int_equal(h.mode, before);
        if (i == 0)
            memcpy(expected, bytes_of(machine), sizeof(expected));
        assert_memory_equal(bytes_of(machine), expected, sizeof(expected));
        ember_machine_unload(machine);
    }
    free(wasm);
    /* 1e-12 * 1e-30, by hand: 714 times 2^-149 */
    uint32_t tiny;
    memcpy(&tiny, expected + 4, sizeof(tiny));
    assert_int_equal(tiny, 714);
}

/* ---- NaNs ---- */

typedef struct operation {
    const char *wat;       /* of a and b; the result is stored */
    bool        canonical; /* else: the bits of `kept` */
    uint32_t    kept;
} operation;

#define A 0xff812345u /* a signalling one with a sign */
#define B 0x7fd00007u

TEST(a_nan_that_arithmetic_makes_is_canonical_and_nothing_else_touches_bits)
{
    static const operation operations[] = {
        {"(f32.add (local.get 0) (local.get 1))", true, 0},
        {"(f32.add (local.get 1) (local.get 0))", true, 0},
        {"(f32.sub (local.get 0) (f32.const 1))", true, 0},
        {"(f32.mul (f32.const 2) (local.get 1))", true, 0},
        {"(f32.div (local.get 1) (local.get 0))", true, 0},
        {"(f32.div (f32.const 0) (f32.const 0))", true, 0},
        {"(f32.sub (f32.const inf) (f32.const inf))", true, 0},
        {"(f32.mul (f32.const inf) (f32.const 0))", true, 0},
        {"(f32.sqrt (f32.const -1))", true, 0},
        {"(f32.sqrt (local.get 0))", true, 0},
        {"(f32.min (local.get 0) (f32.const 1))", true, 0},
        {"(f32.max (f32.const 1) (local.get 1))", true, 0},
        {"(f32.ceil (local.get 0))", true, 0},
        {"(f32.floor (local.get 1))", true, 0},
        {"(f32.trunc (local.get 0))", true, 0},
        {"(f32.nearest (local.get 1))", true, 0},
        {"(f32.demote_f64 (f64.promote_f32 (local.get 0)))", true, 0},
        {"(f32.demote_f64 (f64.div (f64.const 0) (f64.const 0)))", true, 0},
        /* through a local, a block, a function, a choice, a global */
        {"(block (result f32) (local.set 2 (f32.add (local.get 0) (local.get 1))) (local.get 2))", true, 0},
        {"(call $sum (local.get 0) (local.get 1))", true, 0},
        {"(select (f32.mul (local.get 0) (local.get 1)) (f32.const 1) (i32.const 1))", true, 0},
        {"(block (result f32) (global.set $g (f32.sub (local.get 0) (local.get 1))) (global.get $g))", true,
         0},
        {"(if (result f32) (i32.const 1) (then (f32.add (local.get 0) (local.get 1))) (else (f32.const 1)))",
         true, 0},
        /* a sum that a loop makes */
        {"(block (result f32) (loop (local.set 2 (f32.add (local.get 2) (local.get 0))) (br_if 0 (i32.eqz "
         "(local.tee 3 (i32.add (local.get 3) (i32.const 1)))))) (local.get 2))",
         true, 0},
        /* signs of a canonical one are no arithmetic */
        {"(f32.neg (f32.add (local.get 0) (local.get 1)))", false, 0xffc00000u},
        {"(f32.copysign (f32.add (local.get 0) (local.get 1)) (local.get 0))", false, 0xffc00000u},
        {"(local.get 0)", false, A},
        {"(f32.neg (local.get 0))", false, 0x7f812345u},
        {"(f32.abs (local.get 0))", false, 0x7f812345u},
        {"(f32.copysign (local.get 1) (local.get 0))", false, 0xffd00007u},
        {"(select (local.get 0) (local.get 1) (i32.const 0))", false, B},
        {"(f32.load (i32.const 4))", false, B},
        {"(call $same (local.get 0))", false, A},
        {"(f32.reinterpret_i32 (i32.reinterpret_f32 (local.get 0)))", false, A},
        {"(block (result f32) (global.set $g (local.get 1)) (global.get $g))", false, B},
    };
    enum { COUNT = sizeof(operations) / sizeof(operations[0]) };
    static const char *const compilers[] = {"gcc", "clang"};
    char                    *wat = test_alloc(16384);
    size_t                   used =
        (size_t)snprintf(wat, 16384,
                         "(module " GAME_MEMORY "(global $g (mut f32) (f32.const 0))"
                         "(func $sum (param f32 f32) (result f32) (f32.add (local.get 0) (local.get 1)))"
                         "(func $same (param f32) (result f32) (local.get 0))"
                         "(func $ops (param f32 f32) (local f32 i32)");
    for (size_t i = 0; i < COUNT; i++)
        used += (size_t)snprintf(wat + used, 16384 - used, "(f32.store (i32.const %zu) %s)", 16 + 4 * i,
                                 operations[i].wat);
    snprintf(
        wat + used, 16384 - used,
        ") (func (export \"update\") (i32.store (i32.const 0) (i32.const 0x%x)) (i32.store (i32.const 4) "
        "(i32.const 0x%x)) (call $ops (f32.load (i32.const 0)) (f32.load (i32.const 4)))))",
        A, B);
    size_t   size;
    uint8_t *wasm = game_assemble(wat, &size);
    for (size_t c = 0; c < 2; c++) {
        ember_machine_options options = game_options();
        ember_machine        *machine;
        ember_error           err = EMBER_ERROR_INIT;
        options.compiler = compilers[c];
        if (ember_machine_load_wasm(&machine, wasm, size, &options, &err) == EMBER_E_UNSUPPORTED)
            continue; /* it is not installed */
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
        for (size_t i = 0; i < COUNT; i++) {
            uint32_t expected = operations[i].canonical ? 0x7fc00000u : operations[i].kept;
            if (word_at(machine, 16 + 4 * i) != expected)
                fail_msg("%s: %s gives %08x, not %08x", compilers[c], operations[i].wat,
                         (unsigned)word_at(machine, 16 + 4 * i), (unsigned)expected);
        }
        ember_machine_unload(machine);
    }
    free(wasm);
    free(wat);
}
