/* SPDX-License-Identifier: MIT */
/* Files of a folder that change all together. */
#ifndef EMBER_APP_FF7_STAGE_H
#define EMBER_APP_FF7_STAGE_H

#include "cli/say.h"

typedef struct ff7_stage {
    const char *folder; /* where the files go; there already */
    char       *hidden; /* where they are until then */
    app_say    *say;
} ff7_stage;

/* Finishes what an earlier run did not, or removes it, and makes the hidden folder. *finished: that run was
   `what` too, so there is nothing left to do. False with one line said. Close it in any case. */
bool ff7_stage_open(ff7_stage *s, const char *folder, const char *what, app_say *say, bool *finished);

/* Where to write the file of that name. Free it. */
char *ff7_stage_path(const ff7_stage *s, const char *name);

/* Puts every file in its place. False with one line said; the next run tries again. */
bool ff7_stage_commit(const ff7_stage *s, const char *what);

/* Removes what was not moved, unless the next run is to find it. */
void ff7_stage_close(ff7_stage *s, bool keep);

#endif
