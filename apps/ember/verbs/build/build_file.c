/* SPDX-License-Identifier: MIT */
/* One file on its way: its messages, where its assets come from, and the small ROM that holds them. */
#include "verbs/build/build.h"

#include <stdlib.h>
#include <string.h>

#include "cli/json_text.h"
#include "cli/text.h"

/* The entry of a file's ROM that holds what a ROM has no place for. */
static const char file_meta[] = "build";

static void file_drop_words(build_file *file)
{
    for (size_t i = 0; i < file->message_count; i++) {
        free(file->messages[i].clip);
        free(file->messages[i].bone);
        free(file->messages[i].text);
    }
    for (size_t i = 0; i < file->origin_count; i++) {
        free(file->origins[i].id);
        free(file->origins[i].name);
        free(file->origins[i].frames);
    }
    free(file->messages);
    free(file->origins);
    file->messages = NULL;
    file->origins = NULL;
    file->message_count = file->origin_count = 0;
}

void build_file_free(build_file *file)
{
    file_drop_words(file);
    ember_rom_close(file->rom);
    ember_buffer_free(&file->bytes);
    json_free(file->options);
    free(file->path);
    free(file->full);
    free(file->beside);
    memset(file, 0, sizeof(*file));
}

static char *file_copy(const char *text) { return text != NULL ? text_make("%s", text) : NULL; }

static void file_take(void *user, say_level level, place where, const char *text)
{
    build_file *file = user;
    file->messages = must_grow(file->messages, file->message_count, sizeof(*file->messages));
    file->messages[file->message_count++] =
        (build_message){level, file_copy(where.clip), file_copy(where.bone), file_copy(text)};
    file->failed = file->failed || level == SAY_ERROR;
}

app_say build_file_say(build_file *file)
{
    app_say say = {.take = file_take, .user = file};
    return say;
}

build_origin *build_origin_add(build_file *file, ember_rom_kind kind, const char *id, const char *name,
                               ember_squeeze_method method)
{
    file->origins = must_grow(file->origins, file->origin_count, sizeof(*file->origins));
    build_origin *origin = &file->origins[file->origin_count++];
    *origin = (build_origin){.kind = kind, .id = file_copy(id), .name = file_copy(name), .method = method};
    return origin;
}

char *build_id(const char *name)
{
    char  *id = text_make("%s", name);
    size_t used = 0;
    for (const char *p = name; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= 'A' && c <= 'Z')
            c = (unsigned char)(c - 'A' + 'a');
        if ((c & 0xc0) == 0x80 && p != name)
            continue; /* the rest of a character that is one '-' already */
        char one = (char)c;
        id[used++] = ember_rom_id_valid(&one, 1) ? one : '-';
    }
    id[used] = '\0';
    return id;
}

char *build_stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path,
               *dot = strrchr(base, '.');
    size_t size = dot != NULL && dot != base ? (size_t)(dot - path) : strlen(path);
    return text_make("%.*s", (int)size, path);
}

/* ---- into a ROM ---- */

static char *file_key_text(const build_file *file) { return text_make("%016jx", (uintmax_t)file->key); }

static json_t *file_meta_make(const build_file *file)
{
    json_t *root = json_object(), *messages = json_array(), *origins = json_array();
    for (size_t i = 0; i < file->message_count; i++) {
        json_t *row = json_array();
        json_add(row, json_integer(file->messages[i].level));
        json_add(row, json_text(file->messages[i].clip));
        json_add(row, json_text(file->messages[i].bone));
        json_add(row, json_text(file->messages[i].text));
        json_add(messages, row);
    }
    for (size_t i = 0; i < file->origin_count; i++) {
        json_t *row = json_array();
        json_add(row, json_integer(file->origins[i].kind));
        json_add(row, json_text(file->origins[i].id));
        json_add(row, json_text(file->origins[i].name));
        json_add(row, json_integer(file->origins[i].method));
        json_add(row, json_text(file->origins[i].frames));
        json_add(row, json_integer(file->origins[i].error.kind));
        json_add(row, json_number(file->origins[i].error.value));
        json_add(row, json_number(file->origins[i].size));
        json_add(origins, row);
    }
    json_put(root, "messages", messages);
    json_put(root, "origins", origins);
    return root;
}

static const char *file_name_of(const build_file *file, const char *id)
{
    for (size_t i = 0; i < file->origin_count; i++)
        if (strcmp(file->origins[i].id, id) == 0 && file->origins[i].name != NULL)
            return file->origins[i].name;
    return NULL;
}

static void file_take_problem(void *user, const ember_note *note)
{
    build_file *file = user;
    app_say     say = build_file_say(file);
    say_error(&say, (place){NULL, file_name_of(file, note->clip), NULL}, "%s", note->text);
}

