/* SPDX-License-Identifier: MIT */
/* What `ember info` tells of clips and bones, of single files and of ROMs. */
#ifndef EMBER_APP_INFO_H
#define EMBER_APP_INFO_H

#include "base/json/json_tree.h"

#include "files/input.h"

typedef struct info_job {
    app_say           *say;
    ember_read_options reading;
    input_formats      formats;
    bool               from_set; /* --from: nothing is taken for a ROM */
    bool               json, bones;
    bool               framed; /* --frame: the values of that frame too */
    uint32_t           frame;
    const char        *clip; /* --clip, for --frame; NULL: all */
    bool               failed;
    json_t            *files; /* NULL in text */
    size_t             shown;
} info_job;

double      info_seconds(const ember_clip *clip);
const char *info_space(const ember_clip *clip);
/* "step@12 step@24", or "-". Free it. */
char       *info_markers(const ember_clip *clip);
void        info_print_bones(const ember_skeleton *skeleton);
json_t     *info_clip_json(const ember_clip *clip, uint32_t index);
json_t     *info_bones_json(const ember_skeleton *skeleton);

/* info_frame.c: the bones' values in the job's frame, for a clip whose file's bytes are `data`. False, with
   one line said, where it has no such frame. */
bool    info_wants_frame(const info_job *job, const ember_model *model, uint32_t clip);
bool    info_print_frame(info_job *job, const char *file, const ember_model *model, uint32_t clip,
                         const void *data, size_t size);
/* no bones there */
json_t *info_frame_json(info_job *job, const char *file, const ember_model *model, uint32_t index,
                        const void *data, size_t size);

/* A ROM that was loaded: prints it, or adds it to the job's files. False where it cannot be opened, with *err
   set, or has damaged entries, which are said. */
bool info_rom(info_job *job, const input *in, ember_error *err);

#endif
