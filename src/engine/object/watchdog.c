/* SPDX-License-Identifier: MIT */
/* The watchdog: one thread that looks at the running games now and then, so that a call costs no system call.
   Where one call has used up its processor time, the pages of that game's code lose their right to execute;
   the next instruction of the game faults, and the guard makes a trap of the fault. No signal but the guard's
   is needed, and a game is left in its own code only. */
#define _GNU_SOURCE /* pthread_setname_np */

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "base/fail.h"
#include "engine/object/object_parts.h"

#define WATCHDOG_LONGEST_NS INT64_C(100000000) /* between two looks */
#define WATCHDOG_SHORTEST_NS INT64_C(1000000)
#define WATCHDOG_IDLE_LOOKS 20 /* in which no game ran, until it sleeps for good */

static struct {
    pthread_mutex_t      lock;
    pthread_cond_t       wake;
    pthread_t            thread;
    bool                 started, quit;
    atomic_bool          asleep;
    emberi_wasm_machine *first; /* all machines of this engine */
} watchdog = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t watchdog_ns(const struct timespec *t) { return t->tv_sec * INT64_C(1000000000) + t->tv_nsec; }

/* Processor time of the thread that runs the game; -1: it is gone. */
static int64_t watchdog_time(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) == 0 ? watchdog_ns(&now) : -1;
}

static void watchdog_set_code(const emberi_wasm_machine *m, bool usable)
{
    (void)mprotect((void *)m->text_start, m->text_end - m->text_start,
                   usable ? PROT_READ | PROT_EXEC : PROT_READ);
}

/* A call that began since the last look starts its time now: the game gets at most one pause between two
   looks for nothing. */
static bool watchdog_look(emberi_wasm_machine *m)
{
    uint32_t call = atomic_load(&m->call);
    if (!atomic_load(&m->running))
        return false;
    int64_t now = watchdog_time(m->clock);
    if (call != m->seen_call) {
        m->seen_call = call;
        m->seen_ns = now;
    }
    if (now < 0 || (double)(now - m->seen_ns) < m->watchdog_s * 1e9)
        return true;
    /* A call that ended meanwhile either sees this, and waits for the lock, or is seen here. */
    atomic_store(&m->overdue, true);
    if (atomic_load(&m->running) && atomic_load(&m->call) == call)
        watchdog_set_code(m, false);
    else
        atomic_store(&m->overdue, false);
    return true;
}

/* Looks at every machine; returns how long to wait until the next time. */
static int64_t watchdog_look_at_all(bool *any)
{
    int64_t pause = WATCHDOG_LONGEST_NS;
    *any = false;
    for (emberi_wasm_machine *m = watchdog.first; m != NULL; m = m->next) {
        if (!watchdog_look(m))
            continue;
        int64_t wanted =
            atomic_load(&m->overdue) ? WATCHDOG_SHORTEST_NS : (int64_t)(m->watchdog_s * 1e9 / 16);
        *any = true;
        pause = wanted < pause ? wanted : pause;
    }
    return pause > WATCHDOG_SHORTEST_NS ? pause : WATCHDOG_SHORTEST_NS;
}

static void watchdog_wait(int64_t ns)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    ns += watchdog_ns(&until);
    until.tv_sec = (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_cond_timedwait(&watchdog.wake, &watchdog.lock, &until);
}

static void *watchdog_run(void *user)
{
    unsigned idle = 0;
    (void)user;
    pthread_mutex_lock(&watchdog.lock);
    while (!watchdog.quit) {
        bool    any;
        int64_t pause = watchdog_look_at_all(&any);
        idle = any ? 0 : idle + 1;
        if (idle < WATCHDOG_IDLE_LOOKS) {
            watchdog_wait(pause);
            continue;
        }
        /* Whoever begins a call now either sees that it must wake this thread, or is seen here. */
        atomic_store(&watchdog.asleep, true);
        (void)watchdog_look_at_all(&any);
        while (!any && !watchdog.quit && atomic_load(&watchdog.asleep))
            pthread_cond_wait(&watchdog.wake, &watchdog.lock);
        atomic_store(&watchdog.asleep, false);
        idle = 0;
    }
    pthread_mutex_unlock(&watchdog.lock);
    return NULL;
}

