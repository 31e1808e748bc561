/* SPDX-License-Identifier: MIT */
/* Lists the chunks of packs, and makes a pack of the chunks of another: copied byte for byte, in another
   order, or with those of a second pack among them. */
#include "verbs/ff7/ff7_chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_text.h"
#include "cli/table.h"
#include "cli/text.h"
#include "files/output.h"
#include "verbs/ff7/ff7_pack_file.h"

/* ---- list ---- */

/* All that is odd about a chunk in one line, "" if nothing is. Free it. */
static char *edit_odd_text(const ember_ff7_chunk *chunk)
{
    char *all = text_make("%s", "");
    for (uint32_t bit = 1; bit <= EMBER_FF7_ODD_CODES; bit <<= 1) {
        if ((chunk->odd & bit) == 0)
            continue;
        ember_ff7_text one = ember_ff7_odd_text(chunk, bit);
        char          *longer = text_make("%s%s%s", all, all[0] != '\0' ? "; " : "", one.text);
        free(all);
        all = longer;
    }
    return all;
}

static void edit_list_text(const ff7_pack *file)
{
    const ember_ff7_pack *pack = &file->pack;
    app_table             table = {"rlrrrrrl", NULL, 0, 0};
    char                  number[TEXT_NUMBER_SIZE];
    char                 *name = text_escape(file->name);
    const char *const     heads[] = {"#", "kind", "triples", "frames", "key", "bytes", "with", "odd"};

    printf("%s: %u %s, %s B\n", name, (unsigned)pack->chunk_count,
           pack->chunk_count == 1 ? "chunk" : "chunks", text_count(number, pack->size));
    free(name);
    if (pack->chunk_count != pack->count_field)
        printf("  %u chunks are counted, %u are there\n", (unsigned)pack->count_field,
               (unsigned)pack->chunk_count);
    else if (pack->tail_offset < pack->size)
        printf("  %s bytes follow the last chunk\n", text_count(number, pack->size - pack->tail_offset));
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < pack->chunk_count; i++) {
        const ember_ff7_chunk *chunk = &pack->chunks[i];
        uint32_t               partner = ember_ff7_partner(pack, i);
        char                  *odd = edit_odd_text(chunk);
        bool                   special = chunk->kind == EMBER_FF7_SPECIAL;
        table_cell(&table, "%u", (unsigned)i);
        table_cell(&table, "%s", ember_ff7_kind_name(chunk->kind));
        table_cell(&table, special ? "-" : "%u", (unsigned)chunk->triple_count);
        table_cell(&table, special ? "-" : "%u", (unsigned)chunk->frame_count);
        table_cell(&table, special ? "-" : "%u", (unsigned)chunk->key);
        table_cell(&table, "%s", text_count(number, (uint64_t)chunk->payload_size + 12));
        table_cell(&table, partner != UINT32_MAX ? "%u" : "-", (unsigned)partner);
        table_cell(&table, "%s", odd[0] != '\0' ? odd : "-");
        free(odd);
    }
    table_print(&table, "  ");
}

static json_t *edit_list_json(const ff7_pack *file)
{
    const ember_ff7_pack *pack = &file->pack;
    json_t               *root = json_object(), *chunks = json_array();
    json_put(root, "path", json_text(file->path));
    json_put(root, "bytes", json_count(pack->size));
    json_put(root, "count_field", json_count(pack->count_field));
    json_put(root, "bytes_behind", json_count(pack->size - pack->tail_offset));
    for (uint32_t i = 0; i < pack->chunk_count; i++) {
        const ember_ff7_chunk *chunk = &pack->chunks[i];
        uint32_t               partner = ember_ff7_partner(pack, i);
        json_t                *one = json_object();
        char                  *odd = edit_odd_text(chunk);
        json_put(one, "index", json_count(i));
        json_put(one, "kind", json_text(ember_ff7_kind_name(chunk->kind)));
        json_put(one, "offset", json_count(chunk->offset));
        json_put(one, "bytes", json_count((uint64_t)chunk->payload_size + 12));
        json_put(one, "bones_field", json_count(chunk->bones_field));
        json_put(one, "frames_field", json_count(chunk->frames_field));
        json_put(one, "frames_short", json_count(chunk->frames_short));
        json_put(one, "triples", json_count(chunk->triple_count));
        json_put(one, "frames", json_count(chunk->frame_count));
        json_put(one, "key", json_count(chunk->key));
        json_put(one, "with", partner != UINT32_MAX ? json_count(partner) : json_null());
        json_put(one, "odd", json_text(odd));
        json_add(chunks, one);
        free(odd);
    }
    json_put(root, "chunks", chunks);
    return root;
}

