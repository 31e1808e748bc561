/* SPDX-License-Identifier: MIT */
/* The target `ff7`: the library has the rules, this only takes down what it finds. */
#include "verbs/validate/validate_ff7.h"

static const finding_rule ff7_unreadable = {"FF7000", true};

void validate_ff7_unreadable(findings *out, const ember_error *why)
{
    findings_add_error(out, &ff7_unreadable, why);
}

bool validate_ff7_file(findings *out, uint32_t *clip_count, const ember_buffer *bytes,
                       const ember_ff7_skeleton *skeleton, ember_error *err)
{
    const ember_findings ears = {findings_take, out};
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    ember_ff7_pack       pack;
    bool good = ember_ff7_pack_read(&pack, bytes->data, bytes->size, skeleton, &arena, err) == EMBER_OK &&
                ember_ff7_check(&pack, &ears, err) == EMBER_OK;
    if (good)
        *clip_count = pack.chunk_count;
    ember_arena_free(&arena);
    return good;
}
