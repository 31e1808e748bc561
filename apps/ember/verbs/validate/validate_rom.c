/* SPDX-License-Identifier: MIT */
/* The rules ROM001 and so on; those about what is inside are the library's. */
#include "verbs/validate/validate_rom.h"

#include "ember/image.h"
#include "ember/rom.h"

static const finding_rule rom_unreadable = {"ROM001", true};
static const finding_rule rom_too_big = {"ROM008", true};

static const finding_rule rom_bad_image = {"ROM009", true};

static const finding_place rom_whole_file = {NULL, NULL, FINDING_NO_FRAME, 1};

static void rom_take(void *user, const ember_finding *found)
{
    finding_rule rule = {found->code, found->severity == EMBER_SEVERITY_ERROR};
    findings_add(user, &rule, (finding_place){found->clip, NULL, FINDING_NO_FRAME, 1}, "%s", found->text);
}

/* Textures are decoded as the renderer will: the library checks no more than their first bytes. */
static void rom_check_images(findings *out, const ember_rom *rom)
{
    ember_rom_entry entry;
    for (uint32_t i = 0; ember_rom_entry_at(&entry, rom, i); i++) {
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        ember_error err = EMBER_ERROR_INIT;
        ember_image image;
        if (entry.kind == EMBER_ROM_TEXTURE) {
            ember_status status = ember_image_read(&image, entry.data, entry.size, &arena, &err);
            if (status != EMBER_OK && status != EMBER_E_UNSUPPORTED)
                findings_add(out, &rom_bad_image, (finding_place){entry.id, NULL, FINDING_NO_FRAME, 1},
                             "the image cannot be decoded: %s", err.text);
        }
        ember_arena_free(&arena);
    }
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
    rom_check_images(out, rom);
    ember_rom_close(rom);
}
