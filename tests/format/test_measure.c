/* SPDX-License-Identifier: MIT */
/* What storing a clip cost: nothing where every number fits, by hand where one does not. */
#include <math.h>

#include "fixture.h"

TEST(what_fits_costs_nothing)
{
    fixture_model       f;
    ember_measured      measured;
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM, .space = EMBER_SPACE_LOCAL};
    fixture_fill(&f);
    ember_buffer file = fixture_write(&f.model, options);
    assert_true(ember_measure_written(&measured, &f.model, &f.clip, &options, file.data, file.size));
    assert_true(measured.max == 0.0 && measured.mean == 0.0);
    ember_buffer_free(&file);
}

/* Half floats from 1 to 2 are 1/1024 apart: a value in the middle between two is off by 1/2048, in every bone
   that hangs on it. */
TEST(what_does_not_fit_is_found)
{
    fixture_model       f;
    ember_measured      measured;
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM,
                                   .space = EMBER_SPACE_LOCAL,
                                   .fit = EMBER_FIT_PLAIN};
    fixture_fill(&f);
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++)
        f.frames[i].position = (ember_vec3){0.0f, 0.0f, 0.0f};
    f.frames[2 * FIXTURE_BONES + 2].position.y = 1.0f + 1.0f / 2048.0f;
    ember_buffer file = fixture_write(&f.model, options);
    assert_true(ember_measure_written(&measured, &f.model, &f.clip, &options, file.data, file.size));
    assert_float_equal(measured.max, 1.0 / 2048.0, 1e-7);
    assert_int_equal(measured.bone, 2);
    assert_int_equal(measured.frame, 2);
    assert_true(fabs(measured.mean - 1.0 / 2048.0 / (FIXTURE_BONES * FIXTURE_FRAMES)) < 1e-8);
    ember_buffer_free(&file);
}

/* The default is the format's: a local clip is stored, and measured, in model space. */
TEST(the_space_is_the_formats)
{
    fixture_model       f;
    ember_measured      measured;
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM};
    fixture_fill(&f);
    ember_buffer file = fixture_write(&f.model, options);
    assert_true(ember_measure_written(&measured, &f.model, &f.clip, &options, file.data, file.size));
    assert_true(measured.max < 0.01 * measured.size);
    options.space = EMBER_SPACE_LOCAL; /* a lie about the file, which shows */
    assert_true(ember_measure_written(&measured, &f.model, &f.clip, &options, file.data, file.size));
    assert_true(measured.max > 0.1 * measured.size);
    ember_buffer_free(&file);
}

TEST(what_cannot_be_measured_says_so)
{
    fixture_model       f;
    ember_measured      measured;
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM, .space = EMBER_SPACE_LOCAL};
    fixture_fill(&f);
    ember_buffer file = fixture_write(&f.model, options);
    assert_false(ember_measure_written(&measured, &f.model, &f.clip, &options, file.data, file.size - 1));
    assert_false(ember_measure_written(&measured, &f.model, &f.clip, NULL, file.data, file.size));
    f.frames[0].position.x = (float)NAN;
    assert_false(ember_measure_written(&measured, &f.model, &f.clip, &options, file.data, file.size));
    ember_buffer_free(&file);
}
