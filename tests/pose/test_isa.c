/* SPDX-License-Identifier: MIT */
/* What the environment's EMBER_ISA does. The choice is made once per process, so each case is a process of
   its own. */
#define _POSIX_C_SOURCE 200809L /* fork, setenv */
#include "testing.h"

#include <sys/wait.h>
#include <unistd.h>

/* The set that a fresh process uses with that variable; NULL: without one. */
static ember_isa used_with(const char *name)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (name != NULL)
            setenv("EMBER_ISA", name, 1);
        else
            unsetenv("EMBER_ISA");
        ember_isa first = ember_isa_used();
        setenv("EMBER_ISA", first == EMBER_ISA_SCALAR ? "sse2" : "scalar", 1); /* too late to matter */
        _exit(ember_isa_used() == first ? (int)first : 100);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < EMBER_ISA_COUNT);
    return (ember_isa)WEXITSTATUS(status);
}

static ember_isa best(void)
{
    ember_isa found = EMBER_ISA_SCALAR;
    for (int isa = 0; isa < EMBER_ISA_COUNT; isa++)
        if (ember_isa_runs((ember_isa)isa))
            found = (ember_isa)isa;
    return found;
}

TEST(isa_is_the_best_by_default) { assert_int_equal(used_with(NULL), best()); }

TEST(isa_is_what_the_environment_names_if_it_runs)
{
    for (int isa = 0; isa < EMBER_ISA_COUNT; isa++) {
        ember_isa expected = ember_isa_runs((ember_isa)isa) ? (ember_isa)isa : best();
        assert_int_equal(used_with(ember_isa_name((ember_isa)isa)), expected);
    }
}

TEST(isa_ignores_names_that_it_does_not_know)
{
    static const char *const names[] = {"", "scala", "scalars", "AVX2", "avx512", "unknown", "sse2 "};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_int_equal(used_with(names[i]), best());
}
