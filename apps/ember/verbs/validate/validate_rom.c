/* SPDX-License-Identifier: MIT */
/* The rules ROM001 and so on; those about what is inside are the library's. */
#include "verbs/validate/validate_rom.h"

#include "ember/rom.h"

static const finding_rule rom_unreadable = {"ROM001", true};
static const finding_rule rom_too_big = {"ROM008", true};

static const finding_place rom_whole_file = {NULL, NULL, FINDING_NO_FRAME, 1};

static void rom_take(void *user, const ember_finding *found)
{
    finding_rule rule = {found->code, found->severity == EMBER_SEVERITY_ERROR};
    findings_add(user, &rule, (finding_place){found->clip, NULL, FINDING_NO_FRAME, 1}, "%s", found->text);
}

void validate_rom(findings *out, const input *in)
{
    ember_rom     *rom;
    ember_error    err = EMBER_ERROR_INIT;
    ember_findings taker = {rom_take, out};
    if (in->bytes.size > EMBER_ROM_MAX_SIZE)
        findings_add(out, &rom_too_big, rom_whole_file, "%zu bytes, more than 16 MiB", in->bytes.size);
    if (ember_rom_open_memory(&rom, in->bytes.data, in->bytes.size, ember_heap(), &err) != EMBER_OK) {
        findings_add_error(out, &rom_unreadable, &err);
        return;
    }
    if (ember_rom_check(rom, ember_heap(), &taker, &err) != EMBER_OK)
        findings_add_error(out, &rom_unreadable, &err);
    ember_rom_close(rom);
}
