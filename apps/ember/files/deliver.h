/* SPDX-License-Identifier: MIT */
/* Clips on their way out: written whole or not at all, then compared with the source, so that what storing
   them cost is reported. */
#ifndef EMBER_APP_DELIVER_H
#define EMBER_APP_DELIVER_H

#include "cli/say.h"
#include "ember/format.h"

/* Clips of one source that go into one output. */
typedef struct deliver_part {
    const char        *source; /* for messages */
    const ember_model *model;
    uint32_t          *clips;
    uint32_t           count;
} deliver_part;

/* What became of a clip that went into a file of its own. */
typedef struct delivered {
    const char       *path;
    const ember_clip *clip;  /* the source */
    ember_space       space; /* that it was stored in */
    size_t            size;
    bool              measured;
    ember_measured    error;
    const char       *bone; /* where the largest error is; its name, or NULL */
} delivered;

typedef struct deliver {
    app_say                 *say;
    const ember_format_info *to;
    ember_write_options      writing;
    bool                     keep_rate; /* frames go out as they are, whatever rate the target has */
    bool                     madnight;  /* clips are fitted to that player; writing.animbin is set */
    /* called before the first byte goes out, to make a folder for example; or NULL */
    bool (*ready)(void *user);
    /* of each clip in a file of its own, also with -q; or NULL */
    void (*told)(void *user, const delivered *what);
    void *user;
} deliver;

/* The bytes of an output called `name`, before anything is written. False, with one line said, where it
   cannot be. */
bool deliver_make(deliver *d, const char *name, const deliver_part *part, ember_arena *arena,
                  ember_buffer *bytes);

/* Empty slots of a pack are clips so that the others keep their numbers; formats that store frames have no
   use for them. */
bool deliver_is_slot(const ember_clip *clip, const ember_format_info *to);

/* Says what the model has no place for. Meshes that are not stored take what belongs to them along; that is
   said of them already. */
void deliver_note_left_out(app_say *say, const char *name, const ember_model *model,
                           const ember_format_info *to);

/* Writes the chosen clips to the path; false, with one line said, where that failed. */
bool deliver_write(deliver *d, const char *path, const deliver_part *part);
#endif
