/* SPDX-License-Identifier: MIT */
/* The edits of wasm2c's text: a test stands behind each result whose bits somebody may see, and behind no
   other; what is not understood gets all of them.
   Covers: object_nans.c. */
#include "engine/object/object_edit.h"
#include "testing.h"

#define BEGIN "static f32 w2c_f9(Z_game_instance_t* instance, f32 w2c_p0, f32 w2c_p1) {\n"
#define END "}\n"

/* A text after its edit; free it. */
static char *edited(const char *text)
{
    ember_buffer out = {.allocator = ember_heap()};
    assert_true(emberi_object_edit_code(&out, text, strlen(text)));
    assert_true(ember_buffer_append(&out, "", 1));
    char *copy = test_alloc(out.size);
    memcpy(copy, out.data, out.size);
    ember_buffer_free(&out);
    return copy;
}

/* The body's lines that are to be tested end in !, which is no part of the text. */
static void check_body(const char *marked)
{
    size_t size = strlen(marked);
    char  *text = test_alloc(size + 200), *expected = test_alloc(4 * size + 200);
    char  *t = text, *e = expected;
    t += sprintf(t, BEGIN);
    e += sprintf(e, BEGIN);
    for (const char *line = marked; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool   test = length > 0 && line[length - 1] == '!';
        int    kept = (int)length - test;
        t += sprintf(t, "  %.*s\n", kept, line);
        e += sprintf(e, "  %.*s", kept, line);
        if (test)
            e += sprintf(e, " EMBERI_NAN_%c(%.*s)", line[4], (int)strcspn(line, " "), line);
        e += sprintf(e, "\n");
        line += length + (line[length] == '\n');
    }
    sprintf(t, END);
    sprintf(e, END);
    char *got = edited(text);
    assert_string_equal(got, expected);
    free(got);
    free(text);
    free(expected);
}

TEST(what_is_returned_stored_or_passed_is_tested)
{
    check_body("w2c_f0 += w2c_f1;!\nreturn w2c_f0;\n");
    check_body("w2c_d0 = wasm_sqrt(w2c_d1);!\nf64_store(&instance->w2c_memory, (u64)(w2c_i0), w2c_d0);\n");
    check_body("w2c_f0_0 /= w2c_f1;!\nw2c_f2(instance, w2c_f0_0);\n");
    check_body("w2c_f0 -= w2c_f1;!\ninstance->w2c_g3 = w2c_f0;\n");
    check_body("w2c_f0 *= w2c_f1;!\nw2c_i0 = i32_reinterpret_f32(w2c_f0);\n");
    check_body("w2c_f0 += w2c_f1;!\nCALL_INDIRECT(instance->w2c_T0, void (*)(void*, f32), 0, w2c_i0, "
               "instance->w2c_T0.data[w2c_i0].module_instance, w2c_f0);\n");
}

TEST(what_goes_into_arithmetic_or_comparisons_is_not)
{
    check_body("w2c_f1 *= w2c_f2;\nw2c_f0 += w2c_f1;!\nreturn w2c_f0;\n");
    check_body("w2c_f1 *= w2c_f2;\nw2c_f0 = FMIN(w2c_f0, w2c_f1);\nreturn w2c_f0;\n");
    check_body("w2c_f1 *= w2c_f2;\nw2c_f1 = wasm_floorf(w2c_f1);\nreturn w2c_f1;\n");
    check_body("w2c_f1 *= w2c_f2;\nw2c_d1 = (f64)wasm_quietf(w2c_f1);\nreturn w2c_d1;\n");
    check_body("w2c_f1 *= w2c_f2;\nw2c_i0 = w2c_f1 < w2c_f0;\n");
    check_body("w2c_f1 *= w2c_f2;\nw2c_i0 = I32_TRUNC_SAT_S_F32(w2c_f1);\n");
    check_body("w2c_f1 *= w2c_f2;\nw2c_f1 = 4;\nreturn w2c_f1;\n");
    check_body("w2c_i1 += w2c_i2;\nreturn w2c_i1;\n");
}

TEST(what_is_copied_is_followed)
{
    check_body("w2c_f0 += w2c_f1;!\nw2c_l2 = w2c_f0;\nw2c_f0 = 1;\nw2c_f3 = w2c_l2;\nreturn w2c_f3;\n");
    check_body("w2c_f0 += w2c_f1;\nw2c_l2 = w2c_f0;\nw2c_f0 = w2c_l2;\nw2c_f0 *= w2c_f1;!\nreturn w2c_f0;\n");
    check_body("w2c_f0 += w2c_f1;!\nw2c_f0 = -(w2c_f0);\nreturn w2c_f0;\n");
    check_body("w2c_f0 += w2c_f1;\nw2c_f0 = wasm_fabsf(w2c_f0);\nw2c_f2 += w2c_f0;!\nreturn w2c_f2;\n");
    check_body("w2c_f0 += w2c_f1;!\nw2c_f2 = w2c_i0 ? w2c_f3 : w2c_f0;\nreturn w2c_f2;\n");
    check_body("w2c_f0 += w2c_f1;!\nw2c_d0 = copysign(w2c_f0, w2c_d1);\nreturn w2c_d0;\n");
}

