/* SPDX-License-Identifier: MIT */
/* `ember ff7`: what modders do with the battle packs of Final Fantasy VII; each action is in ff7_chunks.c
   or ff7_batch.c. */
#include <stdlib.h>
#include <string.h>

#include "files/output.h"
#include "verbs/ff7/ff7_batch.h"
#include "verbs/ff7/ff7_chunks.h"
#include "verbs/verbs.h"

typedef struct ff7_action {
    const char *name;
    const char *words; /* what follows the name */
    const char *takes; /* its options beside --skeleton, each behind a space */
    size_t      least, most;
    bool        writes; /* needs -o */
    int (*run)(const app_args *args, app_say *say);
} ff7_action;

static const ff7_action ff7_actions[] = {
    {"list", "PACK...", " format ", 1, ARGS_ANY_COUNT, false, ff7_list},
    {"extract", "PACK N|N-M...", " output in-place ", 2, ARGS_ANY_COUNT, true, ff7_extract},
    {"replace", "PACK N OTHER[:M]", " output in-place ", 3, 3, true, ff7_replace},
    {"remove", "PACK N|N-M...", " output in-place slot ", 2, ARGS_ANY_COUNT, true, ff7_remove},
    {"insert", "PACK N OTHER[:M]", " output in-place ", 3, 3, true, ff7_insert},
    {"fps", "PACK|FOLDER... --to 30|60", " output in-place again to loop ", 1, ARGS_ANY_COUNT, true, ff7_fps},
    {"repack", "PACK|FOLDER...", " output in-place ", 1, ARGS_ANY_COUNT, true, ff7_repack},
    {"repair", "PACK|FOLDER...", " output in-place ", 1, ARGS_ANY_COUNT, true, ff7_repair},
};

enum { FF7_ACTION_COUNT = sizeof(ff7_actions) / sizeof(ff7_actions[0]) };

/* Options that the action does not know are a mistake, not to be passed over in silence. */
static bool ff7_takes(const ff7_action *action, const char *option)
{
    const char *at = strstr(action->takes, option);
    return strcmp(option, "skeleton") == 0 || strcmp(option, "quiet") == 0 ||
           strcmp(option, "verbose") == 0 || (at != NULL && at[-1] == ' ' && at[strlen(option)] == ' ');
}

static int ff7_act(const ff7_action *action, const app_args *args, app_say *say)
{
    for (size_t i = 0; i < args->given_count; i++)
        if (!ff7_takes(action, args->given[i].option->name))
            return args_usage(args, say, "ff7 %s takes no --%s", action->name, args->given[i].option->name);
    if (args->file_count < action->least || args->file_count > action->most)
        return args_usage(args, say, "it is ember ff7 %s %s%s", action->name, action->words,
                          action->writes ? " -o OUT" : "");
    if (action->writes && !args_has(args, "output"))
        return args_usage(args, say, "-o is missing: where to write it");
    return action->run(args, say);
}

static const char *ff7_action_name(const void *user, size_t i)
{
    (void)user;
    return i < FF7_ACTION_COUNT ? ff7_actions[i].name : NULL;
}

static int ff7_run(const app_args *args, app_say *say)
{
    app_args rest = *args;
    rest.files++;
    rest.file_count--;
    for (size_t i = 0; i < FF7_ACTION_COUNT; i++)
        if (strcmp(args->files[0], ff7_actions[i].name) == 0)
            return ff7_act(&ff7_actions[i], &rest, say);
    char *hint = args_suggestion(args->files[0], "", ff7_action_name, NULL);
    int   code = args_usage(args, say, "unknown action '%s'%s", args->files[0], hint);
    free(hint);
    return code;
}

static const app_option ff7_options[] = {
    {"output", 'o', "OUT", "a pack, or a folder where several are read (needed but for list)"},
    OUTPUT_IN_PLACE,
    {"again", 0, NULL, "fps: interpolate packs that have been interpolated before"},
    {"to", 0, "30|60", "fps: the new rate; the game's own is 15"},
    {"loop", 0, "auto|never|always|N",
     "fps: which clips run into their start: by their seam (else), none, all, or chunk N alone"},
    {"slot", 0, NULL, "remove: leave an empty slot, so that the other chunks keep their numbers"},
    {"skeleton", 0, "FILE", "the model's **aa file; else the one beside the pack, rtaa for rtda"},
    {"format", 0, "text|json", "list: how to print it; text is the default"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_ff7 = {
    .name = "ff7",
    .summary = "battle packs of Final Fantasy VII: list, edit, interpolate, repack, repair",
    .usage = "list|extract|replace|remove|insert|fps|repack|repair PACK... [-o OUT] [options]",
    .about =
        "  list     PACK...              the chunks: kind, frames, key, bytes, what is odd\n"
        "  extract  PACK N|N-M...        a pack of these chunks alone, in their order\n"
        "  replace  PACK N OTHER[:M]     chunk N becomes chunk M of another pack (else its first)\n"
        "  remove   PACK N|N-M...        without these chunks; --slot leaves empty slots\n"
        "  insert   PACK N OTHER[:M]     chunk M of another pack goes before chunk N\n"
        "  fps      PACK|FOLDER...       30 or 60 frames a second; body and weapon in step\n"
        "  repack   PACK|FOLDER...       shortest codes, junk dropped; the motion stays the same\n"
        "  repair   PACK|FOLDER...       counters, damaged headers, half frames\n\n"
        "Chunks count from 0. What an action does not touch keeps its bytes. To go to Blender and back use\n"
        "ember convert with --skeleton and --base.",
    .options = ff7_options,
    .example = "ember ff7 fps battle/ --to 60 -o battle60/",
    .least_files = 1,
    .most_files = ARGS_ANY_COUNT,
    .files = "what to do: list, extract, replace, remove, insert, fps, repack or repair",
    .run = ff7_run,
};
