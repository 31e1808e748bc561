/* SPDX-License-Identifier: MIT */
/* What the game would make of a pack: findings with codes that never change their meaning.
   docs/formats/ff7.md lists them. */
#include <stdio.h>

#include "format/ff7/ff7_parts.h"

typedef struct check_rule {
    uint32_t       odd;
    const char    *code;
    ember_severity severity;
    const char    *effect;
} check_rule;

/* The game reads as many frames as frames_short says, from wherever that leads it. */
static const check_rule check_rules[] = {
    {EMBER_FF7_ODD_CUT, "FF7002", EMBER_SEVERITY_ERROR, "the game reads on in memory that is not the file's"},
    {EMBER_FF7_ODD_NOTHING, "FF7003", EMBER_SEVERITY_ERROR, "playing it crashes or shows garbage"},
    {EMBER_FF7_ODD_FEWER, "FF7004", EMBER_SEVERITY_ERROR, "the last frames are garbage, or the game crashes"},
    {EMBER_FF7_ODD_SIZE, "FF7005", EMBER_SEVERITY_ERROR, "the game reads on in the next clip"},
    {EMBER_FF7_ODD_KEY, "FF7006", EMBER_SEVERITY_ERROR, "the game takes bits of another width"},
    {EMBER_FF7_ODD_HEADER, "FF7007", EMBER_SEVERITY_ERROR,
     "the game cannot play it; ember ff7 repair can put it right"},
    {EMBER_FF7_ODD_COUNTERS, "FF7008", EMBER_SEVERITY_WARNING,
     "scripts wait for one number, the player shows the other"},
    {EMBER_FF7_ODD_MORE, "FF7009", EMBER_SEVERITY_WARNING, "the rest is never shown"},
    {EMBER_FF7_ODD_BONES, "FF7010", EMBER_SEVERITY_ERROR, "the bones turn by each other's values"},
    {EMBER_FF7_ODD_TRAILING, "FF7011", EMBER_SEVERITY_WARNING, "harmless, ember ff7 repack drops them"},
};

static void check_tell(const ember_findings *findings, const check_rule *rule, const char *clip,
                       const char *what)
{
    char          text[320];
    ember_finding finding = {rule->code, rule->severity, clip, NULL, -1, 1, text};
    snprintf(text, sizeof(text), "%s: %s", what, rule->effect);
    findings->take(findings->user, &finding);
}

static void check_chunk(const ember_ff7_chunk *chunk, const ember_findings *findings)
{
    emberi_ff7_name name = emberi_ff7_name_of(chunk->kind, chunk->index);
    for (size_t i = 0; i < sizeof(check_rules) / sizeof(check_rules[0]); i++)
        if ((chunk->odd & check_rules[i].odd) != 0)
            check_tell(findings, &check_rules[i], name.text,
                       ember_ff7_odd_text(chunk, check_rules[i].odd).text);
    if (chunk->kind == EMBER_FF7_SPECIAL && chunk->payload_size != 4) {
        const check_rule rule = {0, "FF7012", EMBER_SEVERITY_WARNING,
                                 "too small for an animation, but an empty slot has 4 bytes"};
        char             what[64];
        snprintf(what, sizeof(what), "a chunk of %u bytes", (unsigned)chunk->payload_size);
        check_tell(findings, &rule, name.text, what);
    }
}

/* The game plays both by one counter. */
static void check_partner(const ember_ff7_pack *pack, const ember_ff7_chunk *chunk,
                          const ember_findings *findings)
{
    uint32_t partner = ember_ff7_partner(pack, chunk->index);
    if (chunk->kind != EMBER_FF7_BODY || partner == UINT32_MAX ||
        pack->chunks[partner].frame_count >= chunk->frame_count)
        return;
    const check_rule rule = {0, "FF7013", EMBER_SEVERITY_WARNING, "the weapon stays behind at the end"};
    char             what[96];
    snprintf(what, sizeof(what), "%u frames, its weapon clip %u has %u", (unsigned)chunk->frame_count,
             (unsigned)partner, (unsigned)pack->chunks[partner].frame_count);
    check_tell(findings, &rule, emberi_ff7_name_of(chunk->kind, chunk->index).text, what);
}

ember_status ember_ff7_check(const ember_ff7_pack *pack, const ember_findings *findings, ember_error *err)
{
    char what[96];
    (void)err;
    if (pack->chunk_count != pack->count_field) {
        const check_rule rule = {0, "FF7001", EMBER_SEVERITY_ERROR,
                                 "the game looks for the others behind the file's end"};
        snprintf(what, sizeof(what), "%u clips are counted, %u are there", (unsigned)pack->count_field,
                 (unsigned)pack->chunk_count);
        check_tell(findings, &rule, NULL, what);
    } else if (pack->tail_offset < pack->size) {
        const check_rule rule = {0, "FF7014", EMBER_SEVERITY_WARNING, "never read"};
        snprintf(what, sizeof(what), "%zu bytes follow the last clip", pack->size - pack->tail_offset);
        check_tell(findings, &rule, NULL, what);
    }
    for (uint32_t i = 0; i < pack->chunk_count; i++) {
        check_chunk(&pack->chunks[i], findings);
        check_partner(pack, &pack->chunks[i], findings);
    }
    return EMBER_OK;
}
