/* SPDX-License-Identifier: MIT */
/* Notes: one line each, with its clip, and only to whoever listens. */
#include "fixture.h"
#include "format/ops.h"

#include <math.h>

static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;

TEST(losses_are_one_line_and_only_what_is_there)
{
    static const int16_t     parents[1] = {-1};
    static const char *const names[1] = {"hip"};
    ember_clip               clip = {.name = "walk",
                                     .fps = 30.0,
                                     .loop = true,
                                     .space = EMBER_SPACE_MODEL,
                                     .bone_count = 1,
                                     .frame_count = 1,
                                     .frames = &identity};
    ember_model              model = {.skeleton = {.bone_count = 1, .parents = parents, .names = names},
                                      .clip_count = 1,
                                      .clips = &clip};
    fixture_notes            kept;
    ember_notes              notes = fixture_listen(&kept);
    emberi_note_losses(&notes, &model, &clip, (ember_format_stores){.names = true});
    assert_int_equal(kept.count[EMBER_NOTE_LOSS], 1);
    assert_non_null(strstr(kept.text, "rate"));
    assert_non_null(strstr(kept.text, "loop"));
    assert_null(strstr(kept.text, "name"));
    assert_null(strstr(kept.text, "marker"));
    notes = fixture_listen(&kept);
    emberi_note_losses(&notes, &model, &clip,
                       (ember_format_stores){.names = true, .rate = true, .loop = true});
    assert_int_equal(kept.count[EMBER_NOTE_LOSS], 0);
}

TEST(numbers_that_are_not_finite_are_one_warning)
{
    static const int16_t parents[1] = {-1};
    ember_transform      frames[3] = {identity, identity, identity};
    ember_clip           clip = {.name = "walk", .bone_count = 1, .frame_count = 3, .frames = frames};
    ember_skeleton       skeleton = {.bone_count = 1, .parents = parents};
    fixture_notes        kept;
    ember_notes          notes = fixture_listen(&kept);
    emberi_note_not_finite(&notes, &skeleton, &clip);
    assert_int_equal(kept.count[EMBER_NOTE_WARNING], 0);
    frames[1].position.x = NAN;
    frames[2].scale.y = INFINITY;
    emberi_note_not_finite(&notes, &skeleton, &clip);
    assert_int_equal(kept.count[EMBER_NOTE_WARNING], 1);
}
