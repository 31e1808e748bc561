/* SPDX-License-Identifier: MIT */
/* `ember info` of a ROM: every entry, what is in it, and the clips with all that is known of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_text.h"
#include "cli/table.h"
#include "cli/text.h"
#include "files/rom_input.h"
#include "verbs/info/info.h"

typedef struct rom_rig {
    uint32_t clips, bones;
} rom_rig;

typedef struct rom_view {
    info_job    *job;
    const input *in;
    ember_rom   *rom;
    ember_arena  arena;
    bool         damaged;
    rom_rig     *rigs; /* one per entry */
} rom_view;

/* ---- what an entry is ---- */

static char *view_model(rom_view *view, const ember_rom_entry *entry, ember_error *err)
{
    ember_model        model;
    ember_read_options options = {.format = ember_rom_kind_format((ember_rom_kind)entry->kind)};
    ember_arena_mark   mark = ember_arena_save(&view->arena);
    char              *text = NULL;
    ember_rom_mesh     bytes = {.data = entry->data, .size = entry->size, .bone = -1};
    if (entry->kind == EMBER_ROM_MESH && ember_rom_mesh_open(&bytes, view->rom, entry, err) != EMBER_OK)
        return NULL;
    if (ember_model_read(&model, bytes.data, bytes.size, &options, &view->arena, err) == EMBER_OK) {
        if (entry->kind == EMBER_ROM_SKELETON) {
            text = text_make("%u %s", (unsigned)model.skeleton.bone_count,
                             model.skeleton.bone_count == 1 ? "bone" : "bones");
        } else {
            const ember_mesh *mesh = &model.meshes[0];
            ember_rom_entry   texture;
            bool              textured = ember_rom_texture(&texture, view->rom, entry);
            const char       *plain = mesh->joints != NULL ? "skinned" : "static";
            bool              shares = entry->size == 0;
            int32_t           bone = bytes.bone >= 0 ? bytes.bone : mesh->bone;
            char *kind = bone >= 0 ? text_make("rigid on bone %d", (int)bone) : text_make("%s", plain);
            text = text_make("%u vertices, %u triangles, %s%s%s%s%s", (unsigned)mesh->vertex_count,
                             (unsigned)(mesh->index_count / 3), kind, textured ? ", texture " : "",
                             textured ? texture.id : "", shares ? ", stored as " : "",
                             shares ? bytes.whole.id : "");
            free(kind);
        }
    }
    ember_arena_restore(&view->arena, mark);
    return text;
}

static char *view_clip_text(rom_view *view, const ember_rom_entry *entry, ember_error *err)
{
    ember_rom_clip clip;
    if (ember_rom_clip_open(&clip, view->rom, entry, err) != EMBER_OK)
        return NULL;
    return text_make("%u bones × %u frames", (unsigned)clip.bone_count, (unsigned)clip.frame_count);
}

/* Which entries are the rigs of clips: how many clips each has, and how many bones. */
static void view_count_rigs(rom_view *view)
{
    uint32_t        count = ember_rom_entry_count(view->rom);
    ember_rom_entry entry;
    ember_rom_clip  clip;
    view->rigs = must_alloc(count, sizeof(*view->rigs));
    for (uint32_t i = 0; i < count; i++) {
        if (!ember_rom_entry_at(&entry, view->rom, i) || entry.kind != EMBER_ROM_KEYFRAMES ||
            entry.link >= count)
            continue;
        if (view->rigs[entry.link].clips++ == 0 &&
            ember_rom_clip_open(&clip, view->rom, &entry, NULL) == EMBER_OK)
            view->rigs[entry.link].bones = clip.bone_count;
    }
}

static char *view_rig(const rom_view *view, uint32_t index)
{
    const rom_rig *rig = &view->rigs[index];
    return text_make("%u bones of %u %s", (unsigned)rig->bones, (unsigned)rig->clips,
                     rig->clips == 1 ? "clip" : "clips");
}

static const char *view_image(const ember_rom_entry *entry)
{
    return entry->size > 1 && entry->data[0] == 0x89 ? "PNG" : "JPEG";
}