bool build_file_pack(build_file *file, const ember_rom_asset *assets, uint32_t count)
{
    json_t          *meta = file_meta_make(file);
    char            *text = json_compact_text(meta), *key = file_key_text(file);
    ember_rom_asset *all = must_alloc((size_t)count + 1, sizeof(*all));
    ember_notes      problems = {file_take_problem, file};
    ember_error      err = EMBER_ERROR_INIT;
    if (count != 0)
        memcpy(all, assets, count * sizeof(*all));
    all[count] =
        (ember_rom_asset){.kind = EMBER_ROM_DATA, .id = file_meta, .data = text, .size = strlen(text)};
    /* Only what goes into the cache is read back. */
    ember_rom_content content = {.title = key,
                                 .assets = all,
                                 .asset_count = count + (file->key != 0 ? 1 : 0),
                                 .limit_size = UINT32_MAX};
    file->bytes.size = 0;
    ember_status status = ember_rom_write(&file->bytes, &content, NULL, &problems, &err);
    if (status == EMBER_OK && !file->failed)
        status = ember_rom_open_memory(&file->rom, file->bytes.data, file->bytes.size, ember_heap(), &err);
    if (status != EMBER_OK && !file->failed) {
        app_say say = build_file_say(file);
        say_library(&say, NULL, &err);
    }
    free(all);
    free(key);
    free(text);
    json_free(meta);
    return status == EMBER_OK && !file->failed;
}

/* ---- and back ---- */

static bool file_read_message(build_file *file, const json_t *row)
{
    app_say     say = build_file_say(file);
    int64_t     level = json_integer_value(json_array_get(row, 0));
    const char *texts[3];
    for (size_t i = 0; i < 3; i++)
        texts[i] = json_string_value(json_array_get(row, i + 1));
    if (json_array_size(row) != 4 || texts[2] == NULL || level <= SAY_ERROR || level > SAY_DETAIL)
        return false;
    say_at(&say, (say_level)level, (place){NULL, texts[0], texts[1]}, "%s", texts[2]);
    return true;
}

static bool file_read_origin(build_file *file, const json_t *row)
{
    int64_t kind = json_integer_value(json_array_get(row, 0)),
            method = json_integer_value(json_array_get(row, 3)),
            error = json_integer_value(json_array_get(row, 5));
    const char *id = json_string_value(json_array_get(row, 1));
    if (json_array_size(row) != 8 || id == NULL || method < 0 || method >= EMBER_SQUEEZE_METHOD_COUNT ||
        error < 0 || error > BUILD_LOSSLESS)
        return false;
    build_origin *origin =
        build_origin_add(file, (ember_rom_kind)kind, id, json_string_value(json_array_get(row, 2)),
                         (ember_squeeze_method)method);
    origin->frames = file_copy(json_string_value(json_array_get(row, 4)));
    origin->error = (build_error){(build_error_kind)error, json_number_value(json_array_get(row, 6))};
    origin->size = json_number_value(json_array_get(row, 7));
    return true;
}

static bool file_meta_read(build_file *file, const json_t *root)
{
    const json_t *messages = json_object_get(root, "messages"), *origins = json_object_get(root, "origins");
    for (size_t i = 0; i < json_array_size(messages); i++)
        if (!file_read_message(file, json_array_get(messages, i)))
            return false;
    for (size_t i = 0; i < json_array_size(origins); i++)
        if (!file_read_origin(file, json_array_get(origins, i)))
            return false;
    return json_is_array(messages) && json_is_array(origins);
}

static void file_count_finding(void *user, const ember_finding *finding)
{
    (void)finding;
    ++*(size_t *)user;
}

bool build_file_unpack(build_file *file)
{
    ember_rom_entry entry;
    size_t          found = 0;
    char           *key = file_key_text(file);
    ember_findings  findings = {file_count_finding, &found};
    bool good = ember_rom_open_memory(&file->rom, file->bytes.data, file->bytes.size, ember_heap(), NULL) ==
                    EMBER_OK &&
                ember_rom_check(file->rom, ember_heap(), &findings, NULL) == EMBER_OK && found == 0 &&
                strcmp(ember_rom_title(file->rom), key) == 0 &&
                ember_rom_find(&entry, file->rom, EMBER_ROM_DATA, file_meta, sizeof(file_meta) - 1);
    free(key);
    if (good) {
        ember_arena       memory = ember_arena_growing(ember_heap(), 0);
        emberi_json_fault fault;
        const json_t     *root = emberi_json_parse(entry.data, entry.size, 0, &memory, &fault);
        good = file_meta_read(file, root);
        ember_arena_free(&memory);
    }
    if (!good) {
        file_drop_words(file);
        ember_rom_close(file->rom);
        file->rom = NULL;
        file->bytes.size = 0;
    }
    return good;
}
