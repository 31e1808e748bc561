/* SPDX-License-Identifier: MIT */
/* The seeds: folders, files, and the choices in front of those for conversions. */
#define _POSIX_C_SOURCE 200809L /* mkdir */

#include "seeds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void seeds_must(ember_status status, const ember_error *err)
{
    if (status == EMBER_OK)
        return;
    char line[EMBER_ERROR_LINE_SIZE];
    (void)ember_error_format(line, sizeof(line), NULL, err);
    fprintf(stderr, "fuzz-seeds: %s\n", line);
    exit(1);
}

static void folder_make(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        perror(path);
        exit(1);
    }
}

void seeds_put(seeds *s, const char *target, const char *name, const void *data, size_t size)
{
    char        path[4096];
    ember_error err = EMBER_ERROR_INIT;
    snprintf(path, sizeof(path), "%s/%s", s->folder, target);
    folder_make(path);
    snprintf(path, sizeof(path), "%s/%s/%s", s->folder, target, name);
    seeds_must(ember_file_write(path, data, size, &err), &err);
    s->count++;
}

/* A seed that is not even read would lead nowhere. */
static void file_check(const char *format, const char *name, const void *data, size_t size)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.format = ember_format_by_name(format)->format};
    ember_model        model;
    ember_error        err = EMBER_ERROR_INIT;
    if (ember_model_read(&model, data, size, &options, &arena, &err) != EMBER_OK)
        fprintf(stderr, "%s/%s: ", format, name);
    seeds_must(err.status, &err);
    ember_arena_free(&arena);
}

void seeds_put_file(seeds *s, const char *format, const char *name, const void *data, size_t size)
{
    const size_t choices = 6, formats = ember_format_count();
    uint8_t     *bytes = malloc(choices + size);
    fuzz_require(bytes != NULL, "out of memory");
    file_check(format, name, data, size);
    seeds_put(s, format, name, data, size);
    memcpy(bytes + choices, data, size);
    for (uint32_t i = 0; i < 3; i++) {
        char     full[128];
        uint32_t k = s->count * 3 + i;
        uint8_t  from = 0;
        while (strcmp(ember_format_at(from)->name, format) != 0)
            from++;
        const uint8_t choice[6] = {from,
                                   (uint8_t)(k % formats),
                                   i == 0 ? 0 : (uint8_t)(k * 29),
                                   i == 0 ? 0 : (uint8_t)(k * 53),
                                   i == 0 ? 0 : (uint8_t)(k * 17),
                                   i == 0 ? 0 : (uint8_t)(k * 71)};
        memcpy(bytes, choice, choices);
        snprintf(full, sizeof(full), "%s-%s-%u", format, name, (unsigned)i);
        seeds_put(s, "convert", full, bytes, choices + size);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    seeds s = {argc == 2 ? argv[1] : "", 0};
    if (argc != 2) {
        fprintf(stderr, "usage: fuzz-seeds FOLDER\n");
        return 2;
    }
    folder_make(s.folder);
    seeds_put_models(&s);
    seeds_put_texts(&s);
    seeds_put_packs(&s);
    seeds_put_fbx(&s);
    seeds_put_blocks(&s);
    printf("%u seeds\n", s.count);
    return 0;
}
