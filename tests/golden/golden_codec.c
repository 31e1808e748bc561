/* SPDX-License-Identifier: MIT */
/* Golden hashes of the codecs and of the own mathematics. */
#include "golden.h"

#include "base/bytes.h"

#define ROUNDS 20000

static void codec_halves(void)
{
    golden_begin("f32_from_f16");
    for (uint32_t half = 0; half < 65536; half++)
        golden_float(ember_f32_from_f16((uint16_t)half));
    golden_begin("f16_from_f32");
    golden_seed(1);
    for (int i = 0; i < ROUNDS; i++) {
        float    value = emberi_float_of(golden_u32());
        uint16_t half = value == value ? ember_f16_from_f32(value) : 0;
        uint8_t  bytes[2] = {(uint8_t)half, (uint8_t)(half >> 8)};
        golden_bytes(bytes, 2);
    }
}

static void codec_rotations(void)
{
    golden_begin("quat32");
    golden_seed(2);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t packed = golden_u32(), again = 0;
        uint8_t  bytes[4];
        golden_quat(ember_quat32_decode(packed));
        golden_status(ember_quat32_encode(&packed, golden_rotation()));
        golden_status(ember_quat32_encode_again(&again, ember_quat32_decode(packed)));
        emberi_put_u32(bytes, packed ^ (again + 1u));
        golden_bytes(bytes, 4);
    }
    golden_begin("quat32_nearest");
    golden_seed(9);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t packed = 0;
        uint8_t  bytes[4];
        golden_status(ember_quat32_encode_nearest(&packed, golden_rotation()));
        emberi_put_u32(bytes, packed);
        golden_bytes(bytes, 4);
    }
    golden_begin("quat48");
    golden_seed(3);
    for (int i = 0; i < ROUNDS; i++) {
        uint16_t packed[3] = {0, 0, 0};
        golden_status(ember_quat48_encode(packed, golden_rotation()));
        for (int k = 0; k < 3; k++) {
            uint8_t bytes[2] = {(uint8_t)packed[k], (uint8_t)(packed[k] >> 8)};
            golden_bytes(bytes, 2);
        }
        golden_quat(ember_quat48_decode(packed));
    }
}

static void codec_fixed(void)
{
    golden_begin("fp12");
    golden_seed(4);
    for (int i = 0; i < ROUNDS; i++) {
        float   value = golden_number(-20.0f, 20.0f, true);
        uint8_t bytes[4];
        for (int rounding = 0; rounding < 2; rounding++) {
            emberi_put_u32(bytes, (uint32_t)ember_fp12_s16_from_f32(value, (ember_rounding)rounding));
            golden_bytes(bytes, 4);
            emberi_put_u32(bytes, (uint32_t)ember_fp12_s32_from_f32(value, (ember_rounding)rounding));
            golden_bytes(bytes, 4);
        }
        golden_float(ember_f32_from_fp12((int32_t)golden_u32()));
    }
}

static void codec_records(void)
{
    golden_begin("records");
    golden_seed(5);
    for (int i = 0; i < ROUNDS / 4; i++)
        for (int record = 0; record < EMBER_RECORD_COUNT; record++) {
            ember_transform t = golden_transform(false), back;
            ember_vec3      rest = golden_vector(2.0f);
            uint8_t         bytes[20] = {0};
            golden_status(ember_record_encode(bytes, (ember_record)record, &t));
            golden_bytes(bytes, sizeof(bytes));
            back = ember_record_decode(bytes, (ember_record)record, &rest);
            golden_transforms(&back, 1);
        }
}

void golden_codec(void)
{
    codec_halves();
    codec_rotations();
    codec_fixed();
    codec_records();
}

void golden_maths(void)
{
    golden_begin("sin_cos");
    golden_seed(6);
    for (int i = 0; i < ROUNDS; i++) {
        float x = i % 2 == 0 ? golden_between(-10.0f, 10.0f) : golden_number(-1000.0f, 1000.0f, true);
        golden_float(emberi_sin(x));
        golden_float(emberi_cos(x));
    }
    golden_begin("acos");
    golden_seed(7);
    for (int i = 0; i < ROUNDS; i++)
        golden_float(emberi_acos(golden_number(-1.0f, 1.0f, i % 2 == 0)));
    golden_begin("atan2");
    golden_seed(8);
    for (int i = 0; i < ROUNDS; i++) {
        float y = golden_number(-2.0f, 2.0f, i % 2 == 0), x = golden_number(-2.0f, 2.0f, i % 2 == 0);
        golden_float(emberi_atan2(y, x));
    }
}
