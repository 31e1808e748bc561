/* SPDX-License-Identifier: MIT */
/* Where the output goes: one file, standard output, one file per clip ({clip} in the name), or a folder. */
#ifndef EMBER_APP_OUTPUT_H
#define EMBER_APP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/args.h"
#include "ember/format.h"

typedef enum output_kind {
    OUTPUT_FILE = 0, /* one path, or "-" */
    OUTPUT_PER_CLIP, /* the path holds {clip} */
    OUTPUT_FOLDER    /* there is such a folder, or the path ends in '/' */
} output_kind;

typedef struct output_file {
    unsigned long long device, inode;
    bool               known;
} output_file;

typedef struct output {
    output_kind              kind;
    const char              *path; /* as given with -o */
    const ember_format_info *to;
    char                   **used;      /* paths given out so far: a hash table, NULL where it is empty */
    unsigned                *used_next; /* of each: the number that the next file of that name tries */
    size_t                   used_count, used_room;
    /* Which files the inputs are, so that none is overwritten before it was read. */
    output_file             *inputs;
    size_t                   input_count;
} output;

/* Reads -o and --to, and looks at what the inputs are. `usual` is the format where neither tells it; NULL:
   they must. EXIT_DONE, or EXIT_USAGE with one line said. Free in both cases. */
int  output_plan(output *out, const app_args *args, const ember_format_info *usual, app_say *say);
void output_free(output *out);

/* The path for one clip (PER_CLIP), or for a file or clip called `stem` in the folder (FOLDER). A path that
   was given out before gets _2, _3 and so on, and *again is true. The name is made safe: no slashes or
   control characters, not empty, not . or .. or too long. Free it. */
char *output_path(output *out, const char *stem, bool *again);

/* The index of an input from `first` on that this path would overwrite; SIZE_MAX if there is none. */
size_t output_overwrites(const output *out, const char *path, size_t first);

/* Whether the path is that input and --in-place was not given; says so then. The other is for all files that
   the verb reads. */
bool output_refused(const char *path, const char *input, const app_args *args, app_say *say);
bool output_refuses(const char *path, const app_args *args, app_say *say);

/* What --in-place is called, for every verb that has it. */
#define OUTPUT_IN_PLACE                                                        \
    {                                                                          \
        "in-place", 0, NULL, "allow OUT to be an input, which is written over" \
    }

/* Makes the folder of an OUTPUT_FOLDER, with those above it, if it is not there. False with a line said. */
bool output_make_folder(const output *out, app_say *say);

/* There is such a folder, or the path ends in '/'. */
bool output_is_folder(const char *path);

/* "walk" of "a/walk.ewzanim". Free it. */
char *output_stem(const char *path);

#endif
