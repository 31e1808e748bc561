/* SPDX-License-Identifier: MIT */
/* Out of a ROM. A clip that stays as it is comes out byte for byte as it went in; other formats and spaces go
   through the model. Every entry is held against its hash first. */
#include "verbs/convert/convert_rom.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "files/pick.h"
#include "files/rom_input.h"
#include "files/rom_model.h"

typedef struct rom_source {
    rom_convert     *c;
    const char      *path;
    ember_rom       *rom;
    ember_arena      arena;
    ember_rom_entry *entries; /* chosen */
    uint32_t         count;
    bool             folder_made;
    size_t           left; /* bytes that clips may still take */
} rom_source;

static bool source_open(rom_source *s, rom_convert *c, const char *path)
{
    ember_error err = EMBER_ERROR_INIT;
    *s = (rom_source){.c = c, .path = path};
    s->arena = ember_arena_growing(ember_heap(), SIZE_MAX / 2);
    if (ember_rom_open_file(&s->rom, path, ember_heap(), &err) == EMBER_OK) {
        s->left = rom_input_limit(s->rom, c->memory_limit);
        return true;
    }
    say_library(c->say, path, &err);
    c->failed = true;
    return false;
}

static void source_close(rom_source *s)
{
    ember_rom_close(s->rom);
    ember_arena_free(&s->arena);
    free(s->entries);
}

static bool source_fail(rom_source *s, const ember_error *err)
{
    say_library(s->c->say, s->path, err);
    s->c->failed = true;
    return false;
}

static bool source_verify(rom_source *s, const ember_rom_entry *entry)
{
    ember_error err = EMBER_ERROR_INIT;
    return ember_rom_verify(s->rom, entry, &err) == EMBER_OK || source_fail(s, &err);
}

/* ---- bytes that are written as they are ---- */

/* The file that the entry was made from. */
static bool source_bytes(rom_source *s, ember_buffer *out, const ember_rom_entry *entry)
{
    ember_rom_clip clip;
    ember_error    err = EMBER_ERROR_INIT;
    if (!source_verify(s, entry))
        return false;
    if (entry->kind == EMBER_ROM_MESH)
        return ember_rom_mesh_file(out, s->rom, entry, &err) == EMBER_OK || source_fail(s, &err);
    if (entry->kind != EMBER_ROM_KEYFRAMES)
        return ember_buffer_append(out, entry->data, entry->size) ||
               source_fail(s, &(ember_error){.status = EMBER_E_NOMEM, .text = "out of memory"});
    if (ember_rom_clip_open(&clip, s->rom, entry, &err) == EMBER_OK &&
        ember_rom_clip_file(out, &clip, &err) == EMBER_OK)
        return true;
    return source_fail(s, &err);
}

static void source_write(rom_source *s, const char *path, const ember_rom_entry *entry)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    char         size[TEXT_NUMBER_SIZE];
    if (source_bytes(s, &bytes, entry)) {
        if (ember_file_write(path, bytes.data, bytes.size, &err) != EMBER_OK) {
            say_library(s->c->say, say_output_name(path), &err);
            s->c->failed = true;
        } else {
            ember_rom_clip clip;
            bool           lean = entry->kind == EMBER_ROM_KEYFRAMES &&
                        ember_rom_clip_open(&clip, s->rom, entry, NULL) == EMBER_OK &&
                        clip.form == EMBER_ROM_LEAN;
            say_line(s->c->say, "%s  %s %s  %s B  %s", say_output_name(path),
                     ember_rom_kind_name((ember_rom_kind)entry->kind), entry->id,
                     text_count(size, bytes.size),
                     lean ? "a lean clip, rounded to records" : "as in the ROM");
            s->c->written++;
        }
    }
    ember_buffer_free(&bytes);
}

/* ---- clips ---- */

/* The ROM's clips as far as --clip needs them, by their ids. */
static bool source_names(rom_source *s, ember_model *model)
{
    uint32_t    count = ember_rom_entry_count(s->rom);
    ember_clip *clips = EMBER_PUSH(&s->arena, ember_clip, count);
    s->entries = must_alloc(count, sizeof(*s->entries));
    if (clips == NULL)
        return source_fail(s, &(ember_error){.status = EMBER_E_NOMEM, .text = "out of memory"});
    memset(model, 0, sizeof(*model));
    for (uint32_t i = 0; i < count; i++) {
        ember_rom_entry entry;
        if (!ember_rom_entry_at(&entry, s->rom, i) || entry.kind != EMBER_ROM_KEYFRAMES)
            continue;
        s->entries[model->clip_count] = entry;
        clips[model->clip_count++].name = entry.id;
    }
    model->clips = clips;
    return true;
}