/* A few words about the entry; NULL with *err set where it is damaged. Free it. */
static char *view_what(rom_view *view, const ember_rom_entry *entry, ember_error *err)
{
    if (ember_rom_verify(view->rom, entry, err) != EMBER_OK)
        return NULL;
    switch (entry->kind) {
    case EMBER_ROM_GAME:
        return text_make("WASM module");
    case EMBER_ROM_RIG:
        return view_rig(view, entry->index);
    case EMBER_ROM_SKELETON:
    case EMBER_ROM_MESH:
        return view_model(view, entry, err);
    case EMBER_ROM_TEXTURE:
        return text_make("%s", view_image(entry));
    case EMBER_ROM_KEYFRAMES:
        return view_clip_text(view, entry, err);
    case EMBER_ROM_INFO:
    case EMBER_ROM_DATA:
        return text_make("%s", "");
    default:
        return text_make("kind %u, not known", (unsigned)entry->kind);
    }
}

static char *view_entry(rom_view *view, ember_rom_entry *entry, uint32_t index)
{
    ember_error err = EMBER_ERROR_INIT;
    place       where = {view->in->name, NULL, NULL};
    if (!ember_rom_entry_at(entry, view->rom, index)) {
        say_error(view->job->say, where, "row %u of the table is damaged (ember validate says how)",
                  (unsigned)index);
        view->damaged = true;
        return NULL;
    }
    char *what = view_what(view, entry, &err);
    if (what == NULL) {
        say_library_at(view->job->say, where, &err);
        view->damaged = true;
    }
    return what;
}

/* ---- clips ---- */

static double view_density(const ember_rom_entry *entry, const ember_rom_clip *clip)
{
    return (double)entry->size / ((double)clip->bone_count * (double)clip->frame_count);
}

/* The clip of the entry and what is said of it; false for others, and for damaged ones, which
   were told of. */
static bool view_clip(rom_view *view, ember_rom_entry *entry, ember_rom_clip *clip, ember_clip *facts,
                      ember_skeleton *skeleton, uint32_t index)
{
    return ember_rom_entry_at(entry, view->rom, index) && entry->kind == EMBER_ROM_KEYFRAMES &&
           ember_rom_clip_open(clip, view->rom, entry, NULL) == EMBER_OK &&
           rom_input_facts(facts, skeleton, clip, &view->arena);
}

static uint32_t view_count(const rom_view *view, ember_rom_kind kind)
{
    ember_rom_entry entry;
    uint32_t        count = 0;
    for (uint32_t i = 0; i < ember_rom_entry_count(view->rom); i++)
        count += ember_rom_entry_at(&entry, view->rom, i) && entry.kind == (uint32_t)kind ? 1 : 0;
    return count;
}

static void view_print_clips(rom_view *view)
{
    static const char *const heads[] = {"clip", "bytes", "frames",   "bones",        "fps",       "seconds",
                                        "loop", "space", "squeezed", "B/bone/frame", "max error", "markers"};
    app_table                table = {.align = "lrrrrrlllrrl"};
    char                     size[TEXT_NUMBER_SIZE], error[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < ember_rom_entry_count(view->rom); i++) {
        ember_rom_entry entry;
        ember_rom_clip  clip;
        ember_clip      facts;
        ember_skeleton  skeleton;
        if (!view_clip(view, &entry, &clip, &facts, &skeleton, i))
            continue;
        char *markers = info_markers(&facts), *printable = text_escape(markers);
        table_cell(&table, "%s", facts.name);
        table_cell(&table, "%s", text_count(size, entry.size));
        table_cell(&table, "%u", (unsigned)facts.frame_count);
        table_cell(&table, "%u", (unsigned)facts.bone_count);
        table_cell(&table, facts.fps > 0.0 ? "%g" : "(%g)", ember_clip_fps(&facts));
        table_cell(&table, facts.fps > 0.0 ? "%.2f" : "(%.2f)", info_seconds(&facts));
        table_cell(&table, "%s", facts.loop ? "yes" : "no");
        table_cell(&table, "%s", info_space(&facts));
        table_cell(&table, "%s", ember_rom_clip_method(&clip));
        table_cell(&table, "%.2f", view_density(&entry, &clip));
        table_cell(&table, "%s",
                   clip.form == EMBER_ROM_LEAN ? text_length(error, (double)clip.lean.error) : "");
        table_cell(&table, "%s", printable);
        free(markers);
        free(printable);
    }
    table_print(&table, "  ");
}

