/* SPDX-License-Identifier: MIT */
/* ROMs written, opened, checked and taken apart in want of memory at each place. */
#include "failing.h"
#include "rom/rom_made.h"

static ember_status write_run(void *user, ember_error *err)
{
    const made_content *m = user;
    fixture_heap        heap = {0};
    ember_buffer        out = {.allocator = fixture_allocator(&heap)};
    size_t              sizes[MADE_ASSETS];
    ember_status        status = ember_rom_write(&out, &m->content, sizes, NULL, err);
    assert_true(status == EMBER_OK ? out.size != 0 : out.size == 0);
    ember_buffer_free(&out);
    assert_int_equal(heap.held, 0);
    return status;
}

TEST(roms_are_written_whole_or_not)
{
    static const ember_squeeze_method methods[] = {EMBER_SQUEEZE_RAW, EMBER_SQUEEZE_QUICK,
                                                   EMBER_SQUEEZE_SMALL, MADE_LEAN};
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        made_content m;
        made_content_make(&m, methods[i]);
        assert_in_range(failing_every(write_run, &m, FAILING_MEMORY), 10, 5000);
        made_content_free(&m);
    }
}

static ember_status check_run(void *user, ember_error *err)
{
    const ember_rom     *rom = user;
    made_findings        all = {0, 0, "", "", ""};
    const ember_findings findings = {made_take, &all};
    ember_status         status = ember_rom_check(rom, ember_heap(), &findings, err);
    assert_int_equal(all.count, 0); /* want of memory is no finding */
    return status;
}

static ember_status clip_run(void *user, ember_error *err)
{
    const ember_rom *rom = user;
    ember_rom_entry  entry;
    ember_rom_clip   clip;
    ember_buffer     out = {.allocator = ember_heap()};
    assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    assert_int_equal(ember_rom_clip_open(&clip, rom, &entry, err), EMBER_OK);
    ember_status status = ember_rom_clip_file(&out, &clip, err);
    assert_true(status == EMBER_OK ? out.size != 0 : out.size == 0);
    ember_buffer_free(&out);
    return status;
}

static ember_status open_run(void *job, ember_allocator allocator)
{
    const ember_buffer *bytes = job;
    ember_rom          *rom;
    ember_status        status = ember_rom_open_memory(&rom, bytes->data, bytes->size, allocator, NULL);
    if (status == EMBER_OK)
        ember_rom_close(rom);
    return status;
}

static void check_failing(ember_squeeze_method method)
{
    made_content m;
    made_content_make(&m, method);
    ember_buffer bytes = made_rom(&m.content);
    ember_rom   *rom = made_open(&bytes);
    assert_in_range(failing_every(check_run, rom, FAILING_MEMORY), 1, 1000);
    assert_in_range(failing_every(clip_run, rom, FAILING_MEMORY), 1, 1000);
    ember_rom_close(rom);
    assert_in_range(fixture_every_failing_allocation(open_run, &bytes), 1, 1000);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(roms_are_checked_or_not)
{
    check_failing(EMBER_SQUEEZE_SMALL);
    check_failing(MADE_LEAN);
}
