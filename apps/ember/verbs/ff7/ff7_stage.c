/* SPDX-License-Identifier: MIT */
/* Many files that come to a folder together: they are written into a hidden folder there, and moved to their
   places when all of them are done. A run that is killed before that has changed nothing; one that is killed
   while they are moved is finished by the next. */
#include "verbs/ff7/ff7_stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/text.h"
#include "ember/file.h"
#include "platform/folders.h"

/* In the hidden folder: all files are there, and the name of what made them. */
static const char ff7_stage_marker[] = ".done";

static char *ff7_stage_join(const char *folder, const char *name)
{
    size_t size = strlen(folder);
    return text_make("%s%s%s", folder, size > 0 && folder[size - 1] == '/' ? "" : "/", name);
}

/* Calls `each` for every file of the hidden folder but the marker; false where that or reading fails. */
static bool ff7_stage_each(const ff7_stage *s,
                           bool (*each)(const ff7_stage *s, const char *from, const char *name))
{
    emberi_folder *entries = emberi_folder_open(s->hidden);
    bool           good = entries != NULL;
    for (const char *name; good && (name = emberi_folder_next(entries)) != NULL;) {
        if (strcmp(name, ff7_stage_marker) == 0)
            continue;
        char *from = ff7_stage_join(s->hidden, name);
        good = each(s, from, name);
        free(from);
    }
    emberi_folder_close(entries);
    return good;
}

static bool ff7_stage_move(const ff7_stage *s, const char *from, const char *name)
{
    char *to = ff7_stage_join(s->folder, name);
    bool  good = rename(from, to) == 0;
    if (!good)
        say_error(s->say, (place){to, NULL, NULL}, "the finished file cannot be moved here: %s",
                  strerror(errno));
    free(to);
    return good;
}

static bool ff7_stage_remove(const ff7_stage *s, const char *from, const char *name)
{
    (void)s;
    (void)name;
    return unlink(from) == 0;
}

static void ff7_stage_clear(const ff7_stage *s)
{
    char *marker = ff7_stage_join(s->hidden, ff7_stage_marker);
    (void)ff7_stage_each(s, ff7_stage_remove);
    (void)unlink(marker);
    (void)rmdir(s->hidden);
    free(marker);
}

/* Moves what an earlier run left; true where it was `what`. */
static bool ff7_stage_finish(ff7_stage *s, const char *what)
{
    char        *marker = ff7_stage_join(s->hidden, ff7_stage_marker);
    ember_buffer text = {.allocator = ember_heap()};
    bool         whole =
        emberi_path_is(marker) == EMBERI_PATH_FILE && ember_file_read(&text, marker, 4096, NULL) == EMBER_OK;
    bool same = whole && text.size == strlen(what) && memcmp(text.data, what, text.size) == 0;
    if (whole && ff7_stage_each(s, ff7_stage_move))
        say_warning(s->say, (place){s->folder, NULL, NULL},
                    "an earlier run was interrupted while it put its packs in place: finished");
    else
        same = false;
    ember_buffer_free(&text);
    free(marker);
    ff7_stage_clear(s);
    return same;
}

bool ff7_stage_open(ff7_stage *s, const char *folder, const char *what, app_say *say, bool *finished)
{
    *s = (ff7_stage){.folder = folder, .say = say};
    s->hidden = ff7_stage_join(folder, ".ember-stage");
    *finished = emberi_path_is(s->hidden) == EMBERI_PATH_FOLDER && ff7_stage_finish(s, what);
    int failed = *finished ? 0 : emberi_folder_make(s->hidden, false);
    if (failed != 0)
        say_error(say, (place){folder, NULL, NULL}, "the folder cannot be made: %s", strerror(failed));
    return failed == 0;
}

char *ff7_stage_path(const ff7_stage *s, const char *name) { return ff7_stage_join(s->hidden, name); }

bool ff7_stage_commit(const ff7_stage *s, const char *what)
{
    ember_error err = EMBER_ERROR_INIT;
    char       *marker = ff7_stage_join(s->hidden, ff7_stage_marker);
    bool        good = ember_file_write(marker, what, strlen(what), &err) == EMBER_OK;
    if (!good)
        say_library(s->say, marker, &err);
    good = good && ff7_stage_each(s, ff7_stage_move);
    free(marker);
    return good;
}

void ff7_stage_close(ff7_stage *s, bool keep)
{
    if (s->hidden != NULL && !keep)
        ff7_stage_clear(s);
    free(s->hidden);
    s->hidden = NULL;
}
