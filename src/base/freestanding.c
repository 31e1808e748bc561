/* SPDX-License-Identifier: MIT */
/* The four functions that a compiler may call without being asked; only compiled where there is no libc. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int   memcmp(const void *a, const void *b, size_t size);

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char       *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < size; i++)
        t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char       *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t < (uintptr_t)f)
        return memcpy(to, from, size);
    for (size_t i = size; i-- > 0;)
        t[i] = f[i];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    unsigned char *t = to;
    for (size_t i = 0; i < size; i++)
        t[i] = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}
