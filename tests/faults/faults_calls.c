/* SPDX-License-Identifier: MIT */
/* Which call of the command goes wrong, and how. Calls count where they come from the command itself or from
   a library of `own`. What the C library, the loader, the compiler's run time and the GL driver do for
   themselves is not Ember's to answer for. */
#define _GNU_SOURCE

#include "faults_shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- whose calls ---- */

static const char *const own[] = {"/libember", "/libpng", "/libz.", "/libjpeg", "/libgif"};

enum { MOST_RANGES = 16 };
static struct {
    uintptr_t start, end;
} ranges[MOST_RANGES];
static int       range_count;
static uintptr_t program_start;

static int range_take(struct dl_phdr_info *info, size_t size, void *user)
{
    /* the program itself comes first and without a name */
    bool take = info->dlpi_name[0] == '\0' && *(bool *)user;
    (void)size;
    if (*(bool *)user)
        program_start = info->dlpi_addr;
    *(bool *)user = false;
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        take = take || strstr(info->dlpi_name, own[i]) != NULL;
    for (int i = 0; take && i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0)
            continue;
        ranges[range_count].start = info->dlpi_addr + part->p_vaddr;
        ranges[range_count++].end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

bool shim_is_own(uintptr_t caller)
{
    for (int i = 0; i < range_count; i++) {
        if (caller >= ranges[i].start && caller < ranges[i].end)
            return true;
    }
    return false;
}

void shim_find_own(void)
{
    bool first = true;
    dl_iterate_phdr(range_take, &first);
}

uintptr_t shim_program_start(void) { return program_start; }

/* ---- what happens ---- */

static const struct {
    const char *name;
    enum kind   kind;
    enum act    act;
} hows[] = {
    /* no memory at that point; from that point on */
    {"alloc", ALLOC, FAIL},
    {"alloc-on", ALLOC, FAIL_ON},
    {"open", OPEN, FAIL},
    {"read", READ, FAIL},
    {"read-short", READ, SHORT},
    {"read-interrupt", READ, INTERRUPT},
    {"write", WRITE, FAIL},
    /* half of it still fits, then the disk is full */
    {"write-full", WRITE, FAIL_ON},
    {"write-short", WRITE, SHORT},
    {"write-interrupt", WRITE, INTERRUPT},
    {"sync", SYNC, FAIL},
    {"close", CLOSE, FAIL},
    {"rename", RENAME, FAIL},
    {"look", LOOK, FAIL},
    {"folder", FOLDER, FAIL},
    {"thread", THREAD, FAIL},
    /* any call that changes what is on the disk */
    {"kill-before", CHANGE, DIE_BEFORE},
    {"kill-after", CHANGE, DIE_AFTER},
    {"term-before", CHANGE, TERM_BEFORE},
};

atomic_ulong     shim_counts[KINDS];
static enum kind asked_kind = KINDS;
static enum act  asked_act;
unsigned long    shim_asked_n;
bool             shim_named_only;

enum act shim_at(enum kind kind, uintptr_t caller)
{
    if (!shim_is_own(caller))
        return 0;
    unsigned long n = atomic_fetch_add(&shim_counts[kind], 1) + 1;
    if (kind != asked_kind || !(n == shim_asked_n || (n > shim_asked_n && asked_act == FAIL_ON)))
        return 0;
    return asked_act;
}

enum act shim_change_begin(uintptr_t caller)
{
    enum act act = shim_at(CHANGE, caller);
    if (act == DIE_BEFORE || act == TERM_BEFORE)
        (void)kill(getpid(), act == DIE_BEFORE ? SIGKILL : SIGTERM);
    return act;
}

void shim_change_end(enum act act)
{
    int error = errno;
    if (act == DIE_AFTER)
        (void)kill(getpid(), SIGKILL);
    errno = error;
}

void *shim_behind(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL)
        abort();
    return function;
}

bool shim_ask(const char *how)
{
    const char *colon = strchr(how, ':');
    for (size_t i = 0; colon != NULL && i < sizeof(hows) / sizeof(hows[0]); i++) {
        if (strlen(hows[i].name) != (size_t)(colon - how) ||
            strncmp(how, hows[i].name, (size_t)(colon - how)) != 0)
            continue;
        asked_kind = hows[i].kind;
        asked_act = hows[i].act;
        shim_asked_n = strtoul(colon + 1, NULL, 10);
    }
    return how[0] == '\0' || shim_asked_n != 0;
}
