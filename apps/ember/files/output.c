/* SPDX-License-Identifier: MIT */
/* The format and the names of output files. Clip names come out of files and may be anything; what is made of
   them never leaves the folder that the user named. */
#include "files/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/text.h"
#include "platform/folders.h"

/* File names may have 255 bytes on all usual systems; the rest is for a suffix, an extension and a
   temporary name. */
enum { OUTPUT_LONGEST_STEM = 180 };

static const char output_mark[] = "{clip}";

bool output_is_folder(const char *path)
{
    size_t size = strlen(path);
    return (size > 0 && path[size - 1] == '/') || emberi_path_is(path) == EMBERI_PATH_FOLDER;
}

static void output_note_inputs(output *out, const app_args *args)
{
    out->input_count = args->file_count;
    out->inputs = must_alloc(args->file_count, sizeof(*out->inputs));
    for (size_t i = 0; i < args->file_count; i++) {
        struct stat info;
        if (strcmp(args->files[i], "-") == 0 || stat(args->files[i], &info) != 0)
            continue;
        out->inputs[i].device = (unsigned long long)info.st_dev;
        out->inputs[i].inode = (unsigned long long)info.st_ino;
        out->inputs[i].known = true;
    }
}

int output_plan(output *out, const app_args *args, const ember_format_info *usual, app_say *say)
{
    memset(out, 0, sizeof(*out));
    out->path = args_value(args, "output");
    if (out->path == NULL || out->path[0] == '\0')
        return args_usage(args, say, "-o OUT is missing: a file, a folder, a name with {clip}, or -");
    int code = args_format(args, say, "to", &out->to);
    if (code != EXIT_DONE)
        return code;

    if (strstr(out->path, output_mark) != NULL)
        out->kind = OUTPUT_PER_CLIP;
    else if (strcmp(out->path, "-") != 0 && output_is_folder(out->path))
        out->kind = OUTPUT_FOLDER;
    if (out->to == NULL && out->kind == OUTPUT_FOLDER)
        out->to = usual;
    if (out->to == NULL && strcmp(out->path, "-") == 0)
        return args_usage(args, say, "-o - does not tell the format: say it with --to");
    if (out->to == NULL && out->kind == OUTPUT_FOLDER)
        return args_usage(args, say, "'%s' is a folder and does not tell the format: say it with --to",
                          out->path);
    if (out->to == NULL)
        out->to = ember_format_by_path(out->path);
    if (out->to == NULL)
        return args_usage(args, say, "'%s' does not tell the format by its extension: say it with --to",
                          out->path);
    if (!out->to->writes)
        return args_usage(args, say, "%s can be read, but not written", out->to->name);
    output_note_inputs(out, args);
    return EXIT_DONE;
}

void output_free(output *out)
{
    for (size_t i = 0; i < out->used_room; i++)
        free(out->used[i]);
    free(out->used);
    free(out->used_next);
    free(out->inputs);
    memset(out, 0, sizeof(*out));
}

/* ---- the paths given out ---- */

/* The slot where the path is, or where it would be put. */
static size_t output_slot(char *const *table, size_t room, const char *path)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *p = path; *p != '\0'; p++)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    size_t slot = (size_t)(hash % room);
    while (table[slot] != NULL && strcmp(table[slot], path) != 0)
        slot = (slot + 1) % room;
    return slot;
}

/* False if the path was given out before. */
static bool output_claim(output *out, const char *path)
{
    if (out->used_count * 2 >= out->used_room) {
        size_t    room = out->used_room != 0 ? out->used_room * 2 : 64;
        char    **table = must_alloc(room, sizeof(*table));
        unsigned *next = must_alloc(room, sizeof(*next));
        for (size_t i = 0; i < out->used_room; i++)
            if (out->used[i] != NULL) {
                size_t slot = output_slot(table, room, out->used[i]);
                table[slot] = out->used[i];
                next[slot] = out->used_next[i];
            }
        free(out->used);
        free(out->used_next);
        out->used = table;
        out->used_next = next;
        out->used_room = room;
    }
    size_t slot = output_slot(out->used, out->used_room, path);
    if (out->used[slot] != NULL)
        return false;
    out->used[slot] = text_make("%s", path);
    out->used_count++;
    return true;
}

