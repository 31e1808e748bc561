/* SPDX-License-Identifier: MIT */
/* The rules CON001 and so on: a game's module, or the one of a ROM, against the console's functions. */
#include "verbs/validate/validate_console.h"

#include "ember/machine.h"
#include "ember/rom.h"
#include "files/rom_input.h"

static const finding_rule console_invalid = {"CON001", true};
static const finding_rule console_missing = {"CON002", true};
static const finding_rule console_signature = {"CON003", true};
static const finding_rule console_foreign = {"CON004", true};
static const finding_rule console_no_game = {"CON005", true};

static const finding_place console_whole_file = {NULL, NULL, FINDING_NO_FRAME, 1};

typedef struct console_imports {
    findings *out;
    uint32_t  functions;
    bool      lacks;
} console_imports;

static void console_take(void *user, const ember_import *import)
{
    console_imports    *all = user;
    const finding_rule *rule = import->fault == EMBER_IMPORT_MISSING     ? &console_missing
                               : import->fault == EMBER_IMPORT_SIGNATURE ? &console_signature
                                                                         : &console_foreign;
    if (import->fault == EMBER_IMPORT_FINE) {
        all->functions++;
        return;
    }
    all->lacks = true;
    findings_add(all->out, rule, console_whole_file, "%s", import->text);
}

/* Where imports are wrong, the failure says so once more; anything else is a finding of its own. */
static void console_module(findings *out, const void *wasm, size_t size, uint32_t *functions)
{
    console_imports all = {out, 0, false};
    ember_imports   taker = {console_take, &all};
    ember_error     err = EMBER_ERROR_INIT;
    if (ember_wasm_imports(wasm, size, &taker, &err) != EMBER_OK && !all.lacks)
        findings_add_error(out, &console_invalid, &err);
    *functions = all.functions;
}

void validate_console(findings *out, const input *in, uint32_t *functions)
{
    ember_rom      *rom;
    ember_rom_entry game;
    ember_error     err = EMBER_ERROR_INIT;
    if (!rom_input_is(in)) {
        console_module(out, in->bytes.data, in->bytes.size, functions);
        return;
    }
    if (ember_rom_open_memory(&rom, in->bytes.data, in->bytes.size, ember_heap(), &err) != EMBER_OK) {
        findings_add_error(out, &console_invalid, &err);
        return;
    }
    if (!ember_rom_find(&game, rom, EMBER_ROM_GAME, "game", 4))
        findings_add(out, &console_no_game, console_whole_file, "the ROM has no game");
    else if (ember_rom_verify(rom, &game, &err) != EMBER_OK)
        findings_add_error(out, &console_invalid, &err);
    else
        console_module(out, game.data, game.size, functions);
    ember_rom_close(rom);
}
