/* SPDX-License-Identifier: MIT */
/* Errors by bone and frame. The second clip is the first, moved by 1 in its second frame: every bone is off
   by 1 there. */
#include "scene/errors.h"

#include "stick.h"

TEST(errors_are_told_by_bone_and_frame)
{
    ember_transform frames[6];
    ember_clip      clip = stick_clip(), moved = clip;
    memcpy(frames, stick_frames, sizeof(frames));
    frames[3].position.x += 1.0f;
    moved.frames = frames;
    ember_model model = stick_model(&clip), moved_model = stick_model(&moved);
    actor       a, b;
    errors      e;
    ember_error err = EMBER_ERROR_INIT;
    actor_open(&a, &model, &clip, NULL);
    actor_open(&b, &moved_model, &moved, NULL);
    assert_true(errors_make(&e, &a, &b, &err));
    assert_int_equal(e.frame_count, 2);
    for (int i = 0; i < 3; i++) {
        assert_float_equal((float)e.by_bone[i], 0.0f, 1e-6);
        assert_float_equal((float)e.by_bone[3 + i], 1.0f, 1e-5);
    }
    assert_float_equal((float)e.worst, 1.0f, 1e-5);
    assert_int_equal(e.worst_frame, 1);
    assert_true(e.red == e.worst);
    free(e.by_bone);
    assert_true(errors_make(&e, &a, &a, &err));
    assert_true(e.worst == 0.0 && e.red > 0.0);
    free(e.by_bone);
    actor_close(&a);
    actor_close(&b);
}
