/* SPDX-License-Identifier: MIT */
/* How ANIMBIN is read and written, from the command line. */
#include "files/animbin_options.h"

#include <string.h>

#include "cli/text.h"

int animbin_options_view(ember_animbin_options *out, const app_args *args, app_say *say)
{
    static const char *const bases[] = {"same", "psx", NULL};
    const char              *unit = args_value(args, "unit");
    size_t                   basis = 0;
    if (unit != NULL && strcmp(unit, "auto") == 0)
        out->unit = EMBER_ANIMBIN_UNIT_AUTO;
    else if (unit != NULL && (!text_read_double(&out->unit, unit) || out->unit <= 0.0))
        return args_usage(args, say, "--unit is a number above 0 or auto, not '%s'", unit);
    int code = args_choice(args, say, "basis", bases, &basis);
    out->basis = basis == 1 ? EMBER_ANIMBIN_BASIS_PSX : EMBER_ANIMBIN_BASIS_SAME;
    return code;
}

static int animbin_options_check(const ember_format_info *to, const app_args *args, app_say *say)
{
    static const char *const only[] = {"keys", "tolerance", "truncate", "translations", "target"};
    if ((to->takes & EMBER_TAKES_ANIMBIN) != 0)
        return EXIT_DONE;
    for (size_t i = 0; i < sizeof(only) / sizeof(only[0]); i++)
        if (args_has(args, only[i]))
            return args_usage(args, say, "--%s is for animbin, not for %s", only[i], to->name);
    return EXIT_DONE;
}

int animbin_options_read(ember_animbin_options *out, bool *madnight, const ember_format_info *to,
                         const app_args *args, app_say *say)
{
    static const char *const                keys[] = {"dense", "sparse", NULL};
    static const char *const                translations[] = {"never", "auto", "always", NULL};
    static const ember_animbin_translations asked[] = {EMBER_ANIMBIN_TRANSLATIONS_NEVER,
                                                       EMBER_ANIMBIN_TRANSLATIONS_AUTO,
                                                       EMBER_ANIMBIN_TRANSLATIONS_ALWAYS};
    static const char *const                targets[] = {"madnight", NULL};
    size_t                                  key = SIZE_MAX, translation = SIZE_MAX, target = SIZE_MAX;
    int                                     code = animbin_options_view(out, args, say);
    if (code == EXIT_DONE)
        code = animbin_options_check(to, args, say);
    if (code == EXIT_DONE)
        code = args_choice(args, say, "keys", keys, &key);
    if (code == EXIT_DONE)
        code = args_choice(args, say, "translations", translations, &translation);
    if (code == EXIT_DONE)
        code = args_choice(args, say, "target", targets, &target);
    if (code == EXIT_DONE)
        code = args_positive(args, say, "tolerance", &out->tolerance);
    if (code != EXIT_DONE)
        return code;
    out->keys = key == 0   ? EMBER_ANIMBIN_KEYS_DENSE
                : key == 1 ? EMBER_ANIMBIN_KEYS_SPARSE
                           : EMBER_ANIMBIN_KEYS_KEPT;
    out->translations = translation != SIZE_MAX ? asked[translation] : EMBER_ANIMBIN_TRANSLATIONS_KEPT;
    out->rounding = args_has(args, "truncate") ? EMBER_ROUND_TRUNCATE : EMBER_ROUND_NEAREST;
    *madnight = target == 0;
    if (out->tolerance > 0.0 && out->keys != EMBER_ANIMBIN_KEYS_SPARSE)
        return args_usage(args, say, "--tolerance is for --keys sparse");
    if (*madnight && out->keys == EMBER_ANIMBIN_KEYS_SPARSE)
        return args_usage(args, say, "madnight's player does not interpolate: --keys sparse is not for it");
    return EXIT_DONE;
}

bool animbin_options_fit(ember_model *model, ember_write_options *options, ember_arena *arena,
                         ember_error *err)
{
    ember_model            fitted;
    ember_animbin_options *left = EMBER_PUSH(arena, ember_animbin_options, 1);
    if (left == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory"), false;
    if (ember_animbin_fit(&fitted, model, options, arena, err) != EMBER_OK)
        return false;
    *model = fitted;
    *left = *options->animbin;
    left->keys = EMBER_ANIMBIN_KEYS_KEPT;
    left->translations = EMBER_ANIMBIN_TRANSLATIONS_KEPT;
    options->animbin = left;
    return true;
}
