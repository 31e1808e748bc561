/* SPDX-License-Identifier: MIT */
/* Keys of version 6: one list of numbers and letters, of which the letters say how many numbers follow. A
   list that does not come out even is a damaged curve. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

typedef struct key_list {
    fbx_cursor cursor;
    fbx_value  value; /* the next one */
    bool       more;
} key_list;

static void list_step(key_list *list) { list->more = emberi_fbx_next(&list->cursor, &list->value); }

static bool list_number(key_list *list, double *out)
{
    if (!list->more || list->value.kind > FBX_VALUE_REAL)
        return false;
    *out = list->value.real;
    list_step(list);
    return true;
}

static char list_letter(key_list *list)
{
    char letter = list->more ? emberi_fbx_letter(&list->value) : '\0';
    if (letter != '\0')
        list_step(list);
    return letter;
}

static bool list_floats(key_list *list, float *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double value;
        if (!list_number(list, &value))
            return false;
        out[i] = (float)value;
        if (out[i] - out[i] != 0.0f)
            out[i] = 0.0f;
    }
    return true;
}

/* U and how the slopes are given, then how the weights are. */
static bool cubic_read(key_list *list, fbx_run *run)
{
    float data[3] = {0.0f, 0.0f, 0.0f}, weights[2] = {0.0f, 0.0f};
    char  slopes = list_letter(list);
    run->flags = FBX_KEY_CUBIC;
    if (slopes == 's' || slopes == 'b')
        run->flags |= FBX_KEY_USER;
    else if (slopes == 't')
        run->flags |= FBX_KEY_TCB;
    else
        run->flags |= FBX_KEY_CLAMP_PROGRESSIVE | FBX_KEY_TIME_INDEPENDENT;
    uint32_t count = slopes == 'a' ? 0 : slopes == 't' ? 3 : slopes == 'd' ? 1 : 2;
    if (slopes == '\0' || strchr("sbapqtd", slopes) == NULL || !list_floats(list, data, count))
        return false;
    run->right = data[0];
    run->next_left = data[1];
    run->right_weight = run->next_left_weight = 1.0f / 3.0f;
    if (slopes == 't')
        run->right_weight = data[2];
    /* The oldest files have no letter for the weights; then comes the next key's time. */
    char kind = list->more ? emberi_fbx_letter(&list->value) : '\0';
    if (kind == '\0' || strchr("narlc", kind) == NULL)
        return true;
    list_step(list);
    count = kind == 'a' ? 2 : kind == 'r' || kind == 'l' ? 1 : 0;
    if (!list_floats(list, weights, count))
        return false;
    if (slopes != 't' && (kind == 'a' || kind == 'r'))
        run->right_weight = weights[0];
    if (kind == 'a' || kind == 'l')
        run->next_left_weight = weights[count - 1];
    return true;
}

static bool key_read(key_list *list, int64_t *time, float *value, fbx_run *run)
{
    if (!list->more || list->value.kind > FBX_VALUE_REAL)
        return false;
    *time = list->value.integer;
    list_step(list);
    if (!list_floats(list, value, 1))
        return false;
    char mode = list_letter(list);
    *run = (fbx_run){.right_weight = 1.0f / 3.0f, .next_left_weight = 1.0f / 3.0f};
    if (mode == 'U')
        return cubic_read(list, run);
    run->flags = FBX_KEY_LINEAR;
    if (mode == 'C') {
        char which = list->more ? emberi_fbx_letter(&list->value) : '\0';
        run->flags = FBX_KEY_CONSTANT | (which == 'n' ? FBX_KEY_NEXT : 0);
        if (which == 's' || which == 'n')
            list_step(list);
    }
    return mode == 'L' || mode == 'C';
}

static bool same_run(const fbx_run *a, const fbx_run *b)
{
    return a->flags == b->flags && memcmp(&a->right, &b->right, 4 * sizeof(float)) == 0;
}

ember_status emberi_fbx_old_keys_read(fbx_document *doc, fbx_curve *out, uint32_t record, bool *damaged)
{
    fbx_file *file = &doc->file;
    uint32_t  keys = emberi_fbx_child(file, record, "Key");
    int64_t   count = emberi_fbx_whole(file, emberi_fbx_child(file, record, "KeyCount"), 0, 0);
    key_list  list = {.cursor = emberi_fbx_values(file, keys)};
    int64_t  *times;
    float    *values;
    fbx_run  *runs;
    *damaged = false;
    /* A key is three values at least, and a value two bytes. */
    if (count <= 0 || keys == FBX_NONE)
        return EMBER_OK;
    *damaged = (uint64_t)count > emberi_fbx_record(file, keys)->values_size / 6 + 1 || count >= FBX_NONE;
    if (*damaged)
        return EMBER_OK;
    EMBERI_TRY(FBX_PUSH(file, &times, &file->pass, int64_t, (size_t)count));
    EMBERI_TRY(FBX_PUSH(file, &values, &file->pass, float, (size_t)count));
    EMBERI_TRY(FBX_PUSH(file, &runs, &file->pass, fbx_run, (size_t)count));
    list_step(&list);
    for (uint32_t i = 0; i < (uint32_t)count && !*damaged; i++) {
        fbx_run run = {0};
        *damaged = !key_read(&list, &times[i], &values[i], &run) || (i != 0 && times[i] <= times[i - 1]) ||
                   times[i] < INT64_MIN / 4 || times[i] > INT64_MAX / 4;
        if (out->run_count != 0 && same_run(&runs[out->run_count - 1], &run))
            continue;
        run.first = i;
        runs[out->run_count++] = run;
    }
    out->times = times;
    out->values = values;
    out->runs = runs;
    out->key_count = *damaged ? 0 : (uint32_t)count;
    return EMBER_OK;
}
