/* SPDX-License-Identifier: MIT */
/* convert FILE CLIP OUT: a clip of any file as a file of any other format, by OUT's extension. Reports what
   the target does not store, as `ember convert` does. */
#include <ember/ember.h>
#include <stdio.h>

static void report(void *user, const ember_note *note)
{
    if (note->kind != EMBER_NOTE_DETAIL)
        fprintf(stderr, "%s: %s\n", (const char *)user, note->text);
}

int main(int argc, char **argv)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer       out = {.allocator = ember_heap()};
    ember_error        err = EMBER_ERROR_INIT;
    ember_model        model;
    /* What Ember does not understand of a glTF goes along to another. */
    ember_read_options reading = {.carry = true};
    if (argc != 4 || ember_model_load(&model, argv[1], &reading, &arena, &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 4 ? "usage: convert FILE CLIP OUT" : err.text), 1;
    const ember_clip        *clip = ember_model_clip(&model, argv[2]);
    const ember_format_info *to = ember_format_by_path(argv[3]);
    if (clip == NULL || to == NULL)
        return fprintf(stderr, "%s\n", clip == NULL ? "no such clip" : "unknown extension"), 1;
    model.clips = clip;
    model.clip_count = 1;
    ember_write_options options = {.format = to->format, .notes = {report, argv[3]}};
    if (ember_model_write(&out, &model, &options, &err) != EMBER_OK ||
        ember_file_write(argv[3], out.data, out.size, &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", err.text), 1;
    ember_buffer_free(&out);
    ember_arena_free(&arena);
}