/* ---- making names ---- */

static char *output_safe(const char *name)
{
    char  *safe = text_make("%s", name);
    size_t size = strlen(safe);
    for (size_t i = 0; i < size; i++)
        if (safe[i] == '/' || (unsigned char)safe[i] < 0x20 || safe[i] == 0x7f)
            safe[i] = '_';
    if (size > OUTPUT_LONGEST_STEM) {
        size = OUTPUT_LONGEST_STEM;
        while (size > 0 && ((unsigned char)safe[size] & 0xc0) == 0x80)
            size--;
        safe[size] = '\0';
    }
    if (size == 0 || strcmp(safe, ".") == 0 || strcmp(safe, "..") == 0) {
        free(safe);
        safe = text_make("%s", size == 0 ? "clip" : "_");
    }
    return safe;
}

static char *output_fill(const output *out, const char *stem)
{
    if (out->kind == OUTPUT_FOLDER) {
        /* A name that already is one of the format's, "rtda", stays as it is. */
        if (ember_format_by_path(stem) == out->to)
            return text_make("%s%s%s", out->path, out->path[strlen(out->path) - 1] == '/' ? "" : "/", stem);
        size_t size = strlen(out->path), extension = strcspn(out->to->extensions, " ");
        return text_make("%s%s%s.%.*s", out->path, out->path[size - 1] == '/' ? "" : "/", stem,
                         (int)extension, out->to->extensions);
    }
    char       *path = text_make("%s", "");
    const char *rest = out->path, *mark;
    while ((mark = strstr(rest, output_mark)) != NULL) {
        char *longer = text_make("%s%.*s%s", path, (int)(mark - rest), rest, stem);
        free(path);
        path = longer;
        rest = mark + strlen(output_mark);
    }
    char *whole = text_make("%s%s%s", strcmp(path, "-") == 0 && rest[0] == '\0' ? "./" : "", path, rest);
    free(path);
    return whole;
}

char *output_path(output *out, const char *stem, bool *again)
{
    char *safe = output_safe(stem);
    char *first = output_fill(out, safe), *path = text_make("%s", first);
    *again = false;
    while (!output_claim(out, path)) {
        /* Thousands of clips of one name would try every number from 2 on. */
        unsigned *next = &out->used_next[output_slot(out->used, out->used_room, first)];
        *next = *next < 2 ? 2 : *next + 1;
        char *numbered = text_make("%s_%u", safe, *next);
        free(path);
        path = output_fill(out, numbered);
        free(numbered);
        *again = true;
    }
    free(first);
    free(safe);
    return path;
}

char *output_stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t      size = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    return text_make("%.*s", (int)size, base);
}

size_t output_overwrites(const output *out, const char *path, size_t first)
{
    struct stat info;
    if (strcmp(path, "-") == 0 || stat(path, &info) != 0)
        return SIZE_MAX;
    for (size_t i = first; i < out->input_count; i++)
        if (out->inputs[i].known && out->inputs[i].device == (unsigned long long)info.st_dev &&
            out->inputs[i].inode == (unsigned long long)info.st_ino)
            return i;
    return SIZE_MAX;
}

static bool output_is_same(const char *path, const char *input)
{
    struct stat a, b;
    return input != NULL && stat(path, &a) == 0 && stat(input, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool output_refused(const char *path, const char *input, const app_args *args, app_say *say)
{
    if (args_has(args, "in-place") || strcmp(path, "-") == 0 || !output_is_same(path, input))
        return false;
    say_error(say, (place){path, NULL, NULL}, "is an input: --in-place writes over it");
    return true;
}

bool output_refuses(const char *path, const app_args *args, app_say *say)
{
    for (size_t i = 0; i < args->file_count; i++)
        if (output_refused(path, args->files[i], args, say))
            return true;
    return output_refused(path, args_value(args, "base"), args, say) ||
           output_refused(path, args_value(args, "skeleton"), args, say);
}

bool output_make_folder(const output *out, app_say *say)
{
    int failed = emberi_folder_make(out->path, false);
    if (failed != 0) {
        place where = {out->path, NULL, NULL};
        say_error(say, where, "the folder cannot be made: %s", strerror(failed));
    }
    return failed == 0;
}
