/* SPDX-License-Identifier: MIT */
/* Prints the golden hashes, or with --isa the name of the kernels in use. */
#include <stdio.h>
#include <string.h>

#include "golden.h"

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--isa") == 0)
        return puts(golden_isa()) < 0;
    return fputs(golden_text(), stdout) < 0;
}