/* A thread that takes none of the host's signals. */
static bool watchdog_start(void)
{
    pthread_condattr_t attributes;
    sigset_t           all, before;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watchdog.wake, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    watchdog.quit = false;
    watchdog.started = pthread_create(&watchdog.thread, NULL, watchdog_run, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!watchdog.started)
        pthread_cond_destroy(&watchdog.wake);
    return watchdog.started;
}

/* Starting and ending the thread: one at a time, and the thread's own lock is not held while it is joined. */
static pthread_mutex_t watchdog_life = PTHREAD_MUTEX_INITIALIZER;

ember_status emberi_watchdog_add(emberi_wasm_machine *m, ember_error *err)
{
    pthread_mutex_lock(&watchdog_life);
    pthread_mutex_lock(&watchdog.lock);
    bool ok = watchdog.started || watchdog_start();
    if (ok) {
        m->next = watchdog.first;
        watchdog.first = m;
        m->watched = true;
    }
    pthread_mutex_unlock(&watchdog.lock);
    pthread_mutex_unlock(&watchdog_life);
    return ok ? EMBER_OK
              : ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET,
                           "the system has no thread to watch over the game");
}

void emberi_watchdog_remove(emberi_wasm_machine *m)
{
    if (!m->watched)
        return;
    pthread_mutex_lock(&watchdog_life);
    pthread_mutex_lock(&watchdog.lock);
    emberi_wasm_machine **at = &watchdog.first;
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    bool last = watchdog.first == NULL;
    if (last) {
        watchdog.quit = true;
        pthread_cond_signal(&watchdog.wake);
    }
    pthread_mutex_unlock(&watchdog.lock);
    if (last) {
        pthread_join(watchdog.thread, NULL);
        pthread_cond_destroy(&watchdog.wake);
        watchdog.started = false;
    }
    pthread_mutex_unlock(&watchdog_life);
    m->watched = false;
}

/* ---- around a call: no system call, unless the thread is another one or the watchdog sleeps ---- */

void emberi_watchdog_enter(emberi_wasm_machine *m)
{
    pthread_t self = pthread_self();
    if (!m->has_thread || !pthread_equal(self, m->thread)) {
        clockid_t clock;
        m->has_thread = pthread_getcpuclockid(self, &clock) == 0;
        m->thread = self;
        atomic_store(&m->clock, clock);
        if (!m->has_thread)
            emberi_machine_trap("the system gave no clock to watch over the game");
    }
    atomic_fetch_add(&m->call, 1);
    atomic_store(&m->running, true);
    if (atomic_load(&watchdog.asleep)) {
        pthread_mutex_lock(&watchdog.lock);
        atomic_store(&watchdog.asleep, false);
        pthread_cond_signal(&watchdog.wake);
        pthread_mutex_unlock(&watchdog.lock);
    }
}

/* Also after a trap, and then twice. */
void emberi_watchdog_leave(emberi_wasm_machine *m)
{
    atomic_store(&m->running, false);
    if (!atomic_load(&m->overdue))
        return;
    pthread_mutex_lock(&watchdog.lock);
    watchdog_set_code(m, true);
    atomic_store(&m->overdue, false);
    pthread_mutex_unlock(&watchdog.lock);
}

/* In the handler of the fault. Another machine may run the same object on another thread: it makes the code
   usable again and goes on, and the watchdog takes the right away again. */
bool emberi_watchdog_caught(emberi_wasm_machine *m)
{
    if (atomic_load(&m->overdue))
        emberi_machine_trap(m->overlong.text);
    watchdog_set_code(m, true);
    return true;
}
