/* SPDX-License-Identifier: MIT */
/* Where in a model something failed: indices and names, in words that can be printed. */
#include "format/fixture.h"

#include "base/utf8.h"
#include "model/place.h"

TEST(place_names_the_bone_of_the_skeleton_not_of_the_clip)
{
    static const uint16_t bones[2] = {2, 0};
    fixture_model         f;
    ember_error           err = EMBER_ERROR_INIT;
    fixture_fill(&f);
    f.clip.bones = bones;
    f.clip.bone_count = 2;
    emberi_fail_at(&err, EMBER_E_RANGE, emberi_place_frame(&f.model.skeleton, &f.clip, 4, 0, 3),
                   "the rotation is zero");
    assert_string_equal(fixture_error_line(&err).text, "walk: foot: frame 3: the rotation is zero");
    assert_int_equal(err.clip, 4);
    assert_int_equal(err.bone, 2);
    assert_int_equal(err.frame, 3);
}

TEST(place_cleans_and_cuts_names)
{
    char         name[200] = "a\nb\x1b\xff\xc2\x85";
    ember_error  err = EMBER_ERROR_INIT;
    emberi_place place = EMBERI_PLACE_INIT;
    place.clip_name = name;
    emberi_fail_at(&err, EMBER_E_RANGE, place, "x");
    /* a newline, an escape, no UTF-8, and a control character of two bytes */
    assert_string_equal(err.clip_name, "a?b???");
    for (size_t i = 0; i < 196; i += 2)
        memcpy(name + i, "\xc3\xa9", 2);
    name[196] = '\0';
    err = (ember_error)EMBER_ERROR_INIT;
    place.bone_name = name;
    emberi_fail_at(&err, EMBER_E_RANGE, place, "x");
    assert_int_equal(strlen(err.bone_name), 127); /* 62 characters of two bytes, and the sign for more */
    assert_true(emberi_utf8_valid(err.bone_name));
    assert_string_equal(err.bone_name + 122, "\xc3\xa9\xe2\x80\xa6");
    memset(name, 'n', 127);
    name[127] = '\0';
    err = (ember_error)EMBER_ERROR_INIT;
    emberi_fail_at(&err, EMBER_E_RANGE, place, "x");
    assert_string_equal(err.bone_name, name);
}
