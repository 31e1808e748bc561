/* SPDX-License-Identifier: MIT */
/* The guard of a running game: faults in its memory become traps, and a call that takes too long is left. The
   game is only ever left where the processor is in the game's own code, so that the host's locks and data are
   never in the middle of something. */

/* SIGEV_THREAD_ID, gettid, dl_iterate_phdr, pthread_getattr_np, registers in a signal's context */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "engine/object/object_parts.h"

#ifndef sigev_notify_thread_id /* older C libraries have the field and not its name */
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define GUARD_SIGNAL SIGVTALRM
#define GUARD_REPEAT_NS 1000000

static struct sigaction guard_old_segv, guard_old_bus;

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

/* The WASM game that runs on this thread, or NULL. */
static emberi_wasm_machine *guard_running(void)
{
    ember_machine *machine = emberi_machine_running();
    return machine != NULL && machine->ops == &emberi_wasm_ops ? (emberi_wasm_machine *)machine : NULL;
}

static bool guard_in_game(const emberi_wasm_machine *m, const void *context)
{
    uintptr_t counter = guard_counter(context);
    return counter >= m->text_start && counter < m->text_end;
}

/* Somebody else's fault goes to whoever handled faults before, and who may leave by a jump of their own. */
static void guard_pass_on(const struct sigaction *old, int number, siginfo_t *info, void *context)
{
    static const struct sigaction none = {.sa_handler = SIG_DFL};
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
    int                        error = errno;
    const emberi_wasm_machine *m = guard_running();
    uintptr_t                  address = (uintptr_t)info->si_addr;
    if (m != NULL && m->memory != NULL && guard_in_game(m, context) &&
        address - (uintptr_t)m->memory < EMBERI_WASM_RESERVED)
        emberi_machine_trap("memory access out of bounds");
    guard_pass_on(number == SIGBUS ? &guard_old_bus : &guard_old_segv, number, info, context);
    errno = error;
}

static void guard_on_time(int number, siginfo_t *info, void *context)
{
    emberi_wasm_machine *m = guard_running();
    struct timespec      now;
    int                  error = errno;
    (void)number;
    if (m == NULL || !m->watching || info->si_code != SI_TIMER || info->si_value.sival_ptr != m ||
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return;
    /* A signal of an earlier call may come late. */
    if (now.tv_sec < m->deadline.tv_sec ||
        (now.tv_sec == m->deadline.tv_sec && now.tv_nsec < m->deadline.tv_nsec))
        return;
    if (guard_in_game(m, context))
        emberi_machine_trap(m->watchdog_text);
    m->head->expired = 1; /* the next call of the host traps */
    errno = error;
}

/* Takes the signal unless it is ours already: others may have taken it since the last game was loaded. */
static bool guard_take(int number, void (*handler)(int, siginfo_t *, void *), int flags,
                       struct sigaction *old)
{
    struct sigaction now, ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&ours.sa_mask);
    if (sigaction(number, NULL, &now) != 0)
        return false;
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == handler)
        return true;
    if (old != NULL)
        *old = now;
    return sigaction(number, &ours, NULL) == 0;
}

ember_status emberi_guard_install(ember_error *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    bool done = guard_take(SIGSEGV, guard_on_fault, 0, &guard_old_segv) &&
                guard_take(SIGBUS, guard_on_fault, 0, &guard_old_bus) &&
                guard_take(GUARD_SIGNAL, guard_on_time, SA_RESTART, NULL);
    pthread_mutex_unlock(&lock);
    return done ? EMBER_OK
                : ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET,
                             "the system does not let faults of a game be handled");
}

/* ---- around a call ---- */

/* The low end of this thread's stack. Asking takes long, and it does not change. */
static uintptr_t guard_stack_end(void)
{
    static _Thread_local uintptr_t end;
    pthread_attr_t                 attributes;
    void                          *low;
    size_t                         size;
    if (end != 0 || pthread_getattr_np(pthread_self(), &attributes) != 0)
        return end;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0)
        end = (uintptr_t)low;
    pthread_attr_destroy(&attributes);
    return end;
}

static bool guard_make_timer(emberi_wasm_machine *m)
{
    long thread = syscall(SYS_gettid);
    if (m->has_timer && m->timer_thread == thread)
        return true;
    struct sigevent event;
    sigset_t        ours;
    emberi_guard_free(m);
    sigemptyset(&ours);
    sigaddset(&ours, GUARD_SIGNAL); /* a thread that blocks all signals would not be watched over */
    (void)pthread_sigmask(SIG_UNBLOCK, &ours, NULL);
    memset(&event, 0, sizeof(event));
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = GUARD_SIGNAL;
    event.sigev_value.sival_ptr = m;
    event.sigev_notify_thread_id = (pid_t)thread;
    m->has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &m->timer) == 0;
    m->timer_thread = thread;
    return m->has_timer;
}

void emberi_guard_enter(ember_machine *machine)
{
    emberi_wasm_machine *m = (emberi_wasm_machine *)machine;
    uintptr_t            end = guard_stack_end();
    uintptr_t            here = (uintptr_t)__builtin_frame_address(0);
    m->head->depth = 0;
    m->head->expired = 0;
    /* A stack that is not the thread's own (a coroutine's) must be taken at its word: half a megabyte. */
    m->head->stack_end = end != 0 && end < here && here - end < ((uintptr_t)1 << 40)
                             ? end + EMBERI_GUEST_STACK_KEPT
                             : here - EMBERI_GUEST_STACK_KEPT;
    if (!guard_make_timer(m))
        emberi_machine_trap("the system gave no timer to watch over the game");
    struct itimerspec after = {.it_interval = {0, GUARD_REPEAT_NS}};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &m->deadline);
    after.it_value.tv_sec = (time_t)m->watchdog_s;
    after.it_value.tv_nsec = (long)((m->watchdog_s - (double)after.it_value.tv_sec) * 1e9);
    m->deadline.tv_sec += after.it_value.tv_sec;
    m->deadline.tv_nsec += after.it_value.tv_nsec;
    if (m->deadline.tv_nsec >= 1000000000) {
        m->deadline.tv_sec++;
        m->deadline.tv_nsec -= 1000000000;
    }
    m->watching = true;
    timer_settime(m->timer, 0, &after, NULL);
}

void emberi_guard_leave(ember_machine *machine)
{
    emberi_wasm_machine    *m = (emberi_wasm_machine *)machine;
    const struct itimerspec never = {{0, 0}, {0, 0}};
    m->watching = false;
    if (m->has_timer)
        timer_settime(m->timer, 0, &never, NULL);
}

void emberi_guard_free(emberi_wasm_machine *m)
{
    if (m->has_timer)
        timer_delete(m->timer);
    m->has_timer = false;
}

/* ---- where the object's code is ---- */

static int guard_look(struct dl_phdr_info *info, size_t size, void *user)
{
    emberi_wasm_machine *m = user;
    uintptr_t            symbol = (uintptr_t)m->guest, start = 0, end = 0;
    bool                 mine = false;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + header->p_vaddr;
        if (header->p_type != PT_LOAD)
            continue;
        mine = mine || (symbol >= at && symbol < at + header->p_memsz);
        if ((header->p_flags & PF_X) != 0) {
            start = at;
            end = at + header->p_memsz;
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
