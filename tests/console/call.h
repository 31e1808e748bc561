/* SPDX-License-Identifier: MIT */
/* Calls a host function by its signature, with its arguments as 32-bit words: what the table of all functions
   and the fuzz target need. */
#ifndef EMBER_TEST_CONSOLE_CALL_H
#define EMBER_TEST_CONSOLE_CALL_H

#include <stdbool.h>
#include <string.h>

#include "console/functions.h"

typedef struct call_function {
    const char *name;
    const char *signature;
    const char *parameters; /* as functions.h has them */
    void (*address)(void);
} call_function;

#define CALL_ROW(result, name, signature, parameters, arguments) \
    {#name, signature, #parameters, (void (*)(void))emberi_host_##name},
static const call_function call_functions[] = {EMBERI_HOST_FUNCTIONS(CALL_ROW)};
#define CALL_COUNT (sizeof(call_functions) / sizeof(call_functions[0]))
#define CALL_MOST 10 /* arguments */

static inline unsigned call_argument_count(const call_function *f)
{
    return (unsigned)strcspn(f->signature, ">");
}

static inline float call_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* False for a signature that is not in the list: add it. The result's bits are left in *result. */
static inline bool call_host(const call_function *f, ember_console *c, const uint32_t a[CALL_MOST],
                             uint32_t *result)
{
    typedef ember_console *C;
    typedef uint32_t       I;
    typedef float          F;
    const char            *s = f->signature;
    float                  value;
    *result = 0;
    if (strcmp(s, ">") == 0)
        ((void (*)(C))f->address)(c);
    else if (strcmp(s, ">i") == 0)
        *result = ((I(*)(C))f->address)(c);
    else if (strcmp(s, ">l") == 0)
        *result = (uint32_t)((uint64_t(*)(C))f->address)(c);
    else if (strcmp(s, ">f") == 0) {
        value = ((F(*)(C))f->address)(c);
        memcpy(result, &value, sizeof(value));
    } else if (strcmp(s, "i>") == 0)
        ((void (*)(C, I))f->address)(c, a[0]);
    else if (strcmp(s, "i>i") == 0)
        *result = ((I(*)(C, I))f->address)(c, a[0]);
    else if (strcmp(s, "i>f") == 0) {
        value = ((F(*)(C, I))f->address)(c, a[0]);
        memcpy(result, &value, sizeof(value));
    } else if (strcmp(s, "f>") == 0)
        ((void (*)(C, F))f->address)(c, call_float(a[0]));
    else if (strcmp(s, "ii>") == 0)
        ((void (*)(C, I, I))f->address)(c, a[0], a[1]);
    else if (strcmp(s, "ii>i") == 0)
        *result = ((I(*)(C, I, I))f->address)(c, a[0], a[1]);
    else if (strcmp(s, "iii>") == 0)
        ((void (*)(C, I, I, I))f->address)(c, a[0], a[1], a[2]);
    else if (strcmp(s, "iii>i") == 0)
        *result = ((I(*)(C, I, I, I))f->address)(c, a[0], a[1], a[2]);
    else if (strcmp(s, "fff>") == 0)
        ((void (*)(C, F, F, F))f->address)(c, call_float(a[0]), call_float(a[1]), call_float(a[2]));
    else if (strcmp(s, "ffff>") == 0)
        ((void (*)(C, F, F, F, F))f->address)(c, call_float(a[0]), call_float(a[1]), call_float(a[2]),
                                              call_float(a[3]));
    else if (strcmp(s, "ifi>") == 0)
        ((void (*)(C, I, F, I))f->address)(c, a[0], call_float(a[1]), a[2]);
    else if (strcmp(s, "iiii>") == 0)
        ((void (*)(C, I, I, I, I))f->address)(c, a[0], a[1], a[2], a[3]);
    else if (strcmp(s, "iiii>i") == 0)
        *result = ((I(*)(C, I, I, I, I))f->address)(c, a[0], a[1], a[2], a[3]);
    else if (strcmp(s, "iiifi>") == 0)
        ((void (*)(C, I, I, I, F, I))f->address)(c, a[0], a[1], a[2], call_float(a[3]), a[4]);
    else if (strcmp(s, "iiiii>i") == 0)
        *result = ((I(*)(C, I, I, I, I, I))f->address)(c, a[0], a[1], a[2], a[3], a[4]);
    else if (strcmp(s, "iiiiiifiii>") == 0)
        ((void (*)(C, I, I, I, I, I, I, F, I, I, I))f->address)(c, a[0], a[1], a[2], a[3], a[4], a[5],
                                                                call_float(a[6]), a[7], a[8], a[9]);
    else
        return false;
    return true;
}

#endif
