/* SPDX-License-Identifier: MIT */
/* Trees that are changed: values are put, replaced, added and removed, and what was shared
   stays as it was. */
#include "testing.h"

#include "base/json/json_edit.h"

TEST(json_edit_adds_and_replaces)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    json_t      object = emberi_json_edit_list(JSON_OBJECT), array = emberi_json_edit_list(JSON_ARRAY);
    for (int i = 0; i < 1000; i++)
        assert_true(emberi_json_edit_add(&arena, &array, emberi_json_edit_number(i)));
    assert_int_equal(json_array_size(&array), 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_true(json_number_value(json_array_get(&array, i)) == (double)i);
    assert_true(emberi_json_edit_set(&arena, &object, "list", array));
    assert_true(emberi_json_edit_set(&arena, &object, "name", emberi_json_edit_text("a")));
    assert_true(emberi_json_edit_set(&arena, &object, "name", emberi_json_edit_text("b")));
    assert_int_equal(json_object_size(&object), 2);
    assert_string_equal(json_string_value(json_object_get(&object, "name")), "b");
    emberi_json_edit_remove(&object, "list");
    emberi_json_edit_remove(&object, "list");
    assert_int_equal(json_object_size(&object), 1);
    assert_string_equal(json_object_key(&object, 0), "name");
    ember_arena_free(&arena);
}

TEST(json_edit_leaves_a_copied_list_alone)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    static const char text[] = "{\"a\":1,\"b\":[2]}";
    emberi_json_fault fault;
    const json_t     *root = emberi_json_parse((const uint8_t *)text, sizeof(text) - 1, 0, &arena, &fault);
    json_t            copy;
    assert_true(emberi_json_edit_copy(&arena, &copy, root));
    assert_true(emberi_json_edit_set(&arena, &copy, "a", emberi_json_edit_number(7)));
    assert_true(emberi_json_edit_set(&arena, &copy, "c", emberi_json_edit_number(8)));
    emberi_json_edit_remove(&copy, "b");
    assert_true(json_number_value(json_object_get(root, "a")) == 1.0);
    assert_int_equal(json_object_size(root), 2);
    assert_int_equal(json_array_size(json_object_get(root, "b")), 1);
    assert_true(json_number_value(json_object_get(&copy, "a")) == 7.0);
    assert_int_equal(json_object_size(&copy), 2);
    ember_arena_free(&arena);
}

TEST(json_edit_refuses_other_types_and_a_full_arena)
{
    static _Alignas(16) uint8_t memory[64];
    ember_arena                 arena = ember_arena_fixed(memory, sizeof(memory));
    json_t number = emberi_json_edit_number(1), array = emberi_json_edit_list(JSON_ARRAY);
    assert_false(emberi_json_edit_add(&arena, &number, number));
    assert_false(emberi_json_edit_set(&arena, &array, "a", number));
    assert_false(emberi_json_edit_set(&arena, NULL, "a", number));
    assert_false(emberi_json_edit_copy(&arena, &array, NULL));
    assert_false(emberi_json_edit_add(&arena, &array, number));
    assert_int_equal(json_array_size(&array), 0);
}