static void source_choose(rom_source *s, const ember_model *model)
{
    const app_args *args = s->c->args;
    const char     *word;
    bool           *wanted = must_alloc(model->clip_count, sizeof(*wanted));
    for (uint32_t i = 0; i < model->clip_count; i++)
        wanted[i] = !args_has(args, "clip");
    for (size_t k = 0; (word = args_value_at(args, "clip", k)) != NULL; k++) {
        bool met = false;
        for (uint32_t i = 0; i < model->clip_count; i++)
            if (pick_matches(model, i, word))
                wanted[i] = met = true;
        if (!met) {
            char *names = pick_names(model);
            say_error(s->c->say, (place){s->path, NULL, NULL}, "no clip matches '%s': the clips are %s", word,
                      names);
            s->c->failed = true;
            free(names);
        }
    }
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (wanted[i])
            s->entries[s->count++] = s->entries[i];
    free(wanted);
}

/* Whether the clip can be written as it is stored. */
static bool source_stays(rom_source *s, const ember_rom_entry *entry)
{
    ember_rom_clip clip;
    bool           asked = args_has(s->c->args, "space");
    if (s->c->out->to->format != ember_rom_kind_format((ember_rom_kind)entry->kind))
        return false;
    /* What cannot be opened is told when it is written. */
    return !asked || ember_rom_clip_open(&clip, s->rom, entry, NULL) != EMBER_OK ||
           clip.space == s->c->deliver->writing.space;
}

static void source_deliver(rom_source *s, const char *path, const ember_rom_entry *entries, uint32_t count)
{
    ember_arena_mark mark = ember_arena_save(&s->arena);
    ember_model      model;
    if (count == 1 && source_stays(s, entries)) {
        if (s->c->deliver->ready == NULL || s->c->deliver->ready(s->c->deliver->user))
            source_write(s, path, entries);
    } else if (!rom_model_clips(&model, s->rom, entries, count, &s->left, s->path, s->c->say, &s->arena)) {
        s->c->failed = true;
    } else if (s->c->out->to->stores.meshes &&
               !rom_model_companions(&model, s->rom, entries[0].id, s->path, s->c->say, &s->arena)) {
        source_fail(s, &(ember_error){.status = EMBER_E_NOMEM, .text = "out of memory"});
    } else {
        deliver_part part = {s->path, &model, must_alloc(count, sizeof(*part.clips)), count};
        for (uint32_t i = 0; i < count; i++)
            part.clips[i] = i;
        if (deliver_write(s->c->deliver, path, &part))
            s->c->written++;
        else
            s->c->failed = true;
        free(part.clips);
    }
    ember_arena_restore(&s->arena, mark);
}

/* Once for all clips: what the ROM has and the target does not. */
static void source_note_losses(rom_source *s)
{
    const ember_format_info *to = s->c->out->to;
    uint32_t                 meshes = 0;
    ember_rom_entry          entry;
    if (s->c->written == 0)
        return;
    for (uint32_t i = 0; ember_rom_entry_at(&entry, s->rom, i); i++)
        meshes += entry.kind == EMBER_ROM_MESH;
    if (meshes != 0 && !to->stores.meshes)
        say_note(s->c->say, (place){s->path, NULL, NULL}, "its %u %s not stored", (unsigned)meshes,
                 meshes == 1 ? "mesh is" : "meshes are");
    if (s->count != 0 && source_stays(s, &s->entries[0]))
        say_note(
            s->c->say, (place){s->path, NULL, NULL},
            "the bones' names, the hierarchy, the rest pose, the rate, the loop flag and markers are in the "
            "ROM alone");
}

static void source_deliver_each(rom_source *s)
{
    progress_start(&s->c->say->bar, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        bool  again = false;
        char *path = output_path(s->c->out, s->entries[i].id, &again);
        if (again)
            say_note(s->c->say, (place){s->path, s->entries[i].id, NULL}, "the name is taken, written as %s",
                     path);
        source_deliver(s, path, &s->entries[i], 1);
        free(path);
        progress_step(&s->c->say->bar);
    }
}