int ff7_list(const app_args *args, app_say *say)
{
    bool    json = false, failed = false;
    int     code = args_report(args, say, &json);
    json_t *files = json ? json_array() : NULL;
    for (size_t i = 0; code == EXIT_DONE && i < args->file_count; i++) {
        ff7_pack file;
        if (!ff7_pack_open(&file, args->files[i], args_value(args, "skeleton"), say))
            failed = true;
        else if (json)
            json_add(files, edit_list_json(&file));
        else
            edit_list_text(&file);
        ff7_pack_close(&file);
    }
    if (json && code == EXIT_DONE) {
        json_t *root = json_object();
        json_put(root, "format", json_text("ember-ff7"));
        json_put(root, "version", json_count(1));
        json_put(root, "files", files);
        json_print(root);
    } else {
        json_free(files);
    }
    return code != EXIT_DONE ? code : failed ? EXIT_FAILED : EXIT_DONE;
}

/* ---- a pack from the chunks of others ---- */

typedef struct edit {
    const app_args *args;
    app_say        *say;
    ff7_pack        file, other; /* the second is the one that replace and insert take from */
    ember_ff7_item *items;
    uint32_t        item_count;
    char           *other_path; /* or NULL */
} edit;

static bool edit_open(edit *e, const app_args *args, app_say *say)
{
    memset(e, 0, sizeof(*e));
    e->args = args;
    e->say = say;
    if (!ff7_pack_open(&e->file, args->files[0], args_value(args, "skeleton"), say))
        return false;
    /* Room for every chunk and one more. */
    e->items = must_alloc((size_t)e->file.pack.chunk_count + 1, sizeof(*e->items));
    return true;
}

static void edit_add(edit *e, const ember_ff7_chunk *chunk)
{
    e->items[e->item_count++] = (ember_ff7_item){chunk, NULL, EMBER_FF7_KEY_AUTO};
}

/* Writes the items, and what follows the pack's last chunk if `tail`; behind too few chunks that is a piece
   of one. */
static bool edit_write(const edit *e, bool tail)
{
    const ember_ff7_pack *pack = &e->file.pack;
    const char           *path = args_value(e->args, "output");
    ember_buffer          bytes = {.allocator = ember_heap()};
    ember_error           err = EMBER_ERROR_INIT;
    char                  number[TEXT_NUMBER_SIZE];
    size_t tail_size = tail && pack->chunk_count == pack->count_field ? pack->size - pack->tail_offset : 0;
    if (output_refused(path, e->file.path, e->args, e->say) ||
        output_refused(path, e->other_path, e->args, e->say))
        return false;
    ff7_pack_tell(&e->file, true, tail ? "kept" : "dropped", e->say);
    bool good = ember_ff7_pack_write(&bytes, e->items, e->item_count, pack->data + pack->tail_offset,
                                     tail_size, &err) == EMBER_OK;
    if (!good)
        say_library(e->say, e->file.name, &err);
    else if (ember_file_write(path, bytes.data, bytes.size, &err) != EMBER_OK)
        good = say_library(e->say, say_output_name(path), &err) == EXIT_DONE;
    else
        say_line(e->say, "%s  %u %s  %s B", say_output_name(path), (unsigned)e->item_count,
                 e->item_count == 1 ? "chunk" : "chunks", text_count(number, bytes.size));
    ember_buffer_free(&bytes);
    return good;
}

static int edit_close(edit *e, bool good)
{
    free(e->items);
    free(e->other_path);
    ff7_pack_close(&e->other);
    ff7_pack_close(&e->file);
    return good ? EXIT_DONE : EXIT_FAILED;
}

int ff7_extract(const app_args *args, app_say *say)
{
    edit  e;
    bool  good = edit_open(&e, args, say);
    bool *marked = good ? must_alloc((size_t)e.file.pack.chunk_count + 1, sizeof(*marked)) : NULL;
    if (good) {
        memset(marked, 0, ((size_t)e.file.pack.chunk_count + 1) * sizeof(*marked));
        good = ff7_chunk_list(marked, args->files + 1, args->file_count - 1, &e.file, say);
    }
    for (uint32_t i = 0; good && i < e.file.pack.chunk_count; i++)
        if (marked[i])
            edit_add(&e, &e.file.pack.chunks[i]);
    good = good && edit_write(&e, false);
    free(marked);
    return edit_close(&e, good);
}

