/* SPDX-License-Identifier: MIT */
/* The words of a BVH file and its first half, the hierarchy of joints. What comes in may be anything; errors
   say in which line and column it is wrong. */
#include <string.h>

#include "base/check.h"
#include "format/bvh/bvh.h"

#define BVH_MAX_JOINTS 32767u

/* ---- words ---- */

emberi_word emberi_bvh_word(emberi_scan *scan)
{
    emberi_scan_space(scan);
    emberi_word word = {scan->cursor, 0};
    emberi_scan ahead = *scan;
    word.size = emberi_scan_word(&ahead).size;
    for (size_t i = 0; i < word.size; i++) {
        if (word.text[i] == '{' || word.text[i] == '}') {
            word.size = i != 0 ? i : 1;
            break;
        }
    }
    scan->cursor += word.size;
    return word;
}

emberi_quoted emberi_bvh_quote(emberi_word word)
{
    char   text[48];
    size_t size = word.size < sizeof(text) - 1 ? word.size : sizeof(text) - 1;
    memcpy(text, word.text, size);
    text[size] = '\0';
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] >= 0x80u)
            text[i] = '?';
    return emberi_quote(text);
}

ember_status emberi_bvh_fail_word(emberi_scan *scan, emberi_word word, const char *expected)
{
    scan->cursor = word.text;
    if (word.size == 0)
        return emberi_scan_fail(scan, EMBER_E_TRUNCATED, "the file ends where %s should be", expected);
    return emberi_scan_fail(scan, EMBER_E_MALFORMED, "%s where %s should be", emberi_bvh_quote(word).text,
                            expected);
}

static ember_status bvh_number(emberi_scan *scan, double *out, const char *expected)
{
    emberi_scan_space(scan);
    if (emberi_scan_number(scan, out, NULL))
        return EMBER_OK;
    return emberi_bvh_fail_word(scan, emberi_bvh_word(scan), expected);
}

ember_status emberi_bvh_expect(emberi_scan *scan, const char *text)
{
    emberi_word word = emberi_bvh_word(scan);
    return emberi_word_is(word, text) ? EMBER_OK : emberi_bvh_fail_word(scan, word, text);
}

ember_status emberi_bvh_label(emberi_scan *scan, const char *label, const char *expected)
{
    emberi_scan_space(scan);
    const char *start = scan->cursor;
    emberi_word word = {start, strlen(label)};
    if ((size_t)(scan->end - start) >= word.size && emberi_word_is(word, label)) {
        scan->cursor += word.size;
        emberi_scan_blanks(scan);
        if (!emberi_scan_at_end(scan) && *scan->cursor == ':') {
            scan->cursor++;
            return EMBER_OK;
        }
    }
    scan->cursor = start;
    return emberi_bvh_fail_word(scan, emberi_bvh_word(scan), expected);
}

/* ---- the hierarchy ---- */

/* The rest of the line, or what stands before a brace in it. */
static emberi_word bvh_name(emberi_scan *scan)
{
    emberi_word name = emberi_scan_rest_of_line(scan);
    const char *brace = memchr(name.text, '{', name.size);
    if (brace != NULL) {
        scan->cursor = brace;
        name.size = (size_t)(brace - name.text);
    }
    while (name.size != 0 && (name.text[name.size - 1] == ' ' || name.text[name.size - 1] == '\t'))
        name.size--;
    return name;
}

/* As many as will be read: names are stepped over here too, because a joint may be called MOTION. */
static uint32_t bvh_count_joints(emberi_scan scan)
{
    uint32_t count = 0;
    while (count <= BVH_MAX_JOINTS) {
        emberi_word word = emberi_bvh_word(&scan);
        if (word.size == 0 || emberi_word_is(word, "MOTION"))
            break;
        if (emberi_word_is(word, "ROOT") || emberi_word_is(word, "JOINT")) {
            count++;
            (void)bvh_name(&scan);
        }
    }
    return count;
}

static ember_status bvh_joint_begin(bvh_file *file, int32_t parent)
{
    emberi_scan *scan = &file->scan;
    emberi_scan_blanks(scan);
    const char *start = scan->cursor;
    emberi_word name = bvh_name(scan);
    if (file->joint_count == BVH_MAX_JOINTS) {
        scan->cursor = start;
        return emberi_scan_fail(scan, EMBER_E_LIMIT, "more than %u joints", BVH_MAX_JOINTS);
    }
    EMBERI_ASSERT(file->joint_count < file->joint_room);
    uint32_t index = file->joint_count++;
    file->parents[index] = (int16_t)parent;
    if (name.size != 0) {
        file->names[index] = emberi_copy_name(file->source->arena, name.text, name.size);
        if (file->names[index] == NULL)
            return emberi_fail_memory(file->source->err);
    }
    return emberi_bvh_expect(scan, "{");
}

static ember_status bvh_offset(bvh_file *file, double out[3])
{
    ember_status status = EMBER_OK;
    for (int i = 0; i < 3 && status == EMBER_OK; i++)
        status = bvh_number(&file->scan, &out[i], "a number of the OFFSET");
    return status;
}

