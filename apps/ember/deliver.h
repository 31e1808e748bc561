/* SPDX-License-Identifier: MIT */
/* Clips on their way out: brought to the wanted space, written whole or not at all, and held against the
   source, so that what storing them cost is said. */
#ifndef EMBER_APP_DELIVER_H
#define EMBER_APP_DELIVER_H

#include "ember/format.h"
#include "measure.h"
#include "say.h"
#include "space.h"

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
    const ember_clip *clip; /* as it was given to the writer */
    size_t            size;
    bool              measured;
    measured          error;
} delivered;

typedef struct deliver {
    app_say                 *say;
    const ember_format_info *to;
    ember_space              space; /* UNSTATED: as the clip is */
    ember_write_options      writing;
    bool                     madnight; /* clips are fitted to that player */
    /* called before the first byte goes out, to make a folder for example; or NULL */
    bool (*ready)(void *user);
    /* of each clip in a file of its own, also with -q; or NULL */
    void (*told)(void *user, const delivered *what);
    void *user;
} deliver;

/* The bytes of an output called `name`, and in *clips what the writer was given, both before anything is
   written. False, with one line said, where it cannot be. */
bool deliver_make(deliver *d, const char *name, const deliver_part *part, ember_arena *arena,
                  ember_buffer *bytes, const ember_clip **clips);

/* The space that clips are stored in where nobody says: model for formats that do not say it, local for those
   that have no other, else as they are. */
ember_space deliver_space(ember_format to);

/* Empty slots of a pack are clips so that the others keep their numbers; formats that store frames have no
   use for them. */
bool deliver_is_slot(const ember_clip *clip, ember_format to);

/* Writes the chosen clips to the path; false, with one line said, where that failed. */
bool deliver_write(deliver *d, const char *path, const deliver_part *part);

/* Says what a change of space could not keep. */
void deliver_warn_of_space(app_say *say, const char *path, const ember_model *model,
                           const space_result *result);

#endif
