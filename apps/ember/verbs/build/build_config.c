/* SPDX-License-Identifier: MIT */
/* ember.json: what a folder's author wants different. Every key and value is checked, and everything that is
   wrong is said, not only the first. */
#include "verbs/build/build.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json/json_edit.h"
#include "cli/args.h"
#include "cli/json_text.h"
#include "cli/text.h"

/* Where a key may be. */
enum { IN_TOP = 1, IN_FILE = 2, IN_CLIP = 4, IN_MESH = 8, IN_OPTIONS = IN_TOP | IN_FILE | IN_CLIP };

typedef enum config_type {
    TYPE_TEXT,
    TYPE_ID,
    TYPE_SKIN,
    TYPE_SWITCH,
    TYPE_POSITIVE,
    TYPE_RATE,
    TYPE_SIZE,
    TYPE_WORD,
    TYPE_SQUEEZE,
    TYPE_ERROR,
    TYPE_SKELETON,
    TYPE_PARTS,
    TYPE_ASSETS
} config_type;

typedef struct config_key {
    const char *name;
    int         where;
    config_type type;
    const char *words; /* TYPE_WORD: what it may be */
} config_key;

static const config_key config_keys[] = {
    {"title", IN_TOP, TYPE_TEXT, NULL},
    {"author", IN_TOP, TYPE_TEXT, NULL},
    {"assets", IN_TOP, TYPE_ASSETS, NULL},
    {"rate", IN_OPTIONS, TYPE_RATE, NULL},
    {"space", IN_OPTIONS, TYPE_WORD, "model local"},
    {"fit", IN_OPTIONS, TYPE_WORD, "closed plain"},
    {"loop", IN_OPTIONS, TYPE_SWITCH, NULL},
    {"squeeze", IN_OPTIONS, TYPE_SQUEEZE, "quick small"},
    {"error", IN_OPTIONS, TYPE_ERROR, NULL},
    {"scale", IN_TOP | IN_FILE, TYPE_POSITIVE, NULL},
    {"chunk", IN_TOP | IN_FILE, TYPE_SIZE, NULL},
    {"id", IN_FILE | IN_CLIP | IN_MESH, TYPE_ID, NULL},
    {"skip", IN_FILE | IN_CLIP | IN_MESH, TYPE_SWITCH, NULL},
    {"as", IN_FILE, TYPE_WORD, "data export"},
    {"skin", IN_FILE, TYPE_SKIN, NULL},
    {"take", IN_FILE, TYPE_TEXT, NULL},
    {"skeleton", IN_FILE, TYPE_SKELETON, NULL},
    {"clips", IN_FILE, TYPE_PARTS, NULL},
    {"meshes", IN_FILE, TYPE_PARTS, NULL},
};

enum { CONFIG_KEYS = sizeof(config_keys) / sizeof(config_keys[0]) };

typedef struct config_reader {
    app_say *say;
    char    *path; /* of ember.json */
    size_t   failed;
} config_reader;

