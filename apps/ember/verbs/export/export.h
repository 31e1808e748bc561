/* SPDX-License-Identifier: MIT */
/* `ember export` in its parts: what animations, skeletons and meshes share, and each of them. */
#ifndef EMBER_APP_EXPORT_H
#define EMBER_APP_EXPORT_H

#include "base/json/json_tree.h"

#include "files/deliver.h"
#include "files/input.h"
#include "files/output.h"

typedef struct export
{
    app_args              args; /* without the first word, which is the kind */
    app_say              *say;
    ember_read_options    reading;
    ember_ewzlean_options ewzlean;
    input_formats         formats;
    input                 in, skeleton;
    ember_ff7_skeleton    ff7;   /* the skeleton, if it is one of FF7's; no bones: none */
    ember_model           model; /* what was read, on --skeleton's bones if it is given */
    output                out;
    deliver               deliver;
    json_t               *report; /* --error-report, or NULL */
    bool                  folder_made;
}
export;

/* Makes the folder of -o before the first file goes into it; user is the export. */
bool export_make_folder(void *user);

/* Reads the input into e->model. Formats that hold frames and not curves are cut to --range and brought to
   --frame-rate. */
int export_open(export *e);

/* Opens --skeleton, before the input is read. False with one line said. */
bool export_open_skeleton(export *e);

int export_skeleton(export *e);
int export_mesh(export *e);

#endif
