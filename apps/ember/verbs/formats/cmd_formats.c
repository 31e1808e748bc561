/* SPDX-License-Identifier: MIT */
/* `ember formats`: what this build can read and write. */
#include <stdio.h>

#include "cli/table.h"
#include "ember/format.h"
#include "verbs/verbs.h"

static int formats_run(const app_args *args, app_say *say)
{
    (void)args;
    (void)say;
    app_table table = {"lllll", NULL, 0, 0};
    table_cell(&table, "name");
    table_cell(&table, "reads");
    table_cell(&table, "writes");
    table_cell(&table, "clips");
    table_cell(&table, "what it is (extensions)");
    for (size_t i = 0; i < ember_format_count(); i++) {
        const ember_format_info *info = ember_format_at(i);
        table_cell(&table, "%s", info->name);
        table_cell(&table, "%s", info->reads ? "yes" : "no");
        table_cell(&table, "%s", info->writes ? "yes" : "no");
        table_cell(&table, "%s", !info->stores.clips ? "none" : info->one_clip ? "one" : "many");
        table_cell(&table, "%s (%s)", info->title, info->extensions);
    }
    table_print(&table, "");
    return EXIT_DONE;
}

static const app_option formats_options[] = {{NULL, 0, NULL, NULL}};

const app_verb verb_formats = {
    .name = "formats",
    .summary = "the formats that can be read and written",
    .usage = "",
    .options = formats_options,
    .example = "ember formats",
    .run = formats_run,
};
