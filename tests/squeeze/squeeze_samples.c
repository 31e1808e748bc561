/* SPDX-License-Identifier: MIT */
/* Writes squeezed blocks, with the rig they need and the records they stand for, to a folder: for decoders
   that are not ours.

   squeeze_samples FOLDER */
#define _POSIX_C_SOURCE 200809L /* posix_memalign, which squeeze_made.h names */
#include "squeeze_made.h"

static void put_u32(FILE *file, uint32_t value)
{
    uint8_t bytes[4];
    emberi_put_u32(bytes, value);
    fwrite(bytes, 1, 4, file);
}

static int write_sample(const char *path, const made_clip *clip, const made_block *block)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return 1;
    put_u32(file, clip->bone_count);
    put_u32(file, clip->frame_count);
    put_u32(file, clip->rig.parents != NULL);
    put_u32(file, clip->rig.offsets != NULL);
    put_u32(file, (uint32_t)block->size);
    fwrite(clip->rest, 16, clip->bone_count, file);
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint8_t bytes[2];
        emberi_put_u16(bytes, (uint16_t)clip->parents[i]);
        fwrite(bytes, 1, 2, file);
    }
    fwrite(clip->offsets, 12, clip->bone_count, file);
    fwrite(clip->frames, (size_t)clip->bone_count * 16, clip->frame_count, file);
    fwrite(block->data, 1, block->size, file);
    return fclose(file) != 0;
}

/* Children that go along with their parents, so that the predictions from them are of use: positions and
   rotations in model space. */
static void follow_parents(made_clip *clip)
{
    for (uint32_t frame = 0; frame < clip->frame_count; frame++)
        for (uint32_t bone = 1; bone < clip->bone_count; bone++) {
            uint8_t *records = clip->frames + (size_t)frame * clip->bone_count * 16;
            if (clip->parents[bone] < 0)
                continue;
            ember_transform parent =
                ember_record_decode(records + clip->parents[bone] * 16, EMBER_RECORD_EWZ, NULL);
            ember_transform child = ember_record_decode(records + bone * 16u, EMBER_RECORD_EWZ, NULL), model;
            child.rotation = ember_quat_nlerp((ember_quat){0.0f, 0.0f, 0.0f, 1.0f}, child.rotation, 0.05f);
            child.position =
                (ember_vec3){0.3f, 0.1f * (float)(bone % 3), bone % 2 == 0 ? 0.2f : 0.001f * (float)frame};
            parent.scale = child.scale;
            model = ember_transform_mul(&parent, &child);
            model.scale = child.scale;
            assert_int_equal(ember_record_encode(records + bone * 16u, EMBER_RECORD_EWZ, &model), EMBER_OK);
        }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: squeeze_samples FOLDER\n");
        return 2;
    }
    for (uint32_t round = 0; round < 28; round++) {
        const made_kind kind = (made_kind)(round % MADE_KINDS);
        made_clip       clip = made_clip_make(kind, 1 + round * 5 % 13, 1 + round * 11 % 75, round);
        if (kind == MADE_MOTION || (kind == MADE_SCALE && round > 7))
            follow_parents(&clip);
        if (round % 9 == 8)
            clip.rig.offsets = NULL;
        if (round % 10 == 9)
            clip.rig.parents = NULL;
        for (uint32_t method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
            char       path[1024];
            made_block block = made_clip_squeeze(&clip, (ember_squeeze_method)method);
            snprintf(path, sizeof(path), "%s/%02u-%s.sample", argv[1], (unsigned)round,
                     ember_squeeze_method_name((ember_squeeze_method)method));
            if (write_sample(path, &clip, &block) != 0) {
                fprintf(stderr, "squeeze_samples: %s cannot be written\n", path);
                return 1;
            }
            free(block.data);
        }
        made_clip_free(&clip);
    }
    return 0;
}
