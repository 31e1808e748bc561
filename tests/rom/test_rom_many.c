/* SPDX-License-Identifier: MIT */
/* A ROM of ten thousand clips: opening and finding one takes microseconds, and no more memory than in a small
   ROM.
   Covers: rom_open.c. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, mkstemp */

#include <time.h>
#include <unistd.h>

#include "fixtures/allocator.h"
#include "rom_made.h"

enum { MANY = 10000 };

typedef struct many {
    ember_rom_asset *assets;
    char (*ids)[24];
    uint8_t     *clip;
    ember_buffer bytes;
    char         path[64];
} many;

static void many_make(many *m, uint32_t count)
{
    size_t size;
    m->assets = calloc(count, sizeof(*m->assets));
    m->ids = calloc(count, sizeof(*m->ids));
    m->clip = made_clip(&size, SKELETON_BONES, 4, 1);
    assert_true(m->assets != NULL && m->ids != NULL);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(m->ids[i], sizeof(m->ids[i]), "hero/clip-%05u", (unsigned)(i * 7919u % count));
        m->assets[i] = made_clip_asset(m->ids[i], m->clip, size);
    }
    ember_rom_content content = {.assets = m->assets, .asset_count = count};
    m->bytes = made_rom(&content);
    snprintf(m->path, sizeof(m->path), "/tmp/ember-many-XXXXXX");
    int fd = mkstemp(m->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, m->bytes.data, m->bytes.size), (ssize_t)m->bytes.size);
    close(fd);
}

static void many_free(many *m)
{
    unlink(m->path);
    free(m->assets);
    free(m->ids);
    free(m->clip);
    ember_buffer_free(&m->bytes);
}

static double many_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int many_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

TEST(every_one_of_many_is_found)
{
    many m;
    many_make(&m, MANY);
    ember_rom *rom = made_open(&m.bytes);
    assert_int_equal(ember_rom_entry_count(rom), MANY + 2);
    for (uint32_t i = 0; i < MANY; i++) {
        ember_rom_entry entry;
        assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, m.ids[i], strlen(m.ids[i])));
        assert_string_equal(entry.id, m.ids[i]);
    }
    ember_rom_entry entry;
    assert_false(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "hero/clip-0000", 14));
    assert_false(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "hero/clip-000000", 16));
    assert_false(ember_rom_find(&entry, rom, EMBER_ROM_MESH, m.ids[0], strlen(m.ids[0])));
    assert_false(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "zzz", 3));
    assert_false(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "", 0));
    ember_rom_close(rom);
    many_free(&m);
}

/* The middle one of many tries, each with a mapping of its own: what a run costs once the file is in the
   system's cache. The pages are mapped anew each time, so their faults are counted too. */
TEST(opening_and_finding_takes_less_than_100_microseconds)
{
    enum { TRIES = 201 };
    many   m;
    double times[TRIES];
    many_make(&m, MANY);
    for (int i = 0; i < TRIES; i++) {
        ember_rom      *rom;
        ember_rom_entry entry;
        ember_rom_clip  clip;
        const char     *id = m.ids[(unsigned)i * 37u % MANY];
        size_t          id_size = strlen(id);
        double          start = many_now_us();
        bool            done = ember_rom_open_file(&rom, m.path, ember_heap(), NULL) == EMBER_OK &&
                    ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, id, id_size) &&
                    ember_rom_clip_open(&clip, rom, &entry, NULL) == EMBER_OK;
        times[i] = many_now_us() - start;
        assert_true(done);
        ember_rom_close(rom);
    }
    qsort(times, TRIES, sizeof(times[0]), many_compare);
    print_message("open, find and open one of %d clips: best %.1f, middle %.1f us\n", (int)MANY, times[0],
                  times[TRIES / 2]);
    many_free(&m);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(times[TRIES / 2] < 100.0);
#endif
}

TEST(memory_does_not_grow_with_the_rom)
{
    size_t used[2];
    for (int i = 0; i < 2; i++) {
        many            m;
        ember_rom      *rom;
        ember_rom_entry entry;
        fixture_heap    heap = {0};
        many_make(&m, i == 0 ? 10 : MANY);
        assert_int_equal(ember_rom_open_file(&rom, m.path, fixture_allocator(&heap), NULL), EMBER_OK);
        assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, m.ids[3], strlen(m.ids[3])));
        used[i] = heap.held;
        ember_rom_close(rom);
        assert_int_equal(heap.held, 0);
        many_free(&m);
    }
    assert_int_equal(used[0], used[1]);
    assert_true(used[1] <= 256);
}
