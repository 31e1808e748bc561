/* SPDX-License-Identifier: MIT */
/* A child process that may use so much and no more: of the processor, of memory, of the disk, of time. */
#ifndef EMBER_PLATFORM_CHILD_H
#define EMBER_PLATFORM_CHILD_H

#include <stdatomic.h>

#include "ember/base.h"

typedef struct emberi_child {
    const char *const *arguments; /* the first is the program's path; ended by NULL */
    const char        *folder;    /* where it works, and where its temporary files go */
    double             seconds;   /* of processor time for each process, whatever else the machine does */
    size_t             memory_size, file_size;
    const atomic_bool *cancelled; /* true: it is ended; or NULL */
} emberi_child;

typedef struct emberi_child_end {
    bool done;            /* it ended by itself with status 0 */
    bool timed_out;       /* or cancelled */
    int  status;          /* waitpid's */
    char first_line[160]; /* of what it said, the first that has "error" in it if there is one */
} emberi_child_end;

/* Takes the right to gain rights, and to open connections, from this process and all that it starts, where
   the kernel can: no_new_privs and a filter of system calls. For between fork and exec. */
void emberi_child_confine(void);

/* No shell, nothing on standard input, the rights of emberi_child_confine, no files but its own output. The
   host may ignore SIGCHLD, or wait for all its children: it does not see this one. EMBER_OK if it ran,
   whatever its end; EMBER_E_IO if it could not be started. */
ember_status emberi_child_run(emberi_child_end *out, const emberi_child *child, ember_error *err);

#endif
