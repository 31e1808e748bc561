/* The target `ff7`: the library has the rules, this only takes down what it finds. */
#include "validate_ff7.h"

#include "ember/ff7.h"

static const finding_rule ff7_unreadable = {"FF7000", true};

void validate_ff7_unreadable(findings *out, const char *why)
{
    findings_add(out, &ff7_unreadable, (finding_place){NULL, NULL, FINDING_NO_FRAME, 1}, "%s", why);
}

static void ff7_take(void *user, const ember_finding *found)
{
    finding_rule  rule = {found->code, found->severity == EMBER_SEVERITY_ERROR};
    finding_place where = {found->clip, found->bone, found->frame, found->count};
    findings_add(user, &rule, where, "%s", found->text);
}

void validate_ff7_pack(findings *out, uint32_t *clip_count, const ember_buffer *bytes, const input *skeleton)
{
    const ember_findings ears = {ff7_take, out};
    ember_error          err = EMBER_ERROR_INIT;
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    ember_ff7_skeleton   bones = {.bone_count = 0};
    ember_ff7_pack       pack;
    bool                 given = skeleton->info != NULL && skeleton->info->format == EMBER_FORMAT_FF7AA;
    ember_status         status = EMBER_OK;
    if (given)
        status = ember_ff7_skeleton_read(&bones, skeleton->bytes.data, skeleton->bytes.size, &arena, &err);
    if (status == EMBER_OK)
        status = ember_ff7_pack_read(&pack, bytes->data, bytes->size, given ? &bones : NULL, &arena, &err);
    if (status == EMBER_OK) {
        *clip_count = pack.chunk_count;
        status = ember_ff7_check(&pack, &ears, &err);
    }
    if (status != EMBER_OK)
        validate_ff7_unreadable(out, err.text);
    ember_arena_free(&arena);
}

uint64_t validate_ff7_model(findings *out, const ember_model *model)
{
    const ember_write_options writing = {.format = EMBER_FORMAT_FF7};
    ember_buffer              bytes = {.allocator = ember_heap()};
    ember_error               err = EMBER_ERROR_INIT;
    if (ember_model_write(&bytes, model, &writing, &err) != EMBER_OK)
        validate_ff7_unreadable(out, err.text);
    uint64_t size = bytes.size;
    ember_buffer_free(&bytes);
    return size;
}
