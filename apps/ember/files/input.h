/* SPDX-License-Identifier: MIT */
/* Files on their way in: the options that say how to read them, and a model with the memory it lives in. */
#ifndef EMBER_APP_INPUT_H
#define EMBER_APP_INPUT_H

#include "cli/args.h"
#include "cli/say.h"
#include "ember/animbin.h"
#include "ember/ff7.h"
#include "ember/format.h"
#include "ember/format_options.h"

/* The options of single formats that the command line sets. A verb keeps them beside its ember_read_options,
   which point to them. */
typedef struct input_formats {
    ember_animbin_options animbin;
    ember_bvh_options     bvh;
    ember_fbx_options     fbx;
    ember_ff7_options     ff7;
} input_formats;

/* The layers of the clips of a file that has several for one, as --take names them. */
typedef struct input_layer {
    uint32_t clip;
    char    *name;
} input_layer;

typedef struct input {
    const char              *path;
    const char              *name; /* for messages */
    ember_buffer             bytes;
    ember_arena              arena;
    const ember_format_info *info;
    ember_model              model;
    size_t                   memory_limit; /* that it was read with; 0: by its size */
    input_layer             *layers;
    size_t                   layer_count;
} input;

/* The option that says what reading a file may take, for every verb that reads any. In bytes; EXIT_DONE
   or EXIT_USAGE. */
#define INPUT_TAKE                                                                                      \
    {                                                                                                   \
        "take", 0, "TAKE[:LAYER]", "FBX: only that take, or one of its layers by itself (default: all)" \
    }
#define INPUT_MAX_MEMORY                                                                              \
    {                                                                                                 \
        "max-memory", 0, "MIB",                                                                       \
            "what reading a file may take; else 6 and one more for each KB of the file, 1024 at most" \
    }
int input_options_memory(size_t *out, const app_args *args, app_say *say);

/* --from, --source-space, --fps, --skin, --take, --tpose, --scale, --unit, --basis and --max-memory of a verb
   that has them. *out points to *formats. EXIT_DONE or EXIT_USAGE. */
int input_options_read(ember_read_options *out, input_formats *formats, const app_args *args, app_say *say);

/* Reads the file's bytes only. False with the reason in *err. */
bool input_load(input *in, const char *path, ember_error *err);

/* What the bytes are: --from, content, extension. False with the reason in *err. */
bool input_tell(input *in, const ember_read_options *options, ember_error *err);

/* Reads the model of bytes that were loaded and told. The options' space is for files that do not store one;
   path, format, notes and readers are set here. False with the reason in *err. */
bool input_parse(input *in, const ember_read_options *options, app_say *say, ember_error *err);

/* Loads, tells and reads the model. False with the reason in *err, not said yet. Whatever came of it,
   input_close frees it. */
bool input_read(input *in, const char *path, const ember_read_options *options, app_say *say,
                ember_error *err);

/* The same, and says what is wrong. */
bool input_open(input *in, const char *path, const ember_read_options *options, app_say *say);

/* False, with a message, where the options state a space and the file states its own: the option
   would do nothing. */
bool input_takes_space(const input *in, const ember_read_options *options, app_say *say);

/* False, with a message, where the options want a take of a file that has none. */
bool input_takes_take(const input *in, const ember_read_options *options, app_say *say);

/* "BaseLayer, over": the clip's layers where it has more than one, else NULL. Free it. */
char *input_layers_of(const input *in, uint32_t clip);

void input_close(input *in);

/* A file without a skeleton takes the other's, if it has as many bones: else a local clip could not be
   composed. `reading` is what it was read with. */
void input_share_skeleton(input *poor, const input *rich, const ember_read_options *reading,
                          const app_say *say);

/* ember_clip_resample, with the reason in *err. Frames are made up to any time that a file says, so a small
   file must not become a large clip: EMBER_E_LIMIT above ember_memory_limit. */
ember_status input_resample(ember_clip *out, const input *in, const ember_clip *clip, double fps,
                            ember_arena *arena, ember_error *err);

#endif