static ember_status bvh_channel(uint8_t *out, emberi_scan *scan)
{
    static const char *const names[] = {"Xposition", "Yposition", "Zposition",
                                        "Xrotation", "Yrotation", "Zrotation"};
    emberi_word              word = emberi_bvh_word(scan);
    for (uint8_t i = 0; i < BVH_MAX_CHANNELS; i++) {
        if (emberi_word_is(word, names[i])) {
            *out = i;
            return EMBER_OK;
        }
    }
    return emberi_bvh_fail_word(scan, word, "a channel such as Xposition or Zrotation");
}

/* Rotations may come twice (ZXZ angles), positions may not: which of the two would count? */
static ember_status bvh_channels(bvh_file *file, bvh_joint *joint)
{
    emberi_scan *scan = &file->scan;
    int64_t      count;
    emberi_scan_space(scan);
    const char *start = scan->cursor;
    if (!emberi_scan_integer(scan, &count, ""))
        return emberi_bvh_fail_word(scan, emberi_bvh_word(scan), "the number of CHANNELS");
    if (joint->has_channels || count < 0 || count > (int64_t)BVH_MAX_CHANNELS) {
        scan->cursor = start;
        return emberi_scan_fail(scan, EMBER_E_MALFORMED,
                                "%lld channels%s, a joint has 0 to 6 of them, said once", (long long)count,
                                joint->has_channels ? " more" : "");
    }
    joint->has_channels = true;
    for (; joint->channel_count < (uint8_t)count; joint->channel_count++) {
        uint8_t     *channel = &joint->channels[joint->channel_count];
        ember_status status = bvh_channel(channel, scan);
        if (status != EMBER_OK)
            return status;
        for (uint8_t i = 0; i < joint->channel_count; i++)
            if (*channel < 3 && joint->channels[i] == *channel)
                return emberi_scan_fail(scan, EMBER_E_MALFORMED, "a position channel is there twice");
    }
    file->channel_count += joint->channel_count;
    return EMBER_OK;
}

static ember_status bvh_end_site(bvh_file *file)
{
    double       unused[3];
    ember_status status = emberi_bvh_expect(&file->scan, "Site");
    if (status == EMBER_OK)
        status = emberi_bvh_expect(&file->scan, "{");
    if (status == EMBER_OK)
        status = emberi_bvh_expect(&file->scan, "OFFSET");
    if (status == EMBER_OK)
        status = bvh_offset(file, unused);
    file->end_sites++;
    return status == EMBER_OK ? emberi_bvh_expect(&file->scan, "}") : status;
}

static ember_status bvh_joint_word(bvh_file *file, emberi_word word, int32_t *current)
{
    emberi_scan *scan = &file->scan;
    bvh_joint   *joint = &file->joints[*current];
    if (emberi_word_is(word, "OFFSET") && !joint->has_offset) {
        joint->has_offset = true;
        return bvh_offset(file, joint->offset);
    }
    if (emberi_word_is(word, "CHANNELS"))
        return bvh_channels(file, joint);
    if (emberi_word_is(word, "End"))
        return bvh_end_site(file);
    if (emberi_word_is(word, "JOINT")) {
        ember_status status = bvh_joint_begin(file, *current);
        *current = (int32_t)file->joint_count - 1;
        return status;
    }
    if (!emberi_word_is(word, "}"))
        return emberi_bvh_fail_word(scan, word,
                                    joint->has_offset ? "CHANNELS, JOINT, End Site or }" : "OFFSET");
    if (!joint->has_offset) {
        scan->cursor = word.text;
        return emberi_scan_fail(scan, EMBER_E_MALFORMED, "a joint without an OFFSET");
    }
    *current = file->parents[*current];
    return EMBER_OK;
}

ember_status emberi_bvh_hierarchy(bvh_file *file)
{
    ember_arena *arena = file->source->arena;
    int32_t      current = -1;
    ember_status status = emberi_bvh_expect(&file->scan, "HIERARCHY");
    if (status != EMBER_OK)
        return status;
    file->joint_room = bvh_count_joints(file->scan);
    file->joints = EMBER_PUSH(arena, bvh_joint, file->joint_room);
    file->parents = EMBER_PUSH(arena, int16_t, file->joint_room);
    file->names = EMBER_PUSH(arena, const char *, file->joint_room);
    if (file->joints == NULL || file->parents == NULL || file->names == NULL)
        return emberi_fail_memory(file->source->err);
    for (;;) {
        emberi_word word = emberi_bvh_word(&file->scan);
        if (current >= 0)
            status = bvh_joint_word(file, word, &current);
        else if (emberi_word_is(word, "ROOT")) {
            status = bvh_joint_begin(file, -1);
            current = (int32_t)file->joint_count - 1;
        } else if (emberi_word_is(word, "MOTION") && file->joint_count != 0)
            return EMBER_OK;
        else
            return emberi_bvh_fail_word(&file->scan, word,
                                        file->joint_count != 0 ? "MOTION or ROOT" : "ROOT");
        if (status != EMBER_OK)
            return status;
    }
}
