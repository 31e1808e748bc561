/* SPDX-License-Identifier: MIT */
/* Letters, lines and rectangles on pixels: nothing outside of the picture is touched, and texts are as wide
   as they say. */
#include "scene/canvas.h"

#include "stick.h"

static uint32_t pixel(const ember_image *image, int x, int y)
{
    const uint8_t *p = image->pixels + ((size_t)y * image->width + (size_t)x) * 4;
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int count_of(const ember_image *image, uint32_t color)
{
    int count = 0;
    for (int y = 0; y < (int)image->height; y++)
        for (int x = 0; x < (int)image->width; x++)
            count += pixel(image, x, y) == color;
    return count;
}

TEST(a_new_picture_has_one_colour)
{
    ember_image image = canvas_make(5, 4, 0x102030FFu);
    assert_int_equal(count_of(&image, 0x102030FFu), 20);
    canvas_free(&image);
}

TEST(rectangles_are_cut_at_the_edges)
{
    ember_image image = canvas_make(8, 6, 0x000000FFu);
    canvas_fill(&image, 6, 4, 100, 100, 0xFF0000FFu);
    assert_int_equal(count_of(&image, 0xFF0000FFu), 2 * 2);
    canvas_fill(&image, -3, -3, 4, 5, 0x00FF00FFu);
    assert_int_equal(count_of(&image, 0x00FF00FFu), 1 * 2);
    canvas_fill(&image, 50, 50, 2, 2, 0x0000FFFFu);
    assert_int_equal(count_of(&image, 0x0000FFFFu), 0);
    canvas_free(&image);
}

TEST(a_letter_takes_six_pixels_at_scale_one)
{
    ember_image image = canvas_make(64, 16, 0x000000FFu);
    assert_int_equal(canvas_text_width("abc", 1), 18);
    assert_int_equal(canvas_text_width("abc", 2), 36);
    assert_int_equal(canvas_text(&image, 3, 2, 1, 0xFFFFFFFFu, "abc"), 3 + 18);
    /* A bar is in the middle of its cell, seven pixels high. */
    canvas_fill(&image, 0, 0, 64, 16, 0x000000FFu);
    (void)canvas_text(&image, 0, 0, 1, 0xFFFFFFFFu, "|");
    assert_int_equal(count_of(&image, 0xFFFFFFFFu), 7);
    for (int y = 0; y < 7; y++)
        assert_int_equal(pixel(&image, 2, y), 0xFFFFFFFFu);
    canvas_free(&image);
}

TEST(a_text_that_does_not_fit_ends_in_dots)
{
    ember_image image = canvas_make(64, 16, 0x000000FFu);
    assert_int_equal(canvas_text_within(&image, 0, 0, 1, 64, 0xFFFFFFFFu, "shoulder"), 48);
    assert_int_equal(canvas_text_within(&image, 0, 0, 1, 30, 0xFFFFFFFFu, "shoulder"), 30);
    assert_int_equal(canvas_text_within(&image, 0, 0, 1, 5, 0xFFFFFFFFu, "shoulder"), 0);
    canvas_free(&image);
}

TEST(anything_may_be_anywhere)
{
    ember_image image = canvas_make(3, 3, 0x000000FFu);
    canvas_line(&image, -100.0, -100.0, 100.0, 100.0, 1.0, 0xFFFFFFFFu);
    assert_true(pixel(&image, 1, 1) != 0x000000FFu);
    (void)canvas_text(&image, -2, -2, 3, 0xFF0000FFu, "\xff\xc3\xa9 wide");
    canvas_put(&image, 2, 2, &image);
    canvas_free(&image);
}
