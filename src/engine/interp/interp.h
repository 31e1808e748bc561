/* SPDX-License-Identifier: MIT */
/* The interpreter: a machine that needs no compiler, no signals and no clock. It runs the same games with the
   same states and traps as the object engine, on every system that Ember builds for. */
#ifndef EMBER_ENGINE_INTERP_H
#define EMBER_ENGINE_INTERP_H

#include "ember/machine.h"

/* Fuel: what a call may do before it is taken for an endless loop. A branch back to a loop costs one unit, a
   call of any function one, a copy or fill of N bytes N / 64, as do the bytes that a function of the host
   goes over (emberi_host_work). It is counted on WASM's instructions, so that a call ends at the same place
   everywhere: EMBERI_STEPS_PER_S units for each of the watchdog's seconds. */

/* The slots of all functions that are inside each other; one more traps as endless recursion does. */
#define EMBERI_INTERP_SLOTS (2u << 20)

/* As ember_machine_load_wasm. Of the options it uses allocator, rom, seed, watchdog_s, log and user. */
ember_status emberi_interp_load(ember_machine **out, const void *wasm, size_t size,
                                const ember_machine_options *options, ember_error *err);

extern const struct emberi_machine_ops emberi_interp_ops;

#endif
