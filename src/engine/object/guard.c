/* SPDX-License-Identifier: MIT */
/* The guard of a running game: faults in its memory become traps, and a call that takes too long is left. The
   game is only ever left where the processor is in the game's own code, so that the host's locks and data are
   never in the middle of something. */

/* dl_iterate_phdr, pthread_getattr_np, registers in a signal's context */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/fail.h"
#include "engine/object/object_parts.h"

/* The process's handlers: taken with the first machine that wants them, given back with the last. */
static struct {
    pthread_mutex_t  lock;
    unsigned         users;
    struct sigaction old_segv, old_bus;
} guard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uintptr_t guard_counter(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)c->uc_mcontext.pc;
#else
    (void)c;
    return 0;
#endif
}

/* The machine of this engine whose game runs on this thread, or NULL. */
static emberi_wasm_machine *guard_running(void)
{
    ember_machine *machine = emberi_machine_running();
    return machine != NULL && machine->ops == &emberi_wasm_ops ? machine->engine : NULL;
}

static bool guard_in_text(const emberi_wasm_machine *m, uintptr_t address)
{
    return address >= m->text_start && address < m->text_end;
}

bool ember_machine_fault(int number, void *info, void *context)
{
    emberi_wasm_machine *m = guard_running();
    if ((number != SIGSEGV && number != SIGBUS) || m == NULL || !guard_in_text(m, guard_counter(context)))
        return false;
    uintptr_t address = (uintptr_t)((const siginfo_t *)info)->si_addr;
    if (guard_in_text(m, address))
        return emberi_watchdog_caught(m); /* the watchdog made the game's code unusable */
    if (m->memory == NULL || address - (uintptr_t)m->memory >= EMBERI_WASM_RESERVED)
        return false;
    emberi_machine_trap("memory access out of bounds");
}

/* Somebody else's fault goes to whoever handled faults before, and who may leave by a jump of their own. They
   find blocked what they wanted blocked; the return from the handler undoes it. */
static void guard_pass_on(const struct sigaction *old, int number, siginfo_t *info, void *context)
{
    static const struct sigaction none = {.sa_handler = SIG_DFL};
    sigset_t                      blocked = old->sa_mask;
    if ((old->sa_flags & SA_NODEFER) == 0)
        sigaddset(&blocked, number);
    (void)pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    if ((old->sa_flags & SA_SIGINFO) != 0)
        old->sa_sigaction(number, info, context);
    else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
        old->sa_handler(number);
    else
        /* the fault comes again at once, and ends the process as it would have */
        (void)sigaction(number, &none, NULL);
}

static void guard_on_fault(int number, siginfo_t *info, void *context)
{
    int error = errno;
    if (!ember_machine_fault(number, info, context))
        guard_pass_on(number == SIGBUS ? &guard.old_bus : &guard.old_segv, number, info, context);
    errno = error;
}

static bool guard_is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == guard_on_fault;
}

/* Takes the signal unless it is ours already: others may have taken it since the last game was loaded. The
   stack is the one that the host prepared for signals, if it did; and nothing is blocked meanwhile, so that
   leaving by a jump leaves nothing blocked. */
static bool guard_take(int number, struct sigaction *old)
{
    struct sigaction now,
        ours = {.sa_sigaction = guard_on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    if (sigaction(number, NULL, &now) != 0)
        return false;
    if (guard_is_ours(&now))
        return true;
    *old = now;
    return sigaction(number, &ours, NULL) == 0;
}

/* Whoever took the signal after us has us as the one to pass it on to, and keeps it. */
static void guard_give_back(int number, const struct sigaction *old)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && guard_is_ours(&now))
        (void)sigaction(number, old, NULL);
}

ember_status emberi_guard_install(emberi_wasm_machine *m, bool host_faults, ember_error *err)
{
    if (host_faults)
        return EMBER_OK;
    pthread_mutex_lock(&guard.lock);
    bool done = guard_take(SIGSEGV, &guard.old_segv) && guard_take(SIGBUS, &guard.old_bus);
    m->guarded = true; /* so that a signal that was taken is given back in any case */
    guard.users++;
    pthread_mutex_unlock(&guard.lock);
    return done ? EMBER_OK
                : ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET,
                             "the system does not let faults of a game be handled");
}

void emberi_guard_remove(emberi_wasm_machine *m)
{
    if (!m->guarded)
        return;
    pthread_mutex_lock(&guard.lock);
    guard.users--;
    if (guard.users == 0) {
        guard_give_back(SIGSEGV, &guard.old_segv);
        guard_give_back(SIGBUS, &guard.old_bus);
    }
    pthread_mutex_unlock(&guard.lock);
    m->guarded = false;
}

/* ---- around a call ---- */

/* The low end of this thread's stack. Asking takes long, and it does not change. A thread that blocks faults
   would end the process with the first one. */
static uintptr_t guard_stack_end(void)
{
    static _Thread_local uintptr_t end;
    pthread_attr_t                 attributes;
    void                          *low;
    size_t                         size;
    sigset_t                       faults;
    if (end != 0)
        return end;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
    (void)pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return end;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0)
        end = (uintptr_t)low;
    pthread_attr_destroy(&attributes);
    return end;
}

void emberi_guard_enter(ember_machine *machine)
{
    emberi_wasm_machine *m = machine->engine;
    uintptr_t            end = guard_stack_end();
    uintptr_t            here = (uintptr_t)__builtin_frame_address(0);
    m->head->depth = 0;
    /* A stack that is not the thread's own (a coroutine's) must be taken at its word: half a megabyte. */
    m->head->stack_end = end != 0 && end < here && here - end < ((uintptr_t)1 << 40)
                             ? end + EMBERI_GUEST_STACK_KEPT
                             : here - EMBERI_GUEST_STACK_KEPT;
    emberi_watchdog_enter(m);
}

void emberi_guard_leave(ember_machine *machine) { emberi_watchdog_leave(machine->engine); }

/* ---- where the object's code is ---- */

static int guard_look(struct dl_phdr_info *info, size_t size, void *user)
{
    emberi_wasm_machine *m = user;
    uintptr_t symbol = (uintptr_t)m->guest, start = 0, end = 0, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool      mine = false;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + header->p_vaddr;
        if (header->p_type != PT_LOAD)
            continue;
        mine = mine || (symbol >= at && symbol < at + header->p_memsz);
        if ((header->p_flags & PF_X) != 0) {
            start = at / page * page;
            end = (at + header->p_memsz + page - 1) / page * page;
        }
    }
    if (!mine)
        return 0;
    m->text_start = start;
    m->text_end = end;
    return 1;
}

bool emberi_guard_find_text(emberi_wasm_machine *m)
{
    return dl_iterate_phdr(guard_look, m) == 1 && m->text_end > m->text_start;
}