void convert_rom_clips(rom_convert *c, const char *path)
{
    rom_source  s;
    ember_model names;
    if (source_open(&s, c, path) && source_names(&s, &names)) {
        source_choose(&s, &names);
        if (s.count == 0 && !c->failed) {
            say_error(c->say, (place){path, NULL, NULL}, "there are no clips in it");
            c->failed = true;
        } else if (!c->failed && c->out->kind != OUTPUT_FILE) {
            source_deliver_each(&s);
            source_note_losses(&s);
        } else if (!c->failed && s.count > 1 && c->out->to->one_clip) {
            char *list = pick_names(&names);
            say_error(c->say, (place){path, NULL, NULL},
                      "%s holds one clip, here are %u: %s; choose one with --clip, or put {clip} in the "
                      "output's name",
                      c->out->to->name, (unsigned)s.count, list);
            c->failed = true;
            free(list);
        } else if (!c->failed) {
            source_deliver(&s, c->out->path, s.entries, s.count);
            source_note_losses(&s);
        }
    }
    source_close(&s);
}

/* ---- entries ---- */

/* What the entry's file would end in; data has its own extension in the id. */
static const char *source_extension(const ember_rom_entry *entry)
{
    switch (entry->kind) {
    case EMBER_ROM_GAME:
        return ".wasm";
    case EMBER_ROM_SKELETON:
        return ".ewzskel";
    case EMBER_ROM_MESH:
        return ".ewzmesh";
    case EMBER_ROM_KEYFRAMES:
        return ".ewzanim";
    case EMBER_ROM_TEXTURE:
        return entry->size > 0 && entry->data[0] == 0x89 ? ".png" : ".jpg";
    default:
        return "";
    }
}

static void source_choose_entries(rom_source *s)
{
    const char *word;
    uint32_t    count = ember_rom_entry_count(s->rom);
    bool       *wanted = must_alloc(count, sizeof(*wanted));
    for (size_t k = 0; (word = args_value_at(s->c->args, "entry", k)) != NULL; k++) {
        bool            met = false;
        ember_rom_entry entry;
        for (uint32_t i = 0; i < count; i++) {
            if (!ember_rom_entry_at(&entry, s->rom, i))
                continue;
            char *name = rom_input_name(&entry);
            if (strcmp(word, name) == 0 || fnmatch(word, name, 0) == 0)
                wanted[i] = met = true;
            free(name);
        }
        if (!met) {
            say_error(s->c->say, (place){s->path, NULL, NULL},
                      "no entry is called '%s' (ember info lists them, as kind:id)", word);
            s->c->failed = true;
        }
    }
    s->entries = must_alloc(count, sizeof(*s->entries));
    for (uint32_t i = 0; i < count; i++)
        if (wanted[i] && ember_rom_entry_at(&s->entries[s->count], s->rom, i))
            s->count++;
    free(wanted);
}

static void source_write_entries(rom_source *s, const char *to)
{
    output files = {.path = to, .kind = strstr(to, "{clip}") != NULL ? OUTPUT_PER_CLIP : OUTPUT_FOLDER};
    if (files.kind == OUTPUT_FOLDER && !output_make_folder(&files, s->c->say)) {
        s->c->failed = true;
        return;
    }
    size_t size = strlen(to);
    for (uint32_t i = 0; i < s->count; i++) {
        char  *pattern = files.kind == OUTPUT_PER_CLIP
                             ? text_make("%s", to)
                             : text_make("%s%s{clip}%s", to, to[size - 1] == '/' ? "" : "/",
                                         source_extension(&s->entries[i]));
        output one = files;
        bool   again;
        one.path = pattern;
        one.kind = OUTPUT_PER_CLIP;
        char *path = output_path(&one, s->entries[i].id, &again);
        files.used = one.used;
        files.used_next = one.used_next;
        files.used_count = one.used_count;
        files.used_room = one.used_room;
        source_write(s, path, &s->entries[i]);
        free(path);
        free(pattern);
    }
    output_free(&files);
}

int convert_rom_entries(rom_convert *c, const char *path)
{
    rom_source  s;
    const char *to = args_value(c->args, "output");
    if (to == NULL || to[0] == '\0')
        return args_usage(c->args, c->say, "-o OUT is missing: a file, a folder, a name with {clip}, or -");
    if (source_open(&s, c, path))
        source_choose_entries(&s);
    bool many = output_is_folder(to) || strstr(to, "{clip}") != NULL;
    if (!c->failed && !many && s.count > 1) {
        say_error(c->say, (place){path, NULL, NULL},
                  "%u entries for one file: put {clip} in the output's name, or give a folder",
                  (unsigned)s.count);
        c->failed = true;
    } else if (!c->failed && many) {
        source_write_entries(&s, to);
    } else if (!c->failed && s.count == 1) {
        source_write(&s, to, &s.entries[0]);
    }
    source_close(&s);
    return c->failed ? EXIT_FAILED : EXIT_DONE;
}