static void config_fail(config_reader *r, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void config_fail(config_reader *r, const char *where, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *text = text_make_list(format, list);
    va_end(list);
    say_error(r->say, (place){r->path, NULL, NULL}, "%s%s%s", where, where[0] != '\0' ? ": " : "", text);
    free(text);
    r->failed++;
}

/* ---- values ---- */

/* A path that stays in the folder it is relative to. */
static bool config_is_inside(const char *path)
{
    if (path == NULL || path[0] == '\0' || path[0] == '/')
        return false;
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

static bool config_is_word(const char *words, const json_t *value)
{
    const char *text = json_string_value(value);
    size_t      size = text != NULL ? strlen(text) : 0;
    for (const char *at = words; size != 0 && (at = strstr(at, text)) != NULL; at++)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0'))
            return true;
    return false;
}

bool build_error_read(build_error *out, const char *text)
{
    static const struct error_unit {
        const char      *name;
        build_error_kind kind;
        double           factor;
    } units[] = {{"mm", BUILD_ERROR_LENGTH, 1e-3},
                 {"cm", BUILD_ERROR_LENGTH, 1e-2},
                 {"m", BUILD_ERROR_LENGTH, 1.0},
                 {"%", BUILD_ERROR_PART, 1e-2}};
    char  *end = NULL;
    double value = text != NULL && text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : 0.0;
    if (text != NULL && strcmp(text, "lossless") == 0) {
        *out = (build_error){BUILD_LOSSLESS, 0.0};
        return true;
    }
    for (size_t i = 0; end != NULL && value > 0.0 && value < 1e6 && i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(end, units[i].name) == 0) {
            *out = (build_error){units[i].kind, value * units[i].factor};
            return true;
        }
    return false;
}

/* What the value must be, or NULL if it is. */
static const char *config_value_fault(const config_key *key, const json_t *value)
{
    const char *text = json_string_value(value);
    size_t      size = json_string_length(value);
    double      number = json_number_value(value);
    bool        positive = json_is_number(value) && number > 0.0 && number < 1e9;
    switch (key->type) {
    case TYPE_TEXT:
        return size != 0 && size <= EMBER_ROM_MAX_TEXT ? NULL : "a text of 1 to 1023 bytes";
    case TYPE_ID:
        return size != 0 && ember_rom_id_valid(text, size) ? NULL
                                                           : "1 to 255 characters of A-Z a-z 0-9 _ . / -";
    case TYPE_SKIN:
        return size != 0 || (json_is_integer(value) && number >= 0.0) ? NULL : "a skin's name or number";
    case TYPE_SWITCH:
        return json_is_boolean(value) ? NULL : "true or false";
    case TYPE_POSITIVE:
        return positive ? NULL : "a number above 0 and below 1e9";
    case TYPE_RATE:
        return positive || config_is_word("source", value) ? NULL : "frames a second, or \"source\"";
    case TYPE_SIZE:
        return positive && json_is_integer(value) ? NULL : "a number of bytes";
    case TYPE_WORD:
        return config_is_word(key->words, value) ? NULL : key->words;
    case TYPE_SQUEEZE:
        return json_is_boolean(value) || config_is_word(key->words, value)
                   ? NULL
                   : "true, false, \"quick\" or \"small\"";
    case TYPE_ERROR: {
        build_error error;
        return build_error_read(&error, text)
                   ? NULL
                   : "a length above 0 as \"0.5mm\", a part of the model's size as "
                     "\"0.02%\", or \"lossless\"";
    }
    case TYPE_SKELETON:
        return json_is_boolean(value) || config_is_inside(text) ? NULL
                                                                : "a file of the folder, or true or false";
    default:
        return NULL;
    }
}

/* ---- objects ---- */

static void config_check_object(config_reader *r, const char *where, const json_t *object, int level);

static void config_check_list(config_reader *r, const char *where, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            config_fail(r, where, "must be a list of names");
}

/* NOLINTNEXTLINE(misc-no-recursion): the levels are counted, and there are few */
static void config_check_parts(config_reader *r, const char *where, const json_t *parts, int level)
{
    if (json_is_array(parts))
        config_check_list(r, where, parts);
    else if (!json_is_object(parts) && !json_is_boolean(parts))
        config_fail(r, where, "must be true, false, a list of names, or names with their options");
    for (size_t i = 0; i < json_object_size(parts); i++) {
        char *inner = text_make("%s.%s", where, json_object_key(parts, i));
        config_check_object(r, inner, json_object_value(parts, i), level);
        free(inner);
    }
}

static const char *config_key_name(const void *user, size_t i)
{
    size_t at = 0;
    for (size_t k = 0; k < CONFIG_KEYS; k++)
        if ((config_keys[k].where & *(const int *)user) != 0 && at++ == i)
            return config_keys[k].name;
    return NULL;
}

static const config_key *config_find_key(const char *name, int level)
{
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        if ((config_keys[i].where & level) != 0 && strcmp(config_keys[i].name, name) == 0)
            return &config_keys[i];
    return NULL;
}

/* NOLINTNEXTLINE(misc-no-recursion): the same */
static void config_check_object(config_reader *r, const char *where, const json_t *object, int level)
{
    if (!json_is_object(object)) {
        config_fail(r, where, "must be an object");
        return;
    }
    for (size_t i = 0; i < json_object_size(object); i++) {
        const char       *name = json_object_key(object, i);
        const json_t     *value = json_object_value(object, i);
        const config_key *key = config_find_key(name, level);
        char             *inner = text_make("%s%s%s", where, where[0] != '\0' ? "." : "", name);
        const char       *fault = key != NULL ? config_value_fault(key, value) : NULL;
        if (key == NULL) {
            char *hint = args_suggestion(name, "", config_key_name, &level);
            config_fail(r, where, "unknown key '%s'%s", name, hint);
            free(hint);
        } else if (fault != NULL) {
            config_fail(r, inner, "must be %s%s", key->type == TYPE_WORD ? "one of " : "", fault);
        } else if (key->type == TYPE_PARTS) {
            config_check_parts(r, inner, value, strcmp(name, "clips") == 0 ? IN_CLIP : IN_MESH);
        } else if (key->type == TYPE_ASSETS) {
            if (!json_is_object(value))
                config_fail(r, inner, "must be an object of files");
            for (size_t k = 0; k < json_object_size(value); k++) {
                char *file = text_make("%s.%s", inner, json_object_key(value, k));
                config_check_object(r, file, json_object_value(value, k), IN_FILE);
                free(file);
            }
        }
        free(inner);
    }
}

/* ---- the file ---- */

bool build_config_open(build_config *config, const char *folder, app_say *say)
{
    config_reader     r = {say, text_make("%s/ember.json", folder), 0};
    ember_buffer      bytes = {.allocator = ember_heap()};
    ember_error       err = EMBER_ERROR_INIT;
    emberi_json_fault fault;
    struct stat       info;
    memset(config, 0, sizeof(*config));
    config->memory = ember_arena_growing(ember_heap(), 0);
    config->path = r.path;
    /* One that is there and cannot be read is not as good as none: the ROM would be another. */
    if (lstat(r.path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR)) {
        if (ember_file_read(&bytes, r.path, (size_t)16 << 20, &err) != EMBER_OK) {
            config_fail(&r, "", "%s", emberi_error_line_of(&err).text);
        } else {
            config->root =
                emberi_json_parse(bytes.data, bytes.size, EMBERI_JSON_UNIQUE, &config->memory, &fault);
            if (config->root == NULL && emberi_json_fault_fail(&fault, "", &err) != EMBER_OK)
                config_fail(&r, "", "%s", emberi_error_line_of(&err).text);
            else
                config_check_object(&r, "", config->root, IN_TOP);
        }
    }
    if (r.failed == 0) {
        config->title = json_string_value(json_object_get(config->root, "title"));
        config->author = json_string_value(json_object_get(config->root, "author"));
        config->asset_keys = json_object_size(json_object_get(config->root, "assets"));
        config->used = must_alloc(config->asset_keys, sizeof(*config->used));
    }
    ember_buffer_free(&bytes);
    return r.failed == 0;
}

void build_config_close(build_config *config)
{
    ember_arena_free(&config->memory);
    free(config->path);
    free(config->used);
    memset(config, 0, sizeof(*config));
}

bool build_config_set_error(build_config *config, const char *text)
{
    const json_t none = emberi_json_edit_list(JSON_OBJECT);
    json_t      *root = EMBER_PUSH(&config->memory, json_t, 1);
    if (root == NULL ||
        !emberi_json_edit_copy(&config->memory, root, config->root != NULL ? config->root : &none) ||
        !emberi_json_edit_set(&config->memory, root, "error", emberi_json_edit_text(text)))
        return false;
    config->root = root;
    return true;
}

/* Numbers of skins become the texts that the readers take. */
static void config_put(json_t *to, const json_t *from, size_t index)
{
    const char   *key = json_object_key(from, index);
    const json_t *value = json_object_value(from, index);
    if (strcmp(key, "skin") == 0 && json_is_integer(value)) {
        char *number = text_make("%jd", (intmax_t)json_integer_value(value));
        json_put(to, key, json_text(number));
        free(number);
    } else {
        json_put(to, key, json_copy(value));
    }
}

json_t *build_config_of_file(build_config *config, const char *path)
{
    json_t       *merged = json_object();
    const json_t *assets = json_object_get(config->root, "assets");
    for (size_t i = 0; i < json_object_size(config->root); i++) {
        const char *key = json_object_key(config->root, i);
        if (strcmp(key, "assets") != 0 && strcmp(key, "title") != 0 && strcmp(key, "author") != 0)
            config_put(merged, config->root, i);
    }
    for (size_t i = 0; i < json_object_size(assets); i++) {
        const char   *pattern = json_object_key(assets, i);
        const json_t *options = json_object_value(assets, i);
        if (strcmp(pattern, path) != 0 && fnmatch(pattern, path, 0) != 0)
            continue;
        config->used[i] = true;
        for (size_t k = 0; k < json_object_size(options); k++)
            config_put(merged, options, k);
    }
    return merged;
}

bool build_config_check_used(const build_config *config, app_say *say)
{
    const json_t *assets = json_object_get(config->root, "assets");
    bool          all = true;
    for (size_t i = 0; i < json_object_size(assets); i++) {
        if (!config->used[i])
            say_error(say, (place){config->path, NULL, NULL}, "assets.%s: there is no such file",
                      json_object_key(assets, i));
        all = all && config->used[i];
    }
    return all;
}

/* ---- choices ---- */

static void choice_override(build_choice *c, const json_t *object)
{
    const json_t *value;
    if ((value = json_object_get(object, "rate")) != NULL) {
        c->rate = json_is_string(value) ? EMBER_FPS_SOURCE : json_number_value(value);
        c->rate_set = true;
    }
    if ((value = json_object_get(object, "space")) != NULL)
        c->space = json_string_is(value, "local") ? EMBER_SPACE_LOCAL : EMBER_SPACE_MODEL;
    if ((value = json_object_get(object, "fit")) != NULL)
        c->fit = json_string_is(value, "plain") ? EMBER_FIT_PLAIN : EMBER_FIT_CLOSED;
    if ((value = json_object_get(object, "loop")) != NULL)
        c->loop = json_is_true(value) ? 1 : 0;
    if ((value = json_object_get(object, "error")) != NULL)
        (void)build_error_read(&c->error, json_string_value(value)); /* it was checked */
    c->squeeze_set = c->squeeze_set || json_object_get(object, "squeeze") != NULL;
    if ((value = json_object_get(object, "squeeze")) != NULL)
        c->squeeze = json_is_true(value)              ? -1
                     : json_is_false(value)           ? EMBER_SQUEEZE_RAW
                     : json_string_is(value, "quick") ? EMBER_SQUEEZE_QUICK
                                                      : EMBER_SQUEEZE_SMALL;
    if ((value = json_object_get(object, "skip")) != NULL)
        c->skip = json_is_true(value);
    if ((value = json_object_get(object, "id")) != NULL)
        c->id = json_string_value(value);
}

build_choice build_choice_of(const json_t *object)
{
    build_choice  c = {.loop = -1, .squeeze = -1};
    const json_t *skeleton = json_object_get(object, "skeleton");
    choice_override(&c, object);
    c.scale = json_number_value(json_object_get(object, "scale"));
    c.chunk = (size_t)json_integer_value(json_object_get(object, "chunk"));
    c.as = json_string_value(json_object_get(object, "as"));
    c.skin = json_string_value(json_object_get(object, "skin"));
    c.take = json_string_value(json_object_get(object, "take"));
    c.skeleton = json_string_value(skeleton);
    c.no_skeleton = json_is_false(skeleton);
    c.wants_skeleton = json_is_true(skeleton);
    c.no_clips = json_is_false(json_object_get(object, "clips"));
    c.no_meshes = json_is_false(json_object_get(object, "meshes"));
    return c;
}

static bool choice_matches(const char *pattern, const char *name, uint32_t number)
{
    uint32_t wanted;
    if (pattern == NULL)
        return false;
    if (pattern[0] == '#' && text_read_u32(&wanted, pattern + 1) && wanted == number)
        return true;
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

build_choice build_choice_of_part(const build_choice *file, const json_t *parts, const char *name,
                                  uint32_t number, bool *seen)
{
    build_choice c = *file;
    c.id = NULL;
    c.skip = json_is_array(parts);
    for (size_t i = 0; i < json_array_size(parts); i++) {
        if (!choice_matches(json_string_value(json_array_get(parts, i)), name, number))
            continue;
        c.skip = false;
        seen[i] = true;
    }
    for (size_t i = 0; i < json_object_size(parts); i++) {
        if (!choice_matches(json_object_key(parts, i), name, number))
            continue;
        choice_override(&c, json_object_value(parts, i));
        seen[i] = true;
    }
    return c;
}