/* Every rig once, with the first clip that has it. */
static void view_print_bones(rom_view *view)
{
    uint32_t shown = EMBER_ROM_NO_LINK;
    for (uint32_t i = 0; i < ember_rom_entry_count(view->rom); i++) {
        ember_rom_entry entry;
        ember_rom_clip  clip;
        ember_clip      facts;
        ember_skeleton  skeleton;
        if (!view_clip(view, &entry, &clip, &facts, &skeleton, i) || entry.link == shown)
            continue;
        shown = entry.link;
        printf("  bones of %s\n", facts.name);
        info_print_bones(&skeleton);
    }
}

/* The clip's values in the wanted frame, printed or put into the object. */
static void view_frame(rom_view *view, const ember_rom_clip *clip, json_t *object)
{
    ember_error      err = EMBER_ERROR_INIT;
    ember_buffer     bytes = {.allocator = ember_heap()};
    ember_clip       decoded;
    ember_model      model = {.format = ember_rom_kind_format(EMBER_ROM_KEYFRAMES),
                              .clip_count = 1,
                              .clips = &decoded};
    size_t           left = rom_input_limit(view->rom, view->job->reading.memory_limit);
    ember_arena_mark mark = ember_arena_save(&view->arena);
    bool read = rom_input_clip(&decoded, &model.skeleton, clip, &left, &view->arena, &err) == EMBER_OK &&
                ember_rom_clip_file(&bytes, clip, &err) == EMBER_OK;
    if (!read) {
        say_library(view->job->say, view->in->name, &err);
        view->job->failed = true;
    } else if (info_wants_frame(view->job, &model, 0)) {
        if (object == NULL)
            (void)info_print_frame(view->job, view->in->name, &model, 0, bytes.data, bytes.size);
        else
            json_put(object, "frame",
                     info_frame_json(view->job, view->in->name, &model, 0, bytes.data, bytes.size));
    }
    ember_buffer_free(&bytes);
    ember_arena_restore(&view->arena, mark);
}

static void view_print_frames(rom_view *view)
{
    for (uint32_t i = 0; view->job->framed && i < ember_rom_entry_count(view->rom); i++) {
        ember_rom_entry entry;
        ember_rom_clip  clip;
        ember_clip      facts;
        ember_skeleton  skeleton;
        if (view_clip(view, &entry, &clip, &facts, &skeleton, i))
            view_frame(view, &clip, NULL);
    }
}

/* ---- text ---- */

static void view_print(rom_view *view)
{
    app_say *say = view->job->say;
    char     size[TEXT_NUMBER_SIZE];
    char    *name = text_escape(view->in->name), *title = text_escape(ember_rom_title(view->rom)),
         *author = text_escape(ember_rom_author(view->rom));
    app_table                table = {.align = "llrl"};
    static const char *const heads[] = {"kind", "id", "bytes", ""};
    if (view->job->shown++ > 0)
        putchar('\n');
    printf("%s%s%s: Emberware Z ROM (ewz), %s B, %u entries", say->colour_data ? "\033[1m" : "", name,
           say->colour_data ? "\033[0m" : "", text_count(size, view->in->bytes.size),
           (unsigned)ember_rom_entry_count(view->rom));
    printf("%s%s%s%s%s\n", title[0] != '\0' ? ", \"" : "", title, title[0] != '\0' ? "\"" : "",
           author[0] != '\0' ? " by " : "", author);
    for (size_t i = 0; i < 4; i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < ember_rom_entry_count(view->rom); i++) {
        ember_rom_entry entry;
        char           *what = view_entry(view, &entry, i);
        /* Title and author stand above, clips have a table of their own. */
        if (what == NULL || entry.kind == EMBER_ROM_INFO || entry.kind == EMBER_ROM_KEYFRAMES) {
            free(what);
            continue;
        }
        table_cell(&table, "%s", ember_rom_kind_name((ember_rom_kind)entry.kind));
        table_cell(&table, "%s", entry.id);
        table_cell(&table, "%s", text_count(size, entry.size));
        table_cell(&table, "%s", what);
        free(what);
    }
    table_print(&table, "  ");
    if (view_count(view, EMBER_ROM_KEYFRAMES) != 0)
        view_print_clips(view);
    if (view->job->bones)
        view_print_bones(view);
    view_print_frames(view);
    free(name);
    free(title);
    free(author);
}

