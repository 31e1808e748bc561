/* SPDX-License-Identifier: MIT */
/* The main of every test program: it runs the tests that TEST() added, or those whose names contain
   the argument. */
#include "testing.h"

static test_entry *first;
static size_t      count;

/* By line: compilers are free to call constructors of one file in another order. */
void test_add(test_entry *entry)
{
    test_entry **place = &first;
    while (*place != NULL && (*place)->line < entry->line)
        place = &(*place)->next;
    entry->next = *place;
    *place = entry;
    count++;
}

int main(int argc, char **argv)
{
    struct CMUnitTest *chosen = calloc(count + 1, sizeof *chosen);
    size_t             chosen_count = 0;
    if (chosen == NULL)
        return 1;
    for (const test_entry *entry = first; entry != NULL; entry = entry->next)
        if (argc < 2 || strstr(entry->test.name, argv[1]) != NULL)
            chosen[chosen_count++] = entry->test;
    if (chosen_count == 0) {
        fprintf(stderr, "%s: no tests%s%s\n", argv[0], argc < 2 ? "" : " named ", argc < 2 ? "" : argv[1]);
        free(chosen);
        return 1;
    }

    /* Its macro takes only an array whose size the compiler knows. */
    const char *slash = strrchr(argv[0], '/');
    const int   failed =
        _cmocka_run_group_tests(slash != NULL ? slash + 1 : argv[0], chosen, chosen_count, NULL, NULL);
    free(chosen);
    return failed != 0;
}
