/* SPDX-License-Identifier: MIT */
/* Pictures and films, written and read in want of memory at each place. */
#include "failing.h"

#include "ember/image.h"

#define SIDE 24u

static void frame_make(uint8_t *out, uint32_t frame)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint8_t *p = out + i * 4;
        p[0] = (uint8_t)(i % SIDE * 10);
        p[1] = (uint8_t)(i / SIDE * 10);
        p[2] = (uint8_t)(i / SIDE < 8 ? frame * 60 : 7);
        p[3] = 255;
    }
}

static ember_status film_run(void *user, ember_error *err)
{
    const ember_film_kind *kind = user;
    fixture_heap           heap = {0};
    ember_film_options     options = {.allocator = fixture_allocator(&heap),
                                      .kind = *kind,
                                      .width = SIDE,
                                      .height = SIDE,
                                      .fps = 12.5};
    ember_buffer           out = {.allocator = fixture_allocator(&heap)};
    ember_film            *film = NULL;
    uint8_t                pixels[SIDE * SIDE * 4];
    ember_status           status = ember_film_create(&film, &options, err);
    for (uint32_t i = 0; i < 3 && status == EMBER_OK; i++) {
        frame_make(pixels, i);
        status = ember_film_add(film, pixels, err);
    }
    if (status == EMBER_OK)
        status = ember_film_finish(film, &out, err);
    assert_true(status == EMBER_OK ? out.size != 0 : out.size == 0);
    ember_film_destroy(film);
    ember_buffer_free(&out);
    assert_int_equal(heap.held, 0);
    return status;
}

static ember_status create_run(void *job, ember_allocator allocator)
{
    const ember_film_kind *kind = job;
    ember_film_options     options = {.allocator = allocator,
                                      .kind = *kind,
                                      .width = SIDE,
                                      .height = SIDE,
                                      .fps = 25.0};
    ember_film            *film = NULL;
    ember_status           status = ember_film_create(&film, &options, NULL);
    ember_film_destroy(film);
    return status;
}

TEST(films_are_made_whole_or_not)
{
    for (int kind = EMBER_FILM_APNG; kind <= EMBER_FILM_GIF; kind++) {
        ember_film_kind job = (ember_film_kind)kind;
        assert_in_range(failing_every(film_run, &job, FAILING_MEMORY), 3, 1000);
        /* The allocator's own calls, for what does not come from arenas and buffers. */
        assert_in_range(fixture_every_failing_allocation(create_run, &job), 1, 50);
    }
}

static ember_status picture_run(void *user, ember_error *err)
{
    ember_image  image = {SIDE, SIDE, user}, back;
    ember_buffer out = {.allocator = ember_heap()};
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_status status = ember_png_write(&out, &image, err);
    assert_true(status == EMBER_OK || out.size == 0);
    if (status == EMBER_OK) {
        status = ember_image_read(&back, out.data, out.size, &arena, err);
        assert_true(status == EMBER_OK || arena.total == 0);
        if (status == EMBER_OK)
            assert_memory_equal(back.pixels, user, SIDE * SIDE * 4);
    }
    ember_arena_free(&arena);
    ember_buffer_free(&out);
    return status;
}

TEST(pictures_are_written_and_read_or_not)
{
    uint8_t pixels[SIDE * SIDE * 4];
    frame_make(pixels, 2);
    assert_in_range(failing_every(picture_run, pixels, FAILING_MEMORY), 3, 1000);
}

/* A gray JPEG of 8 by 8 pixels, by libjpeg. */
static const uint8_t gray_jpeg[] = {
    255, 216, 255, 224, 0, 16, 74, 70, 73,  70,  0,   1,   1,  0,  0, 1, 0,  1, 0,  0,   255, 219, 0,
    67,  0,   1,   1,   1, 1,  1,  1,  1,   1,   1,   1,   1,  1,  1, 1, 1,  1, 1,  1,   1,   1,   1,
    1,   1,   1,   1,   1, 1,  1,  1,  1,   1,   1,   1,   1,  1,  1, 1, 1,  1, 1,  1,   1,   1,   1,
    1,   1,   1,   1,   1, 1,  1,  1,  1,   1,   1,   1,   1,  1,  1, 1, 1,  1, 1,  1,   255, 192, 0,
    11,  8,   0,   8,   0, 8,  1,  1,  17,  0,   255, 196, 0,  20, 0, 1, 0,  0, 0,  0,   0,   0,   0,
    0,   0,   0,   0,   0, 0,  0,  0,  0,   255, 196, 0,   20, 16, 1, 0, 0,  0, 0,  0,   0,   0,   0,
    0,   0,   0,   0,   0, 0,  0,  0,  255, 218, 0,   8,   1,  1,  0, 0, 63, 0, 63, 255, 217,
};

static ember_status jpeg_run(void *user, ember_error *err)
{
    (void)user;
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_image  image;
    ember_status status = ember_image_read(&image, gray_jpeg, sizeof(gray_jpeg), &arena, err);
    assert_true(status == EMBER_OK ? image.width == 8 && image.height == 8 && image.pixels[0] == 128
                                   : arena.total == 0);
    ember_arena_free(&arena);
    return status;
}

TEST(jpegs_are_read_or_not) { assert_in_range(failing_every(jpeg_run, NULL, FAILING_MEMORY), 1, 100); }