TEST(branches_and_loops_are_followed)
{
    /* seen on one way only */
    check_body(
        "w2c_f0 += w2c_f1;!\nif (w2c_i0) {\nreturn w2c_f0;\n} else {\nw2c_f0 = 1;\n}\nreturn w2c_f0;\n");
    check_body("w2c_f0 += w2c_f1;\nif (w2c_i0) {\nw2c_f0 = 2;\n} else {\nw2c_f0 = 1;\n}\nreturn w2c_f0;\n");
    check_body("w2c_f0 += w2c_f1;!\nif (w2c_i0) {\nw2c_f0 = 2;\n}\nreturn w2c_f0;\n");
    check_body("w2c_f0 += w2c_f1;!\nif (w2c_i0) {goto w2c_B0;}\nw2c_f0 = 1;\nw2c_B0:;\nreturn w2c_f0;\n");
    check_body("w2c_f0 += w2c_f1;\ngoto w2c_B0;\nw2c_f0 -= w2c_f1;!\nreturn w2c_f0;\nw2c_B0:;\nreturn "
               "w2c_f2;\n");
    check_body("w2c_f0 += w2c_f1;!\nswitch (w2c_i0) {\ncase 0: goto w2c_B0;\ndefault: goto "
               "w2c_B1;\n}\nw2c_B0:;\nreturn w2c_f0;\nw2c_B1:;\nreturn w2c_f2;\n");
    /* a result that the next round reads at the loop's start */
    check_body("w2c_L0: \nw2c_f3 = w2c_l1;\nf32_store(&instance->w2c_memory, (u64)(w2c_i0), w2c_f3);\nw2c_f0 "
               "+= w2c_f1;!\nw2c_l1 = w2c_f0;\nif (w2c_i0) {goto w2c_L0;}\nreturn w2c_f2;\n");
    check_body("w2c_L0: \nw2c_f0 = w2c_l1;\nw2c_f0 += w2c_f1;\nw2c_l1 = w2c_f0;\nif (w2c_i0) {goto "
               "w2c_L0;}\nreturn w2c_f2;\n");
    check_body(
        "{\nstruct wasm_multi_fd tmp = w2c_f0(instance, w2c_f0_0);\nw2c_f0_0 = tmp.f0;\n}\nw2c_f0_0 += "
        "w2c_f1;!\n{\nstruct wasm_multi_fd tmp;\ntmp.f0 = w2c_f0_0;\nreturn tmp;\n}\n");
}

TEST(a_text_that_is_not_understood_is_tested_everywhere)
{
    check_body("w2c_f0 += w2c_f1;!\nw2c_f0 = 1;\n} else {\nw2c_f2 -= w2c_f1;!\n");
}

TEST(the_helpers_give_the_canonical_nan_and_the_rest_stays)
{
    char *got =
        edited("/* w2c_f0 += w2c_f1; */\nstatic float quiet_nanf(float x) {\n  tmp |= 0x7fc00000lu;\n}\n"
               "  tmp |= 0x7ff8000000000000llu;\n    wasm_asm(\"\" ::\"r\"(result));   \\\n"
               "  w2c_f0 += w2c_f1;\nlast");
    assert_string_equal(got, "/* w2c_f0 += w2c_f1; */\nstatic float quiet_nanf(float x) {\n  tmp = "
                             "0x7fc00000lu;\n}\n  tmp = 0x7ff8000000000000llu;\n    wasm_asm(\"\" "
                             "::EMBERI_LOADED(result));   \\\n  w2c_f0 += w2c_f1;\nlast\n");
    free(got);
}

TEST(flags_of_segments_get_an_address)
{
    static const char text[] = "  u32 w2c_g0;\n  bool data_segment_dropped_w2c_d0 : 1;\n  bool other : 1;\n";
    ember_buffer      out = {.allocator = ember_heap()};
    assert_true(emberi_object_edit_header(&out, text, strlen(text)));
    assert_true(ember_buffer_append(&out, "", 1));
    assert_string_equal((const char *)out.data,
                        "  u32 w2c_g0;\n  bool data_segment_dropped_w2c_d0;\n  bool other : 1;\n");
    ember_buffer_free(&out);
}
