/* SPDX-License-Identifier: MIT */
/* All 2^32 floats to half, against the machine's own conversion. Where the code is not optimised or runs
   under a sanitizer, a sample of them, and it says so. */
#include "hardware.h"

#include "base/bytes.h"

#if defined(__SANITIZE_ADDRESS__)
#define SLOW_BUILD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW_BUILD 1
#endif
#endif
#if !defined(SLOW_BUILD) && !defined(__OPTIMIZE__)
#define SLOW_BUILD 1
#endif

#ifdef SLOW_BUILD
#define STRIDE 31u /* odd, so that all patterns of low bits come up */
#else
#define STRIDE 1u
#endif

TEST(all_floats_become_the_half_that_the_machine_says)
{
    hardware_half machine = hardware_find();
    if (machine.name == NULL) {
        print_message("neither F16C nor _Float16 here: not compared\n");
        skip();
    }
    uint64_t compared = 0;
    for (uint64_t first = 0; first < UINT64_C(1) << 32; first += (uint64_t)HARDWARE_BLOCK * STRIDE) {
        float    floats[HARDWARE_BLOCK];
        uint16_t expected[HARDWARE_BLOCK], got[HARDWARE_BLOCK];
        for (uint32_t i = 0; i < HARDWARE_BLOCK; i++)
            floats[i] = emberi_float_of((uint32_t)first + i * STRIDE);
        machine.to_half(expected, floats);
        for (uint32_t i = 0; i < HARDWARE_BLOCK; i++)
            got[i] = ember_f16_from_f32(floats[i]);
        if (memcmp(got, expected, sizeof(got)) != 0)
            for (uint32_t i = 0; i < HARDWARE_BLOCK; i++)
                if (got[i] != expected[i])
                    fail_msg("float %08x: %04x, but %s says %04x", emberi_bits_of(floats[i]), got[i],
                             machine.name, expected[i]);
        compared += HARDWARE_BLOCK;
    }
    print_message("%llu floats%s against %s\n", (unsigned long long)compared,
                  STRIDE == 1u ? " (all)" : " (every 31st)", machine.name);
    assert_true(compared >= (UINT64_C(1) << 32) / STRIDE);
}
