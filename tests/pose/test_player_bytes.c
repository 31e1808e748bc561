/* SPDX-License-Identifier: MIT */
/* A player saved and restored: the bytes by hand, the same future, and hostile bytes. */
#include "player_stage.h"

static void stage_busy(player_stage *s)
{
    stage_make(s);
    stage_play(s, 0, 0, 0.0f);
    stage_step(s, 0.25);
    stage_play(s, 0, 1, 0.5f);
    stage_play(s, 2, 3, 0.0f);
    s->player.layers[2].mask = 1;
    stage_step(s, 0.25);
}

/* Layer 0: clips 0 and 1 at half a weight each, at 0.5 and 0.25 s. */
TEST(player_save_writes_the_bytes_of_its_format)
{
    static const uint8_t head[8 + 16 + 32] = {'E', 'P', 'L', 'Y', 1, 0, 0,   0,  /* magic, version */
                                              0,   0,   128, 63,  0, 0, 0,   0,  /* weight 1, no mask */
                                              0,   0,   0,   0,   2, 0, 0,   0,  /* not additive, two clips */
                                              0,   0,   0,   0,   0, 0, 0,   0,  /* clip 0, not fresh */
                                              0,   0,   0,   0,   0, 0, 224, 63, /* at 0.5 */
                                              0,   0,   128, 63,  0, 0, 0,   63, /* speed 1, weight 0.5 */
                                              0,   0,   0,   0,   0, 0, 0,   64}; /* to 0, by 2 in a second */
    player_stage         s;
    uint8_t              bytes[EMBER_PLAYER_SIZE];
    stage_busy(&s);
    ember_player_save(bytes, &s.player);
    assert_memory_equal(bytes, head, sizeof(head));
}

TEST(player_restore_gives_the_same_future)
{
    player_stage s;
    uint8_t      saved[EMBER_PLAYER_SIZE], first[EMBER_PLAYER_SIZE], second[EMBER_PLAYER_SIZE];
    stage_busy(&s);
    ember_player_save(saved, &s.player);
    for (uint32_t i = 0; i < 50; i++)
        stage_step(&s, 1.0 / 60.0);
    ember_player_save(first, &s.player);
    assert_int_equal(ember_player_restore(&s.player, &s.set, saved, sizeof(saved)), EMBER_OK);
    for (uint32_t i = 0; i < 50; i++)
        stage_step(&s, 1.0 / 60.0);
    ember_player_save(second, &s.player);
    assert_memory_equal(first, second, sizeof(first));
}

TEST(player_restore_survives_every_prefix)
{
    player_stage s;
    uint8_t      saved[EMBER_PLAYER_SIZE + 1] = {0};
    stage_busy(&s);
    ember_player_save(saved, &s.player);
    ember_player before = s.player;
    for (size_t size = 0; size < EMBER_PLAYER_SIZE; size++) {
        uint8_t *exact = test_exact_copy(saved, size);
        assert_int_equal(ember_player_restore(&s.player, &s.set, exact, size), EMBER_E_TRUNCATED);
        free(exact);
    }
    assert_int_equal(ember_player_restore(&s.player, &s.set, saved, sizeof(saved)), EMBER_E_MALFORMED);
    saved[4] = 2;
    assert_int_equal(ember_player_restore(&s.player, &s.set, saved, EMBER_PLAYER_SIZE), EMBER_E_VERSION);
    saved[0] = 'e';
    assert_int_equal(ember_player_restore(&s.player, &s.set, saved, EMBER_PLAYER_SIZE), EMBER_E_MALFORMED);
    assert_memory_equal(&before, &s.player, sizeof(before));
}

/* Whatever the bytes are: refused with the player as it was, or a state that plays on and saves as it came.
 */
TEST(player_restore_survives_hostile_bytes)
{
    player_stage s;
    uint8_t      saved[EMBER_PLAYER_SIZE], hostile[EMBER_PLAYER_SIZE], again[EMBER_PLAYER_SIZE];
    test_random  random = {25};
    uint32_t     taken = 0, refused = 0;
    stage_busy(&s);
    ember_player_save(saved, &s.player);
    for (uint32_t i = 0; i < 200000; i++) {
        memcpy(hostile, saved, sizeof(saved));
        for (uint32_t n = 1 + test_random_u32(&random) % 3; n > 0; n--)
            hostile[test_random_u32(&random) % EMBER_PLAYER_SIZE] = (uint8_t)test_random_u32(&random);
        ember_player before = s.player;
        if (ember_player_restore(&s.player, &s.set, hostile, sizeof(hostile)) != EMBER_OK) {
            refused++;
            assert_memory_equal(&before, &s.player, sizeof(before));
            continue;
        }
        taken++;
        ember_player_save(again, &s.player);
        assert_memory_equal(again, hostile, sizeof(again));
        if (ember_player_step(&s.player, &s.set, 0.25, &s.out) == EMBER_OK)
            assert_int_equal(ember_player_pose(&s.player, &s.set, s.pose, s.scratch), EMBER_OK);
    }
    assert_true(taken > 1000 && refused > 1000);
}

TEST(player_restore_refuses_what_the_set_does_not_have)
{
    player_stage s;
    uint8_t      saved[EMBER_PLAYER_SIZE];
    stage_busy(&s);
    ember_player_save(saved, &s.player);
    s.set.clip_count = 3;
    assert_int_equal(ember_player_restore(&s.player, &s.set, saved, sizeof(saved)), EMBER_E_MALFORMED);
    s.set.clip_count = 4;
    s.set.mask_count = 0;
    assert_int_equal(ember_player_restore(&s.player, &s.set, saved, sizeof(saved)), EMBER_E_MALFORMED);
    s.set.mask_count = 1;
    assert_int_equal(ember_player_restore(&s.player, &s.set, saved, sizeof(saved)), EMBER_OK);
}