/* The game finds clips by number, so a chunk in the middle is better emptied than taken out. */
int ff7_remove(const app_args *args, app_say *say)
{
    static const uint8_t        empty[4] = {0x30, 0x1A, 0x00, 0x00};
    static const ember_ff7_clip slot = {.kind = EMBER_FF7_SPECIAL,
                                        .index = -1,
                                        .frames_field = 1,
                                        .bytes = empty,
                                        .byte_count = sizeof(empty)};
    edit                        e;
    bool                        good = edit_open(&e, args, say), slots = args_has(args, "slot");
    bool *marked = good ? must_alloc((size_t)e.file.pack.chunk_count + 1, sizeof(*marked)) : NULL;
    if (good) {
        memset(marked, 0, ((size_t)e.file.pack.chunk_count + 1) * sizeof(*marked));
        good = ff7_chunk_list(marked, args->files + 1, args->file_count - 1, &e.file, say);
    }
    bool moved = false;
    for (uint32_t i = 0; good && i < e.file.pack.chunk_count; i++) {
        if (!marked[i])
            edit_add(&e, &e.file.pack.chunks[i]);
        else if (slots)
            e.items[e.item_count++] = (ember_ff7_item){NULL, &slot, EMBER_FF7_KEY_AUTO};
        moved = moved || (!marked[i] && e.item_count != i + 1);
    }
    if (good && moved)
        say_warning(
            say, (place){e.file.name, NULL, NULL},
            "later chunks have other numbers now, by which the game finds them (--slot leaves empty slots)");
    good = good && edit_write(&e, true);
    free(marked);
    return edit_close(&e, good);
}

/* "other" or "other:3": the pack and which of its chunks. NULL with one line said. */
static const ember_ff7_chunk *edit_other(edit *e, const char *word)
{
    char       *path = text_make("%s", word), *colon = strrchr(path, ':');
    uint32_t    number = 0;
    const char *wanted = "0";
    uint32_t    given;
    if (colon != NULL && text_read_u32(&given, colon + 1)) {
        *colon = '\0';
        wanted = colon + 1;
    }
    bool good = ff7_pack_open(&e->other, path, NULL, e->say);
    good = good && ff7_chunk_number(&number, wanted, e->other.pack.chunk_count, &e->other, e->say);
    e->other.path = e->other.name = word; /* the copy ends with the edit */
    e->other_path = path;
    return good ? &e->other.pack.chunks[number] : NULL;
}

/* A clip of another skeleton would be read with the wrong number of triples. */
static void edit_compare(const edit *e, const ember_ff7_chunk *chunk, const ember_ff7_chunk *model)
{
    if (chunk->kind == EMBER_FF7_SPECIAL || model == NULL || model->kind == EMBER_FF7_SPECIAL)
        return;
    if (chunk->bones_field != model->bones_field)
        say_warning(e->say, (place){e->other.name, NULL, NULL},
                    "its chunk %u has %u triples a frame, the pack's chunk %u has %u", (unsigned)chunk->index,
                    (unsigned)chunk->bones_field, (unsigned)model->index, (unsigned)model->bones_field);
}

int ff7_replace(const app_args *args, app_say *say)
{
    edit     e;
    uint32_t at = 0;
    bool     good = edit_open(&e, args, say) &&
                ff7_chunk_number(&at, args->files[1], e.file.pack.chunk_count, &e.file, say);
    const ember_ff7_chunk *chunk = good ? edit_other(&e, args->files[2]) : NULL;
    good = good && chunk != NULL;
    if (good)
        edit_compare(&e, chunk, &e.file.pack.chunks[at]);
    for (uint32_t i = 0; good && i < e.file.pack.chunk_count; i++)
        edit_add(&e, i == at ? chunk : &e.file.pack.chunks[i]);
    return edit_close(&e, good && edit_write(&e, true));
}

int ff7_insert(const app_args *args, app_say *say)
{
    edit     e;
    uint32_t at = 0;
    bool     good = edit_open(&e, args, say) &&
                ff7_chunk_number(&at, args->files[1], e.file.pack.chunk_count + 1, &e.file, say);
    const ember_ff7_chunk *chunk = good ? edit_other(&e, args->files[2]) : NULL;
    good = good && chunk != NULL;
    if (good) {
        uint32_t count = e.file.pack.chunk_count;
        edit_compare(&e, chunk, count == 0 ? NULL : &e.file.pack.chunks[at > 0 ? at - 1 : 0]);
        if (at < count)
            say_warning(say, (place){e.file.name, NULL, NULL},
                        "later chunks have other numbers now, by which the game finds them");
        for (uint32_t i = 0; i <= count; i++) {
            if (i == at)
                edit_add(&e, chunk);
            if (i < count)
                edit_add(&e, &e.file.pack.chunks[i]);
        }
    }
    return edit_close(&e, good && edit_write(&e, true));
}
