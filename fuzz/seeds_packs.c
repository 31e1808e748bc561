/* SPDX-License-Identifier: MIT */
/* Final Fantasy VII: packs of bodies, weapons and empty slots with every key, and skeletons. */
#include "seeds.h"

#include "base/bytes.h"

#define FRAMES 6u

static void clip_fill(ember_ff7_triple *positions, ember_ff7_triple *rotations, uint32_t triples,
                      fuzz_random *random)
{
    for (uint32_t f = 0; f < FRAMES; f++) {
        positions[f] =
            (ember_ff7_triple){(int16_t)(f * 7), (int16_t)-300, (int16_t)fuzz_random_below(random, 200)};
        for (uint32_t i = 0; i < triples; i++)
            rotations[f * triples + i] = (ember_ff7_triple){(int16_t)(f * 64 * (i + 1) % 4096),
                                                            (int16_t)(fuzz_random_below(random, 4) * 16), 0};
    }
}

/* The bodies of a model with three bones, then their weapon's clips. */
static void put_pack(seeds *s, const char *name, uint32_t key, const void *tail, size_t tail_size)
{
    static const uint8_t slot[4] = {0x0D, 0x0A, 0, 0};
    ember_ff7_triple     positions[6][FRAMES], rotations[6][FRAMES * 4];
    ember_ff7_clip       clips[6];
    ember_ff7_item       items[6];
    ember_buffer         file = {.allocator = ember_heap()};
    ember_error          err = EMBER_ERROR_INIT;
    fuzz_random          random = fuzz_random_seed(key);
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t triples = i < 3 ? 4 : 1;
        clip_fill(positions[i], rotations[i], triples, &random);
        clips[i] = (ember_ff7_clip){.kind = i < 3 ? EMBER_FF7_BODY : EMBER_FF7_WEAPON,
                                    .index = (int32_t)i,
                                    .bones_field = triples,
                                    .frames_field = FRAMES,
                                    .triple_count = triples,
                                    .frame_count = FRAMES,
                                    .positions = positions[i],
                                    .rotations = rotations[i]};
        if (i % 3 == 1)
            clips[i] = (ember_ff7_clip){.kind = EMBER_FF7_SPECIAL,
                                        .index = (int32_t)i,
                                        .bones_field = triples,
                                        .frames_field = 1,
                                        .bytes = slot,
                                        .byte_count = 4};
        items[i] = (ember_ff7_item){.clip = &clips[i], .key = key};
    }
    seeds_must(ember_ff7_pack_write(&file, items, 6, tail, tail_size, &err), &err);
    seeds_put_file(s, "ff7", name, file.data, file.size);
    ember_buffer_free(&file);
}

static void put_skeleton(seeds *s)
{
    uint8_t bytes[52 + 3 * 12] = {0};
    emberi_put_u32(bytes + 0x0C, 3);
    emberi_put_u32(bytes + 0x14, 4);
    emberi_put_u32(bytes + 0x1C, 3);
    emberi_put_u32(bytes + 0x24, 1);
    emberi_put_u32(bytes + 0x28, 3);
    for (uint32_t i = 0; i < 3; i++) {
        emberi_put_u32(bytes + 52 + i * 12, i - 1); /* the first one's parent is -1 */
        emberi_put_u32(bytes + 52 + i * 12 + 4, emberi_bits_of(-100.0f));
        emberi_put_u32(bytes + 52 + i * 12 + 8, 1);
    }
    seeds_put_file(s, "ff7aa", "three", bytes, sizeof(bytes));
}

void seeds_put_packs(seeds *s)
{
    put_pack(s, "key-0", 0, NULL, 0);
    put_pack(s, "key-2", 2, NULL, 0);
    put_pack(s, "key-4", 4, "tail", 4);
    put_skeleton(s);
}