/* ---- json ---- */

static json_t *view_clips_json(rom_view *view)
{
    json_t  *clips = json_array();
    uint32_t index = 0;
    for (uint32_t i = 0; i < ember_rom_entry_count(view->rom); i++) {
        ember_rom_entry entry, rig;
        ember_rom_clip  clip;
        ember_clip      facts;
        ember_skeleton  skeleton;
        if (!view_clip(view, &entry, &clip, &facts, &skeleton, i))
            continue;
        json_t *object = info_clip_json(&facts, index++);
        json_put(object, "squeezed", json_text(ember_rom_clip_method(&clip)));
        json_put(object, "max_error",
                 clip.form == EMBER_ROM_LEAN ? json_float(clip.lean.error) : json_null());
        json_put(object, "bytes_per_bone_frame", json_number(view_density(&entry, &clip)));
        json_put(object, "rig",
                 ember_rom_entry_at(&rig, view->rom, entry.link) ? json_text(rig.id) : json_null());
        if (view->job->bones)
            json_put(object, "bones", info_bones_json(&skeleton));
        if (view->job->framed)
            view_frame(view, &clip, object);
        json_add(clips, object);
    }
    return clips;
}

static json_t *view_entry_json(const ember_rom *rom, const ember_rom_entry *entry, const char *what)
{
    json_t         *object = json_object();
    ember_rom_entry texture;
    char           *hash = text_make("%016jx", (uintmax_t)entry->hash);
    json_put(object, "kind", json_text(ember_rom_kind_name((ember_rom_kind)entry->kind)));
    json_put(object, "id", json_text(entry->id));
    json_put(object, "size", json_count(entry->size));
    json_put(object, "xxh3", json_text(hash));
    json_put(object, "what", json_text(what));
    if (entry->kind == EMBER_ROM_MESH)
        json_put(object, "texture",
                 ember_rom_texture(&texture, rom, entry) ? json_text(texture.id) : json_null());
    free(hash);
    return object;
}

static void view_add(rom_view *view)
{
    json_t *file = json_object(), *entries = json_array();
    json_put(file, "path", json_text(view->in->path));
    json_put(file, "format", json_text("ewz"));
    json_put(file, "title", json_text("Emberware Z ROM"));
    json_put(file, "size", json_count(view->in->bytes.size));
    json_put(file, "game_title", json_text(ember_rom_title(view->rom)));
    json_put(file, "author", json_text(ember_rom_author(view->rom)));
    json_put(file, "clip_count", json_count(view_count(view, EMBER_ROM_KEYFRAMES)));
    json_put(file, "mesh_count", json_count(view_count(view, EMBER_ROM_MESH)));
    for (uint32_t i = 0; i < ember_rom_entry_count(view->rom); i++) {
        ember_rom_entry entry;
        char           *what = view_entry(view, &entry, i);
        if (what != NULL)
            json_add(entries, view_entry_json(view->rom, &entry, what));
        free(what);
    }
    json_put(file, "entries", entries);
    json_put(file, "clips", view_clips_json(view));
    json_put(file, "damaged", json_boolean(view->damaged));
    json_add(view->job->files, file);
}

bool info_rom(info_job *job, const input *in, ember_error *err)
{
    rom_view view = {.job = job, .in = in};
    if (ember_rom_open_memory(&view.rom, in->bytes.data, in->bytes.size, ember_heap(), err) != EMBER_OK)
        return false;
    view.arena = ember_arena_growing(ember_heap(), SIZE_MAX / 2);
    view_count_rigs(&view);
    if (job->json)
        view_add(&view);
    else
        view_print(&view);
    free(view.rigs);
    ember_arena_free(&view.arena);
    ember_rom_close(view.rom);
    return !view.damaged;
}
