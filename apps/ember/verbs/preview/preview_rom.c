/* SPDX-License-Identifier: MIT */
/* A clip out of a ROM for `ember preview`: the one that --clip names, or the first. */
#include "files/rom_model.h"
#include "verbs/preview/preview.h"

static bool rom_failed(preview *p, const ember_error *err)
{
    return say_library(p->say, p->in.name, err), false;
}

bool preview_open_rom(preview *p)
{
    ember_error       err = EMBER_ERROR_INIT;
    const char       *word = args_value(p->args, "clip");
    const ember_clip *clips;
    const uint32_t   *entries;
    uint32_t          count, picked = 0;
    if (ember_rom_open_file(&p->rom, p->in.path, ember_heap(), &err) != EMBER_OK)
        return rom_failed(p, &err);
    if (!rom_model_list(&clips, &entries, &count, p->rom, &p->in.arena))
        return say_error(p->say, (place){p->in.name, NULL, NULL}, "out of memory"), false;
    if (count == 0)
        return say_error(p->say, (place){p->in.name, NULL, NULL}, "there are no clips in this ROM"), false;
    if (word != NULL) {
        ember_model       names = {.clip_count = count, .clips = clips};
        const ember_clip *clip = preview_pick(p, &names, word);
        if (clip == NULL)
            return false;
        picked = (uint32_t)(clip - clips);
    } else if (count > 1) {
        say_note(p->say, (place){p->in.name, NULL, NULL},
                 "it has %u clips, this is '%s' (--clip picks another)", (unsigned)count, clips[0].name);
    }
    return rom_model_open(&p->in.model, p->rom, entries[picked], p->reading.memory_limit, p->in.name, p->say,
                          &p->in.arena, &err) ||
           rom_failed(p, &err);
}
