/* SPDX-License-Identifier: MIT */
/* What a child process must not do, whatever it was made to read: gain rights, look into other processes,
   open connections, change the system. A list of what is forbidden, not of what is allowed: compilers differ
   in what they need. */
#include <stddef.h>

#include "platform/child.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define CONFINE_ARCH AUDIT_ARCH_X86_64
#else
#define CONFINE_ARCH AUDIT_ARCH_AARCH64
#endif

#define CONFINE_NEW_SPACES 0x7E020000u /* of clone: CLONE_NEW... */
#define CONFINE_X32 0x40000000u        /* calls of another binary interface */

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define NO ANSWER(SECCOMP_RET_ERRNO | EPERM)
/* Forbidden: the next statement answers. */
#define FORBID(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), NO

static const struct sock_filter confine_filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CONFINE_ARCH, 1, 0),
    NO,
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, CONFINE_X32, 0, 1),
    NO,
    /* connections */
    FORBID(SYS_socket),
    FORBID(SYS_socketpair),
    FORBID(SYS_connect),
    FORBID(SYS_bind),
    FORBID(SYS_listen),
    FORBID(SYS_accept),
    FORBID(SYS_accept4),
    FORBID(SYS_sendto),
    FORBID(SYS_sendmsg),
    FORBID(SYS_io_uring_setup),
    /* other processes */
    FORBID(SYS_ptrace),
    FORBID(SYS_process_vm_readv),
    FORBID(SYS_process_vm_writev),
    FORBID(SYS_pidfd_getfd),
    FORBID(SYS_kcmp),
    /* the system */
    FORBID(SYS_mount),
    FORBID(SYS_umount2),
    FORBID(SYS_pivot_root),
    FORBID(SYS_chroot),
    FORBID(SYS_setns),
    FORBID(SYS_unshare),
    FORBID(SYS_bpf),
    FORBID(SYS_perf_event_open),
    FORBID(SYS_userfaultfd),
    FORBID(SYS_keyctl),
    FORBID(SYS_add_key),
    FORBID(SYS_request_key),
    FORBID(SYS_init_module),
    FORBID(SYS_finit_module),
    FORBID(SYS_delete_module),
    FORBID(SYS_kexec_load),
    FORBID(SYS_reboot),
    FORBID(SYS_swapon),
    FORBID(SYS_swapoff),
    FORBID(SYS_open_by_handle_at),
    /* new processes, but no new spaces; clone3's arguments cannot be seen, and everybody can do without it */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
    ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CONFINE_NEW_SPACES, 0, 1),
    NO,
    ANSWER(SECCOMP_RET_ALLOW),
};

void emberi_child_confine(void)
{
    const struct sock_fprog program = {
        .len = sizeof(confine_filter) / sizeof(confine_filter[0]),
        .filter = (struct sock_filter *)(uintptr_t)confine_filter,
    };
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
    (void)prctl(PR_SET_SECCOMP, (long)SECCOMP_MODE_FILTER, &program);
}

#else

void emberi_child_confine(void) {}

#endif
