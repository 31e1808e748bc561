/* SPDX-License-Identifier: MIT */
/* The driver of the golden hashes: random numbers, hashing, and the lines of text. */
#include "golden.h"

#include "base/bytes.h"

#define TEXT_SIZE 16384

static char     text[TEXT_SIZE];
static size_t   text_size;
static uint64_t hash;
static bool     line_open;
static uint64_t random_state;

/* ---- lines ---- */

static void text_add(char c)
{
    if (text_size < TEXT_SIZE - 1)
        text[text_size++] = c;
}

static void golden_end(void)
{
    if (!line_open)
        return;
    for (int shift = 60; shift >= 0; shift -= 4)
        text_add("0123456789abcdef"[(hash >> shift) & 15u]);
    text_add('\n');
    line_open = false;
}

void golden_begin(const char *name)
{
    golden_end();
    while (*name != '\0')
        text_add(*name++);
    text_add(' ');
    hash = EMBERI_HASH_START;
    line_open = true;
}

void golden_bytes(const void *data, size_t size) { hash = emberi_hash(hash, data, size); }

void golden_floats(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = emberi_bits_of(values[i]);
        uint8_t  bytes[4];
        if ((bits & 0x7fffffffu) > 0x7f800000u)
            bits = 0x7fc00000u;
        emberi_put_u32(bytes, bits);
        golden_bytes(bytes, 4);
    }
}

const char *golden_text(void)
{
    text_size = 0;
    golden_codec();
    golden_maths();
    golden_single();
    golden_jobs();
    golden_skin();
    golden_squeeze();
    golden_lean();
    golden_player();
    golden_end();
    text[text_size] = '\0';
    return text;
}

const char *golden_isa(void) { return ember_isa_name(ember_isa_used()); }

/* ---- input ---- */

void golden_seed(uint32_t seed) { random_state = UINT64_C(0x9e3779b97f4a7c15) * (2 * (uint64_t)seed + 1); }

uint32_t golden_u32(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * UINT64_C(0x2545F4914F6CDD1D)) >> 32);
}

float golden_between(float low, float high)
{
    return low + (high - low) * ((float)(golden_u32() >> 8) / 16777216.0f);
}

ember_quat golden_rotation(void)
{
    for (;;) {
        float x = golden_between(-1.0f, 1.0f), y = golden_between(-1.0f, 1.0f);
        float z = golden_between(-1.0f, 1.0f), w = golden_between(-1.0f, 1.0f);
        float squared = (x * x + y * y) + (z * z + w * w);
        if (squared < 0.01f || squared > 1.0f)
            continue;
        float length = emberi_sqrt(squared);
        return (ember_quat){x / length, y / length, z / length, w / length};
    }
}

/* One after the other: the order in which an initialiser's parts are computed is the compiler's. */
ember_vec3 golden_vector(float size)
{
    float x = golden_between(-size, size), y = golden_between(-size, size), z = golden_between(-size, size);
    return (ember_vec3){x, y, z};
}

float golden_number(float low, float high, bool awkward)
{
    uint32_t dice = golden_u32();
    if (awkward)
        switch (dice % 8) {
        case 0:
            return emberi_float_of(dice & 0x80000000u);
        case 1:
            return emberi_float_of(dice & 0x807fffffu); /* denormal */
        case 2:
            return golden_between(-1e-6f, 1e-6f);
        case 3:
            return golden_between(-1e6f, 1e6f);
        default:
            break;
        }
    return golden_between(low, high);
}

ember_transform golden_transform(bool awkward)
{
    ember_transform t;
    float          *f = &t.rotation.x;
    if (awkward)
        for (int i = 0; i < 4; i++)
            f[i] = golden_number(-1.0f, 1.0f, true);
    else
        t.rotation = golden_rotation();
    for (int i = 4; i < 10; i++)
        f[i] = i < 7 ? golden_number(-2.0f, 2.0f, awkward) : golden_number(0.5f, 1.5f, awkward);
    return t;
}

void golden_pose(ember_transform *out, size_t count, bool awkward)
{
    for (size_t i = 0; i < count; i++)
        out[i] = golden_transform(awkward);
}

/* Any bits but halves that are not finite. */
void golden_frame(uint8_t *out, size_t count)
{
    for (size_t i = 0; i < count * 8; i++) {
        uint32_t half = golden_u32() & 0xffffu;
        if (i % 8 >= 2 && (half & 0x7c00u) == 0x7c00u)
            half &= 0xbfffu;
        emberi_put_u16(out + 2 * i, (uint16_t)half);
    }
}

void golden_parents(int16_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t dice = golden_u32();
        if (i == 0 || dice % 16 == 0)
            out[i] = EMBER_NO_PARENT;
        else
            out[i] = (int16_t)(dice % 2 == 0 ? i - 1 : (dice >> 4) % i);
    }
}
