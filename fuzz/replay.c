/* SPDX-License-Identifier: MIT */
/* A fuzz target without libFuzzer, as the tests run it: every file that is named, and every file of a folder
   that is named, as it is and then N times changed a little, each time in the same way.

   NAME_replay [-n N] FILE|FOLDER... */
#define _POSIX_C_SOURCE 200809L /* scandir */

#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_MORE 256u

typedef struct replay {
    unsigned long changes; /* of each file */
    unsigned long inputs;  /* so far */
} replay;

/* ---- changes ---- */

static fuzz_random replay_random = {1};

static size_t bytes_take_out(uint8_t *data, size_t size)
{
    size_t at = fuzz_random_below(&replay_random, (uint32_t)size);
    size_t count = 1 + fuzz_random_below(&replay_random, 8);
    count = count > size - at ? size - at : count;
    memmove(data + at, data + at + count, size - at - count);
    return size - count;
}

static size_t bytes_put_in(uint8_t *data, size_t size, size_t room)
{
    size_t at = fuzz_random_below(&replay_random, (uint32_t)size + 1);
    size_t count = 1 + fuzz_random_below(&replay_random, 8);
    count = count > room - size ? room - size : count;
    memmove(data + at + count, data + at, size - at);
    for (size_t i = 0; i < count; i++)
        data[at + i] = (uint8_t)fuzz_random_below(&replay_random, 256);
    return size + count;
}

/* One small change of bytes, as libFuzzer would make it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
    static const uint8_t edges[] = {0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, ' ', '0', '9', '-'};
    size_t               at = fuzz_random_below(&replay_random, (uint32_t)size);
    if (size == 0)
        return bytes_put_in(data, size, room);
    switch (fuzz_random_below(&replay_random, 6)) {
    case 0:
        return bytes_take_out(data, size);
    case 1:
        return bytes_put_in(data, size, room);
    case 2:
        data[at] = (uint8_t)fuzz_random_below(&replay_random, 256);
        return size;
    case 3:
        data[at] = edges[fuzz_random_below(&replay_random, sizeof(edges))];
        return size;
    case 4:
        memset(data + at, data[at] & 1 ? 0xff : 0, size - at < 4 ? size - at : 4);
        return size;
    default:
        data[at] ^= (uint8_t)(1u << fuzz_random_below(&replay_random, 8));
        return size;
    }
}

static size_t replay_change(uint8_t *data, size_t size, size_t room, unsigned seed)
{
#ifdef EMBER_FUZZ_MUTATOR
    if (seed % 8 != 0)
        return LLVMFuzzerCustomMutator(data, size, room, seed);
#else
    (void)seed;
#endif
    for (uint32_t n = 1 + fuzz_random_below(&replay_random, 4); n > 0; n--)
        size = LLVMFuzzerMutate(data, size, room);
    return size;
}

/* ---- files ---- */

static void replay_bytes(replay *r, const uint8_t *data, size_t size)
{
    size_t   room = size + ROOM_MORE;
    uint8_t *changed = malloc(room);
    fuzz_require(changed != NULL, "out of memory");
    replay_random = fuzz_random_seed(0);
    (void)LLVMFuzzerTestOneInput(data, size);
    for (unsigned long i = 0; i < r->changes; i++) {
        memcpy(changed, data, size);
        size_t now = replay_change(changed, size, room, (unsigned)i);
        (void)LLVMFuzzerTestOneInput(changed, now);
    }
    r->inputs += 1 + r->changes;
    free(changed);
}

static void replay_file(replay *r, const char *path)
{
    ember_buffer file = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    if (ember_file_read(&file, path, 0, &err) != EMBER_OK) {
        fprintf(stderr, "fuzz: %s: %s\n", path, err.text);
        exit(1);
    }
    replay_bytes(r, file.data != NULL ? file.data : (const uint8_t *)"", file.size);
    ember_buffer_free(&file);
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void replay_path(replay *r, const char *path)
{
    struct dirent **names;
    int             count = scandir(path, &names, is_visible, alphasort);
    if (count < 0) {
        replay_file(r, path);
        return;
    }
    for (int i = 0; i < count; i++) {
        size_t size = strlen(path) + strlen(names[i]->d_name) + 2;
        char  *name = malloc(size);
        fuzz_require(name != NULL, "out of memory");
        snprintf(name, size, "%s/%s", path, names[i]->d_name);
        replay_file(r, name);
        free(name);
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv)
{
    replay r = {0, 0};
    int    first = 1;
    if (argc > 2 && strcmp(argv[1], "-n") == 0) {
        r.changes = strtoul(argv[2], NULL, 10);
        first = 3;
    }
    for (int i = first; i < argc; i++)
        replay_path(&r, argv[i]);
    printf("%lu inputs\n", r.inputs);
    return r.inputs != 0 ? 0 : 1;
}
