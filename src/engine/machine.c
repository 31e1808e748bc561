/* SPDX-License-Identifier: MIT */
/* What all machines share: the console, the way into a game and the way out of it. A game ends its turn by
   returning or by a trap; both lead back here, and the host goes on. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/fail.h"
#include "ember/file.h"
#include "engine/machine_internal.h"

static _Thread_local ember_machine *machine_running;

ember_machine *emberi_machine_running(void) { return machine_running; }

/* The console's callback: its text is gone once the game is left. */
static void machine_console_trap(void *user, const ember_trap *trap)
{
    ember_machine *machine = user;
    size_t         size = strlen(trap->text);
    size = size < sizeof(machine->trap_text) ? size : sizeof(machine->trap_text) - 1;
    memcpy(machine->trap_text, trap->text, size);
    machine->trap_text[size] = '\0';
    siglongjmp(machine->point, 1);
}

/* The host's own function runs in the host's own floating-point mode. */
static void machine_console_log(void *user, const char *text, size_t size)
{
    ember_machine *machine = user;
    emberi_float_set(machine->host_floats);
    machine->log(machine->log_user, text, size);
    emberi_float_set(EMBERI_FLOAT_DEFAULT);
}

_Noreturn void emberi_machine_trap(const char *text)
{
    machine_running->engine_text = text;
    siglongjmp(machine_running->point, 1);
}

emberi_overlong emberi_machine_overlong(double watchdog_s)
{
    emberi_overlong overlong;
    snprintf(overlong.text, sizeof(overlong.text),
             "the call took more than %g s or %lld steps (an endless loop?)", watchdog_s,
             (long long)(watchdog_s * EMBERI_STEPS_PER_S));
    return overlong;
}

ember_status emberi_machine_create(ember_machine **out, size_t size, const emberi_machine_ops *ops,
                                   const ember_machine_options *options, ember_error *err)
{
    ember_allocator allocator = options->allocator.resize != NULL ? options->allocator : ember_heap();
    EMBERI_ASSERT(size >= sizeof(ember_machine));
    *out = NULL;
    ember_machine *machine = allocator.resize(allocator.user, NULL, 0, size);
    if (machine == NULL)
        return emberi_fail_memory(err);
    memset(machine, 0, size);
    machine->ops = ops;
    machine->size = size;
    machine->allocator = allocator;
    machine->log = options->log;
    machine->log_user = options->user;
    ember_console_options console = {
        .allocator = allocator,
        .rom = options->rom,
        .seed = options->seed,
        .trap = machine_console_trap,
        .log = options->log != NULL ? machine_console_log : NULL,
        .user = machine,
    };
    ember_status status = ember_console_create(&machine->console, &console, err);
    if (status != EMBER_OK) {
        allocator.resize(allocator.user, machine, size, 0);
        return status;
    }
    *out = machine;
    return EMBER_OK;
}

void ember_machine_unload(ember_machine *machine)
{
    if (machine == NULL)
        return;
    ember_allocator allocator = machine->allocator;
    size_t          size = machine->size;
    emberi_successor_free(machine);
    machine->ops->destroy(machine);
    ember_console_destroy(machine->console);
    allocator.resize(allocator.user, machine, size, 0);
}

ember_console *ember_machine_console(ember_machine *machine) { return machine->console; }
uint64_t       ember_machine_game_hash(const ember_machine *machine) { return machine->game_hash; }

/* ---- into a game and out of it ---- */

ember_status emberi_machine_protect(ember_machine *machine, void (*work)(ember_machine *, ember_phase),
                                    ember_phase phase, ember_error *err)
{
    volatile bool trapped = false;
    machine->engine_text = NULL;
    machine->outer = machine_running;
    machine_running = machine;
    machine->host_floats = emberi_float_get();
    emberi_float_set(EMBERI_FLOAT_DEFAULT);
    /* A trap of the engine comes here first, perhaps out of a signal handler; the console then gives its text
       the usual form and comes here again. The handlers block nothing, so no mask has to be restored, which
       would take a system call each time. */
    if (sigsetjmp(machine->point, 0) == 0) {
        if (machine->ops->enter != NULL)
            machine->ops->enter(machine);
        work(machine, phase);
    } else {
        trapped = true;
    }
    if (machine->ops->leave != NULL)
        machine->ops->leave(machine);
    if (machine->engine_text != NULL) {
        const char *text = machine->engine_text;
        machine->engine_text = NULL;
        ember_console_trap(machine->console, text);
    }
    emberi_float_set(machine->host_floats);
    machine_running = machine->outer;
    if (!trapped)
        return EMBER_OK;
    machine->trapped = true;
    /* While it is loaded a game does nothing of its own: what fails then is the system, which has no memory
       for it. */
    return ember_fail(err, phase == EMBER_PHASE_NONE ? EMBER_E_NOMEM : EMBER_E_TRAP, EMBER_NO_OFFSET,
                      machine->trap_text);
}

static ember_status machine_run(ember_machine *machine, ember_phase phase,
                                const uint32_t inputs[EMBER_CONSOLE_PLAYERS], ember_error *err)
{
    uint32_t size;
    if (machine->trapped)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                          "the game trapped and does not run until a snapshot is restored");
    uint8_t *memory = machine->ops->memory(machine, &size);
    ember_console_set_memory(machine->console, memory, size);
    ember_console_begin(machine->console, phase, inputs);
    ember_status status = emberi_machine_protect(machine, machine->ops->call, phase, err);
    ember_console_end(machine->console);
    return status;
}

ember_status ember_machine_init(ember_machine *machine, ember_error *err)
{
    static const uint32_t none[EMBER_CONSOLE_PLAYERS] = {0};
    if (machine->initialised)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "init has run already");
    machine->initialised = true;
    return machine_run(machine, EMBER_PHASE_INIT, none, err);
}

ember_status ember_machine_update(ember_machine *machine, const uint32_t inputs[EMBER_CONSOLE_PLAYERS],
                                  ember_error *err)
{
    if (machine->successor != NULL && !machine->trapped)
        emberi_successor_poll(machine);
    return machine_run(machine, EMBER_PHASE_UPDATE, inputs, err);
}

ember_status ember_machine_render(ember_machine *machine, ember_error *err)
{
    static const uint32_t none[EMBER_CONSOLE_PLAYERS] = {0};
    return machine_run(machine, EMBER_PHASE_RENDER, none, err);
}
